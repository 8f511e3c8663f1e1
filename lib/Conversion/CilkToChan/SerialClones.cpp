//===- SerialClones.cpp - Spawning functions that call their children -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SerialClones.h"
#include "FrameLayout.h"

#include "cilk2chan/Conversion/RuntimeABI.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2chan;

/// Whether every local object has a place of its own in the C stack's frame;
/// what a loop allocates would not go before the function returns.
static bool hasFixedFrame(LLVM::LLVMFuncOp function) {
  return !function
              .walk([&](LLVM::AllocaOp alloca) {
                return alloca->getBlock() != &function.front() ||
                               !matchPattern(alloca.getArraySize(),
                                             m_Constant())
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether what is passed by value may lie in an element.
static bool hasAlignedParameters(LLVM::LLVMFuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    auto align = function.getArgAttrOfType<IntegerAttr>(
        argument.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName());
    if (byValueType(function, argument.getArgNumber()) && align &&
        align.getInt() > int64_t(abi::maxFieldAlignment))
      return false;
  }
  return true;
}

void SerialClones::add(LLVM::LLVMFuncOp function) {
  if (isInterposable(function) || !hasFixedFrame(function) ||
      !hasAlignedParameters(function))
    return;
  LLVM::LLVMFuncOp clone = function.clone();
  clone.setName((function.getName() + SerialSuffix).str());
  clones.push_back({clone, function.getName(), sourceOf(function).getValue()});
  bySource[function.getName()] = clone;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// Lowers the spawns, syncs and calls of one clone.
class SerialClones::Lowering {
public:
  Lowering(SerialClones &clones, const Clone &clone)
      : clones(clones), function(clone.function), source(clone.part),
        builder(function.getContext()),
        pointer(LLVM::LLVMPointerType::get(function.getContext())),
        i64(builder.getI64Type()), i1(builder.getI1Type()),
        nothing(LLVM::LLVMVoidType::get(function.getContext())) {}

  void run();

private:
  void begin();
  void lower(cilk::SpawnOp spawn);
  void lower(cilk::SyncOp sync);
  void lower(cilk::CallOp call);
  Value callNow(cilk::SpawnOp spawn, ValueRange args);
  void spawnNow(cilk::SpawnOp spawn);
  void spawnLate(cilk::SpawnOp spawn);
  void syncIfLate(Location loc);

  Value constant(Location loc, Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  }
  Value makeLocal(Location loc, Type type, uint64_t alignment = 0);
  Value call(Location loc, StringRef name, Type result, ValueRange args);
  Value isPressed(Location loc);
  /// Stores what a function of the runtime's answers, 0 or not.
  void ask(Location loc, StringRef name, ValueRange args, Value flag);
  /// Where the rest of the block becomes a block of its own, which control
  /// reaches by way of `yes` if `condition`, else of `no`.
  void branch(Location loc, Value condition, bool likely,
              function_ref<void()> yes, function_ref<void()> no);

  SerialClones &clones;
  LLVM::LLVMFuncOp function;
  /// The C function that the clone is a part of.
  StringRef source;
  OpBuilder builder;
  const LLVM::LLVMPointerType pointer;
  const Type i64, i1, nothing;
  Value worker;
  /// The activation's chan_late, and whether it is open.
  Value late, open;
};

Value SerialClones::Lowering::makeLocal(Location loc, Type type,
                                     uint64_t alignment) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.front());
  Value one = constant(loc, i64, 1);
  return LLVM::AllocaOp::create(builder, loc, pointer, type, one, alignment);
}

Value SerialClones::Lowering::call(Location loc, StringRef name, Type result,
                                   ValueRange args) {
  SmallVector<Type> types(args.getTypes());
  auto module = cast<ModuleOp>(clones.symbols.getOp());
  auto callee = clones.symbols.lookup<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    callee =
        LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(), name,
                                 LLVM::LLVMFunctionType::get(result, types));
    clones.symbols.insert(callee);
  }
  auto op = LLVM::CallOp::create(builder, loc, callee, args);
  return op.getNumResults() ? op.getResult() : Value();
}

void SerialClones::Lowering::branch(Location loc, Value condition, bool likely,
                                    function_ref<void()> yes,
                                    function_ref<void()> no) {
  Block *before = builder.getInsertionBlock();
  Block *after = before->splitBlock(builder.getInsertionPoint());
  Block *blocks[2];
  for (auto [block, fill] : llvm::zip(blocks, std::array{yes, no})) {
    block = after;
    if (!fill)
      continue;
    block = builder.createBlock(after);
    fill();
    LLVM::BrOp::create(builder, loc, after);
  }
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, condition, blocks[0], ValueRange(),
                         blocks[1], ValueRange(),
                         likely ? std::make_pair(2000, 1)
                                : std::make_pair(1, 2000));
  builder.setInsertionPointToStart(after);
}

/// Gives the function the worker as its first parameter.
void SerialClones::Lowering::begin() {
  Location loc = function.getLoc();
  auto type = function.getFunctionType();
  SmallVector<Type> parameters = {pointer};
  llvm::append_range(parameters, type.getParams());
  ArrayAttr attributes = function.getArgAttrsAttr();
  function.setFunctionType(
      LLVM::LLVMFunctionType::get(type.getReturnType(), parameters));
  worker = function.front().insertArgument(0u, pointer, loc);
  if (attributes) {
    SmallVector<Attribute> all = {builder.getDictionaryAttr({})};
    llvm::append_range(all, attributes);
    function.setArgAttrsAttr(builder.getArrayAttr(all));
  }
  function.setPassthroughAttr(builder.getArrayAttr(builder.getStrArrayAttr(
      {SourceAttribute, source})));
  function.setLinkage(LLVM::Linkage::Internal);
  function.setVisibility_(LLVM::Visibility::Default);
  function.setComdatAttr({});

  builder.setInsertionPointToStart(&function.front());
  // Where a chan_late begins is as good a mark of how deep the stack is as any.
  bool spawns = !function.getOps<cilk::SpawnOp>().empty();
  late = makeLocal(loc,
                LLVM::LLVMArrayType::get(builder.getI8Type(),
                                         spawns ? abi::lateSize : 1),
                spawns ? abi::lateAlignment : 1);
  open = makeLocal(loc, i1);
  builder.setInsertionPointAfterValue(open);
  LLVM::StoreOp::create(builder, loc, constant(loc, i1, 0), open);
}

/// Whether the stack is running out, or somebody wants work.
Value SerialClones::Lowering::isPressed(Location loc) {
  Value place = LLVM::GEPOp::create(
      builder, loc, pointer, builder.getI8Type(), worker,
      ArrayRef<LLVM::GEPArg>{int32_t(abi::workerStackLimit)});
  Value limit = LLVM::LoadOp::create(
      builder, loc, i64, place, /*alignment=*/8, /*isVolatile=*/false,
      /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic);
  Value depth = LLVM::PtrToIntOp::create(builder, loc, i64, late);
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, depth,
                              limit);
}

void SerialClones::Lowering::ask(Location loc, StringRef name, ValueRange args,
                                 Value flag) {
  Type i32 = builder.getI32Type();
  Value answer = call(loc, name, i32, args);
  Value yes = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                   answer, constant(loc, i32, 0));
  LLVM::StoreOp::create(builder, loc, yes, flag);
}

/// Calls what a spawn, or a plain call, calls: its clone if it has one.
static LLVM::CallOp createCall(OpBuilder &builder, Location loc,
                               LLVM::LLVMFunctionType signature,
                               FlatSymbolRefAttr callee, Value target,
                               LLVM::LLVMFuncOp clone, Value worker,
                               ValueRange args, ArrayAttr attributes) {
  SmallVector<Value> operands;
  if (clone)
    operands.push_back(worker);
  else if (target)
    operands.push_back(target);
  llvm::append_range(operands, args);
  if (clone && attributes) {
    SmallVector<Attribute> all = {builder.getDictionaryAttr({})};
    llvm::append_range(all, attributes);
    attributes = builder.getArrayAttr(all);
  }
  LLVM::CallOp call;
  if (clone)
    call = LLVM::CallOp::create(builder, loc, clone, operands);
  else if (target)
    call = LLVM::CallOp::create(builder, loc, signature, operands);
  else
    call = LLVM::CallOp::create(builder, loc, signature, callee, operands);
  if (attributes)
    call.setArgAttrsAttr(attributes);
  return call;
}

Value SerialClones::Lowering::callNow(cilk::SpawnOp spawn, ValueRange args) {
  LLVM::LLVMFuncOp clone;
  auto signature = spawn.getSignature();
  if (auto callee = spawn.getCallee())
    if (chan::StackOp stack = clones.stacks.entry(*callee);
        stack && *stack.getSignature() == signature)
      clone = clones.bySource.lookup(*callee);
  LLVM::CallOp call =
      createCall(builder, spawn.getLoc(), signature, spawn.getCalleeAttr(),
                 spawn.getTarget(), clone, worker, args,
                 spawn.getArgAttrsAttr());
  return call.getNumResults() ? call.getResult() : Value();
}

void SerialClones::Lowering::spawnNow(cilk::SpawnOp spawn) {
  Location loc = spawn.getLoc();
  SmallVector<Value> args(spawn.getArgs());
  Value result, place;
  if (Type structure = spawn.getStructResult()) {
    place = makeLocal(loc, structure);
    args[0] = place;
    callNow(spawn, args);
  } else {
    result = callNow(spawn, args);
  }
  if (!spawn.getDestination())
    return;
  if (!spawn.getApplyAttr()) {
    // The destination may be less aligned than its type (chan.deliver).
    if (result)
      LLVM::StoreOp::create(builder, loc, result, spawn.getDestination(),
                            /*alignment=*/1);
    return;
  }
  if (result) {
    // The apply function takes its operand for aligned so (chan_deferred).
    place = makeLocal(loc, result.getType(), abi::frameAlignment);
    LLVM::StoreOp::create(builder, loc, result, place);
  }
  auto apply = clones.symbols.lookup<LLVM::LLVMFuncOp>(*spawn.getApply());
  LLVM::CallOp::create(builder, loc, apply,
                       ValueRange{spawn.getDestination(), place});
}

void SerialClones::Lowering::spawnLate(cilk::SpawnOp spawn) {
  Location loc = spawn.getLoc();
  chan::StackOp stack;
  if (auto callee = spawn.getCallee())
    stack = clones.stacks.entry(*callee);
  if (stack && *stack.getSignature() != spawn.getSignature())
    stack = {};
  bool known = bool(stack);
  if (!known)
    stack = clones.stacks.forCallsLike(spawn);

  SmallVector<Value> args(spawn.getArgs());
  Value slot = spawn.getDestination();
  if (!slot)
    slot = LLVM::ZeroOp::create(builder, loc, pointer);
  if (spawn.isDeferred()) {
    Type structure = spawn.getStructResult();
    Type stored = structure ? structure : spawn.getSignature().getReturnType();
    Value apply =
        spawn.getApplyAttr()
            ? LLVM::AddressOfOp::create(builder, loc, pointer,
                                        *spawn.getApply())
                  .getResult()
            : LLVM::ZeroOp::create(builder, loc, pointer).getResult();
    slot = call(
        loc, "chan_late_defer", pointer,
        {worker, late, apply, slot,
         constant(loc, i64, allocSize(clones.layout, stored)),
         constant(loc, i64,
                  std::max<uint64_t>(clones.layout.getTypeABIAlignment(stored),
                                     abi::frameAlignment))});
    if (structure)
      args[0] = slot;
  }
  SmallVector<Value> operands = {worker, late};
  if (!known)
    operands.push_back(spawn.getTarget()
                           ? spawn.getTarget()
                           : LLVM::AddressOfOp::create(builder, loc, pointer,
                                                       *spawn.getCallee())
                                 .getResult());
  llvm::append_range(operands, args);
  if (stack.getFieldType(chan::ResultField))
    operands.push_back(slot);
  call(loc, (LatePrefix + stack.getSymName()).str(), nothing, operands);
}

void SerialClones::Lowering::lower(cilk::SpawnOp spawn) {
  Location loc = spawn.getLoc();
  builder.setInsertionPoint(spawn);
  // Assignments keep their order, so one that is late makes all late.
  Value isOpen = LLVM::LoadOp::create(builder, loc, i1, open);
  branch(
      loc,
      LLVM::AndOp::create(builder, loc, isPressed(loc),
                          LLVM::XOrOp::create(builder, loc, isOpen,
                                              constant(loc, i1, 1))),
      /*likely=*/false,
      [&] {
        ask(loc, "chan_late_open", {worker, late}, open);
      },
      nullptr);
  branch(
      loc, LLVM::LoadOp::create(builder, loc, i1, open), /*likely=*/false,
      [&] { spawnLate(spawn); }, [&] { spawnNow(spawn); });
  spawn.erase();
}

void SerialClones::Lowering::syncIfLate(Location loc) {
  Value isOpen = LLVM::LoadOp::create(builder, loc, i1, open);
  branch(
      loc, isOpen, /*likely=*/false,
      [&] {
        call(loc, "chan_late_sync", nothing, {worker, late});
        LLVM::StoreOp::create(builder, loc, constant(loc, i1, 0), open);
      },
      nullptr);
}

void SerialClones::Lowering::lower(cilk::SyncOp sync) {
  builder.setInsertionPoint(sync);
  syncIfLate(sync.getLoc());
  sync.erase();
}

/// A call on a stack that is running out goes by the C symbol, whose levels are
/// in memory.  Ranges of loops have none; they spawn what is deeper.
void SerialClones::Lowering::lower(cilk::CallOp call) {
  Location loc = call.getLoc();
  builder.setInsertionPoint(call);
  LLVM::LLVMFuncOp clone = clones.bySource.lookup(call.getCallee());
  Type type = call.getResult() ? call.getResult().getType() : Type();
  Value place = type ? makeLocal(loc, type) : Value();
  auto create = [&](LLVM::LLVMFuncOp clone) {
    LLVM::CallOp made = createCall(
        builder, loc, call.getSignature(), call.getCalleeAttr(), Value(), clone,
        worker, call.getArgs(), call.getArgAttrsAttr());
    if (place)
      LLVM::StoreOp::create(builder, loc, made.getResult(), place);
  };
  auto callee = clones.symbols.lookup<LLVM::LLVMFuncOp>(call.getCallee());
  if (!clone || isUnnamed(callee)) {
    create(clone);
  } else {
    Value isLow = makeLocal(loc, i1);
    LLVM::StoreOp::create(builder, loc, constant(loc, i1, 0), isLow);
    branch(
        loc, isPressed(loc), /*likely=*/false,
        [&] {
          ask(loc, "chan_stack_low", worker, isLow);
        },
        nullptr);
    branch(
        loc, LLVM::LoadOp::create(builder, loc, i1, isLow), /*likely=*/false,
        [&] { create({}); }, [&] { create(clone); });
  }
  if (place)
    call.getResult().replaceAllUsesWith(
        LLVM::LoadOp::create(builder, loc, type, place));
  call.erase();
}

void SerialClones::Lowering::run() {
  begin();
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<cilk::SpawnOp, cilk::SyncOp, cilk::CallOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto spawn = dyn_cast<cilk::SpawnOp>(op))
      lower(spawn);
    else if (auto sync = dyn_cast<cilk::SyncOp>(op))
      lower(sync);
    else
      lower(cast<cilk::CallOp>(op));
  }
}

void SerialClones::lower() {
  for (Clone &clone : clones)
    symbols.insert(clone.function);
  for (Clone &clone : clones) {
    Lowering(*this, clone).run();
    chan::StackOp stack = stacks.entry(clone.source);
    stack.setSerialAttr(FlatSymbolRefAttr::get(clone.function));
  }
}
