//===- Resources.cpp - The fabric as placement and routing see it ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/PlaceAndRoute/Resources.h"

#include "llvm/ADT/STLExtras.h"

using namespace cilk2chan::pnr;
using namespace chansim;

Resources::Resources(const Fabric &fabric) : fabric(fabric) {
  connect();
  distances.assign(numUnits() * numVertices(), unreachable);
  wirings.assign(numUnits() * numUnits(), 0);
  for (unsigned unit = 0; unit != numUnits(); ++unit)
    measureTo(unit);
  sortByDistance();
}

void Resources::connect() {
  arriving.resize(numVertices());
  for (unsigned vertex = 0; vertex != numVertices(); ++vertex) {
    firstLeaving.push_back(leaving.size());
    for (unsigned index = 0; index != kPorts; ++index) {
      Port port = static_cast<Port>(index);
      std::optional<Site> end = fabric.across(site(vertex), port);
      if (!end)
        continue;
      unsigned target =
          fabric.index(end->at) + (end->isSwitch ? numUnits() : 0);
      leaving.push_back(allLinks.size());
      allLinks.push_back({vertex, target, port, reverse(port)});
      arriving[target].push_back(vertex);
    }
  }
  firstLeaving.push_back(leaving.size());
}

/// Breadth-first search back from a unit, which also counts the shortest ways.
void Resources::measureTo(unsigned target) {
  uint8_t *distance = &distances[target * numVertices()];
  std::vector<unsigned> ways(numVertices(), 0);
  std::vector<unsigned> queue(1, target);
  distance[target] = 0;
  ways[target] = 1;
  for (size_t next = 0; next != queue.size(); ++next) {
    unsigned vertex = queue[next];
    if (vertex != target && isUnit(vertex))
      continue; // ways begin at units, but do not lead through them
    for (unsigned source : arriving[vertex]) {
      if (distance[source] == unreachable) {
        distance[source] = distance[vertex] + 1;
        queue.push_back(source);
      }
      if (distance[source] == distance[vertex] + 1)
        ways[source] += ways[vertex];
    }
  }
  for (unsigned unit = 0; unit != numUnits(); ++unit) {
    unsigned links = distance[unit];
    unsigned &wiring = wirings[target * numUnits() + unit];
    if (links == 1)
      wiring = 4;
    else if (links != 0 && links != unreachable)
      wiring = 4 * (links + links - 2) + 4 / ways[unit];
  }
}

void Resources::sortByDistance() {
  for (unsigned unit = 0; unit != numUnits(); ++unit)
    byKind[static_cast<size_t>(fabric.units[unit])].push_back(unit);
  for (unsigned unit = 0; unit != numUnits(); ++unit)
    for (const std::vector<unsigned> &candidates : byKind) {
      byDistance.push_back(candidates);
      llvm::sort(byDistance.back(), [&](unsigned a, unsigned b) {
        return std::pair(distance(unit, a), a) <
               std::pair(distance(unit, b), b);
      });
    }
}

bool Resources::isConnected() const {
  for (unsigned from = 0; from != numUnits(); ++from)
    for (unsigned to = 0; to != numUnits(); ++to)
      if (distance(from, to) == unreachable)
        return false;
  return true;
}
