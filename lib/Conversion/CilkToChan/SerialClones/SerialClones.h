//===- SerialClones.h - Functions that call their children ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `f.serial(worker, args...)` is f as its serial elision has it: a child is
// called, a sync does nothing.  The runtime uses it where all workers have
// work. A clone polls for requests of other workers.  Where it polls, the
// activation has had no effect yet, so that it can start again as a kernel
// (BaseCaseCheck.h). A function that spawns in a loop may have all the work
// there is yet to spawn. It polls in front of each child.  Once promoted, it
// goes on in a slow path (SlowPath.h), where its children become elements of
// levels of its own, for which its syncs wait (chan/abi.h, "serial clones").
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_SERIALCLONES_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_SERIALCLONES_H

#include "LoopObjects.h"
#include "cilk2chan/Conversion/CilkToChan/Stacks.h"

#include "cilk2chan/Support/TypeLayout.h"

namespace cilk2chan {

class SerialClones {
public:
  SerialClones(Stacks &stacks, mlir::SymbolTable &symbols,
               const TypeLayout &layout, bool countTasks)
      : stacks(stacks), symbols(symbols), layout(layout),
        countTasks(countTasks),
        hasStrands(symbols.getOp()->hasAttr(StrandsAttribute)) {}

  /// Copies `function`, before anything is done to it, if it can be cloned.  A
  /// remark (`chan-serial`) tells.
  void add(mlir::LLVM::LLVMFuncOp function);
  /// Makes the clones, and tells the stacks of them.  REQUIRES: the stacks of
  /// all functions are there.
  void lower();

private:
  struct Clone {
    mlir::LLVM::LLVMFuncOp function;
    /// The spawning function, and the C function that it is a part of.
    llvm::StringRef source, part;
    /// Whether it is a loop, or the body of one, for the clone of the function
    /// that has the loop, or for such a loop, and will be nowhere else.
    bool isInlined = false;
  };
  class Lowering;

  /// The body of the loop if it is a range of one (CilkForToSpawn.cpp), or
  /// null.
  mlir::LLVM::LLVMFuncOp bodyOfRange(const Clone &clone) const;
  void addClone(mlir::LLVM::LLVMFuncOp function, bool isInlined);
  /// What a clone calls for a spawning function: null if that has no clone.
  mlir::LLVM::LLVMFuncOp calledFor(llvm::StringRef source,
                                   bool fromInlined) const;

  Stacks &stacks;
  mlir::SymbolTable &symbols;
  const TypeLayout &layout;
  /// Whether activations that are no base cases are counted.
  bool countTasks;
  /// Whether the module has reducers.
  bool hasStrands;
  llvm::SmallVector<Clone> clones;
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> bySource, inlinedBySource;
  LoopObjects loopObjects;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_SERIALCLONES_H
