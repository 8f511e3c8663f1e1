//===- Batches.h - Phases of whole batches ----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_H

#include "GroupRegisters.h"
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
          llvm::StringMap<unsigned> sites, unsigned vectorBits, bool gathers)
      : builder(builder), elements(elements), lanes(lanes),
        sites(std::move(sites)), vectorBits(vectorBits), gathers(gathers),
        registers(builder) {}

  /// Replaces the kernel by its function.
  void lower(chan::KernelOp kernel);

private:
  /// What lanes combine in variables: a vector of what each has, and what all
  /// of those have that had the same; null if it is with the rest.
  struct Accumulator {
    chan::Combination by;
    mlir::Type element;
    mlir::Value address, lanes, counted;
  };

  /// Lanes of a compacted kernel that are refilled, with its parts.
  /// Variables: what they go on with, and the mask of those that are in the
  /// loop. `entered` are those that begin elements, which `enters` says.
  struct Wavefront {
    mlir::OwningOpRef<chan::KernelOp> entering, iterating;
    llvm::SmallVector<mlir::Value> values;
    mlir::Value present, entered;
    chan::RequeueOp enters;
    /// By `chan.get`: what has been loaded from the cursor on.
    llvm::DenseMap<mlir::Operation *, mlir::Value> loaded;
  };

  mlir::Block *addBody(chan::KernelOp from, mlir::Block *before);
  void createLoop();
  void createCompacted(mlir::Block *header, mlir::Block *beginsGroup,
                       mlir::Block *exit);
  mlir::Block *createRounds(mlir::Block *header, mlir::Block *exit);
  void createQueue(mlir::Location loc, chan::ResumeOp resume);
  mlir::Value isSparse(mlir::Location loc);
  mlir::Block *createRefilled(mlir::Block *header, mlir::Block *exit);
  void createWavefront(Wavefront &wavefront);
  mlir::Block *createFill(Wavefront &wavefront, mlir::Block *next);
  mlir::Block *createIteration(Wavefront &wavefront, mlir::Block *next);
  mlir::Value anyOf(mlir::Location loc, mlir::Value mask);
  mlir::Value presentOf(mlir::Location loc, const Wavefront &wavefront);
  mlir::Value atCursor(chan::GetOp op);
  void refill(chan::GetOp op, Wavefront &wavefront);
  void refill(chan::RequeueOp op, const Wavefront &wavefront);
  void refill(chan::ResumeOp op, const Wavefront &wavefront);
  void begin(mlir::Location loc);
  void finish(mlir::Location loc);
  mlir::Value localsOf(mlir::Location loc, mlir::Value first);
  void findGroup(mlir::Location loc, mlir::Value first);
  void fetchAhead(mlir::Location loc, mlir::Value from, mlir::Value isTime);
  void beginGroup(chan::DeqOp deq, mlir::Block *first);
  void beginRecord(chan::DeqOp deq, mlir::Block *first, mlir::Block *exit);
  mlir::Value isOwn(mlir::Location loc, mlir::Value record);
  mlir::Type storedAsReceived();
  void createStores(mlir::Type type);
  void endGroup();
  mlir::Value groupOf(mlir::Location loc, mlir::Value number);
  void lower(mlir::Operation *op);
  void readUniform(chan::GetOp op, const ElementLayout::Field &field,
                   mlir::Value place);
  void lower(chan::EnqOp op);
  void lower(chan::ChildOp op);
  Accumulator &accumulatorOf(mlir::Location loc, mlir::Value address,
                             chan::Combination by, mlir::Type element);
  void countLanes(mlir::Location loc, const Accumulator &to, mlir::Value value,
                  mlir::Value mask);
  void accumulate(mlir::Location loc, const Accumulator &to, mlir::Value value,
                  mlir::Value mask);
  mlir::Value totalOf(mlir::Location loc, const Accumulator &one,
                      uint32_t number);
  void leaveAccumulated();
  std::optional<unsigned> countSpawns();
  void flushIfFull(mlir::Location loc, mlir::Value begins);
  void lower(chan::RequeueOp op);
  void lower(chan::ResumeOp op);
  void lower(chan::TripOp op);
  void lower(chan::TestedOp op);

  mlir::Value variable(mlir::Location loc, mlir::Type type = {});
  mlir::Value get(mlir::Location loc, mlir::Value variable);
  void set(mlir::Location loc, mlir::Value variable, mlir::Value value);
  mlir::Value field(mlir::Location loc, int32_t offset);
  /// The address of a word of the group's marks.
  mlir::Value mark(mlir::Location loc, unsigned number);
  bool isReceiver() { return *kernel.getPhase() >= phaseCount && !accumulates; }
  /// Whether lanes may wait for a phase after this one.
  bool leavesMarks() {
    return !accumulates && (*kernel.getPhase() == 0 || !isInOrder);
  }
  /// Whether somebody is to know which lanes spawned.
  bool recordsSpawns() { return !isInOrder && !accumulates; }

  HostBuilder &builder;
  const Elements &elements;
  Lanes &lanes;
  const llvm::StringMap<unsigned> sites;
  const unsigned vectorBits;
  const bool gathers;
  GroupRegisters registers;

  // Of the kernel being lowered.
  chan::KernelOp kernel;
  mlir::LLVM::LLVMFuncOp function;
  unsigned count = 0, phaseCount = 0, siteCount = 0;
  bool isInOrder = false, spawns = false;
  /// How many children of a group there is always room for, if that is all.
  std::optional<unsigned> mostPerGroup;
  /// How, if it is the kernel that does.
  std::optional<chan::Combination> accumulates;
  mlir::Block *latch = nullptr;
  /// Where those go that are done, by what kernel they were in.
  llvm::SmallDenseMap<mlir::Operation *, mlir::Block *> latches;
  llvm::DenseMap<mlir::Operation *, chan::KernelOp> origins;
  /// Of all groups.
  mlir::Value sliceBegin, results, childResults, allLocals, allMarks;
  mlir::Value children, capacity, mostChildren, spawned, destinations;
  llvm::SmallVector<mlir::Value> fields, childFields;
  /// Of the loop: where the group's elements or its record stand; the index of
  /// its first element, its locals and marks.
  mlir::Value position, index, locals, marks;
  /// Of a record: the first child's index, and its lanes.
  mlir::Value start, maskOfKernel;
  /// Variables: the end of the elements or records, how many children and
  /// records there are, the phases that are waited for, the results that were
  /// received, the group that a receiver has in registers.
  mlir::Value end, childCount, spawnedCount, pending, received, held;
  llvm::SmallVector<Accumulator, 2> accumulators;
  /// Of a compacted kernel; variables: trips of the loop, and lanes in these.
  mlir::Value tripCount, attended;
  /// If that has a queue: where values wait that are requeued, and how many
  /// find room; the number of the first that resume. A variable: how many there
  /// are.
  llvm::SmallVector<mlir::Value> queue;
  uint64_t queueCapacity = 0;
  mlir::Value hasQueue, resumed, queued;
  /// If its lanes are refilled: whose part an operation is of. A variable: the
  /// next element that one of them begins.
  std::vector<Wavefront> wavefronts;
  llvm::DenseMap<mlir::Operation *, Wavefront *> wavefrontOf;
  mlir::Value cursor;
  /// Variables of the group: masks by phase and by site, and the first child of
  /// each site.
  llvm::SmallVector<mlir::Value> waiting, masks, starts;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_H
