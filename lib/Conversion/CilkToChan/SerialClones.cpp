//===- SerialClones.cpp - Spawning functions that call their children -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SerialClones.h"
#include "DebugVariables.h"
#include "FrameLayout.h"
#include "Guard.h"
#include "SlowPath.h"

#include "cilk2chan/Conversion/RuntimeABI.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace cilk2chan;

//===----------------------------------------------------------------------===//
// Which functions
//===----------------------------------------------------------------------===//

/// Whether an `asm` statement may define a label, of which a copy would be
/// another definition.
static bool definesLabel(LLVM::InlineAsmOp assembly) {
  StringRef text = assembly.getAsmString();
  return text.contains(':') && !text.contains("${:uid}");
}

/// Why a function is not cloned; empty if it is.
static StringRef reasonAgainst(LLVM::LLVMFuncOp function) {
  if (isInterposable(function))
    return "another definition may take its place when the program is linked";
  for (BlockArgument argument : function.getArguments()) {
    auto align = function.getArgAttrOfType<IntegerAttr>(
        argument.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName());
    if (byValueType(function, argument.getArgNumber()) && align &&
        align.getInt() > int64_t(abi::maxFieldAlignment))
      return "a struct passed by value is aligned further than an element";
  }
  if (function.getName() == "main")
    return "nobody spawns it";
  bool hasLabel = false;
  function.walk([&](LLVM::InlineAsmOp op) { hasLabel |= definesLabel(op); });
  if (hasLabel)
    return "inline assembly in it may define a label; '%=' in the label's name "
           "makes copies possible";
  if (!mayHaveSlowPath(function))
    return "a value in it has a type without a known size";
  return {};
}

/// The C function in which the loop or block stands of which the front end made
/// `function`, or that function itself.
static StringRef functionInC(LLVM::LLVMFuncOp function) {
  StringRef name = sourceOf(function).getValue();
  if (!name.starts_with(BodyPrefix) && !name.starts_with(BlockPrefix))
    return name;
  auto module = function->getParentOfType<ModuleOp>();
  if (auto uses = SymbolTable::getSymbolUses(
          StringAttr::get(module.getContext(), name), module))
    for (SymbolTable::SymbolUse use : *uses)
      if (auto user = use.getUser()->getParentOfType<LLVM::LLVMFuncOp>();
          user && user != function && sourceOf(user) != sourceOf(function))
        return functionInC(user);
  return name;
}

/// Remarks that `function` has a clone, or why it has none.
static void remarkOn(LLVM::LLVMFuncOp function, StringRef reason) {
  if (!function.getContext()->getRemarkEngine())
    return;
  StringRef name = function.getName();
  std::string what = isUnnamed(function)             ? "a parallel loop"
                     : name.starts_with(BodyPrefix)  ? "a parallel loop's body"
                     : name.starts_with(BlockPrefix) ? "a spawned block"
                                                     : ("'" + name + "'").str();
  auto options = remark::RemarkOpts::name("SerialClone")
                     .category("chan-serial")
                     .function(functionInC(function));
  if (reason.empty())
    remark::passed(function.getLoc(), options) << what + " has a serial clone";
  else
    remark::missed(function.getLoc(), options)
        << what + " has no serial clone: " + reason.str();
}

/// Gives a clone the worker as its first parameter, and what else is not as in
/// the function whose clone it is.
static void changeSignature(LLVM::LLVMFuncOp clone, StringRef source) {
  Builder builder(clone.getContext());
  auto pointer = LLVM::LLVMPointerType::get(clone.getContext());
  auto type = clone.getFunctionType();
  SmallVector<Type> parameters = {pointer};
  llvm::append_range(parameters, type.getParams());
  ArrayAttr attributes = clone.getArgAttrsAttr();
  clone.setFunctionType(
      LLVM::LLVMFunctionType::get(type.getReturnType(), parameters));
  clone.front().insertArgument(0u, pointer, clone.getLoc());
  if (attributes) {
    SmallVector<Attribute> all = {builder.getDictionaryAttr({})};
    llvm::append_range(all, attributes);
    clone.setArgAttrsAttr(builder.getArrayAttr(all));
  }
  clone.setPassthroughAttr(
      builder.getArrayAttr(builder.getStrArrayAttr({SourceAttribute, source})));
  clone.setLinkage(LLVM::Linkage::Internal);
  clone.setVisibility_(LLVM::Visibility::Default);
  clone.setComdatAttr({});
}

void SerialClones::add(LLVM::LLVMFuncOp function) {
  StringRef reason = reasonAgainst(function);
  remarkOn(function, reason);
  if (!reason.empty())
    return;
  LLVM::LLVMFuncOp clone = function.clone();
  clone.setName((function.getName() + SerialSuffix).str());
  changeSignature(clone, sourceOf(function).getValue());
  hoistConstants(clone);
  clones.push_back({clone, function.getName(), sourceOf(function).getValue()});
  bySource[function.getName()] = clone;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// Lowers the spawns, syncs and calls of one clone.
class SerialClones::Lowering {
public:
  /// `function`: the clone, or a part of it.
  Lowering(SerialClones &clones, const Clone &clone, LLVM::LLVMFuncOp function)
      : clones(clones), function(function),
        original(clones.symbols.lookup<LLVM::LLVMFuncOp>(clone.source)),
        source(clone.part), builder(function.getContext()),
        pointer(LLVM::LLVMPointerType::get(function.getContext())),
        i64(builder.getI64Type()),
        nothing(LLVM::LLVMVoidType::get(function.getContext())),
        worker(function.getArgument(0)) {}

  void run();
  void runAsRange();

private:
  bool isSite(cilk::CallOp call);
  /// Puts the records of variables back that had no say in how paths divide.
  void describe(const DebugVariables &debug, const SlowPath *slow);
  std::pair<Value, Block *> ask(Operation *site, StringRef question);
  void startAgainIfPressed(Operation *before);
  void leaveIfPressed(Operation *site, const SlowPath &slow);
  void addSlowPath(const DebugVariables &debug);

  void lowerFast(cilk::SpawnOp spawn);
  void lowerFast(cilk::CallOp call);
  void lowerSlow(cilk::SpawnOp spawn);
  void lowerSlow(LLVM::AllocaOp alloca);
  LLVM::CallOp createCall(Location loc, LLVM::LLVMFunctionType signature,
                          FlatSymbolRefAttr callee, Value target,
                          LLVM::LLVMFuncOp clone, ValueRange args,
                          ArrayAttr attributes);

  Value constant(Location loc, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, i64,
                                    builder.getI64IntegerAttr(value));
  }
  Value makeLocal(Location loc, Type type, uint64_t alignment = 0);
  Value callRuntime(Location loc, StringRef name, Type result, ValueRange args);
  Value loadLate(Location loc) {
    return LLVM::LoadOp::create(builder, loc, pointer, late);
  }

  SerialClones &clones;
  /// What is lowered, and what it is a clone of.
  LLVM::LLVMFuncOp function, original;
  /// The C function that both are a part of.
  StringRef source;
  OpBuilder builder;
  const LLVM::LLVMPointerType pointer;
  const Type i64, nothing;
  Value worker;
  /// Where the slow path keeps its chan_late.
  Value late;
  SmallVector<Operation *> sites;
};

Value SerialClones::Lowering::makeLocal(Location loc, Type type,
                                        uint64_t alignment) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.front());
  return LLVM::AllocaOp::create(builder, loc, pointer, type, constant(loc, 1),
                                alignment);
}

Value SerialClones::Lowering::callRuntime(Location loc, StringRef name,
                                          Type result, ValueRange args) {
  auto callee = clones.symbols.lookup<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(
        cast<ModuleOp>(clones.symbols.getOp()).getBody());
    SmallVector<Type> types(args.getTypes());
    callee =
        LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(), name,
                                 LLVM::LLVMFunctionType::get(result, types));
    clones.symbols.insert(callee);
  }
  auto op = LLVM::CallOp::create(builder, loc, callee, args);
  return op.getNumResults() ? op.getResult() : Value();
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
    if (before && place)
      create(record, before, place);
  }
}

/// Asks in front of an operation whether to leave the fast path: if the stack
/// is running out, or somebody wants work. Returns the answer, null for no, and
/// a block without an end for the other case, where the builder is then.
std::pair<Value, Block *> SerialClones::Lowering::ask(Operation *site,
                                                      StringRef question) {
  Location loc = site->getLoc();
  Block *before = site->getBlock();
  Block *stay = before->splitBlock(site);
  Block *ask = builder.createBlock(stay);
  Block *leave = builder.createBlock(stay);

  builder.setInsertionPointToEnd(before);
  Value place = LLVM::GEPOp::create(
      builder, loc, pointer, builder.getI8Type(), worker,
      ArrayRef<LLVM::GEPArg>{int32_t(abi::workerStackLimit)});
  // Another thread writes it.
  Value limit = LLVM::LoadOp::create(
      builder, loc, pointer, place, /*alignment=*/8, /*isVolatile=*/false,
      /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic);
  Value depth = LLVM::StackSaveOp::create(builder, loc, pointer);
  Value pressed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult,
                                       depth, limit);
  LLVM::CondBrOp::create(builder, loc, pressed, ask, ValueRange(), stay,
                         ValueRange(), std::make_pair(1, 2000));

  builder.setInsertionPointToEnd(ask);
  Value answer = callRuntime(loc, question, pointer, worker);
  Value isYes =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, answer,
                           LLVM::ZeroOp::create(builder, loc, pointer));
  LLVM::CondBrOp::create(builder, loc, isYes, leave, stay);
  builder.setInsertionPointToEnd(leave);
  return {answer, leave};
}

void SerialClones::Lowering::leaveIfPressed(Operation *site,
                                            const SlowPath &slow) {
  auto [levels, leave] =
      ask(site, isa<cilk::SpawnOp>(site) ? "chan_late_open"
                                         : "chan_late_open_if_low");
  LLVM::StoreOp::create(builder, site->getLoc(), levels, late);
  slow.enter(builder, site);
}

/// The activation has had no effect so far: it can still be another's, which
/// the C symbol makes.
void SerialClones::Lowering::startAgainIfPressed(Operation *before) {
  ask(before, "chan_leave");
  auto again = LLVM::CallOp::create(
      builder, before->getLoc(), original,
      ValueRange(function.getArguments().slice(1, original.getNumArguments())));
  again.setCConv(original.getCConv());
  again.setArgAttrsAttr(original.getArgAttrsAttr());
  LLVM::ReturnOp::create(builder, before->getLoc(), again.getResults());
}

//===----------------------------------------------------------------------===//
// The fast path
//===----------------------------------------------------------------------===//

/// Calls what a spawn, or a plain call, calls: its clone if it has one.
LLVM::CallOp SerialClones::Lowering::createCall(
    Location loc, LLVM::LLVMFunctionType signature, FlatSymbolRefAttr callee,
    Value target, LLVM::LLVMFuncOp clone, ValueRange args,
    ArrayAttr attributes) {
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
  if (auto known =
          clone    ? clone
          : callee ? clones.symbols.lookup<LLVM::LLVMFuncOp>(callee.getAttr())
                   : LLVM::LLVMFuncOp())
    call.setCConv(known.getCConv());
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

void SerialClones::Lowering::lowerFast(cilk::SpawnOp spawn) {
  Location loc = placeInParent(spawn.getLoc());
  builder.setInsertionPoint(spawn);
  SmallVector<Value> args(spawn.getArgs());
  Value place;
  DeferredResult result = deferredResult(spawn, clones.layout);
  if (spawn.getStructResult())
    args[0] = place = makeLocal(loc, result.type, result.alignment);
  LLVM::LLVMFuncOp clone;
  if (clones.stacks.own(spawn))
    clone = clones.bySource.lookup(*spawn.getCallee());
  LLVM::CallOp call =
      createCall(loc, spawn.getSignature(), spawn.getCalleeAttr(),
                 spawn.getTarget(), clone, args, spawn.getArgAttrsAttr());
  Value destination = spawn.getDestination();
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

void SerialClones::Lowering::lowerFast(cilk::CallOp call) {
  builder.setInsertionPoint(call);
  LLVM::CallOp made =
      createCall(call.getLoc(), call.getSignature(), call.getCalleeAttr(),
                 Value(), clones.bySource.lookup(call.getCallee()),
                 call.getArgs(), call.getArgAttrsAttr());
  call->replaceAllUsesWith(made);
  call.erase();
}

//===----------------------------------------------------------------------===//
// Ranges of parallel loops
//===----------------------------------------------------------------------===//

/// A range (CilkForToSpawn.cpp) goes through its iterations, as many at a time
/// as the grain says, and leaves what remains to the kernel if somebody wants
/// work.
void SerialClones::Lowering::runAsRange() {
  Location loc = function.front().getTerminator()->getLoc();
  StringRef number = original.getName();
  number.consume_front(RangePrefix);
  auto body =
      clones.symbols.lookup<LLVM::LLVMFuncOp>((BodyPrefix + number).str());
  Region &region = function.getBody();
  SmallVector<Type> types(region.getArgumentTypes());
  SmallVector<Location> places(types.size(), loc);
  region.dropAllReferences();
  region.getBlocks().clear();
  Block *entry = builder.createBlock(&region, {}, types, places);
  Block *head = builder.createBlock(&region, region.end(), {i64}, {loc});
  Block *run = builder.createBlock(&region, region.end());
  Block *exit = builder.createBlock(&region, region.end());
  worker = entry->getArgument(0);
  Value end = entry->getArgument(2), grain = entry->getArgument(3);
  Value from = head->getArgument(0);
  ValueRange captures = ValueRange(entry->getArguments()).drop_front(4);

  builder.setInsertionPointToEnd(entry);
  LLVM::BrOp::create(builder, loc, entry->getArgument(1), head);
  builder.setInsertionPointToEnd(exit);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  builder.setInsertionPointToEnd(head);
  Value left = LLVM::SubOp::create(builder, loc, end, from);
  LLVM::CondBrOp::create(builder, loc,
                         LLVM::ICmpOp::create(builder, loc,
                                              LLVM::ICmpPredicate::ne, left,
                                              constant(loc, 0)),
                         run, exit);
  builder.setInsertionPointToEnd(run);
  Value size = LLVM::UMinOp::create(builder, loc, left, grain);
  Value to = LLVM::AddOp::create(builder, loc, from, size);
  SmallVector<Value> args = {from, to};
  llvm::append_range(args, captures);
  LLVM::CallOp call = createCall(
      loc, body.getFunctionType(), FlatSymbolRefAttr::get(body), Value(),
      clones.bySource.lookup(body.getName()), args, ArrayAttr());
  LLVM::BrOp::create(builder, loc, to, head);
  if (call.getCallee() == body.getName()) {
    // One copy for the kernel and the clone is enough.
    call.setNoInline(true);
    original.walk([&](LLVM::CallOp same) {
      if (same.getCallee() == body.getName())
        same.setNoInline(true);
    });
  }

  auto [levels, leave] = ask(call, "chan_late_open");
  SmallVector<Value> rest = {worker, from, end, grain};
  llvm::append_range(rest, captures);
  chan::StackOp stack = clones.stacks.entry(original.getName());
  callRuntime(loc, (LatePrefix + stack.getSymName()).str(), nothing, rest);
  callRuntime(loc, "chan_late_close", nothing, {worker, levels});
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  giveOwnSubprogram(function, function.getLoc());
}

//===----------------------------------------------------------------------===//
// The slow path
//===----------------------------------------------------------------------===//

void SerialClones::Lowering::lowerSlow(cilk::SpawnOp spawn) {
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
      builder, loc, count, constant(loc, allocSize(clones.layout, type)));
  uint64_t alignment = std::max(alloca.getAlignment().value_or(1),
                                clones.layout.getTypeABIAlignment(type));
  alloca.replaceAllUsesWith(
      callRuntime(loc, "chan_late_alloc", pointer,
                  {worker, loadLate(loc), bytes, constant(loc, alignment)}));
  alloca.erase();
}

void SerialClones::Lowering::addSlowPath(const DebugVariables &debug) {
  SmallVector<Operation *> places = placesToLook(sites);
  late = makeLocal(function.getLoc(), pointer);
  SlowPath slow(function, places);
  describe(debug, &slow);
  for (Operation *place : places)
    leaveIfPressed(place, slow);

  for (auto spawn : slow.getOps<cilk::SpawnOp>())
    lowerSlow(spawn);
  for (auto call : slow.getOps<cilk::CallOp>()) {
    if (!isSite(call)) {
      lowerFast(call);
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
    sync.erase();
  }
  for (auto ret : slow.getOps<LLVM::ReturnOp>())
    waitBefore(ret, "chan_late_close");
  for (auto alloca : slow.getOps<LLVM::AllocaOp>())
    lowerSlow(alloca);
  for (auto restore : slow.getOps<LLVM::StackRestoreOp>())
    restore.erase();
}

void SerialClones::Lowering::run() {
  // Until it is lowered: what is made for its calls is of the same part.
  function->setAttr(SourceAttribute,
                    FlatSymbolRefAttr::get(builder.getContext(), source));
  DebugVariables debug(function);
  SmallVector<cilk::SpawnOp> spawns;
  SmallVector<cilk::CallOp> calls;
  SmallVector<cilk::SyncOp> syncs;
  function.walk([&](Operation *op) {
    if (auto spawn = dyn_cast<cilk::SpawnOp>(op))
      spawns.push_back(spawn);
    else if (auto call = dyn_cast<cilk::CallOp>(op))
      calls.push_back(call);
    else if (auto sync = dyn_cast<cilk::SyncOp>(op))
      syncs.push_back(sync);
    if (auto call = dyn_cast<cilk::CallOp>(op);
        isa<cilk::SpawnOp>(op) || (call && isSite(call)))
      sites.push_back(op);
  });
  if (spawnsInLoop(function)) {
    addSlowPath(debug);
  } else {
    describe(debug, nullptr);
    if (!sites.empty())
      startAgainIfPressed(lastPlaceToStartAgain(function));
  }
  for (cilk::SpawnOp spawn : spawns)
    lowerFast(spawn);
  for (cilk::CallOp call : calls)
    lowerFast(call);
  for (cilk::SyncOp sync : syncs)
    sync.erase();
  function->removeAttr(SourceAttribute);
  giveOwnSubprogram(function, function.getLoc());
}

void SerialClones::lower() {
  SmallVector<LLVM::LLVMFuncOp> rests;
  for (Clone &clone : clones) {
    symbols.insert(clone.function);
    bool isRange = isUnnamed(symbols.lookup<LLVM::LLVMFuncOp>(clone.source));
    rests.push_back(
        isRange ? LLVM::LLVMFuncOp()
                : divideAtGuard(clone.function,
                                (clone.function.getName() + RestSuffix).str()));
    if (rests.back())
      symbols.insert(rests.back());
  }
  for (auto [clone, rest] : llvm::zip(clones, rests)) {
    Lowering lowering(*this, clone, clone.function);
    if (isUnnamed(symbols.lookup<LLVM::LLVMFuncOp>(clone.source)))
      lowering.runAsRange();
    else
      lowering.run();
    if (rest)
      Lowering(*this, clone, rest).run();
    chan::StackOp stack = stacks.entry(clone.source);
    stack.setSerialAttr(FlatSymbolRefAttr::get(clone.function));
  }
}
