//===- LongLoops.cpp - Loops that may take long ---------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Analysis/LongLoops.h"
#include "cilk2chan/Dialect/Cilk/Analysis/BlockArguments.h"
#include "cilk2chan/Dialect/Cilk/Analysis/Distances.h"
#include "cilk2chan/Dialect/Cilk/Analysis/RemarkPlaces.h"
#include "cilk2chan/Dialect/Cilk/Tuning.h"

#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/BaseOf.h"
#include "cilk2chan/Support/Predicates.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace cilk2chan;

/// The most iterations of a short nest, in which those of inner loops count for
/// each of the outer one's. A nest in an iteration of a loop that would spawn
/// may test each pair of what elements there are.
static uint64_t mostOfIteration() {
  return tuning::mostShortIterations * tuning::mostShortIterations;
}

/// Whether `value` is the same each time that `loop` comes to it.
static bool isInvariant(Value value, const CFGLoop &loop, unsigned depth = 0) {
  if (!loop.contains(value.getParentBlock()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && isPure(op) && depth < tuning::deepestTripCount &&
         llvm::all_of(
             op->getOperands(),
             [&](Value operand) {
               return isInvariant(operand, loop, depth + 1);
             });
}

namespace {

/// A loop with one way in and one way back.
class CountedLoop {
public:
  CountedLoop(const CFGLoop &loop, Block *before, Block *latch,
              DominanceInfo &dominance, const CFGLoopInfo &loops,
              OwnArrays arrays)
      : loop(loop), before(before), latch(latch), dominance(dominance),
        loops(loops), arrays(arrays) {}

  /// At least as many as there are; nothing if that is not known.
  std::optional<uint64_t> getIterations() const;

private:
  bool isInEachIteration(Operation *op) const {
    return loop.contains(op->getBlock()) &&
           dominance.dominates(op->getBlock(), latch);
  }
  std::optional<uint64_t> countTo(Value counter, const APInt &step,
                                  Value first) const;
  std::optional<uint64_t> countElements(Value index) const;
  std::optional<uint64_t> countPairs(Value counter, Value next) const;
  std::optional<uint64_t> iterationsOf(BlockArgument argument) const;

  const CFGLoop &loop;
  Block *before, *latch;
  DominanceInfo &dominance;
  const CFGLoopInfo &loops;
  OwnArrays arrays;
};

} // namespace

/// How many numbers and pointers there are in a value of the type.
static uint64_t countElements(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return array.getNumElements() * countElements(array.getElementType());
  if (auto members = dyn_cast<LLVM::LLVMStructType>(type)) {
    uint64_t elements = 0;
    for (Type member : members.getBody())
      elements += countElements(member);
    return elements;
  }
  return 1;
}

uint64_t cilk2chan::countElements(LLVM::AllocaOp object) {
  APInt objects;
  if (!matchPattern(object.getArraySize(), m_ConstantInt(&objects)))
    return 0;
  return ::countElements(object.getElemType()) * objects.getLimitedValue();
}

/// Whether it holds of equal values, which are not all of which it holds.
static bool allowsEqual(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  return llvm::is_contained(
      {Predicate::sle, Predicate::ule, Predicate::sge, Predicate::uge},
      predicate);
}

/// Of a loop that goes on while `counter`, which changes by `step`, has not
/// come to what is known to be near where it begins.
std::optional<uint64_t> CountedLoop::countTo(Value counter, const APInt &step,
                                             Value first) const {
  for (Operation *user : counter.getUsers()) {
    auto compare = dyn_cast<LLVM::ICmpOp>(user);
    if (!compare || compare.getLhs() != counter ||
        !isInvariant(compare.getRhs(), loop))
      continue;
    Value low = first, high = compare.getRhs();
    if (step.isNegative())
      std::swap(low, high);
    for (Operation *next : compare->getUsers()) {
      auto branch = dyn_cast<LLVM::CondBrOp>(next);
      if (!branch || !isInEachIteration(branch) ||
          loop.contains(branch.getTrueDest()) ==
              loop.contains(branch.getFalseDest()))
        continue;
      // It comes nearer, whatever is compared for: if it goes past the end, the
      // loop is none that anyone writes.
      auto apart = findMostBetween(low, high, loop, dominance, loops);
      if (apart && *apart >= 0)
        return llvm::divideCeil(*apart, step.abs().getLimitedValue()) +
               allowsEqual(
                   predicateOf(compare, loop.contains(branch.getTrueDest())));
    }
  }
  return {};
}

/// Of a loop that accesses one element after the other of a local array, which
/// has no more of them.
std::optional<uint64_t> CountedLoop::countElements(Value index) const {
  for (Operation *user : index.getUsers()) {
    if (isa<LLVM::SExtOp, LLVM::ZExtOp>(user)) {
      if (auto count = countElements(user->getResult(0)))
        return count;
      continue;
    }
    auto gep = dyn_cast<LLVM::GEPOp>(user);
    if (!gep)
      continue;
    // Of a member it is at most as many as of the whole.
    Value base = gep.getBase();
    auto isFixed = [](Value place) {
      return matchPattern(place, m_Constant());
    };
    for (auto member = base.getDefiningOp<LLVM::GEPOp>();
         member && llvm::all_of(member.getDynamicIndices(), isFixed);
         member = base.getDefiningOp<LLVM::GEPOp>())
      base = member.getBase();
    auto object = base.getDefiningOp<LLVM::AllocaOp>();
    uint64_t elements = object ? cilk2chan::countElements(object) : 0;
    if (!elements)
      elements = arrays(base);
    // In the other dimensions it stays where it is.
    if (!elements || !llvm::all_of(gep.getDynamicIndices(), [&](Value other) {
          return other == index || isFixed(other);
        }))
      continue;
    bool isAccessed = llvm::any_of(gep->getUsers(), [&](Operation *access) {
      return isa<LLVM::LoadOp, LLVM::StoreOp>(access) &&
             isInEachIteration(access);
    });
    if (isAccessed)
      return elements;
  }
  return {};
}

/// The value that a loop compares `counter` with, and goes on while it is less;
/// null if there is none.
static Value limitOf(Value counter, const CFGLoop &loop) {
  for (Operation *user : counter.getUsers()) {
    auto compare = dyn_cast<LLVM::ICmpOp>(user);
    auto branch = dyn_cast<LLVM::CondBrOp>(user->getBlock()->getTerminator());
    if (!compare || !branch || compare.getLhs() != counter ||
        branch.getCondition() != compare ||
        !loop.contains(branch.getTrueDest()) ||
        loop.contains(branch.getFalseDest()))
      continue;
    if (llvm::is_contained({LLVM::ICmpPredicate::slt, LLVM::ICmpPredicate::ult},
                           compare.getPredicate()))
      return compare.getRhs();
  }
  return {};
}

/// Of a loop over pairs:
///
///   for (i = 0; i < n; i++)
///     for (j = i + 1; j < n; j++)
///       ... a[i] ... a[j] ...
///
/// The last iteration has no pair, and reads no element.  Each other one reads
/// element `i + 1` first, so there are at most as many as `a` has elements.
std::optional<uint64_t> CountedLoop::countPairs(Value counter,
                                                Value next) const {
  Value limit = limitOf(counter, loop);
  if (!limit || !isInvariant(limit, loop))
    return {};
  for (const CFGLoop *inner : loop.getSubLoops()) {
    Block *enters = inner->getLoopPredecessor(), *again = inner->getLoopLatch();
    if (!enters || !again || !dominance.dominates(enters, latch))
      continue;
    for (BlockArgument index : inner->getHeader()->getArguments()) {
      Value first = passedFrom(enters, index);
      auto step = passedFrom(again, index).getDefiningOp<LLVM::AddOp>();
      if (first != next || !step || step.getLhs() != index ||
          !matchPattern(step.getRhs(), m_One()) ||
          limitOf(index, *inner) != limit)
        continue;
      // The outer loop goes on behind the inner one only where this has come to
      // the limit.
      SmallVector<std::pair<Block *, Block *>> exits;
      inner->getExitEdges(exits);
      if (llvm::any_of(exits, [&](auto edge) {
            return edge.first != inner->getHeader() &&
                   loop.contains(edge.second);
          }))
        continue;
      if (auto elements =
              CountedLoop(*inner, enters, again, dominance, loops, arrays)
                  .countElements(index))
        return elements;
    }
  }
  return {};
}

std::optional<uint64_t>
CountedLoop::iterationsOf(BlockArgument argument) const {
  auto type = dyn_cast<IntegerType>(argument.getType());
  Value first = passedFrom(before, argument),
        next = passedFrom(latch, argument);
  if (!type || !first || !next || !next.getDefiningOp())
    return {};
  APInt by;
  if (auto shift = next.getDefiningOp<LLVM::LShrOp>();
      shift && shift.getLhs() == argument &&
      matchPattern(shift.getRhs(), m_ConstantInt(&by)) && !by.isZero())
    return type.getWidth() + 1;
  // The lowest bit goes.
  auto isOneLess = [&](Value value) {
    Operation *op = value.getDefiningOp();
    APInt one;
    return op && op->getNumOperands() == 2 && op->getOperand(0) == argument &&
           matchPattern(op->getOperand(1), m_ConstantInt(&one)) &&
           ((isa<LLVM::SubOp>(op) && one.isOne()) ||
            (isa<LLVM::AddOp>(op) && one.isAllOnes()));
  };
  if (auto both = next.getDefiningOp<LLVM::AndOp>())
    if ((both.getLhs() == argument && isOneLess(both.getRhs())) ||
        (both.getRhs() == argument && isOneLess(both.getLhs())))
      return type.getWidth() + 1;
  Operation *change = next.getDefiningOp();
  if (!isa<LLVM::AddOp, LLVM::SubOp>(change) ||
      change->getOperand(0) != argument ||
      !matchPattern(change->getOperand(1), m_ConstantInt(&by)) || by.isZero())
    return {};
  if (isa<LLVM::SubOp>(change))
    by = -by;
  if (auto count = countTo(argument, by, first))
    return count;
  if (auto count = countTo(next, by, first))
    return count;
  if (auto count = countElements(argument))
    return count;
  return by.isOne() ? countPairs(argument, next) : std::nullopt;
}

std::optional<uint64_t> CountedLoop::getIterations() const {
  for (BlockArgument argument : loop.getHeader()->getArguments())
    if (auto count = iterationsOf(argument))
      return count;
  return {};
}

static bool spawns(Block *block) {
  return llvm::any_of(*block, llvm::IsaPred<cilk::SpawnOp, cilk::CallOp>);
}

/// Whether all lanes compute the same value: of constants, and of counters of
/// loops that begin with one.
static bool isAlike(Value value, const CFGLoopInfo &loops, unsigned depth = 0) {
  if (isa_and_nonnull<LLVM::AddressOfOp>(value.getDefiningOp()) ||
      matchPattern(value, m_Constant()))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    const CFGLoop *loop = loops.getLoopFor(argument.getOwner());
    if (!loop || loop->getHeader() != argument.getOwner())
      return false;
    Value first = passedFrom(loop->getLoopPredecessor(), argument);
    Value next = passedFrom(loop->getLoopLatch(), argument);
    Operation *change = next ? next.getDefiningOp() : nullptr;
    return first && matchPattern(first, m_Constant()) &&
           isa_and_nonnull<LLVM::AddOp, LLVM::SubOp>(change) &&
           change->getOperand(0) == argument &&
           matchPattern(change->getOperand(1), m_Constant());
  }
  Operation *op = value.getDefiningOp();
  return depth < tuning::deepestTripCount && isPure(op) &&
         llvm::all_of(
             op->getOperands(),
             [&](Value operand) { return isAlike(operand, loops, depth + 1); });
}

/// Whether other code is given the address of an object, or of what is in
/// it: then it lies as in C, and not part by part beside those of other lanes.
static bool isGivenAway(Value address) {
  return llvm::any_of(address.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<LLVM::GEPOp>(user))
      return isGivenAway(user->getResult(0));
    if (auto spawn = dyn_cast<cilk::SpawnOp>(user))
      return llvm::is_contained(spawn.getArgs(), use.get());
    return isa<cilk::CallOp, LLVM::CallOp>(user);
  });
}

/// Where lanes go through memory of their own choice: each by itself does that
/// as fast, and computes nothing in vain beside it.
static Operation *findGather(Block *block, const CFGLoop &loop,
                             const CFGLoopInfo &loops, OwnArrays arrays) {
  auto found = llvm::find_if(*block, [&](Operation &op) {
    auto load = dyn_cast<LLVM::LoadOp>(op);
    auto store = dyn_cast<LLVM::StoreOp>(op);
    if (!load && !store)
      return false;
    Value address = load ? load.getAddr() : store.getAddr();
    Value base = baseOf(address);
    if (arrays(base))
      return false;
    // There are no instructions that gather bytes.
    Type type = load ? load.getType() : store.getValue().getType();
    bool isNarrow = type.isIntOrFloat() && type.getIntOrFloatBitWidth() < 32;
    if (base.getDefiningOp<LLVM::AllocaOp>() &&
        !(isNarrow && isGivenAway(base)))
      return false;
    return !isAlike(address, loops) && !isInvariant(address, loop);
  });
  return found == block->end() ? nullptr : &*found;
}

/// What stands in the line of a loop: its way back, or the test that it begins
/// with.
static Operation *lineOf(const CFGLoop &loop) {
  Operation *test = loop.getHeader()->getTerminator();
  Block *latch = loop.getLoopLatch();
  return latch && hasPlace(latch->getTerminator()) ? latch->getTerminator()
                                                   : test;
}

static std::optional<LongLoop> findLong(const CFGLoop &loop, uint64_t outer,
                                        uint64_t most, const CFGLoopInfo &loops,
                                        DominanceInfo &dominance,
                                        OwnArrays arrays) {
  auto findGatherIn = [&](const CFGLoop &part) -> std::optional<LongLoop> {
    for (Block *block : part.blocks())
      if (Operation *access = findGather(block, part, loops, arrays))
        return LongLoop{access, /*gathers=*/true};
    return {};
  };
  // What it does for each child is as much as there are children for.
  if (llvm::any_of(loop.blocks(), spawns)) {
    for (const CFGLoop *inner : loop.getSubLoops())
      if (auto found = llvm::any_of(inner->blocks(), spawns)
                           ? findLong(*inner, 1, most, loops, dominance, arrays)
                           : findGatherIn(*inner))
        return found;
    return {};
  }
  LongLoop own{lineOf(loop), /*gathers=*/false};
  Block *before = loop.getLoopPredecessor(), *latch = loop.getLoopLatch();
  if (!before || !latch)
    return own;
  auto iterations = CountedLoop(loop, before, latch, dominance, loops, arrays)
                        .getIterations();
  if (!iterations || *iterations > tuning::mostShortIterations ||
      outer * *iterations > most)
    return own;
  if (auto found = findGatherIn(loop))
    return found;
  for (const CFGLoop *inner : loop.getSubLoops())
    if (auto found =
            findLong(*inner, outer * std::max<uint64_t>(*iterations, 1), most,
                     loops, dominance, arrays))
      return found;
  return {};
}

std::optional<LongLoop> cilk2chan::findLongLoop(const CFGLoop &loop,
                                                const CFGLoopInfo &loops,
                                                DominanceInfo &dominance,
                                                OwnArrays arrays) {
  return findLong(loop, 1, mostOfIteration(), loops, dominance, arrays);
}

std::optional<LongLoop> cilk2chan::findLongLoop(LLVM::LLVMFuncOp function) {
  if (function.getBody().hasOneBlock())
    return {};
  DominanceInfo dominance(function);
  CFGLoopInfo loops(dominance.getDomTree(&function.getBody()));
  // Of a cycle with several ways in nothing is known.
  for (auto blocks = llvm::scc_begin(&function.getBody()); !blocks.isAtEnd();
       ++blocks)
    if (blocks.hasCycle() && llvm::none_of(*blocks, spawns) &&
        !loops.getLoopFor(blocks->front()))
      return LongLoop{blocks->front()->getTerminator(), /*gathers=*/false};
  for (const CFGLoop *loop : loops)
    if (auto found = findLong(*loop, 1, tuning::mostShortIterations, loops,
                              dominance, [](Value) { return 0; }))
      return found;
  return {};
}
