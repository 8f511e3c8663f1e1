//===- Geometry.cpp - Units, switches and links of the fabric -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "machine/Geometry.h"

#include <cstdio>

namespace chansim {
namespace {

constexpr std::array<std::string_view, kPorts> kPortNames = {
    "N", "NE", "E", "SE", "S", "SW", "W", "NW"};
constexpr std::string_view kLetters = "ASLVJC";
constexpr std::array<std::string_view, kUnitKinds> kUnitNames = {
    "FPU-ALU", "SCU", "LDST", "LVU", "SJU", "CVU"};

struct Step {
  int x, y;
};

Step stepOf(Site from, Port port, int reach) {
  constexpr std::array<Step, kPorts> steps = {
      {{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}}};
  Step step = steps[static_cast<unsigned>(port)];
  if (!isDiagonal(port))
    return from.isSwitch ? Step{step.x * reach, step.y * reach} : step;
  // A switch lies half a step to the south-east of its unit.
  return from.isSwitch ? Step{(step.x + 1) / 2, (step.y + 1) / 2}
                       : Step{(step.x - 1) / 2, (step.y - 1) / 2};
}

/// The coordinate moved by `step`, or -1 beyond the edge.
int move(int coordinate, int step, int extent, bool folded) {
  int moved = coordinate + step;
  if (folded)
    return (moved % extent + extent) % extent;
  return moved < extent ? moved : -1;
}

} // namespace

std::string_view portName(Port port) {
  return kPortNames[static_cast<unsigned>(port)];
}

std::optional<Port> parsePort(std::string_view name) {
  for (unsigned port = 0; port != kPorts; ++port)
    if (kPortNames[port] == name)
      return static_cast<Port>(port);
  return std::nullopt;
}

char unitLetter(UnitKind kind) { return kLetters[static_cast<unsigned>(kind)]; }

std::string_view unitName(UnitKind kind) {
  return kUnitNames[static_cast<unsigned>(kind)];
}

std::optional<UnitKind> parseUnit(char letter) {
  size_t kind = kLetters.find(letter);
  if (kind == std::string_view::npos)
    return std::nullopt;
  return static_cast<UnitKind>(kind);
}

std::array<uint32_t, kUnitKinds> Fabric::countUnits() const {
  std::array<uint32_t, kUnitKinds> counts{};
  for (UnitKind kind : units)
    ++counts[static_cast<unsigned>(kind)];
  return counts;
}

std::optional<Site> Fabric::across(Site from, Port port) const {
  Step step = stepOf(from, port, static_cast<int>(switchReach));
  int x = move(from.at.x, step.x, static_cast<int>(columns), folded);
  int y = move(from.at.y, step.y, static_cast<int>(rows), folded);
  if (x < 0 || y < 0)
    return std::nullopt;
  return Site{{static_cast<uint16_t>(x), static_cast<uint16_t>(y)},
              from.isSwitch != isDiagonal(port)};
}

uint32_t Fabric::pitches(Site from, Port port) const {
  uint32_t straight = from.isSwitch ? switchReach : 1;
  return (isDiagonal(port) ? 1 : straight) * (folded ? 2 : 1);
}

std::string Fabric::description() const {
  std::string text =
      "grid " + std::to_string(columns) + " " + std::to_string(rows) + "\n";
  for (uint32_t i = 0; i != size(); ++i) {
    text += unitLetter(units[i]);
    if ((i + 1) % columns == 0)
      text += '\n';
  }
  text += "folded " + std::to_string(folded) + "\n";
  text += "switch_reach " + std::to_string(switchReach) + "\n";
  text += "max_fanout " + std::to_string(maxFanout) + "\n";
  return text;
}

std::string Fabric::hash() const {
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a
  for (unsigned char c : description())
    hash = (hash ^ c) * 0x100000001b3;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(hash));
  return digits;
}

} // namespace chansim
