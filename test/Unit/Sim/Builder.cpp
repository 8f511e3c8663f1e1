//===- Builder.cpp - Configurations placed and routed by the way ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"

#include <algorithm>
#include <stdexcept>

namespace chansim {

OrderedJson BlockBuilder::build(uint32_t id, OrderedJson successors) {
  std::mt19937 random(1);
  for (int tries = 0; tries != 300; ++tries) {
    Attempt attempt;
    attempt.ways.resize(fabric.size());
    attempt.linkUsed.resize(size_t(2) * fabric.size() * kPorts);
    attempt.unitUsed.resize(fabric.size());
    if (!tryBuild(attempt, random))
      continue;
    OrderedJson switches = OrderedJson::array();
    for (uint32_t i = 0; i != fabric.size(); ++i) {
      OrderedJson map = OrderedJson::array();
      for (unsigned port = 0; port != kPorts; ++port)
        if (std::optional<Port> to = attempt.ways[i][port])
          map.push_back({portName(static_cast<Port>(port)), portName(*to)});
      if (!map.empty())
        switches.push_back(
            {{"at", {fabric.place(i).x, fabric.place(i).y}}, {"map", map}});
    }
    return {{"id", id},
            {"replicas", replicas},
            {"successors", std::move(successors)},
            {"units", std::move(attempt.units)},
            {"switches", std::move(switches)}};
  }
  throw std::runtime_error("block " + std::to_string(id) + " does not route");
}

bool BlockBuilder::tryBuild(Attempt &attempt, std::mt19937 &random) {
  for (Node &node : nodes)
    if (!place(node, attempt, random))
      return false;
  for (const Node &node : nodes) {
    OrderedJson unit = {{"at", {node.at.x, node.at.y}}, {"op", node.op}};
    unit["in"] = OrderedJson::array();
    for (const In &input : node.inputs)
      unit["in"].push_back(input.configured);
    unit["out"] = OrderedJson::array();
    unit.update(node.extra.is_object() ? node.extra : OrderedJson::object());
    attempt.units.push_back(std::move(unit));
  }
  for (uint32_t target = 0; target != nodes.size(); ++target)
    for (uint32_t input = 0; input != nodes[target].inputs.size(); ++input)
      if (std::optional<uint32_t> source = nodes[target].inputs[input].node)
        if (!route(attempt, *source, target, input))
          return false;
  return true;
}

/// Links from a unit to every vertex.
std::vector<uint32_t> BlockBuilder::distancesFrom(Place at) const {
  std::vector<uint32_t> distance(size_t(2) * fabric.size(), ~uint32_t(0));
  std::vector<uint32_t> queue = {vertex({at, false})};
  distance[queue[0]] = 0;
  for (size_t next = 0; next != queue.size(); ++next) {
    if (next && queue[next] < fabric.size())
      continue; // Ways do not lead through units.
    for (unsigned port = 0; port != kPorts; ++port)
      if (auto to = fabric.across(site(queue[next]), static_cast<Port>(port)))
        if (uint32_t there = vertex(*to); distance[there] == ~uint32_t(0)) {
          distance[there] = distance[queue[next]] + 1;
          queue.push_back(there);
        }
  }
  return distance;
}

bool BlockBuilder::place(Node &node, Attempt &attempt,
                         std::mt19937 &random) const {
  if (node.wanted) {
    node.at = *node.wanted;
    bool isFree = !attempt.unitUsed[fabric.index(node.at)];
    attempt.unitUsed[fabric.index(node.at)] = true;
    return isFree;
  }
  UnitKind kind = findOperation(node.op)->unit;
  std::vector<uint32_t> cost(fabric.size(), 0);
  for (const In &input : node.inputs)
    if (input.node) {
      std::vector<uint32_t> distance = distancesFrom(nodes[*input.node].at);
      for (uint32_t unit = 0; unit != fabric.size(); ++unit)
        cost[unit] += 2 * distance[unit];
    }
  uint32_t best = fabric.size(), least = ~uint32_t(0);
  for (uint32_t unit = 0; unit != fabric.size(); ++unit)
    if (fabric.units[unit] == kind && !attempt.unitUsed[unit])
      if (uint32_t noisy = cost[unit] * 4 + random() % 8; noisy < least) {
        best = unit;
        least = noisy;
      }
  if (best == fabric.size())
    throw std::runtime_error("no unit is left for " + node.op);
  attempt.unitUsed[best] = true;
  node.at = fabric.place(best);
  return true;
}

/// A shortest way by links that no token has yet.
bool BlockBuilder::route(Attempt &attempt, uint32_t source, uint32_t target,
                         uint32_t input) const {
  struct Step {
    uint32_t from;
    Port port;
  };
  std::vector<std::optional<Step>> reached(size_t(2) * fabric.size());
  uint32_t first = vertex({nodes[source].at, false});
  uint32_t last = vertex({nodes[target].at, false});
  std::vector<uint32_t> queue = {first};
  for (size_t next = 0; next != queue.size() && !reached[last]; ++next) {
    uint32_t from = queue[next];
    if (next && from < fabric.size())
      continue;
    for (unsigned index = 0; index != kPorts; ++index) {
      Port port = static_cast<Port>(index);
      auto to = fabric.across(site(from), port);
      if (!to || attempt.linkUsed[from * kPorts + index] ||
          reached[vertex(*to)] || vertex(*to) == first)
        continue;
      reached[vertex(*to)] = Step{from, port};
      queue.push_back(vertex(*to));
    }
  }
  if (!reached[last])
    return false;
  std::optional<Port> leavesBy;
  for (uint32_t at = last; at != first;) {
    Step step = *reached[at];
    attempt.linkUsed[step.from * kPorts + static_cast<size_t>(step.port)] =
        true;
    Port entersBy = reverse(step.port);
    if (at == last)
      attempt.units[target]["in"][input] = portName(entersBy);
    else
      attempt.ways[at - fabric.size()][static_cast<size_t>(entersBy)] =
          leavesBy;
    leavesBy = step.port;
    at = step.from;
  }
  attempt.units[source]["out"].push_back(portName(*leavesBy));
  return true;
}

std::string configurationText(const Machine &machine,
                              std::vector<OrderedJson> blocks,
                              uint32_t parameters, uint32_t liveValues,
                              std::vector<std::string> symbols) {
  OrderedJson bindings = OrderedJson::array();
  for (uint32_t i = 0; i != parameters; ++i)
    bindings.push_back({{"kind", "argument"}, {"argument", i}});
  OrderedJson kernel = {{"name", "kernel"},           {"source", "source"},
                        {"consumes", nullptr},        {"parameters", bindings},
                        {"live_values", liveValues},  {"private_bytes", 0},
                        {"blocks", std::move(blocks)}};
  OrderedJson root = {
      {"format", "cilk2chan-vgiw"},    {"version", 1},
      {"machine", machine.name},       {"fabric", machine.fabric.hash()},
      {"symbols", std::move(symbols)}, {"kernels", {std::move(kernel)}}};
  return root.dump(1);
}

} // namespace chansim
