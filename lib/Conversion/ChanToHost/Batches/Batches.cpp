//===- Batches.cpp - Phases of whole batches ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes of a phase kernel a function over the groups of a batch.
//
//   chan.kernel @f.batch.0 phase 0 lanes 8   llvm.func @f.batch.0(worker,
//     %e, %m = chan.deq                                    batch, begin, end)
//     %n = chan.get "a0" of %e           ->    for (i = begin; i < end; i += 8)
//     chan.enq %c site 0                         n = a0[i .. i + 7]
//     chan.pend 1 mask %m                        children, marks[i / 8]
//
// The parts are classes: PhaseFunction is the function, LaneGroup the group
// that it is at. PhaseMarks, BatchChildren, ChildResults, BatchReductions and
// StreamCompaction each lower the operations that belong to them.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/ChanToHost/Batches/Batches.h"
#include "cilk2chan/Conversion/ChanToHost/LaneElements/LaneAccesses.h"

#include "BatchChildren.h"
#include "BatchReductions.h"
#include "ChildResults.h"
#include "PhaseMarks.h"
#include "StreamCompaction.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cilk2chan;

namespace {

/// Makes the body of the function of one phase kernel.
class PhaseLowering {
public:
  explicit PhaseLowering(PhaseFunction &phase)
      : phase(phase), builder(phase.builder), group(phase), marks(phase, group),
        children(phase, group), results(phase, group), reductions(phase),
        compaction(phase, group) {}

  void run();

private:
  void createLoop();
  void begin(Location loc);
  void beginGroup(chan::DeqOp deq, Block *first);
  void endGroup(Location loc);
  void finish(Location loc);

  void lower(Operation *op);
  void lower(chan::GetOp op);
  void lower(chan::EnqOp op);
  void lower(chan::ResultOp op);
  void lower(chan::BaseCasesHoistedOp op);

  PhaseFunction &phase;
  HostBuilder &builder;
  LaneGroup group;
  PhaseMarks marks;
  BatchChildren children;
  ChildResults results;
  BatchReductions reductions;
  StreamCompaction compaction;

  /// Where the batch has its results.
  Value ownResults;
  /// Where a group ends.
  Block *latch = nullptr;
};

} // namespace

//===----------------------------------------------------------------------===//
// The loop over groups
//===----------------------------------------------------------------------===//

/// for (position = begin; position < end && ...; position += step) body
void PhaseLowering::createLoop() {
  chan::KernelOp kernel = phase.kernel;
  LLVM::LLVMFuncOp function = phase.function;
  Location loc = kernel.getLoc();
  Block *entry = function.addEntryBlock(builder);
  Region &body = function.getBody();
  Block *first = phase.addBody(kernel, /*before=*/nullptr);
  group.registers.find(function, phase.count);
  Block *header = builder.createBlock(&body, std::next(Region::iterator(entry)),
                                      {builder.i64}, {loc});
  Block *begins = builder.createBlock(first);
  Block *exit = builder.createBlock(&body, body.end());
  latch = builder.createBlock(exit);
  group.position = header->getArgument(0);

  builder.setInsertionPointToEnd(entry);
  begin(loc);
  LLVM::BrOp::create(builder, loc, builder.extend(loc, function.getArgument(2)),
                     header);

  builder.setInsertionPointToEnd(header);
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult,
                                    group.position, phase.get(loc, group.end));
  more = children.andHasRoom(loc, more);
  LLVM::CondBrOp::create(builder, loc, more, begins, exit);
  phase.setLatch(kernel, latch);
  if (kernel.getCompacted())
    compaction.create(
        header, begins, exit, children.capacity,
        [&](chan::DeqOp deq, Block *first) { beginGroup(deq, first); });

  auto deq = cast<chan::DeqOp>(first->front());
  builder.setInsertionPointToEnd(begins);
  if (phase.isHandler())
    results.beginRecord(deq, first, exit);
  else
    beginGroup(deq, first);

  builder.setInsertionPointToEnd(latch);
  if (!phase.isHandler())
    endGroup(loc);
  Value next = LLVM::AddOp::create(
      builder, loc, group.position,
      builder.constant(loc, builder.i64, phase.isHandler() ? 1 : phase.count),
      LLVM::IntegerOverflowFlags::nsw | LLVM::IntegerOverflowFlags::nuw);
  LLVM::BrOp::create(builder, loc, next, header);

  builder.setInsertionPointToEnd(exit);
  finish(loc);
  Value last = LLVM::UMinOp::create(builder, loc, group.position,
                                    phase.get(loc, group.end));
  LLVM::ReturnOp::create(
      builder, loc,
      ValueRange(LLVM::TruncOp::create(builder, loc, builder.i32, last)));
}

/// Reads what holds for all groups.
void PhaseLowering::begin(Location loc) {
  group.begin(loc);
  ownResults = phase.field(loc, abi::batchResults);
  results.begin(loc);
  if (phase.isHandler())
    return results.beginHandler(loc);
  marks.begin(loc);
  children.begin(loc, results.getDestinations());
}

/// Leaves what concerns all groups.
void PhaseLowering::finish(Location loc) {
  if (phase.isHandler())
    return results.finishHandler(loc);
  marks.finish(loc);
  children.finish(loc);
}

/// Which lanes there are: those before the end, or those that wait for this
/// phase.
void PhaseLowering::beginGroup(chan::DeqOp deq, Block *first) {
  Location loc = deq.getLoc();
  unsigned number = phase.joinFree ? 0 : *phase.kernel.getPhase();
  group.find(loc, group.position);
  children.beginGroup(loc);
  marks.beginGroup(loc, number);
  if (!number) {
    group.fetchAhead(loc, group.index, /*isTime=*/{});
    group.registers.forget(loc);
    Value left = LLVM::TruncOp::create(
        builder, loc, builder.i32,
        LLVM::SubOp::create(builder, loc, phase.get(loc, group.end),
                            group.index));
    deq.getMask().replaceAllUsesWith(phase.lanes.firstOf(loc, left));
    LLVM::BrOp::create(builder, loc, first);
    return;
  }
  Value bits = LLVM::LoadOp::create(builder, loc, builder.i64,
                                    group.mark(loc, number - 1));
  Value any = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, bits,
                                   builder.constant(loc, builder.i64, 0));
  deq.getMask().replaceAllUsesWith(phase.lanes.maskOfLanes(loc, bits));
  group.registers.load(loc, group.locals);
  LLVM::CondBrOp::create(builder, loc, any, first, latch);
}

/// Stores what the group has collected.
void PhaseLowering::endGroup(Location loc) {
  if (!marks.areThere())
    return;
  marks.endGroup(loc);
  children.endGroup(loc);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void PhaseLowering::lower(chan::GetOp op) {
  if (!isa<VectorType>(op.getType()))
    group.readUniform(op);
  else if (compaction.refill.has(op))
    compaction.refill.lower(op);
  else
    group.read(op);
}

void PhaseLowering::lower(chan::EnqOp op) {
  children.lower(op, [&] {
    return compaction.refill.has(op) ? compaction.refill.getCursor(op.getLoc())
                                     : group.position;
  });
}

void PhaseLowering::lower(chan::ResultOp op) {
  Location loc = op.getLoc();
  Value all = op.getValue();
  auto type = cast<VectorType>(all.getType()).getElementType();
  if (type != inMemory(type))
    all = LLVM::ZExtOp::create(
        builder, loc, VectorType::get(phase.count, inMemory(type)), all);
  uint64_t size = phase.elements.dataLayout.storeSize(inMemory(type));
  LLVM::MaskedStoreOp::create(
      builder, loc, all, builder.element(loc, ownResults, size, group.index),
      op.getMask(), builder.getI32IntegerAttr(size));
}

/// It holds for all groups, but is read in each: what it decides is not worth a
/// register in all loops.
void PhaseLowering::lower(chan::BaseCasesHoistedOp op) {
  Location loc = op.getLoc();
  Value tested =
      builder.load(loc, builder.i32, phase.getBatch(), abi::batchTested);
  op.getHoisted().replaceAllUsesWith(
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, tested,
                           builder.constant(loc, builder.i32, 0)));
}

void PhaseLowering::lower(Operation *op) {
  Location loc = op->getLoc();
  auto inCompaction = [&](auto op) {
    if (compaction.refill.has(op))
      compaction.refill.lower(op);
    else
      compaction.queue.lower(op);
  };
  if (isa<chan::DeqOp, chan::TfreeOp, chan::TallocOp, chan::SetOp>(op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case<chan::GetOp, chan::EnqOp, chan::ResultOp, chan::BaseCasesHoistedOp>(
          [&](auto op) { lower(op); })
      .Case<chan::ChildOp, chan::DestinationOp>(
          [&](auto op) { results.lower(op); })
      .Case<chan::ReduceResultOp, chan::ReduceSharedOp>(
          [&](auto op) { reductions.lower(op); })
      .Case<chan::IterationEnqOp, chan::IterationDeqOp>(inCompaction)
      .Case([&](chan::IterationOp op) { compaction.lower(op); })
      .Case([&](chan::PendOp pend) { marks.lower(pend); })
      .Case([&](chan::LocalOp local) {
        local.getAddress().replaceAllUsesWith(
            builder.offset(loc, group.locals, local.getOffset() * phase.count));
      })
      .Case([&](chan::DoneOp done) {
        if (!phase.isHandler())
          group.registers.store(loc, group.locals);
        LLVM::BrOp::create(builder, loc, phase.latchOf(done));
      })
      .Default([](Operation *) {
        llvm_unreachable("every op of a phase is lowered");
      });
}

void PhaseLowering::run() {
  createLoop();
  SmallVector<Operation *> ops;
  phase.function.getBody().walk([&](Operation *op) {
    if (isa<chan::ChanDialect>(op->getDialect()))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    lower(op);
  }
  reductions.finish();
  for (Operation *op : llvm::reverse(ops))
    op->erase();
}

void Batches::lower(chan::KernelOp kernel) {
  PhaseFunction phase(builder, elements, lanes, vectorBits, kernel,
                      sites.lookup(kernel.getConsumes()));
  lanes.beginKernel(phase.count);
  if (Type stored = phase.isHandler() ? typeOfStores(kernel) : Type())
    createStores(phase, stored);
  else
    PhaseLowering(phase).run();
  expandLaneAccesses(phase.function, builder, vectorBits, gathers,
                     isSanitized(kernel));
  SymbolTable &symbols = builder.symbols.getSymbolTable(builder.module);
  if (kernel.getCompacted())
    for (auto part : kernel.getCompacted()->getAsRange<FlatSymbolRefAttr>())
      symbols.erase(symbols.lookup(part.getValue()));
  symbols.erase(kernel);
  symbols.insert(phase.function);
}
