//===- MachineTable.h - The parameters of a machine, by key -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of parameters: loading, overriding, checking and documenting all
// walk it.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_MACHINETABLE_H
#define CHANSIM_MACHINETABLE_H

#include "machine/Machine.h"

namespace chansim {

/// The least and the greatest value of a number.
struct Range {
  uint32_t least, greatest;
};

/// Calls visit(key, member, range, unit, description) for each parameter of `cache`, whose keys begin with `prefix`.
template <class Cache, class Visitor>
void visitCache(Cache &cache, const std::string &prefix, Visitor &&visit) {
  constexpr Range size{1, 1u << 30}, count{1, 4096}, cycles{1, 100000};
  visit(prefix + ".bytes", cache.bytes, size, "bytes", "capacity");
  visit(prefix + ".line_bytes", cache.lineBytes, Range{8, 4096}, "bytes",
        "size of a line, the same in all caches");
  visit(prefix + ".ways", cache.ways, Range{1, 64}, "ways",
        "lines of a set; the least recently used one is replaced");
  visit(prefix + ".banks", cache.banks, Range{1, 256}, "banks",
        "banks, each of which takes an access in a cycle");
  visit(prefix + ".bank_bytes", cache.bankBytes, size, "bytes",
        "consecutive bytes in one bank");
  visit(prefix + ".hit_cycles", cache.hitCycles, cycles, "cycles",
        "from an access to its completion");
  visit(prefix + ".mshrs", cache.mshrs, count, "lines",
        "lines under way at most; in the L2, for each bank");
  visit(prefix + ".mshr_targets", cache.mshrTargets, count, "accesses",
        "accesses that wait for one line at most");
}

/// Beside that, what a first-level cache does with stores.
template <class Cache, class Visitor>
void visitWritePolicy(Cache &cache, const std::string &prefix,
                      Visitor &&visit) {
  visit(
      prefix + ".write_policy", cache.writePolicy, Range{}, "",
      "a store that misses fetches its line (fetch), or takes a line of which "
      "only the stored bytes are valid (validate); or all stores but those to "
      "lines of private memory go to the L2, and leave no line (through)");
}

/// As visitCache, for the parts of a machine.  Which clocks there are is known
/// before.
template <class Clocks, class Visitor>
void visitClocks(Clocks &clocks, Visitor &&visit) {
  for (auto &clock : clocks.list)
    visit("clocks." + clock.name, clock.mhz, Range{1, 100000}, "MHz",
          "a clock of this name");
}

template <class Bindings, class Visitor>
void visitClockBindings(Bindings &clockOf, MachineKind kind, Visitor &&visit) {
  const bool isVgiw = kind == MachineKind::vgiw;
  visit("clock_of.cores", clockOf.cores, Range{}, "",
        isVgiw ? "clock of the cores, L1, LVC, the aggregator and the host"
        : kind == MachineKind::apu
            ? "clock of the cores, their L1, and the host"
            : "clock of the cores, L1, the aggregator and the host");
  visit("clock_of.link", clockOf.link, Range{}, "",
        isVgiw ? "clock of the links from L1 and LVC to L2"
               : "clock of the links from L1 to L2");
  visit("clock_of.l2", clockOf.l2, Range{}, "", "clock of the L2 cache");
  visit("clock_of.dram", clockOf.dram, Range{}, "", "clock of DRAM commands");
  if (kind == MachineKind::apu)
    visit("clock_of.aggregator", clockOf.aggregator, Range{}, "",
          "clock of the aggregator and its caches");
}

template <class Fabric, class Visitor>
void visitFabric(Fabric &fabric, bool isVgiw, Visitor &&visit) {
  constexpr Range cycles{1, 100000};
  visit("fabric.folded", fabric.folded, Range{0, 1}, "",
        "whether links that leave one side enter at the other");
  visit("fabric.switch_reach", fabric.switchReach, Range{1, 64}, "steps",
        "distance of switches that have a link");
  visit("fabric.max_fanout", fabric.maxFanout, Range{1, kPorts}, "ports",
        "ports by which one result may leave a unit");
  visit("fabric.replicas", fabric.replicas, Range{1, 1024}, "replicas",
        isVgiw ? "replicas of a block at most"
               : "replicas of a kernel's graph at most");
  visit("fabric.token_buffer_entries", fabric.tokenBufferEntries,
        Range{1, 65536}, "entries",
        "entries of a unit's token buffer: virtual channels of a replica");
  visit("fabric.channel_release", fabric.channelRelease, Range{}, "",
        "when a virtual channel is free: after its thread (terminator), or at "
        "each "
        "unit after the operation has started (window)");
  visit("fabric.reservation_entries", fabric.reservationEntries,
        Range{1, 65536}, "accesses",
        isVgiw ? "accesses in flight in an LDST or LVU"
               : "accesses in flight in an LDST");
  visit("fabric.hop_cycles", fabric.hopCycles, cycles, "cycles",
        "latency of a link");
  visit("fabric.address_modes", fabric.addressModes, Range{0, 2}, "",
        "what an LDST adds to an address: plain, offset or scaled");
}

template <class Simt, class Visitor>
void visitSimt(Simt &simt, Visitor &&visit) {
  visit("simt.lanes", simt.lanes, Range{1, 64}, "threads", "threads of a warp");
  visit("simt.warps", simt.warps, Range{1, 4096}, "warps",
        "warps that are resident at most");
  visit("simt.registers", simt.registers, Range{8, 4096}, "registers",
        "registers of 32 bits that a thread has at most");
  visit("simt.reconvergence_limit", simt.reconvergenceLimit, Range{1, 1u << 30},
        "instructions",
        "instructions that a warp executes at most while lanes of it wait at a "
        "reconvergence point, or while one split has the turn");
  visit("simt.timed", simt.isTimed, Range{0, 1}, "",
        "whether instructions and memory take time");
  visit("simt.schedulers", simt.schedulers, Range{1, 16}, "schedulers",
        "schedulers, each of which has a part of the warps");
  visit("simt.issue_cycles", simt.issueCycles, Range{1, 64}, "cycles",
        "from an instruction of a scheduler to its next one");
  visit("simt.policy", simt.policy, Range{}, "",
        "which warp a scheduler serves: the last one, or else the oldest "
        "(greedy), or each in turn (round_robin)");
  visit("simt.pipeline_cycles", simt.pipelineCycles, Range{0, 1000}, "cycles",
        "from the operands to the lanes, and back to the registers");
  visit("simt.load_store_lanes", simt.loadStoreLanes, Range{1, 64}, "lanes",
        "lanes whose addresses go to L1 in a cycle");
  visit("simt.special_lanes", simt.specialLanes, Range{1, 64}, "lanes",
        "lanes that begin a division or root in a cycle");
  visit("simt.double_lanes", simt.doubleLanes, Range{1, 64}, "lanes",
        "lanes that begin an operation on f64 in a cycle");
  visit("simt.load_store_queue", simt.loadStoreQueue, Range{1, 1024},
        "instructions", "loads and stores that wait for L1 at most");
  visit("simt.register_file", simt.registerFile, Range{1, 1u << 30}, "bytes",
        "registers of all warps that a core holds at once");
  visit("simt.register_banks", simt.registerBanks, Range{1, 256}, "banks",
        "banks of the register file");
  visit("simt.bank_cycles", simt.bankCycles, Range{1, 64}, "cycles",
        "for which a bank reads or writes a register of a warp");
  visit("simt.collectors", simt.collectors, Range{1, 256}, "instructions",
        "instructions that wait for registers at most");
  visit("simt.scratchpad_bytes", simt.scratchpadBytes, Range{0, 1u << 30},
        "bytes",
        "of the scratchpad for the memory of work-groups; 0 if that is behind "
        "L1");
  visit("simt.scratchpad_banks", simt.scratchpadBanks, Range{1, 1024}, "banks",
        "banks of the scratchpad, of 4 bytes");
  visit("simt.scratchpad_cycles", simt.scratchpadCycles, Range{1, 1000},
        "cycles", "that an access to the scratchpad takes");
  visit("simt.groups", simt.groups, Range{1, 4096}, "groups",
        "work-groups that are resident at most");
}

template <class Operations, class Visitor>
void visitOperations(Operations &operations, Visitor &&visit) {
  constexpr Range cycles{1, 100000};
  visit("operations.int_add", operations.intAdd, cycles, "cycles",
        "integer addition, logic, comparison, conversion");
  visit("operations.int_mul", operations.intMul, cycles, "cycles",
        "integer multiplication");
  visit("operations.int_div", operations.intDiv, cycles, "cycles",
        "integer division and remainder");
  visit("operations.float_add", operations.floatAdd, cycles, "cycles",
        "f32 addition, comparison, conversion");
  visit("operations.float_mul", operations.floatMul, cycles, "cycles",
        "f32 multiplication, also with addition");
  visit("operations.float_div", operations.floatDiv, cycles, "cycles",
        "f32 division and square root");
  visit("operations.double_add", operations.doubleAdd, cycles, "cycles",
        "f64 addition, comparison, conversion");
  visit("operations.double_mul", operations.doubleMul, cycles, "cycles",
        "f64 multiplication, also with addition");
  visit("operations.double_div", operations.doubleDiv, cycles, "cycles",
        "f64 division and square root");
}

/// Those that only a fabric has.
template <class Operations, class Visitor>
void visitFabricOperations(Operations &operations, bool isVgiw,
                           Visitor &&visit) {
  constexpr Range cycles{1, 100000};
  visit("operations.split_join", operations.splitJoin, cycles, "cycles",
        isVgiw ? "passing on: split, join, mov"
               : "passing on: split, join, mov, steer, merge");
  visit("operations.initiate", operations.initiate, cycles, "cycles",
        "starting a thread");
  visit("operations.terminate", operations.terminate, cycles, "cycles",
        isVgiw ? "ending a thread's block" : "ending a thread");
}

/// `isVgiw`: whether there are blocks to be scheduled.
template <class Control, class Visitor>
void visitControl(Control &control, bool isVgiw, Visitor &&visit) {
  constexpr Range cycles{1, 100000}, wait{0, 100000};
  if (isVgiw) {
    visit("control.cvt_bits", control.cvtBits, Range{64, 1u << 30}, "bits",
          "control vector table: tile = bits / blocks at most");
    visit("control.tile_limit", control.tileLimit, Range{}, "",
          "whether a tile is limited by the CVT alone (cvt), or must also fit "
          "its "
          "live values into the LVC (lvc)");
    visit("control.cvt_banks", control.cvtBanks, Range{1, 1024}, "banks",
          "banks of 64-bit words, each read and written once a cycle");
  }
  visit("control.configuration_passes", control.configurationPasses, cycles,
        "passes", "passes over the grid to configure it");
  visit("control.pass_cycles", control.passCycles, cycles, "cycles",
        "one pass");
  visit("control.reset_cycles", control.resetCycles, wait, "cycles",
        "reset and other fixed cost of a reconfiguration");
  if (isVgiw)
    visit("control.fifo_entries", control.fifoEntries, Range{1, 4096},
          "configurations",
          "blocks whose configurations are fetched in advance");
  visit("control.stored_configurations", control.storedConfigurations,
        Range{0, 4096}, "configurations",
        "configurations that a core keeps once they were fetched");
  visit("control.fetch_cycles", control.fetchCycles, wait, "cycles",
        "fetching a configuration");
  visit("control.batch_cycles", control.batchCycles, cycles, "cycles",
        "a thread batch between scheduler and control unit");
}

template <class Host, class Visitor>
void visitHost(Host &host, Visitor &&visit) {
  constexpr Range wait{0, 100000};
  visit("host.package_cycles", host.packageCycles, Range{1, 100000}, "cycles",
        "a package of system calls, one package at a time");
  visit("host.operation_cycles", host.operationCycles, wait, "cycles",
        "each system call of a package");
  visit("host.package_operations", host.packageOperations, Range{1, 65536},
        "calls", "system calls in a package at most");
  visit("host.allocates", host.allocates, Range{0, 1}, "",
        "whether malloc, free and alloca of kernels are system calls");
}

template <class Memory, class Visitor>
void visitMemory(Memory &memory, MachineKind kind, Visitor &&visit) {
  constexpr Range cycles{1, 100000};
  const bool isVgiw = kind == MachineKind::vgiw;
  visit("memory.link_bytes", memory.linkBytes, Range{1, 4096}, "bytes",
        "what the link to the L2 carries in a cycle, each way");
  if (kind == MachineKind::apu)
    visit("memory.message_cycles", memory.messageCycles, Range{0, 100000},
          "cycles", "that a message takes between two caches");
  else
    visit("memory.atomic_cycles", memory.atomicCycles, cycles, "cycles",
          "for which an atomic operation occupies its L2 bank");
  visit("memory.frame_bytes", memory.frameBytes, Range{8, 1u << 30}, "bytes",
        "unit in which physical memory is handed out by first touch");
  if (kind == MachineKind::apu) {
    visit("memory.write_back_entries", memory.writeBackEntries, Range{2, 4096},
          "lines", "lines that a cache has given up and the L2 has not taken");
    visit(
        "memory.protocol", memory.protocol, Range{}, "",
        "how L1 of the cores are coherent: a write asks for its line (moesi), "
        "or stores are combined and written through (write_combining)");
    visit("memory.combining_entries", memory.combiningEntries, Range{2, 4096},
          "lines", "lines of which L1 combines stores, of write_combining");
    return;
  }
  visit("memory.flush_invalidates", memory.flushInvalidates, Range{0, 1}, "",
        "whether L1 forgets its lines at the end of a kernel");
  visit("memory.write_back_entries", memory.writeBackEntries, Range{2, 4096},
        "lines",
        isVgiw ? "lines on their way from L1 and LVC to the L2 at most"
               : "lines on their way from L1 to the L2 at most");
  visit("memory.posted_stores", memory.postedStores, Range{0, 1}, "",
        "whether a thread goes on when the cache has accepted its store");
}

template <class Aggregator, class Visitor>
void visitAggregator(Aggregator &aggregator, Visitor &&visit) {
  constexpr Range wait{0, 100000};
  visit("aggregator.channel_width", aggregator.channelWidth, Range{1, 1u << 30},
        "elements", "pre-sync elements of one channel at one level at most");
  visit("aggregator.dispatch_cycles", aggregator.dispatchCycles, wait, "cycles",
        "choosing, cutting off and binding a tile");
  visit("aggregator.resume_cycles", aggregator.resumeCycles, wait, "cycles",
        "bringing back a tile that has yielded");
  visit("aggregator.operation_cycles", aggregator.operationCycles, wait,
        "cycles", "an operation that computes a parameter of a tile");
  visit("aggregator.least_tile", aggregator.leastTile, Range{1, 65536},
        "threads", "threads of a tile at least when cores share out a batch");
}

template <class Core, class Visitor>
void visitAggregatorCore(Core &core, Visitor &&visit) {
  constexpr Range count{1, 4096}, wait{0, 100000};
  visit("aggregator.width", core.width, Range{1, 16}, "instructions",
        "instructions that begin and end in a cycle at most");
  visit("aggregator.rob_entries", core.robEntries, count, "instructions",
        "instructions in the reorder buffer");
  visit("aggregator.queue_entries", core.queueEntries, count, "instructions",
        "instructions in the issue queue");
  visit("aggregator.registers", core.registers, Range{33, 4096}, "registers",
        "physical registers");
  visit("aggregator.load_entries", core.loadEntries, count, "loads",
        "loads in the load queue");
  visit("aggregator.store_entries", core.storeEntries, count, "stores",
        "stores in the store queue");
  visit("aggregator.pipelined", core.isPipelined, Range{0, 1}, "",
        "whether an instruction begins before the one before it has ended");
  visit("aggregator.mispredict_cycles", core.mispredictCycles, wait, "cycles",
        "from a branch that was predicted wrongly to the next instruction");
  visit("aggregator.device_cycles", core.deviceCycles, wait, "cycles",
        "an access to a register of the dispatcher");
  visit("aggregator.work_first_above", core.workFirstAbove, Range{0, 100}, "%",
        "of a channel in use from which children that allocate in it wait for "
        "deeper levels; 100: they never do (help-first)");
  visitCache(core.l1d, "aggregator.l1d", visit);
  visitCache(core.l1i, "aggregator.l1i", visit);
}

template <class M, class Visitor>
void visitChannels(M &machine, Visitor &&visit) {
  visit("channel.width", machine.channel.width, Range{1, 1u << 24}, "elements",
        "elements of a channel; a power of two, at least simt.lanes");
  visit("channel.done_count", machine.channel.doneCount, Range{1, 1u << 16},
        "elements", "elements that share a done count; a power of two");
  visit("channel.lowering", machine.channel.lowering, Range{}, "",
        "how a wavefront reserves room: each lane by itself (baseline), one "
        "lane for all (leader), or that with each element in lines of its own "
        "(padded); the compiler reads this: compile again");
  visit("channel.layout", machine.channel.layout, Range{}, "",
        "whether the fields of an element are adjacent (structures), or the "
        "same field of all elements (fields); the compiler reads this: "
        "compile again");
  visit("channel.hierarchy", machine.channel.hierarchy, Range{}, "",
        "whether a channel is one queue (flat), or has a leaf for each core "
        "(cores)");
  visit("yield.base_bytes", machine.yield.baseBytes, Range{0, 1u << 20},
        "bytes", "of a wavefront's context beside its registers");
  visit("yield.live_only", machine.yield.savesLiveOnly, Range{0, 1}, "",
        "whether a yield saves only the registers that are live");
}

template <class Fetch, class Visitor>
void visitFetch(Fetch &fetch, Visitor &&visit) {
  visit("fetch.instruction_bytes", fetch.instructionBytes, Range{1, 64},
        "bytes", "an instruction of a wavefront");
  visit("fetch.buffer_lines", fetch.bufferLines, Range{1, 64}, "lines",
        "lines of instructions that a wavefront holds");
  visitCache(fetch.l1i, "l1i", visit);
}

template <class Dram, class Visitor>
void visitFlatDram(Dram &dram, Visitor &&visit) {
  visit("dram.latency_cycles", dram.latencyCycles, Range{0, 100000}, "cycles",
        "from a request to its data");
  visit("dram.bytes_per_cycle", dram.bytesPerCycle, Range{1, 4096}, "bytes",
        "read or written in a cycle");
  visit("dram.queue_entries", dram.queueEntries, Range{1, 4096}, "requests",
        "requests that wait at most");
}

template <class Dram, class Visitor>
void visitDram(Dram &dram, Visitor &&visit) {
  constexpr Range cycles{1, 100000}, wait{0, 100000};
  visit("dram.channels", dram.channels, Range{1, 256}, "channels", "channels");
  visit("dram.banks", dram.banks, Range{1, 256}, "banks", "banks of a channel");
  visit("dram.row_bytes", dram.rowBytes, Range{8, 1u << 20}, "bytes",
        "row of a bank");
  visit("dram.queue_entries", dram.queueEntries, Range{1, 4096}, "requests",
        "requests among which a channel chooses");
  visit("dram.interleave_bytes", dram.interleaveBytes, Range{8, 1u << 20},
        "bytes", "consecutive bytes in one channel");
  visit("dram.burst_bytes", dram.burstBytes, Range{1, 4096}, "bytes",
        "a burst");
  visit("dram.path_cycles", dram.pathCycles, wait, "cycles",
        "from an L2 miss to the queue of its channel");
  visit("dram.ccd", dram.ccd, cycles, "cycles", "tCCD: burst to burst");
  visit("dram.rrd", dram.rrd, wait, "cycles",
        "tRRD: activation to activation of another bank");
  visit("dram.rcd", dram.rcd, wait, "cycles", "tRCD: activation to access");
  visit("dram.ras", dram.ras, wait, "cycles", "tRAS: activation to precharge");
  visit("dram.rp", dram.rp, wait, "cycles", "tRP: precharge to activation");
  visit("dram.rc", dram.rc, wait, "cycles",
        "tRC: activation to activation of a bank");
  visit("dram.cl", dram.cl, wait, "cycles", "CL: read command to its data");
  visit("dram.wl", dram.wl, wait, "cycles", "WL: write command to its data");
  visit("dram.wtr", dram.wtr, wait, "cycles",
        "tWTR: end of written data to a read");
  visit("dram.wr", dram.wr, wait, "cycles",
        "tWR: end of written data to precharge");
  visit("dram.bank_groups", dram.bankGroups, Range{1, 256}, "groups",
        "groups of neighbouring banks of a channel");
  visit("dram.ccdl", dram.ccdl, wait, "cycles",
        "tCCDL: burst to burst of one bank group");
  visit("dram.rtpl", dram.rtpl, wait, "cycles",
        "tRTPL: read to precharge in one bank group");
}

template <class Energy, class Visitor>
void visitEnergy(Energy &energy, MachineKind kind, const std::string &table,
                 Visitor &&visit) {
  const std::string prefix = "energy." + table + ".";
  auto add = [&](const char *name, auto &member, const char *what) {
    visit(prefix + name, member, Range{0, ~0u}, "fJ", what);
  };
  add("int_add", energy.intAdd, "as operations.int_add");
  add("int_mul", energy.intMul, "alike");
  add("int_div", energy.intDiv, "alike");
  add("float_add", energy.floatAdd, "alike");
  add("float_mul", energy.floatMul, "alike");
  add("float_div", energy.floatDiv, "alike");
  add("double_add", energy.doubleAdd, "alike");
  add("double_mul", energy.doubleMul, "alike");
  add("double_div", energy.doubleDiv, "alike");
  if (hasFabric(kind)) {
    add("token", energy.token, "a token written to a buffer and read");
    add("pitch", energy.pitch, "a token on a wire from a unit to the next");
    if (kind == MachineKind::vgiw) {
      add("lvc_access", energy.lvcAccess, "a live value loaded or stored");
      add("cvt_word", energy.cvtWord, "a word of the CVT");
    }
    add("configured_unit", energy.configuredUnit,
        "the configuration of a unit");
  } else {
    add("instruction", energy.instruction,
        "fetching, decoding and scheduling an instruction of a warp");
    add("register_read", energy.registerRead, "16 bytes of the register file");
    add("register_write", energy.registerWrite, "alike");
  }
  add("l1_access", energy.l1Access, "an access to L1");
  add("l2_line", energy.l2Line, "a line read from L2 or written to it");
  add("dram_read", energy.dramRead, "a line");
  add("dram_write", energy.dramWrite, "a line");
  if (kind != MachineKind::apu)
    add("dram_activation", energy.dramActivation, "opening a row");
  add("core_cycle", energy.coreCycle, "a cycle of a core at rest");
}

/// As visitCache, for a whole machine of its kind but its name, its kind and its
/// grid.
template <class M, class Visitor>
void visitParameters(M &machine, Visitor &&visit) {
  const bool isVgiw = machine.kind == MachineKind::vgiw;
  const bool isApu = machine.kind == MachineKind::apu;
  visit("cores", machine.cores, Range{1, 64}, "cores",
        isVgiw ? "cores, each with L1 and LVC, that share L2 and DRAM"
               : "cores, each with an L1, that share L2 and DRAM");
  visitClocks(machine.clocks, visit);
  visitClockBindings(machine.clockOf, machine.kind, visit);
  if (hasFabric(machine.kind))
    visitFabric(machine.fabric, isVgiw, visit);
  else
    visitSimt(machine.simt, visit);
  visitOperations(machine.operations, visit);
  if (hasFabric(machine.kind)) {
    visitFabricOperations(machine.operations, isVgiw, visit);
    visitControl(machine.control, isVgiw, visit);
  }
  visitHost(machine.host, visit);
  visitCache(machine.l1, "l1", visit);
  if (!isApu)
    visitWritePolicy(machine.l1, "l1", visit);
  if (isVgiw) {
    visitCache(machine.lvc, "lvc", visit);
    visitWritePolicy(machine.lvc, "lvc", visit);
  }
  visitCache(machine.l2, "l2", visit);
  visitMemory(machine.memory, machine.kind, visit);
  if (isApu) {
    visitFetch(machine.fetch, visit);
    visitChannels(machine, visit);
    visitAggregatorCore(machine.aggregatorCore, visit);
    visitFlatDram(machine.flatDram, visit);
  } else {
    visitAggregator(machine.aggregator, visit);
    visitDram(machine.dram, visit);
  }
  visitEnergy(machine.energy.horowitz, machine.kind, "horowitz", visit);
  visitEnergy(machine.energy.gpuwattch, machine.kind, "gpuwattch", visit);
  visit("watchdog.cycles", machine.watchdogCycles, Range{1, 1u << 31}, "cycles",
        "core cycles without movement that end the simulation");
}

} // namespace chansim

#endif // CHANSIM_MACHINETABLE_H
