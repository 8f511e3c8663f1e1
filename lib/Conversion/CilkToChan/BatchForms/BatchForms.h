//===- BatchForms.h - Activations that stay in place ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second way to split a function, beside frames and slots (KernelBuilder):
// the elements of a batch stay where they are until they return, what lives
// across a sync lies at the element's own index, and children stand in the
// order of their parents, so that a result needs no address.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_BATCHFORMS_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_BATCHFORMS_H

#include "cilk2chan/Conversion/CilkToChan/Phases.h"
#include "cilk2chan/Conversion/CilkToChan/Stacks.h"

#include "cilk2chan/Support/TypeLayout.h"

namespace cilk2chan {

class BatchForms {
public:
  struct Options {
    /// Also of functions that would take long if most lanes are not there.
    bool longLoops;
    /// With parents that evaluate base cases of their children.
    bool hoist;
    /// With a kernel for the combination of results.
    bool reductions;
    /// Has what all elements of a batch have the same of there once.
    bool uniform;
    /// Finds results by their place among the children where it can.
    bool positional;
  };

  BatchForms(Stacks &stacks, const mlir::SymbolTable &symbols,
             const TypeLayout &layout, const Options &options)
      : stacks(stacks), symbols(symbols), layout(layout), options(options) {}

  /// Makes the phase kernels of those functions that can have them; a remark
  /// (`chan-batch`) says of the others why not.  REQUIRES: the stacks of all
  /// functions are there.
  void build(llvm::ArrayRef<mlir::LLVM::LLVMFuncOp> functions,
             llvm::ArrayRef<Phases> phases);

private:
  Stacks &stacks;
  const mlir::SymbolTable &symbols;
  const TypeLayout &layout;
  const Options options;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_BATCHFORMS_H
