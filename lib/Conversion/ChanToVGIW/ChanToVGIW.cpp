//===- ChanToVGIW.cpp - Kernels as device functions -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes of each kernel a function for one element, which a VGIW machine runs as
// a thread. The machine keeps the channels and starts the threads:
//
//   chan.kernel @f.1 consumes @f.after1   llvm.func @f.1(fields, channels, ...)
//     %e = chan.deq                   =>    load from the fields at the number
//     %v = chan.get "frame" of %e             of the thread
//     ... chan.enq %c                       reserve an index in the channel,
//                                           store the fields, raise the count
//
// A kernel of ranges becomes two functions, for tiles of one range and of
// several. A thread is one iteration (vgiw.kernel, `launch`):
//
//   chan.kernel @loop.0 consumes @loop.entry   llvm.func @loop.0(iteration, a)
//     %i = chan.range_iteration %e             =>
//     %a = chan.get "a2" of %e                 llvm.func @loop.0.ranges(word,
//                                                              fields)
//                                                load the first iteration and
//                                                  a from the range word / 2^32
//
// In a kernel of work-groups, a group has the shared memory with the number
// that its threads have divided by the size of groups.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/RuntimeInterface/Descriptors.h"
#include "cilk2chan/Conversion/RuntimeInterface/ElementLayout.h"
#include "cilk2chan/Conversion/RuntimeInterface/Stubs.h"

#include "cilk2chan/Conversion/DeviceChannels.h"
#include "cilk2chan/Conversion/LLVMIRToVGIW.h"
#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Dialect/VGIW/VGIW.h"
#include "cilk2chan/Support/AddBytes.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/TypeLayout.h"
#include "cilk2chan/Support/WorkingOn.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CHANTOVGIW
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {

/// Where the fields of an element lie: each in a column of its channel.
struct ElementPlace {
  chan::StackOp stack;
  /// Of the element in its channel; for the dequeued one, in the batch.
  Value index;
  /// The control words of its channel, where those are known at run time only.
  Value control;
  uint64_t level = 0;
  bool dequeued = false;
  /// The number of a thread's iteration, in kernels of ranges; and the number
  /// by which its group has memory.
  Value iteration, number;
};

class DeviceLowering {
public:
  DeviceLowering(ModuleOp module, const TypeLayout &layout)
      : module(module), layout(layout), builder(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())),
        i64(builder.getI64Type()),
        nothing(LLVM::LLVMVoidType::get(module.getContext())) {
    for (auto stack : module.getOps<chan::StackOp>()) {
      stacks[stack.getSymName()] = stack;
      layouts.try_emplace(stack.getSymName(), stack, layout);
    }
  }

  void lowerKernel(chan::KernelOp kernel);

private:
  void lowerTo(chan::KernelOp kernel, vgiw::Launch launch);
  ElementPlace placeDequeued(chan::StackOp stack, Value delivered);
  void lower(Operation *op);
  void lowerGroupCall(LLVM::CallOp op);
  void lowerTalloc(chan::TallocOp op);
  void lowerDeliver(chan::DeliverOp op);
  void lowerFrame(chan::FrameOp op);

  /// A parameter of the device function, bound to what `binding` says.
  Value parameter(const Twine &binding) { return parameter(binding, pointer); }
  Value parameter(const Twine &binding, Type type);
  Value control(StringRef stack, uint64_t level) {
    return parameter("control " + stack + " " + Twine(level));
  }
  Value fieldAddress(Location loc, const ElementPlace &place, StringRef name);
  const ElementLayout &layoutOf(const ElementPlace &place) {
    return layouts.find(chan::StackOp(place.stack).getSymName())->second;
  }
  const ElementLayout::Field &field(const ElementPlace &place, StringRef name) {
    return layoutOf(place).field(name);
  }
  ElementPlace &place(Value element) { return places.find(element)->second; }

  Value constant(Location loc, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, i64,
                                    builder.getI64IntegerAttr(value));
  }
  Value null(Location loc) {
    return LLVM::ZeroOp::create(builder, loc, pointer);
  }
  Value offset(Location loc, Value base, int64_t bytes) {
    return addBytes(builder, loc, base, bytes);
  }
  void copy(Location loc, Value to, Value from, uint64_t bytes) {
    LLVM::MemcpyOp::create(builder, loc, to, from, constant(loc, bytes),
                           /*isVolatile=*/false);
  }
  Value call(Location loc, StringRef name, Type result, ValueRange args);
  /// Makes `attempt` again until it gives what `succeeded` holds of; in between
  /// the thread yields.
  Value retry(Location loc, function_ref<Value()> attempt,
              function_ref<Value(Value)> succeeded);

  ModuleOp module;
  const TypeLayout &layout;
  OpBuilder builder;
  LLVM::LLVMPointerType pointer;
  Type i64, nothing;
  llvm::StringMap<chan::StackOp> stacks;
  llvm::StringMap<ElementLayout> layouts;

  // Of the kernel being lowered.
  vgiw::Launch launch = vgiw::Launch::Elements;
  Block *entry = nullptr;
  llvm::MapVector<StringAttr, Value> parameters;
  llvm::DenseMap<Value, ElementPlace> places;
  std::optional<ElementPlace> dequeued;
};

} // namespace

/// A device may have the elements of a channel as an array of structures, which does not
/// align these structures to more than this.
static uint64_t alignmentOf(const ElementLayout::Field &field) {
  return std::min(field.alignment, abi::arrayElementAlignment);
}

/// What threads of work-groups ask the machine for.
static bool isGroupCall(LLVM::CallOp call) {
  return call.getCallee() &&
         llvm::is_contained({BarrierName, GroupMemoryName}, *call.getCallee());
}

Value DeviceLowering::parameter(const Twine &binding, Type type) {
  Value &value = parameters[builder.getStringAttr(binding)];
  if (!value)
    value = entry->addArgument(type, entry->getArgument(0).getLoc());
  return value;
}

Value DeviceLowering::call(Location loc, StringRef name, Type result,
                           ValueRange args) {
  LLVM::LLVMFuncOp callee = *LLVM::lookupOrCreateFn(
      builder, module, name, llvm::to_vector(args.getTypes()), result);
  // What the machine does touches what it is given the address of. Rotating the
  // loop around it would only make more blocks.
  if (llvm::is_contained(
          {DeviceReserve, DeviceReserveOwn, DevicePop, DevicePush}, name)) {
    callee.setPassthroughAttr(builder.getStrArrayAttr({"noduplicate"}));
    callee.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
        module.getContext(),
        {LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::ModRef,
         LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef,
         LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef}));
  }
  auto op = LLVM::CallOp::create(builder, loc, callee, args);
  return op->getNumResults() ? op.getResult() : Value();
}

Value DeviceLowering::retry(Location loc, function_ref<Value()> attempt,
                            function_ref<Value(Value)> succeeded) {
  Block *before = builder.getInsertionBlock();
  Block *after = before->splitBlock(builder.getInsertionPoint());
  Block *again = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  LLVM::BrOp::create(builder, loc, again);
  builder.setInsertionPointToEnd(again);
  Value result = attempt();
  Value done = succeeded(result);
  Block *full = builder.createBlock(after);
  call(loc, DeviceYield, nothing, {});
  LLVM::BrOp::create(builder, loc, again);
  builder.setInsertionPointToEnd(again);
  LLVM::CondBrOp::create(builder, loc, done, after, full);
  builder.setInsertionPointToStart(after);
  return result;
}

Value DeviceLowering::fieldAddress(Location loc, const ElementPlace &place,
                                   StringRef name) {
  const auto &f = field(place, name);
  uint64_t number = &f - layoutOf(place).getFields().data();
  Value column;
  if (place.dequeued)
    column = parameter("field " + Twine(number));
  else if (!place.control)
    column = parameter("column " + Twine(number) + " " +
                       chan::StackOp(place.stack).getSymName() + " " +
                       Twine(place.level));
  else
    column = call(loc, DeviceColumn, pointer,
                  {place.control, constant(loc, number)});
  return call(loc, DeviceField, pointer,
              {column, place.index, constant(loc, f.size),
               constant(loc, layoutOf(place).getSize())});
}

void DeviceLowering::lowerKernel(chan::KernelOp kernel) {
  WorkingOn working(kernel.getSymName());
  if (!stacks.lookup(kernel.getConsumes()).getRanges())
    return lowerTo(kernel, vgiw::Launch::Elements);
  builder.setInsertionPointAfter(kernel);
  auto copy = cast<chan::KernelOp>(builder.clone(*kernel));
  copy.setSymName((kernel.getSymName() + ".ranges").str());
  lowerTo(kernel, vgiw::Launch::Range);
  lowerTo(copy, vgiw::Launch::Ranges);
}

/// The element that a thread treats; `delivered` is what `initiate` delivers.
ElementPlace DeviceLowering::placeDequeued(chan::StackOp stack,
                                           Value delivered) {
  Location loc = delivered.getLoc();
  ElementPlace place;
  place.stack = stack;
  place.dequeued = true;
  switch (launch) {
  case vgiw::Launch::Elements:
    place.index = call(loc, DeviceDequeued, i64, delivered);
    break;
  case vgiw::Launch::Range:
    place.index = constant(loc, 0);
    place.iteration = place.number = delivered;
    break;
  case vgiw::Launch::Ranges: {
    place.index =
        LLVM::LShrOp::create(builder, loc, delivered, constant(loc, 32));
    Value thread =
        LLVM::AndOp::create(builder, loc, delivered, constant(loc, 0xffffffff));
    // The machine has made this the iteration that thread 0 would be.
    Value first = LLVM::LoadOp::create(
        builder, loc, i64, fieldAddress(loc, place, chan::parameterField(0)));
    place.iteration = LLVM::AddOp::create(builder, loc, first, thread);
    place.number = thread;
  }
  }
  return place;
}

void DeviceLowering::lowerTo(chan::KernelOp kernel, vgiw::Launch wanted) {
  launch = wanted;
  Location loc = kernel.getLoc();
  builder.setInsertionPoint(kernel);
  std::string name = kernel.getSymName().str();
  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, name, LLVM::LLVMFunctionType::get(nothing, {}),
      LLVM::Linkage::External);
  Region &body = function.getBody();
  Block *first = &kernel.getBody().front();
  body.takeBody(kernel.getBody());
  entry = builder.createBlock(&body, body.begin());
  Value thread = entry->addArgument(i64, loc);
  builder.setInsertionPointToEnd(entry);
  LLVM::BrOp::create(builder, loc, first);
  // Objects of the activation stand in the entry of a function.
  for (auto alloca :
       llvm::make_early_inc_range(first->getOps<LLVM::AllocaOp>())) {
    alloca.getArraySize().getDefiningOp()->moveBefore(entry, entry->begin());
    alloca->moveAfter(alloca.getArraySize().getDefiningOp());
  }

  places.clear();
  parameters.clear();
  auto deq = cast<chan::DeqOp>(first->front());
  builder.setInsertionPoint(deq);
  chan::StackOp consumed = stacks.lookup(kernel.getConsumes());
  dequeued = placeDequeued(consumed, thread);
  places[deq.getElement()] = *dequeued;

  SmallVector<Operation *> ops;
  body.walk([&](Operation *op) {
    auto call = dyn_cast<LLVM::CallOp>(op);
    if (isa<chan::ChanDialect>(op->getDialect()) || (call && isGroupCall(call)))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    lower(op);
  }
  for (Operation *op : llvm::reverse(ops))
    op->erase();

  function.setFunctionType(LLVM::LLVMFunctionType::get(
      nothing, llvm::to_vector(entry->getArgumentTypes())));
  std::string bindings;
  unsigned index = 1;
  for (auto &[binding, value] : parameters) {
    bindings += (bindings.empty() ? "" : ";") + binding.str();
    // No other pointer leads to a channel or a free list. One thread leaves what
    // others load in the memory of a group.
    if (binding != "level" && binding != "group" &&
        !binding.strref().starts_with("capture "))
      function.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
    ++index;
  }
  auto attribute = [&](StringRef name, StringRef value) -> Attribute {
    return builder.getStrArrayAttr({name, value});
  };
  SmallVector<Attribute> attributes = {
      attribute(DeviceKernelAttribute, kernel.getConsumes()),
      attribute(DeviceBindingsAttribute, bindings)};
  if (launch != vgiw::Launch::Elements)
    attributes.push_back(
        attribute(DeviceLaunchAttribute, vgiw::stringifyLaunch(launch)));
  if (consumed.getGroupSize())
    attributes.push_back(
        attribute(DeviceGroupAttribute,
                  std::to_string(*consumed.getGroupSize()) + " " +
                      std::to_string(consumed.getGroupBytes().value_or(0))));
  if (auto source = kernel.getSource()) {
    attributes.push_back(attribute(SourceAttribute, *source));
    attributes.push_back(attribute(DeviceSourceAttribute, *source));
  }
  function.setPassthroughAttr(builder.getArrayAttr(attributes));
  kernel.erase();
}

void DeviceLowering::lower(Operation *op) {
  Location loc = op->getLoc();
  if (auto groupCall = dyn_cast<LLVM::CallOp>(op)) {
    lowerGroupCall(groupCall);
  } else if (auto talloc = dyn_cast<chan::TallocOp>(op)) {
    lowerTalloc(talloc);
  } else if (auto get = dyn_cast<chan::GetOp>(op)) {
    const ElementPlace &element = place(get.getElement());
    const auto &f = field(element, get.getField());
    bool isWord = f.size <= sizeof(uint64_t) &&
                  isa<LLVM::LLVMPointerType, IntegerType, FloatType>(f.type);
    if (launch == vgiw::Launch::Range && isWord) {
      uint64_t number = &f - layoutOf(element).getFields().data();
      get.getValue().replaceAllUsesWith(
          parameter("capture " + Twine(number), f.type));
      return;
    }
    Value address = fieldAddress(loc, element, get.getField());
    get.getValue().replaceAllUsesWith(
        LLVM::LoadOp::create(builder, loc, f.type, address, alignmentOf(f)));
  } else if (auto iteration = dyn_cast<chan::RangeIterationOp>(op)) {
    iteration.getIteration().replaceAllUsesWith(
        place(iteration.getElement()).iteration);
  } else if (auto set = dyn_cast<chan::SetOp>(op)) {
    const ElementPlace &element = place(set.getElement());
    LLVM::StoreOp::create(builder, loc, set.getValue(),
                          fieldAddress(loc, element, set.getField()),
                          alignmentOf(field(element, set.getField())));
  } else if (auto in = dyn_cast<chan::CopyInOp>(op)) {
    const ElementPlace &element = place(in.getElement());
    copy(loc, fieldAddress(loc, element, in.getField()), in.getSource(),
         field(element, in.getField()).size);
  } else if (auto out = dyn_cast<chan::CopyOutOp>(op)) {
    const ElementPlace &element = place(out.getElement());
    copy(loc, out.getDestination(), fieldAddress(loc, element, out.getField()),
         field(element, out.getField()).size);
  } else if (auto enq = dyn_cast<chan::EnqOp>(op)) {
    ElementPlace &element = place(enq.getElement());
    Value words = element.control
                      ? element.control
                      : control(element.stack.getSymName(), element.level);
    call(loc, DeviceEnqueue, nothing, {words, element.index});
  } else if (auto deliver = dyn_cast<chan::DeliverOp>(op)) {
    lowerDeliver(deliver);
  } else if (auto frame = dyn_cast<chan::FrameOp>(op)) {
    lowerFrame(frame);
  } else if (auto free = dyn_cast<chan::FrameFreeOp>(op)) {
    call(loc, DevicePush, nothing,
         {parameter("frames " + Twine(free.getSize())), free.getFrame()});
  } else if (auto alloca = dyn_cast<chan::AllocaOp>(op)) {
    Value size = alloca.getSize();
    if (size.getType().getIntOrFloatBitWidth() < 64)
      size = LLVM::ZExtOp::create(builder, loc, i64, size);
    op->getResult(0).replaceAllUsesWith(
        call(loc, "chansim_arena_alloc", pointer,
             {alloca.getArena(), size, constant(loc, alloca.getAlignment())}));
  } else if (auto free = dyn_cast<chan::AllocaFreeOp>(op)) {
    call(loc, "chansim_arena_free", nothing, {free.getArena()});
  } else if (auto defer = dyn_cast<chan::DeferOp>(op)) {
    Value apply = defer.getApplyAttr()
                      ? Value(LLVM::AddressOfOp::create(builder, loc, pointer,
                                                        *defer.getApply()))
                      : null(loc);
    op->getResult(0).replaceAllUsesWith(call(
        loc, "chansim_defer", pointer,
        {defer.getPending(), apply, defer.getDestination(),
         constant(loc, defer.getSize()), constant(loc, defer.getAlignment())}));
  } else if (auto apply = dyn_cast<chan::ApplyOp>(op)) {
    call(loc, "chansim_apply", nothing, {apply.getPending()});
  } else if (auto free = dyn_cast<chan::TfreeOp>(op)) {
    // The dispatcher frees a range, when all its iterations have ended.
    if (launch == vgiw::Launch::Elements)
      call(loc, DeviceFree, nothing, place(free.getElement()).index);
  } else if (isa<chan::DoneOp>(op)) {
    LLVM::ReturnOp::create(builder, loc, ValueRange());
  } else {
    assert(isa<chan::DeqOp>(op) && "every chan op is lowered");
  }
}

void DeviceLowering::lowerGroupCall(LLVM::CallOp op) {
  Location loc = op.getLoc();
  if (*op.getCallee() == BarrierName) {
    call(loc, DeviceBarrier, nothing, {});
    return;
  }
  Value group = LLVM::LShrOp::create(
      builder, loc, dequeued->number,
      constant(loc, llvm::Log2_64(*dequeued->stack.getGroupSize())));
  uint64_t bytes = dequeued->stack.getGroupBytes().value_or(0);
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
  op.getResult().replaceAllUsesWith(
      LLVM::GEPOp::create(builder, loc, pointer, type, parameter("group"),
                          ArrayRef<LLVM::GEPArg>{group}));
}

/// `talloc` ends its block: "got room" and "full" are where it goes on.
void DeviceLowering::lowerTalloc(chan::TallocOp op) {
  Location loc = op.getLoc();
  StringRef name = op.getElement().getType().getStack().getValue();
  ElementPlace element;
  element.stack = stacks.lookup(name);
  element.level = op.getLevel();
  Value own;
  if (op.getTarget()) {
    own = control(name, op.getLevel());
    element.control =
        call(loc, "chansim_resolve", pointer,
             {parameter("level"), op.getTarget(),
              constant(loc, signatureHash(element.stack, layout)), own});
  }
  Value words =
      element.control ? element.control : control(name, op.getLevel());
  auto reserve = [&] { return call(loc, DeviceReserve, i64, words); };
  element.index = op.getLevel() == 0
                      ? call(loc, DeviceReserveOwn, i64, words)
                      : retry(loc, reserve, [&](Value index) -> Value {
                          return LLVM::ICmpOp::create(builder, loc,
                                                      LLVM::ICmpPredicate::sge,
                                                      index, constant(loc, 0));
                        });
  places[op.getElement()] = element;
  if (!op.getTarget())
    return;

  // Only this module's own stack has the field `callee`.
  Value unresolved = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                          element.control, own);
  Block *before = builder.getInsertionBlock();
  Block *after = before->splitBlock(builder.getInsertionPoint());
  Block *setCallee = builder.createBlock(after);
  LLVM::StoreOp::create(builder, loc, op.getTarget(),
                        fieldAddress(loc, element, chan::CalleeField));
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, unresolved, setCallee, after);
  builder.setInsertionPointToStart(after);
}

void DeviceLowering::lowerDeliver(chan::DeliverOp op) {
  Location loc = op.getLoc();
  Value wanted = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                      op.getSlot(), null(loc));
  Block *before = builder.getInsertionBlock();
  Block *after = before->splitBlock(builder.getInsertionPoint());
  Block *deliver = builder.createBlock(after);
  LLVM::StoreOp::create(builder, loc, op.getValue(), op.getSlot(),
                        /*alignment=*/1);
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, wanted, deliver, after);
}

/// Frames of a size are recycled through one list; the dispatcher fills it.
void DeviceLowering::lowerFrame(chan::FrameOp op) {
  Location loc = op.getLoc();
  Value list = parameter("frames " + Twine(op.getSize()));
  op.getFrame().replaceAllUsesWith(retry(
      loc, [&] { return call(loc, DevicePop, pointer, list); },
      [&](Value frame) -> Value {
        return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                    frame, null(loc));
      }));
}

namespace {
struct ChanToVGIW : public cilk2chan::impl::ChanToVGIWBase<ChanToVGIW> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    const TypeLayout &layout = getAnalysis<TypeLayout>();
    emitDescriptors(module, layout, /*onHost=*/false);
    createStubs(module, layout);
    DeviceLowering lowering(module, layout);
    SmallVector<chan::KernelOp> kernels(module.getOps<chan::KernelOp>());
    for (chan::KernelOp kernel : kernels)
      lowering.lowerKernel(kernel);
    SmallVector<chan::StackOp> stacks(module.getOps<chan::StackOp>());
    for (chan::StackOp stack : stacks)
      stack.erase();
  }
};
} // namespace
