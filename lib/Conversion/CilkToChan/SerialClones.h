//===- SerialClones.h - Spawning functions that call their children -*- C++
//-*-//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `f.serial(worker, args...)` is f as its serial elision has it: a child is
// called, a sync does nothing.  The runtime uses it where there is work enough
// for everybody.  One comparison before each call tells when that is over; the
// activation then leaves this, its fast path, and goes on in its slow path
// (SlowPath.h): its children become elements of levels of its own, for which
// its syncs wait (chan/abi.h, "serial clones").
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_H

#include "Stacks.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace cilk2chan {

class SerialClones {
public:
  SerialClones(Stacks &stacks, mlir::SymbolTable &symbols,
               const mlir::DataLayout &layout)
      : stacks(stacks), symbols(symbols), layout(layout) {}

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
  };
  class Lowering;

  Stacks &stacks;
  mlir::SymbolTable &symbols;
  const mlir::DataLayout &layout;
  llvm::SmallVector<Clone> clones;
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> bySource;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_H
