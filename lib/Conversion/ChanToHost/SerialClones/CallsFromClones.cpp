//===- CallsFromClones.cpp - What serial clones leave to batches ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Has serial clones call the small-task predictor of the runtime before they
// begin a tree that batches might run faster.
//
//   llvm.call @f.serial(%worker, %n)
//   ->  llvm.call @f.serial.tree(%worker, %n)
//
//   f.serial.tree: if chan_predict_small(...) says "small", f.serial;
//                  else the C symbol of f, which begins a batch
//
// A clone calls the clones of what it spawns. That is right inside a tree that
// was left to clones: it is tiny, or no other worker wants a part of it. But a
// function without a batch form may call one that has some. That tree may be
// the program's main work, which as a batch takes a fraction of the time. Where
// a caller calls many tiny trees one after the other, a comparison decides.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/ChanToHost/SerialClones/CallsFromClones.h"
#include "cilk2chan/Conversion/RuntimeInterface/HostBuilder.h"

#include "cilk2chan/Conversion/RuntimeInterface/CloneSymbols.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"
#include "cilk2chan/Dialect/Cilk/Analysis/RemarkPlaces.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Support/FunctionAttributes.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/NamesInC.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2chan;

namespace {
class TreesOfClones {
public:
  explicit TreesOfClones(ModuleOp module)
      : builder(module), symbols(builder.symbols.getSymbolTable(module)) {}
  void leave();

private:
  LLVM::LLVMFuncOp calleeOf(LLVM::CallOp call) {
    auto name = call.getCallee();
    return name ? symbols.lookup<LLVM::LLVMFuncOp>(*name) : LLVM::LLVMFuncOp();
  }
  llvm::SetVector<Operation *> reachedFrom(LLVM::LLVMFuncOp clone);
  LLVM::LLVMFuncOp createTree(LLVM::LLVMFuncOp clone, chan::StackOp stack);
  LLVM::LLVMFuncOp createGuard(LLVM::LLVMFuncOp clone, LLVM::LLVMFuncOp tree);

  HostBuilder builder;
  SymbolTable &symbols;
};
} // namespace

/// What control comes to from `clone` without leaving clones.
llvm::SetVector<Operation *>
TreesOfClones::reachedFrom(LLVM::LLVMFuncOp clone) {
  llvm::SetVector<Operation *> reached;
  reached.insert(clone);
  for (size_t i = 0; i < reached.size(); ++i)
    reached[i]->walk([&](LLVM::CallOp call) {
      if (LLVM::LLVMFuncOp callee = calleeOf(call);
          callee && !callee.isExternal())
        reached.insert(callee);
    });
  return reached;
}

/// A function `(worker, parameters..., stack)` that begins a tree of a clone's,
/// as the runtime says: by the clone, or by the C symbol.
LLVM::LLVMFuncOp TreesOfClones::createTree(LLVM::LLVMFuncOp clone,
                                           chan::StackOp stack) {
  Location loc = builder.getUnknownLoc();
  builder.setInsertionPointAfter(clone);
  auto type = clone.getFunctionType();
  SmallVector<Type> parameters(type.getParams());
  parameters.push_back(builder.pointer);
  auto tree = LLVM::LLVMFuncOp::create(
      builder, loc, (clone.getName() + TreeSuffix).str(),
      LLVM::LLVMFunctionType::get(type.getReturnType(), parameters),
      LLVM::Linkage::Internal, /*dsoLocal=*/false, clone.getCConv());
  symbols.insert(tree);
  tree.setPassthroughAttr(clone.getPassthroughAttr());
  tree.setNoInline(true);
  Block *polls = tree.addEntryBlock(builder), *enter = tree.addBlock(),
        *guess = tree.addBlock();
  Value worker = polls->getArgument(0), end = polls->getArguments().back();
  ValueRange arguments = ValueRange(polls->getArguments()).drop_back();
  ArrayAttr attributes = clone.getArgAttrsAttr();
  if (attributes) {
    SmallVector<Attribute> all(attributes.getValue());
    all.push_back(builder.getDictionaryAttr({}));
    tree.setArgAttrsAttr(builder.getArrayAttr(all));
  }

  builder.setInsertionPointToEnd(polls);
  Value channel = builder.address(loc, stack.getSymName());
  Value token = builder.call(loc, "chan_predict_small", builder.i64,
                             {worker, channel, end});
  LLVM::CondBrOp::create(
      builder, loc,
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, token,
                           builder.constant(loc, builder.i64, 0)),
      guess, enter);

  builder.setInsertionPointToEnd(guess);
  auto call = LLVM::CallOp::create(builder, loc, clone, arguments);
  call.setCConv(clone.getCConv());
  if (attributes)
    call.setArgAttrsAttr(attributes);
  builder.call(loc, "chan_end_predicted", builder.nothing,
               {worker, channel, token, end});
  LLVM::ReturnOp::create(builder, loc, call.getResults());

  builder.setInsertionPointToEnd(enter);
  auto function = symbols.lookup<LLVM::LLVMFuncOp>(*stack.getFunction());
  auto symbol =
      LLVM::CallOp::create(builder, loc, function, arguments.drop_front());
  symbol.setCConv(function.getCConv());
  if (attributes)
    symbol.setArgAttrsAttr(
        builder.getArrayAttr(attributes.getValue().drop_front()));
  LLVM::ReturnOp::create(builder, loc, symbol.getResults());
  return tree;
}

/// A function as `clone`, for callers of one tiny tree after the other:
/// its guard comes first, and what is left to do is the clone's as long as the
/// runtime has said so, else that of `tree`.
LLVM::LLVMFuncOp TreesOfClones::createGuard(LLVM::LLVMFuncOp clone,
                                            LLVM::LLVMFuncOp tree) {
  IRMapping mapping;
  LLVM::LLVMFuncOp guard;
  LLVM::CallOp left;
  if (LLVM::CallOp rest = callOfRest(clone)) {
    guard = cast<LLVM::LLVMFuncOp>(clone->clone(mapping));
    left = cast<LLVM::CallOp>(mapping.lookup(rest.getOperation()));
  } else {
    guard = cast<LLVM::LLVMFuncOp>(clone->cloneWithoutRegions());
    guard.setNoInline(false);
    guard.setAlwaysInline(true);
    builder.setInsertionPointToEnd(guard.addEntryBlock(builder));
    Location loc = clone.getLoc();
    left = LLVM::CallOp::create(builder, loc, clone, guard.getArguments());
    left.setCConv(clone.getCConv());
    if (ArrayAttr attributes = clone.getArgAttrsAttr())
      left.setArgAttrsAttr(attributes);
    LLVM::ReturnOp::create(builder, loc, left.getResults());
  }
  guard.setName((clone.getName() + CheckSuffix).str());
  symbols.insert(guard, std::next(clone->getIterator()));

  // The block returns what it calls.
  Location loc = left.getLoc();
  Value worker = guard.getArgument(0);
  Block *before = left->getBlock();
  Block *again = before->splitBlock(left);
  Block *begin = builder.createBlock(again);
  builder.setInsertionPointToEnd(before);
  Value end = LLVM::StackSaveOp::create(builder, loc, builder.pointer);
  Type i64 = builder.i64, i32 = builder.i32;
  Value above = LLVM::SubOp::create(
      builder, loc, LLVM::PtrToIntOp::create(builder, loc, i64, end),
      builder.load(loc, i64, worker, abi::workerPredictedStack));
  LLVM::CondBrOp::create(
      builder, loc,
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, above,
                           builder.constant(loc, i64, abi::predictedStackRoom)),
      again, begin);

  builder.setInsertionPoint(left);
  Value guess = LLVM::AddOp::create(
      builder, loc,
      builder.load(loc, i32, worker, abi::workerPredictedPollsLeft),
      builder.constant(loc, i32, abi::predictedPollsUsual));
  builder.store(
      loc,
      LLVM::UMinOp::create(builder, loc, guess,
                           builder.constant(loc, i32, abi::predictedPollsMax)),
      worker, abi::workerPredictedPolls);
  builder.setInsertionPointAfter(left);
  builder.store(loc, builder.load(loc, i32, worker, abi::workerPredictedPolls),
                worker, abi::workerPredictedPollsLeft);
  builder.store(loc, builder.constant(loc, i32, 0), worker,
                abi::workerPredictedPolls);

  // Nothing has had an effect so far.
  builder.setInsertionPointToEnd(begin);
  SmallVector<Value> arguments(guard.getArguments());
  arguments.push_back(end);
  auto call = LLVM::CallOp::create(builder, loc, tree, arguments);
  call.setCConv(tree.getCConv());
  if (ArrayAttr attributes = tree.getArgAttrsAttr())
    call.setArgAttrsAttr(attributes);
  LLVM::ReturnOp::create(builder, loc, call.getResults());
  giveOwnSubprogram(guard, guard.getLoc());
  return guard;
}

/// Remarks on a call of `caller`'s fast path that begins a tree of `stack`.
static void remarkOn(LLVM::CallOp call, LLVM::LLVMFuncOp caller,
                     chan::StackOp stack) {
  auto source = functionAttribute(caller, SourceAttribute);
  if (!call.getContext()->getRemarkEngine() || !source)
    return;
  auto [loc, options] = placeRemark(
      call, remark::RemarkOpts::name("Tree").category("chan-serial"));
  remark::passed(loc, options)
      << "in the serial clone of " + describeInC(*source) + ", this call of " +
             describeInC(*stack.getFunction()) +
             " begins a batch unless its tree is predicted small";
}

void TreesOfClones::leave() {
  llvm::MapVector<Operation *, chan::StackOp> stacks;
  llvm::DenseMap<Operation *, Operation *> clones;
  for (auto stack : builder.module.getOps<chan::StackOp>())
    if (mayBatch(stack) && stack.getSerial() && stack.getFunction()) {
      Operation *clone = symbols.lookup(*stack.getSerial());
      stacks[clone] = stack;
      clones[clone] = clones[symbols.lookup(*stack.getFunction())] = clone;
    }
  llvm::DenseMap<Operation *, SmallVector<LLVM::CallOp>> calls;
  for (auto function : builder.module.getOps<LLVM::LLVMFuncOp>())
    if (hasFunctionAttribute(function, CloneAttribute))
      function.walk([&](LLVM::CallOp call) {
        if (Operation *clone = clones.lookup(calleeOf(call)))
          calls[clone].push_back(call);
      });
  // Inside a tree that a clone was to run, all are clones.
  llvm::SmallPtrSet<Operation *, 16> inBatches;
  for (auto [clone, _] : stacks)
    inBatches.insert_range(reachedFrom(cast<LLVM::LLVMFuncOp>(clone)));
  for (auto [clone, stack] : stacks) {
    LLVM::LLVMFuncOp entry;
    for (LLVM::CallOp call : calls.lookup(clone)) {
      auto caller = call->getParentOfType<LLVM::LLVMFuncOp>();
      if (inBatches.contains(caller))
        continue;
      auto function = cast<LLVM::LLVMFuncOp>(clone);
      if (calleeOf(call) == function)
        remarkOn(call, caller, stack);
      if (!entry)
        entry = createGuard(function, createTree(function, stack));
      // A slow path calls the C symbol, without the worker.
      SmallVector<Value> operands(call.getArgOperands());
      if (calleeOf(call) != function)
        operands.insert(operands.begin(), caller.getArgument(0));
      builder.setInsertionPoint(call);
      auto made = LLVM::CallOp::create(builder, call.getLoc(), entry, operands);
      made.setCConv(entry.getCConv());
      if (ArrayAttr attributes = entry.getArgAttrsAttr())
        made.setArgAttrsAttr(attributes);
      call->replaceAllUsesWith(made);
      call->erase();
    }
  }
}

void cilk2chan::leaveTreesToBatches(ModuleOp module) {
  TreesOfClones(module).leave();
}
