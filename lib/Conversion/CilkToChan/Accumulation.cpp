//===- Accumulation.cpp - Results that are only combined ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Combination.h"
#include "DebugVariables.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cilk2chan;

//===----------------------------------------------------------------------===//
// Where results of children go
//===----------------------------------------------------------------------===//

namespace {

/// Follows what children return. At each point of the function, what each of
/// those spawned so far returns is to be in one place: a value or a local
/// object, which may hold the combination of several. A place that something
/// was taken from must not be looked at again.
class Flow {
public:
  Flow(Candidate &candidate, chan::Combination combination,
       const SymbolTable &symbols)
      : candidate(candidate), combination(combination), symbols(symbols),
        type(candidate.function.getFunctionType().getReturnType()),
        dominance(candidate.function) {}

  /// Whether all ends are in what the function returns.
  bool isConserved();
  /// The first operation where that is not so.
  Operation *getObstacle() const { return obstacle; }

private:
  struct Place {
    bool holds = false, isStale = false;
    bool operator==(const Place &) const = default;
  };
  using State = llvm::MapVector<Value, Place>;

  bool fail(Operation *op) {
    obstacle = op;
    return false;
  }
  bool isObject(Value address);
  bool take(Value place, State &state, bool &taken);
  bool put(Value object, bool holds, State &state);
  bool combine(Operation *op, const Combined &combined, State &state);
  bool convert(Operation *op, State &state);
  bool isResult(Value value) const;
  bool assign(cilk::SpawnOp op, State &state);
  bool visit(Operation *op, State &state);
  bool leave(Operation *op, const State &state);
  bool enter(Operation *op, unsigned successor, State state);

  Candidate &candidate;
  const chan::Combination combination;
  const SymbolTable &symbols;
  const Type type;
  DominanceInfo dominance;
  /// At the beginnings of blocks.
  llvm::DenseMap<Block *, State> states;
  llvm::SetVector<Block *> work;
  Operation *obstacle = nullptr;
};

} // namespace

/// Whether this is a local variable of the results' type that is only accessed
/// as a whole.
bool Flow::isObject(Value address) {
  auto alloca = address.getDefiningOp<LLVM::AllocaOp>();
  if (!alloca || alloca.getElemType() != type ||
      !matchPattern(alloca.getArraySize(), m_One()))
    return false;
  return llvm::all_of(alloca->getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto load = dyn_cast<LLVM::LoadOp>(user))
      return load.getType() == type && !load.getVolatile_();
    if (auto store = dyn_cast<LLVM::StoreOp>(user))
      return store.getAddr() == address && store.getValue() != address &&
             store.getValue().getType() == type && !store.getVolatile_();
    auto spawn = dyn_cast<cilk::SpawnOp>(user);
    return spawn && !llvm::is_contained(spawn.getArgs(), address);
  });
}

/// Takes what is in a place, if anything is.
bool Flow::take(Value place, State &state, bool &taken) {
  auto *found = state.find(place);
  if (found == state.end())
    return true;
  if (found->second.isStale)
    return false;
  if (found->second.holds) {
    taken = true;
    found->second = {false, true};
  }
  return true;
}

/// Overwrites an object.
bool Flow::put(Value object, bool holds, State &state) {
  if (state.lookup(object).holds)
    return false;
  if (holds || state.contains(object))
    state[object] = {holds, false};
  return true;
}

/// The result of an operation of the right kind holds what both operands did.
bool Flow::combine(Operation *op, const Combined &combined, State &state) {
  bool first = false, second = false;
  if (!take(combined.first, state, first) ||
      !take(combined.second, state, second))
    return false;
  if (!first && !second)
    return true;
  if (combined.by != combination || (isa<LLVM::SubOp>(op) && second))
    return false;
  candidate.combining.insert(op);
  state[op->getResult(0)] = {true, false};
  return true;
}

/// What is wider than a result holds it in its low bits, and is of no use but
/// for these: they depend on no others.
bool Flow::convert(Operation *op, State &state) {
  bool holds = false;
  if (!take(op->getOperand(0), state, holds))
    return false;
  if (!holds)
    return true;
  candidate.combining.insert(op);
  state[op->getResult(0)] = {true, false};
  return !isExtremum(combination) &&
         op->getResult(0).getType().getIntOrFloatBitWidth() >=
             type.getIntOrFloatBitWidth();
}

/// Whether `value`, in a function that assigns a child's result, has that
/// result in its low bits.
bool Flow::isResult(Value value) const {
  while (isa_and_nonnull<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(
             value.getDefiningOp()) &&
         value.getType().getIntOrFloatBitWidth() >=
             type.getIntOrFloatBitWidth())
    value = value.getDefiningOp()->getOperand(0);
  auto load = value.getDefiningOp<LLVM::LoadOp>();
  auto address = load ? dyn_cast<BlockArgument>(load.getAddr()) : nullptr;
  return address && address.getArgNumber() == 1 && load.getType() == type;
}

/// What the child returns will be where the spawn has it assigned.
bool Flow::assign(cilk::SpawnOp op, State &state) {
  Value object = op.getDestination();
  if (!object || !isObject(object))
    return false;
  if (!op.getApplyAttr())
    return put(object, /*holds=*/true, state);
  auto assignment =
      assignmentOf(symbols.lookup<LLVM::LLVMFuncOp>(*op.getApply()));
  if (!assignment || assignment->by != combination ||
      isa<LLVM::SubOp>(assignment->op) || !isResult(assignment->other) ||
      state.lookup(object).isStale)
    return false;
  state[object] = {true, false};
  return true;
}

bool Flow::visit(Operation *op, State &state) {
  for (Value result : op->getResults())
    state.erase(result);
  if (isDebugRecord(*op) || isa<cilk::SyncOp>(op))
    return true;
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    bool holds = false;
    if (!take(load.getAddr(), state, holds))
      return false;
    if (holds)
      state[load.getResult()] = {true, false};
    return true;
  }
  if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    bool holds = false;
    if (!take(store.getValue(), state, holds) ||
        (holds && !isObject(store.getAddr())))
      return false;
    return !isObject(store.getAddr()) || put(store.getAddr(), holds, state);
  }
  if (auto combined = combinedBy(op))
    return combine(op, *combined, state);
  if (auto compare = dyn_cast<LLVM::ICmpOp>(op);
      compare && isOnlyCombined(compare))
    return true;
  if (isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(op))
    return convert(op, state);
  auto spawn = dyn_cast<cilk::SpawnOp>(op);
  for (Value operand : op->getOperands())
    if ((!spawn || operand != spawn.getDestination()) &&
        state.lookup(operand) != Place())
      return false;
  if (spawn)
    return assign(spawn, state);
  if (isa<cilk::CallOp>(op))
    state[op->getResult(0)] = {true, false};
  return true;
}

/// Brings a state along an edge.
bool Flow::enter(Operation *op, unsigned successor, State state) {
  Block *next = op->getSuccessor(successor);
  auto passed = cast<BranchOpInterface>(op).getSuccessorOperands(successor);
  SmallVector<bool> held;
  for (Value value : passed.getForwardedOperands()) {
    held.push_back(false);
    if (!take(value, state, held.back()))
      return false;
  }
  State arrived;
  for (auto &[value, place] : state) {
    bool isThere = value.getDefiningOp<LLVM::AllocaOp>() ||
                   (value.getParentBlock() != next &&
                    dominance.properlyDominates(value.getParentBlock(), next));
    if (isThere)
      arrived[value] = place;
    else if (place.holds)
      return false;
  }
  for (auto [argument, holds] : llvm::zip(next->getArguments(), held))
    if (holds)
      arrived[argument] = {true, false};
  auto [known, isNew] = states.try_emplace(next);
  bool changed = isNew;
  for (auto &[value, place] : arrived) {
    Place &before = known->second[value];
    Place both{before.holds || place.holds, before.isStale || place.isStale};
    changed |= before != both;
    before = both;
  }
  if (changed)
    work.insert(next);
  return true;
}

bool Flow::leave(Operation *op, const State &state) {
  if (auto ret = dyn_cast<LLVM::ReturnOp>(op)) {
    State last = state;
    bool taken = false;
    return take(ret.getArg(), last, taken) &&
           llvm::none_of(last, [](auto &entry) { return entry.second.holds; });
  }
  if (isa<LLVM::UnreachableOp>(op))
    return true;
  if (!isa<LLVM::BrOp, LLVM::CondBrOp>(op))
    return false;
  if (auto condBr = dyn_cast<LLVM::CondBrOp>(op);
      condBr && state.lookup(condBr.getCondition()) != Place())
    return false;
  for (unsigned i = 0; i < op->getNumSuccessors(); ++i)
    if (!enter(op, i, state))
      return false;
  return true;
}

bool Flow::isConserved() {
  work.insert(&candidate.function.front());
  while (!work.empty()) {
    Block *block = work.pop_back_val();
    State state = states.lookup(block);
    for (Operation &op : block->without_terminator())
      if (!visit(&op, state))
        return fail(&op);
    if (!leave(block->getTerminator(), state))
      return fail(block->getTerminator());
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// What is done to memory other than the activation's own.
struct Accesses {
  Operation *reads = nullptr, *writes = nullptr;
};
} // namespace

/// Of a candidate's phases from the one at `first` on.
static Accesses findAccesses(const Candidate &candidate, unsigned first) {
  auto isOwn = [](Value address) {
    while (auto gep = address.getDefiningOp<LLVM::GEPOp>())
      address = gep.getBase();
    return address.getDefiningOp<LLVM::AllocaOp>() != nullptr;
  };
  llvm::SetVector<Block *> blocks;
  for (const Phase &phase : candidate.phases->get().drop_front(first))
    blocks.insert(phase.blocks.begin(), phase.blocks.end());
  Accesses found;
  for (Block *block : blocks)
    for (Operation &op : *block) {
      if (isa<cilk::SpawnOp, cilk::CallOp, cilk::SyncOp>(op) ||
          isDebugRecord(op) || isMemoryEffectFree(&op) ||
          op.hasTrait<OpTrait::IsTerminator>())
        continue;
      auto load = dyn_cast<LLVM::LoadOp>(op);
      auto store = dyn_cast<LLVM::StoreOp>(op);
      bool isSimple =
          (load && !load.getVolatile_() &&
           load.getOrdering() == LLVM::AtomicOrdering::not_atomic) ||
          (store && !store.getVolatile_() &&
           store.getOrdering() == LLVM::AtomicOrdering::not_atomic) ||
          isa<LLVM::AllocaOp>(op);
      if (isSimple && (isa<LLVM::AllocaOp>(op) ||
                       isOwn(load ? load.getAddr() : store.getAddr())))
        continue;
      (isSimple && load ? found.reads : found.writes) = &op;
    }
  return found;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

namespace {
struct Obstacle {
  StringRef what;
  Operation *op;
};
} // namespace

/// The kinds that the operations of a function, and what assigns the results of
/// its children, may be of.
static std::optional<Obstacle> findObstacle(Candidate &candidate,
                                            const SymbolTable &symbols) {
  LLVM::LLVMFuncOp function = candidate.function;
  auto type = dyn_cast<IntegerType>(function.getFunctionType().getReturnType());
  if (!type || type.getWidth() < 8 || type.getWidth() > 64 ||
      !llvm::isPowerOf2_32(type.getWidth()))
    return Obstacle{"its result is no integer", function};
  for (auto &[address, isLocal] : candidate.objects)
    if (isKnownElsewhere(address))
      return Obstacle{"a child may use one of its objects",
                      address.getDefiningOp()};
  if (Operation *write = findAccesses(candidate, /*first=*/1).writes)
    return Obstacle{"it writes to memory after a sync", write};
  Operation *obstacle = nullptr;
  for (unsigned i = 1; i <= chan::getMaxEnumValForCombination(); ++i) {
    auto combination = chan::symbolizeCombination(i);
    candidate.combining.clear();
    Flow flow(candidate, *combination, symbols);
    if (flow.isConserved()) {
      candidate.accumulates = combination;
      return {};
    }
    if (!obstacle)
      obstacle = flow.getObstacle();
  }
  return Obstacle{"its result is not the sum, nor another combination, of what "
                  "its children return",
                  obstacle};
}

static std::optional<Obstacle>
findObstacleInChildren(const Candidate &candidate,
                       const llvm::MapVector<StringRef, Candidate> &all) {
  auto childOf = [&](const Candidate &one) -> const Candidate & {
    return all.find(one.sites.front().callee())->second;
  };
  const Candidate &child = childOf(candidate);
  auto typeOf = [](const Candidate &one) {
    return LLVM::LLVMFuncOp(one.function).getFunctionType().getReturnType();
  };
  if (child.accumulates != candidate.accumulates ||
      typeOf(child) != typeOf(candidate))
    return Obstacle{"what it spawns combines results in another way",
                    candidate.sites.front().op};
  // What is read after a sync may be what a descendant has written.
  Operation *read = findAccesses(candidate, /*first=*/1).reads;
  llvm::SmallPtrSet<const Candidate *, 4> seen;
  for (const Candidate *one = &child; read && seen.insert(one).second;
       one = &childOf(*one)) {
    if (findAccesses(*one, /*first=*/0).writes)
      return Obstacle{"it reads memory after a sync, where a child may have "
                      "written",
                      read};
  }
  return {};
}

void cilk2chan::findAccumulations(
    llvm::MapVector<StringRef, Candidate> &candidates,
    const SymbolTable &symbols) {
  auto optionsFor = [](Candidate &candidate) {
    return remark::RemarkOpts::name("accumulate")
        .category("chan-batch")
        .function(sourceOf(candidate.function).getValue());
  };
  auto refuse = [&](Candidate &candidate, const Obstacle &obstacle) {
    candidate.accumulates.reset();
    remark::missed(obstacle.op->getLoc(), optionsFor(candidate))
        << ("activations of '" + candidate.function.getName() +
            "' wait for their children: " + obstacle.what)
               .str();
  };
  for (auto &[name, candidate] : candidates)
    if (auto obstacle = findObstacle(candidate, symbols))
      refuse(candidate, *obstacle);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[name, candidate] : candidates) {
      if (!candidate.accumulates)
        continue;
      if (auto obstacle = findObstacleInChildren(candidate, candidates)) {
        refuse(candidate, *obstacle);
        changed = true;
      }
    }
  }
  for (auto &[name, candidate] : candidates)
    if (candidate.accumulates)
      remark::passed(candidate.function.getLoc(), optionsFor(candidate))
          << ("activations of '" + candidate.function.getName() +
              "' need not wait for their children: results are combined (" +
              chan::stringifyCombination(*candidate.accumulates) + ")")
                 .str();
}
