//===- Resources.h - The fabric as placement and routing see it -*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_PLACEANDROUTE_RESOURCES_H
#define CILK2CHAN_PLACEANDROUTE_RESOURCES_H

#include "machine/Geometry.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <cstdint>
#include <vector>

namespace cilk2chan::pnr {

using chansim::Port;
using chansim::UnitKind;

/// A number for each kind of unit.
using KindCounts = std::array<unsigned, chansim::kUnitKinds>;

/// The fabric as a graph, with what is asked of it often computed in advance.
/// Vertices are the units, numbered row by row, then the switches alike.  Made
/// once for a machine; immutable, so that threads may share it.
class Resources {
public:
  /// A directed link between two vertices, from a port of each.
  struct Link {
    unsigned source, target;
    Port sourcePort, targetPort;
  };

  explicit Resources(const chansim::Fabric &fabric);

  const chansim::Fabric &geometry() const { return fabric; }
  unsigned numUnits() const { return fabric.size(); }
  unsigned numVertices() const { return 2 * fabric.size(); }
  bool isUnit(unsigned vertex) const { return vertex < numUnits(); }
  /// Where a unit or switch stands.
  chansim::Site site(unsigned vertex) const {
    return {fabric.place(vertex % numUnits()), !isUnit(vertex)};
  }

  llvm::ArrayRef<Link> links() const { return allLinks; }
  /// The links that leave `vertex`, as indices into links().
  llvm::ArrayRef<unsigned> outgoing(unsigned vertex) const {
    return llvm::ArrayRef(leaving).slice(
        firstLeaving[vertex], firstLeaving[vertex + 1] - firstLeaving[vertex]);
  }

  /// All units of a kind.
  llvm::ArrayRef<unsigned> units(UnitKind kind) const {
    return byKind[static_cast<size_t>(kind)];
  }
  /// All units of a kind, those nearest to `unit` first.
  llvm::ArrayRef<unsigned> nearest(unsigned unit, UnitKind kind) const {
    return byDistance[unit * chansim::kUnitKinds + static_cast<size_t>(kind)];
  }

  static constexpr unsigned unreachable = 255;
  /// The links of the shortest way from a vertex to a unit through switches.
  unsigned distance(unsigned from, unsigned unit) const {
    return distances[unit * numVertices() + from];
  }
  /// What an edge between two units is estimated to take of the fabric, in
  /// quarters of a link: its links, those between switches twice as they are
  /// what runs out first, and more the fewer ways are that short.
  unsigned wiring(unsigned from, unsigned to) const {
    return wirings[to * numUnits() + from];
  }
  /// Whether there is a way from every unit to every other.
  bool isConnected() const;

private:
  void connect();
  void measureTo(unsigned target);
  void sortByDistance();

  chansim::Fabric fabric;
  std::vector<Link> allLinks;
  std::vector<unsigned> leaving, firstLeaving;
  std::vector<std::vector<unsigned>> arriving; // sources, by vertex
  std::array<std::vector<unsigned>, chansim::kUnitKinds> byKind;
  std::vector<std::vector<unsigned>> byDistance;
  std::vector<uint8_t> distances;
  std::vector<unsigned> wirings;
};

} // namespace cilk2chan::pnr

#endif // CILK2CHAN_PLACEANDROUTE_RESOURCES_H
