//===- Operations.h - What the units of the fabric do -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operation computes exactly what LLVM IR says.  Where LLVM's result is
// poison or undefined it is some value that depends on the operands alone:
// shifts by too much shift everything out, divisions by zero give all ones
// (remainders the dividend), conversions out of range saturate.
//
// A word holds an integer of fewer bits zero-extended, and an f32 in its low
// half.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_OPERATIONS_H
#define CHANSIM_OPERATIONS_H

#include "machine/Machine.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace chansim {

enum class Type : uint8_t { none, i1, i8, i16, i32, i64, f32, f64 };

/// 1 to 64; 64 for none.
unsigned bitsOf(Type type);
/// "i32"; "" for none.
std::string_view typeName(Type type);

/// Which of the machine's latencies an operation has.
enum class CycleClass : uint8_t {
  add,      ///< int_add, float_add or double_add, as its type is
  mul,      ///< alike
  div,      ///< alike
  word,     ///< int_add, whatever its type
  pass,     ///< split_join
  memory,   ///< as the memory answers
  initiate, ///< initiate
  terminate ///< terminate
};

/// What an operation computes, by which latency and energy depend.
enum class Arithmetic : uint8_t {
  none, ///< memory, control, passing on
  intAdd,
  intMul,
  intDiv,
  floatAdd,
  floatMul,
  floatDiv,
  doubleAdd,
  doubleMul,
  doubleDiv
};
inline constexpr size_t kArithmetic = 10;

/// How the fabric treats an operation.
enum class Action : uint8_t {
  compute, ///< a result after a fixed time
  steer,   ///< alike, or no result
  merge,   ///< alike, for each token
  ballot,  ///< of the lanes of a warp, as are the next two
  lane,
  readLane,
  load,
  store,
  atomic,
  heapCall,
  syscall,
  liveLoad,
  liveStore,
  initiate,
  terminate
};

/// Whether only SIMT cores have it, because it needs words of other lanes.
inline bool isOfLanes(Action action) {
  return action == Action::ballot || action == Action::lane ||
         action == Action::readLane;
}

/// Operands beyond those of the operation are ignored.  Loads, stores and
/// atomics have an address as their first operand and do access it.
using Evaluate = uint64_t (*)(uint64_t, uint64_t, uint64_t);

struct Operation {
  std::string name;
  UnitKind unit;
  uint8_t operands;
  CycleClass cycles;
  Action action;
  /// Of the operands that have one type, and of a conversion's result.
  Type type, result;
  /// Null for what depends on more than the operands: initiate, live values, and what
  /// needs other lanes.
  Evaluate evaluate;
  /// Bytes of memory that are accessed.
  uint32_t bytes;
  /// Bits of the word that it gives; 0 for none.
  uint32_t resultBits;

  /// Whether its unit can compute the address that is operand 0: that of a
  /// load, a store or an update of a word.
  bool hasAddressModes() const;
  /// Whether only machines of kind `sgmf` have it.
  bool isOfBranches() const {
    return action == Action::steer || action == Action::merge;
  }
  /// Bits of a word given as operand `index`.
  unsigned operandBits(unsigned index) const;
  Arithmetic arithmetic() const;
  /// Cycles from the start to the result; 0 for CycleClass::memory.
  uint32_t latency(const OperationCycles &cycles) const;
};

/// All operations, sorted by name.
const std::vector<Operation> &allOperations();
/// Null if there is none of that name.
const Operation *findOperation(std::string_view name);

} // namespace chansim

#endif // CHANSIM_OPERATIONS_H
