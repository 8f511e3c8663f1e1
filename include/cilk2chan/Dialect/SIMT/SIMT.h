//===- SIMT.h - The simt dialect --------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_SIMT_SIMT_H
#define CILK2CHAN_DIALECT_SIMT_SIMT_H

#include "cilk2chan/Dialect/VGIW/VGIW.h"

#include <optional>

#include "cilk2chan/Dialect/SIMT/SIMTDialect.h.inc"
#include "cilk2chan/Dialect/SIMT/SIMTEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "cilk2chan/Dialect/SIMT/SIMTTypes.h.inc"

#define GET_OP_CLASSES
#include "cilk2chan/Dialect/SIMT/SIMT.h.inc"

namespace cilk2chan::simt {

inline constexpr unsigned RegisterClasses = 3;

/// The class of registers that hold words of so many bits.
RegisterClass classOfBits(unsigned bits);

/// The class of a value of this dialect.
RegisterClass classOf(mlir::Value value);

/// The register of a value, if it has one.
std::optional<unsigned> registerOf(mlir::Value value);

/// The integer that fills a register of the class: "i32", "i64", "i1".
llvm::StringRef wordOf(RegisterClass kind);

/// Whether the value is an operand that needs no register: a constant, a symbol, a
/// parameter, the delivered word or the address of private memory.
bool isImmediate(mlir::Value value);

/// Post-dominance where only ways to an exit count that is not unreachable.
class PostDominance {
public:
  explicit PostDominance(KernelOp kernel);

  /// Null if there is none.
  mlir::Block *immediate(mlir::Block *block) const {
    return immediates.lookup(block);
  }

private:
  llvm::DenseMap<mlir::Block *, mlir::Block *> immediates;
};

} // namespace cilk2chan::simt

#endif // CILK2CHAN_DIALECT_SIMT_SIMT_H
