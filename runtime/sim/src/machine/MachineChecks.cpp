//===- MachineChecks.cpp - What must hold between parameters --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "machine/MachineChecks.h"
#include "machine/Json.h"
#include "machine/MachineTable.h"

#include <bit>

namespace chansim {

uint32_t ChannelParameters::leaves(uint32_t cores, uint32_t lanes) const {
  if (hierarchy == ChannelHierarchy::flat)
    return 0;
  uint32_t count = std::min(std::bit_floor(cores), width / lanes);
  return count > 1 ? std::bit_floor(count) : 0;
}

namespace {

void requirePowerOfTwo(const std::string &key, uint32_t value) {
  if (std::has_single_bit(value))
    return;
  // Wide enough for what std::bit_ceil could not give.
  uint64_t below = std::bit_floor(value), above = below ? 2 * below : 1;
  refuse(key, "is " + std::to_string(value) +
                  ", which is no power of two; the nearest " +
                  (below ? "are " + std::to_string(below) + " and "
                         : std::string("is ")) +
                  std::to_string(above));
}

void checkCache(const CacheParameters &cache, const std::string &prefix) {
  requirePowerOfTwo(prefix + ".line_bytes", cache.lineBytes);
  requirePowerOfTwo(prefix + ".bank_bytes", cache.bankBytes);
  uint64_t setBytes = uint64_t(cache.lineBytes) * cache.ways *
                      (cache.spansBanks() ? 1 : cache.banks);
  if (cache.bytes % setBytes)
    refuse(prefix + ".bytes",
           "is " + std::to_string(cache.bytes) +
               ", which is no multiple of line_bytes x ways" +
               (cache.spansBanks() ? "" : " x banks") + " = " +
               std::to_string(setBytes));
  if (!std::has_single_bit(cache.sets()))
    refuse(prefix + ".bytes", "makes " + std::to_string(cache.sets()) +
                                  " sets" +
                                  (cache.spansBanks() ? "" : " a bank") +
                                  ", which is no power of two");
}

void checkFabric(const Fabric &fabric, bool hasLiveValues) {
  std::array<uint32_t, kUnitKinds> counts = fabric.countUnits();
  for (unsigned kind = 0; kind != kUnitKinds; ++kind)
    if (!counts[kind] &&
        (hasLiveValues || kind != static_cast<unsigned>(UnitKind::liveValue)))
      refuse("fabric.grid",
             std::string("has no ") +
                 std::string(unitName(static_cast<UnitKind>(kind))) +
                 " (letter " + unitLetter(static_cast<UnitKind>(kind)) + ")");
  if (counts[static_cast<unsigned>(UnitKind::control)] < 2)
    refuse("fabric.grid",
           "has one CVU; a block needs two: initiator and terminator");
  if (!fabric.folded)
    return;
  if (fabric.columns < 2 || fabric.rows < 2)
    refuse("fabric.grid", "is folded and has one column or row: its units "
                          "would be their own neighbours");
  if (fabric.switchReach % fabric.columns == 0 ||
      fabric.switchReach % fabric.rows == 0)
    refuse("fabric.switch_reach",
           "is a multiple of the columns or rows of the folded grid: switches "
           "would have links to themselves");
}

/// A warp's registers are in the file while it runs.
void checkRegisters(const SimtParameters &simt) {
  uint64_t warp = uint64_t(4) * simt.lanes * simt.registers;
  if (simt.registerFile < warp)
    refuse(
        "simt.register_file",
        "is " + std::to_string(simt.registerFile) +
            " bytes, and a warp of simt.lanes = " + std::to_string(simt.lanes) +
            " with simt.registers = " + std::to_string(simt.registers) +
            " words each has " + std::to_string(warp));
}

/// What only a machine of kind `apu` has.
void checkApu(const Machine &machine) {
  uint32_t line = machine.l2.lineBytes;
  for (auto [cache, prefix] :
       {std::pair(&machine.fetch.l1i, "l1i"),
        std::pair(&machine.aggregatorCore.l1d, "aggregator.l1d"),
        std::pair(&machine.aggregatorCore.l1i, "aggregator.l1i")}) {
    checkCache(*cache, prefix);
    if (cache->lineBytes != line)
      refuse(std::string(prefix) + ".line_bytes",
             "is " + std::to_string(cache->lineBytes) +
                 ", and l2.line_bytes is " + std::to_string(line));
  }
  if (machine.memory.protocol == CoherenceProtocol::writeCombining &&
      line > kMaskBytes)
    refuse("memory.protocol",
           "is write_combining, which has masks for lines of " +
               std::to_string(kMaskBytes) + " bytes at most, and a line has " +
               std::to_string(line) + "; use moesi");
  requirePowerOfTwo("memory.frame_bytes", machine.memory.frameBytes);
  if (machine.channel.width < machine.simt.lanes)
    refuse("channel.width",
           "is " + std::to_string(machine.channel.width) +
               ", and must be at least " + std::to_string(machine.simt.lanes) +
               ": a wavefront of simt.lanes = " +
               std::to_string(machine.simt.lanes) +
               " may allocate an element for each lane at once");
  requirePowerOfTwo("channel.width", machine.channel.width);
  requirePowerOfTwo("channel.done_count", machine.channel.doneCount);
  if (machine.channel.doneCount > machine.channel.width)
    refuse("channel.done_count", "is more than channel.width");
  if (uint32_t leaves =
          machine.channel.leaves(machine.cores, machine.simt.lanes);
      leaves && machine.channel.doneCount > machine.channel.width / leaves)
    refuse("channel.done_count",
           "is " + std::to_string(machine.channel.doneCount) +
               ", and each of the " + std::to_string(leaves) +
               " leaves of a channel has " +
               std::to_string(machine.channel.width / leaves) +
               " elements; set channel.hierarchy to flat, or a smaller count");
  if (machine.aggregatorCore.workFirstAbove < 100 &&
      machine.channel.hierarchy == ChannelHierarchy::cores)
    refuse("aggregator.work_first_above",
           "is below 100, and channels have leaves; set channel.hierarchy to "
           "flat");
  if (machine.cores > 32)
    refuse("cores", "is " + std::to_string(machine.cores) +
                        ", and a directory knows 32 at most");
  if (!machine.simt.isTimed)
    refuse("simt.timed", "must be true for machines of kind apu");
}

void checkClocks(const Clocks &clocks, const ClockBindings &clockOf,
                 MachineKind kind) {
  std::string names;
  for (const Clocks::Named &clock : clocks.list)
    names += (names.empty() ? "" : ", ") + clock.name;
  visitClockBindings(clockOf, kind,
                     [&](const std::string &key, const std::string &name, Range,
                         const char *, const char *) {
                       if (!clocks.find(name))
                         refuse(key, "is '" + name + "', and the clocks are " +
                                         names);
                     });
  if (clocks.ticksPerMicrosecond() > Clocks::kMostTicks)
    refuse("clocks", "have a least common multiple of more than 2^40 MHz, so "
                     "that time cannot be counted in parts of all cycles");
}

} // namespace

void checkMachine(const Machine &machine) {
  const bool isVgiw = machine.kind == MachineKind::vgiw;
  checkClocks(machine.clocks, machine.clockOf, machine.kind);
  if (hasFabric(machine.kind))
    checkFabric(machine.fabric, isVgiw);
  else
    checkRegisters(machine.simt);
  // Entries that units free by themselves need graphs without rings.
  if (machine.kind == MachineKind::sgmf &&
      machine.fabric.channelRelease == ChannelRelease::window)
    refuse("fabric.channel_release", "is window, which graphs with loops do "
                                     "not allow; use terminator");
  if (machine.l2.spansBanks())
    refuse("l2.bank_bytes", "is less than a line, which is what an L2 bank "
                            "delivers");
  checkCache(machine.l1, "l1");
  if (isVgiw)
    checkCache(machine.lvc, "lvc");
  checkCache(machine.l2, "l2");
  uint32_t line = machine.l2.lineBytes;
  for (auto [cache, key] : {std::pair(&machine.l1, "l1.line_bytes"),
                            std::pair(&machine.lvc, "lvc.line_bytes")})
    if (cache->lineBytes != line && (isVgiw || cache != &machine.lvc))
      refuse(key, "is " + std::to_string(cache->lineBytes) +
                      ", and l2.line_bytes is " + std::to_string(line));

  for (auto [cache, key] : {std::pair(&machine.l1, "l1.write_policy"),
                            std::pair(&machine.lvc, "lvc.write_policy")})
    if (cache->writePolicy != WritePolicy::fetch && line > kMaskBytes)
      refuse(key,
             "is " +
                 std::string(namesOf(cache->writePolicy)[static_cast<size_t>(
                     cache->writePolicy)]) +
                 ", which has masks for lines of " +
                 std::to_string(kMaskBytes) +
                 " bytes at most, and a line has " + std::to_string(line) +
                 "; use fetch");

  if (isVgiw && machine.lvc.writePolicy == WritePolicy::through)
    refuse("lvc.write_policy", "is through, and the L2 has no live values; use "
                               "fetch or validate");

  if (machine.kind == MachineKind::apu)
    return checkApu(machine);
  for (auto [value, key] :
       {std::pair(machine.memory.frameBytes, "memory.frame_bytes"),
        std::pair(machine.dram.rowBytes, "dram.row_bytes"),
        std::pair(machine.dram.interleaveBytes, "dram.interleave_bytes")}) {
    requirePowerOfTwo(key, value);
    if (value < line)
      refuse(key, "is " + std::to_string(value) +
                      ", which is less than a line of " + std::to_string(line));
  }
  if (line % machine.dram.burstBytes)
    refuse("dram.burst_bytes",
           "does not divide a line of " + std::to_string(line) + " bytes");
  if (machine.dram.banks % machine.dram.bankGroups)
    refuse("dram.bank_groups", "is " + std::to_string(machine.dram.bankGroups) +
                                   ", which does not divide dram.banks = " +
                                   std::to_string(machine.dram.banks));
  if (isVgiw && machine.control.cvtBits % 64)
    refuse("control.cvt_bits", "is no multiple of 64, the size of its words");
}

bool isUsed(const Machine &machine, std::string_view clock) {
  bool found = false;
  visitClockBindings(machine.clockOf, machine.kind,
                     [&](const std::string &, const std::string &name, Range,
                         const char *,
                         const char *) { found |= name == clock; });
  return found;
}

void refuseUnusedClock(const std::string &name) {
  refuse("clocks." + name, "is the clock of no part; name it in clock_of, or "
                           "leave it out");
}

} // namespace chansim
