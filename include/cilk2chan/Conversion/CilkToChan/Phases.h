//===- Phases.h - Code between two suspensions ------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_CILKTOCHAN_PHASES_H
#define CILK2CHAN_CONVERSION_CILKTOCHAN_PHASES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SetVector.h"

namespace cilk2chan {

/// Makes a spawning function ready to be split.
///
/// Puts a sync before every return that children may outlive, removes the syncs
/// that have nothing to wait for or to assign or to continue with, and ends the
/// block after each one that remains and after each `cilk.call`, so that such
/// an op is the last but the branch. A sync that finds no child running, but
/// assignments pending, is marked `assigns_only`; the function is not split
/// there. With `hasLast`, a call that the function ends with remains one.
void normalizeSyncs(mlir::LLVM::LLVMFuncOp function, bool hasLast = false);

/// Removes the syncs that need no continuation, and makes spawns of such calls
/// of spawning functions: those after which a function only returns nothing.
///
/// Code that waits for this activation waits until all deeper levels are
/// drained (invariant I1 of chan/abi.h), so also for the children that this
/// activation leaves behind; it may end at once. A function is left alone if a
/// child may use its memory: if the address of a local object may be known
/// elsewhere, if memory is allocated by size at run time, or if results are
/// assigned at a sync.
void removeTailSyncs(mlir::LLVM::LLVMFuncOp function);

/// A part of a spawning function that one kernel executes: the blocks that
/// control reaches from `start` without passing a sync or a call of a spawning
/// function. Blocks may belong to several phases.
struct Phase {
  mlir::Block *start;
  /// The op that the phase follows; null for the entry phase.
  mlir::Operation *after;
  llvm::SetVector<mlir::Block *> blocks;
  /// Phases that may follow this one, by index.
  llvm::SmallVector<unsigned> next;
  /// Whether the phase can run again in the same activation.
  bool repeats = false;
  /// Values from earlier phases that this one, or a later one through it,
  /// reads.
  llvm::SetVector<mlir::Value> liveIn;
};

/// The phases of a normalized function; the first is the entry's.
class Phases {
public:
  explicit Phases(mlir::LLVM::LLVMFuncOp function);

  llvm::ArrayRef<Phase> get() const { return phases; }
  /// The op that ends `block` and the phase with it, or null.
  static mlir::Operation *suspension(mlir::Block *block);
  /// The index of the phase that follows `suspension`.
  unsigned after(mlir::Operation *suspension) const {
    return phaseAfter.lookup(suspension);
  }

private:
  llvm::SmallVector<Phase> phases;
  llvm::DenseMap<mlir::Operation *, unsigned> phaseAfter;
};

/// The blocks of a normalized function's first phase.
llvm::SetVector<mlir::Block *> firstPhase(mlir::LLVM::LLVMFuncOp function);

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_CILKTOCHAN_PHASES_H
