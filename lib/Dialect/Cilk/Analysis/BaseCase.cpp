//===- BaseCase.cpp - What a function does where it does not spawn --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Analysis/BaseCase.h"
#include "cilk2chan/Dialect/Cilk/Tuning.h"

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"
#include "cilk2chan/Dialect/Cilk/Analysis/Recomputation.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2chan;

namespace {

/// What is known of a value that control brings to a place.
enum class Outcome { Never, Sometimes, Always };

/// Executes a function in vain, both ways where it branches.
class Execution {
public:
  Execution(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// What values are, and what is in local objects.
  struct State {
    IRMapping values, memory;
    SmallVector<Ending::Update, 1> updates = {};
  };
  struct Way {
    Outcome outcome = Outcome::Never;
    Ending ending;
  };
  Way from(Block *block, State state);
  /// Erases what turned out not to be of use to `ending`.
  void prune(const Ending &ending);
  bool isLarge() const { return size > tuning::mostRecomputed; }
  /// Ways of branches that end the function.
  SmallVector<std::pair<Operation *, unsigned>, 2> endings;

private:
  Way branch(LLVM::CondBrOp op, const State &state);
  Way follow(Operation *op, unsigned successor, State state);
  Value truth(bool value);

  OpBuilder &builder;
  Location loc;
  llvm::SmallSetVector<Block *, 8> way;
  SmallVector<Operation *> built;
  unsigned size = 0;
};

} // namespace

Value Execution::truth(bool value) {
  built.push_back(LLVM::ConstantOp::create(builder, loc, builder.getI1Type(),
                                           builder.getBoolAttr(value)));
  return built.back()->getResult(0);
}

/// The local object that is accessed as a whole; null if it is anything else.
static Value wholeObject(Value address, Type type) {
  auto alloca = address.getDefiningOp<LLVM::AllocaOp>();
  return alloca && alloca.getElemType() == type ? Value(alloca) : Value();
}

Execution::Way Execution::from(Block *block, State state) {
  auto &[values, memory, updates] = state;
  // A loop that is come to twice does more than is done here.
  if (!way.insert(block))
    return {};
  llvm::scope_exit leave([&] { way.pop_back(); });
  for (Operation &op : *block) {
    if (isa<LLVM::AllocaOp, cilk::SyncOp>(op) || isDebugRecord(op))
      continue;
    if (auto ret = dyn_cast<LLVM::ReturnOp>(op)) {
      if (!ret.getArg())
        return {Outcome::Always, {{}, {}, updates}};
      Value result = values.lookupOrNull(ret.getArg());
      return {result ? Outcome::Always : Outcome::Never, {{}, result, updates}};
    }
    if (isa<LLVM::BrOp>(op))
      return follow(&op, 0, std::move(state));
    if (auto condBr = dyn_cast<LLVM::CondBrOp>(op))
      return branch(condBr, state);
    if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
      Value object = wholeObject(store.getAddr(), store.getValue().getType());
      Value value = values.lookupOrNull(store.getValue());
      if (!object || !value || store.getVolatile_())
        return {};
      memory.map(object, value);
      continue;
    }
    if (auto update = chan::reductionOf(&op)) {
      Value address = values.lookupOrNull(update.getPtr());
      Value value = values.lookupOrNull(update.getVal());
      if (!address || !value)
        return {};
      updates.push_back({update.getBinOp(), address, value});
      continue;
    }
    if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
      Value object = wholeObject(load.getAddr(), load.getType());
      if (!object || load.getVolatile_() || !memory.contains(object))
        return {};
      values.map(load.getResult(), memory.lookup(object));
      continue;
    }
    bool isConstant =
        op.getNumResults() == 1 && isRematerialized(op.getResult(0));
    if (!isConstant && !isCheapAndPure(&op))
      return {};
    // The address of an object, or what was computed of it.
    if (!llvm::all_of(op.getOperands(),
                      [&](Value operand) { return values.contains(operand); }))
      continue;
    if (size += !isConstant; isLarge())
      return {};
    Operation *copy = builder.clone(op, values);
    copy->setLoc(loc);
    built.push_back(copy);
  }
  return {};
}

Execution::Way Execution::follow(Operation *op, unsigned successor,
                                 State state) {
  Block *next = op->getSuccessor(successor);
  auto passed = cast<BranchOpInterface>(op).getSuccessorOperands(successor);
  IRMapping before = state.values;
  for (auto [argument, value] :
       llvm::zip(next->getArguments(), passed.getForwardedOperands()))
    if (Value known = before.lookupOrNull(value))
      state.values.map(argument, known);
  return from(next, std::move(state));
}

Execution::Way Execution::branch(LLVM::CondBrOp op, const State &state) {
  Value condition = state.values.lookupOrNull(op.getCondition());
  // Every branch counts: what follows one is executed twice.
  if (!condition || (++size, isLarge()))
    return {};
  Way yes = follow(op, 0, state), no = follow(op, 1, state);
  for (auto [successor, way] : {std::pair(0u, &yes), std::pair(1u, &no)})
    if (way->outcome == Outcome::Always)
      endings.push_back({op, successor});
  if (yes.outcome == Outcome::Never && no.outcome == Outcome::Never)
    return {};
  auto select = [&](Value whenTrue, Value whenFalse) -> Value {
    Operation *both =
        LLVM::SelectOp::create(builder, loc, condition, whenTrue, whenFalse);
    built.push_back(both);
    return both->getResult(0);
  };
  auto ends = [&](const Way &way) {
    return way.outcome == Outcome::Sometimes
               ? way.ending.ends
               : truth(way.outcome == Outcome::Always);
  };
  Way both{Outcome::Sometimes, {}};
  if (yes.outcome == Outcome::Always && no.outcome == Outcome::Always)
    both.outcome = Outcome::Always;
  else if (yes.outcome == Outcome::Always && no.outcome == Outcome::Never)
    both.ending.ends = condition;
  else
    both.ending.ends = select(ends(yes), ends(no));
  Value first = yes.ending.result, second = no.ending.result;
  both.ending.result =
      !first || !second ? (first ? first : second) : select(first, second);
  if (yes.outcome == Outcome::Never || no.outcome == Outcome::Never) {
    both.ending.updates =
        (yes.outcome == Outcome::Never ? no : yes).ending.updates;
    return both;
  }
  // Each in its turn, or without effect.
  auto nothing = [&](const Ending::Update &update) -> Value {
    Type type = update.value.getType();
    built.push_back(LLVM::ConstantOp::create(
        builder, loc, type,
        builder.getIntegerAttr(
            type, chan::identityOf(*chan::combinationOf(update.by),
                                   type.getIntOrFloatBitWidth()))));
    return built.back()->getResult(0);
  };
  for (const Ending::Update &update : yes.ending.updates)
    both.ending.updates.push_back(
        {update.by, update.address, select(update.value, nothing(update))});
  for (const Ending::Update &update : no.ending.updates)
    both.ending.updates.push_back(
        {update.by, update.address, select(nothing(update), update.value)});
  return both;
}

void Execution::prune(const Ending &ending) {
  llvm::SmallPtrSet<Operation *, 4> wanted{ending.ends.getDefiningOp()};
  if (ending.result)
    wanted.insert(ending.result.getDefiningOp());
  for (const Ending::Update &update : ending.updates) {
    wanted.insert(update.value.getDefiningOp());
    wanted.insert(update.address.getDefiningOp());
  }
  for (Operation *op : llvm::reverse(built))
    if (op->use_empty() && !wanted.contains(op))
      op->erase();
}

/// Whether control comes to `op` once at most, and along one path: then it
/// comes from where the parent has been. By another path an activation may come
/// that the parent knows nothing of.
static bool isReachedOneWay(Operation *op) {
  Block *block = op->getBlock();
  while (block && !block->isEntryBlock())
    block = block->getSinglePredecessor();
  return block != nullptr;
}

void Ending::update(OpBuilder &builder, Location loc) const {
  for (const Update &update : updates)
    chan::createReduction(builder, loc, update.by, update.address,
                          update.value);
}

std::optional<BaseCase> BaseCase::find(LLVM::LLVMFuncOp function) {
  Block scratch;
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToEnd(&scratch);
  Execution::State state;
  for (BlockArgument argument : function.getArguments())
    state.values.map(
        argument, scratch.addArgument(argument.getType(), argument.getLoc()));
  Execution execution(builder, function.getLoc());
  auto way = execution.from(&function.front(), std::move(state));
  bool isUnknown =
      !isa<LLVM::LLVMVoidType>(function.getFunctionType().getReturnType()) &&
      !way.ending.result;
  // One that never spawns at all need not be looked at here.
  if (way.outcome != Outcome::Sometimes || isUnknown || execution.isLarge())
    return {};
  BaseCase found;
  found.function = function;
  llvm::copy_if(execution.endings, std::back_inserter(found.endings),
                [](auto way) { return isReachedOneWay(way.first); });
  return found;
}

Ending BaseCase::build(OpBuilder &builder, Location loc,
                       ValueRange args) const {
  Region &body = LLVM::LLVMFuncOp(function).getBody();
  Execution::State state;
  for (auto [parameter, arg] : llvm::zip(body.getArguments(), args))
    state.values.map(parameter, arg);
  Execution execution(builder, loc);
  Ending ending = execution.from(&body.front(), std::move(state)).ending;
  execution.prune(ending);
  return ending;
}
