//===- Legality.cpp - Whether settings are a netlist ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/PlaceAndRoute/Legality.h"

#include <map>
#include <set>
#include <tuple>

using namespace cilk2chan::pnr;
using chansim::Fabric, chansim::Place, chansim::Site;

namespace {

std::string name(const char *what, Place at) {
  return std::string(what) + " (" + std::to_string(at.x) + "," +
         std::to_string(at.y) + ")";
}

std::string name(Port port) { return std::string(chansim::portName(port)); }

class Checker {
public:
  Checker(const Netlist &netlist, const Settings &settings,
          const Fabric &fabric)
      : netlist(netlist), settings(settings), fabric(fabric) {}

  std::vector<std::string> run() {
    for (const UnitSetting &unit : settings.units)
      checkUnit(unit);
    for (const SwitchSetting &set : settings.switches)
      checkSwitch(set);
    for (unsigned node = 0; node != netlist.nodes.size(); ++node)
      if (!placed.count(node))
        object(name(node) + " is on no unit");
    for (const auto &[index, unit] : units)
      for (Port port : unit->out)
        follow(*unit, port);
    checkAllDriven();
    compareEdges();
    return std::move(violations);
  }

private:
  using Ways = std::map<Port, Port>;
  using Connection = std::tuple<unsigned, unsigned, unsigned>;

  void object(std::string text) { violations.push_back(std::move(text)); }
  std::string name(unsigned node) const {
    const Node &known = netlist.nodes[node];
    return "node " + std::to_string(known.id) + " of replica " +
           std::to_string(known.replica);
  }
  static std::string name(const char *what, Place at) {
    return ::name(what, at);
  }
  static std::string name(Port port) { return ::name(port); }

  void checkUnit(const UnitSetting &unit) {
    std::string where = name("unit", unit.at);
    if (!fabric.contains(unit.at))
      return object(where + " is outside the grid");
    if (!units.emplace(fabric.index(unit.at), &unit).second)
      return object(where + " is set twice");
    if (unit.node >= netlist.nodes.size())
      return object(where + " runs a node that does not exist");
    if (!placed.insert(unit.node).second)
      object(name(unit.node) + " is on two units");
    UnitKind kind = fabric.kind(unit.at),
             needed = netlist.nodes[unit.node].kind;
    if (kind != needed)
      object(where + " is of kind " + chansim::unitLetter(kind) + ", " +
             name(unit.node) + " needs " + chansim::unitLetter(needed));
    std::set<Port> in, out;
    for (std::optional<Port> port : unit.in)
      if (port && !in.insert(*port).second)
        object(where + " takes two inputs from " + name(*port));
    for (Port port : unit.out)
      if (!out.insert(port).second)
        object(where + " names output " + name(port) + " twice");
    if (unit.out.size() > fabric.maxFanout)
      object(where + " has " + std::to_string(unit.out.size()) +
             " outputs of at most " + std::to_string(fabric.maxFanout));
  }

  void checkSwitch(const SwitchSetting &set) {
    std::string where = name("switch", set.at);
    if (!fabric.contains(set.at))
      return object(where + " is outside the grid");
    auto [place, fresh] = switches.try_emplace(fabric.index(set.at));
    if (!fresh)
      return object(where + " is set twice");
    std::set<Port> fed;
    for (auto [from, to] : set.map) {
      if (!place->second.emplace(from, to).second)
        object(where + " copies input " + name(from));
      if (!fed.insert(to).second)
        object(where + " feeds output " + name(to) + " twice");
    }
  }

  /// The way of a token that leaves `unit` by `port`.
  void follow(const UnitSetting &unit, Port port) {
    Site here = {unit.at, false};
    while (true) {
      std::optional<Site> next = fabric.across(here, port);
      if (!next)
        return object(name(here.isSwitch ? "switch" : "unit", here.at) +
                      ": output " + name(port) + " leads out of the grid");
      port = chansim::reverse(port);
      here = *next;
      if (!here.isSwitch)
        return arrive(unit, here.at, port);
      uint32_t index = fabric.index(here.at);
      auto set = switches.find(index);
      auto way =
          set == switches.end() ? Ways::iterator() : set->second.find(port);
      if (set == switches.end() || way == set->second.end())
        return object(name("switch", here.at) + ": what comes in from " +
                      name(port) + " goes nowhere");
      if (!passed.emplace(index, port).second)
        return object(name("switch", here.at) + ": two edges come in from " +
                      name(port));
      port = way->second;
    }
  }

  void arrive(const UnitSetting &unit, Place at, Port port) {
    auto target = units.find(fabric.index(at));
    if (target != units.end())
      for (unsigned operand = 0; operand != maxOperands; ++operand)
        if (target->second->in[operand] == port) {
          if (!arrived.emplace(fabric.index(at), operand).second)
            object(name("unit", at) + ": two edges come in from " + name(port));
          found.emplace(unit.node, target->second->node, operand);
          return;
        }
    object(name("unit", at) + " does not take what comes in from " +
           name(port));
  }

  void checkAllDriven() {
    for (const auto &[index, unit] : units)
      for (unsigned operand = 0; operand != maxOperands; ++operand)
        if (unit->in[operand] && !arrived.count({index, operand}))
          object(name("unit", unit->at) + ": nothing comes to input " +
                 std::to_string(operand) + " from " + name(*unit->in[operand]));
    for (const auto &[index, ways] : switches)
      for (auto [from, to] : ways)
        if (!passed.count({index, from}))
          object(name("switch", fabric.place(index)) +
                 ": nothing comes in from " + name(from));
  }

  void compareEdges() {
    std::multiset<Connection> wanted;
    for (const Edge &edge : netlist.edges)
      wanted.emplace(edge.source, edge.target, edge.operand);
    auto known = [&](const Connection &edge) {
      return std::get<0>(edge) < netlist.nodes.size() &&
             std::get<1>(edge) < netlist.nodes.size();
    };
    auto text = [&](const Connection &edge) {
      auto [source, target, operand] = edge;
      return "from " + name(source) + " to input " + std::to_string(operand) +
             " of " + name(target);
    };
    for (const Connection &edge : found)
      if (known(edge) && found.count(edge) > wanted.count(edge))
        object("an edge that is not in the netlist, " + text(edge));
    for (const Connection &edge : wanted)
      if (known(edge) && wanted.count(edge) > found.count(edge))
        object("no edge " + text(edge));
  }

  const Netlist &netlist;
  const Settings &settings;
  const Fabric &fabric;
  std::vector<std::string> violations;
  std::map<uint32_t, const UnitSetting *> units;   // by index
  std::map<uint32_t, Ways> switches;               // by index
  std::set<unsigned> placed;                       // nodes
  std::set<std::pair<uint32_t, Port>> passed;      // inputs of switches
  std::set<std::pair<uint32_t, unsigned>> arrived; // operands of units
  std::multiset<Connection> found;
};

} // namespace

std::vector<std::string>
cilk2chan::pnr::findViolations(const Netlist &netlist, const Settings &settings,
                               const Fabric &fabric) {
  return Checker(netlist, settings, fabric).run();
}
