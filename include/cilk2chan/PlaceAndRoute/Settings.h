//===- Settings.h - What units and switches are set to ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_PLACEANDROUTE_SETTINGS_H
#define CILK2CHAN_PLACEANDROUTE_SETTINGS_H

#include "cilk2chan/PlaceAndRoute/Netlist.h"

#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace cilk2chan::pnr {

struct UnitSetting {
  chansim::Place at;
  /// The node it runs, an index into Netlist::nodes.
  unsigned node;
  /// The port of each token input.
  std::array<std::optional<Port>, maxOperands> in;
  /// The ports by which the result leaves, one an edge.
  llvm::SmallVector<Port, 4> out;
};

struct SwitchSetting {
  chansim::Place at;
  /// From which port to which.
  llvm::SmallVector<std::pair<Port, Port>, 8> map;
};

/// What a configuration says of a block's units and switches: those in use, row
/// by row, ports in their order.
struct Settings {
  std::vector<UnitSetting> units;
  std::vector<SwitchSetting> switches;
};

} // namespace cilk2chan::pnr

#endif // CILK2CHAN_PLACEANDROUTE_SETTINGS_H
