//===- Tuning.h - The constants of placement and routing --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each constant, with its unit, its reason and what shows it.  The hidden
// option that changes it is its first argument (Tunable.h).  The numbers of
// the annealing schedule stand in Placement.cpp: they are those of VPR (Betz
// and Rose, FPL 1997).
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_PLACEANDROUTE_TUNING_H
#define CILK2CHAN_LIB_PLACEANDROUTE_TUNING_H

#include "cilk2chan/Support/Tunable.h"

namespace cilk2chan::tuning {

/// Unit: weight of an edge
/// Reason: timing counts against wiring as 3 to 1 on the critical path (VPR's
/// trade-off is 1 to 1 of normalised costs).
/// Evidence: docs/performance/tuning.md, "VGIW".
inline Tunable<unsigned> edgeBase("pnr-edge-base", 4,
                                  "Weight of an edge off the critical path");

/// Unit: weight of an edge
/// Reason: as edgeBase.
/// Evidence: docs/performance/tuning.md, "VGIW".
inline Tunable<unsigned>
    edgeUrgency("pnr-edge-urgency", 12,
                "Weight that an edge on the critical path has besides");

/// Unit: weight of an edge times hops
/// Reason: larger than any detour, so that such placements disappear as the
/// temperature falls.
/// Evidence: docs/performance/tuning.md, "VGIW".
inline Tunable<unsigned>
    crampedEdge("pnr-cramped-edge", 64,
                "Cost of an edge that a unit has no room for");

/// Unit: moves
/// Reason: small blocks have many units to choose from.
/// Evidence: docs/performance/tuning.md, "VGIW".
inline Tunable<unsigned> leastMoves("pnr-least-moves", 64,
                                    "Moves of a temperature, at least");

/// Unit: cost of a link
/// Reason: the unit of the two below.
/// Evidence: docs/performance/tuning.md, "VGIW".
inline Tunable<unsigned> freeLink("pnr-free-link", 16, "Cost of a free link");

/// Unit: cost of a link
/// Reason: PathFinder's history term: two free links.
/// Evidence: docs/performance/tuning.md, "VGIW".
inline Tunable<unsigned>
    historyStep("pnr-history-step", 32,
                "Cost that each iteration adds to a link that is shared");

/// Unit: cost of a link
/// Reason: PathFinder's present congestion; bounded, so that an edge without
/// another way can stay.
/// Evidence: docs/performance/tuning.md, "VGIW".
inline Tunable<unsigned>
    mostPressure("pnr-most-pressure", 64,
                 "Cost of each other edge on a link, at most");

} // namespace cilk2chan::tuning

#endif // CILK2CHAN_LIB_PLACEANDROUTE_TUNING_H
