//===- SharedReductions.h - Variables that all activations combine -*- C++
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   void count(int n, long *found) {          void add(int n, long *all) {
//     if (n < 2) {                              if (n < 2) {
//       *found = n;                               *all += n;    (atomic)
//       return;                                   return;
//     }                                         }
//     long x, y;                         ->
//     spawn count(n - 1, &x);                   spawn add(n - 1, all);
//     spawn count(n - 2, &y);                   spawn add(n - 2, all);
//     sync;                                     sync;
//     *found = x + y;                         }
//   }
//
// The left side waits for its children, and has memory of each that these
// write to.  The right side waits for nothing.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_SHAREDREDUCTIONS_H
#define CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_SHAREDREDUCTIONS_H

#include "cilk2chan/Dialect/Cilk/Analysis/Combination.h"

#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/TypeLayout.h"

#include "llvm/ADT/SmallSet.h"

namespace cilk2chan {

/// A pointer parameter for which each spawn gives the address of a local object
/// that no other code knows. There each activation leaves the combination of
/// what it has by itself and of what its children leave it, each once.
struct SharedReduction {
  unsigned parameter;
  mlir::IntegerType type;
  chan::Combination by;

  /// Combines `value` with what is at the address.
  void createUpdate(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value address, mlir::Value value) const;
  /// Stores what makes no difference.
  void createIdentity(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value address) const;
};

/// Those of a function that spawns nothing but itself.
class SharedReductions {
public:
  SharedReductions(mlir::LLVM::LLVMFuncOp function,
                   llvm::ArrayRef<cilk::SpawnOp> spawns,
                   const mlir::SymbolTable &symbols, const TypeLayout &layout);

  llvm::ArrayRef<SharedReduction> get() const { return reductions; }

  /// Whether `array`, of a size known at run time, is not in such a copy any
  /// more: children's places are in it.
  bool doWithout(llvm::ArrayRef<cilk::SpawnOp> spawns,
                 mlir::LLVM::AllocaOp array) const;

  /// Has a copy of the function combine what it has by itself with what is at
  /// the addresses, and its children, too.
  void combineInPlace(mlir::LLVM::LLVMFuncOp copy) const;

private:
  bool writesOnlyOwn(mlir::LLVM::LLVMFuncOp copy) const;
  bool isFixed(mlir::LLVM::LoadOp load) const;
  void loadOnce(mlir::LLVM::LLVMFuncOp copy) const;
  bool combine(mlir::LLVM::LLVMFuncOp copy, SharedReduction &reduction) const;

  const mlir::SymbolTable &symbols;
  const TypeLayout &layout;
  /// Parameters for which each child has a place of its own.
  llvm::SmallSet<unsigned, 4> places;
  llvm::SmallVector<SharedReduction> reductions;
};

/// Has such a copy combine as soon as it is certain to, so that nothing is left
/// to do after a sync. REQUIRES: where it begins once more it also returns.
void updateEarly(mlir::LLVM::LLVMFuncOp copy);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_SHAREDREDUCTIONS_H
