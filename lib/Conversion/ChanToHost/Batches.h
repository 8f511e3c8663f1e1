//===- Batches.h - Phases of whole batches ----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_H

#include "Lanes.h"

namespace cilk2chan {

/// Lowers phase kernels to functions over the groups of a batch (chan/abi.h,
/// "batches").
///
/// What a group leaves in memory for the next phase it collects in variables,
/// which LLVM makes registers: masks, and how many children there are.
class Batches {
public:
  /// `sites` has the number of spawn sites of each entry stack with a batch.
  Batches(HostBuilder &builder, const Elements &elements, Lanes &lanes,
          llvm::StringMap<unsigned> sites, unsigned vectorBits)
      : builder(builder), elements(elements), lanes(lanes),
        sites(std::move(sites)), vectorBits(vectorBits) {}

  /// Replaces the kernel by its function.
  void lower(chan::KernelOp kernel);

private:
  void createLoop();
  void beginGroup(chan::DeqOp deq, mlir::Block *first);
  void endGroup();
  void lower(mlir::Operation *op);
  void lower(chan::EnqOp op);
  void lower(chan::ChildOp op);

  mlir::Value variable(mlir::Location loc);
  mlir::Value field(mlir::Location loc, int32_t offset);
  /// The address of a word of the group's marks.
  mlir::Value mark(mlir::Location loc, unsigned number);
  /// A mask as 64 bits, and back.
  mlir::Value bitsOf(mlir::Location loc, mlir::Value mask);
  mlir::Value maskOf(mlir::Location loc, mlir::Value bits);

  HostBuilder &builder;
  const Elements &elements;
  Lanes &lanes;
  const llvm::StringMap<unsigned> sites;
  const unsigned vectorBits;

  // Of the kernel being lowered.
  chan::KernelOp kernel;
  mlir::LLVM::LLVMFuncOp function;
  unsigned count = 0, phaseCount = 0, siteCount = 0;
  mlir::Block *latch = nullptr;
  /// Of the group's first element, and the end of the elements.
  mlir::Value index, end;
  mlir::Value results, childResults;
  llvm::SmallVector<mlir::Value> fields, childFields;
  /// Of the group.
  mlir::Value locals, marks;
  /// Variables of the first phase: how many children there are, and the phases
  /// that are waited for; masks by phase and by site, and the first child of
  /// each site.
  mlir::Value childCount, pending;
  llvm::SmallVector<mlir::Value> waiting, masks, starts;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_H
