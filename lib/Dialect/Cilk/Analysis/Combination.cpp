//===- Combination.cpp - What results are combined by ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Analysis/Combination.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cilk2chan;

bool cilk2chan::isExtremum(chan::Combination combination) {
  switch (combination) {
  case chan::Combination::SignedMaximum:
  case chan::Combination::SignedMinimum:
  case chan::Combination::UnsignedMaximum:
  case chan::Combination::UnsignedMinimum:
    return true;
  case chan::Combination::Sum:
  case chan::Combination::Product:
  case chan::Combination::And:
  case chan::Combination::Or:
  case chan::Combination::ExclusiveOr:
    return false;
  }
  llvm_unreachable("unknown combination");
}

/// The combination that selects the first operand of a comparison where this is
/// true, and the second where it is not.
static std::optional<chan::Combination> selectedBy(LLVM::ICmpPredicate less) {
  switch (less) {
  case LLVM::ICmpPredicate::sgt:
  case LLVM::ICmpPredicate::sge:
    return chan::Combination::SignedMaximum;
  case LLVM::ICmpPredicate::slt:
  case LLVM::ICmpPredicate::sle:
    return chan::Combination::SignedMinimum;
  case LLVM::ICmpPredicate::ugt:
  case LLVM::ICmpPredicate::uge:
    return chan::Combination::UnsignedMaximum;
  case LLVM::ICmpPredicate::ult:
  case LLVM::ICmpPredicate::ule:
    return chan::Combination::UnsignedMinimum;
  case LLVM::ICmpPredicate::eq:
  case LLVM::ICmpPredicate::ne:
    return {};
  }
  llvm_unreachable("unknown predicate");
}

static chan::Combination opposite(chan::Combination extremum) {
  switch (extremum) {
  case chan::Combination::SignedMaximum:
    return chan::Combination::SignedMinimum;
  case chan::Combination::SignedMinimum:
    return chan::Combination::SignedMaximum;
  case chan::Combination::UnsignedMaximum:
    return chan::Combination::UnsignedMinimum;
  case chan::Combination::UnsignedMinimum:
    return chan::Combination::UnsignedMaximum;
  default:
    llvm_unreachable("not an extremum");
  }
}

static std::optional<Combined> extremumOf(LLVM::SelectOp op) {
  auto compare = op.getCondition().getDefiningOp<LLVM::ICmpOp>();
  auto by = compare ? selectedBy(compare.getPredicate()) : std::nullopt;
  if (!by || !isa<IntegerType>(op.getType()))
    return {};
  Value whenTrue = op.getTrueValue(), whenFalse = op.getFalseValue();
  if (compare.getLhs() == whenTrue && compare.getRhs() == whenFalse)
    return Combined{*by, whenTrue, whenFalse};
  if (compare.getLhs() == whenFalse && compare.getRhs() == whenTrue)
    return Combined{opposite(*by), whenTrue, whenFalse};
  return {};
}

std::optional<Combined> cilk2chan::combinedBy(Operation *op) {
  using chan::Combination;
  if (auto select = dyn_cast<LLVM::SelectOp>(op))
    return extremumOf(select);
  auto by =
      llvm::TypeSwitch<Operation *, std::optional<Combination>>(op)
          .Case<LLVM::AddOp, LLVM::SubOp>([](auto) { return Combination::Sum; })
          .Case<LLVM::MulOp>([](auto) { return Combination::Product; })
          .Case<LLVM::AndOp>([](auto) { return Combination::And; })
          .Case<LLVM::OrOp>([](auto) { return Combination::Or; })
          .Case<LLVM::XOrOp>([](auto) { return Combination::ExclusiveOr; })
          .Case<LLVM::SMaxOp>([](auto) { return Combination::SignedMaximum; })
          .Case<LLVM::SMinOp>([](auto) { return Combination::SignedMinimum; })
          .Case<LLVM::UMaxOp>([](auto) { return Combination::UnsignedMaximum; })
          .Case<LLVM::UMinOp>([](auto) { return Combination::UnsignedMinimum; })
          .Default(std::nullopt);
  if (!by)
    return {};
  return Combined{*by, op->getOperand(0), op->getOperand(1)};
}

bool cilk2chan::isOnlyCombined(LLVM::ICmpOp op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    auto select = dyn_cast<LLVM::SelectOp>(user);
    return select && extremumOf(select);
  });
}

std::optional<Assignment> cilk2chan::assignmentOf(LLVM::LLVMFuncOp apply) {
  BlockArgument place = apply.getArgument(0);
  LLVM::LoadOp load;
  LLVM::StoreOp store;
  for (Operation *user : place.getUsers()) {
    if (auto found = dyn_cast<LLVM::LoadOp>(user); found && !load)
      load = found;
    else if (auto found = dyn_cast<LLVM::StoreOp>(user);
             found && !store && found.getAddr() == place)
      store = found;
    else
      return {};
  }
  if (!load || !store || load.getVolatile_() || store.getVolatile_() ||
      !load->hasOneUse() || !isa<IntegerType>(load.getType()) ||
      load.getType() != store.getValue().getType())
    return {};
  // From the new value back to the old one: one operation, and it may have been
  // done in a wider type: extended before, truncated after.
  Operation *op = store.getValue().getDefiningOp();
  while (isa_and_nonnull<LLVM::TruncOp>(op))
    op = op->getOperand(0).getDefiningOp();
  auto combined = op ? combinedBy(op) : std::nullopt;
  // A maximum in another type may be another one.
  if (!combined ||
      (isExtremum(combined->by) && (op->getResult(0) != store.getValue() ||
                                    (combined->first != load.getResult() &&
                                     combined->second != load.getResult()))))
    return {};
  auto isOld = [&](Value operand) {
    while (isa_and_nonnull<LLVM::SExtOp, LLVM::ZExtOp>(operand.getDefiningOp()))
      operand = operand.getDefiningOp()->getOperand(0);
    return operand == load.getResult();
  };
  auto [by, first, second] = *combined;
  // What is combined with the old value must not be the old value.
  if (isOld(first) == isOld(second))
    return {};
  if (isOld(first))
    return Assignment{by, op, second};
  if (isa<LLVM::SubOp>(op))
    return {};
  return Assignment{by, op, first};
}

void cilk2chan::forgetOrder(Operation *op) {
  if (auto overflow = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op))
    overflow.setOverflowFlags(LLVM::IntegerOverflowFlags::none);
  if (auto sign = dyn_cast<LLVM::NonNegFlagInterface>(op))
    sign.setNonNeg(false);
  if (auto parts = dyn_cast<LLVM::DisjointFlagInterface>(op))
    parts.setIsDisjoint(false);
}

LLVM::LLVMFuncOp cilk2chan::createApplyFunction(LLVM::LLVMFuncOp parent,
                                                StringRef suffix, Location loc,
                                                SymbolTable &symbols,
                                                OpBuilder &builder) {
  MLIRContext *context = parent.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  builder.setInsertionPoint(parent);
  auto apply = LLVM::LLVMFuncOp::create(
      builder, loc, (parent.getName() + suffix).str(),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                  {pointer, pointer}),
      LLVM::Linkage::Internal);
  apply.setDsoLocal(true);
  apply.setTargetCpuAttr(parent.getTargetCpuAttr());
  apply.setTargetFeaturesAttr(parent.getTargetFeaturesAttr());
  symbols.insert(apply, parent->getIterator());
  builder.setInsertionPointToStart(apply.addEntryBlock(builder));
  return apply;
}

Value cilk2chan::createCombined(OpBuilder &builder, Location loc,
                                chan::Combination by, Value one, Value other) {
  switch (by) {
  case chan::Combination::Sum:
    return LLVM::AddOp::create(builder, loc, one, other);
  case chan::Combination::Product:
    return LLVM::MulOp::create(builder, loc, one, other);
  case chan::Combination::And:
    return LLVM::AndOp::create(builder, loc, one, other);
  case chan::Combination::Or:
    return LLVM::OrOp::create(builder, loc, one, other);
  case chan::Combination::ExclusiveOr:
    return LLVM::XOrOp::create(builder, loc, one, other);
  case chan::Combination::SignedMaximum:
    return LLVM::SMaxOp::create(builder, loc, one, other);
  case chan::Combination::SignedMinimum:
    return LLVM::SMinOp::create(builder, loc, one, other);
  case chan::Combination::UnsignedMaximum:
    return LLVM::UMaxOp::create(builder, loc, one, other);
  case chan::Combination::UnsignedMinimum:
    return LLVM::UMinOp::create(builder, loc, one, other);
  }
  llvm_unreachable("unknown combination");
}
