//===- Preparation.h - Bodies that can be split -----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_CILKTOCHAN_PREPARATION_H
#define CILK2CHAN_CONVERSION_CILKTOCHAN_PREPARATION_H

#include "cilk2chan/Conversion/CilkToChan/Phases.h"
#include "cilk2chan/Conversion/CilkToChan/Stacks.h"

namespace cilk2chan {

/// Makes the body of a spawning function one that can be split into kernels:
///
/// * Branches that are there for serial clones take their only way.
/// * Scopes of C do not end anything: a kernel's objects live as long as the
///   activation.
/// * `cilk.synched` is the flag that it has for kernels.
/// * A `cilk.call` of what another definition may replace is a plain call.
/// * Syncs are normalised (Phases.h), with `hasLast` as there.
void prepareToSplit(mlir::LLVM::LLVMFuncOp function,
                    const mlir::SymbolTable &symbols, const Stacks &stacks,
                    bool hasLast = false);

/// Replaces `cilk.synched` by its flag: a kernel knows of an activation only
/// whether it has spawned since its last sync.
void useSynchedFlags(mlir::LLVM::LLVMFuncOp function);

/// While this object lives, a function has a prepared copy of its body, without
/// debug records.  Then it has its own again.
class PreparedBody {
public:
  PreparedBody(mlir::LLVM::LLVMFuncOp function,
               const mlir::SymbolTable &symbols, const Stacks &stacks);
  PreparedBody(const PreparedBody &) = delete;
  PreparedBody &operator=(const PreparedBody &) = delete;
  ~PreparedBody();

private:
  mlir::LLVM::LLVMFuncOp function;
  mlir::Region original;
};

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_CILKTOCHAN_PREPARATION_H
