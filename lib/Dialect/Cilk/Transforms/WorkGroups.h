//===- WorkGroups.h - Iterations whose inner loops have threads -*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An iteration of an outer loop whose body has inner loops becomes a work-group
// of threads.  All of them run the body: what is between the inner loops each
// of them, with the same values; of an inner loop the iterations that are its
// own.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_WORKGROUPS_H
#define CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_WORKGROUPS_H

#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/TypeLayout.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

namespace cilk2chan {

/// The work-group that an iteration of a loop becomes.
class WorkGroup {
public:
  /// Nothing if the iterations of the loop with this body do not become
  /// work-groups; if the body has inner loops, `obstacle` then says why.
  static std::optional<WorkGroup> find(mlir::LLVM::LLVMFuncOp body,
                                       mlir::SymbolTable &symbols,
                                       const TypeLayout &layout,
                                       std::string &obstacle);

  /// Threads of a group, a power of two.
  unsigned getSize() const { return size; }
  /// Bytes of the memory that they share.
  uint64_t getBytes() const { return bytes; }

  /// Appends to `function`, which is run once for each thread, what a thread
  /// of the group does: the body of the loop for the iteration `group`, with
  /// `captures`.  `thread` is the thread's number in its group.  The builder is
  /// at the end of a block.
  void emit(mlir::OpBuilder &builder, mlir::LLVM::LLVMFuncOp function,
            mlir::SymbolTable &symbols, mlir::Value group, mlir::Value thread,
            mlir::ValueRange captures);

private:
  friend class GroupEmitter;
  friend class GroupFinder;

  mlir::LLVM::LLVMFuncOp body;
  unsigned size = 1;
  uint64_t bytes = 0;
  /// Where in the shared memory objects of the body lie, and where results of
  /// what one thread does for all.
  llvm::MapVector<mlir::Operation *, uint64_t> places;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_WORKGROUPS_H
