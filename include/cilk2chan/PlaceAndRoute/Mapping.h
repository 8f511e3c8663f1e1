//===- Mapping.h - A block on the fabric ------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_PLACEANDROUTE_MAPPING_H
#define CILK2CHAN_PLACEANDROUTE_MAPPING_H

#include "cilk2chan/PlaceAndRoute/Routing.h"
#include "cilk2chan/PlaceAndRoute/Settings.h"

#include <variant>

namespace cilk2chan::pnr {

struct MapOptions {
  uint64_t seed = 1;
  /// Placement's effort at the first attempt; each further one doubles it and
  /// takes another seed.
  unsigned effort = 2;
  unsigned attempts = 3;
  /// Rounds of negotiation in routing.
  unsigned routingIterations = 60;
};

/// A netlist placed and routed.
struct Mapping {
  unsigned replicas = 1;
  /// All replicas.
  Netlist netlist;
  Placement placement;
  Routing routing;
  /// Cycles of the longest way through a replica, as node latencies say.
  unsigned longestWay = 0;
};

/// Why a netlist is not on the fabric, and so what would help.
struct MapFailure {
  enum Reason {
    /// Nothing helps: the netlist is wrong, or the fabric's links do not reach
    /// from every unit to every other.
    malformed,
    /// It takes more units than there are: fewer replicas, or a smaller block.
    units,
    /// All attempts left congested links: fewer replicas, a smaller block, or
    /// more attempts.
    congestion
  };
  Reason reason;
  std::string message;
  /// The links in dispute when the last attempt ended.
  std::vector<unsigned> congested = {};
};

using MapResult = std::variant<Mapping, MapFailure>;

/// Places and routes `netlist`.  The result depends on the arguments alone.
MapResult map(const Netlist &netlist, const Resources &fabric,
              const MapOptions &options = {});

/// Places and routes as many replicas of `block` as it finds room for: at most
/// as many as the machine allows and the units of each kind suffice for.  Fails
/// only if one does not fit.
MapResult mapReplicas(const Netlist &block, const Resources &fabric,
                      const MapOptions &options = {});

/// Cycles of the longest way through a netlist routed so.
unsigned longestWay(const Netlist &netlist, const Routing &routing,
                    const Resources &fabric);

/// What the units and switches must be set to for `mapping`.
Settings settingsOf(const Mapping &mapping, const Resources &fabric);

} // namespace cilk2chan::pnr

#endif // CILK2CHAN_PLACEANDROUTE_MAPPING_H
