//===- Image.cpp - Kernels as the simulator runs them ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fabric/Image.h"

#include <algorithm>
#include <set>

namespace chansim {
namespace {

NodeGroup groupOf(Action action) {
  switch (action) {
  case Action::compute:
  case Action::steer:
  case Action::merge:
    return NodeGroup::computing;
  case Action::terminate:
    return NodeGroup::ending;
  case Action::initiate:
    return NodeGroup::starting;
  default:
    return NodeGroup::accessing;
  }
}

Access accessOf(Action action) {
  switch (action) {
  case Action::load:
  case Action::liveLoad:
    return Access::read;
  case Action::atomic:
  case Action::heapCall:
    return Access::atomic;
  default:
    return Access::write;
  }
}

bool isLive(Action action) {
  return action == Action::liveLoad || action == Action::liveStore;
}

class Decoder {
public:
  Decoder(const Block &block, const Machine &machine,
          std::span<const uint64_t> symbols)
      : block(block), machine(machine), symbols(symbols),
        nodeOf(block.units.size()), slots(block.units.size()) {
    image.block = &block;
  }

  BlockImage decode() {
    sortNodes();
    for (ImageNode &node : image.nodes)
      addOperands(node);
    // Buffers lie behind the constants.
    for (ImageNode &node : image.nodes)
      for (ImageOperand &operand : node.operands)
        if (operand.mask)
          operand.base += static_cast<uint32_t>(image.constants.size());
    addEdges();
    countAccesses();
    image.firings.resize(image.nodes.size());
    image.refusals.resize(image.nodes.size());
    return std::move(image);
  }

private:
  void sortNodes();
  void addOperands(ImageNode &node);
  void addEdges();
  void addSources();
  void countAccesses();
  uint32_t buffer(uint32_t node, uint32_t token) const {
    return (node * kTokens + token) * machine.fabric.tokenBufferEntries;
  }

  const Block &block;
  const Machine &machine;
  std::span<const uint64_t> symbols;
  BlockImage image;
  /// By unit; and which token each of its inputs is.
  std::vector<uint32_t> nodeOf;
  std::vector<std::vector<uint32_t>> slots;
};

void Decoder::sortNodes() {
  std::vector<uint32_t> order(block.units.size());
  for (uint32_t unit = 0; unit != order.size(); ++unit)
    order[unit] = unit;
  auto group = [&](uint32_t unit) {
    return groupOf(block.units[unit].operation->action);
  };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(group(a), a) < std::pair(group(b), b);
  });
  std::array<uint32_t, 4> counts{};
  image.replicas.resize(block.replicas);
  for (uint32_t unit : order) {
    const Unit &from = block.units[unit];
    const Operation &operation = *from.operation;
    uint32_t index = static_cast<uint32_t>(image.nodes.size());
    nodeOf[unit] = index;
    ++counts[static_cast<size_t>(group(unit))];
    ImageNode node{};
    node.evaluate = operation.evaluate;
    node.latency = operation.latency(machine.operations);
    node.bytes = operation.bytes;
    node.number = operation.action == Action::steer
                      ? operation.name == "steer_if"
                      : from.number;
    node.replica = from.replica;
    node.action = operation.action;
    node.access = accessOf(operation.action);
    node.via = isLive(operation.action) ? Via::lvc : Via::l1;
    // One token, in the one place that all of a merge have.
    node.allTokens = operation.action == Action::merge
                         ? 1
                         : static_cast<uint8_t>((1u << from.tokens()) - 1);
    node.unit = unit;
    image.nodes.push_back(node);
    if (operation.action == Action::initiate)
      image.replicas[from.replica].initiator = index;
    if (operation.action == Action::terminate)
      image.replicas[from.replica].terminator = index;
  }
  image.computing = counts[0];
  image.accessing = counts[1];
}

void Decoder::addOperands(ImageNode &node) {
  const Unit &unit = block.units[node.unit];
  uint32_t tokens = 0;
  for (uint32_t i = 0; i != unit.inputs.size(); ++i) {
    const Input &input = unit.inputs[i];
    slots[node.unit].push_back(tokens);
    ImageOperand operand;
    if (input.kind == Input::Kind::token) {
      operand = {buffer(nodeOf[node.unit], tokens), ~uint32_t(0)};
      ++tokens;
    } else {
      operand = {static_cast<uint32_t>(image.constants.size()), 0};
      uint64_t word = input.value;
      if (input.kind == Input::Kind::symbol)
        word += symbols[input.index];
      if (input.kind == Input::Kind::parameter)
        image.bound.push_back({operand.base, input.index, input.value});
      image.constants.push_back(word);
    }
    std::optional<uint32_t> place = unit.operandOf(i);
    if (!place)
      node.operands[ImageNode::kIndex] = operand;
    else if (*place < ImageNode::kIndex)
      node.operands[*place] = operand;
  }
  const AddressMode &address = unit.address;
  node.scale = address.hasIndex ? address.scale : 0;
  node.signBits = address.extend == AddressMode::Extend::sign ? 32 : 0;
  node.offset = address.offset;
  if (node.action == Action::syscall || node.action == Action::heapCall) {
    image.constants.push_back(symbols[node.number]);
    node.number = static_cast<uint32_t>(image.constants.size() - 1);
  }
}

void Decoder::addEdges() {
  std::vector<std::vector<ImageEdge>> leaving(image.nodes.size());
  uint32_t firstBuffer = static_cast<uint32_t>(image.constants.size());
  for (const Edge &edge : block.edges) {
    uint32_t target = nodeOf[edge.target];
    uint32_t token = image.nodes[target].action == Action::merge
                         ? 0
                         : slots[edge.target][edge.input];
    uint32_t delay = edge.hops * machine.fabric.hopCycles;
    leaving[nodeOf[edge.source]].push_back(
        {target, firstBuffer + buffer(target, token),
         target * machine.fabric.tokenBufferEntries, delay, edge.pitches,
         static_cast<uint8_t>(1u << token), image.nodes[target].allTokens,
         groupOf(image.nodes[target].action)});
  }
  for (uint32_t index = 0; index != image.nodes.size(); ++index) {
    ImageNode &node = image.nodes[index];
    node.firstEdge = static_cast<uint32_t>(image.edges.size());
    for (const ImageEdge &edge : leaving[index]) {
      image.longest = std::max(image.longest, node.latency + edge.delay);
      image.edges.push_back(edge);
      image.edgeSources.push_back(index);
    }
    node.lastEdge = static_cast<uint32_t>(image.edges.size());
  }
  addSources();
}

void Decoder::addSources() {
  std::vector<std::set<uint32_t>> sources(image.nodes.size());
  for (uint32_t edge = 0; edge != image.edges.size(); ++edge)
    sources[image.edges[edge].target].insert(image.edgeSources[edge]);
  for (const std::set<uint32_t> &of : sources) {
    image.sourcesBegin.push_back(static_cast<uint32_t>(image.sources.size()));
    image.sources.insert(image.sources.end(), of.begin(), of.end());
  }
  image.sourcesBegin.push_back(static_cast<uint32_t>(image.sources.size()));
}

/// Live values of one replica.
void Decoder::countAccesses() {
  image.registerAccesses = block.registerAccesses;
  for (const ImageNode &node : image.nodes)
    image.liveAccesses +=
        !block.units[node.unit].replica && isLive(node.action);
}

} // namespace

KernelImage::KernelImage(const Kernel &kernel, const Machine &machine,
                         std::span<const uint64_t> symbols)
    : source(&kernel), threads(chansim::tileThreads(machine, kernel)) {
  blocks.reserve(kernel.blocks.size());
  for (const Block &block : kernel.blocks)
    blocks.push_back(Decoder(block, machine, symbols).decode());
  std::set<uint32_t> behind;
  for (const Block &block : kernel.blocks)
    for (const Successor &to : block.successors)
      if (to.kind == Successor::Kind::barrier)
        behind.insert(to.block);
  behindBarriers.assign(behind.begin(), behind.end());
}

} // namespace chansim
