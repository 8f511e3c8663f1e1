//===- PhaseFunction.h - The function that a phase kernel becomes  -*- C++
//-*--===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_PHASEFUNCTION_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_PHASEFUNCTION_H

#include "cilk2chan/Conversion/ChanToHost/LaneElements/LaneElements.h"

namespace cilk2chan {

/// A phase kernel while it becomes a function over the groups of a batch:
///
///   i32 phase(chan_worker *, chan_batch *, i32 begin, i32 end)
///
/// All parts of the lowering share it. What a group leaves in memory for the
/// next phase they collect in variables, which LLVM makes registers.
class PhaseFunction {
public:
  /// The function is empty. The stack that `kernel` consumes has so many spawn
  /// `sites`.
  PhaseFunction(HostBuilder &builder, const Elements &elements, Lanes &lanes,
                unsigned vectorBits, chan::KernelOp kernel, unsigned sites);

  /// Whether the kernel handles the results of one site's children.
  bool isHandler() { return *kernel.getPhase() >= phaseCount && !joinFree; }
  /// Whether lanes may wait for a phase after this one.
  bool leavesMarks() {
    return !joinFree && (*kernel.getPhase() == 0 || !isPositional);
  }
  /// Whether result handlers are to know which lanes spawned.
  bool recordsSpawns() { return !isPositional && !joinFree; }

  /// A local variable; without a type, of 64 bits.
  mlir::Value variable(mlir::Location loc, mlir::Type type = {});
  mlir::Value get(mlir::Location loc, mlir::Value variable);
  void set(mlir::Location loc, mlir::Value variable, mlir::Value value);
  /// Stores a variable as 32 bits.
  void store32(mlir::Location loc, mlir::Value variable, mlir::Value base,
               int32_t offset);
  /// 32 bits, extended to 64.
  mlir::Value load32(mlir::Location loc, mlir::Value base, int32_t offset) {
    return builder.extend(loc, builder.load(loc, builder.i32, base, offset));
  }
  /// A pointer of the batch's.
  mlir::Value field(mlir::Location loc, int32_t offset) {
    return builder.load(loc, builder.pointer, getBatch(), offset);
  }
  mlir::Value getWorker() { return function.getArgument(0); }
  mlir::Value getBatch() { return function.getArgument(1); }
  mlir::Value getBegin() { return function.getArgument(2); }
  mlir::Value getEnd() { return function.getArgument(3); }

  /// Moves the body of a kernel into the function; returns its first block.
  mlir::Block *addBody(chan::KernelOp from, mlir::Block *before);
  /// Where control goes on after the elements of a kernel whose body has been
  /// added.
  void setLatch(chan::KernelOp from, mlir::Block *latch) {
    latches[from] = latch;
  }
  mlir::Block *latchOf(chan::DoneOp done) const {
    return latches.lookup(origins.lookup(done));
  }

  HostBuilder &builder;
  const Elements &elements;
  Lanes &lanes;
  const unsigned vectorBits;

  chan::KernelOp kernel;
  mlir::LLVM::LLVMFuncOp function;
  /// Lanes; phases of the batch; sites whose results are positional.
  unsigned count = 0, phaseCount = 0, siteCount = 0;
  /// Whether a child's result is found by the position of the child: there are
  /// no result handlers.
  bool isPositional = false;
  bool spawns = false;
  /// By what the kernel combines all results of the batch, if it is the one
  /// that does.
  std::optional<chan::Combination> joinFree;
  /// How many children of a group there is always room for, if that is all.
  std::optional<unsigned> mostPerGroup;

private:
  std::optional<unsigned> countSpawns(unsigned sites);

  llvm::DenseMap<mlir::Operation *, chan::KernelOp> origins;
  llvm::SmallDenseMap<mlir::Operation *, mlir::Block *> latches;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_PHASEFUNCTION_H
