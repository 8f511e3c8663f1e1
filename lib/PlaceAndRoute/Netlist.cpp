//===- Netlist.cpp - A block as nodes and edges ---------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/PlaceAndRoute/Netlist.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

using namespace cilk2chan::pnr;

KindCounts Netlist::demand() const {
  KindCounts counts{};
  for (const Node &node : nodes)
    ++counts[static_cast<size_t>(node.kind)];
  return counts;
}

std::vector<unsigned> Netlist::key() const {
  std::vector<unsigned> key = {static_cast<unsigned>(nodes.size())};
  for (const Node &node : nodes)
    key.insert(key.end(), {static_cast<unsigned>(node.kind), node.latency});
  for (const Edge &edge : edges)
    key.insert(key.end(),
               {edge.source, edge.target, edge.operand, edge.isBack});
  return key;
}

Netlist Netlist::replicated(unsigned times) const {
  Netlist result;
  result.nodes.reserve(nodes.size() * times);
  result.edges.reserve(edges.size() * times);
  for (unsigned copy = 0; copy != times; ++copy) {
    unsigned base = copy * nodes.size();
    for (const Node &node : nodes) {
      result.nodes.push_back(node);
      result.nodes.back().replica = copy;
    }
    for (const Edge &edge : edges)
      result.edges.push_back(
          {base + edge.source, base + edge.target, edge.operand, edge.isBack});
  }
  return result;
}

/// The edges that are not back, by topological order of their sources; not all
/// of them if there is a cycle.
static std::vector<unsigned> topologicalEdges(const Netlist &netlist) {
  std::vector<std::vector<unsigned>> outgoing(netlist.nodes.size());
  std::vector<unsigned> waiting(netlist.nodes.size(), 0);
  for (auto [index, edge] : llvm::enumerate(netlist.edges)) {
    if (edge.isBack)
      continue;
    outgoing[edge.source].push_back(index);
    ++waiting[edge.target];
  }
  std::vector<unsigned> ready, order;
  for (unsigned node = 0; node != netlist.nodes.size(); ++node)
    if (waiting[node] == 0)
      ready.push_back(node);
  while (!ready.empty()) {
    unsigned node = ready.back();
    ready.pop_back();
    for (unsigned edge : outgoing[node]) {
      order.push_back(edge);
      if (--waiting[netlist.edges[edge].target] == 0)
        ready.push_back(netlist.edges[edge].target);
    }
  }
  return order;
}

static size_t countForward(const Netlist &netlist) {
  return llvm::count_if(netlist.edges,
                        [](const Edge &edge) { return !edge.isBack; });
}

std::string cilk2chan::pnr::findFault(const Netlist &netlist,
                                      unsigned maxFanout) {
  std::vector<unsigned> fanout(netlist.nodes.size(), 0);
  std::vector<std::array<bool, maxOperands>> fed(netlist.nodes.size());
  for (const Edge &edge : netlist.edges) {
    if (edge.source >= netlist.nodes.size() ||
        edge.target >= netlist.nodes.size())
      return "an edge of a node that does not exist";
    auto name = [&](unsigned node) {
      return "node " + std::to_string(netlist.nodes[node].id);
    };
    if (edge.operand >= maxOperands)
      return name(edge.target) + " has an input " +
             std::to_string(edge.operand) + "; the last is " +
             std::to_string(maxOperands - 1);
    if (std::exchange(fed[edge.target][edge.operand], true))
      return name(edge.target) + ": two edges feed input " +
             std::to_string(edge.operand);
    if (++fanout[edge.source] > maxFanout)
      return name(edge.source) + " has more than " + std::to_string(maxFanout) +
             " edges out of it; split it";
  }
  if (topologicalEdges(netlist).size() != countForward(netlist))
    return "a cycle, whose nodes would wait for each other";
  return "";
}

Timing::Timing(const Netlist &netlist)
    : netlist(netlist), order(topologicalEdges(netlist)),
      delays(netlist.edges.size()), arrival(netlist.nodes.size()),
      departure(netlist.nodes.size()) {
  assert(order.size() == countForward(netlist) && "a cycle");
}

unsigned Timing::update(llvm::ArrayRef<unsigned> edgeDelays) {
  delays.assign(edgeDelays.begin(), edgeDelays.end());
  std::fill(arrival.begin(), arrival.end(), 0);
  for (auto [node, latest] : llvm::zip_equal(netlist.nodes, departure))
    latest = node.latency;
  for (unsigned index : order) {
    const Edge &edge = netlist.edges[index];
    unsigned &latest = arrival[edge.target];
    latest = std::max(latest, arrival[edge.source] +
                                  netlist.nodes[edge.source].latency +
                                  delays[index]);
  }
  for (unsigned index : llvm::reverse(order)) {
    const Edge &edge = netlist.edges[index];
    unsigned &longest = departure[edge.source];
    longest = std::max(longest, netlist.nodes[edge.source].latency +
                                    delays[index] + departure[edge.target]);
  }
  unsigned longest = 0;
  for (auto [before, after] : llvm::zip_equal(arrival, departure))
    longest = std::max(longest, before + after);
  // An edge back is no part of a way, but must not be taken for a short one.
  for (auto [index, edge] : llvm::enumerate(netlist.edges))
    if (edge.isBack)
      longest = std::max(longest, through(index));
  return longest;
}

unsigned Timing::through(unsigned edge) const {
  const Edge &way = netlist.edges[edge];
  return arrival[way.source] + netlist.nodes[way.source].latency +
         delays[edge] + departure[way.target];
}
