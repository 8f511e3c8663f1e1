//===- Routes.cpp - From settings of switches to edges --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fabric/Routes.h"

#include <algorithm>
#include <numeric>

namespace chansim {
namespace {

constexpr uint32_t kNone = ~uint32_t(0);

std::string quoted(Port port) {
  return "'" + std::string(portName(port)) + "'";
}

/// "[3]", of an element of a list beside this one.
std::string numbered(const char *list, uint32_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

} // namespace

std::string placeText(Place at) {
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + ")";
}

Place parsePlace(const Field &field, const Fabric &fabric) {
  if (field.size() != 2)
    field.refuse("must be [x, y]");
  Place at = {static_cast<uint16_t>(field.at(0).number(0, fabric.columns - 1)),
              static_cast<uint16_t>(field.at(1).number(0, fabric.rows - 1))};
  return at;
}

Port parsePort(const Field &field) {
  std::optional<Port> port = chansim::parsePort(field.string());
  if (!port)
    field.refuse("is '" + std::string(field.string()) +
                 "', which is no port; ports are N, NE, E, SE, S, SW, W, NW");
  return *port;
}

Routes::Routes(const Fabric &fabric, Block &block, const Field &field)
    : fabric(fabric), block(block), field(field), unitAt(fabric.size(), kNone),
      switchAt(fabric.size(), kNone), drivenInputs(block.units.size()) {}

void Routes::trace() {
  indexUnits();
  readSwitches();
  for (uint32_t unit = 0; unit != block.units.size(); ++unit)
    for (uint32_t output = 0; output != block.units[unit].outputs.size();
         ++output)
      follow(unit, output);
  checkDriven();
  checkGraph();
  nameReplicas();
  compareReplicas();
}

void Routes::refuseUnit(uint32_t unit, const std::string &reason) const {
  Field units = field["units"];
  units.at(unit).refuse(describe(unit) + " " + reason);
}

void Routes::refusePort(uint32_t unit, const char *list, uint32_t index,
                        const std::string &reason) const {
  Field units = field["units"];
  Field element = units.at(unit);
  Field ports = element[list];
  ports.at(index).refuse(reason);
}

std::string Routes::describe(uint32_t unit) const {
  return block.units[unit].operation->name + " at " +
         placeText(block.units[unit].at);
}

void Routes::indexUnits() {
  for (uint32_t unit = 0; unit != block.units.size(); ++unit) {
    uint32_t &there = unitAt[fabric.index(block.units[unit].at)];
    if (there != kNone) {
      Field units = field["units"];
      Field element = units.at(unit);
      element["at"].refuse("is " + placeText(block.units[unit].at) +
                           ", where " + numbered("units", there) + " is");
    }
    there = unit;
  }
}

void Routes::readSwitches() {
  Field list = field["switches"];
  switches.resize(list.size());
  for (uint32_t i = 0; i != switches.size(); ++i) {
    Field setting = list.at(i);
    setting.object({"at", "map"});
    Field where = setting["at"];
    uint32_t &there = switchAt[fabric.index(parsePlace(where, fabric))];
    if (there != kNone)
      where.refuse("is where " + numbered("switches", there) + " is");
    there = i;

    Field map = setting["map"];
    std::array<uint32_t, kPorts> feeder; // by output
    feeder.fill(kNone);
    switches[i].entry.fill(kNone);
    for (uint32_t entry = 0; entry != map.size(); ++entry) {
      Field pair = map.at(entry);
      if (pair.size() != 2)
        pair.refuse("must be [from, to]");
      Port from = parsePort(pair.at(0)), to = parsePort(pair.at(1));
      uint32_t &given = switches[i].entry[static_cast<size_t>(from)];
      if (given != kNone)
        pair.at(0).refuse("is " + quoted(from) + ", which " +
                          numbered("map", given) +
                          " sends on already; switches do not copy");
      uint32_t &fed = feeder[static_cast<size_t>(to)];
      if (fed != kNone)
        pair.at(1).refuse("is " + quoted(to) + ", a link that " +
                          numbered("map", fed) +
                          " drives already; a link carries one net");
      given = fed = entry;
      switches[i].to[static_cast<size_t>(from)] = to;
    }
  }
}

/// The way of a token that leaves a unit by one of its outputs.
void Routes::follow(uint32_t source, uint32_t output) {
  Port port = block.units[source].outputs[output];
  Site here{block.units[source].at, false};
  uint32_t pitches = 0;
  for (uint32_t hops = 1;; ++hops) {
    pitches += fabric.pitches(here, port);
    std::optional<Site> next = fabric.across(here, port);
    if (!next) {
      if (!here.isSwitch)
        refusePort(source, "out", output,
                   "is " + quoted(port) +
                       ", a link that leads out of the grid");
      refusePort(source, "out", output,
                 "leads to switch " + placeText(here.at) +
                     ", which sends it out of the grid by " + quoted(port));
    }
    here = *next;
    port = reverse(port);
    if (!here.isSwitch)
      return arrive(source, output, here, port, hops, pitches);
    uint32_t setting = switchAt[fabric.index(here.at)];
    if (setting == kNone || !switches[setting].to[static_cast<size_t>(port)])
      refusePort(source, "out", output,
                 "leads to switch " + placeText(here.at) +
                     ", which sends nothing on from " + quoted(port));
    // No link has two drivers, so that no other token comes this way, and a way
    // from a unit is no ring.
    switches[setting].isPassed[static_cast<size_t>(port)] = true;
    port = *switches[setting].to[static_cast<size_t>(port)];
  }
}

void Routes::arrive(uint32_t source, uint32_t output, Site here, Port port,
                    uint32_t hops, uint32_t pitches) {
  uint32_t target = unitAt[fabric.index(here.at)];
  if (target == kNone)
    refusePort(source, "out", output,
               "leads to unit " + placeText(here.at) + ", which does nothing");
  const std::vector<Input> &inputs = block.units[target].inputs;
  for (uint32_t input = 0; input != inputs.size(); ++input)
    if (inputs[input].kind == Input::Kind::token &&
        inputs[input].port == port) {
      drivenInputs[target] |= static_cast<uint8_t>(1u << input);
      block.edges.push_back({source, target, input, hops, pitches});
      return;
    }
  refusePort(source, "out", output,
             "leads to " + describe(target) + ", which takes nothing from " +
                 quoted(port));
}

void Routes::checkDriven() {
  for (uint32_t unit = 0; unit != block.units.size(); ++unit) {
    const std::vector<Input> &inputs = block.units[unit].inputs;
    for (uint32_t input = 0; input != inputs.size(); ++input)
      if (inputs[input].kind == Input::Kind::token &&
          !(drivenInputs[unit] >> input & 1))
        refusePort(unit, "in", input,
                   "is " + quoted(inputs[input].port) +
                       ", a link that nothing drives");
  }
  Field list = field["switches"];
  for (uint32_t i = 0; i != switches.size(); ++i)
    for (unsigned port = 0; port != kPorts; ++port)
      if (switches[i].to[port] && !switches[i].isPassed[port]) {
        Field setting = list.at(i);
        Field map = setting["map"];
        Field pair = map.at(switches[i].entry[port]);
        pair.at(0).refuse("is " + quoted(static_cast<Port>(port)) +
                          ", a link that nothing drives");
      }
}

/// Each token must come from an initiator and lead to a terminator.
void Routes::checkGraph() {
  std::vector<uint32_t> waitsFor(block.units.size());
  std::vector<std::vector<uint32_t>> targets(block.units.size());
  for (const Edge &edge : block.edges) {
    ++waitsFor[edge.target];
    targets[edge.source].push_back(edge.target);
  }
  // The first token of a merge is enough, so that others may come round.
  for (uint32_t unit = 0; unit != block.units.size(); ++unit)
    if (block.units[unit].operation->action == Action::merge)
      waitsFor[unit] = std::min(waitsFor[unit], 1u);
  std::vector<uint32_t> fired;
  for (uint32_t unit = 0; unit != block.units.size(); ++unit) {
    bool isLast = block.units[unit].operation->action == Action::terminate;
    if (isLast && !targets[unit].empty())
      refusePort(unit, "out", 0, "is of a terminator, which has no result");
    if (!isLast && targets[unit].empty())
      refuseUnit(unit, "leads nowhere; a thread could end before it does");
    if (!waitsFor[unit])
      fired.push_back(unit);
  }
  for (size_t next = 0; next != fired.size(); ++next)
    for (uint32_t target : targets[fired[next]])
      if (waitsFor[target] && !--waitsFor[target])
        fired.push_back(target);
  for (uint32_t unit = 0; unit != block.units.size(); ++unit)
    if (waitsFor[unit])
      refuseUnit(unit, "waits for itself; tokens go round in a ring");
}

/// What hangs together is a replica: its own initiator and terminator.
void Routes::nameReplicas() {
  std::vector<uint32_t> parent(block.units.size());
  std::iota(parent.begin(), parent.end(), 0);
  auto root = [&](uint32_t unit) {
    while (parent[unit] != unit)
      unit = parent[unit] = parent[parent[unit]];
    return unit;
  };
  for (const Edge &edge : block.edges)
    parent[root(edge.source)] = root(edge.target);

  std::vector<uint32_t> initiator(block.units.size(), kNone);
  std::vector<uint32_t> terminator(block.units.size(), kNone);
  uint32_t replicas = 0;
  for (uint32_t unit = 0; unit != block.units.size(); ++unit) {
    Action action = block.units[unit].operation->action;
    if (action != Action::initiate && action != Action::terminate)
      continue;
    bool isFirst = action == Action::initiate;
    uint32_t &one = (isFirst ? initiator : terminator)[root(unit)];
    if (one != kNone)
      refuseUnit(unit, "is of the same replica as " + numbered("units", one) +
                           "; a replica has one " +
                           (isFirst ? "initiator" : "terminator"));
    one = unit;
    if (isFirst)
      block.units[unit].replica = replicas++;
  }
  // There is one of each: checkGraph() has seen that all begins and ends there.
  for (uint32_t unit = 0; unit != block.units.size(); ++unit)
    block.units[unit].replica = block.units[initiator[root(unit)]].replica;
  if (replicas != block.replicas)
    field["replicas"].refuse("is " + std::to_string(block.replicas) +
                             ", and the units make " +
                             std::to_string(replicas));
}

/// Replicas are copies: what is n-th in one does what is n-th in another.
void Routes::compareReplicas() {
  std::vector<std::vector<uint32_t>> members(block.replicas);
  std::vector<uint32_t> rank(block.units.size());
  for (uint32_t unit = 0; unit != block.units.size(); ++unit) {
    std::vector<uint32_t> &own = members[block.units[unit].replica];
    rank[unit] = static_cast<uint32_t>(own.size());
    own.push_back(unit);
  }
  for (uint32_t replica = 1; replica != block.replicas; ++replica)
    if (members[replica].size() != members[0].size())
      field["units"].refuse("are " + std::to_string(members[replica].size()) +
                            " in replica " + std::to_string(replica) + " and " +
                            std::to_string(members[0].size()) +
                            " in replica 0, its copy");

  std::vector<std::array<uint32_t, kTokens + 3>> sources(block.units.size());
  for (const Edge &edge : block.edges)
    sources[edge.target][edge.input] = rank[edge.source];
  for (uint32_t unit = 0; unit != block.units.size(); ++unit) {
    uint32_t other = members[0][rank[unit]];
    const Unit &a = block.units[unit], &b = block.units[other];
    bool isAlike = a.operation == b.operation && a.number == b.number &&
                   a.address == b.address && a.inputs.size() == b.inputs.size();
    for (uint32_t i = 0; isAlike && i != a.inputs.size(); ++i) {
      const Input &in = a.inputs[i], &of = b.inputs[i];
      isAlike = in.kind == of.kind &&
                (in.kind == Input::Kind::token
                     ? sources[unit][i] == sources[other][i]
                     : in.index == of.index && in.value == of.value);
    }
    if (!isAlike)
      refuseUnit(unit, "differs from " + numbered("units", other) +
                           ", of which it is the copy in replica " +
                           std::to_string(a.replica));
  }
}

} // namespace chansim
