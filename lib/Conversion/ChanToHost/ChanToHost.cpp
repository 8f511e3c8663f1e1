//===- ChanToHost.cpp - Kernels as batch functions on libchan -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scalar batch form: a kernel is a loop over elements [begin, end) of a
// block. It is the reference for every other form, and always exists.
//
//===----------------------------------------------------------------------===//

#include "Descriptors.h"
#include "Polls.h"
#include "Stubs.h"

#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Conversion/RuntimeABI.h"
#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/Markers.h"

#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CHANTOHOST
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {

/// Tallocs of a kernel beyond which a call for each is better than the code for
/// each: what it takes LLVM to allocate registers grows with its square.
constexpr unsigned mostInline = 16;

/// Where an element lies: a block of the runtime's, and the index in it.
struct ElementPlace {
  Value block;
  Value index;    // i64
  Value capacity; // i64
};

class HostLowering {
public:
  HostLowering(ModuleOp module, const DataLayout &layout)
      : module(module), layout(layout), builder(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())),
        i32(builder.getI32Type()), i64(builder.getI64Type()),
        nothing(LLVM::LLVMVoidType::get(module.getContext())) {
    for (auto stack : module.getOps<chan::StackOp>()) {
      stacks[stack.getSymName()] = stack;
      layouts.try_emplace(stack.getSymName(), stack, layout);
    }
  }

  void lowerKernel(chan::KernelOp kernel);

private:
  void lower(Operation *op, Block *latch);
  void lowerTalloc(chan::TallocOp op);
  Value findBlock(Location loc, Value worker, Value channel, unsigned level);
  void shareTallocs(LLVM::LLVMFuncOp function);
  void lowerFrame(chan::FrameOp op);
  void lowerFrameFree(chan::FrameFreeOp op);
  void lowerDeliver(chan::DeliverOp op);

  const ElementLayout::Field &field(Value element, StringRef name) {
    auto stack = cast<chan::ElementType>(element.getType()).getStack();
    return layouts.find(stack.getValue())->second.field(name);
  }
  Value fieldAddress(Location loc, const ElementPlace &place,
                     const ElementLayout::Field &field);
  ElementPlace &place(Value element) { return places.find(element)->second; }

  Value constant(Location loc, Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  }
  Value null(Location loc) {
    return LLVM::ZeroOp::create(builder, loc, pointer);
  }
  Value offset(Location loc, Value base, int64_t bytes) {
    if (bytes == 0)
      return base;
    return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>{int32_t(bytes)},
                               LLVM::GEPNoWrapFlags::inbounds);
  }
  Value load(Location loc, Type type, Value base, int64_t bytes) {
    return LLVM::LoadOp::create(builder, loc, type, offset(loc, base, bytes));
  }
  void store(Location loc, Value value, Value base, int64_t bytes) {
    LLVM::StoreOp::create(builder, loc, value, offset(loc, base, bytes));
  }
  Value extend(Location loc, Value value) {
    return LLVM::ZExtOp::create(builder, loc, i64, value);
  }
  void copy(Location loc, Value to, Value from, uint64_t bytes) {
    LLVM::MemcpyOp::create(builder, loc, to, from, constant(loc, i64, bytes),
                           /*isVolatile=*/false);
  }
  Value call(Location loc, StringRef name, Type result, ValueRange args) {
    LLVM::LLVMFuncOp callee = *LLVM::lookupOrCreateFn(
        builder, module, name, llvm::to_vector(args.getTypes()), result);
    auto op = LLVM::CallOp::create(builder, loc, callee, args);
    return op->getNumResults() ? op.getResult() : Value();
  }
  Block *splitHere() {
    return builder.getInsertionBlock()->splitBlock(builder.getInsertionPoint());
  }

  ModuleOp module;
  const DataLayout &layout;
  OpBuilder builder;
  LLVM::LLVMPointerType pointer;
  Type i32, i64, nothing;
  llvm::StringMap<chan::StackOp> stacks;
  llvm::StringMap<ElementLayout> layouts;

  // Of the kernel being lowered.
  Value worker;
  llvm::DenseMap<Value, ElementPlace> places;
  /// What the kernel calls to talloc, by level; null if it does so inline.
  LLVM::LLVMFuncOp shared[2];
};

} // namespace

Value HostLowering::fieldAddress(Location loc, const ElementPlace &place,
                                 const ElementLayout::Field &field) {
  // block + header + offset * capacity + size * index
  Value data = offset(loc, place.block, abi::blockHeader);
  if (field.offset) {
    Value start = LLVM::MulOp::create(builder, loc, place.capacity,
                                      constant(loc, i64, field.offset));
    data = LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), data,
                               ArrayRef<LLVM::GEPArg>{start},
                               LLVM::GEPNoWrapFlags::inbounds);
  }
  auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), field.size);
  return LLVM::GEPOp::create(builder, loc, pointer, bytes, data,
                             ArrayRef<LLVM::GEPArg>{place.index},
                             LLVM::GEPNoWrapFlags::inbounds);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void HostLowering::lowerKernel(chan::KernelOp kernel) {
  Location loc = kernel.getLoc();
  SmallVector<Operation *> polls = findPolls(kernel);
  builder.setInsertionPoint(kernel);
  auto type =
      LLVM::LLVMFunctionType::get(nothing, {pointer, pointer, i32, i32});
  auto function = LLVM::LLVMFuncOp::create(builder, loc, kernel.getSymName(),
                                           type, LLVM::Linkage::Internal);
  if (auto source = kernel.getSource())
    function.setPassthroughAttr(builder.getArrayAttr(
        builder.getStrArrayAttr({SourceAttribute, *source})));

  Block *entry = function.addEntryBlock(builder);
  worker = entry->getArgument(0);
  Value block = entry->getArgument(1);
  Value begin = entry->getArgument(2), end = entry->getArgument(3);
  Region &body = function.getBody();
  Block *first = &kernel.getBody().front();
  body.getBlocks().splice(body.end(), kernel.getBody().getBlocks());

  // for (index = begin; index < end; ++index) body
  Block *header = builder.createBlock(&body, std::next(Region::iterator(entry)),
                                      {i32}, {loc});
  Block *exit = builder.createBlock(&body, body.end());
  Block *latch = builder.createBlock(&body, Region::iterator(exit));
  Value index = header->getArgument(0);
  builder.setInsertionPointToEnd(entry);
  Value capacity = extend(loc, load(loc, i32, block, abi::blockCapacity));
  LLVM::BrOp::create(builder, loc, begin, header);
  builder.setInsertionPointToEnd(header);
  Value more =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, index, end);
  LLVM::CondBrOp::create(builder, loc, more, first, exit);
  builder.setInsertionPointToEnd(latch);
  Value next = LLVM::AddOp::create(builder, loc, index, constant(loc, i32, 1));
  LLVM::BrOp::create(builder, loc, next, header);
  builder.setInsertionPointToEnd(exit);
  LLVM::ReturnOp::create(builder, loc, ValueRange());

  // One stack slot serves all elements.
  for (auto alloca :
       llvm::make_early_inc_range(first->getOps<LLVM::AllocaOp>())) {
    alloca.getArraySize().getDefiningOp()->moveBefore(entry, entry->begin());
    alloca->moveAfter(alloca.getArraySize().getDefiningOp());
  }

  for (Operation *op : polls) {
    builder.setInsertionPoint(op);
    call(op->getLoc(), "chan_poll", nothing, worker);
  }

  builder.setInsertionPointToStart(first);
  places.clear();
  auto deq = cast<chan::DeqOp>(first->front());
  places[deq.getElement()] = {block, extend(loc, index), capacity};

  SmallVector<Operation *> ops;
  body.walk([&](Operation *op) {
    if (isa<chan::ChanDialect>(op->getDialect()))
      ops.push_back(op);
  });
  auto tallocs = llvm::make_filter_range(ops, llvm::IsaPred<chan::TallocOp>);
  shared[0] = shared[1] = {};
  if (llvm::range_size(tallocs) > mostInline)
    shareTallocs(function);
  // Backwards: splitting a block takes the time of what comes after.
  for (Operation *op : llvm::reverse(tallocs)) {
    builder.setInsertionPoint(op);
    lowerTalloc(cast<chan::TallocOp>(op));
  }
  for (Operation *op : ops) {
    if (isa<chan::TallocOp>(op))
      continue;
    builder.setInsertionPoint(op);
    lower(op, latch);
  }
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  kernel.erase();
}

void HostLowering::lower(Operation *op, Block *latch) {
  Location loc = op->getLoc();
  if (auto get = dyn_cast<chan::GetOp>(op)) {
    const auto &f = field(get.getElement(), get.getField());
    Value address = fieldAddress(loc, place(get.getElement()), f);
    get.getValue().replaceAllUsesWith(
        LLVM::LoadOp::create(builder, loc, f.type, address, f.alignment));
  } else if (auto set = dyn_cast<chan::SetOp>(op)) {
    const auto &f = field(set.getElement(), set.getField());
    Value address = fieldAddress(loc, place(set.getElement()), f);
    LLVM::StoreOp::create(builder, loc, set.getValue(), address, f.alignment);
  } else if (auto in = dyn_cast<chan::CopyInOp>(op)) {
    const auto &f = field(in.getElement(), in.getField());
    copy(loc, fieldAddress(loc, place(in.getElement()), f), in.getSource(),
         f.size);
  } else if (auto out = dyn_cast<chan::CopyOutOp>(op)) {
    const auto &f = field(out.getElement(), out.getField());
    copy(loc, out.getDestination(),
         fieldAddress(loc, place(out.getElement()), f), f.size);
  } else if (auto enq = dyn_cast<chan::EnqOp>(op)) {
    ElementPlace &element = place(enq.getElement());
    Value index = LLVM::TruncOp::create(builder, loc, i32, element.index);
    Value count =
        LLVM::AddOp::create(builder, loc, index, constant(loc, i32, 1));
    store(loc, count, element.block, abi::blockCount);
  } else if (auto deliver = dyn_cast<chan::DeliverOp>(op)) {
    lowerDeliver(deliver);
  } else if (auto frame = dyn_cast<chan::FrameOp>(op)) {
    lowerFrame(frame);
  } else if (auto free = dyn_cast<chan::FrameFreeOp>(op)) {
    lowerFrameFree(free);
  } else if (auto alloca = dyn_cast<chan::AllocaOp>(op)) {
    Value size = alloca.getSize();
    if (size.getType().getIntOrFloatBitWidth() < 64)
      size = extend(loc, size);
    op->getResult(0).replaceAllUsesWith(
        call(loc, "chan_arena_alloc", pointer,
             {worker, alloca.getArena(), size,
              constant(loc, i64, alloca.getAlignment())}));
  } else if (auto free = dyn_cast<chan::AllocaFreeOp>(op)) {
    call(loc, "chan_arena_free", nothing, {worker, free.getArena()});
  } else if (auto defer = dyn_cast<chan::DeferOp>(op)) {
    Value apply = defer.getApplyAttr()
                      ? Value(LLVM::AddressOfOp::create(builder, loc, pointer,
                                                        *defer.getApply()))
                      : null(loc);
    op->getResult(0).replaceAllUsesWith(
        call(loc, "chan_defer", pointer,
             {worker, defer.getPending(), apply, defer.getDestination(),
              constant(loc, i64, defer.getSize()),
              constant(loc, i64, defer.getAlignment())}));
  } else if (auto apply = dyn_cast<chan::ApplyOp>(op)) {
    call(loc, "chan_apply", nothing, {worker, apply.getPending()});
  } else if (isa<chan::DoneOp>(op)) {
    LLVM::BrOp::create(builder, loc, latch);
  } else {
    // The batch function reads its elements where they stand, and the runtime
    // frees them by the block.
    assert((isa<chan::DeqOp, chan::TfreeOp>(op)) && "every chan op is lowered");
  }
}

/// The fast path of talloc (chan/abi.h): room in the block that fills.
Value HostLowering::findBlock(Location loc, Value worker, Value channel,
                              unsigned relative) {
  Value level = load(loc, pointer, worker, abi::workerLevel);
  Value list;
  if (relative == 1)
    list = load(loc, pointer, load(loc, pointer, level, abi::levelDeeper),
                abi::levelEntries);
  else
    list = load(loc, pointer, level, abi::levelContinuations);
  Value same = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                    load(loc, pointer, list, abi::blockChannel),
                                    channel);
  Value room = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                    load(loc, i32, list, abi::blockCount),
                                    load(loc, i32, list, abi::blockCapacity));
  Value fast = LLVM::AndOp::create(builder, loc, same, room);

  Block *before = builder.getInsertionBlock();
  Block *after = splitHere();
  Value block = after->addArgument(pointer, loc);
  Block *slow = builder.createBlock(after);
  Value made = call(loc, "chan_talloc", pointer,
                    {worker, channel, constant(loc, i32, relative)});
  LLVM::BrOp::create(builder, loc, made, after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, fast, after, ValueRange(list), slow,
                         ValueRange(), std::make_pair(2000, 1));
  builder.setInsertionPointToStart(after);
  return block;
}

/// Makes functions of the kernel's own that find a block, for it to call.
void HostLowering::shareTallocs(LLVM::LLVMFuncOp kernel) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = UnknownLoc::get(module.getContext());
  auto type = LLVM::LLVMFunctionType::get(pointer, {pointer, pointer});
  SymbolTable symbols(module);
  for (unsigned level : {0, 1}) {
    builder.setInsertionPoint(kernel);
    auto function = LLVM::LLVMFuncOp::create(
        builder, loc, (kernel.getName() + ".talloc" + Twine(level)).str(), type,
        LLVM::Linkage::Internal);
    function.setNoInline(true);
    function.setPassthroughAttr(kernel.getPassthroughAttr());
    symbols.insert(function);
    Block *entry = function.addEntryBlock(builder);
    builder.setInsertionPointToEnd(entry);
    auto end = LLVM::UnreachableOp::create(builder, loc);
    builder.setInsertionPoint(end);
    Value block =
        findBlock(loc, entry->getArgument(0), entry->getArgument(1), level);
    LLVM::ReturnOp::create(builder, loc, block);
    end.erase();
    shared[level] = function;
  }
}

void HostLowering::lowerTalloc(chan::TallocOp op) {
  Location loc = op.getLoc();
  StringRef stack = op.getElement().getType().getStack().getValue();
  Value own = LLVM::AddressOfOp::create(builder, loc, pointer, stack);
  Value channel = own;
  if (op.getTarget())
    channel = call(
        loc, "chan_resolve", pointer,
        {op.getTarget(),
         constant(loc, i64, signatureHash(stacks.lookup(stack), layout)), own});

  LLVM::LLVMFuncOp function = shared[op.getLevel()];
  Value block = function ? LLVM::CallOp::create(builder, loc, function,
                                                ValueRange{worker, channel})
                               .getResult()
                         : findBlock(loc, worker, channel, op.getLevel());
  ElementPlace element{block,
                       extend(loc, load(loc, i32, block, abi::blockCount)),
                       extend(loc, load(loc, i32, block, abi::blockCapacity))};
  places[op.getElement()] = element;
  if (!op.getTarget())
    return;

  // Only this module's own stack has the field `callee`.
  Value unresolved =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, channel, own);
  Block *before = builder.getInsertionBlock();
  Block *after = splitHere();
  Block *setCallee = builder.createBlock(after);
  const auto &callee = field(op.getElement(), chan::CalleeField);
  LLVM::StoreOp::create(builder, loc, op.getTarget(),
                        fieldAddress(loc, element, callee), callee.alignment);
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, unresolved, setCallee, after);
}

void HostLowering::lowerDeliver(chan::DeliverOp op) {
  Location loc = op.getLoc();
  Value wanted = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                      op.getSlot(), null(loc));
  Block *before = builder.getInsertionBlock();
  Block *after = splitHere();
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
    return call(
        loc, "chan_frame_new", pointer,
        {worker, constant(loc, i32, kind), constant(loc, i64, op.getSize())});
  };
  if (kind == abi::frameClasses) {
    op.getFrame().replaceAllUsesWith(allocate());
    return;
  }
  Value free = load(loc, pointer, worker, freeList(kind));
  Value empty = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                     free, null(loc));
  Block *before = builder.getInsertionBlock();
  Block *after = splitHere();
  Value frame = after->addArgument(pointer, loc);
  Block *slow = builder.createBlock(after);
  LLVM::BrOp::create(builder, loc, allocate(), after);
  Block *fast = builder.createBlock(after);
  store(loc, load(loc, pointer, free, 0), worker, freeList(kind));
  LLVM::BrOp::create(builder, loc, free, after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, empty, slow, ValueRange(), fast,
                         ValueRange(), std::make_pair(1, 2000));
  op.getFrame().replaceAllUsesWith(frame);
}

void HostLowering::lowerFrameFree(chan::FrameFreeOp op) {
  Location loc = op.getLoc();
  uint64_t kind = frameClass(op.getSize());
  if (kind == abi::frameClasses) {
    call(loc, "chan_frame_delete", nothing,
         {worker, op.getFrame(), constant(loc, i64, op.getSize())});
    return;
  }
  store(loc, load(loc, pointer, worker, freeList(kind)), op.getFrame(), 0);
  store(loc, op.getFrame(), worker, freeList(kind));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ChanToHost : public cilk2chan::impl::ChanToHostBase<ChanToHost> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    const DataLayout &layout =
        getAnalysis<DataLayoutAnalysis>().getAtOrAbove(module);
    emitDescriptors(module, layout, /*onHost=*/true);
    createStubs(module, layout);
    HostLowering lowering(module, layout);
    SmallVector<chan::KernelOp> kernels(module.getOps<chan::KernelOp>());
    for (chan::KernelOp kernel : kernels)
      lowering.lowerKernel(kernel);
    SmallVector<chan::StackOp> stacks(module.getOps<chan::StackOp>());
    for (chan::StackOp stack : stacks)
      stack.erase();
  }
};
} // namespace
