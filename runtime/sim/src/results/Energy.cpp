//===- Energy.cpp - What events cost --------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "results/Energy.h"

namespace chansim {
namespace {

constexpr const char *kNames[kArithmetic] = {
    "",          "int_add",   "int_mul",    "int_div",    "float_add",
    "float_mul", "float_div", "double_add", "double_mul", "double_div"};

constexpr double kPicojoulesPerFemtojoule = 1e-3;

/// The energies of one table, by unit.
class Table {
public:
  Table(Statistics &statistics, std::string name, uint32_t cores)
      : statistics(statistics), prefix("energy." + std::move(name) + "."),
        cores(cores) {}

  /// The unit's energy: counters, and what one event of each costs (fJ).
  using Events = std::vector<std::pair<std::string, double>>;
  void unit(const char *name, const std::string &description,
            const Events &events) {
    std::vector<Statistics::Term> terms;
    for (const auto &[counter, femtojoules] : events)
      terms.push_back({counter, femtojoules});
    statistics.addWeighted(prefix + name, "pJ", description, terms,
                           kPicojoulesPerFemtojoule);
    all.insert(all.end(), terms.begin(), terms.end());
  }

  void compute(const EnergyParameters &energy) {
    const uint32_t costs[kArithmetic] = {0,
                                         energy.intAdd,
                                         energy.intMul,
                                         energy.intDiv,
                                         energy.floatAdd,
                                         energy.floatMul,
                                         energy.floatDiv,
                                         energy.doubleAdd,
                                         energy.doubleMul,
                                         energy.doubleDiv};
    Events events;
    for (size_t kind = 1; kind != kArithmetic; ++kind)
      events.push_back({std::string("operations.") + kNames[kind],
                        static_cast<double>(costs[kind])});
    unit("compute", "arithmetic of all lanes or units", events);
  }

  void fabric(const EnergyParameters &energy, const Machine &machine) {
    unit("token_buffers", "operands written to token buffers and read again",
         {{"fabric.tokens", energy.token}});
    unit("interconnect", "tokens on the wires between units",
         {{"fabric.wire", energy.pitch}});
    double configuration =
        static_cast<double>(energy.configuredUnit) * machine.fabric.size();
    if (machine.kind == MachineKind::sgmf) {
      unit("control", "configurations",
           {{"sgmf.configurations", configuration}});
      return;
    }
    unit("live_values", "accesses to the live value cache",
         {{"lvc.accesses", energy.lvcAccess}});
    unit("control", "the control vector table, and configurations",
         {{"cvt.reads", energy.cvtWord},
          {"cvt.writes", energy.cvtWord},
          {"bbs.blocks", configuration}});
  }

  void simt(const EnergyParameters &energy, const SimtParameters &parameters) {
    // Banks are accessed by 16 bytes.
    double accesses = parameters.lanes * 4 / 16.0;
    unit("instructions", "fetching, decoding and scheduling",
         {{"simt.instructions", energy.instruction}});
    unit("register_file", "registers of all lanes of a warp",
         {{"registers.reads", accesses * energy.registerRead},
          {"registers.writes", accesses * energy.registerWrite}});
    // It is part of the memory that L1 is in, and as wide.
    unit("scratchpad", "turns of the scratchpad",
         {{"scratchpad.turns", energy.l1Access}});
  }

  /// DRAM with one latency has no rows to be opened.
  void uncore(const EnergyParameters &energy, bool hasRows) {
    unit("l1", "accesses to the first-level cache",
         {{"l1.accesses", energy.l1Access}});
    unit("l2", "lines read from the L2 or written to it, with the way there",
         {{"l2.accesses", energy.l2Line}});
    Events dram = {{"dram.reads", energy.dramRead},
                   {"dram.writes", energy.dramWrite}};
    if (hasRows)
      dram.push_back({"dram.activations", energy.dramActivation});
    unit("dram", "lines of the DRAM", dram);
    unit("static", "what the cores draw at rest",
         {{"run.cycles", static_cast<double>(energy.coreCycle) * cores}});
  }

  void total() {
    statistics.addWeighted(prefix + "total", "pJ", "of all units", all,
                           kPicojoulesPerFemtojoule);
  }

private:
  Statistics &statistics;
  const std::string prefix;
  const uint32_t cores;
  std::vector<Statistics::Term> all;
};

} // namespace

void ArithmeticCounts::addTo(Statistics &statistics) const {
  for (size_t kind = 1; kind != kArithmetic; ++kind)
    statistics.add(std::string("operations.") + kNames[kind], "operations",
                   "performed by one unit or lane each", counts[kind]);
}

void addEnergy(const Machine &machine, Statistics &statistics) {
  // Nothing is counted where nothing takes time.
  if (machine.kind == MachineKind::simt && !machine.simt.isTimed)
    return;
  for (auto [name, energy] :
       {std::pair("horowitz", &machine.energy.horowitz),
        std::pair("gpuwattch", &machine.energy.gpuwattch)}) {
    Table table(statistics, name, machine.cores);
    table.compute(*energy);
    if (hasFabric(machine.kind))
      table.fabric(*energy, machine);
    else
      table.simt(*energy, machine.simt);
    table.uncore(*energy, /*hasRows=*/machine.kind != MachineKind::apu);
    table.total();
  }
}

} // namespace chansim
