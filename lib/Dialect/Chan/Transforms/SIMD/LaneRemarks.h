//===- LaneRemarks.h - What is said of kernels with lanes -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_LANEREMARKS_H
#define CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_LANEREMARKS_H

#include "cilk2chan/Dialect/Chan/Chan.h"

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneShapes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Remarks.h"

namespace cilk2chan {

inline constexpr mlir::remark::RemarkOpts laneRemarks =
    mlir::remark::RemarkOpts::name("lanes").category("chan-simd");

/// Where in C a kernel's function is. Bodies of loops have no place of their
/// own: what enqueues them has.
mlir::Location placeOf(chan::KernelOp kernel);

/// What a call that keeps a kernel from having lanes is, and why it is none of
/// what is inlined.
std::string describe(mlir::LLVM::CallOp call, mlir::ModuleOp module);

/// Says how lanes go through the kernel, and how they access memory.
void explain(chan::KernelOp kernel, chan::KernelOp lifted,
             const LaneShapes &shapes);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_LANEREMARKS_H
