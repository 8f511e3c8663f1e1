//===- Machine.h - The description of a simulated machine -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a machine file (machines/*.json) says: every number of the model.  The
// file, together with that which it names as its `base`, is complete: a key that
// is missing, unknown, of the wrong type or out of range is refused.  The simulator and the compiler both link this library
// (chanmachine): the compiler places and routes on the Fabric.  No exception
// leaves it.
//
// After Table 1 of "Control Flow Coalescing on a Hybrid Dataflow/von Neumann
// GPGPU" (Voitsechov and Etsion, MICRO 2015), called VGIW below.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_MACHINE_H
#define CHANSIM_MACHINE_H

#include "chan/device.h"
#include "machine/Clocks.h"
#include "machine/Geometry.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace chansim {

/// Cycles from a unit's start of an operation to its result, by what it does.
struct OperationCycles {
  uint32_t intAdd, intMul, intDiv;
  uint32_t floatAdd, floatMul, floatDiv;
  uint32_t doubleAdd, doubleMul, doubleDiv;
  uint32_t splitJoin, initiate, terminate;
};

/// What limits the threads of a tile: the control vector table, or also the LVC,
/// which then holds the live values of a tile.
enum class TileLimit : uint8_t { cvt, lvc };

inline std::span<const std::string_view> namesOf(TileLimit) {
  static constexpr std::string_view names[] = {"cvt", "lvc"};
  return names;
}

/// The basic block scheduler and its control vector table (VGIW, 3.2, 3.3).
struct ControlParameters {
  uint32_t cvtBits, cvtBanks;
  TileLimit tileLimit;
  /// Passes over the grid that a configuration takes, cycles of each, and what
  /// a reconfiguration takes beside them.
  uint32_t configurationPasses, passCycles, resetCycles;
  /// Configurations that are fetched in advance, those that the scheduler keeps
  /// for other runs of their blocks, and what fetching one takes.
  uint32_t fifoEntries, storedConfigurations, fetchCycles;
  /// A thread batch on its way between the scheduler and a control unit.
  uint32_t batchCycles;

  uint32_t reconfigurationCycles() const {
    return configurationPasses * passCycles + resetCycles;
  }
};

/// The host, which does system calls in packages.
struct HostParameters {
  /// Core cycles that a package takes, and each call in it.
  uint32_t packageCycles, operationCycles;
  /// Calls in a package at most.
  uint32_t packageOperations;
  /// Whether it allocates memory for kernels, too.
  bool allocates;
};

/// Bytes of a line for which there are masks at most.
constexpr uint32_t kMaskBytes = 128;

/// What a store does.  If it does not find its line, it asks for it (fetch), or
/// takes a line of which only the stored bytes are valid (validate): the line is
/// written back when it is displaced.  Or it goes to the L2, and the cache gives the
/// line up (through).
enum class WritePolicy : uint8_t { fetch, validate, through };

inline std::span<const std::string_view> namesOf(WritePolicy) {
  static constexpr std::string_view names[] = {"fetch", "validate", "through"};
  return names;
}

/// One cache: L1, LVC or L2.  Cycles are of its own clock.
struct CacheParameters {
  uint32_t bytes, lineBytes, ways, banks;
  /// Consecutive bytes in one bank: less than a line if a line spans banks.
  uint32_t bankBytes;
  uint32_t hitCycles;
  /// Lines that may be on their way at once, and accesses that wait for one.
  uint32_t mshrs, mshrTargets;
  /// Of L1 and LVC; the stores of L2 are lines or parts of lines from above,
  /// which fetch nothing.
  WritePolicy writePolicy;

  bool spansBanks() const { return bankBytes < lineBytes; }
  /// Sets of a bank; of the cache if lines span its banks.
  uint32_t sets() const {
    return bytes / lineBytes / ways / (spansBanks() ? 1 : banks);
  }
};

/// GDDR5: timings in cycles of the DRAM's command clock.
struct DramParameters {
  uint32_t channels, banks, rowBytes, queueEntries;
  /// Consecutive bytes in one channel.
  uint32_t interleaveBytes;
  /// Bytes of a burst; a burst takes the data bus for tCCD.
  uint32_t burstBytes;
  /// From the L2's miss to the channel's queue.
  uint32_t pathCycles;
  uint32_t ccd, rrd, rcd, ras, rp, rc, cl, wl, wtr, wr;
  /// Groups of neighbouring banks, and timings within one.
  uint32_t bankGroups, ccdl, rtpl;
};

/// The aggregator, which hands batches of channel elements to the cores
/// (design: channel GPU of Orr et al., ISCA 2014, section 5.2, which leaves it
/// open for a VGIW core).
struct AggregatorParameters {
  /// Pre-sync elements of one channel at one level, at most.
  uint32_t channelWidth;
  /// Core cycles that choosing and binding a tile takes, and bringing back one
  /// that has yielded.
  uint32_t dispatchCycles, resumeCycles;
  /// Core cycles of an operation that computes a parameter of a tile.
  uint32_t operationCycles;
  /// Threads of a tile at least, if there are so many, when several cores share
  /// a batch out.
  uint32_t leastTile;
};

/// The core that runs the aggregator's program (channel GPU of Orr et al., ISCA 2014,
/// Tables 2 and 5): instructions it starts and ends in a cycle, and what it has of
/// each resource.
struct AggregatorCoreParameters {
  uint32_t width, robEntries, queueEntries, registers, loadEntries,
      storeEntries;
  /// Whether an instruction begins before the one before it has ended.
  bool isPipelined;
  /// From a branch that was predicted wrongly to the first instruction behind it, and
  /// an access to a register of the dispatcher.
  uint32_t mispredictCycles, deviceCycles;
  /// Percent of a channel in use from which the default scheduler works depth-first; 100
  /// if it never does.
  uint32_t workFirstAbove;
  CacheParameters l1d, l1i;
};

/// How a wavefront reserves room in a channel (ISCA 2014, sections 3.2.2 and 8.1):
/// each lane by itself, one lane for all, or that with each element in lines of its
/// own.
enum class ChannelLowering : uint8_t { baseline, leader, padded };

inline std::span<const std::string_view> namesOf(ChannelLowering) {
  static constexpr std::string_view names[] = {"baseline", "leader", "padded"};
  return names;
}

/// Whether the fields of an element are adjacent, or the same field of all elements.
enum class ChannelLayout : uint8_t { structures, fields };

inline std::span<const std::string_view> namesOf(ChannelLayout) {
  static constexpr std::string_view names[] = {"structures", "fields"};
  return names;
}

/// Whether a channel is one queue, or has a leaf for each core (ISCA 2014, section 10:
/// "a hierarchical design may scale even better").
enum class ChannelHierarchy : uint8_t { flat, cores };

inline std::span<const std::string_view> namesOf(ChannelHierarchy) {
  static constexpr std::string_view names[] = {"flat", "cores"};
  return names;
}

/// Channels in the simulated memory (ISCA 2014, section 3.2).
struct ChannelParameters {
  /// Elements of a channel, and those that share a done count.
  uint32_t width, doneCount;
  ChannelLowering lowering;
  ChannelLayout layout;
  ChannelHierarchy hierarchy;

  /// Leaves of a channel: one for each core, or for some cores together if the width has
  /// no room for a wavefront in each. 0 if a channel is one queue.
  uint32_t leaves(uint32_t cores, uint32_t lanes) const;

  /// An element takes a multiple of so many bytes, of structures.
  uint32_t elementAlignment(uint32_t lineBytes) const {
    return lowering == ChannelLowering::padded ? lineBytes
                                               : CHAN_ARRAY_ELEMENT_ALIGNMENT;
  }
};

/// A wavefront that yields (ISCA 2014, section 6): bytes beside its registers, and
/// whether only registers are saved that are live.
struct YieldParameters {
  uint32_t baseBytes;
  bool savesLiveOnly;
};

/// DRAM with one latency and one rate (ISCA 2014, Table 2).
struct FlatDramParameters {
  uint32_t latencyCycles, bytesPerCycle, queueEntries;
};

/// How instructions come to a wavefront.
struct FetchParameters {
  uint32_t instructionBytes, bufferLines;
  /// The cache that all cores share.
  CacheParameters l1i;
};

/// How the caches of compute units are kept coherent (kind `apu`): a write fetches and
/// owns its line (ISCA 2014, section 7), or stores are combined and written through to
/// the L2 when others are to see them.
enum class CoherenceProtocol : uint8_t { moesi, writeCombining };

inline std::span<const std::string_view> namesOf(CoherenceProtocol) {
  static constexpr std::string_view names[] = {"moesi", "write_combining"};
  return names;
}

/// What joins the levels.
struct MemoryParameters {
  /// Bytes that the link from L1 and LVC to L2 carries in a cycle of the
  /// interconnect, each way.
  uint32_t linkBytes;
  /// Cycles of the L2's clock for which an atomic operation occupies its bank.
  uint32_t atomicCycles;
  /// Simulated physical memory is handed out in frames, in first-touch order.
  uint32_t frameBytes;
  /// Whether L1 forgets its lines when it is flushed at the end of a kernel.
  bool flushInvalidates;
  /// Lines on their way from L1 and LVC to the L2 at once.
  uint32_t writeBackEntries;
  /// Cycles of the link's clock that a message takes on its way (kind `apu`).
  uint32_t messageCycles;
  /// Of kind `apu`; and lines of which a cache combines stores, at most.
  CoherenceProtocol protocol;
  uint32_t combiningEntries;
  /// Whether a store's token goes on when the cache has accepted the store, and
  /// not when the line has come.
  bool postedStores;
};

/// What an event costs, in femtojoules.
struct EnergyParameters {
  /// An operation of one lane or unit.
  uint32_t intAdd, intMul, intDiv;
  uint32_t floatAdd, floatMul, floatDiv;
  uint32_t doubleAdd, doubleMul, doubleDiv;
  /// Of fabrics: a token written and read, a token on a wire from one unit to its
  /// neighbour, an access to LVC and CVT, the configuration of a unit.
  uint32_t token, pitch, lvcAccess, cvtWord, configuredUnit;
  /// Of SIMT cores: fetching, decoding and scheduling an instruction of a warp,
  /// and an access to 16 bytes of the register file.
  uint32_t instruction, registerRead, registerWrite;
  /// An access to L1, and lines.
  uint32_t l1Access, l2Line, dramRead, dramWrite, dramActivation;
  /// A core's cycle at rest.
  uint32_t coreCycle;
};

/// By table: see Energy.h.
struct EnergyTables {
  EnergyParameters horowitz, gpuwattch;
};

/// `--set KEY=VALUE`.
struct Override {
  std::string key, value;
};

/// What the cores of a machine are.  It says which sections the machine's file has.
enum class MachineKind : uint8_t {
  vgiw, ///< dataflow fabrics under a block scheduler
  simt, ///< warps that share an instruction (runtime/sim/src/simt)
  sgmf, ///< dataflow fabrics that hold a whole kernel
  apu   ///< as simt, with coherent caches and an aggregator that is a program
};

inline std::span<const std::string_view> namesOf(MachineKind) {
  static constexpr std::string_view names[] = {"vgiw", "simt", "sgmf", "apu"};
  return names;
}
/// Whether the cores are dataflow fabrics.
inline bool hasFabric(MachineKind kind) {
  return kind == MachineKind::vgiw || kind == MachineKind::sgmf;
}
/// Those that a compilation may be for.
inline constexpr MachineKind kFabricKinds[] = {MachineKind::vgiw,
                                               MachineKind::sgmf};
inline constexpr MachineKind kSimtKinds[] = {MachineKind::simt,
                                             MachineKind::apu};
inline std::string_view nameOf(MachineKind kind) {
  return namesOf(kind)[static_cast<size_t>(kind)];
}

/// Which of its warps a scheduler serves: the one that it served last, or else the
/// oldest; or each in turn.
enum class WarpPolicy : uint8_t { greedy, roundRobin };

inline std::span<const std::string_view> namesOf(WarpPolicy) {
  static constexpr std::string_view names[] = {"greedy", "round_robin"};
  return names;
}

/// A SIMT core (VGIW, section 4: its baseline is a Fermi SM).
struct SimtParameters {
  /// Threads of a warp, and warps that a core holds.
  uint32_t lanes, warps;
  /// Registers of a thread at most, in words of 32 bits.
  uint32_t registers;
  /// Instructions that a warp's other lanes execute while some wait at a point
  /// of reconvergence, at most; then these go on alone.
  uint32_t reconvergenceLimit;
  /// Whether instructions take time; if not, each takes a cycle, and there is
  /// nothing of what follows.
  bool isTimed;
  /// Schedulers, and core cycles for which one issues an instruction.
  uint32_t schedulers, issueCycles;
  WarpPolicy policy;
  /// From the operands to the lanes and back.
  uint32_t pipelineCycles;
  /// Lanes of units that take more than a cycle for a warp.
  uint32_t loadStoreLanes, specialLanes, doubleLanes;
  /// Instructions in the load/store unit.
  uint32_t loadStoreQueue;
  /// Bytes of the register file, its banks, and cycles of an access to one.
  uint32_t registerFile, registerBanks, bankCycles;
  uint32_t collectors;
  /// Of the memory of work-groups: bytes, or 0 if it is behind L1; banks; and cycles of
  /// an access.  Groups that a core holds at once.
  uint32_t scratchpadBytes, scratchpadBanks, scratchpadCycles, groups;
};

/// A machine.  Plain data; copy it freely.
struct Machine {
  std::string name;
  MachineKind kind = MachineKind::vgiw;
  /// Each has an L1, an LVC and a fabric; they share L2 and DRAM.
  uint32_t cores;
  Clocks clocks;
  ClockBindings clockOf;
  Fabric fabric;
  OperationCycles operations;
  ControlParameters control;
  SimtParameters simt;
  HostParameters host;
  CacheParameters l1, lvc, l2;
  DramParameters dram;
  MemoryParameters memory;
  AggregatorParameters aggregator;
  /// Of kind `apu`, in place of `aggregator` and `dram`.
  AggregatorCoreParameters aggregatorCore;
  ChannelParameters channel;
  YieldParameters yield;
  FlatDramParameters flatDram;
  FetchParameters fetch;
  EnergyTables energy;
  /// Core cycles without any movement before the watchdog ends the simulation.
  uint32_t watchdogCycles;

  /// Reads a machine file (JSON with // comments), and its base.  Nothing if it
  /// is refused: then `error` is "FILE: KEY: reason", KEY being a path such as
  /// `l1.ways`.
  static std::optional<Machine> load(const std::string &path,
                                     std::string &error);
  /// As load(), and a machine of other kinds is refused.
  static std::optional<Machine> load(const std::string &path,
                                     std::span<const MachineKind> kinds,
                                     std::string &error);
  /// As load(), of a text; `file` is what messages name, and where a base is
  /// looked for.
  static std::optional<Machine>
  parse(std::string_view text, const std::string &file, std::string &error);

  /// The machine's file as one text that needs no other file, for programs that
  /// carry it.  Nothing if it is refused.
  static std::optional<std::string> wholeText(const std::string &path,
                                              std::string &error);

  /// Overrides parameters together (lines are of one size in all caches).  The
  /// same checks hold; if they fail the machine is unchanged and `error` is
  /// "KEY: reason".  A value is JSON; a string needs no quotes.
  bool set(std::span<const Override> overrides, std::string &error);
  /// As text: "l1.ways=8,l1.mshrs=64".  A comma within brackets or quotes
  /// belongs to its value.
  bool set(std::string_view overrides, std::string &error);
  /// One alone: set("l1.hit_cycles", "20", error).
  bool set(std::string key, std::string value, std::string &error) {
    Override one{std::move(key), std::move(value)};
    return set({&one, 1}, error);
  }
};

/// Where the installed machine files are, "micro15-vgiw.json" among them: a base
/// that is not beside its file is looked for there.  None at first.  To be set
/// before the first load(), not while another thread loads.
void setMachineDirectory(std::string directory);

/// The file of a machine that is given by its path, or as the name of one in
/// `directory`: `micro15-vgiw` stands for DIRECTORY/micro15-vgiw.json, and so
/// does the empty name, as it is the default.
std::string findMachineFile(const std::string &given,
                            const std::string &directory);

/// The names of the machines in `directory`, sorted.
std::vector<std::string> listMachines(const std::string &directory);

/// One parameter, for listings.
struct ParameterText {
  std::string key, value, unit, description;
};

/// All parameters of a machine, in the order of the documentation.
std::vector<ParameterText> listParameters(const Machine &machine);

} // namespace chansim

#endif // CHANSIM_MACHINE_H
