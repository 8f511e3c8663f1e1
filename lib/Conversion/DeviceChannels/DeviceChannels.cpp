//===- DeviceChannels.cpp - Channels of a machine in device code ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call of __vgiw_reserve with one lane that reserves for all (ISCA'14, Figure 5):
//
//   mask = ballot(true); rank = lanes of mask below mine; n = lanes of mask
//   if (I am the highest lane of mask)
//     do old = tail until old + n > head + width (-1) or CAS(tail, old, old + n)
//   base = read_lane(old, highest lane)          all lanes meet here
//   result = base < 0 ? -1 : (base + rank) modulo width
//
// If there is no room for all, none gets any: a wavefront that waits for room must not
// hold elements that are not enqueued, as elements are freed in order.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/DeviceChannels.h"

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"
#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace cilk2chan;

namespace {

/// What the lowerings have in common.
class Lowering {
public:
  Lowering(Function &kernel, const DeviceChannelOptions &options)
      : module(*kernel.getParent()), options(options),
        builder(kernel.getContext()), i64(builder.getInt64Ty()),
        pointer(builder.getPtrTy()), kernel(&kernel) {}

  void run();

private:
  bool isArray() const { return options.channels != DeviceChannels::Columns; }
  /// Whether one lane works for all.  Channels that are found at run time may differ
  /// from lane to lane.
  bool hasLeader(Value *array) const {
    return options.channels == DeviceChannels::Leader && isa<Argument>(array);
  }

  void lower(CallInst &call);
  Value *lowerField(CallInst &call);
  Value *lowerDequeued(CallInst &call);
  void lowerEnqueue(CallInst &call);
  void lowerReserveOwn(CallInst &call);
  Value *lowerPop(CallInst &call);

  // Of arrays.
  Value *reserve(Value *array);
  void enqueue(Value *array, Value *number);
  void free(Value *array, Value *number);

  /// The lanes that are here together.
  struct Lanes {
    Value *count, *rank, *leader, *isLeader;
  };
  Lanes findLanes();
  Value *laneCall(StringRef name, Type *result, ArrayRef<Value *> operands);
  Value *readLane(Value *value, Value *lane) {
    return laneCall(LaneRead, i64, {value, lane});
  }

  Value *constant(uint64_t value) { return builder.getInt64(value); }
  Value *place(Value *array, int32_t bytes) {
    return builder.CreatePtrAdd(array, constant(bytes));
  }
  Value *word(Value *array, int32_t bytes) {
    return builder.CreateAlignedLoad(i64, place(array, bytes), Align(8));
  }
  Value *address(Value *array, int32_t bytes) {
    return builder.CreateAlignedLoad(pointer, place(array, bytes), Align(8));
  }
  /// A word that other threads change.
  Value *shared(Value *array, int32_t bytes) {
    LoadInst *load =
        builder.CreateAlignedLoad(i64, place(array, bytes), Align(8));
    load->setAtomic(AtomicOrdering::Monotonic);
    return load;
  }
  /// Whether a shared word was `before`, and is `after` now.  `order`: of success.
  Value *swap(Value *array, int32_t bytes, Value *before, Value *after,
              AtomicOrdering order) {
    Value *pair =
        builder.CreateAtomicCmpXchg(place(array, bytes), before, after,
                                    Align(8), order, AtomicOrdering::Monotonic);
    return builder.CreateExtractValue(pair, 1);
  }
  /// An unsigned i64 with the bits below `count`.
  Value *bits(Value *value) {
    return builder.CreateUnaryIntrinsic(Intrinsic::ctpop, value);
  }

  /// Divides the block: what follows goes to the result.
  BasicBlock *splitHere() {
    BasicBlock *before = builder.GetInsertBlock();
    BasicBlock *after = before->splitBasicBlock(builder.GetInsertPoint());
    before->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(before);
    return after;
  }
  BasicBlock *addBlock(BasicBlock *before) {
    return BasicBlock::Create(builder.getContext(), "", before->getParent(),
                              before);
  }
  void goOn(BasicBlock *block) {
    builder.SetInsertPoint(block, block->getFirstInsertionPt());
  }

  StringRef bindingOf(Value *value);
  Value *batch(uint64_t number);
  void appendParameters();

  Module &module;
  const DeviceChannelOptions &options;
  IRBuilder<> builder;
  Type *i64, *pointer;
  Function *kernel;
  /// Of columns that are loaded: the channel, whose elements may have fields that this
  /// module does not know.
  DenseMap<Value *, Value *> arrayOf;
  /// Placeholders of parameters to be added, by the number of their binding.
  SmallVector<std::pair<uint64_t, Instruction *>> added;
};

} // namespace

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// What the dispatcher gives for an argument of the kernel.
StringRef Lowering::bindingOf(Value *value) {
  SmallVector<StringRef> bindings;
  kernel->getFnAttribute(DeviceBindingsAttribute)
      .getValueAsString()
      .split(bindings, ';');
  return bindings[cast<Argument>(value)->getArgNo() - 1];
}

/// The word of a binding `batch`; stands for an argument that is added at the end.
Value *Lowering::batch(uint64_t number) {
  for (auto [known, value] : added)
    if (known == number)
      return value;
  BasicBlock &entry = kernel->getEntryBlock();
  auto *stand =
      new FreezeInst(PoisonValue::get(i64), "", entry.getFirstInsertionPt());
  added.push_back({number, stand});
  return stand;
}

/// A function's type is final, so the kernel becomes another one.
void Lowering::appendParameters() {
  if (added.empty())
    return;
  SmallVector<Type *> types(kernel->getFunctionType()->params());
  std::string bindings =
      kernel->getFnAttribute(DeviceBindingsAttribute).getValueAsString().str();
  for (auto [number, value] : added) {
    types.push_back(i64);
    bindings +=
        (bindings.empty() ? "batch " : ";batch ") + std::to_string(number);
  }
  auto *type =
      FunctionType::get(kernel->getReturnType(), types, /*isVarArg=*/false);
  Function *made =
      Function::Create(type, kernel->getLinkage(), kernel->getAddressSpace());
  module.getFunctionList().insert(kernel->getIterator(), made);
  made->copyAttributesFrom(kernel);
  made->setComdat(kernel->getComdat());
  made->splice(made->begin(), kernel);
  made->takeName(kernel);
  SmallVector<std::pair<unsigned, MDNode *>> metadata;
  kernel->getAllMetadata(metadata);
  for (auto [kind, node] : metadata)
    made->setMetadata(kind, node);
  for (auto [from, to] : zip(kernel->args(), made->args()))
    from.replaceAllUsesWith(&to);
  for (auto [index, one] : enumerate(added)) {
    one.second->replaceAllUsesWith(made->getArg(kernel->arg_size() + index));
    one.second->eraseFromParent();
  }
  made->addFnAttr(DeviceBindingsAttribute, bindings);
  kernel->replaceAllUsesWith(made);
  kernel->eraseFromParent();
  kernel = made;
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

Value *Lowering::laneCall(StringRef name, Type *result,
                          ArrayRef<Value *> operands) {
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  FunctionCallee callee = module.getOrInsertFunction(
      name, FunctionType::get(result, types, /*isVarArg=*/false));
  auto *function = cast<Function>(callee.getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  function->addFnAttr(Attribute::WillReturn);
  function->addFnAttr(Attribute::NoDuplicate);
  // So that no two calls become one: other lanes may be here.
  function->setOnlyAccessesInaccessibleMemory();
  CallInst *call = builder.CreateCall(callee, operands);
  call->setConvergent();
  return call;
}

Lowering::Lanes Lowering::findLanes() {
  Lanes lanes;
  Value *mask = laneCall(LaneBallot, i64, builder.getTrue());
  Value *lane = laneCall(LaneNumber, i64, {});
  Value *below =
      builder.CreateSub(builder.CreateShl(constant(1), lane), constant(1));
  lanes.rank = bits(builder.CreateAnd(mask, below));
  lanes.count = bits(mask);
  // Figure 5: most_sig_work_item.
  lanes.leader = builder.CreateSub(
      constant(63),
      builder.CreateBinaryIntrinsic(Intrinsic::ctlz, mask, builder.getTrue()));
  lanes.isLeader = builder.CreateICmpEQ(lane, lanes.leader);
  return lanes;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// The offset of an element that is reserved now; -1 if there is no room, which the
/// place for that then says.
Value *Lowering::reserve(Value *array) {
  BasicBlock *join = splitHere();
  BasicBlock *attempt = addBlock(join), *exchange = addBlock(join),
             *full = addBlock(join);
  Value *mask = word(array, abi::arrayMask);
  Lanes lanes{constant(1), constant(0), nullptr, nullptr};
  BasicBlock *before = builder.GetInsertBlock();
  if (hasLeader(array)) {
    lanes = findLanes();
    builder.CreateCondBr(lanes.isLeader, attempt, join);
  } else {
    builder.CreateBr(attempt);
  }

  builder.SetInsertPoint(attempt);
  Value *old = shared(array, abi::arrayTail);
  Value *head = shared(array, abi::arrayHead);
  Value *end = builder.CreateAdd(old, lanes.count);
  // The mask is one less than the width.
  Value *fits = builder.CreateICmpULE(
      builder.CreateSub(builder.CreateSub(end, head), constant(1)), mask);
  builder.CreateCondBr(fits, exchange, full);

  builder.SetInsertPoint(exchange);
  // What is written to an element waits for this by itself.
  builder.CreateCondBr(
      swap(array, abi::arrayTail, old, end, AtomicOrdering::Monotonic), join,
      attempt);

  builder.SetInsertPoint(full);
  Value *waitsFor = builder.CreateIntToPtr(batch(abi::batchWaitsFor), pointer);
  builder.CreateAlignedStore(array, waitsFor, Align(8));
  builder.CreateBr(join);

  builder.SetInsertPoint(join, join->begin());
  PHINode *result = builder.CreatePHI(i64, 3);
  if (hasLeader(array))
    result->addIncoming(constant(0), before);
  result->addIncoming(old, exchange);
  result->addIncoming(constant(-1), full);
  Value *base = hasLeader(array) ? readLane(result, lanes.leader)
                                 : static_cast<Value *>(result);
  Value *offset = builder.CreateAnd(builder.CreateAdd(base, lanes.rank), mask);
  return builder.CreateSelect(builder.CreateICmpSLT(base, constant(0)),
                              constant(-1), offset);
}

/// The element is ready: its offset is in the control array.
void Lowering::enqueue(Value *array, Value *number) {
  BasicBlock *end = splitHere();
  BasicBlock *attempt = addBlock(end), *join = addBlock(end),
             *turn = addBlock(end);
  Value *mask = word(array, abi::arrayControlMask);
  Value *control = address(array, abi::arrayControl);
  Lanes lanes{constant(1), constant(0), nullptr, nullptr};
  BasicBlock *before = builder.GetInsertBlock();
  if (hasLeader(array)) {
    lanes = findLanes();
    builder.CreateCondBr(lanes.isLeader, attempt, join);
  } else {
    builder.CreateBr(attempt);
  }

  // The array is twice as long as that of elements, so that there is room.
  builder.SetInsertPoint(attempt);
  Value *old = shared(array, abi::arrayReserveTail);
  builder.CreateCondBr(swap(array, abi::arrayReserveTail, old,
                            builder.CreateAdd(old, lanes.count),
                            AtomicOrdering::Monotonic),
                       join, attempt);

  builder.SetInsertPoint(join);
  PHINode *first = builder.CreatePHI(i64, 2);
  if (hasLeader(array))
    first->addIncoming(constant(0), before);
  first->addIncoming(old, attempt);
  Value *base = hasLeader(array) ? readLane(first, lanes.leader)
                                 : static_cast<Value *>(first);
  Value *position =
      builder.CreateAnd(builder.CreateAdd(base, lanes.rank), mask);
  builder.CreateAlignedStore(
      builder.CreateTrunc(number, builder.getInt32Ty()),
      builder.CreateGEP(builder.getInt32Ty(), control, position), Align(4));
  if (hasLeader(array))
    builder.CreateCondBr(lanes.isLeader, turn, end);
  else
    builder.CreateBr(turn);

  // Offsets become visible in the order of their reservation.
  builder.SetInsertPoint(turn);
  if (!hasLeader(array)) {
    // Lanes of one wavefront wait for each other: the one whose turn it is must not
    // have to leave the loop first.
    builder.CreateCondBr(swap(array, abi::arrayControlTail, base,
                              builder.CreateAdd(base, constant(1)),
                              AtomicOrdering::Release),
                         end, turn);
    goOn(end);
    return;
  }
  BasicBlock *publish = addBlock(end);
  builder.CreateCondBr(
      builder.CreateICmpEQ(shared(array, abi::arrayControlTail), base), publish,
      turn);
  builder.SetInsertPoint(publish);
  StoreInst *store =
      builder.CreateAlignedStore(builder.CreateAdd(base, lanes.count),
                                 place(array, abi::arrayControlTail), Align(8));
  store->setAtomic(AtomicOrdering::Release);
  builder.CreateBr(end);
  goOn(end);
}

/// The element is done.  Lanes whose elements are of one group count together.
void Lowering::free(Value *array, Value *number) {
  auto countAt = [&](Value *group) {
    return builder.CreatePtrAdd(
        address(array, abi::arrayDone),
        builder.CreateMul(group, constant(abi::arrayLine)));
  };
  auto add = [&](Value *group, Value *count) {
    builder.CreateAtomicRMW(AtomicRMWInst::Add, countAt(group), count, Align(8),
                            AtomicOrdering::Release);
  };
  Value *group = builder.CreateLShr(number, word(array, abi::arrayDoneShift));
  if (options.channels != DeviceChannels::Leader)
    return add(group, constant(1));
  BasicBlock *end = splitHere();
  BasicBlock *loop = addBlock(end), *count = addBlock(end),
             *next = addBlock(end);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  Lanes lanes = findLanes();
  Value *counted = readLane(group, lanes.leader);
  Value *isCounted = builder.CreateICmpEQ(group, counted);
  Value *mask = laneCall(LaneBallot, i64, isCounted);
  builder.CreateCondBr(lanes.isLeader, count, next);
  builder.SetInsertPoint(count);
  add(counted, bits(mask));
  builder.CreateBr(next);
  builder.SetInsertPoint(next);
  builder.CreateCondBr(isCounted, end, loop);
  goOn(end);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value *Lowering::lowerField(CallInst &call) {
  Value *column = call.getArgOperand(0), *number = call.getArgOperand(1);
  uint64_t size = cast<ConstantInt>(call.getArgOperand(2))->getZExtValue();
  uint64_t all = cast<ConstantInt>(call.getArgOperand(3))->getZExtValue();
  if (Value *array = arrayOf.lookup(column); array && options.structures)
    return builder.CreatePtrAdd(
        column, builder.CreateMul(number, word(array, abi::arrayStride)));
  if (isArray() && options.structures)
    size = elementStride(all, options);
  return builder.CreateGEP(ArrayType::get(builder.getInt8Ty(), size), column,
                           number);
}

/// Of arrays, the control array has the offset of the element.
Value *Lowering::lowerDequeued(CallInst &call) {
  Value *thread = call.getArgOperand(0);
  if (!isArray())
    return thread;
  Value *position =
      builder.CreateAnd(builder.CreateAdd(batch(abi::batchPosition), thread),
                        batch(abi::batchControlMask));
  Value *control = builder.CreateIntToPtr(batch(abi::batchControl), pointer);
  return builder.CreateZExt(
      builder.CreateAlignedLoad(
          builder.getInt32Ty(),
          builder.CreateGEP(builder.getInt32Ty(), control, position), Align(4)),
      i64);
}

void Lowering::lowerEnqueue(CallInst &call) {
  Value *channel = call.getArgOperand(0);
  if (isArray())
    return enqueue(channel, call.getArgOperand(1));
  // Release: the element's stores have been acknowledged.
  builder.CreateAtomicRMW(AtomicRMWInst::Add, place(channel, abi::deviceDone),
                          constant(1), Align(8), AtomicOrdering::Release);
}

/// The dispatcher has seen to room for continuations.  A channel in memory may be full,
/// until others have been run.
void Lowering::lowerReserveOwn(CallInst &call) {
  FunctionCallee reserveCall =
      module.getOrInsertFunction(DeviceReserve, call.getFunctionType());
  // What the machine does is known of its declaration.
  auto *declaration = cast<Function>(reserveCall.getCallee());
  declaration->setAttributes(call.getCalledFunction()->getAttributes());
  Value *channel = call.getArgOperand(0);
  if (!isArray()) {
    call.replaceAllUsesWith(builder.CreateCall(reserveCall, {channel}));
    return;
  }
  BasicBlock *after = splitHere();
  BasicBlock *attempt = addBlock(after), *wait = addBlock(after);
  builder.CreateBr(attempt);
  builder.SetInsertPoint(attempt);
  builder.CreateBr(after);
  builder.SetInsertPoint(attempt->getTerminator());
  Value *number = reserve(channel);
  BasicBlock *last = builder.GetInsertBlock();
  last->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(last);
  builder.CreateCondBr(builder.CreateICmpSGE(number, constant(0)), after, wait);
  builder.SetInsertPoint(wait);
  builder.CreateCall(
      module.getOrInsertFunction(DeviceYield, builder.getVoidTy()));
  builder.CreateBr(attempt);
  call.replaceAllUsesWith(number);
}

/// Frames are elements of a channel that nothing consumes.
Value *Lowering::lowerPop(CallInst &call) {
  Value *array = call.getArgOperand(0);
  uint64_t bytes = 0;
  bindingOf(array).split(' ').second.getAsInteger(10, bytes);
  bytes = alignTo(bytes, abi::arrayFrameAlignment);
  Value *number = reserve(array);
  Value *frame = builder.CreateGEP(ArrayType::get(builder.getInt8Ty(), bytes),
                                   address(array, abi::arrayData), number);
  return builder.CreateSelect(builder.CreateICmpSLT(number, constant(0)),
                              ConstantPointerNull::get(builder.getPtrTy()),
                              frame);
}

void Lowering::lower(CallInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  builder.SetInsertPoint(&call);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  Value *result = nullptr;
  if (name == DeviceDequeued) {
    result = lowerDequeued(call);
  } else if (name == DeviceColumn) {
    auto *field = cast<ConstantInt>(call.getArgOperand(1));
    result = builder.CreateAlignedLoad(
        pointer,
        place(call.getArgOperand(0),
              int32_t((isArray() ? abi::arrayColumns : abi::deviceColumns) +
                      field->getZExtValue() * abi::pointerSize)),
        Align(8));
    if (isArray())
      arrayOf[result] = call.getArgOperand(0);
  } else if (name == DeviceField) {
    result = lowerField(call);
  } else if (name == DeviceEnqueue) {
    lowerEnqueue(call);
  } else if (name == DeviceReserveOwn) {
    lowerReserveOwn(call);
  } else if (name == DeviceFree) {
    if (isArray())
      free(builder.CreateIntToPtr(batch(abi::batchArray), pointer),
           call.getArgOperand(0));
  } else if (!isArray()) {
    return;
  } else if (name == DeviceReserve) {
    result = reserve(call.getArgOperand(0));
  } else if (name == DevicePop) {
    result = lowerPop(call);
  } else if (name == DevicePush) {
    Value *array = call.getArgOperand(0);
    uint64_t bytes = 0;
    bindingOf(array).split(' ').second.getAsInteger(10, bytes);
    bytes = alignTo(bytes, abi::arrayFrameAlignment);
    Value *distance =
        builder.CreateSub(builder.CreatePtrToInt(call.getArgOperand(1), i64),
                          word(array, abi::arrayData));
    free(array, builder.CreateUDiv(distance, constant(bytes)));
  } else {
    return;
  }
  if (result)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void Lowering::run() {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(*kernel))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (call->getCalledFunction() &&
          call->getCalledFunction()->getName().starts_with("__vgiw_"))
        calls.push_back(call);
  for (CallInst *call : calls)
    lower(*call);
  if (isArray())
    kernel->addFnAttr(DeviceOrderAttribute);
  appendParameters();
}

void cilk2chan::lowerDeviceChannels(Module &module,
                                    const DeviceChannelOptions &options) {
  SmallVector<Function *> kernels;
  for (Function &function : module)
    if (!function.isDeclaration() &&
        function.hasFnAttribute(DeviceKernelAttribute))
      kernels.push_back(&function);
  for (Function *kernel : kernels)
    Lowering(*kernel, options).run();
}
