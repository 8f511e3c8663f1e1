//===- Kernel.h - What all machines know of a kernel ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program file is read for one kind of machine.  Of each kernel, a dispatcher
// sees only this:
//
//   KernelHeader   what consumes which channel, and what its parameters are
//   KernelCode     the header, and how many threads a core takes at once
//
// The core knows the rest (KernelImage).
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_KERNEL_H
#define CHANSIM_KERNEL_H

#include "machine/Operations.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace chansim {

/// What the dispatcher binds a kernel parameter to.
struct Parameter {
  enum class Kind : uint8_t {
    argument,  ///< word `number` of the launch
    field,     ///< field `number` of thread 0's element of the consumed batch
    column,    ///< field `number` of element 0 of a channel
    control,   ///< a channel's control words
    frames,    ///< the free list of frames of `number` bytes
    level,     ///< the level of the batch
    capture,   ///< field `number` of the element whose iterations the tile runs
    isPrivate, ///< thread 0's private memory
    computed,  ///< what `operation` makes of earlier parameters and constants
    group,     ///< the memory of thread 0's work-group
    batch ///< word `number` of a batch of a channel in memory (chan/device.h)
  };
  /// Of a computed one.
  struct Operand {
    bool isParameter;
    /// The number of a parameter, or the constant.
    uint64_t word;
  };

  Kind kind;
  uint64_t number = 0;
  /// Of column and control: the channel is that of the stack which this symbol
  /// stands for, `level` further.
  uint32_t stack = 0;
  uint64_t level = 0;
  const Operation *operation = nullptr;
  std::vector<Operand> operands = {};

  /// The word of a computed one; `earlier` has those of the parameters before.
  uint64_t compute(std::span<const uint64_t> earlier) const;
};

/// Threads of a work-group at most: the pieces of a range are multiples of so many,
/// and a word of the control vector table has as many bits.
inline constexpr uint32_t kMaxGroupThreads = 64;

/// What the threads of a kernel stand for (docs/Dialects/VGIW.md, vgiw.kernel).
enum class LaunchKind : uint8_t {
  elements, ///< an element each
  range,    ///< an iteration each, of one range
  ranges    ///< an iteration each, of one of several ranges
};

struct KernelHeader {
  std::string name, source;
  LaunchKind launch = LaunchKind::elements;
  /// The symbol of the stack that it consumes from, if it does.
  std::optional<uint32_t> consumes;
  std::vector<Parameter> parameters;
  /// Private memory of a thread.
  uint64_t privateBytes = 0;
  /// Threads of a work-group, and the bytes of memory that it has; 0 if the
  /// kernel has none.
  uint32_t groupThreads = 0;
  uint64_t groupBytes = 0;
};

/// A kernel that is ready to be run by cores of one kind.
class KernelCode {
public:
  virtual ~KernelCode() = default;

  virtual const KernelHeader &header() const = 0;
  /// Threads of a tile at most.
  virtual uint32_t tileThreads() const = 0;
  /// Bytes that a thread keeps in the core's memory from the tile's start to its
  /// end, at Tile::stateBase.
  virtual uint32_t stateBytes() const = 0;
  /// Appends what became of the time of each block that has run, for the report
  /// of lines (docs/Simulator.md).
  virtual void reportBlocks(nlohmann::ordered_json &blocks) const = 0;
};

} // namespace chansim

#endif // CHANSIM_KERNEL_H
