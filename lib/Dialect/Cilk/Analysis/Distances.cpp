//===- Distances.cpp - How far apart values can be ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What branches and counters say are linear inequalities; the answer is the
// optimum of a linear program.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Analysis/Distances.h"
#include "cilk2chan/Dialect/Cilk/Analysis/BlockArguments.h"
#include "cilk2chan/Dialect/Cilk/Tuning.h"

#include "cilk2chan/Support/Predicates.h"

#include "mlir/Analysis/Presburger/Simplex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2chan;

namespace {

/// A sum of values, each so many times, and a constant.
struct Sum {
  llvm::SmallMapVector<Value, int64_t, 4> terms;
  int64_t constant = 0;

  Sum &add(const Sum &other, int64_t times = 1) {
    for (auto [value, count] : other.terms)
      terms[value] += times * count;
    constant += times * other.constant;
    return *this;
  }
};

/// What is known where control comes to a block.
class Facts {
public:
  Facts(const CFGLoopInfo &loops) : loops(loops) {}

  static Sum sumOf(Value value, unsigned depth = 0);
  /// What it is to know whether `condition` holds.
  void learn(Value condition, bool holds);
  /// The most that `sum` can be.
  std::optional<int64_t> findMost(const Sum &sum);

private:
  const CFGLoopInfo &loops;
  /// Those that are not negative.
  SmallVector<Sum> sums;
};

} // namespace

/// A constant that is far from overflow.
static std::optional<int64_t> smallConstant(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) ||
      !constant.isSignedIntN(31))
    return {};
  return constant.getSExtValue();
}

Sum Facts::sumOf(Value value, unsigned depth) {
  while (isa_and_present<LLVM::SExtOp, LLVM::ZExtOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  Sum sum;
  if (auto constant = smallConstant(value)) {
    sum.constant = *constant;
    return sum;
  }
  Operation *op = value.getDefiningOp();
  if (isa_and_present<LLVM::AddOp, LLVM::SubOp>(op) &&
      depth < tuning::deepestDistance)
    return sumOf(op->getOperand(0), depth + 1)
        .add(sumOf(op->getOperand(1), depth + 1),
             isa<LLVM::AddOp>(op) ? 1 : -1);
  sum.terms[value] = 1;
  return sum;
}

void Facts::learn(Value condition, bool holds) {
  Operation *test = condition.getDefiningOp();
  // Both hold, or neither does.
  if (holds ? isa_and_present<LLVM::AndOp>(test)
            : isa_and_present<LLVM::OrOp>(test)) {
    for (Value part : test->getOperands())
      learn(part, holds);
    return;
  }
  auto comparison = dyn_cast_if_present<LLVM::ICmpOp>(test);
  if (!comparison)
    return;
  auto isAtMost = [&](Value low, Value high, int64_t apart) {
    Sum sum = sumOf(high).add(sumOf(low), -1);
    sum.constant -= apart;
    sums.push_back(std::move(sum));
  };
  using Predicate = arith::CmpIPredicate;
  Value left = comparison.getLhs(), right = comparison.getRhs();
  switch (predicateOf(comparison, holds)) {
  case Predicate::slt:
  case Predicate::ult:
    return isAtMost(left, right, 1);
  case Predicate::sle:
  case Predicate::ule:
    return isAtMost(left, right, 0);
  case Predicate::sgt:
  case Predicate::ugt:
    return isAtMost(right, left, 1);
  case Predicate::sge:
  case Predicate::uge:
    return isAtMost(right, left, 0);
  case Predicate::eq:
    isAtMost(left, right, 0);
    return isAtMost(right, left, 0);
  case Predicate::ne:
    return;
  }
}

/// The value that the counter of a loop begins with, if it only grows.
static Value firstOf(Value value, const CFGLoopInfo &loops) {
  auto argument = dyn_cast<BlockArgument>(value);
  const CFGLoop *loop =
      argument ? loops.getLoopFor(argument.getOwner()) : nullptr;
  if (!loop || loop->getHeader() != argument.getOwner())
    return {};
  Value next = passedFrom(loop->getLoopLatch(), argument);
  auto sum = next ? next.getDefiningOp<LLVM::AddOp>() : LLVM::AddOp();
  if (!sum || sum.getLhs() != argument ||
      smallConstant(sum.getRhs()).value_or(0) <= 0)
    return {};
  return passedFrom(loop->getLoopPredecessor(), argument);
}

std::optional<int64_t> Facts::findMost(const Sum &wanted) {
  llvm::SmallMapVector<Value, unsigned, 8> variables;
  auto addVariables = [&](const Sum &sum) {
    for (auto [value, count] : sum.terms)
      variables.insert({value, variables.size()});
  };
  addVariables(wanted);
  llvm::for_each(sums, addVariables);
  for (unsigned i = 0; i != variables.size(); ++i) {
    Value counter = variables.begin()[i].first;
    if (Value first = firstOf(counter, loops)) {
      sums.push_back(sumOf(counter).add(sumOf(first), -1));
      addVariables(sums.back());
    }
  }
  auto rowOf = [&](const Sum &sum) {
    SmallVector<llvm::DynamicAPInt> row(variables.size() + 1,
                                        llvm::DynamicAPInt(0));
    for (auto [value, count] : sum.terms)
      row[variables.lookup(value)] = llvm::DynamicAPInt(count);
    row.back() = llvm::DynamicAPInt(sum.constant);
    return row;
  };
  presburger::Simplex simplex(variables.size());
  for (const Sum &sum : sums)
    simplex.addInequality(rowOf(sum));
  auto most =
      simplex.computeOptimum(presburger::Simplex::Direction::Up, rowOf(wanted));
  if (!most.isBounded())
    return {};
  return static_cast<int64_t>(presburger::floor(*most));
}

std::optional<int64_t> cilk2chan::findMostBetween(Value low, Value high,
                                                  const CFGLoop &loop,
                                                  DominanceInfo &dominance,
                                                  const CFGLoopInfo &loops) {
  Facts facts(loops);
  for (auto *node = dominance.getNode(loop.getHeader()); node;
       node = node->getIDom()) {
    Block *block = node->getBlock(), *before = block->getSinglePredecessor();
    const CFGLoop *begun = loops.getLoopFor(block);
    if (begun && begun->getHeader() == block)
      before = begun->getLoopPredecessor();
    auto branch =
        before ? dyn_cast<LLVM::CondBrOp>(before->getTerminator()) : nullptr;
    if (branch && branch.getTrueDest() != branch.getFalseDest())
      facts.learn(branch.getCondition(), branch.getTrueDest() == block);
  }
  return facts.findMost(Facts::sumOf(high).add(Facts::sumOf(low), -1));
}
