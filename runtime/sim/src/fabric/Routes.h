//===- Routes.h - From settings of switches to edges ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_ROUTES_H
#define CHANSIM_ROUTES_H

#include "fabric/Configuration.h"
#include "machine/Json.h"

#include <array>

namespace chansim {

/// Follows tokens from unit to unit.  Throws Refusal where they cannot go.
class Routes {
public:
  /// `field` is the block's, and outlives this.
  Routes(const Fabric &fabric, Block &block, const Field &field);

  /// Fills block.edges and the units' replicas, and checks that each thread
  /// gets from its initiator to its terminator.
  void trace();

private:
  /// Ports of a switch: where what comes in at each goes.
  struct Ways {
    std::array<std::optional<Port>, kPorts> to;
    std::array<bool, kPorts> isPassed{};
    /// Where in the switch's map.
    std::array<uint32_t, kPorts> entry;
  };

  void readSwitches();
  void indexUnits();
  void follow(uint32_t source, uint32_t output);
  void arrive(uint32_t source, uint32_t output, Site here, Port port,
              uint32_t hops, uint32_t pitches);
  void checkDriven();
  void checkGraph();
  void nameReplicas();
  void compareReplicas();
  [[noreturn]] void refuseUnit(uint32_t unit, const std::string &reason) const;
  [[noreturn]] void refusePort(uint32_t unit, const char *list, uint32_t index,
                               const std::string &reason) const;
  std::string describe(uint32_t unit) const;

  const Fabric &fabric;
  Block &block;
  const Field &field;
  /// By place; kNone where nothing is set.
  std::vector<uint32_t> unitAt, switchAt;
  std::vector<Ways> switches;
  /// A bit for each input of each unit.
  std::vector<uint8_t> drivenInputs;
};

/// "(3,4)"
std::string placeText(Place at);
/// [x, y] within the grid.
Place parsePlace(const Field &field, const Fabric &fabric);
Port parsePort(const Field &field);

} // namespace chansim

#endif // CHANSIM_ROUTES_H
