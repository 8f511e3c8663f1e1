//===- LegalityTest.cpp - The checker objects to whatever is wrong --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Netlists.h"

#include <functional>

using namespace cilk2chan::pnr;
using chansim::Place;

namespace {

class Legality : public testing::Test {
protected:
  void SetUp() override {
    netlist = randomNetlist(1, 60);
    settings =
        settingsOf(expectMapped(map(netlist, paperFabric()), paperFabric()),
                   paperFabric());
    fabric = paperFabric().geometry();
  }

  std::string violations() const {
    std::string text;
    for (const std::string &line : findViolations(netlist, settings, fabric))
      text += line + "\n";
    return text;
  }

  void expect(const std::string &text) const {
    EXPECT_NE(violations().find(text), std::string::npos)
        << "not found: " << text << "\nin:\n"
        << violations();
  }

  /// The first setting of a unit for which `matches`.
  UnitSetting &unit(const std::function<bool(const UnitSetting &)> &matches) {
    auto found =
        std::find_if(settings.units.begin(), settings.units.end(), matches);
    EXPECT_NE(found, settings.units.end());
    return *found;
  }
  UnitSetting &unitWithOutput() {
    return unit([](const UnitSetting &unit) { return !unit.out.empty(); });
  }
  UnitSetting &unitWithTwoInputs() {
    return unit(
        [](const UnitSetting &unit) { return unit.in[0] && unit.in[1]; });
  }
  SwitchSetting &switchWithTwoWays() {
    return *std::find_if(
        settings.switches.begin(), settings.switches.end(),
        [](const SwitchSetting &set) { return set.map.size() > 1; });
  }
  bool isUsed(Place at) const {
    return std::any_of(settings.units.begin(), settings.units.end(),
                       [&](const UnitSetting &unit) { return unit.at == at; });
  }
  static Port freePort(llvm::ArrayRef<Port> taken) {
    unsigned port = 0;
    while (llvm::is_contained(taken, static_cast<Port>(port)))
      ++port;
    return static_cast<Port>(port);
  }

  Netlist netlist;
  Settings settings;
  chansim::Fabric fabric;
};

TEST_F(Legality, AcceptsWhatIsRight) { EXPECT_EQ(violations(), ""); }

TEST_F(Legality, UnitOfTheWrongKind) {
  UnitSetting &moved = settings.units.front();
  for (uint32_t index = 0; index != fabric.size(); ++index)
    if (!isUsed(fabric.place(index)) &&
        fabric.units[index] != netlist.nodes[moved.node].kind) {
      moved.at = fabric.place(index);
      break;
    }
  expect("is of kind ");
}

TEST_F(Legality, TwoNodesOnAUnit) {
  settings.units[1].at = settings.units[0].at;
  expect("is set twice");
}

TEST_F(Legality, NodeOnNoUnit) {
  settings.units.pop_back();
  expect("is on no unit");
}

TEST_F(Legality, NodeOnTwoUnits) {
  settings.units[1].node = settings.units[0].node;
  expect("is on two units");
  expect("is on no unit");
}

TEST_F(Legality, NodeThatDoesNotExist) {
  settings.units[0].node = 60;
  expect("runs a node that does not exist");
}

TEST_F(Legality, PlacesOutsideTheGrid) {
  settings.units[0].at = {12, 0};
  settings.switches[0].at = {0, 9};
  expect("unit (12,0) is outside the grid");
  expect("switch (0,9) is outside the grid");
}

TEST_F(Legality, DanglingOutput) {
  UnitSetting &source = unitWithOutput();
  source.out[0] = freePort(source.out);
  EXPECT_NE(violations(), "");
}

TEST_F(Legality, OutputNamedTwice) {
  UnitSetting &source = unitWithOutput();
  source.out.push_back(source.out[0]);
  expect("names output");
}

TEST_F(Legality, MissingOutput) {
  unitWithOutput().out.pop_back();
  expect("nothing comes");
  expect("no edge from node");
}

TEST_F(Legality, MoreOutputsThanTheFanOut) {
  fabric.maxFanout = 1;
  expect("outputs of at most 1");
}

TEST_F(Legality, InputFromNowhere) {
  UnitSetting &target =
      unit([](const UnitSetting &unit) { return !unit.in[2] && unit.in[0]; });
  Port taken[] = {*target.in[0], target.in[1].value_or(*target.in[0])};
  for (unsigned port = 0; port != chansim::kPorts; ++port)
    if (!llvm::is_contained(taken, static_cast<Port>(port)))
      target.in[2] = static_cast<Port>(port);
  EXPECT_NE(violations(), "");
}

TEST_F(Legality, TwoInputsFromOnePort) {
  UnitSetting &target = unitWithTwoInputs();
  target.in[1] = target.in[0];
  expect("takes two inputs from");
}

TEST_F(Legality, SwappedOperands) {
  UnitSetting &target = unitWithTwoInputs();
  std::swap(target.in[0], target.in[1]);
  expect("an edge that is not in the netlist, from node");
  expect("no edge from node");
}

TEST_F(Legality, SwappedNodes) {
  UnitSetting &first = unitWithOutput();
  for (UnitSetting &other : settings.units)
    if (other.node != first.node &&
        netlist.nodes[other.node].kind == netlist.nodes[first.node].kind) {
      std::swap(first.node, other.node);
      break;
    }
  expect("an edge that is not in the netlist, from node");
}

TEST_F(Legality, MissingWayThroughASwitch) {
  settings.switches[0].map.pop_back();
  expect("goes nowhere");
}

TEST_F(Legality, WayThatNothingTakes) {
  SwitchSetting &set = settings.switches[0];
  llvm::SmallVector<Port> in, out;
  for (auto [from, to] : set.map) {
    in.push_back(from);
    out.push_back(to);
  }
  set.map.push_back({freePort(in), freePort(out)});
  expect("nothing comes in from");
}

TEST_F(Legality, SwitchThatCopies) {
  SwitchSetting &set = switchWithTwoWays();
  set.map[1].first = set.map[0].first;
  expect("copies input");
}

TEST_F(Legality, OutputOfASwitchFedTwice) {
  SwitchSetting &set = switchWithTwoWays();
  set.map[1].second = set.map[0].second;
  expect("twice");
}

TEST_F(Legality, SwitchSetTwice) {
  settings.switches.push_back(settings.switches[0]);
  expect("is set twice");
}

TEST_F(Legality, RingOfSwitches) {
  // Four switches in a square whose tokens go round and round.
  llvm::SmallVector<std::tuple<Place, Port, Port>> ring = {
      {{0, 0}, Port::S, Port::E},
      {{2, 0}, Port::W, Port::S},
      {{2, 2}, Port::N, Port::W},
      {{0, 2}, Port::E, Port::N}};
  netlist = {};
  settings = {};
  for (auto [at, from, to] : ring)
    settings.switches.push_back({at, {{from, to}}});
  expect("switch (0,0): nothing comes in from S");
}

TEST_F(Legality, WayOutOfAGridThatIsNotFolded) {
  netlist = randomNetlist(1, 108);
  settings = settingsOf(
      expectMapped(map(netlist, paperFabric()), paperFabric()), paperFabric());
  fabric.folded = false;
  expect("leads out of the grid");
}

/// Whatever port is replaced by another, an edge is lost.
TEST_F(Legality, EveryChangedPort) {
  const Settings right = settings;
  unsigned changes = 0;
  auto change = [&](Port &port) {
    Port before = port;
    for (unsigned other = 0; other != chansim::kPorts; ++other)
      if (static_cast<Port>(other) != before) {
        port = static_cast<Port>(other);
        ++changes;
        EXPECT_NE(violations(), "");
      }
    port = before;
  };
  for (UnitSetting &unit : settings.units) {
    for (Port &port : unit.out)
      change(port);
    for (std::optional<Port> &port : unit.in)
      if (port)
        change(*port);
  }
  for (SwitchSetting &set : settings.switches)
    for (auto &[from, to] : set.map) {
      change(from);
      change(to);
    }
  EXPECT_GT(changes, 1000u);
  EXPECT_EQ(violations(), "");
}

} // namespace
