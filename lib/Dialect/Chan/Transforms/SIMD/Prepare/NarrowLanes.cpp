//===- NarrowLanes.cpp - Values of fewer bits than C gives them -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C computes with `int` at least.  Ranges say what of that is needed: of
// comparisons, and of what choices and loops yield.  Low bits of sums and
// products depend on low bits alone, so whatever leads to such a value is
// computed once more in few bits, where it comes from narrow values, constants
// or what all lanes have the same of.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Prepare/NarrowLanes.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneRanges.h"
#include "cilk2chan/Dialect/Chan/Transforms/Tuning.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace cilk2chan;
using llvm::ConstantRange;

namespace {

/// Bits, and how wider values are made of them.
struct Width {
  unsigned bits;
  bool isSigned;
};

class Narrowing {
public:
  Narrowing(chan::KernelOp lifted, const LaneShapes &shapes,
            const TypeLayout &layout)
      : lifted(lifted), shapes(shapes), builder(lifted.getContext()),
        loc(lifted.getLoc()), ranges(lifted, layout) {}

  unsigned run();

private:
  bool fits(Value value, Width width);
  /// Whether all lanes have the same of it.
  bool isCommon(Value value) const {
    return shapes.isUniform(value) || gathered.contains(value);
  }
  /// Whether the low bits of a value can be computed in as many bits.
  bool isCheap(Value value, unsigned bits, unsigned depth = 0);
  /// These, as a value of that many bits.
  Value lowBits(Value value, unsigned bits);
  Value extend(Value value, Type type, bool isSigned);
  Value constant(Type type, const APInt &value) {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  }

  // What choices and loops yield.
  void findWebs();
  bool narrowWeb(ArrayRef<Value> members);
  // Comparisons.
  bool narrow(LLVM::ICmpOp op);
  Value createNarrow(LLVM::ICmpOp op);
  Value createNarrow(LLVM::ICmpOp op, Width width);
  Value createBeside(LLVM::ICmpOp op, Width width);
  Value createOfDifference(LLVM::ICmpOp op);
  LLVM::ICmpOp gatherCommon(LLVM::ICmpOp op);
  void removeExtensions();

  chan::KernelOp lifted;
  const LaneShapes &shapes;
  OpBuilder builder;
  Location loc;
  LaneRanges ranges;
  /// Sums of what all lanes have the same of, which `shapes` does not know.
  llvm::SmallPtrSet<Value, 4> gathered;
  /// Values that are the same where control flow meets, and what flows into
  /// each of them.
  llvm::EquivalenceClasses<Value> webs;
  llvm::DenseMap<Value, SmallVector<OpOperand *>> sources;
};

} // namespace

static bool fits(const ConstantRange &range, Width width) {
  return width.isSigned ? range.getMinSignedBits() <= width.bits
                        : range.getActiveBits() <= width.bits;
}

bool Narrowing::fits(Value value, Width width) {
  return ::fits(ranges.of(value), width);
}

//===----------------------------------------------------------------------===//
// Low bits
//===----------------------------------------------------------------------===//

/// Operations whose low bits depend on low bits alone.
static bool isModular(Operation *op) {
  return isa<LLVM::AddOp, LLVM::SubOp, LLVM::MulOp, LLVM::AndOp, LLVM::OrOp,
             LLVM::XOrOp>(op);
}

static bool isConversion(Operation *op) {
  return isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(op);
}

bool Narrowing::isCheap(Value value, unsigned bits, unsigned depth) {
  if (integerBits(value) <= bits || isCommon(value))
    return integerBits(value) != 0;
  Operation *op = value.getDefiningOp();
  if (!op || depth == tuning::deepestNarrowing)
    return false;
  auto cheap = [&](unsigned operand) {
    return isCheap(op->getOperand(operand), bits, depth + 1);
  };
  if (isMadeOfNothing(op))
    return true;
  if (isConversion(op))
    return cheap(0);
  if (isModular(op))
    return cheap(0) && cheap(1);
  if (isa<LLVM::SelectOp>(op))
    return cheap(1) && cheap(2);
  if (isa<LLVM::AbsOp>(op))
    return fits(op->getOperand(0), {bits, /*isSigned=*/true}) && cheap(0);
  APInt amount;
  bool isShift = isa<LLVM::ShlOp, LLVM::LShrOp, LLVM::AShrOp>(op);
  if (!isShift || !matchPattern(op->getOperand(1), m_ConstantInt(&amount)) ||
      amount.uge(bits))
    return false;
  // From the right come bits that the narrow value has.
  return cheap(0) && (isa<LLVM::ShlOp>(op) ||
                      fits(op->getOperand(0), {bits, isa<LLVM::AShrOp>(op)}));
}

Value Narrowing::extend(Value value, Type type, bool isSigned) {
  if (isSigned)
    return LLVM::SExtOp::create(builder, loc, type, value);
  return LLVM::ZExtOp::create(builder, loc, type, value);
}

Value Narrowing::lowBits(Value value, unsigned bits) {
  Type type = builder.getIntegerType(bits);
  unsigned present = integerBits(value);
  if (present == bits)
    return value;
  Operation *op = value.getDefiningOp();
  APInt known;
  if (op && matchPattern(op, m_ConstantInt(&known)))
    return constant(type, known.trunc(bits));
  if (isa_and_nonnull<LLVM::UndefOp>(op))
    return LLVM::UndefOp::create(builder, loc, type);
  if (isa_and_nonnull<LLVM::PoisonOp>(op))
    return LLVM::PoisonOp::create(builder, loc, type);
  if (isCommon(value) || !op)
    return LLVM::TruncOp::create(builder, loc, type, value);
  if (isConversion(op)) {
    Value from = op->getOperand(0);
    return integerBits(from) < bits ? extend(from, type, isa<LLVM::SExtOp>(op))
                                    : lowBits(from, bits);
  }
  auto low = [&](unsigned operand) {
    return lowBits(op->getOperand(operand), bits);
  };
  if (isa<LLVM::SelectOp>(op))
    return LLVM::SelectOp::create(builder, loc, op->getOperand(0), low(1),
                                  low(2));
  if (isa<LLVM::AbsOp>(op)) {
    Value of = low(0);
    return LLVM::AbsOp::create(builder, loc, type, of,
                               /*is_int_min_poison=*/false);
  }
  // Of what is known of overflow nothing holds.
  OperationState state(loc, op->getName(), {low(0), low(1)}, {type});
  return builder.create(state)->getResult(0);
}

//===----------------------------------------------------------------------===//
// What choices and loops yield
//===----------------------------------------------------------------------===//

void Narrowing::findWebs() {
  auto add = [&](Value member, OpOperand &source) {
    if (integerBits(member) <= 8)
      return;
    webs.insert(member);
    sources[member].push_back(&source);
  };
  lifted.getBody().walk([&](Operation *op) {
    if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
      for (OpResult result : op->getResults())
        for (Region &region : op->getRegions())
          add(result, region.front().getTerminator()->getOpOperand(
                          result.getResultNumber()));
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      scf::ConditionOp next = loop.getConditionOp();
      for (auto [i, carried] : llvm::enumerate(loop.getBeforeArguments())) {
        add(carried, loop->getOpOperand(i));
        // After the condition.
        add(carried, next->getOpOperand(i + 1));
        if (integerBits(carried) <= 8)
          continue;
        webs.unionSets(carried, loop.getResult(i));
        webs.unionSets(carried, loop.getAfterArguments()[i]);
      }
    }
  });
  for (auto &[member, operands] : sources)
    for (OpOperand *operand : operands)
      if (webs.contains(operand->get()))
        webs.unionSets(member, operand->get());
}

bool Narrowing::narrowWeb(ArrayRef<Value> members) {
  if (llvm::all_of(members, [&](Value member) { return isCommon(member); }))
    return false;
  SmallVector<OpOperand *> leaves;
  unsigned bits = integerBits(members.front());
  ConstantRange range = ConstantRange::getEmpty(bits);
  for (Value member : members)
    for (OpOperand *source : sources.lookup(member)) {
      if (webs.contains(source->get()))
        continue;
      leaves.push_back(source);
      if (!isPoison(source->get()))
        range = range.unionWith(ranges.of(source->get()));
    }
  if (range.isEmptySet())
    return false;
  std::optional<Width> width;
  for (unsigned few : {8u, 16u, 32u})
    for (bool isSigned : {true, false})
      if (!width && few < bits && ::fits(range, {few, isSigned}) &&
          llvm::all_of(
              leaves,
              [&](OpOperand *leaf) { return isCheap(leaf->get(), few); }))
        width = Width{few, isSigned};
  if (!width)
    return false;

  Type type = builder.getIntegerType(width->bits);
  for (OpOperand *leaf : leaves) {
    builder.setInsertionPoint(leaf->getOwner());
    loc = leaf->getOwner()->getLoc();
    leaf->set(lowBits(leaf->get(), width->bits));
  }
  llvm::SmallPtrSet<OpOperand *, 16> inside;
  for (Value member : members)
    for (OpOperand *source : sources.lookup(member))
      inside.insert(source);
  for (Value member : members) {
    Type before = member.getType();
    member.setType(type);
    loc = member.getLoc();
    builder.setInsertionPointAfterValue(member);
    Value wide;
    for (OpOperand &use : llvm::make_early_inc_range(member.getUses())) {
      // What a loop's second region hands back is among these as well.
      if (inside.contains(&use) ||
          (isa<scf::YieldOp>(use.getOwner()) &&
           isa<scf::WhileOp>(use.getOwner()->getParentOp())))
        continue;
      if (!wide)
        wide = extend(member, before, width->isSigned);
      use.set(wide);
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static LLVM::ICmpPredicate withoutSign(LLVM::ICmpPredicate predicate) {
  switch (predicate) {
  case LLVM::ICmpPredicate::slt:
    return LLVM::ICmpPredicate::ult;
  case LLVM::ICmpPredicate::sle:
    return LLVM::ICmpPredicate::ule;
  case LLVM::ICmpPredicate::sgt:
    return LLVM::ICmpPredicate::ugt;
  case LLVM::ICmpPredicate::sge:
    return LLVM::ICmpPredicate::uge;
  default:
    return predicate;
  }
}

/// Both sides are narrow. Signed or not, the order of values stays when they
/// are extended alike.
Value Narrowing::createNarrow(LLVM::ICmpOp op, Width width) {
  for (Value side : op->getOperands())
    if (!fits(side, width) || !isCheap(side, width.bits))
      return {};
  LLVM::ICmpPredicate predicate =
      width.isSigned ? op.getPredicate() : withoutSign(op.getPredicate());
  Value left = lowBits(op.getLhs(), width.bits);
  Value right = lowBits(op.getRhs(), width.bits);
  return LLVM::ICmpOp::create(builder, loc, predicate, left, right);
}

/// One side is narrow, the other what all lanes have the same of: that it is
/// narrow as well is found out once for all.
Value Narrowing::createBeside(LLVM::ICmpOp op, Width width) {
  LLVM::ICmpPredicate predicate = op.getPredicate();
  bool isEqual = predicate == LLVM::ICmpPredicate::eq;
  if (!isEqual && predicate != LLVM::ICmpPredicate::ne)
    return {};
  unsigned one = isCommon(op.getLhs()) ? 0 : 1;
  Value common = op->getOperand(one), other = op->getOperand(1 - one);
  if (!isCommon(common) || !fits(other, width) || !isCheap(other, width.bits))
    return {};
  Value low = LLVM::TruncOp::create(builder, loc,
                                    builder.getIntegerType(width.bits), common);
  Value fits = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::eq,
      extend(low, common.getType(), width.isSigned), common);
  Value same = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                    lowBits(other, width.bits), low);
  Value result = LLVM::AndOp::create(builder, loc, fits, same);
  if (!isEqual)
    result = LLVM::XOrOp::create(builder, loc, result,
                                 constant(builder.getI1Type(), APInt(1, 1)));
  return result;
}

/// The terms of a sum, and whether each is subtracted.
static void collectTerms(Value value, bool isNegative,
                         llvm::function_ref<bool(Value)> isCommon,
                         unsigned depth,
                         SmallVectorImpl<std::pair<Value, bool>> &terms) {
  Operation *op = value.getDefiningOp();
  if (isCommon(value) || depth == tuning::deepestNarrowing ||
      !isa_and_nonnull<LLVM::AddOp, LLVM::SubOp>(op)) {
    terms.push_back({value, isNegative});
    return;
  }
  bool subtracts = isa<LLVM::SubOp>(op);
  collectTerms(op->getOperand(0), isNegative, isCommon, depth + 1, terms);
  collectTerms(op->getOperand(1), isNegative != subtracts, isCommon, depth + 1,
               terms);
}

/// Compares for equality what lanes have each, on the left, with what all have
/// the same of, on the right, if that is so of terms on both sides:
///
///   q == p - (j - i)   =>   p - q == j - i
///
/// Sums wrap around, so that is no matter of overflow. Returns a comparison in
/// front of `op` with at most two terms on the left; `op` if there is none.
LLVM::ICmpOp Narrowing::gatherCommon(LLVM::ICmpOp op) {
  LLVM::ICmpPredicate predicate = op.getPredicate();
  if (predicate != LLVM::ICmpPredicate::eq &&
      predicate != LLVM::ICmpPredicate::ne)
    return op;
  SmallVector<std::pair<Value, bool>> terms, varying, common;
  auto isSame = [&](Value value) { return isCommon(value); };
  collectTerms(op.getLhs(), false, isSame, 0, terms);
  collectTerms(op.getRhs(), true, isSame, 0, terms);
  for (auto term : terms)
    (isCommon(term.first) ? common : varying).push_back(term);
  if (terms.size() <= 2 || common.empty() || varying.size() > 2)
    return op;
  // With no sign in front of what comes first on either side, if possible.
  auto isSubtracted = [](auto term) { return term.second; };
  bool isNegative = llvm::all_of(varying, isSubtracted) ||
                    (llvm::any_of(varying, isSubtracted) &&
                     llvm::none_of(common, isSubtracted));
  auto addUp = [&](auto &range, bool isOpposite) {
    Value sum;
    for (auto [value, isLess] : range)
      if (isLess == isOpposite)
        sum = sum ? LLVM::AddOp::create(builder, loc, sum, value).getResult()
                  : value;
    if (!sum)
      sum = constant(op.getLhs().getType(),
                     APInt::getZero(integerBits(op.getLhs())));
    for (auto [value, isLess] : range)
      if (isLess != isOpposite)
        sum = LLVM::SubOp::create(builder, loc, sum, value);
    return sum;
  };
  Value left = addUp(varying, isNegative);
  Value right = addUp(common, !isNegative);
  gathered.insert(right);
  return LLVM::ICmpOp::create(builder, loc, predicate, left, right);
}

/// A difference of narrow values that is compared with one that is narrow, and
/// not the least or greatest of its width: saturated, it is as wide as these.
///
///   p - q == d   =>   ssub.sat(p, q) == d     with -127 <= d <= 126
Value Narrowing::createOfDifference(LLVM::ICmpOp op) {
  LLVM::ICmpPredicate predicate = op.getPredicate();
  auto difference = op.getLhs().getDefiningOp<LLVM::SubOp>();
  if (!difference || (predicate != LLVM::ICmpPredicate::eq &&
                      predicate != LLVM::ICmpPredicate::ne))
    return {};
  ConstantRange range = ranges.of(op.getRhs());
  unsigned all = integerBits(difference);
  for (unsigned bits : {8u, 16u})
    for (bool isSigned : {true, false}) {
      Width width{bits, isSigned};
      ConstantRange exact(APInt::getSignedMinValue(bits).sext(all) + 1,
                          APInt::getSignedMaxValue(bits).sext(all));
      if (bits >= all || !exact.contains(range) ||
          !isCheap(op.getRhs(), bits) ||
          !llvm::all_of(difference->getOperands(), [&](Value side) {
            return fits(side, width) && isCheap(side, bits);
          }))
        continue;
      Type type = builder.getIntegerType(bits);
      Value first = lowBits(difference.getLhs(), bits);
      Value second = lowBits(difference.getRhs(), bits);
      // Both less by half of what there is: 0 to 255 are -128 to 127.
      if (!isSigned) {
        Value sign = constant(type, APInt::getSignMask(bits));
        first = LLVM::XOrOp::create(builder, loc, first, sign);
        second = LLVM::XOrOp::create(builder, loc, second, sign);
      }
      Value narrow = LLVM::SSubSat::create(builder, loc, type, first, second);
      return LLVM::ICmpOp::create(builder, loc, predicate, narrow,
                                  lowBits(op.getRhs(), bits));
    }
  return {};
}

Value Narrowing::createNarrow(LLVM::ICmpOp op) {
  if (Value narrow = createOfDifference(op))
    return narrow;
  for (unsigned few : {8u, 16u, 32u})
    for (bool isSigned : {true, false})
      if (few < integerBits(op.getLhs())) {
        if (Value narrow = createNarrow(op, {few, isSigned}))
          return narrow;
        if (Value narrow = createBeside(op, {few, isSigned}))
          return narrow;
      }
  return {};
}

bool Narrowing::narrow(LLVM::ICmpOp op) {
  if (integerBits(op.getLhs()) <= 8 || isCommon(op))
    return false;
  builder.setInsertionPoint(op);
  loc = op.getLoc();
  ranges.lookFrom(op);
  Operation *before = op->getPrevNode();
  LLVM::ICmpOp comparison = gatherCommon(op);
  if (Value narrow = createNarrow(comparison)) {
    if (comparison != op)
      comparison.erase();
    op.replaceAllUsesWith(narrow);
    op.erase();
    return true;
  }
  gathered.clear();
  while (op->getPrevNode() != before)
    op->getPrevNode()->erase();
  return false;
}

/// What has been extended for a user that wants fewer bits, is not.
void Narrowing::removeExtensions() {
  SmallVector<LLVM::TruncOp> truncations;
  lifted.getBody().walk([&](LLVM::TruncOp op) { truncations.push_back(op); });
  for (LLVM::TruncOp op : truncations) {
    Operation *from = op.getArg().getDefiningOp();
    if (!isa_and_nonnull<LLVM::SExtOp, LLVM::ZExtOp>(from) ||
        integerBits(from->getOperand(0)) < integerBits(op))
      continue;
    Value few = from->getOperand(0);
    if (integerBits(few) == integerBits(op))
      op.replaceAllUsesWith(few);
    else
      op.getArgMutable().assign(few);
    if (!op.use_empty())
      continue;
    op.erase();
  }
  lifted->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if ((isElementwise(op) && !isDivision(op)) || isMadeOfNothing(op))
      if (op->use_empty())
        op->erase();
  });
}

unsigned Narrowing::run() {
  findWebs();
  unsigned count = 0;
  for (const auto *set : webs)
    if (set->isLeader())
      count += narrowWeb(SmallVector<Value>(webs.members(*set)));
  ranges.forget();
  SmallVector<LLVM::ICmpOp> comparisons;
  lifted.getBody().walk([&](LLVM::ICmpOp op) { comparisons.push_back(op); });
  for (LLVM::ICmpOp op : comparisons)
    count += narrow(op);
  if (count)
    removeExtensions();
  return count;
}

unsigned cilk2chan::narrowLanes(chan::KernelOp lifted, const LaneShapes &shapes,
                                const TypeLayout &layout) {
  return Narrowing(lifted, shapes, layout).run();
}
