//===- Netlist.h - A block as nodes and edges -------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_PLACEANDROUTE_NETLIST_H
#define CILK2CHAN_PLACEANDROUTE_NETLIST_H

#include "cilk2chan/PlaceAndRoute/Resources.h"

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cilk2chan::pnr {

/// The most token inputs of a node.
inline constexpr unsigned maxOperands = 3;

struct Node {
  /// The caller's name for it; the replicas of a node share it.
  unsigned id = 0;
  UnitKind kind{};
  /// Cycles from its last token to its result, as far as they can be foretold.
  unsigned latency = 1;
  /// What it does, for people.
  std::string op;
  unsigned replica = 0;
};

/// The result of node `source` is token input `operand` of node `target`; both
/// are indices into Netlist::nodes.
struct Edge {
  unsigned source = 0;
  unsigned target = 0;
  unsigned operand = 0;
  /// Whether it begins the next iteration of a loop.
  bool isBack = false;
};

/// A block's dataflow graph, or several replicas of it side by side.
struct Netlist {
  std::vector<Node> nodes;
  std::vector<Edge> edges;

  /// How many units of each kind it takes.
  KindCounts demand() const;

  /// All that its place on a fabric depends on: equal netlists have equal keys.
  std::vector<unsigned> key() const;

  /// `times` copies of this; node n of copy r has index r * nodes.size() + n.
  Netlist replicated(unsigned times) const;
};

/// What makes `netlist` one that no fabric can run (an input fed twice, more
/// than `maxFanout` edges out of a node, a cycle without an edge back), or "".
std::string findFault(const Netlist &netlist, unsigned maxFanout);

/// The longest ways through a netlist, as static timing analysis finds them.
/// A replica has a bounded number of threads in flight, so the longest way from
/// initiator to terminator limits its throughput.
class Timing {
public:
  /// REQUIRES: `netlist` has no cycle but by edges back, which do not count, and outlives this.
  explicit Timing(const Netlist &netlist);

  /// Sets the cycles that each edge takes and returns the longest way.
  unsigned update(llvm::ArrayRef<unsigned> edgeDelays);

  /// The longest way that uses this edge, after the last update.
  unsigned through(unsigned edge) const;

private:
  const Netlist &netlist;
  std::vector<unsigned> order;     // edges, by topological order of sources
  std::vector<unsigned> delays;    // by edge
  std::vector<unsigned> arrival;   // by node: longest way up to its inputs
  std::vector<unsigned> departure; // by node: longest way from its inputs on
};

} // namespace cilk2chan::pnr

#endif // CILK2CHAN_PLACEANDROUTE_NETLIST_H
