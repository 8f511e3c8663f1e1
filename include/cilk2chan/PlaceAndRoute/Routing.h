//===- Routing.h - Which links carry which edge -----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Negotiated congestion (L. McMurchie and C. Ebeling, "PathFinder: A
// Negotiation-Based Performance-Driven Router for FPGAs", FPGA 1995): edges
// first take their cheapest ways even where they meet; a link that is wanted
// more than once grows dearer, at once and for good, until all but one edge
// find other ways.  As a link carries one edge and a switch does not copy, the
// ways of all edges, also those from one node, share no link.  Ways are found
// by A* on the exact distances of the empty fabric.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_PLACEANDROUTE_ROUTING_H
#define CILK2CHAN_PLACEANDROUTE_ROUTING_H

#include "cilk2chan/PlaceAndRoute/Placement.h"

#include "llvm/ADT/SmallVector.h"

namespace cilk2chan::pnr {

/// The links of an edge in order, as indices into Resources::links().
using Route = llvm::SmallVector<unsigned, 6>;

struct Routing {
  /// By edge of the netlist.
  std::vector<Route> routes;
  /// The links that more than one edge insisted on; none if routing succeeded.
  std::vector<unsigned> congested;
  unsigned iterations = 0;

  bool succeeded() const { return congested.empty(); }
  unsigned linksUsed() const;
};

/// Routes `netlist`, placed so, in at most `maxIterations` rounds of
/// negotiation.  The result depends on the arguments alone.
Routing route(const Netlist &netlist, const Placement &placement,
              const Resources &fabric, unsigned maxIterations);

} // namespace cilk2chan::pnr

#endif // CILK2CHAN_PLACEANDROUTE_ROUTING_H
