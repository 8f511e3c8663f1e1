//===- Floorplan.h - A picture of a placed and routed block -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_PLACEANDROUTE_FLOORPLAN_H
#define CILK2CHAN_PLACEANDROUTE_FLOORPLAN_H

#include "cilk2chan/PlaceAndRoute/Mapping.h"

#include "llvm/ADT/StringRef.h"
#include <utility>

namespace llvm {
class raw_ostream;
}

namespace cilk2chan::pnr {

/// The width and height of a fabric's floorplans, in pixels.
std::pair<int, int> floorplanSize(const Resources &fabric);

/// Draws `mapping` as an SVG image that needs nothing else: units where they
/// stand, framed by kind and filled by replica, and the ways of edges in a
/// colour for each result.  What leaves the folded grid on one side comes back
/// on the other; the switches of the last column and row are drawn a second
/// time, dashed, before the first.  The same arguments give the same bytes.
void emitFloorplan(const Mapping &mapping, const Resources &fabric,
                   llvm::StringRef title, llvm::raw_ostream &os);

} // namespace cilk2chan::pnr

#endif // CILK2CHAN_PLACEANDROUTE_FLOORPLAN_H
