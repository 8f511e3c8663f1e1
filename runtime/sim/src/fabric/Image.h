//===- Image.h - Kernels as the simulator runs them ------------*- C++ -* -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A configuration decoded once, so that nothing is looked up for a token: nodes
// know the operand slots of their consumers, and edges how long a token takes.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_IMAGE_H
#define CHANSIM_IMAGE_H

#include "core/Kernel.h"
#include "fabric/Configuration.h"
#include "memory/Access.h"

#include <array>
#include <span>

namespace chansim {

/// Where an operand is among the words of the fabric: at base + (virtual
/// channel & mask).
struct ImageOperand {
  uint32_t base = 0, mask = 0;
};

/// How the fabric goes about nodes; in this order they are sorted.
enum class NodeGroup : uint8_t { computing, accessing, ending, starting };

struct ImageNode {
  Evaluate evaluate;
  /// Those of the operation, and the index of its address.
  std::array<ImageOperand, 4> operands;
  static constexpr uint32_t kIndex = 3;
  /// What is added to the address that is operand 0: index x scale + offset.
  /// The scale is 0 where there is no index.  Of the index, so many high bits
  /// are copies of the sign.
  uint32_t scale = 0, signBits = 0;
  uint64_t offset = 0;
  uint32_t firstEdge, lastEdge;
  /// From start to result; 0 if the memory decides.
  uint32_t latency;
  uint32_t bytes;
  /// A live value's ID.  Of a syscall: the constant that is its thunk.  Of a
  /// steer: the condition with which it passes its value on.
  uint32_t number;
  uint32_t replica;
  Action action;
  /// Of live values, loads, stores and atomics.
  Access access;
  Via via;
  /// A bit for each token that it waits for.
  uint8_t allTokens;
  /// Index in Block::units.
  uint32_t unit;
};

struct ImageEdge {
  uint32_t target;
  /// Where the words of this operand begin, and the target's entries.
  uint32_t buffer, entries;
  /// Cycles on links, and the length of their wires.
  uint32_t delay, pitches;
  /// The token's bit, and those of all that the target waits for.
  uint8_t token, allTokens;
  /// The target's place in the order of BlockImage.
  NodeGroup group;
};

struct ImageReplica {
  uint32_t initiator, terminator;
};

/// Where the time of threads in a block goes: cycles, summed over all threads,
/// of a node while it was on the thread's longest way through the block.
struct NodeTimes {
  uint64_t queued = 0;  ///< operands there, but not started
  uint64_t working = 0; ///< from the start until the result left
  uint64_t moving = 0;  ///< the result on links
};

/// Why an access was refused, by Taken; `yes` stands for a full reservation
/// buffer.
using Refusals = std::array<uint64_t, 6>;

/// A block.  Nodes are sorted by group.
struct BlockImage {
  const Block *block;
  std::vector<ImageNode> nodes;
  uint32_t computing, accessing;
  /// The edges of a node stand together.
  std::vector<ImageEdge> edges;
  /// By edge: the node it comes from.
  std::vector<uint32_t> edgeSources;
  /// Where a node's tokens come from: those of node i are from sourcesBegin[i]
  /// to sourcesBegin[i + 1].
  std::vector<uint32_t> sources, sourcesBegin;
  std::vector<ImageReplica> replicas;
  /// Operands that are no tokens, and which of them are parameters.
  std::vector<uint64_t> constants;
  struct Bound {
    uint32_t constant, parameter;
    uint64_t offset;
  };
  std::vector<Bound> bound;
  /// From a unit's start to the arrival of its result, at most.
  uint32_t longest = 0;
  /// What a thread does: live values loaded and stored, and registers that a
  /// von Neumann machine would read and write for it.
  uint32_t liveAccesses = 0, registerAccesses = 0;

  /// Of each node, since the beginning: operations started, and cycles in which
  /// an access was refused.
  std::vector<uint64_t> firings;
  std::vector<Refusals> refusals;
  /// Of each node; empty if they are not recorded.
  std::vector<NodeTimes> times;
  /// Of the block, since the beginning.
  struct {
    uint64_t runs = 0, threads = 0;
    uint64_t fetching = 0, configuring = 0, streaming = 0; ///< cycles
  } counters;
};

/// A kernel with its symbols resolved.
class KernelImage final : public KernelCode {
public:
  /// `symbols` are the addresses of Configuration::symbols; `kernel` must live
  /// as long as this.
  KernelImage(const Kernel &kernel, const Machine &machine,
              std::span<const uint64_t> symbols);

  const Kernel &kernel() const { return *source; }
  const KernelHeader &header() const override { return *source; }
  uint32_t tileThreads() const override { return threads; }
  /// Its live values.
  uint32_t stateBytes() const override {
    return source->liveValues * kLiveBytes;
  }
  void reportBlocks(nlohmann::ordered_json &blocks) const override;

  std::vector<BlockImage> blocks;
  /// The blocks that follow barriers, ascending.
  std::vector<uint32_t> behindBarriers;

private:
  const Kernel *source;
  uint32_t threads;
};

} // namespace chansim

#endif // CHANSIM_IMAGE_H
