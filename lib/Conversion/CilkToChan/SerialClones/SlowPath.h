//===- SlowPath.h - The other copy of a serial clone's body -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Control leaves the fast path for the slow path in front of a spawn or call,
// once, when the activation is promoted.  It goes on there until the activation
// returns.  So the fast path has nothing to do beside the serial elision but to
// poll, and LLVM makes of it what it makes of the elision: no memory that only
// the slow path needs is in its way.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_SLOWPATH_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_SLOWPATH_H

#include "cilk2chan/Support/TypeLayout.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace cilk2chan {

/// Whether control may leave the fast path in front of any spawn or call of
/// `function`: what is live there has to fit into memory.
bool mayHaveSlowPath(mlir::LLVM::LLVMFuncOp function);

/// Whether a spawn, or a call of what spawns, is in a loop: what an activation
/// has yet to spawn may be all the work there is, and what it calls may be too
/// little to have a kernel wait for.
bool goesOnInLoops(mlir::LLVM::LLVMFuncOp function);
/// The same for calls alone.
bool callsInLoops(mlir::LLVM::LLVMFuncOp function);

/// Whether other workers have something to do beside what a spawn begins.  Of a
/// call, or of a spawn that is waited for at once, they can only have a part,
/// and the child polls for that itself.
bool offersWork(mlir::Operation *site);

/// Whether only accesses know the address of `object`, and spawns that deliver
/// there, of which there are some.
bool isDestination(mlir::Value object);

/// Where an activation polls: in front of `op`.
struct PollPoint {
  mlir::Operation *op;
  /// For the stack's end, and for requests of work.
  bool forStack, forWork;
};

/// Where an activation of `function` polls:
///
/// * for requests, in front of those `sites` that offer work;
/// * with `forStack`, for the stack's end where the outermost loop of a site
///   begins, unless it did so before on every path and the stack ends where it
///   did.
llvm::SmallVector<PollPoint> pollPoints(mlir::LLVM::LLVMFuncOp function,
                                        llvm::ArrayRef<mlir::Operation *> sites,
                                        bool forStack);

/// Moves what is computed anew in each kernel to where it dominates all.
void hoistConstants(mlir::LLVM::LLVMFuncOp function);

class SlowPath {
public:
  /// Copies what control reaches from `sites`, each of which becomes the first
  /// operation of a block.  REQUIRES: hoistConstants.
  SlowPath(mlir::LLVM::LLVMFuncOp function,
           llvm::ArrayRef<mlir::Operation *> sites, const TypeLayout &layout);

  /// Ends the block where `builder` stands by going on with the copy of `site`.
  void enter(mlir::OpBuilder &builder, mlir::Operation *site);

  /// An operation's copy; null if it has none.
  mlir::Operation *copyOf(mlir::Operation *op) const;
  /// What a value is in the copy; null if that is not one value.
  mlir::Value copyOf(mlir::Value value) const;
  /// The operations of the copy.
  template <typename Op> llvm::SmallVector<Op> getOps() const {
    llvm::SmallVector<Op> ops;
    for (mlir::Block *block : copies)
      llvm::append_range(ops, block->getOps<Op>());
    return ops;
  }

private:
  /// A local variable of the function.
  mlir::Value makeVariable(mlir::Type type, mlir::Location loc,
                           uint64_t alignment = 0);
  mlir::Value apart(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value);
  void findObjects();
  void findValues();
  void separateObjects();
  void copy();
  void useVariables();

  mlir::LLVM::LLVMFuncOp function;
  llvm::SmallVector<mlir::Operation *> sites;
  const TypeLayout &layout;
  /// What is copied, in the order of the function, and the copies.
  llvm::SmallVector<mlir::Block *> blocks, copies;
  mlir::IRMapping mapping;
  /// What is live where control leaves, and where it lies from then on.
  llvm::MapVector<mlir::Value, mlir::Value> variables;
  /// Where each site's copy begins, and what is live there of these.
  llvm::DenseMap<mlir::Operation *, mlir::Block *> starts;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> liveAt;
  /// Small local objects whose address is known only to accesses and to spawns
  /// that store there, and that are arrays or stored to by these.  Each path
  /// has its own, so that the fast path's can be in registers.
  llvm::MapVector<mlir::Value, mlir::Value> objects;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_SLOWPATH_H
