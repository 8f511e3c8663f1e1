//===- Configuration.h - What the fabric is told ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program's kernels as the compiler placed them: docs/Configuration.md.
// Whatever a machine could not do, or would wait for for ever, is refused when
// the text is read.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_CONFIGURATION_H
#define CHANSIM_CONFIGURATION_H

#include "core/Kernel.h"
#include "machine/Machine.h"
#include "machine/Operations.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace chansim {

/// Tokens that an entry of a token buffer holds at most (VGIW, 3.5).
inline constexpr uint32_t kTokens = 3;
/// Threads of a tile at most: batches name threads with 16 bits (VGIW, 3.2).
inline constexpr uint32_t kMaxTileThreads = 1 << 16;

/// A live value in the LVC.
inline constexpr uint32_t kLiveBytes = 8;

/// How the unit of a load, a store or an atomic operation computes its address:
/// operand 0 + index x scale + offset.
struct AddressMode {
  enum class Extend : uint8_t { none, sign, zero };
  /// Whether there is an index, which then is input 1.
  bool hasIndex = false;
  /// Of an index of 32 bits.
  Extend extend = Extend::none;
  uint32_t scale = 1;
  uint64_t offset = 0;

  friend bool operator==(const AddressMode &, const AddressMode &) = default;
};

/// What a unit gets for one input.
struct Input {
  enum class Kind : uint8_t { token, constant, symbol, parameter };
  Kind kind;
  /// A token's port.
  Port port;
  /// A symbol's or parameter's number.
  uint32_t index;
  /// A constant, or what is added to a symbol's address or a parameter.
  uint64_t value;
};

/// A unit and what it does: a node.
struct Unit {
  Place at;
  const Operation *operation;
  std::vector<Input> inputs;
  AddressMode address;
  std::vector<Port> outputs;
  /// live_load and live_store: the live value's ID.  syscall: the symbol of the
  /// thunk.
  uint32_t number;
  /// Counted by initiators, in the order of units.
  uint32_t replica;
  /// Where its work stands in the source ("fib.c:3"); may be empty.
  std::string line;

  uint32_t tokens() const;
  /// Inputs that are not only waited for.
  uint32_t operands() const {
    return operation->operands + (address.hasIndex ? 1 : 0);
  }
  /// Which operand of the operation an input is; nothing for an index.
  std::optional<uint32_t> operandOf(uint32_t input) const {
    if (!address.hasIndex || input == 0)
      return input;
    return input == 1 ? std::nullopt : std::optional(input - 1);
  }
  /// Bits of the word that is an input.
  unsigned bits(uint32_t input) const;
};

/// The way of a token from one unit to another, through switches.
struct Edge {
  uint32_t source, target;
  /// Which input of the target.
  uint32_t input;
  /// Links, and the length of all their wires (Fabric::pitches).
  uint32_t hops, pitches;
};

/// Where a thread goes after a block.
struct Successor {
  enum class Kind : uint8_t {
    block,
    exit,   ///< it is done
    yield,  ///< it stops until it is resumed at the block
    barrier ///< it waits for the threads of its work-group
  };
  Kind kind;
  uint32_t block;
};

struct Block {
  uint32_t replicas;
  /// One, or two of which the terminator's first operand chooses.
  std::vector<Successor> successors;
  std::vector<Unit> units;
  std::vector<Edge> edges;
  /// Accesses to registers that a von Neumann machine would do for a thread.
  uint32_t registerAccesses;
};

struct Kernel : KernelHeader {
  uint32_t liveValues;
  /// By ID.
  std::vector<Block> blocks;

  /// The control vectors that it needs: of the threads that are to execute each
  /// block, and of those that wait at barriers in front of a block.
  size_t vectors() const;
};

struct Configuration {
  std::vector<std::string> symbols;
  std::vector<Kernel> kernels;

  /// Nothing if the text is refused: then `error` is "FILE: FIELD: reason",
  /// FIELD being a path such as `kernels[0].blocks[2].units[5].in[1]`.
  static std::optional<Configuration> parse(std::string_view text,
                                            const std::string &file,
                                            const Machine &machine,
                                            std::string &error);
};

/// Threads of a tile: the CVT's bits, divided among the vectors (VGIW, 3.2),
/// in whole words.
uint32_t tileThreads(const ControlParameters &control, size_t vectors);
/// Of a kernel: with TileLimit::lvc no more than have their live values in the
/// LVC, but a word of them.
uint32_t tileThreads(const Machine &machine, const Kernel &kernel);

} // namespace chansim

#endif // CHANSIM_CONFIGURATION_H
