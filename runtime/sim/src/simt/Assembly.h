//===- Assembly.h - Kernels as instructions of a SIMT core ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program's kernels as a text that a person can read and write: docs/SIMT.md.
// The compiler makes an Assembly and prints it, and the simulator parses the text.
// What a core could not execute is refused when the text is read.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_ASSEMBLY_H
#define CHANSIM_SIMT_ASSEMBLY_H

#include "core/Kernel.h"
#include "machine/Operations.h"
#include "memory/Access.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace chansim::simt {

inline constexpr uint32_t kNone = ~uint32_t(0);

/// s has 32 bits in each lane, d 64, c 1.
enum class RegisterClass : uint8_t { s, d, c };
inline constexpr unsigned kRegisterClasses = 3;

/// The class that holds a word of so many bits.
RegisterClass classOfBits(unsigned bits);

struct Operand {
  enum class Kind : uint8_t {
    reg,       ///< a register of the class that the operation demands
    constant,  ///< the bits in `value`
    parameter, ///< the low bits of parameter `number`
    symbol,    ///< the address of symbol `number`, plus `value`
    id,        ///< what the thread stands for
    local      ///< the address of the thread's private memory
  };
  Kind kind = Kind::constant;
  uint32_t number = 0;
  uint64_t value = 0;

  friend bool operator==(const Operand &, const Operand &) = default;
};

struct Instruction {
  enum class Kind : uint8_t { operation, branch, yield, exit, bar };
  Kind kind = Kind::exit;
  /// Null for branches, yields, exits and barriers.
  const Operation *operation = nullptr;
  /// The register that it writes, of the class of the operation's result.
  uint32_t result = kNone;
  /// Those of the operation. Of a conditional branch: its condition.  Of a yield: the
  /// address of the resource for which it waits, or the constant 0.
  std::array<Operand, 3> operands;
  /// What is added to operand 0, if that is an address.
  int64_t offset = 0;
  /// Of what accesses memory: how others see it.  Atomic operations are not plain: of
  /// those that say nothing, it is `both`.
  Order order = Order::plain;
  /// Of calls: the symbol of the function.
  uint32_t callee = kNone;
  /// Of branches.  A uniform one has no reconvergence point.
  bool isConditional = false, isNegated = false, isUniform = false;
  /// Of one with a reconvergence point: whether threads wait there without a limit.
  bool isPatient = false;
  /// Of branches and yields: the place of an instruction in its kernel.
  uint32_t target = kNone;
  /// Of conditional branches: where its threads meet again; or kNone.
  uint32_t reconvergence = kNone;
  /// Index in Kernel::lines; or kNone.
  uint32_t line = kNone;

  /// Whether no thread goes on behind it.
  bool isLast() const {
    return kind == Kind::yield || kind == Kind::exit ||
           (kind == Kind::branch && !isConditional);
  }
};

/// The type of the word that is operand `index` of an operation.
Type operandType(const Operation &operation, unsigned index);
/// Whether operand 0 is an address, to which the instruction adds its offset.
bool hasAddress(const Operation &operation);
/// Whether the operation calls a function of the program.
bool isCall(const Operation &operation);
/// Names by Order; plain accesses say nothing.
inline constexpr std::array<std::string_view, 5> kOrders = {
    "", "relaxed", "acquire", "release", "acquire_release"};
/// The order of that name ("acquire_release"), or nothing.
std::optional<Order> orderNamed(std::string_view name);
/// Whether an operation may have an order, and which it has if it says nothing.
bool hasOrder(const Operation &operation, Order order);
Order defaultOrder(const Operation &operation);

struct Kernel : KernelHeader {
  /// How many registers of each class a thread has.
  std::array<uint32_t, kRegisterClasses> registers{};
  std::vector<Instruction> instructions;
  /// Places in the source ("fib.c:3").
  std::vector<std::string> lines;

  /// Words of 32 bits that a thread's registers of classes s and d are.
  uint32_t registerWords() const { return registers[0] + 2 * registers[1]; }
};

struct Assembly {
  /// In the order in which the text names them first.
  std::vector<std::string> symbols;
  std::vector<Kernel> kernels;

  /// The number of a symbol, which is added if it is new.
  uint32_t intern(std::string_view name);

  /// Nothing if the text is refused: then `error` is "FILE:LINE:COLUMN: reason".
  static std::optional<Assembly>
  parse(std::string_view text, const std::string &file, std::string &error);
  /// The text.  Labels are L0, L1, ... in their order.
  std::string print() const;
};

} // namespace chansim::simt

#endif // CHANSIM_SIMT_ASSEMBLY_H
