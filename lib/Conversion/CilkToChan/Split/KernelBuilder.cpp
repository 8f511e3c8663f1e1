//===- KernelBuilder.cpp - One phase becomes one kernel -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is the blocks of its phase, cloned, with
//  - an entry block that reads the element and the values live across the
//    suspension;
//  - the addresses of objects in the frame made where they are used;
//  - spawns as talloc/set/enq one level deeper;
//  - at each suspension, the live values stored in the frame and the
//    continuation enqueued at this level;
//  - at each return, the result delivered and the frame freed.
//
// A value that is live into the phase and defined again inside it (a loop with
// a sync) has two definitions in the clone: it becomes a local variable, which
// LLVM's mem2reg turns back into SSA form.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "cilk2chan/Conversion/CilkToChan/KeptObjects.h"

using namespace mlir;
using namespace cilk2chan;

using Special = FrameLayout::Special;

Value KernelBuilder::null(Location loc) {
  return LLVM::ZeroOp::create(builder, loc, pointer);
}

chan::TallocOp KernelBuilder::talloc(Location loc, chan::StackOp stack,
                                     unsigned level, Value target) {
  auto element = chan::ElementType::get(builder.getContext(),
                                        FlatSymbolRefAttr::get(stack));
  return chan::TallocOp::create(builder, loc, element, level, target,
                                /*mask=*/Value());
}

chan::KernelOp KernelBuilder::build(unsigned index) {
  phase = &phases.get()[index];
  mapping.clear();
  variables.clear();
  frees.clear();
  frame = resultSlot = {};

  builder.setInsertionPoint(function);
  std::string name = (function.getName() + "." + Twine(index)).str();
  auto stack = stacks.phase(function.getName(), index);
  kernel = chan::KernelOp::create(
      builder, function.getLoc(), builder.getStringAttr(name),
      FlatSymbolRefAttr::get(stack), builder.getArrayAttr({}),
      builder.getArrayAttr({}), builder.getI64IntegerAttr(layout.getSize()),
      /*lanes=*/IntegerAttr(), sourceOf(function), /*phase=*/IntegerAttr(),
      /*compacted=*/ArrayAttr(), /*laneRefill=*/UnitAttr(), UnitAttr(),
      UnitAttr(), UnitAttr());
  stacks.name(kernel);
  findScopes();
  builder.createBlock(&kernel.getBody());
  createEntry();
  createVariables();

  // The function's entry block has the function's arguments; the clone's
  // takes none.
  for (Block *block : phase->blocks) {
    Block *copy = new Block();
    kernel.getBody().push_back(copy);
    mapping.map(block, copy);
    if (block != &function.front())
      for (BlockArgument argument : block->getArguments())
        mapping.map(argument,
                    copy->addArgument(argument.getType(), argument.getLoc()));
  }
  LLVM::BrOp::create(builder, function.getLoc(), mapping.lookup(phase->start));
  for (Block *block : phase->blocks)
    cloneBlock(block);

  if (isEntry() && frame)
    sinkFrame();
  declareEdges();
  describeFrame();
  forgetLostValues();
  giveOwnSubprogram(kernel, function.getLoc());
  return kernel;
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

void KernelBuilder::createEntry() {
  Location loc = phase->after ? phase->after->getLoc() : function.getLoc();
  auto element =
      chan::ElementType::get(builder.getContext(), kernel.getConsumesAttr());
  deq = chan::DeqOp::create(builder, loc, element, /*mask=*/Type());

  if (!isEntry()) {
    frame = chan::GetOp::create(builder, loc, pointer, deq.getElement(),
                                chan::FrameField);
    chan::TfreeOp::create(builder, loc, deq.getElement());
  } else {
    if (layout.needed())
      frame = chan::FrameOp::create(builder, loc, pointer, layout.getSize());
    for (BlockArgument argument : function.getArguments()) {
      std::string field = chan::parameterField(argument.getArgNumber());
      if (argument.getArgNumber() == 0 && function->hasAttr(RangeAttribute))
        mapping.map(argument, chan::RangeIterationOp::create(builder, loc,
                                                             argument.getType(),
                                                             deq.getElement()));
      else if (!layout.object(argument))
        mapping.map(argument,
                    chan::GetOp::create(builder, loc, argument.getType(),
                                        deq.getElement(), field));
    }
    if (!isa<LLVM::LLVMVoidType>(function.getFunctionType().getReturnType()))
      resultSlot = chan::GetOp::create(builder, loc, pointer, deq.getElement(),
                                       chan::ResultField);
  }

  // Objects that only this phase uses live on the kernel's stack.
  for (auto &[address, object] : layout.getObjects()) {
    if (address.use_empty())
      continue;
    if (!object.inFrame && &phases.get()[object.phase] == phase) {
      Value count =
          LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                   builder.getI64IntegerAttr(object.count));
      mapping.map(address,
                  LLVM::AllocaOp::create(builder, loc, pointer, object.type,
                                         count, object.alignment));
    }
    if (auto argument = dyn_cast<BlockArgument>(address);
        argument && isEntry()) {
      Value memory = object.inFrame
                         ? layout.address(builder, loc, frame, address)
                         : mapping.lookup(address);
      std::string field = chan::parameterField(argument.getArgNumber());
      chan::CopyOutOp::create(builder, loc, deq.getElement(), field, memory);
    }
  }
  if (isEntry())
    chan::TfreeOp::create(builder, loc, deq.getElement());
  else if (auto sync = dyn_cast<cilk::SyncOp>(phase->after))
    finishSync(sync);
}

/// Does what is to be done when all children are done.
void KernelBuilder::finishSync(cilk::SyncOp sync) {
  Location loc = sync.getLoc();
  if (layout.has(Special::Pending))
    chan::ApplyOp::create(
        builder, loc, layout.address(builder, loc, frame, Special::Pending));
  // Behind the assignments, which may have been to these objects.
  if (sync->hasAttr(ReleasesAttribute))
    chan::AllocaFreeOp::create(
        builder, loc, layout.address(builder, loc, frame, Special::Objects));
}

void KernelBuilder::createVariables() {
  if (isEntry())
    return;
  Location loc = phase->after->getLoc();
  SmallVector<Value> liveIn(phase->liveIn.begin(), phase->liveIn.end());
  for (Value value : liveIn) {
    if (layout.object(value))
      continue;
    if (isRematerialized(value)) {
      mapping.map(value, builder.clone(*value.getDefiningOp())->getResult(0));
      continue;
    }
    Value loaded = loadFromFrame(value, loc);
    // A call's result arrives in the frame, never by running the call here.
    bool redefined = phase->blocks.contains(value.getParentBlock()) &&
                     !isa_and_nonnull<cilk::CallOp>(value.getDefiningOp());
    if (!redefined) {
      mapping.map(value, loaded);
      continue;
    }
    Value one = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                         builder.getI64IntegerAttr(1));
    Value variable = LLVM::AllocaOp::create(builder, loc, frame.getType(),
                                            value.getType(), one);
    LLVM::StoreOp::create(builder, loc, loaded, variable);
    variables[value] = variable;
  }
  describeLiveIn();
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

void KernelBuilder::storeVariable(Value original) {
  if (Value variable = variables.lookup(original))
    LLVM::StoreOp::create(builder, original.getLoc(), mapping.lookup(original),
                          variable);
}

Value KernelBuilder::loadFromFrame(Value original, Location loc) {
  return LLVM::LoadOp::create(builder, loc, original.getType(),
                              layout.address(builder, loc, frame, original),
                              layout.alignment(original));
}

void KernelBuilder::storeInFrame(Value original, Value current, Location loc) {
  LLVM::StoreOp::create(builder, loc, current,
                        layout.address(builder, loc, frame, original),
                        layout.alignment(original));
}

/// Maps operands that have no one value in this kernel to one made here.
void KernelBuilder::mapOperands(Operation &op) {
  for (Value operand : op.getOperands()) {
    const FrameLayout::Object *object = layout.object(operand);
    if (object && object->inFrame)
      mapping.map(operand,
                  layout.address(builder, op.getLoc(), frame, operand));
    else if (Value variable = variables.lookup(operand))
      mapping.map(operand, LLVM::LoadOp::create(builder, op.getLoc(),
                                                operand.getType(), variable));
  }
}

void KernelBuilder::cloneBlock(Block *block) {
  builder.setInsertionPointToEnd(mapping.lookup(block));
  if (block != &function.front())
    for (BlockArgument argument : block->getArguments()) {
      // mapOperands may have mapped the argument to an earlier load.
      if (variables.contains(argument))
        mapping.map(argument, mapping.lookup(block)->getArgument(
                                  argument.getArgNumber()));
      storeVariable(argument);
    }
  Operation *suspension = Phases::suspension(block);
  for (Operation &op : *block) {
    for (const DebugRecord &record : debug.before(&op))
      describe(record);
    if (&op == suspension) {
      suspend(suspension);
      return;
    }
    clone(op);
  }
}

void KernelBuilder::clone(Operation &op) {
  if (auto alloca = dyn_cast<LLVM::AllocaOp>(op);
      alloca && layout.object(alloca.getResult()))
    return;
  // One that is live into the phase is at its beginning, and need not be here.
  if (op.getNumResults() == 1 && isRematerialized(op.getResult(0)) &&
      phase->liveIn.contains(op.getResult(0)))
    return;
  mapOperands(op);
  if (auto spawn = dyn_cast<cilk::SpawnOp>(op))
    return lowerSpawn(spawn);
  if (auto alloca = dyn_cast<LLVM::AllocaOp>(op))
    return lowerAlloca(alloca);
  if (auto ret = dyn_cast<LLVM::ReturnOp>(op))
    return lowerReturn(ret);
  if (auto sync = dyn_cast<cilk::SyncOp>(op)) // children are done
    return finishSync(sync);
  builder.clone(op, mapping);
  for (Value result : op.getResults())
    storeVariable(result);
}

void KernelBuilder::lowerAlloca(LLVM::AllocaOp alloca) {
  Location loc = alloca.getLoc();
  uint64_t unit = layout.getTypes().allocSize(alloca.getElemType());
  // The number of elements is unsigned, and the size may need more bits.
  Value size = mapping.lookup(alloca.getArraySize());
  if (size.getType().getIntOrFloatBitWidth() < 64)
    size = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), size);
  Value bytes =
      LLVM::ConstantOp::create(builder, loc, size.getType(),
                               builder.getIntegerAttr(size.getType(), unit));
  bytes = LLVM::MulOp::create(builder, loc, size, bytes);
  uint64_t alignment =
      std::max(alloca.getAlignment().value_or(1),
               layout.getTypes().abiAlignment(alloca.getElemType()));
  Value memory = chan::AllocaOp::create(
      builder, loc, alloca.getType(),
      layout.address(builder, loc, frame, FrameLayout::arenaOf(alloca)), bytes,
      alignment);
  mapping.map(alloca.getResult(), memory);
  storeVariable(alloca.getResult());
}

/// Sets the fields of an entry element and enqueues it. A null `slot` means
/// that the result is not wanted.
void KernelBuilder::fillElement(chan::TallocOp element, chan::StackOp stack,
                                ValueRange args, Value slot, Location loc) {
  for (auto [index, arg] : llvm::enumerate(args)) {
    std::string field = chan::parameterField(index);
    // Passed by value in memory: the field is the pointee.
    if (stack.getFieldType(field) != arg.getType())
      chan::CopyInOp::create(builder, loc, arg, element, field);
    else
      chan::SetOp::create(builder, loc, arg, element, field);
  }
  if (stack.getFieldType(chan::ResultField))
    chan::SetOp::create(builder, loc, slot ? slot : null(loc), element,
                        chan::ResultField);
  chan::EnqOp::create(builder, loc, element, /*site=*/IntegerAttr(),
                      /*destination=*/Value());
}

void KernelBuilder::lowerSpawn(cilk::SpawnOp spawn) {
  Location loc = spawn.getLoc();
  Value target;
  chan::StackOp stack = stacks.own(spawn);
  if (!stack) {
    // A callee of another type than its definition's is called as the pointer
    // it is.
    stack = stacks.forCallsLike(spawn);
    target = spawn.getTarget() ? mapping.lookup(spawn.getTarget())
                               : LLVM::AddressOfOp::create(
                                     builder, loc, pointer, *spawn.getCallee());
  }

  SmallVector<Value> args;
  for (Value arg : spawn.getArgs())
    args.push_back(mapping.lookupOrDefault(arg));
  Value slot;
  if (spawn.getDestination())
    slot = mapping.lookup(spawn.getDestination());
  if (spawn.isDeferred()) {
    DeferredResult result = deferredResult(spawn, layout.getTypes());
    slot = chan::DeferOp::create(
        builder, loc, pointer,
        layout.address(builder, loc, frame, Special::Pending),
        spawn.getApplyAttr(), slot ? slot : null(loc), result.size,
        result.alignment);
    if (spawn.getStructResult())
      args[0] = slot;
  }
  auto element = talloc(loc, stack, 1, target);
  fillElement(element, stack, args, slot, loc);
}

void KernelBuilder::lowerCall(cilk::CallOp call) {
  Location loc = call.getLoc();
  chan::StackOp stack = stacks.entry(call.getCallee());
  SmallVector<Value> args;
  for (Value arg : call.getArgs())
    args.push_back(mapping.lookup(arg));
  Value slot;
  if (call.getResult() && !call.getResult().use_empty())
    slot = layout.address(builder, loc, frame, call.getResult());
  auto element = talloc(loc, stack, 1);
  fillElement(element, stack, args, slot, loc);
}

//===----------------------------------------------------------------------===//
// Exits
//===----------------------------------------------------------------------===//

void KernelBuilder::suspend(Operation *suspension) {
  Location loc = suspension->getLoc();
  if (auto call = dyn_cast<cilk::CallOp>(suspension)) {
    mapOperands(*call);
    lowerCall(call);
  }
  unsigned next = phases.after(suspension);
  for (Value value : phases.get()[next].liveIn) {
    if (layout.object(value) || isRematerialized(value) ||
        isa_and_nonnull<cilk::CallOp>(value.getDefiningOp()))
      continue;
    bool definedHere = phase->blocks.contains(value.getParentBlock());
    if (!definedHere) // and so it was loaded from its field
      continue;
    Value variable = variables.lookup(value);
    Value current =
        variable ? LLVM::LoadOp::create(builder, loc, value.getType(), variable)
                 : mapping.lookup(value);
    storeInFrame(value, current, loc);
  }
  if (isEntry() && layout.has(Special::Result))
    LLVM::StoreOp::create(builder, loc, resultSlot,
                          layout.address(builder, loc, frame, Special::Result));
  auto stack = stacks.phase(function.getName(), next);
  auto element = talloc(loc, stack, 0);
  chan::SetOp::create(builder, loc, frame, element, chan::FrameField);
  chan::EnqOp::create(builder, loc, element, /*site=*/IntegerAttr(),
                      /*destination=*/Value());
  chan::DoneOp::create(builder, loc);
}

void KernelBuilder::lowerReturn(LLVM::ReturnOp op) {
  Location loc = op.getLoc();
  if (op.getArg()) {
    Value slot = resultSlot;
    if (!isEntry())
      slot = LLVM::LoadOp::create(
          builder, loc, pointer,
          layout.address(builder, loc, frame, Special::Result));
    chan::DeliverOp::create(builder, loc, mapping.lookup(op.getArg()), slot);
  }
  if (frame) {
    for (Special arenaField : {Special::Arena, Special::Objects}) {
      if (!layout.has(arenaField))
        continue;
      Value arena = layout.address(builder, loc, frame, arenaField);
      auto free = chan::AllocaFreeOp::create(builder, loc, arena);
      frees.push_back(arena.getDefiningOp());
      frees.push_back(free);
    }
    frees.push_back(
        chan::FrameFreeOp::create(builder, loc, frame, layout.getSize()));
  }
  chan::DoneOp::create(builder, loc);
}
