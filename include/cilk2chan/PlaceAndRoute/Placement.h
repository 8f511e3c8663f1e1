//===- Placement.h - Which unit runs which node -----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulated annealing with the schedule of VPR (V. Betz and J. Rose, "VPR: A
// New Packing, Placement and Routing Tool for FPGA Research", FPL 1997, section
// 4): moves and swaps within a kind of unit; the temperature and the range of
// moves follow the rate of accepted moves, which is best near 0.44.  The cost
// of an edge is what a way between its units is estimated to take of the fabric
// (Resources::wiring), weighted by how critical the edge is (A. Marquardt, V.
// Betz and J. Rose, "Timing-Driven Placement for FPGAs", FPGA 2000), for a
// replica's throughput falls with its longest way.  What units take of that way
// no placement changes: criticality counts the cycles beyond.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_PLACEANDROUTE_PLACEMENT_H
#define CILK2CHAN_PLACEANDROUTE_PLACEMENT_H

#include "cilk2chan/PlaceAndRoute/Netlist.h"

namespace cilk2chan::pnr {

/// The unit of each node.
using Placement = std::vector<unsigned>;

/// Places `netlist`.  The result depends on the arguments alone; it is better
/// with more `effort` (moves per temperature, in units of nodes^(4/3)) and
/// takes time in proportion.
/// REQUIRES: the fabric has enough units of each kind; no cycle.
Placement place(const Netlist &netlist, const Resources &fabric, uint64_t seed,
                unsigned effort);

} // namespace cilk2chan::pnr

#endif // CILK2CHAN_PLACEANDROUTE_PLACEMENT_H
