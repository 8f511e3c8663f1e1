//===- Placement.cpp - Which unit runs which node -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/PlaceAndRoute/Placement.h"
#include "Tuning.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

using namespace cilk2chan::pnr;
namespace tuning = cilk2chan::tuning;

namespace {

/// SplitMix64 (G. Steele, D. Lea and C. Flood, OOPSLA 2014): the same numbers
/// from the same seed with every library.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint32_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z ^ (z >> 31)) >> 32;
  }

  /// One of 0 .. bound-1.
  uint32_t below(uint32_t bound) {
    return static_cast<uint64_t>(next()) * bound >> 32;
  }

private:
  uint64_t state;
};

class Annealer {
public:
  Annealer(const Netlist &netlist, const Resources &fabric, uint64_t seed,
           unsigned effort);

  Placement run();

private:
  static constexpr unsigned noNode = ~0u;
  // Deltas above this are never accepted at finite temperatures.
  static constexpr unsigned deltas = 2048;

  struct Incident {
    unsigned edge, other;
    bool outgoing;
  };

  void scatter();
  void weigh();
  void setTemperature(double value);
  double initialTemperature();
  unsigned chooseUnit(unsigned node);
  int costAround(unsigned node, unsigned unit, unsigned partner,
                 unsigned partnerUnit) const;
  bool tryMove();
  llvm::ArrayRef<Incident> incident(unsigned node) const {
    return llvm::ArrayRef(incidents).slice(
        firstIncident[node], firstIncident[node + 1] - firstIncident[node]);
  }
  unsigned length(const Edge &edge) const {
    return fabric.distance(unitOf[edge.source], unitOf[edge.target]);
  }
  unsigned wiring(const Edge &edge) const {
    return fabric.wiring(unitOf[edge.source], unitOf[edge.target]);
  }

  const Netlist &netlist;
  const Resources &fabric;
  Timing timing;
  Random random;
  unsigned movesPerStep;
  std::vector<unsigned> movable; // nodes that have edges
  std::vector<Incident> incidents;
  std::vector<unsigned> firstIncident;
  /// The links of units with switches, one way: at the edge of a grid that is
  /// not folded there are fewer than nodes may have edges.
  std::vector<unsigned> room;
  std::vector<unsigned> degrees; // of nodes: edges out or in, which are more
  Placement unitOf;
  std::vector<unsigned> nodeOn;
  std::vector<unsigned> weights, lengths;
  /// Cycles of the longest way if no edge took any: only what a way takes
  /// beyond depends on the placement.
  unsigned unavoidable;
  int64_t cost = 0;
  double temperature = 0;
  double range = 1; // of moves, as a part of the units of a kind
  /// The chance of accepting a rise of cost, in 2^-32.  A table of products
  /// instead of exp(), whose last bit differs between libraries.
  std::array<uint32_t, deltas> acceptance{};
};

} // namespace

Annealer::Annealer(const Netlist &netlist, const Resources &fabric,
                   uint64_t seed, unsigned effort)
    : netlist(netlist), fabric(fabric), timing(netlist), random(seed),
      movesPerStep(effort * std::max(tuning::leastMoves.getValue(),
                                     static_cast<unsigned>(
                                         netlist.nodes.size() *
                                         std::cbrt(netlist.nodes.size())))),
      unitOf(netlist.nodes.size()), nodeOn(fabric.numUnits(), noNode),
      weights(netlist.edges.size(), tuning::edgeBase),
      lengths(netlist.edges.size()), unavoidable(timing.update(lengths)) {
  std::vector<llvm::SmallVector<Incident, 8>> lists(netlist.nodes.size());
  for (auto [index, edge] : llvm::enumerate(netlist.edges)) {
    unsigned name = index;
    lists[edge.source].push_back({name, edge.target, true});
    lists[edge.target].push_back({name, edge.source, false});
  }
  for (auto [node, list] : llvm::enumerate(lists)) {
    firstIncident.push_back(incidents.size());
    llvm::append_range(incidents, list);
    unsigned outgoing = llvm::count_if(
        list, [](const Incident &edge) { return edge.outgoing; });
    degrees.push_back(std::max<unsigned>(outgoing, list.size() - outgoing));
    if (!list.empty())
      movable.push_back(node);
  }
  firstIncident.push_back(incidents.size());
  for (unsigned unit = 0; unit != fabric.numUnits(); ++unit)
    room.push_back(llvm::count_if(fabric.outgoing(unit), [&](unsigned link) {
      return !fabric.isUnit(fabric.links()[link].target);
    }));
}

/// Any legal placement.
void Annealer::scatter() {
  for (size_t kind = 0; kind != chansim::kUnitKinds; ++kind) {
    llvm::ArrayRef<unsigned> all = fabric.units(static_cast<UnitKind>(kind));
    std::vector<unsigned> free(all.begin(), all.end());
    for (auto [index, node] : llvm::enumerate(netlist.nodes)) {
      if (static_cast<size_t>(node.kind) != kind)
        continue;
      assert(!free.empty() && "too few units of a kind");
      std::swap(free[random.below(free.size())], free.back());
      unitOf[index] = free.back();
      nodeOn[free.back()] = index;
      free.pop_back();
    }
  }
}

/// Sets the weights of the edges as they are critical now.
void Annealer::weigh() {
  for (auto [edge, cycles] : llvm::zip_equal(netlist.edges, lengths))
    cycles = length(edge) * fabric.geometry().hopCycles;
  unsigned longest = timing.update(lengths);
  cost = 0;
  for (unsigned edge = 0; edge != netlist.edges.size(); ++edge) {
    // (hops / most hops)^8 in integers: the weight of slack falls off steeply.
    unsigned through = std::max(timing.through(edge), unavoidable);
    unsigned critical = (through - unavoidable) * 256 / (longest - unavoidable);
    for (int times = 0; times != 3; ++times)
      critical = critical * critical / 256;
    weights[edge] = tuning::edgeBase + critical * tuning::edgeUrgency / 256;
    cost += weights[edge] * wiring(netlist.edges[edge]);
  }
}

void Annealer::setTemperature(double value) {
  temperature = value;
  // exp(-1/T) = exp(-1/16T)^16, the root by its series.  Below a tenth nothing
  // is accepted anyway.
  double exponent = -1 / (16 * std::max(value, 0.1));
  double power = 1, term = 1;
  for (int n = 1; n != 16; ++n) {
    term *= exponent / n;
    power += term;
  }
  for (int squarings = 0; squarings != 4; ++squarings)
    power *= power;
  double chance = 4294967295.0;
  for (uint32_t &entry : acceptance) {
    entry = static_cast<uint32_t>(chance);
    chance *= power;
  }
  if (value == 0)
    std::fill(acceptance.begin() + 1, acceptance.end(), 0);
}

/// A unit to try for `node`: near where it is or, every other time, near one
/// that it has an edge with.
unsigned Annealer::chooseUnit(unsigned node) {
  UnitKind kind = netlist.nodes[node].kind;
  unsigned centre = unitOf[node];
  if (random.next() & 1) {
    llvm::ArrayRef<Incident> edges = incident(node);
    centre = unitOf[edges[random.below(edges.size())].other];
  }
  llvm::ArrayRef<unsigned> near = fabric.nearest(centre, kind);
  unsigned within = std::min<unsigned>(
      near.size(), 3 + static_cast<unsigned>(range * near.size()));
  return near[random.below(within)];
}

/// The cost of the edges of `node` if it were on `unit` and `partner` on
/// `partnerUnit`.
int Annealer::costAround(unsigned node, unsigned unit, unsigned partner,
                         unsigned partnerUnit) const {
  int sum = 0;
  if (room[unit] < degrees[node])
    sum = tuning::crampedEdge * (degrees[node] - room[unit]);
  for (const Incident &edge : incident(node)) {
    unsigned there = edge.other == partner ? partnerUnit : unitOf[edge.other];
    sum += weights[edge.edge] * (edge.outgoing ? fabric.wiring(unit, there)
                                               : fabric.wiring(there, unit));
  }
  return sum;
}

bool Annealer::tryMove() {
  unsigned node = movable[random.below(movable.size())];
  unsigned from = unitOf[node], to = chooseUnit(node);
  if (from == to)
    return false;
  unsigned partner = nodeOn[to];
  // An edge between the two counts twice on both sides: harmless for the sign,
  // and exact where the distance is the same both ways.
  int delta =
      costAround(node, to, partner, from) - costAround(node, from, partner, to);
  if (partner != noNode)
    delta += costAround(partner, from, node, to) -
             costAround(partner, to, node, from);
  if (delta > 0 &&
      (delta >= static_cast<int>(deltas) || random.next() >= acceptance[delta]))
    return false;
  unitOf[node] = to;
  nodeOn[to] = node;
  nodeOn[from] = partner;
  if (partner != noNode)
    unitOf[partner] = from;
  cost += delta;
  return true;
}

/// 20 times the deviation of the cost over as many accepted moves as there are
/// nodes (VPR), at most what the table of acceptance covers.
double Annealer::initialTemperature() {
  double sum = 0, squares = 0;
  std::fill(acceptance.begin(), acceptance.end(), ~0u);
  unsigned moves = movable.size();
  for (unsigned move = 0; move != moves; ++move) {
    tryMove();
    sum += cost;
    squares += static_cast<double>(cost) * cost;
  }
  double mean = sum / moves;
  return 20 * std::sqrt(std::max(0.0, squares / moves - mean * mean));
}

Placement Annealer::run() {
  scatter();
  if (movable.empty())
    return std::move(unitOf);
  weigh();
  double start = initialTemperature();
  for (double next = start;;) {
    setTemperature(next);
    unsigned accepted = 0;
    for (unsigned move = 0; move != movesPerStep; ++move)
      accepted += tryMove();
    if (temperature == 0)
      return std::move(unitOf);
    weigh();
    double rate = static_cast<double>(accepted) / movesPerStep;
    range = std::clamp(range * (1 - 0.44 + rate), 0.0, 1.0);
    next *= rate > 0.96 ? 0.5 : rate > 0.8 ? 0.9 : rate > 0.15 ? 0.95 : 0.8;
    // A last step that only improves.
    if (next < 0.005 * cost / netlist.edges.size())
      next = 0;
  }
}

Placement cilk2chan::pnr::place(const Netlist &netlist, const Resources &fabric,
                                uint64_t seed, unsigned effort) {
  return Annealer(netlist, fabric, seed, effort).run();
}
