//===- Builder.h - Configurations placed and routed by the way --*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SIM_BUILDER_H
#define SIM_BUILDER_H

#include "fabric/Configuration.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <random>
#include <string>
#include <vector>

namespace chansim {

using OrderedJson = nlohmann::ordered_json;

/// An input of a node: another node's result, or part of the configuration.
struct In {
  In(uint32_t node) : node(node) {}
  In(OrderedJson configured) : configured(std::move(configured)) {}
  std::optional<uint32_t> node;
  OrderedJson configured;
};
inline In constant(uint64_t value) { return OrderedJson{{"const", value}}; }
inline In parameter(uint32_t index, int64_t offset = 0) {
  return OrderedJson{{"param", index}, {"offset", offset}};
}
inline In symbol(uint32_t index, int64_t offset = 0) {
  return OrderedJson{{"symbol", index}, {"offset", offset}};
}

/// A block as nodes in the order in which they are placed: each near what it
/// gets its first token from, if it is not told where, and each token by a
/// shortest way that is free.
class BlockBuilder {
public:
  explicit BlockBuilder(const Fabric &fabric) : fabric(fabric) {}

  uint32_t node(const std::string &op, std::vector<In> inputs,
                std::optional<Place> at = std::nullopt) {
    nodes.push_back({op, std::move(inputs), at, {}, {}});
    return static_cast<uint32_t>(nodes.size() - 1);
  }
  uint32_t initiate(std::optional<Place> at = std::nullopt) {
    ++replicas;
    return node("initiate", {}, at);
  }
  uint32_t terminate(std::vector<In> inputs,
                     std::optional<Place> at = std::nullopt) {
    return node("terminate", std::move(inputs), at);
  }
  uint32_t liveLoad(uint32_t live, In after) {
    uint32_t index = node("live_load", {after});
    nodes[index].extra = {{"live", live}};
    return index;
  }
  uint32_t liveStore(uint32_t live, In value) {
    uint32_t index = node("live_store", {value});
    nodes[index].extra = {{"live", live}};
    return index;
  }
  /// `op` is syscall or heap_call.
  uint32_t call(uint32_t thunk, In record, const std::string &op = "syscall") {
    uint32_t index = node(op, {record});
    nodes[index].extra = {{"call", thunk}};
    return index;
  }
  /// `mode` as in a configuration.
  void address(uint32_t access, OrderedJson mode) {
    nodes[access].extra = {{"address", std::move(mode)}};
  }

  /// `successors` as in a configuration.
  OrderedJson build(uint32_t id, OrderedJson successors);

private:
  struct Node {
    std::string op;
    std::vector<In> inputs;
    std::optional<Place> wanted;
    OrderedJson extra;
    Place at;
  };
  struct Attempt {
    OrderedJson units = OrderedJson::array();
    /// A way through each switch: which output each input goes to.
    std::vector<std::array<std::optional<Port>, kPorts>> ways;
    std::vector<bool> linkUsed, unitUsed;
  };

  uint32_t vertex(Site site) const {
    return fabric.index(site.at) + (site.isSwitch ? fabric.size() : 0);
  }
  Site site(uint32_t vertex) const {
    return {fabric.place(vertex % fabric.size()), vertex >= fabric.size()};
  }
  bool tryBuild(Attempt &attempt, std::mt19937 &random);
  bool place(Node &node, Attempt &attempt, std::mt19937 &random) const;
  bool route(Attempt &attempt, uint32_t source, uint32_t target,
             uint32_t input) const;
  std::vector<uint32_t> distancesFrom(Place at) const;

  const Fabric &fabric;
  std::vector<Node> nodes;
  uint32_t replicas = 0;
};

/// The text of a configuration of one kernel.
std::string configurationText(const Machine &machine,
                              std::vector<OrderedJson> blocks,
                              uint32_t parameters = 0, uint32_t liveValues = 0,
                              std::vector<std::string> symbols = {});

} // namespace chansim

#endif // SIM_BUILDER_H
