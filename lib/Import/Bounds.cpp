//===- Bounds.cpp - What each iteration knows of its number ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The condition of a loop says in each iteration how large its control variable
// is.  A body on its own computes the variable from a number that may be
// anything, and counts to another:
//
//   for (int i = 0; i < n; i++)     body(begin, end, n, ...):
//     ...                             i = (int)begin;
//                                     for (k = begin; k != end; ++k, ++i)
//                                       { assume(0 <= i); assume(i < n); ... }
//
// The comparison is in 64 bits, as the marker has first value and limit.  At
// first both are captured.  When it is known what the body captures anyway,
// they are computed from that.  Others stay captured until it is known which
// parameters of the functions around them are constants.  A bound that is none
// is not worth a capture.
//
//===----------------------------------------------------------------------===//

#include "Bounds.h"
#include "Captures.h"
#include "LoopBodies.h"
#include "Markers.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace cilk2chan;

/// On the assumptions.
static constexpr llvm::StringLiteral metadataName = "cilk.bound";

/// On parameters that are nothing but bounds and cannot be computed yet.
static constexpr llvm::StringLiteral openBound = "cilk.bound";

/// So many operations are between what is captured and a bound.
static constexpr unsigned mostOperations = 4;

bool cilk2chan::isBound(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::AssumeInst>(instruction) &&
         instruction.hasMetadata(metadataName);
}

/// Whether only the region's loads and stores have to do with `control`
/// there, and these are all of its own type.
static bool isPlain(const llvm::AllocaInst &control, unsigned width) {
  if (!control.getAllocatedType()->isIntegerTy(width))
    return false;
  return llvm::all_of(control.users(), [&](const llvm::User *user) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user))
      return load->isSimple() && load->getType() == control.getAllocatedType();
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->isSimple() && store->getPointerOperand() == &control;
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    return call && call->getCalledFunction() &&
           call->getCalledFunction()->getName().starts_with(ForPrefix);
  });
}

/// Whether `first`, which `control` begins with, is known to be no less than 0.
static bool isNaturalNumber(llvm::Value &first,
                            const llvm::AllocaInst &control) {
  llvm::Value *value = &first;
  if (auto *cast = llvm::dyn_cast<llvm::SExtInst>(value))
    value = cast->getOperand(0);
  // CodeGen has just stored it.
  auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
  if (load && load->getPointerOperand() == &control)
    for (llvm::Instruction *before = load->getPrevNode(); before;
         before = before->getPrevNode())
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(before);
          store && store->getPointerOperand() == &control) {
        value = store->getValueOperand();
        break;
      }
  auto *known = llvm::dyn_cast<llvm::ConstantInt>(value);
  return known && !known->isNegative();
}

/// Says where a constant is added to `variable` in `region` that the sum does
/// not wrap around, if the next iteration has it.  The sum of the last
/// iteration is not used.
static void tellSums(const Region &region, llvm::AllocaInst &variable,
                     bool asUnsigned, bool asSigned) {
  for (llvm::User *user : variable.users()) {
    auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (!store || !region.blocks.contains(store->getParent()))
      continue;
    auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(store->getValueOperand());
    auto *before =
        sum ? llvm::dyn_cast<llvm::LoadInst>(sum->getOperand(0)) : nullptr;
    if (!before || before->getPointerOperand() != &variable ||
        sum->getOpcode() != llvm::Instruction::Add)
      continue;
    auto *stride = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
    if (stride && !stride->isNegative()) {
      sum->setHasNoUnsignedWrap(sum->hasNoUnsignedWrap() || asUnsigned);
      sum->setHasNoSignedWrap(sum->hasNoSignedWrap() || asSigned);
    }
  }
}

llvm::SmallVector<llvm::ICmpInst *, 3>
cilk2chan::compareWithBounds(const Region &region, llvm::BasicBlock &iteration,
                             llvm::AllocaInst &number,
                             llvm::AllocaInst &control, llvm::Value &first,
                             llvm::Value &limit, const LoopForm &form) {
  if (form.extension == LoopForm::unknown ||
      form.relation == LoopForm::notEqual || !isPlain(control, form.width))
    return {};
  llvm::IRBuilder<> builder(&iteration, iteration.getFirstInsertionPt());
  builder.SetCurrentDebugLocation(iteration.getTerminator()->getDebugLoc());
  llvm::Value *value = builder.CreateLoad(control.getAllocatedType(), &control);
  value = form.extension == LoopForm::sign
              ? builder.CreateSExt(value, builder.getInt64Ty())
              : builder.CreateZExt(value, builder.getInt64Ty());
  auto compare = [&](llvm::CmpInst::Predicate predicate, llvm::Value &bound) {
    if (form.signedComparison)
      predicate = llvm::ICmpInst::getSignedPredicate(predicate);
    auto *comparison = new llvm::ICmpInst(predicate, value, &bound);
    return builder.Insert(comparison);
  };
  bool ascending =
      form.relation == LoopForm::less || form.relation == LoopForm::lessEqual;
  bool strict =
      form.relation == LoopForm::less || form.relation == LoopForm::greater;
  bool isSigned = form.extension == LoopForm::sign;
  bool isNatural = !isSigned || isNaturalNumber(first, control);
  if (ascending)
    tellSums(region, control, /*asUnsigned=*/isNatural, /*asSigned=*/isSigned);
  // The number is less than the count, and that fits 64 bits.
  bool isShort = form.width < 64 || (ascending && isSigned && isNatural);
  tellSums(region, number, /*asUnsigned=*/true, /*asSigned=*/isShort);
  auto orEqual = ascending ? llvm::CmpInst::ICMP_ULE : llvm::CmpInst::ICMP_UGE;
  auto relation = strict ? llvm::CmpInst::getStrictPredicate(orEqual) : orEqual;
  llvm::SmallVector<llvm::ICmpInst *, 3> bounds = {
      compare(llvm::CmpInst::getSwappedPredicate(orEqual), first),
      compare(relation, limit)};
  if (form.width < 64) {
    // It is no larger than the difference of the first and the last value.
    bool isPositive = ascending && isSigned && isNatural;
    llvm::Value *current = builder.CreateLoad(builder.getInt64Ty(), &number);
    bounds.push_back(builder.Insert(new llvm::ICmpInst(
        llvm::CmpInst::ICMP_ULT, current,
        builder.getInt64(uint64_t(1) << (form.width - isPositive)))));
  }
  return bounds;
}

void cilk2chan::assumeBound(llvm::ICmpInst &comparison) {
  llvm::IRBuilder<> builder(comparison.getParent(),
                            std::next(comparison.getIterator()));
  builder.SetCurrentDebugLocation(comparison.getDebugLoc());
  builder.CreateAssumption(&comparison)
      ->setMetadata(metadataName, llvm::MDNode::get(builder.getContext(), {}));
}

/// Removes an assumption and what only this assumption needs.
static void drop(llvm::Instruction &assumption) {
  llvm::Value *condition =
      llvm::cast<llvm::AssumeInst>(assumption).getArgOperand(0);
  assumption.eraseFromParent();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(condition);
}

void cilk2chan::dropBounds(llvm::Function &function) {
  llvm::SmallVector<llvm::Instruction *> bounds;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (isBound(instruction))
      bounds.push_back(&instruction);
  for (llvm::Instruction *bound : bounds)
    drop(*bound);
}

namespace {

/// A body that captures bounds, and its marker.
class Settling {
public:
  Settling(llvm::Function &body, llvm::CallInst &marker)
      : body(body), marker(marker) {}

  /// The body in its place if it captures something less; else null.  Where
  /// nothing `mayTell`, bounds are forgotten.  Others that cannot be computed
  /// stay captured or are forgotten, too.
  llvm::Function *run(bool mayTell, bool staysCaptured);

private:
  llvm::Value *compute(llvm::Value *value, llvm::IRBuilderBase &builder,
                       unsigned operations);

  llvm::Function &body;
  llvm::CallInst &marker;
  /// The parameters that are nothing but bounds.
  llvm::SmallVector<unsigned> bounds;
};

} // namespace

/// The assumptions that `parameter` is compared for; none if it is used for
/// more.
static llvm::SmallVector<llvm::Instruction *>
assumptionsOf(llvm::Argument &parameter) {
  llvm::SmallVector<llvm::Instruction *> assumptions;
  for (llvm::User *user : parameter.users()) {
    if (!llvm::isa<llvm::ICmpInst>(user))
      return {};
    for (llvm::User *assumption : user->users()) {
      if (!isBound(*llvm::cast<llvm::Instruction>(assumption)))
        return {};
      assumptions.push_back(llvm::cast<llvm::Instruction>(assumption));
    }
  }
  return assumptions;
}

/// What `value`, which the marker passes, is in the body; null if that takes
/// more than what it captures, or more operations.
llvm::Value *Settling::compute(llvm::Value *value, llvm::IRBuilderBase &builder,
                               unsigned operations) {
  if (llvm::isa<llvm::ConstantInt>(value))
    return value;
  for (const llvm::Argument &parameter :
       llvm::drop_begin(body.args(), FirstCapture)) {
    unsigned number = parameter.getArgNo();
    if (marker.getArgOperand(operandOf(number)) == value &&
        !llvm::is_contained(bounds, number))
      return body.getArg(number);
  }
  bool isArithmetic =
      llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(value);
  if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(value))
    isArithmetic =
        llvm::is_contained({llvm::Instruction::Add, llvm::Instruction::Sub,
                            llvm::Instruction::Mul, llvm::Instruction::Shl},
                           operation->getOpcode());
  if (!isArithmetic || operations == 0)
    return nullptr;
  auto *copy = llvm::cast<llvm::Instruction>(value)->clone();
  copy->dropUnknownNonDebugMetadata();
  copy->setDebugLoc({});
  for (llvm::Use &operand : copy->operands()) {
    llvm::Value *computed = compute(operand, builder, operations - 1);
    if (!computed) {
      llvm::SmallVector<llvm::WeakTrackingVH> dead(copy->operands());
      copy->deleteValue();
      llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
      return nullptr;
    }
    operand.set(computed);
  }
  return builder.Insert(copy);
}

llvm::Function *Settling::run(bool mayTell, bool staysCaptured) {
  llvm::SmallVector<llvm::SmallVector<llvm::Instruction *>> assumptions;
  for (llvm::Argument &parameter :
       llvm::drop_begin(body.args(), FirstCapture)) {
    auto found = assumptionsOf(parameter);
    // An open one without a use has been replaced by a constant.
    if (found.empty() &&
        !body.getAttributes().hasParamAttr(parameter.getArgNo(), openBound))
      continue;
    bounds.push_back(parameter.getArgNo());
    assumptions.push_back(std::move(found));
  }
  llvm::BasicBlock &entry = body.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getTerminator()->getIterator());
  llvm::SmallVector<unsigned> settled;
  for (auto [number, needing] : llvm::zip_equal(bounds, assumptions)) {
    llvm::Argument *parameter = body.getArg(number);
    llvm::Value *bound = mayTell
                             ? compute(marker.getArgOperand(operandOf(number)),
                                       builder, mostOperations)
                             : nullptr;
    if (!bound && mayTell && staysCaptured) {
      parameter->addAttr(llvm::Attribute::get(body.getContext(), openBound));
      continue;
    }
    if (bound)
      parameter->replaceAllUsesWith(bound);
    else
      llvm::for_each(needing, [](llvm::Instruction *one) { drop(*one); });
    settled.push_back(number);
  }
  return settled.empty() ? nullptr : withoutParameters(body, marker, settled);
}

void cilk2chan::settleBounds(llvm::Module &module,
                             llvm::SmallVectorImpl<llvm::Function *> &converted,
                             bool areConstantsKnown) {
  for (llvm::Function *body : bodiesOf(module)) {
    bool isConverted = llvm::is_contained(converted, body);
    llvm::Function *changed = Settling(*body, *markerOf(*body))
                                  .run(/*mayTell=*/!isConverted,
                                       /*staysCaptured=*/!areConstantsKnown);
    if (changed)
      llvm::replace(converted, body, changed);
  }
  for (llvm::Function *function : converted)
    dropBounds(*function);
}
