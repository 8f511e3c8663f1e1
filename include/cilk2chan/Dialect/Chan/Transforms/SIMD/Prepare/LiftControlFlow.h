//===- LiftControlFlow.h - A kernel's control flow, structured --*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_PREPARE_LIFTCONTROLFLOW_H
#define CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_PREPARE_LIFTCONTROLFLOW_H

#include "cilk2chan/Dialect/Chan/Chan.h"

#include "mlir/IR/OwningOpRef.h"

namespace cilk2chan {

/// A copy of `kernel` whose body is one block with `scf.if`,
/// `scf.index_switch` and `scf.while` in it, for the SIMD passes alone: the
/// verifier would refuse it.  A loop is the `before` region of an `scf.while`.
/// The selector of an `scf.index_switch` is an `unrealized_conversion_cast` of
/// an integer.  What speaks to debuggers or to the optimiser is left out.  Null
/// if the kernel has a loop without an end.
mlir::OwningOpRef<chan::KernelOp> liftControlFlow(chan::KernelOp kernel);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_PREPARE_LIFTCONTROLFLOW_H
