//===- SerialLowering.cpp - The body of one serial clone ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the spawns of a clone into calls, and has it poll:
//
//   cilk.spawn @f(%a) to %x      poll the worker's limits; if promoted, start
//   cilk.spawn @f(%b) to %y  =>    again as a kernel, or enter the slow path
//   cilk.sync                    %r = llvm.call @f.serial(%worker, %a)
//                                llvm.store %r, %x ...
//
//===----------------------------------------------------------------------===//

#include "SerialLowering.h"
#include "BaseCaseCheck.h"
#include "cilk2chan/Conversion/CilkToChan/KeptObjects.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Support/BaseOf.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2chan;

Value SerialClones::Lowering::makeLocal(Location loc, Type type,
                                        uint64_t alignment) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.front());
  return LLVM::AllocaOp::create(builder, loc, pointer, type, constant(loc, 1),
                                alignment);
}

LLVM::LLVMFuncOp
SerialClones::Lowering::addFunction(StringRef name,
                                    LLVM::LLVMFunctionType type) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(
      cast<ModuleOp>(clones.symbols.getOp()).getBody());
  auto function =
      LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(), name, type);
  clones.symbols.insert(function);
  return function;
}

Value SerialClones::Lowering::callRuntime(Location loc, StringRef name,
                                          Type result, ValueRange args) {
  auto callee = clones.symbols.lookup<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    SmallVector<Type> types(args.getTypes());
    callee = addFunction(name, LLVM::LLVMFunctionType::get(result, types));
  }
  auto op = LLVM::CallOp::create(builder, loc, callee, args);
  return op.getNumResults() ? op.getResult() : Value();
}

/// A function of this module that passes a call on to the runtime, and
/// preserves all registers but one.  Clones that called the runtime themselves
/// would load its address in front of their loops, into a register that they
/// then keep for it.
LLVM::LLVMFuncOp SerialClones::Lowering::near(StringRef runtimeCall) {
  std::string name = (runtimeCall + NearSuffix).str();
  if (auto known = clones.symbols.lookup<LLVM::LLVMFuncOp>(name))
    return known;
  auto type = LLVM::LLVMFunctionType::get(pointer, {pointer});
  LLVM::LLVMFuncOp far = addFunction(runtimeCall, type);
  LLVM::LLVMFuncOp near = addFunction(name, type);
  for (LLVM::LLVMFuncOp function : {far, near})
    function.setCConv(LLVM::CConv::PreserveMost);
  // The dynamic linker, which binds it at the first call, would not preserve
  // them.
  far.setPassthroughAttr(builder.getStrArrayAttr({"nonlazybind"}));
  near.setLinkage(LLVM::Linkage::Internal);
  near.setNoInline(true);
  near.setPassthroughAttr(builder.getStrArrayAttr({"cold"}));

  OpBuilder::InsertionGuard guard(builder);
  Location loc = near.getLoc();
  builder.setInsertionPointToEnd(near.addEntryBlock(builder));
  Block *pass = near.addBlock();
  countIfPredictedSmall(near, pass);
  builder.setInsertionPointToEnd(pass);
  auto call =
      LLVM::CallOp::create(builder, loc, far, ValueRange(near.getArguments()));
  call.setCConv(far.getCConv());
  // The runtime knows the caller by the end of its frame.  Probes of profiles
  // come between a call and what follows, where LLVM does not know it for
  // `musttail` then.
  call.setTailCallKind(LLVM::tailcallkind::TailCallKind::Tail);
  LLVM::ReturnOp::create(builder, loc, call.getResults());
  return near;
}

/// In a tree that the small-task predictor takes for small, a poll is counted,
/// and the activation goes on.  That is built where the builder is, and in
/// blocks of its own; elsewhere control comes to `pass`.
void SerialClones::Lowering::countIfPredictedSmall(LLVM::LLVMFuncOp near,
                                                   Block *pass) {
  Location loc = near.getLoc();
  Type i32 = builder.getI32Type();
  auto place = [&](int32_t field) -> Value {
    return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(),
                               near.getArgument(0),
                               ArrayRef<LLVM::GEPArg>{field});
  };
  auto passUnless = [&](LLVM::ICmpPredicate comparison, Value a, Value b) {
    Block *next = near.addBlock();
    LLVM::CondBrOp::create(builder, loc,
                           LLVM::ICmpOp::create(builder, loc, comparison, a, b),
                           next, pass);
    builder.setInsertionPointToEnd(next);
  };
  Value one =
      LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
  Value null = LLVM::ZeroOp::create(builder, loc, pointer);
  Value predicted =
      LLVM::LoadOp::create(builder, loc, i32, place(abi::workerPredictedPolls));
  passUnless(LLVM::ICmpPredicate::ugt, predicted, one);
  Value pollFrom = LLVM::LoadOp::create(
      builder, loc, pointer, place(abi::workerPollFrom), /*alignment=*/8,
      /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic);
  passUnless(LLVM::ICmpPredicate::ne, pollFrom, null);
  Value depth = LLVM::StackSaveOp::create(builder, loc, pointer);
  Value low =
      LLVM::LoadOp::create(builder, loc, pointer, place(abi::workerCloneLimit));
  passUnless(LLVM::ICmpPredicate::uge, depth, low);
  LLVM::StoreOp::create(builder, loc,
                        LLVM::SubOp::create(builder, loc, predicted, one),
                        place(abi::workerPredictedPolls));
  LLVM::ReturnOp::create(builder, loc, null);
}

/// Whether the slow path does such a call otherwise.  Ranges of loops have no C
/// symbol; they spawn what is deeper.
bool SerialClones::Lowering::isSite(cilk::CallOp call) {
  StringRef callee = call.getCallee();
  return clones.bySource.contains(callee) &&
         !isUnnamed(clones.symbols.lookup<LLVM::LLVMFuncOp>(callee));
}

void SerialClones::Lowering::describe(const DebugVariables &debug,
                                      const SlowPath *slow) {
  auto create = [&](const DebugRecord &record, Operation *before, Value place) {
    builder.setInsertionPoint(before);
    if (record.isAddress)
      LLVM::DbgDeclareOp::create(builder, record.loc, place, record.variable,
                                 record.expression);
    else
      LLVM::DbgValueOp::create(builder, record.loc, place, record.variable,
                               record.expression);
  };
  for (const DebugRecord &record : debug.get()) {
    create(record, record.before, record.place);
    if (!slow)
      continue;
    Operation *before = slow->copyOf(record.before);
    Value place = slow->copyOf(record.place);
    if (!before || !place)
      continue;
    // The slow path may begin between what defines a value of its own and the
    // record, and no variable has what only records use.
    Block *block = place.getParentBlock();
    if (place == record.place || block == before->getBlock() ||
        block == &function.front())
      create(record, before, place);
  }
}

/// Polls in front of an operation.  Where there is a reason, asks the runtime
/// whether to promote the activation.  Returns what the runtime says, null for
/// no, and a block without an end for the other case, where the builder is
/// then.
std::pair<Value, Block *>
SerialClones::Lowering::poll(Operation *site, StringRef runtimeCall,
                             ArrayRef<Reason> reasons) {
  Location loc = site->getLoc();
  Block *before = site->getBlock();
  Block *stay = before->splitBlock(site);
  Block *ask = builder.createBlock(stay);
  Block *promoted = builder.createBlock(stay);

  builder.setInsertionPointToEnd(before);
  Value depth = LLVM::StackSaveOp::create(builder, loc, pointer);
  for (auto [number, reason] : llvm::enumerate(reasons)) {
    bool isLow = reason == Reason::StackRunsOut;
    Value place = LLVM::GEPOp::create(
        builder, loc, pointer, builder.getI8Type(), worker,
        ArrayRef<LLVM::GEPArg>{isLow ? abi::workerStackLimit
                                     : abi::workerPollFrom});
    // Other threads write the one.  The other's load is an operand on x86.
    Value limit = LLVM::LoadOp::create(
        builder, loc, pointer, place, /*alignment=*/8, /*isVolatile=*/false,
        /*isNonTemporal=*/false, /*isInvariant=*/false,
        /*isInvariantGroup=*/false,
        isLow ? LLVM::AtomicOrdering::not_atomic
              : LLVM::AtomicOrdering::monotonic);
    Value isReason = LLVM::ICmpOp::create(builder, loc,
                                          isLow ? LLVM::ICmpPredicate::ult
                                                : LLVM::ICmpPredicate::uge,
                                          depth, limit);
    Block *here = builder.getInsertionBlock();
    Block *next =
        number + 1 == reasons.size() ? stay : builder.createBlock(ask);
    builder.setInsertionPointToEnd(here);
    LLVM::CondBrOp::create(builder, loc, isReason, ask, ValueRange(), next,
                           ValueRange(), std::make_pair(1, 2000));
    builder.setInsertionPointToEnd(next);
  }

  builder.setInsertionPointToEnd(ask);
  // Hardly ever called: no value is to leave its register for it.
  auto call = LLVM::CallOp::create(builder, loc, near(runtimeCall), worker);
  call.setCConv(LLVM::CConv::PreserveMost);
  Value promotion = call.getResult();
  Value isPromoted =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, promotion,
                           LLVM::ZeroOp::create(builder, loc, pointer));
  LLVM::CondBrOp::create(builder, loc, isPromoted, promoted, stay);
  builder.setInsertionPointToEnd(promoted);
  return {promotion, promoted};
}

void SerialClones::Lowering::enterSlowPathIfPromoted(PollPoint point,
                                                     SlowPath &slow) {
  SmallVector<Reason> reasons;
  if (point.forStack)
    reasons.push_back(Reason::StackRunsOut);
  if (point.forWork)
    reasons.push_back(Reason::WorkRequested);
  auto [levels, promoted] =
      poll(point.op, point.forWork ? "chan_late_open" : "chan_late_open_if_low",
           reasons);
  LLVM::StoreOp::create(builder, point.op->getLoc(), levels, late);
  slow.enter(builder, point.op);
}

/// The activation has had no effect so far.  If it is promoted, it starts again
/// as a kernel, by its C symbol.
void SerialClones::Lowering::restartIfPromoted(Operation *before) {
  SmallVector<Reason> reasons;
  if (!isOutlined(original.getName()))
    reasons.push_back(Reason::StackRunsOut);
  if (llvm::any_of(sites, offersWork))
    reasons.push_back(Reason::WorkRequested);
  if (reasons.empty())
    return;
  poll(before, "chan_promote", reasons);
  auto again = LLVM::CallOp::create(
      builder, before->getLoc(), original,
      ValueRange(function.getArguments().slice(1, original.getNumArguments())));
  again.setCConv(original.getCConv());
  again.setArgAttrsAttr(original.getArgAttrsAttr());
  LLVM::ReturnOp::create(builder, before->getLoc(), again.getResults());
}

/// Counts the activation, which goes on here.
void SerialClones::Lowering::countTask(Operation *before) {
  if (!counts)
    return;
  Location loc = before->getLoc();
  builder.setInsertionPoint(before);
  Value place = LLVM::GEPOp::create(
      builder, loc, pointer, builder.getI8Type(), worker,
      ArrayRef<LLVM::GEPArg>{int32_t(abi::workerCloneTasks)});
  Value count = LLVM::LoadOp::create(builder, loc, i64, place);
  LLVM::StoreOp::create(
      builder, loc, LLVM::AddOp::create(builder, loc, count, constant(loc, 1)),
      place);
}

//===----------------------------------------------------------------------===//
// The fast path
//===----------------------------------------------------------------------===//

/// Calls what a spawn, or a plain call, calls: its clone if it has one.
LLVM::CallOp SerialClones::Lowering::createCall(
    Location loc, LLVM::LLVMFunctionType signature, FlatSymbolRefAttr callee,
    Value target, LLVM::LLVMFuncOp clone, ValueRange args,
    ArrayAttr attributes) {
  auto known = callee
                   ? clones.symbols.lookup<LLVM::LLVMFuncOp>(callee.getAttr())
                   : LLVM::LLVMFuncOp();
  // C lets functions without prototypes be called with other arguments.
  if (!clone && known && known.getFunctionType() != signature)
    target = LLVM::AddressOfOp::create(builder, loc, known);
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
  if (clone || known)
    call.setCConv((clone ? clone : known).getCConv());
  if (attributes)
    call.setArgAttrsAttr(attributes);
  return call;
}

/// Where the parent is, which calls in its child's place.
static Location placeInParent(Location loc) {
  while (auto inlined = dyn_cast<CallSiteLoc>(loc))
    loc = inlined.getCaller();
  return loc;
}

/// Whether an apply function does nothing but copy the `size` bytes of a
/// result, perhaps by way of its own variables.
static bool isCopy(LLVM::LLVMFuncOp apply, uint64_t size) {
  if (apply.isExternal())
    return false;
  Value last = apply.getArgument(1);
  for (Block &block : apply.getBody())
    for (Operation &op : block) {
      auto copy = dyn_cast<LLVM::MemcpyOp>(op);
      APInt length;
      if (copy && copy.getSrc() == last && !copy.getIsVolatile() &&
          matchPattern(copy.getLen(), m_ConstantInt(&length)) && length == size)
        last = copy.getDst();
      else if (!isa<LLVM::AllocaOp, LLVM::ConstantOp, LLVM::BrOp,
                    LLVM::ReturnOp>(op))
        return false;
    }
  return last == apply.getArgument(0);
}

/// Whether a child can store a struct where it belongs itself, as in the serial
/// elision: it cannot see what is there before.
bool SerialClones::Lowering::isStoredDirectly(cilk::SpawnOp spawn) {
  Value object = spawn.getDestination();
  if (!spawn.getStructResult() || !object || !spawn.getApply())
    return false;
  auto apply = clones.symbols.lookup<LLVM::LLVMFuncOp>(*spawn.getApply());
  if (!isCopy(apply, deferredResult(spawn, clones.layout).size))
    return false;
  object = baseOf(object);
  auto parameter = dyn_cast<BlockArgument>(object);
  bool isOwn =
      parameter
          ? parameter.getOwner()->isEntryBlock() &&
                function.getArgAttr(parameter.getArgNumber(),
                                    LLVM::LLVMDialect::getStructRetAttrName())
          : bool(object.getDefiningOp<LLVM::AllocaOp>());
  return isOwn && isDestination(object);
}

void SerialClones::Lowering::lowerFast(cilk::SpawnOp spawn) {
  Location loc = placeInParent(spawn.getLoc());
  builder.setInsertionPoint(spawn);
  SmallVector<Value> args(spawn.getArgs());
  Value place;
  DeferredResult result = deferredResult(spawn, clones.layout);
  bool isDirect = direct.contains(spawn);
  if (isDirect)
    args[0] = spawn.getDestination();
  else if (spawn.getStructResult())
    args[0] = place = makeLocal(loc, result.type, result.alignment);
  LLVM::LLVMFuncOp clone;
  if (clones.stacks.own(spawn))
    clone = clones.bySource.lookup(*spawn.getCallee());
  LLVM::CallOp call =
      createCall(loc, spawn.getSignature(), spawn.getCalleeAttr(),
                 spawn.getTarget(), clone, args, spawn.getArgAttrsAttr());
  Value destination = isDirect ? Value() : spawn.getDestination();
  if (destination && spawn.getApplyAttr()) {
    if (!place) {
      place = makeLocal(loc, result.type, result.alignment);
      LLVM::StoreOp::create(builder, loc, call.getResult(), place);
    }
    auto apply = clones.symbols.lookup<LLVM::LLVMFuncOp>(*spawn.getApply());
    LLVM::CallOp::create(builder, loc, apply, ValueRange{destination, place});
  } else if (destination && call.getNumResults()) {
    // It may be less aligned than its type (chan.deliver).
    LLVM::StoreOp::create(builder, loc, call.getResult(), destination,
                          /*alignment=*/1);
  }
  spawn.erase();
}

void SerialClones::Lowering::lowerFast(cilk::CallOp call, bool inSlowPath) {
  builder.setInsertionPoint(call);
  LLVM::CallOp made = createCall(
      call.getLoc(), call.getSignature(), call.getCalleeAttr(), Value(),
      clones.calledFor(call.getCallee(), hasLoops && !inSlowPath),
      call.getArgs(), call.getArgAttrsAttr());
  // A parallel loop is in its function again, as it is in the elision.
  made.setAlwaysInline(isLoop(call.getCallee()) && !inSlowPath);
  call->replaceAllUsesWith(made);
  call.erase();
}

//===----------------------------------------------------------------------===//
// The slow path
//===----------------------------------------------------------------------===//

/// Calls a child on the slow path, too, where the thief has not taken the
/// children that were enqueued before.
void SerialClones::Lowering::callIfNotRequested(cilk::SpawnOp spawn) {
  Location loc = spawn.getLoc();
  Block *before = spawn->getBlock();
  Block *enqueue = before->splitBlock(spawn);
  Block *after = enqueue->splitBlock(std::next(spawn->getIterator()));
  Block *call = builder.createBlock(after);
  auto child = cast<cilk::SpawnOp>(builder.clone(*spawn));
  LLVM::BrOp::create(builder, loc, after);
  lowerFast(child);
  builder.setInsertionPointToEnd(enqueue);
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToEnd(before);
  Value calls = callRuntime(loc, "chan_late_calls", builder.getI32Type(),
                            {worker, loadLate(loc)});
  LLVM::CondBrOp::create(
      builder, loc,
      LLVM::ICmpOp::create(
          builder, loc, LLVM::ICmpPredicate::ne, calls,
          LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0))),
      call, enqueue);
}

void SerialClones::Lowering::lowerSlow(cilk::SpawnOp spawn) {
  callIfNotRequested(spawn);
  Location loc = spawn.getLoc();
  builder.setInsertionPoint(spawn);
  chan::StackOp stack = clones.stacks.own(spawn);
  bool known = bool(stack);
  if (!known)
    stack = clones.stacks.forCallsLike(spawn);

  SmallVector<Value> args(spawn.getArgs());
  Value slot = spawn.getDestination();
  if (!slot)
    slot = LLVM::ZeroOp::create(builder, loc, pointer);
  if (spawn.isDeferred()) {
    DeferredResult result = deferredResult(spawn, clones.layout);
    Value apply = spawn.getApplyAttr()
                      ? LLVM::AddressOfOp::create(builder, loc, pointer,
                                                  *spawn.getApply())
                            .getResult()
                      : LLVM::ZeroOp::create(builder, loc, pointer).getResult();
    slot = callRuntime(loc, "chan_late_defer", pointer,
                       {worker, loadLate(loc), apply, slot,
                        constant(loc, result.size),
                        constant(loc, result.alignment)});
    if (spawn.getStructResult())
      args[0] = slot;
  }
  SmallVector<Value> operands = {worker};
  if (!known)
    operands.push_back(spawn.getTarget()
                           ? spawn.getTarget()
                           : LLVM::AddressOfOp::create(builder, loc, pointer,
                                                       *spawn.getCallee())
                                 .getResult());
  llvm::append_range(operands, args);
  if (stack.getFieldType(chan::ResultField))
    operands.push_back(slot);
  callRuntime(loc, (LatePrefix + stack.getSymName()).str(), nothing, operands);
  spawn.erase();
}

/// What is allocated for as long as the activation is there lies with its
/// levels: a scope's end does not free what a child may use.
void SerialClones::Lowering::lowerSlow(LLVM::AllocaOp alloca) {
  Location loc = alloca.getLoc();
  builder.setInsertionPoint(alloca);
  Type type = alloca.getElemType();
  // The number of elements is unsigned, and the size may need more bits.
  Value count = alloca.getArraySize();
  if (count.getType().getIntOrFloatBitWidth() < 64)
    count = LLVM::ZExtOp::create(builder, loc, i64, count);
  Value bytes = LLVM::MulOp::create(
      builder, loc, count, constant(loc, clones.layout.allocSize(type)));
  uint64_t alignment = std::max(alloca.getAlignment().value_or(1),
                                clones.layout.abiAlignment(type));
  alloca.replaceAllUsesWith(callRuntime(
      loc, isKept(alloca) ? "chan_late_keep" : "chan_late_alloc", pointer,
      {worker, loadLate(loc), bytes, constant(loc, alignment)}));
  alloca.erase();
}

void SerialClones::Lowering::addSlowPath(const DebugVariables &debug) {
  SmallVector<PollPoint> points =
      pollPoints(function, sites, /*forStack=*/!isOutlined(original.getName()));
  late = makeLocal(function.getLoc(), pointer);
  SlowPath slow(
      function,
      llvm::map_to_vector(points, [](PollPoint point) { return point.op; }),
      clones.layout);
  describe(debug, &slow);
  for (PollPoint point : points)
    enterSlowPathIfPromoted(point, slow);

  for (auto call : slow.getOps<cilk::CallOp>()) {
    if (!isSite(call)) {
      lowerFast(call, /*inSlowPath=*/true);
      continue;
    }
    builder.setInsertionPoint(call);
    LLVM::CallOp made =
        createCall(call.getLoc(), call.getSignature(), call.getCalleeAttr(),
                   Value(), {}, call.getArgs(), call.getArgAttrsAttr());
    call->replaceAllUsesWith(made);
    call.erase();
  }
  auto waitBefore = [&](Operation *op, StringRef name) {
    builder.setInsertionPoint(op);
    callRuntime(op->getLoc(), name, nothing, {worker, loadLate(op->getLoc())});
  };
  for (auto sync : slow.getOps<cilk::SyncOp>()) {
    waitBefore(sync, "chan_late_sync");
    if (sync->hasAttr(ReleasesAttribute))
      waitBefore(sync, "chan_late_release");
    sync.erase();
  }
  for (auto ret : slow.getOps<LLVM::ReturnOp>())
    waitBefore(ret, "chan_late_close");
  for (auto alloca : slow.getOps<LLVM::AllocaOp>())
    lowerSlow(alloca);
  for (auto restore : slow.getOps<LLVM::StackRestoreOp>())
    restore.erase();
  for (auto synched : slow.getOps<cilk::SynchedOp>()) {
    synched.replaceAllUsesWith(synched.getFlag());
    synched.erase();
  }
  // Last: they divide the copied blocks.
  for (auto spawn : slow.getOps<cilk::SpawnOp>())
    lowerSlow(spawn);
}

/// Has one object do for all that are kept: the children, which know its
/// address, are calls and have returned when the next one is made.
static void shareKeptObject(LLVM::AllocaOp object) {
  Block *entry = &object->getParentOp()->getRegion(0).front();
  Operation *count = object.getArraySize().getDefiningOp();
  OpBuilder builder = OpBuilder::atBlockBegin(entry);
  object.getArraySizeMutable().assign(builder.clone(*count)->getResult(0));
  object->moveAfter(object.getArraySize().getDefiningOp());
  object->removeAttr(KeptAttribute);
}

void SerialClones::Lowering::run() {
  // Until it is lowered: what is made for its calls is of the same part.
  function->setAttr(SourceAttribute,
                    FlatSymbolRefAttr::get(builder.getContext(), source));
  DebugVariables debug(function);
  SmallVector<cilk::SpawnOp> spawns;
  SmallVector<cilk::CallOp> calls;
  SmallVector<cilk::SyncOp> syncs;
  SmallVector<cilk::SynchedOp> synched;
  function.walk([&](Operation *op) {
    if (auto spawn = dyn_cast<cilk::SpawnOp>(op)) {
      spawns.push_back(spawn);
      if (isStoredDirectly(spawn))
        direct.insert(spawn);
    } else if (auto call = dyn_cast<cilk::CallOp>(op)) {
      calls.push_back(call);
    } else if (auto sync = dyn_cast<cilk::SyncOp>(op)) {
      syncs.push_back(sync);
    } else if (auto flag = dyn_cast<cilk::SynchedOp>(op)) {
      synched.push_back(flag);
    }
    if (auto call = dyn_cast<cilk::CallOp>(op);
        isa<cilk::SpawnOp>(op) || (call && isSite(call)))
      sites.push_back(op);
  });
  if (callsInLoops(function))
    clones.stacks.entry(original.getName()).setCallsInLoops(true);
  if (isUnnamed(original) || goesOnInLoops(function)) {
    addSlowPath(debug);
    clones.stacks.entry(original.getName()).setLatePromoting(true);
    countTask(&function.front().front());
  } else {
    describe(debug, nullptr);
    Operation *begin = &function.front().front();
    if (!sites.empty())
      restartIfPromoted(begin = lastPlaceToStartAgain(function));
    countTask(begin);
  }
  SmallVector<LLVM::AllocaOp> kept;
  function.walk([&](LLVM::AllocaOp object) {
    if (isKept(object))
      kept.push_back(object);
  });
  llvm::for_each(kept, shareKeptObject);
  for (cilk::SpawnOp spawn : spawns)
    lowerFast(spawn);
  for (cilk::CallOp call : calls)
    lowerFast(call);
  for (cilk::SyncOp sync : syncs)
    sync.erase();
  for (cilk::SynchedOp op : synched) {
    builder.setInsertionPoint(op);
    op.getResult().replaceAllUsesWith(LLVM::ConstantOp::create(
        builder, op.getLoc(), builder.getI32IntegerAttr(1)));
    op.erase();
  }
  function->removeAttr(SourceAttribute);
  giveOwnSubprogram(function, function.getLoc());
}
