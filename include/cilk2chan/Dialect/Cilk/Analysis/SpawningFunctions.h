//===- SpawningFunctions.h - What is known of a spawning function *- C++
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_ANALYSIS_SPAWNINGFUNCTIONS_H
#define CILK2CHAN_DIALECT_CILK_ANALYSIS_SPAWNINGFUNCTIONS_H

#include "cilk2chan/Support/Markers.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2chan {

namespace cilk {
class CallOp;
} // namespace cilk

/// Whether another definition may take this one's place when the program is
/// linked.
bool isInterposable(mlir::LLVM::LLVMFuncOp function);

/// Whether the function is known by no C symbol, so that only spawns and calls
/// of this module lead to it.
inline bool isUnnamed(mlir::LLVM::LLVMFuncOp function) {
  return function.getLinkage() == mlir::LLVM::Linkage::Private;
}

/// Whether the spawning function of this name is a loop, or the body of one.
inline bool isLoop(llvm::StringRef name) {
  return name.starts_with(RangePrefix) || name.starts_with(BodyPrefix);
}

/// Whether it is that, or a block.  In any recursion there is a function that
/// is not, or a loop.
inline bool isOutlined(llvm::StringRef name) {
  return isLoop(name) || name.starts_with(BlockPrefix) ||
         name.starts_with(ChildPrefix);
}

/// Whether a spawn in the place of `call` would let something run in parallel:
/// before a sync, control may reach another spawn or call of a spawning
/// function, which does not need the result of `call`.
bool gainsBySpawn(cilk::CallOp call);

/// The C function whose part a spawning function is.
inline mlir::FlatSymbolRefAttr sourceOf(mlir::LLVM::LLVMFuncOp function) {
  if (auto source =
          function->getAttrOfType<mlir::FlatSymbolRefAttr>(SourceAttribute))
    return source;
  return mlir::FlatSymbolRefAttr::get(function);
}

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CILK_ANALYSIS_SPAWNINGFUNCTIONS_H
