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

#include "NarrowLanes.h"
#include "LaneOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/IR/ConstantRange.h"

using namespace mlir;
using namespace cilk2chan;
using llvm::ConstantRange;

/// How far expressions are followed.
static constexpr unsigned mostDepth = 8;

namespace {

/// Bits, and how wider values are made of them.
struct Width {
  unsigned bits;
  bool isSigned;
};

class Narrowing {
public:
  Narrowing(chan::KernelOp lifted, const LaneShapes &shapes)
      : lifted(lifted), shapes(shapes), builder(lifted.getContext()),
        loc(lifted.getLoc()) {}

  unsigned run();

private:
  ConstantRange rangeOf(Value value);
  ConstantRange computeRange(Operation *op, unsigned result);
  bool fits(Value value, Width width);
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
  bool narrow(LLVM::ICmpOp op, Width width);
  bool narrowBeside(LLVM::ICmpOp op, Width width);
  void removeExtensions();

  chan::KernelOp lifted;
  const LaneShapes &shapes;
  OpBuilder builder;
  Location loc;
  llvm::DenseMap<Value, ConstantRange> ranges;
  /// Values that are the same where control flow meets, and what flows into
  /// each of them.
  llvm::EquivalenceClasses<Value> webs;
  llvm::DenseMap<Value, SmallVector<OpOperand *>> sources;
};

} // namespace

static unsigned bitsOf(Value value) {
  auto type = dyn_cast<IntegerType>(value.getType());
  return type && type.getWidth() <= 64 ? type.getWidth() : 0;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

ConstantRange Narrowing::rangeOf(Value value) {
  ConstantRange full = ConstantRange::getFull(bitsOf(value));
  auto [known, isNew] = ranges.try_emplace(value, full);
  if (!isNew)
    return known->second;
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return full;
  ConstantRange range =
      computeRange(result.getOwner(), result.getResultNumber());
  ranges.find(value)->second = range;
  return range;
}

ConstantRange Narrowing::computeRange(Operation *op, unsigned result) {
  unsigned bits = bitsOf(op->getResult(result));
  APInt value;
  if (matchPattern(op, m_ConstantInt(&value)))
    return value;
  auto of = [&](unsigned operand) { return rangeOf(op->getOperand(operand)); };
  ConstantRange full = ConstantRange::getFull(bits);
  bool isKnown = llvm::all_of(
      op->getOperands(), [](Value operand) { return bitsOf(operand) != 0; });
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
    ConstantRange all = ConstantRange::getEmpty(bits);
    for (Region &region : op->getRegions())
      if (Value one = region.front().getTerminator()->getOperand(result);
          !isPoison(one))
        all = all.unionWith(rangeOf(one));
    return all.isEmptySet() ? full : all;
  }
  if (!isKnown)
    return full;
  if (isa<LLVM::SExtOp>(op))
    return of(0).signExtend(bits);
  if (isa<LLVM::ZExtOp>(op))
    return of(0).zeroExtend(bits);
  if (isa<LLVM::TruncOp>(op))
    return of(0).truncate(bits);
  if (isa<LLVM::SelectOp>(op))
    return of(1).unionWith(of(2));
  if (isa<LLVM::AddOp>(op))
    return of(0).add(of(1));
  if (isa<LLVM::SubOp>(op))
    return of(0).sub(of(1));
  if (isa<LLVM::MulOp>(op))
    return of(0).multiply(of(1));
  if (isa<LLVM::AndOp>(op))
    return of(0).binaryAnd(of(1));
  if (isa<LLVM::OrOp>(op))
    return of(0).binaryOr(of(1));
  if (isa<LLVM::XOrOp>(op))
    return of(0).binaryXor(of(1));
  if (isa<LLVM::ShlOp>(op))
    return of(0).shl(of(1));
  if (isa<LLVM::LShrOp>(op))
    return of(0).lshr(of(1));
  if (isa<LLVM::AShrOp>(op))
    return of(0).ashr(of(1));
  if (isa<LLVM::SMaxOp>(op))
    return of(0).smax(of(1));
  if (isa<LLVM::SMinOp>(op))
    return of(0).smin(of(1));
  if (isa<LLVM::UMaxOp>(op))
    return of(0).umax(of(1));
  if (isa<LLVM::UMinOp>(op))
    return of(0).umin(of(1));
  return full;
}

static bool fits(const ConstantRange &range, Width width) {
  return width.isSigned ? range.getMinSignedBits() <= width.bits
                        : range.getActiveBits() <= width.bits;
}

bool Narrowing::fits(Value value, Width width) {
  return ::fits(rangeOf(value), width);
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
  if (bitsOf(value) <= bits || shapes.isUniform(value))
    return bitsOf(value) != 0;
  Operation *op = value.getDefiningOp();
  if (!op || depth == mostDepth)
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
  unsigned present = bitsOf(value);
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
  if (shapes.isUniform(value) || !op)
    return LLVM::TruncOp::create(builder, loc, type, value);
  if (isConversion(op)) {
    Value from = op->getOperand(0);
    return bitsOf(from) < bits ? extend(from, type, isa<LLVM::SExtOp>(op))
                               : lowBits(from, bits);
  }
  auto low = [&](unsigned operand) {
    return lowBits(op->getOperand(operand), bits);
  };
  if (isa<LLVM::SelectOp>(op))
    return LLVM::SelectOp::create(builder, loc, op->getOperand(0), low(1),
                                  low(2));
  // Of what is known of overflow nothing holds.
  OperationState state(loc, op->getName(), {low(0), low(1)}, {type});
  return builder.create(state)->getResult(0);
}

//===----------------------------------------------------------------------===//
// What choices and loops yield
//===----------------------------------------------------------------------===//

void Narrowing::findWebs() {
  auto add = [&](Value member, OpOperand &source) {
    if (bitsOf(member) <= 8)
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
        if (bitsOf(carried) <= 8)
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
  if (llvm::all_of(members,
                   [&](Value member) { return shapes.isUniform(member); }))
    return false;
  SmallVector<OpOperand *> leaves;
  unsigned bits = bitsOf(members.front());
  ConstantRange range = ConstantRange::getEmpty(bits);
  for (Value member : members)
    for (OpOperand *source : sources.lookup(member)) {
      if (webs.contains(source->get()))
        continue;
      leaves.push_back(source);
      if (!isPoison(source->get()))
        range = range.unionWith(rangeOf(source->get()));
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
bool Narrowing::narrow(LLVM::ICmpOp op, Width width) {
  for (Value side : op->getOperands())
    if (!fits(side, width) || !isCheap(side, width.bits))
      return false;
  LLVM::ICmpPredicate predicate =
      width.isSigned ? op.getPredicate() : withoutSign(op.getPredicate());
  Value left = lowBits(op.getLhs(), width.bits);
  Value right = lowBits(op.getRhs(), width.bits);
  op.replaceAllUsesWith(
      LLVM::ICmpOp::create(builder, loc, predicate, left, right).getResult());
  return true;
}

/// One side is narrow, the other what all lanes have the same of: that it is
/// narrow as well is found out once for all.
bool Narrowing::narrowBeside(LLVM::ICmpOp op, Width width) {
  LLVM::ICmpPredicate predicate = op.getPredicate();
  bool isEqual = predicate == LLVM::ICmpPredicate::eq;
  if (!isEqual && predicate != LLVM::ICmpPredicate::ne)
    return false;
  unsigned one = shapes.isUniform(op.getLhs()) ? 0 : 1;
  Value common = op->getOperand(one), other = op->getOperand(1 - one);
  if (!shapes.isUniform(common) || !fits(other, width) ||
      !isCheap(other, width.bits))
    return false;
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
  op.replaceAllUsesWith(result);
  return true;
}

bool Narrowing::narrow(LLVM::ICmpOp op) {
  unsigned bits = bitsOf(op.getLhs());
  if (bits <= 8 || shapes.isUniform(op))
    return false;
  builder.setInsertionPoint(op);
  loc = op.getLoc();
  for (unsigned few : {8u, 16u, 32u})
    for (bool isSigned : {true, false})
      if (few < bits &&
          (narrow(op, {few, isSigned}) || narrowBeside(op, {few, isSigned}))) {
        op.erase();
        return true;
      }
  return false;
}

/// What has been extended for a user that wants fewer bits, is not.
void Narrowing::removeExtensions() {
  SmallVector<LLVM::TruncOp> truncations;
  lifted.getBody().walk([&](LLVM::TruncOp op) { truncations.push_back(op); });
  for (LLVM::TruncOp op : truncations) {
    Operation *from = op.getArg().getDefiningOp();
    if (!isa_and_nonnull<LLVM::SExtOp, LLVM::ZExtOp>(from) ||
        bitsOf(from->getOperand(0)) < bitsOf(op))
      continue;
    Value few = from->getOperand(0);
    if (bitsOf(few) == bitsOf(op))
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
  ranges.clear();
  SmallVector<LLVM::ICmpOp> comparisons;
  lifted.getBody().walk([&](LLVM::ICmpOp op) { comparisons.push_back(op); });
  for (LLVM::ICmpOp op : comparisons)
    count += narrow(op);
  if (count)
    removeExtensions();
  return count;
}

unsigned cilk2chan::narrowLanes(chan::KernelOp lifted,
                                const LaneShapes &shapes) {
  return Narrowing(lifted, shapes).run();
}
