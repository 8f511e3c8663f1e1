//===- Routing.cpp - Which links carry which edge -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/PlaceAndRoute/Routing.h"
#include "Tuning.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace cilk2chan::pnr;
namespace tuning = cilk2chan::tuning;

unsigned Routing::linksUsed() const {
  unsigned used = 0;
  for (const Route &route : routes)
    used += route.size();
  return used;
}

namespace {

class Router {
public:
  Router(const Netlist &netlist, const Placement &placement,
         const Resources &fabric);

  Routing run(unsigned maxIterations);

private:
  bool isOverused(const Route &route) const;
  void ripUp(Route &route);
  void findRoute(const Edge &edge, Route &route);
  void remember();
  unsigned cost(unsigned link) const;

  struct Reached {
    unsigned cost = 0;
    unsigned link = 0;  // by which it was reached
    unsigned epoch = 0; // of the search that reached it
  };
  struct Candidate {
    unsigned estimate, cost, vertex;
    /// Whether `other` is to be looked at first: less to go, then nearer.
    bool operator<(const Candidate &other) const {
      if (estimate != other.estimate)
        return estimate > other.estimate;
      if (cost != other.cost)
        return cost < other.cost;
      return vertex > other.vertex;
    }
  };

  const Netlist &netlist;
  const Placement &placement;
  const Resources &fabric;
  Routing result;
  std::vector<unsigned> order; // edges, longest first
  std::vector<unsigned> occupancy, history;
  unsigned pressure = tuning::freeLink / 2;
  std::vector<Reached> reached;
  std::vector<Candidate> frontier;
  unsigned epoch = 0;
};

} // namespace

Router::Router(const Netlist &netlist, const Placement &placement,
               const Resources &fabric)
    : netlist(netlist), placement(placement), fabric(fabric),
      order(netlist.edges.size()), occupancy(fabric.links().size(), 0),
      history(fabric.links().size(), 0), reached(fabric.numVertices()) {
  result.routes.resize(netlist.edges.size());
  std::iota(order.begin(), order.end(), 0);
  auto distance = [&](unsigned index) {
    const Edge &edge = netlist.edges[index];
    return fabric.distance(placement[edge.source], placement[edge.target]);
  };
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(distance(b), a) < std::pair(distance(a), b);
  });
}

bool Router::isOverused(const Route &route) const {
  return llvm::any_of(route,
                      [&](unsigned link) { return occupancy[link] > 1; });
}

void Router::ripUp(Route &route) {
  for (unsigned link : route)
    --occupancy[link];
  route.clear();
}

unsigned Router::cost(unsigned link) const {
  return tuning::freeLink + history[link] + pressure * occupancy[link];
}

/// The cheapest way from source to target through switches.
void Router::findRoute(const Edge &edge, Route &route) {
  unsigned source = placement[edge.source], target = placement[edge.target];
  ++epoch;
  frontier.clear();
  frontier.push_back({0, 0, source});
  reached[source] = {0, 0, epoch};
  while (true) {
    std::pop_heap(frontier.begin(), frontier.end());
    Candidate next = frontier.back();
    frontier.pop_back();
    if (next.vertex == target)
      break;
    if (next.cost > reached[next.vertex].cost)
      continue; // a cheaper way was found meanwhile
    for (unsigned link : fabric.outgoing(next.vertex)) {
      unsigned vertex = fabric.links()[link].target;
      if (vertex != target && fabric.isUnit(vertex))
        continue;
      unsigned total = next.cost + cost(link);
      Reached &there = reached[vertex];
      if (there.epoch == epoch && there.cost <= total)
        continue;
      there = {total, link, epoch};
      frontier.push_back(
          {total + tuning::freeLink * fabric.distance(vertex, target), total,
           vertex});
      std::push_heap(frontier.begin(), frontier.end());
    }
  }
  for (unsigned vertex = target; vertex != source;
       vertex = fabric.links()[reached[vertex].link].source)
    route.push_back(reached[vertex].link);
  std::reverse(route.begin(), route.end());
  for (unsigned link : route)
    ++occupancy[link];
}

/// Makes what is fought for dearer for good.
void Router::remember() {
  for (auto [count, price] : llvm::zip_equal(occupancy, history))
    if (count > 1)
      price += tuning::historyStep * (count - 1);
  pressure = std::min(2 * pressure, tuning::mostPressure.getValue());
}

Routing Router::run(unsigned maxIterations) {
  for (unsigned index : order)
    findRoute(netlist.edges[index], result.routes[index]);
  while (true) {
    ++result.iterations;
    if (llvm::none_of(result.routes,
                      [&](const Route &route) { return isOverused(route); }))
      return std::move(result);
    if (result.iterations == maxIterations)
      break;
    remember();
    for (unsigned index : order) {
      Route &route = result.routes[index];
      if (!isOverused(route))
        continue;
      ripUp(route);
      findRoute(netlist.edges[index], route);
    }
  }
  for (unsigned link = 0; link != occupancy.size(); ++link)
    if (occupancy[link] > 1)
      result.congested.push_back(link);
  return std::move(result);
}

Routing cilk2chan::pnr::route(const Netlist &netlist,
                              const Placement &placement,
                              const Resources &fabric, unsigned maxIterations) {
  return Router(netlist, placement, fabric).run(maxIterations);
}
