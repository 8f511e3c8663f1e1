//===- ChanToHost.cpp - Kernels as batch functions on libchan -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes of each plain kernel a function over a part of a block of elements, which
// the runtime calls: a loop that treats one element at a time.
//
//   chan.kernel @f.0 consumes @f.entry     llvm.func @f.0(worker, block,
//     %e = chan.deq                                       begin, end)
//     %n = chan.get "a0" of %e         ->    for (i = begin; i < end; ++i)
//     ... chan.done                            n = block->a0[i]; ...
//
// Phase kernels become functions over a batch (Batches/). Serial clones get
// their entries (SerialClones/), and stacks become descriptors that are
// registered with the runtime (RuntimeInterface/).
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/ChanToHost/Batches/Batches.h"
#include "cilk2chan/Conversion/ChanToHost/Elements/Tallocs.h"
#include "cilk2chan/Conversion/ChanToHost/LaneElements/LaneElements.h"
#include "cilk2chan/Conversion/ChanToHost/SerialClones/CallsFromClones.h"
#include "cilk2chan/Conversion/ChanToHost/SerialClones/Polls.h"
#include "cilk2chan/Conversion/ChanToHost/SerialClones/Serial.h"
#include "cilk2chan/Conversion/RuntimeInterface/Descriptors.h"
#include "cilk2chan/Conversion/RuntimeInterface/ElementLayout.h"
#include "cilk2chan/Conversion/RuntimeInterface/HostBuilder.h"
#include "cilk2chan/Conversion/RuntimeInterface/Stubs.h"

#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Conversion/Tuning.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/TypeLayout.h"
#include "cilk2chan/Support/WorkingOn.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CHANTOHOST
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {

class HostLowering {
public:
  HostLowering(ModuleOp module, const TypeLayout &layout, unsigned vectorBits,
               bool gathers)
      : builder(module), elements(module, layout), tallocs(builder, elements),
        lanes(builder, vectorBits),
        batches(builder, elements, lanes, countSites(module), vectorBits,
                gathers) {
    for (auto kernel : module.getOps<chan::KernelOp>())
      if (kernel.getPhase())
        runOtherwise.insert(kernel.getSourceAttr());
    for (auto stack : module.getOps<chan::StackOp>())
      if (stack.getSerial())
        runOtherwise.insert(stack.getFunctionAttr());
  }

  void lowerKernel(chan::KernelOp kernel);

private:
  /// The loop over elements: what it takes of its block and up to which index,
  /// and where it goes on.
  struct Loop {
    chan::DeqOp deq;
    ElementPlace taken;
    Value end;
    Block *latch;
  };

  bool isMinimallyOptimized(chan::KernelOp kernel) const;
  LLVM::LLVMFuncOp createFunction(chan::KernelOp kernel, bool minimal);
  Loop createLoop(chan::KernelOp kernel, LLVM::LLVMFuncOp function,
                  bool minimal);
  void lower(Operation *op, Block *latch);
  void lowerFrame(chan::FrameOp op);
  void lowerFrameFree(chan::FrameFreeOp op);
  void lowerDeliver(chan::DeliverOp op);

  const ElementLayout::Field &field(Value element, StringRef name) {
    return elements.layout(element).field(name);
  }
  Value address(Location loc, Value element, const ElementLayout::Field &field);

  HostBuilder builder;
  Elements elements;
  Tallocs tallocs;
  Lanes lanes;
  Batches batches;
  /// The functions whose activations hardly ever run by kernels for one
  /// element, but in batches or as serial clones.
  llvm::DenseSet<Attribute> runOtherwise;

  // Of the kernel being lowered.
  Value worker;
  llvm::DenseMap<Value, ElementPlace> places;
};

} // namespace

Value HostLowering::address(Location loc, Value element,
                            const ElementLayout::Field &field) {
  const ElementPlace &place = places.find(element)->second;
  unsigned number = elements.layout(element).index(field);
  return builder.element(loc, place.fields[number], field.size, place.index);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// For a loop of one element at a time: each reads what the one before it may
/// have written, and copies of the body are nothing but more of it.
static LLVM::LoopAnnotationAttr asItStands(MLIRContext *context) {
  Builder builder(context);
  return LLVM::LoopAnnotationAttr::get(
      context, /*disableNonforced=*/builder.getBoolAttr(true), {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {});
}

/// Whether LLVM need not spend its time on `kernel`: it hardly ever runs, or
/// divides the iterations of a parallel loop, and does little but move
/// elements.
bool HostLowering::isMinimallyOptimized(chan::KernelOp kernel) const {
  bool isRange = kernel.getConsumes().starts_with(RangePrefix);
  if (!(isRange || runOtherwise.contains(kernel.getSourceAttr())))
    return false;
  unsigned count = 0;
  for (Block &block : kernel.getBody())
    for (Operation &op : block) {
      if (isa<LLVM::CallOp, LLVM::InlineAsmOp>(op))
        return false;
      count += !isa<chan::ChanDialect>(op.getDialect()) &&
               !op.hasTrait<OpTrait::ConstantLike>() &&
               !op.hasTrait<OpTrait::IsTerminator>();
    }
  if (count > tuning::mostMinimallyOptimized)
    return false;
  if (isRange || kernel.getBody().hasOneBlock())
    return true;
  DominanceInfo dominance(kernel);
  return CFGLoopInfo(dominance.getDomTree(&kernel.getBody())).empty();
}

/// An empty function, with what LLVM is told of it.
LLVM::LLVMFuncOp HostLowering::createFunction(chan::KernelOp kernel,
                                              bool minimal) {
  builder.setInsertionPoint(kernel);
  auto type = LLVM::LLVMFunctionType::get(
      builder.nothing,
      {builder.pointer, builder.pointer, builder.i32, builder.i32});
  auto function =
      LLVM::LLVMFuncOp::create(builder, kernel.getLoc(), kernel.getSymName(),
                               type, LLVM::Linkage::Internal);
  SmallVector<Attribute> attributes;
  if (auto source = kernel.getSource())
    attributes.push_back(builder.getStrArrayAttr({SourceAttribute, *source}));
  if (minimal)
    attributes.push_back(builder.getStringAttr(MinimallyOptimizedAttribute));
  if (!attributes.empty())
    function.setPassthroughAttr(builder.getArrayAttr(attributes));
  return function;
}

/// Moves the body of the kernel into the function:
///
///   for (index = begin; index < end; ++index) body
HostLowering::Loop HostLowering::createLoop(chan::KernelOp kernel,
                                            LLVM::LLVMFuncOp function,
                                            bool minimal) {
  Location loc = kernel.getLoc();
  Type i64 = builder.i64;
  Block *entry = function.addEntryBlock(builder);
  worker = entry->getArgument(0);
  Value block = entry->getArgument(1);
  Region &body = function.getBody();
  Block *first = &kernel.getBody().front();
  body.getBlocks().splice(body.end(), kernel.getBody().getBlocks());

  // LLVM would widen a counter of 32 bits, and that takes it time.
  Block *header = builder.createBlock(&body, std::next(Region::iterator(entry)),
                                      {i64}, {loc});
  Block *exit = builder.createBlock(&body, body.end());
  Block *latch = builder.createBlock(&body, Region::iterator(exit));
  Value index = header->getArgument(0);
  builder.setInsertionPointToEnd(entry);
  auto deq = cast<chan::DeqOp>(first->front());
  ElementPlace taken{
      block, index, /*count=*/{},
      fieldsOf(elements.layout(deq.getElement()), block, builder, loc)};
  Value begin = builder.extend(loc, entry->getArgument(2));
  Value end = builder.extend(loc, entry->getArgument(3));
  LLVM::BrOp::create(builder, loc, begin, header);
  builder.setInsertionPointToEnd(header);
  Value more =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, index, end);
  LLVM::CondBrOp::create(builder, loc, more, first, exit);
  builder.setInsertionPointToEnd(latch);
  Value next = LLVM::AddOp::create(
      builder, loc, index, builder.constant(loc, i64, 1),
      LLVM::IntegerOverflowFlags::nsw | LLVM::IntegerOverflowFlags::nuw);
  // LLVM's strength reduction does nothing with an index that it cannot follow,
  // and else takes a twentieth of the time of a file of short functions.
  if (minimal)
    next = LLVM::FreezeOp::create(builder, loc, next);
  auto back = LLVM::BrOp::create(builder, loc, next, header);
  back.setLoopAnnotationAttr(asItStands(builder.getContext()));
  builder.setInsertionPointToEnd(exit);
  LLVM::ReturnOp::create(builder, loc, ValueRange());

  // One stack slot serves all elements.
  for (auto alloca :
       llvm::make_early_inc_range(first->getOps<LLVM::AllocaOp>())) {
    alloca.getArraySize().getDefiningOp()->moveBefore(entry, entry->begin());
    alloca->moveAfter(alloca.getArraySize().getDefiningOp());
  }
  return {deq, std::move(taken), end, latch};
}

void HostLowering::lowerKernel(chan::KernelOp kernel) {
  WorkingOn working(kernel.getSymName());
  if (kernel.getPhase())
    return batches.lower(kernel);
  SmallVector<Operation *> polls = findPolls(kernel);
  bool minimal = isMinimallyOptimized(kernel);
  LLVM::LLVMFuncOp function = createFunction(kernel, minimal);
  Loop loop = createLoop(kernel, function, minimal);

  for (Operation *op : polls) {
    builder.setInsertionPoint(op);
    builder.call(op->getLoc(), "chan_poll", builder.nothing, worker);
  }

  places.clear();
  places[loop.deq.getElement()] = std::move(loop.taken);

  SmallVector<Operation *> ops;
  function.getBody().walk([&](Operation *op) {
    if (isa<chan::ChanDialect>(op->getDialect()))
      ops.push_back(op);
  });
  SmallVector<chan::TallocOp> allocations;
  for (Operation *op : ops)
    if (auto talloc = dyn_cast<chan::TallocOp>(op))
      allocations.push_back(talloc);
  tallocs.beginKernel(function, allocations);
  // Backwards: splitting a block takes the time of what comes after.
  for (chan::TallocOp op : llvm::reverse(allocations)) {
    builder.setInsertionPoint(op);
    places[op.getElement()] = tallocs.lower(op);
  }
  for (Operation *op : ops) {
    if (isa<chan::TallocOp>(op))
      continue;
    builder.setInsertionPoint(op);
    lower(op, loop.latch);
  }
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  SymbolTable &symbols = builder.symbols.getSymbolTable(builder.module);
  symbols.erase(kernel);
  symbols.insert(function);
}

void HostLowering::lower(Operation *op, Block *latch) {
  Location loc = op->getLoc();
  if (auto get = dyn_cast<chan::GetOp>(op)) {
    const auto &f = field(get.getElement(), get.getField());
    Value place = address(loc, get.getElement(), f);
    get.getValue().replaceAllUsesWith(
        LLVM::LoadOp::create(builder, loc, f.type, place, f.alignment));
  } else if (auto set = dyn_cast<chan::SetOp>(op)) {
    const auto &f = field(set.getElement(), set.getField());
    Value place = address(loc, set.getElement(), f);
    LLVM::StoreOp::create(builder, loc, set.getValue(), place, f.alignment);
  } else if (auto in = dyn_cast<chan::CopyInOp>(op)) {
    const auto &f = field(in.getElement(), in.getField());
    builder.copy(loc, address(loc, in.getElement(), f), in.getSource(), f.size);
  } else if (auto out = dyn_cast<chan::CopyOutOp>(op)) {
    const auto &f = field(out.getElement(), out.getField());
    builder.copy(loc, out.getDestination(), address(loc, out.getElement(), f),
                 f.size);
  } else if (auto enq = dyn_cast<chan::EnqOp>(op)) {
    const ElementPlace &element = places.find(enq.getElement())->second;
    Value count = LLVM::AddOp::create(builder, loc, element.count,
                                      builder.constant(loc, builder.i32, 1));
    builder.store(loc, count, element.block, abi::blockCount);
  } else if (auto deliver = dyn_cast<chan::DeliverOp>(op)) {
    lowerDeliver(deliver);
  } else if (auto frame = dyn_cast<chan::FrameOp>(op)) {
    lowerFrame(frame);
  } else if (auto free = dyn_cast<chan::FrameFreeOp>(op)) {
    lowerFrameFree(free);
  } else if (auto alloca = dyn_cast<chan::AllocaOp>(op)) {
    Value size = alloca.getSize();
    if (size.getType().getIntOrFloatBitWidth() < 64)
      size = builder.extend(loc, size);
    op->getResult(0).replaceAllUsesWith(builder.call(
        loc, "chan_arena_alloc", builder.pointer,
        {worker, alloca.getArena(), size,
         builder.constant(loc, builder.i64, alloca.getAlignment())}));
  } else if (auto free = dyn_cast<chan::AllocaFreeOp>(op)) {
    builder.call(loc, "chan_arena_free", builder.nothing,
                 {worker, free.getArena()});
  } else if (auto defer = dyn_cast<chan::DeferOp>(op)) {
    Value apply = defer.getApplyAttr() ? builder.address(loc, *defer.getApply())
                                       : builder.null(loc);
    op->getResult(0).replaceAllUsesWith(builder.call(
        loc, "chan_defer", builder.pointer,
        {worker, defer.getPending(), apply, defer.getDestination(),
         builder.constant(loc, builder.i64, defer.getSize()),
         builder.constant(loc, builder.i64, defer.getAlignment())}));
  } else if (auto apply = dyn_cast<chan::ApplyOp>(op)) {
    builder.call(loc, "chan_apply", builder.nothing,
                 {worker, apply.getPending()});
  } else if (isa<chan::DoneOp>(op)) {
    LLVM::BrOp::create(builder, loc, latch);
  } else {
    // The batch function reads its elements where they stand, and the runtime
    // frees them by the block.
    assert((isa<chan::DeqOp, chan::TfreeOp>(op)) && "every chan op is lowered");
  }
}

void HostLowering::lowerDeliver(chan::DeliverOp op) {
  Location loc = op.getLoc();
  Value wanted = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                      op.getSlot(), builder.null(loc));
  Block *before = builder.getInsertionBlock();
  Block *after = builder.splitHere();
  Block *deliver = builder.createBlock(after);
  // The destination may be less aligned than its type: a packed struct's
  // member, an AVX vector in a frame.
  LLVM::StoreOp::create(builder, loc, op.getValue(), op.getSlot(),
                        /*alignment=*/1);
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, wanted, deliver, after);
}

/// Frames of the small classes are recycled inline through the worker's lists.
static uint64_t frameClass(uint64_t size) {
  return std::min((size + abi::frameGrain - 1) / abi::frameGrain - 1,
                  abi::frameClasses);
}
static int32_t freeList(uint64_t frameClass) {
  return abi::workerFreeFrames + frameClass * abi::pointerSize;
}

void HostLowering::lowerFrame(chan::FrameOp op) {
  Location loc = op.getLoc();
  uint64_t kind = frameClass(op.getSize());
  auto allocate = [&] {
    return builder.call(loc, "chan_frame_new", builder.pointer,
                        {worker, builder.constant(loc, builder.i32, kind),
                         builder.constant(loc, builder.i64, op.getSize())});
  };
  if (kind == abi::frameClasses) {
    op.getFrame().replaceAllUsesWith(allocate());
    return;
  }
  Value free = builder.load(loc, builder.pointer, worker, freeList(kind));
  Value empty = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                     free, builder.null(loc));
  Block *before = builder.getInsertionBlock();
  Block *after = builder.splitHere();
  Value frame = after->addArgument(builder.pointer, loc);
  Block *slow = builder.createBlock(after);
  LLVM::BrOp::create(builder, loc, allocate(), after);
  Block *fast = builder.createBlock(after);
  builder.store(loc, builder.load(loc, builder.pointer, free, 0), worker,
                freeList(kind));
  LLVM::BrOp::create(builder, loc, free, after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, empty, slow, ValueRange(), fast,
                         ValueRange(), HostBuilder::unlikely);
  op.getFrame().replaceAllUsesWith(frame);
}

void HostLowering::lowerFrameFree(chan::FrameFreeOp op) {
  Location loc = op.getLoc();
  uint64_t kind = frameClass(op.getSize());
  if (kind == abi::frameClasses) {
    builder.call(loc, "chan_frame_delete", builder.nothing,
                 {worker, op.getFrame(),
                  builder.constant(loc, builder.i64, op.getSize())});
    return;
  }
  builder.store(loc, builder.load(loc, builder.pointer, worker, freeList(kind)),
                op.getFrame(), 0);
  builder.store(loc, op.getFrame(), worker, freeList(kind));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// A batch form as cilk-to-chan makes it, and chan-simd leaves it.
static LogicalResult checkBatchForm(chan::StackOp stack) {
  auto error = [&](StringRef missing) {
    return stack.emitOpError("has a batch that cannot run: ") << missing;
  };
  if (!stack.getSignature())
    return error("it has no signature");
  bool spawns = false;
  for (auto symbol : stack.getBatch()->getAsRange<FlatSymbolRefAttr>()) {
    auto kernel =
        SymbolTable::lookupNearestSymbolFrom<chan::KernelOp>(stack, symbol);
    if (!kernel.getLanes())
      return error("chan-simd has given its kernels no lanes");
    spawns |= !kernel.getProduces().empty();
  }
  return spawns ? success() : error("its kernels spawn nothing");
}

namespace {
struct ChanToHost : public cilk2chan::impl::ChanToHostBase<ChanToHost> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto stack : module.getOps<chan::StackOp>())
      if (stack.getRanges()) {
        stack.emitOpError("holds ranges, which the host does not launch; run "
                          "cilk-for-to-spawn without 'ranges'");
        return signalPassFailure();
      } else if (stack.getBatch() && failed(checkBatchForm(stack)))
        return signalPassFailure();
    const TypeLayout &layout = getAnalysis<TypeLayout>();
    emitDescriptors(module, layout, /*onHost=*/true, {processor, features});
    if (leaveTrees)
      leaveTreesToBatches(module);
    createStubs(module, layout);
    createSerialFunctions(module, layout);
    HostLowering lowering(module, layout, vectorBits, gathers);
    // The kernels that another is compacted into go with that one.
    SmallVector<chan::KernelOp> kernels;
    llvm::DenseSet<StringRef> parts;
    for (auto kernel : module.getOps<chan::KernelOp>())
      if (kernel.getCompacted())
        for (auto part : kernel.getCompacted()->getAsRange<FlatSymbolRefAttr>())
          parts.insert(part.getValue());
    for (auto kernel : module.getOps<chan::KernelOp>())
      if (!parts.contains(kernel.getSymName()))
        kernels.push_back(kernel);
    for (chan::KernelOp kernel : kernels)
      lowering.lowerKernel(kernel);
    SmallVector<chan::StackOp> stacks(module.getOps<chan::StackOp>());
    for (chan::StackOp stack : stacks)
      stack.erase();
  }
};
} // namespace
