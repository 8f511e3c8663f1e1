//===- LaneControl.cpp - Control flow of lanes ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Emit/LaneEmitter.h"
#include "cilk2chan/Dialect/Chan/Transforms/Tuning.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace cilk2chan;

Block *LaneEmitter::newBlock(TypeRange arguments) {
  Region &body = kernel.getBody();
  auto *block = new Block;
  body.push_back(block);
  block->addArguments(arguments, SmallVector<Location>(arguments.size(), loc));
  return block;
}

void LaneEmitter::branch(Block *to, ValueRange arguments) {
  LLVM::BrOp::create(builder, loc, arguments, to);
}

/// Emits all but what ends the block, unless that ends the kernel.
void LaneEmitter::emitBlock(Block &block) {
  for (Operation &op : block)
    if (!isa<scf::YieldOp, scf::ConditionOp>(op))
      emit(op);
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// What lanes have if they have the one or the other, if `condition` is that.
static std::pair<Value, Value> eitherOf(Value condition) {
  if (auto either = condition.getDefiningOp<LLVM::OrOp>())
    return {either.getLhs(), either.getRhs()};
  auto select = condition.getDefiningOp<LLVM::SelectOp>();
  if (select && matchPattern(select.getTrueValue(), m_One()))
    return {select.getCondition(), select.getFalseValue()};
  return {};
}

/// Whether a condition is a comparison, or one of several.
static bool isOfComparisons(Value condition) {
  auto [one, other] = eitherOf(condition);
  return one ? isOfComparisons(one) && isOfComparisons(other)
             : condition.getDefiningOp<LLVM::ICmpOp>() != nullptr;
}

/// The lanes of `among` that have not `condition`. A lane that has not "one or
/// the other" has neither: so each comparison is under the mask of the one
/// before it.
Value LaneEmitter::lacking(Value among, Value condition) {
  auto [one, other] = eitherOf(condition);
  return one ? lacking(lacking(among, one), other)
             : blend(among, opposite(condition), none());
}

/// Divides lanes by a condition: those with it, and those without.
/// By `select`, not by `and`: a lane that is not here may have come to poison.
std::pair<Value, Value> LaneEmitter::divide(Value among, Value condition) {
  if (eitherOf(condition).first && isOfComparisons(condition)) {
    Value no = lacking(among, condition);
    return {without(among, no), no};
  }
  Value yes = blend(among, condition, none());
  return {yes, without(among, yes)};
}

/// Whether an op without a lane to do it for does nothing.
bool LaneEmitter::isOfNoLanes(Operation &op) const {
  // An index that lanes have in common may be none if there is no lane.
  auto isOwn = [&](Value address, Type type) {
    return isa_and_nonnull<LLVM::AllocaOp, chan::LocalOp>(
               address.getDefiningOp()) &&
           shapes.isContiguous(address, type);
  };
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return isOwn(store.getAddr(), store.getValue().getType());
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return isOwn(load.getAddr(), load.getType());
  if (auto update = chan::reductionOf(&op))
    return isOfBatch(update);
  return isa<chan::ResultOp, chan::ReduceResultOp, chan::PendOp, chan::LocalOp,
             chan::ChildOp, chan::TallocOp, chan::SetOp, chan::EnqOp,
             chan::IterationEnqOp, chan::IterationOp>(op);
}

bool LaneEmitter::isSpeculatable(Region &region) const {
  unsigned count = 0;
  for (Operation &op : region.front().without_terminator()) {
    bool harmless = (isElementwise(&op) && !isDivision(&op)) ||
                    isMadeOfNothing(&op) || isa<LLVM::GEPOp>(op) ||
                    isOfNoLanes(op);
    count += !isMadeOfNothing(&op) && !isa<chan::TallocOp, chan::LocalOp>(op);
    if (!harmless || count > tuning::mostSpeculated)
      return false;
  }
  return true;
}

LaneEmitter::Results LaneEmitter::yielded(Region &region, Operation &choice) {
  Results results;
  for (auto [result, value] : llvm::zip(
           choice.getResults(), region.front().getTerminator()->getOperands()))
    results.push_back(inShapeOf(result, value));
  return results;
}

SmallVector<Type> LaneEmitter::resultTypes(Operation &choice) const {
  SmallVector<Type> types;
  for (Value result : choice.getResults())
    types.push_back(typeInShapeOf(result));
  return types;
}

void LaneEmitter::emitArm(Region &region, Operation &choice, Block *after) {
  emitBlock(region.front());
  branch(after, yielded(region, choice));
}

LaneEmitter::Results
LaneEmitter::emitMaskedArm(Region &region, Operation &choice, Value armMask) {
  llvm::SaveAndRestore restore(mask, armMask);
  if (isSpeculatable(region)) {
    emitBlock(region.front());
    return yielded(region, choice);
  }
  SmallVector<Type> types = resultTypes(choice);
  Block *arm = newBlock(), *after = newBlock(types);
  Results nothing;
  for (Type type : types)
    nothing.push_back(poison(type));
  LLVM::CondBrOp::create(builder, loc, isAny(armMask), arm, ValueRange(), after,
                         nothing);
  builder.setInsertionPointToEnd(arm);
  emitArm(region, choice, after);
  builder.setInsertionPointToEnd(after);
  after->moveBefore(&kernel.getBody(), kernel.getBody().end());
  return Results(after->getArguments());
}

void LaneEmitter::merge(Operation &choice, Region &region, Value armMask,
                        Results arm, Results &results) {
  if (results.empty()) {
    results = std::move(arm);
    return;
  }
  for (auto [original, value, so, result] :
       llvm::zip(choice.getResults(), arm,
                 region.front().getTerminator()->getOperands(), results))
    if (!isUniform(original))
      result = blend(armMask, value, result);
    else if (!isPoison(so))
      // The arm's may be poison where no lane has taken it. If several arms
      // yield a value, it is the same, of before the choice.
      result = choice.isAncestor(so.getParentBlock()->getParentOp())
                   ? value
                   : inShapeOf(original, so);
}

/// What the batch knows of all its elements.
Value LaneEmitter::tested() {
  if (!isTested) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(deq);
    isTested =
        chan::BaseCasesHoistedOp::create(builder, loc, builder.getI1Type());
  }
  return isTested;
}

/// A choice one arm of which is for elements that end before they spawn. Where
/// parents have found out that there are none of these, all lanes go on:
///
///   tested ? go(mask) : test
///   test:       ending arm; any others ? go(others) : after
///   go(others): other arm; after
void LaneEmitter::emitTest(scf::IfOp op, Region &ending) {
  Location place = loc;
  bool endsThen = &ending == &op.getThenRegion();
  Region &other = endsThen ? op.getElseRegion() : op.getThenRegion();
  SmallVector<Type> types = resultTypes(*op);
  SmallVector<Type> passed{mask.getType()};
  llvm::append_range(passed, types);
  Block *test = newBlock(), *go = newBlock(passed), *after = newBlock(types);
  Results all{mask};
  for (Type type : types)
    all.push_back(poison(type));
  LLVM::CondBrOp::create(builder, loc, tested(), go, all, test, ValueRange(),
                         std::pair<int32_t, int32_t>(2000, 1));
  builder.setInsertionPointToEnd(test);
  auto [yes, no] = divide(mask, vector(op.getCondition()));
  if (!endsThen)
    std::swap(yes, no);
  Results ended = emitMaskedArm(ending, *op, yes);
  loc = place;
  Results some{no};
  llvm::append_range(some, ended);
  LLVM::CondBrOp::create(builder, loc, isAny(no), go, some, after, ended);

  builder.setInsertionPointToEnd(go);
  llvm::SaveAndRestore restore(mask, Value(go->getArgument(0)));
  emitBlock(other.front());
  loc = place;
  Results results(go->getArguments().drop_front());
  merge(*op, other, mask, yielded(other, *op), results);
  branch(after, results);
  builder.setInsertionPointToEnd(after);
  after->moveBefore(&kernel.getBody(), kernel.getBody().end());
  values.map(op.getResults(), after->getArguments());
}

void LaneEmitter::emitIf(scf::IfOp op) {
  Location place = loc;
  if (isUniform(op.getCondition())) {
    Block *yes = newBlock(), *no = newBlock();
    Block *after = newBlock(resultTypes(*op));
    LLVM::CondBrOp::create(builder, loc, scalar(op.getCondition()), yes, no);
    builder.setInsertionPointToEnd(yes);
    emitArm(op.getThenRegion(), *op, after);
    builder.setInsertionPointToEnd(no);
    emitArm(op.getElseRegion(), *op, after);
    builder.setInsertionPointToEnd(after);
    values.map(op.getResults(), after->getArguments());
    return;
  }
  if (Region *ending = endingArm(op))
    return emitTest(op, *ending);
  auto [yes, no] = divide(mask, vector(op.getCondition()));
  Results fromYes = emitMaskedArm(op.getThenRegion(), *op, yes);
  Results results = emitMaskedArm(op.getElseRegion(), *op, no);
  loc = place;
  merge(*op, op.getThenRegion(), yes, fromYes, results);
  values.map(op.getResults(), results);
}

void LaneEmitter::emitSwitch(scf::IndexSwitchOp op) {
  Location place = loc;
  // Of an integer's type: the cast's operand.
  Value selector = op.getArg().getDefiningOp()->getOperand(0);
  if (isUniform(selector)) {
    SmallVector<Block *> arms;
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      arms.push_back(newBlock());
    Block *after = newBlock(resultTypes(*op));
    unsigned bits = selector.getType().getIntOrFloatBitWidth();
    SmallVector<APInt> cases;
    for (int64_t value : op.getCases())
      cases.emplace_back(bits, value, /*isSigned=*/true,
                         /*implicitTrunc=*/true);
    LLVM::SwitchOp::create(builder, loc, scalar(selector), arms.front(),
                           ValueRange(), cases,
                           ArrayRef<Block *>(arms).drop_front(),
                           SmallVector<ValueRange>(cases.size()));
    for (auto [region, arm] : llvm::zip(op->getRegions(), arms)) {
      builder.setInsertionPointToEnd(arm);
      emitArm(region, *op, after);
    }
    builder.setInsertionPointToEnd(after);
    values.map(op.getResults(), after->getArguments());
    return;
  }
  Value left = mask;
  Results results;
  auto emitCase = [&](Region &region, Value armMask) {
    Results arm = emitMaskedArm(region, *op, armMask);
    loc = place;
    merge(*op, region, armMask, arm, results);
  };
  for (auto [value, region] : llvm::zip(op.getCases(), op.getCaseRegions())) {
    Value isCase = LLVM::ICmpOp::create(
        builder, loc, LLVM::ICmpPredicate::eq, vector(selector),
        splatConstant(selector.getType(),
                      builder.getIntegerAttr(selector.getType(), value)));
    Value armMask = blend(mask, isCase, none());
    left = without(left, armMask);
    emitCase(region, armMask);
  }
  emitCase(op.getDefaultRegion(), left);
  values.map(op.getResults(), results);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A loop that lanes leave at different times runs while any is in it, under a
/// mask that it carries. A lane that has left keeps its values. Of a value that
/// is uniform in the loop, a vector with what each lane had last is carried as
/// well.
void LaneEmitter::emitLoop(scf::WhileOp op) {
  Location place = loc;
  scf::ConditionOp end = op.getConditionOp();
  bool together = isUniform(end.getCondition());
  Results inits;
  SmallVector<Type> types;
  for (auto [carried, init] :
       llvm::zip(op.getBeforeArguments(), op.getInits())) {
    inits.push_back(inShapeOf(carried, init));
    types.push_back(typeInShapeOf(carried));
  }
  if (!together) {
    inits.push_back(mask);
    types.push_back(mask.getType());
    for (Value carried : op.getBeforeArguments())
      if (isUniform(carried)) {
        types.push_back(lanesOf(carried.getType()));
        inits.push_back(poison(types.back()));
      }
  }
  Block *header = newBlock(types);
  branch(header, inits);
  builder.setInsertionPointToEnd(header);
  auto arguments = header->getArguments();
  size_t count = op.getInits().size();
  values.map(op.getBeforeArguments(), arguments.take_front(count));

  llvm::SaveAndRestore restore(mask);
  if (!together)
    mask = arguments[count];
  emitBlock(op.getBefore().front());
  loc = place;
  Results next;
  for (auto [carried, value] :
       llvm::zip(op.getBeforeArguments(), end.getArgs()))
    next.push_back(inShapeOf(carried, value));
  Block *after = newBlock();
  Results results;
  if (together) {
    for (auto [result, value] : llvm::zip(op.getResults(), end.getArgs()))
      results.push_back(inShapeOf(result, value));
    LLVM::CondBrOp::create(builder, loc, scalar(end.getCondition()), header,
                           next, after, ValueRange());
    builder.setInsertionPointToEnd(after);
    values.map(op.getResults(), results);
    return;
  }

  for (auto [carried, value] : llvm::zip(op.getBeforeArguments(), next))
    if (!isUniform(carried))
      value = blend(mask, value, values.lookup(carried));
  Value more = blend(mask, vector(end.getCondition()), none());
  next.push_back(more);
  unsigned last = count + 1;
  for (unsigned i = 0; i < count; ++i) {
    if (isUniform(op.getBeforeArguments()[i])) {
      next.push_back(blend(mask, splat(next[i]), arguments[last++]));
      results.push_back(next.back());
    } else {
      results.push_back(next[i]);
    }
  }
  LLVM::CondBrOp::create(builder, loc, isAny(more), header, next, after,
                         ValueRange());
  builder.setInsertionPointToEnd(after);
  values.map(op.getResults(), results);
}

//===----------------------------------------------------------------------===//
// Lane by lane
//===----------------------------------------------------------------------===//

/// In memory a truth value is a byte.
static Type inMemory(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer
             ? IntegerType::get(type.getContext(),
                                std::max<unsigned>(
                                    8, llvm::PowerOf2Ceil(integer.getWidth())))
             : type;
}

/// for (bits = mask; bits; bits &= bits - 1) op of lane cttz(bits)
void LaneEmitter::emitByLane(Operation &op) {
  Type i64 = builder.getI64Type();
  // Operands that vary, by way of arrays in memory.
  llvm::MapVector<Value, Value> inputs;
  llvm::DenseMap<Type, unsigned> used;
  auto place = [&](Type type) {
    Type stored = inMemory(type);
    return array(stored, used[stored]++);
  };
  for (Value operand : op.getOperands()) {
    if (isUniform(operand) || inputs.contains(operand))
      continue;
    Value all = vector(operand);
    Type stored = inMemory(operand.getType());
    if (stored != operand.getType())
      all = LLVM::ZExtOp::create(builder, loc, lanesOf(stored), all);
    Value memory = place(operand.getType());
    LLVM::StoreOp::create(builder, loc, all, memory);
    inputs[operand] = memory;
  }
  Value output;
  Type type = op.getNumResults() ? op.getResult(0).getType() : Type();
  if (type)
    output = place(type);

  Block *header = newBlock({i64}), *after = newBlock();
  Value set = bitsOf(mask);
  if (lanes < 64)
    set = LLVM::ZExtOp::create(builder, loc, i64, set);
  branch(header, set);
  builder.setInsertionPointToEnd(header);
  Value bits = header->getArgument(0);
  Value lane = LLVM::CountTrailingZerosOp::create(builder, loc, i64, bits,
                                                  /*is_zero_poison=*/true);
  auto inArray = [&](Value memory, Type stored) {
    return LLVM::GEPOp::create(builder, loc, memory.getType(), stored, memory,
                               ArrayRef<LLVM::GEPArg>{lane});
  };
  IRMapping operands;
  for (Value operand : op.getOperands()) {
    if (isUniform(operand)) {
      operands.map(operand, scalar(operand));
      continue;
    }
    Type stored = inMemory(operand.getType());
    Value one = LLVM::LoadOp::create(builder, loc, stored,
                                     inArray(inputs[operand], stored));
    if (stored != operand.getType())
      one = LLVM::TruncOp::create(builder, loc, operand.getType(), one);
    operands.map(operand, one);
  }
  Operation *copy = builder.clone(op, operands);
  if (type) {
    Value result = copy->getResult(0);
    Type stored = inMemory(type);
    if (stored != type)
      result = LLVM::ZExtOp::create(builder, loc, stored, result);
    LLVM::StoreOp::create(builder, loc, result, inArray(output, stored));
  }
  Value rest = LLVM::AndOp::create(
      builder, loc, bits,
      LLVM::SubOp::create(builder, loc, bits, integer(i64, 1)));
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, rest,
                                    integer(i64, 0));
  LLVM::CondBrOp::create(builder, loc, more, header, ValueRange(rest), after,
                         ValueRange());
  builder.setInsertionPointToEnd(after);
  if (!type)
    return;
  Type stored = inMemory(type);
  Value all = LLVM::LoadOp::create(builder, loc, lanesOf(stored), output);
  if (stored != type)
    all = LLVM::TruncOp::create(builder, loc, lanesOf(type), all);
  values.map(op.getResult(0), all);
}
