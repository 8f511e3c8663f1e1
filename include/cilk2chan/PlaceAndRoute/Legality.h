//===- Legality.h - Whether settings are a netlist --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_PLACEANDROUTE_LEGALITY_H
#define CILK2CHAN_PLACEANDROUTE_LEGALITY_H

#include "cilk2chan/PlaceAndRoute/Settings.h"

namespace cilk2chan::pnr {

/// Follows the settings from each output port to an input port, as tokens will
/// go, and compares what that connects with `netlist`.  Returns all that is
/// wrong, in words; nothing if the fabric, so set, is the netlist.  It shares
/// neither code nor data with placement and routing.
std::vector<std::string> findViolations(const Netlist &netlist,
                                        const Settings &settings,
                                        const chansim::Fabric &fabric);

} // namespace cilk2chan::pnr

#endif // CILK2CHAN_PLACEANDROUTE_LEGALITY_H
