//===- MultiprocessorSetup.cpp - A timed SIMT core as it begins -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counters of Multiprocessor, and what it finds out once about each instruction of
// a kernel: for `mad.i64 d0, id, 4, p0`, that it has the latency of a multiplication,
// and writes two rows of the register file.
//
//===----------------------------------------------------------------------===//

#include "results/Statistics.h"
#include "simt/Multiprocessor.h"

#include <algorithm>

namespace chansim::simt {

/// The wavefronts of a compute unit: as many as have room for the most registers that a
/// kernel may have, because those of any kernel may come.
static uint32_t slotsOf(const SimtParameters &parameters) {
  uint32_t bytes = 4 * parameters.registers * parameters.lanes;
  return std::clamp(parameters.registerFile / bytes, 1u, parameters.warps);
}

Multiprocessor::Multiprocessor(const Machine &machine, Engine &engine,
                               MemoryPort &memory, Host &host,
                               Statistics &statistics, uint32_t number,
                               FetchUnit *fetchUnit)
    : Core(engine, number), machine(machine), memory(memory), host(host),
      fetchUnit(fetchUnit), isApu(machine.kind == MachineKind::apu),
      isCombining(isApu &&
                  machine.memory.protocol == CoherenceProtocol::writeCombining),
      parameters(machine.simt), operations(machine.operations),
      lineBytes(machine.l1.lineBytes), hostAllocates(machine.host.allocates),
      residents(isApu ? slotsOf(machine.simt) : 1),
      slots(isApu ? residents.size() : machine.simt.warps),
      waiting(slots.size()), asking(slots.size()), moving(slots.size()),
      schedulers(machine.simt.schedulers), banks(machine.simt) {
  engine.add(*this, engine.coreClock());
  memory.setConsumer(*this);
  if (fetchUnit)
    fetchPort = fetchUnit->addCore(*this);
  auto add = [&](const char *name, const char *unit, const char *what,
                 const uint64_t &counter) {
    statistics.add(name, unit, what, counter);
  };
  add("core.tiles", "tiles", "tiles run, and run on after a yield",
      counters.tiles);
  add("core.threads", "threads", "threads of tiles not run before",
      counters.threads);
  add("simt.cycles", "cycles", "with a tile on the core", counters.busyCycles);
  add("simt.instructions", "instructions", "instructions that warps executed",
      counters.instructions);
  add("simt.lane_operations", "operations",
      "instructions that lanes of warps executed", counters.laneOperations);
  statistics.addRatio("simt.ipc", "instructions/cycle",
                      "instructions of warps in a cycle with a tile",
                      counters.instructions, counters.busyCycles);
  statistics.addRatio("simt.lane_share", "lanes/lane",
                      "lanes that took part, of those of the warps",
                      counters.laneOperations, counters.instructions,
                      1.0 / parameters.lanes);
  add("simt.separations", "times",
      "lanes went on alone from a point of reconvergence",
      counters.separations);
  static constexpr std::pair<const char *, const char *> stalls[kStalls] = {
      {"", ""},
      {"simt.stall_no_warp", "there was no warp"},
      {"simt.stall_barrier", "all warps waited at barriers"},
      {"simt.stall_result", "all warps waited for results"},
      {"simt.stall_collector", "no operand collector was free"},
      {"simt.stall_special", "units for divisions or f64 were occupied"},
      {"simt.stall_load_store", "the queue of the load/store unit was full"},
      {"simt.stall_fetch", "the instructions had not come"}};
  for (size_t reason = 1; reason != kStalls; ++reason) {
    if (reason == static_cast<size_t>(Stall::fetch) && !fetchUnit)
      continue;
    statistics.add(stalls[reason].first, "cycles",
                   std::string("of a scheduler that issued nothing since ") +
                       stalls[reason].second,
                   counters.stalls[reason]);
  }
  add("simt.memory_instructions", "instructions", "loads and stores of warps",
      counters.memoryInstructions);
  add("simt.lines", "lines", "lines that these loaded or stored",
      counters.lines);
  statistics.addRatio("simt.lines_each", "lines/instruction",
                      "lines for a load or store of a warp", counters.lines,
                      counters.memoryInstructions);
  add("simt.atomics", "operations", "atomic operations of lanes",
      counters.atomics);
  add("simt.barriers", "groups", "work-groups that have passed a barrier",
      counters.barriers);
  add("simt.barrier_cycles", "cycles",
      "of warps all of whose threads waited at barriers",
      counters.barrierCycles);
  add("simt.syscalls", "calls", "system calls", counters.calls);
  add("simt.heap_calls", "calls", "allocations and releases without the host",
      counters.heapCalls);
  add("scratchpad.instructions", "instructions",
      "loads, stores and atomic operations of warps in the scratchpad",
      counters.scratchpadInstructions);
  add("scratchpad.turns", "turns", "of the banks for these",
      counters.scratchpadTurns);
  add("registers.reads", "rows", "registers of all lanes read", banks.reads);
  add("registers.writes", "rows", "registers of all lanes written",
      banks.writes);
  add("registers.conflicts", "cycles", "accesses waited for their bank",
      banks.conflictCycles);
  arithmetic.addTo(statistics);
  if (isApu)
    addApuCounters(statistics);
}

void Multiprocessor::addApuCounters(Statistics &statistics) {
  auto add = [&](const char *name, const char *unit, const std::string &what,
                 const uint64_t &counter) {
    statistics.add(name, unit, what, counter);
  };
  add("simt.wavefronts", "wavefronts", "wavefronts that began",
      counters.wavefronts);
  add("simt.yields", "times", "wavefronts yielded", counters.yields);
  add("simt.context_saved", "bytes", "of wavefronts that yielded, stored",
      counters.savedBytes);
  add("simt.context_restored", "bytes",
      "of wavefronts that went on after a yield, loaded",
      counters.restoredBytes);
  uint32_t lanes = parameters.lanes;
  for (uint32_t quarter = 0; quarter != 4; ++quarter)
    add(("simt.lanes_quarter_" + std::to_string(quarter + 1)).c_str(),
        "instructions",
        "of " + std::to_string(quarter * lanes / 4 + 1) + " to " +
            std::to_string((quarter + 1) * lanes / 4) + " lanes",
        counters.quarters[quarter]);
  add("simt.lanes_all", "instructions",
      "of all lanes, which are in the last quarter, too", counters.ofAllLanes);
  add("simt.empty_cycles", "cycles",
      "without a wavefront, before one began or went on", counters.emptyCycles);
}

//===----------------------------------------------------------------------===//
// What instructions need
//===----------------------------------------------------------------------===//

Multiprocessor::Timing
Multiprocessor::timingOf(const Kernel &kernel,
                         const Instruction &instruction) const {
  Timing timing{};
  uint32_t wide = kernel.registers[0];
  // The first row of the register file of a register; class c has none.
  auto addRows = [&](RegisterClass kind, uint32_t number,
                     std::vector<uint16_t> &rows) {
    if (kind == RegisterClass::s)
      rows.push_back(static_cast<uint16_t>(number));
    if (kind == RegisterClass::d)
      for (uint32_t half : {0u, 1u})
        rows.push_back(static_cast<uint16_t>(wide + 2 * number + half));
  };
  auto addRegister = [&](RegisterClass kind, uint32_t number) {
    uint32_t row = number;
    for (unsigned before = 0; before != static_cast<unsigned>(kind); ++before)
      row += kernel.registers[before];
    timing.registers.push_back(static_cast<uint16_t>(row));
  };
  auto addSource = [&](const Operand &operand, Type type) {
    if (operand.kind != Operand::Kind::reg)
      return;
    RegisterClass kind = classOfBits(bitsOf(type));
    addRows(kind, operand.number, timing.sources);
    addRegister(kind, operand.number);
  };
  const Operation *operation = instruction.operation;
  timing.latency = operations.intAdd;
  if (!operation) {
    timing.unit = Unit::control;
    if (instruction.isConditional)
      addSource(instruction.operands[0], Type::i1);
    if (instruction.kind == Instruction::Kind::yield)
      addSource(instruction.operands[0], Type::i64);
    return timing;
  }
  for (unsigned i = 0; i != operation->operands; ++i)
    addSource(instruction.operands[i], operandType(*operation, i));
  if (instruction.result != kNone) {
    RegisterClass kind = classOfBits(operation->resultBits);
    addRows(kind, instruction.result, timing.results);
    addRegister(kind, instruction.result);
  }
  timing.arithmetic = operation->arithmetic();
  timing.bytes = operation->bytes;
  timing.unit = operation->unit == UnitKind::loadStore       ? Unit::loadStore
                : operation->unit == UnitKind::special       ? Unit::special
                : timing.arithmetic >= Arithmetic::doubleAdd ? Unit::doubleLanes
                                                             : Unit::lanes;
  // Moves go through the same pipeline as additions.
  if (timing.arithmetic != Arithmetic::none)
    timing.latency = operation->latency(operations);
  return timing;
}

const std::vector<Multiprocessor::Timing> &
Multiprocessor::timingsOf(const Code &code) {
  auto [found, isNew] = known.try_emplace(&code);
  if (isNew)
    for (const Instruction &instruction : code.kernel().instructions)
      found->second.push_back(timingOf(code.kernel(), instruction));
  return found->second;
}

} // namespace chansim::simt
