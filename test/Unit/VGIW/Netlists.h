//===- Netlists.h - Netlists to place and route -----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_TEST_UNIT_VGIW_NETLISTS_H
#define CILK2CHAN_TEST_UNIT_VGIW_NETLISTS_H

#include "cilk2chan/PlaceAndRoute/Legality.h"
#include "cilk2chan/PlaceAndRoute/Mapping.h"

#include "machine/Machine.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <random>

namespace cilk2chan::pnr {

/// The machine that ships.
inline const Resources &paperFabric() {
  static const Resources resources = [] {
    std::string error;
    auto machine =
        chansim::Machine::load(MACHINE_DIRECTORY "/micro15-vgiw.json", error);
    EXPECT_TRUE(machine) << error;
    return Resources(machine->fabric);
  }();
  return resources;
}

inline unsigned addNode(Netlist &netlist, char letter, unsigned latency = 4) {
  unsigned index = netlist.nodes.size();
  UnitKind kind = *chansim::parseUnit(letter);
  netlist.nodes.push_back({index, kind, latency, {}, 0});
  netlist.nodes.back().op = std::string("op") + letter + ".i64";
  return index;
}

/// Acyclic, of nodes of these kinds in any order: each takes one to three
/// results (`density` is the chance of one more) of the `window` nodes before
/// it, as far as these may have more consumers.
inline Netlist randomNetlist(unsigned seed, const KindCounts &counts,
                             double density = 0.35, unsigned window = 16,
                             unsigned maxFanout = 4) {
  std::mt19937_64 random(seed);
  std::vector<UnitKind> kinds;
  for (unsigned kind = 0; kind != counts.size(); ++kind)
    kinds.insert(kinds.end(), counts[kind], static_cast<UnitKind>(kind));
  std::shuffle(kinds.begin(), kinds.end(), random);
  Netlist netlist;
  std::vector<unsigned> fanout(kinds.size(), 0);
  for (unsigned node = 0; node != kinds.size(); ++node) {
    addNode(netlist, chansim::unitLetter(kinds[node]),
            kinds[node] == UnitKind::loadStore ? 35 : 4);
    unsigned inputs = 1;
    while (inputs != maxOperands && random() % 1000 < density * 1000)
      ++inputs;
    unsigned operand = 0;
    for (unsigned attempt = 0; node != 0 && attempt != 60; ++attempt) {
      unsigned source = node - 1 - random() % std::min(node, window);
      if (operand == inputs)
        break;
      if (fanout[source] == maxFanout)
        continue;
      ++fanout[source];
      netlist.edges.push_back({source, node, operand++});
    }
  }
  return netlist;
}

/// A part of each kind's units.
inline KindCounts portion(const Resources &fabric, double part) {
  KindCounts counts = fabric.geometry().countUnits();
  for (unsigned &count : counts)
    count = static_cast<unsigned>(count * part + 0.5);
  return counts;
}

/// `nodes` nodes, of all kinds in proportion to the fabric's.
inline Netlist randomNetlist(unsigned seed, unsigned nodes) {
  std::mt19937_64 random(seed * 1000 + nodes);
  std::vector<UnitKind> kinds = paperFabric().geometry().units;
  std::shuffle(kinds.begin(), kinds.end(), random);
  KindCounts counts{};
  for (unsigned node = 0; node != nodes; ++node)
    ++counts[static_cast<size_t>(kinds[node])];
  return randomNetlist(seed, counts);
}

/// The mapping, which must be there and be legal.
inline Mapping expectMapped(const MapResult &result, const Resources &fabric) {
  const Mapping *mapping = std::get_if<Mapping>(&result);
  if (!mapping) {
    ADD_FAILURE() << std::get<MapFailure>(result).message;
    return {};
  }
  for (const std::string &violation : findViolations(
           mapping->netlist, settingsOf(*mapping, fabric), fabric.geometry()))
    ADD_FAILURE() << violation;
  return *mapping;
}

} // namespace cilk2chan::pnr

#endif // CILK2CHAN_TEST_UNIT_VGIW_NETLISTS_H
