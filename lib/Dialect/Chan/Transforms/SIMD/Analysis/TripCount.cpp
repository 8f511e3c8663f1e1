//===- TripCount.cpp - How often a loop runs ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop has the form that control flow is lifted to: what C tests first is a
// choice, one arm of which says that the loop is over.
//
//===----------------------------------------------------------------------===//

#include "TripCount.h"

#include "cilk2chan/Support/Predicates.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2chan;

/// Of the choice that `more` is a result of: the arm that goes on, if that is
/// all that `more` depends on.
static Region *findStaying(Value more) {
  while (auto conversion = more.getDefiningOp<LLVM::TruncOp>())
    more = conversion.getArg();
  auto result = dyn_cast<OpResult>(more);
  auto choice = result ? dyn_cast<scf::IfOp>(result.getOwner()) : scf::IfOp();
  if (!choice)
    return nullptr;
  Region *staying = nullptr;
  for (Region &arm : choice->getRegions()) {
    APInt stays;
    if (!matchPattern(
            arm.front().getTerminator()->getOperand(result.getResultNumber()),
            m_ConstantInt(&stays)))
      return nullptr;
    if (!stays.isZero() && std::exchange(staying, &arm))
      return nullptr;
  }
  return staying;
}

std::optional<CountedLoop> cilk2chan::countTrips(scf::WhileOp loop,
                                                 unsigned most) {
  scf::ConditionOp condition = loop.getConditionOp();
  Region *staying = findStaying(condition.getCondition());
  if (!staying || staying->getParentRegion() != &loop.getBefore())
    return std::nullopt;
  auto choice = cast<scf::IfOp>(staying->getParentOp());
  auto test = choice.getCondition().getDefiningOp<LLVM::ICmpOp>();
  APInt value, limit, step;
  if (!test || !matchPattern(test.getRhs(), m_ConstantInt(&limit)))
    return std::nullopt;
  // Tested before or after it is increased.
  Value tested = test.getLhs(), begins = tested;
  if (auto add = tested.getDefiningOp<LLVM::AddOp>())
    begins = add.getLhs();
  auto counter = dyn_cast<BlockArgument>(begins);
  if (!counter || counter.getOwner() != loop.getBeforeBody() ||
      !matchPattern(loop.getInits()[counter.getArgNumber()],
                    m_ConstantInt(&value)))
    return std::nullopt;

  // What it is in the next iteration.
  auto passed = dyn_cast<BlockArgument>(
      loop.getYieldOp().getOperand(counter.getArgNumber()));
  if (!passed || passed.getOwner() != loop.getAfterBody())
    return std::nullopt;
  Value next = condition.getArgs()[passed.getArgNumber()];
  if (next.getDefiningOp() == choice)
    next = staying->front().getTerminator()->getOperand(
        cast<OpResult>(next).getResultNumber());
  auto add = next.getDefiningOp<LLVM::AddOp>();
  if (!add || add.getLhs() != counter ||
      (tested != counter && tested != next) ||
      !matchPattern(add.getRhs(), m_ConstantInt(&step)))
    return std::nullopt;

  unsigned trips = 0;
  if (tested == next) {
    value += step;
    ++trips;
  }
  bool staysIfTrue = staying == &choice.getThenRegion();
  auto predicate = predicateOf(test);
  for (; arith::applyCmpPredicate(predicate, value, limit) == staysIfTrue;
       value += step)
    if (++trips > most)
      return std::nullopt;
  return CountedLoop{counter, trips};
}
