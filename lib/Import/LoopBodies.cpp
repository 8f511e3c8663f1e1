//===- LoopBodies.cpp - Outlined loops and their markers ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopBodies.h"
#include "Markers.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace cilk2chan;

llvm::CallInst *cilk2chan::markerOf(llvm::Function &function) {
  if (!function.getName().starts_with(BodyPrefix) || !function.hasOneUse())
    return nullptr;
  llvm::Use &use = *function.use_begin();
  auto *call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
  return call && isLoopMarker(call->getCalledFunction()) &&
                 call->getArgOperandNo(&use) == 0
             ? call
             : nullptr;
}

std::optional<unsigned> cilk2chan::numberOf(llvm::StringRef name) {
  unsigned number;
  if ((name.consume_front(BodyPrefix) || name.consume_front(AbiForPrefix)) &&
      !name.getAsInteger(10, number))
    return number;
  return std::nullopt;
}

llvm::SmallVector<llvm::Function *> cilk2chan::bodiesOf(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *> bodies;
  for (llvm::Function &function : module)
    if (markerOf(function))
      bodies.push_back(&function);
  llvm::sort(bodies, [](llvm::Function *a, llvm::Function *b) {
    return *numberOf(a->getName()) < *numberOf(b->getName());
  });
  return bodies;
}

/// A function of that type and with those attributes in the place of `body`,
/// which loses its blocks, name and metadata to it.
static llvm::Function *replaceBody(llvm::Function &body,
                                   llvm::ArrayRef<llvm::Type *> types,
                                   llvm::AttributeList attributes) {
  auto *changed = llvm::Function::Create(
      llvm::FunctionType::get(body.getReturnType(), types, false),
      body.getLinkage(), body.getAddressSpace());
  body.getParent()->getFunctionList().insert(body.getIterator(), changed);
  changed->copyAttributesFrom(&body);
  changed->setAttributes(attributes);
  changed->copyMetadata(&body, 0);
  body.clearMetadata();
  changed->setComdat(body.getComdat());
  changed->takeName(&body);
  changed->splice(changed->begin(), &body);
  return changed;
}

llvm::Function *
cilk2chan::withParameters(llvm::Function &body,
                          llvm::ArrayRef<llvm::Type *> types,
                          llvm::function_ref<bool(unsigned)> becomesAnother) {
  llvm::AttributeList attributes = body.getAttributes();
  for (const llvm::Argument &parameter : body.args())
    if (becomesAnother(parameter.getArgNo()))
      attributes = attributes.removeParamAttributes(body.getContext(),
                                                    parameter.getArgNo());
  llvm::Function *changed = replaceBody(body, types, attributes);
  for (auto [before, after] : llvm::zip_first(body.args(), changed->args())) {
    after.takeName(&before);
    if (!becomesAnother(before.getArgNo()))
      before.replaceAllUsesWith(&after);
  }
  return changed;
}

llvm::Function *cilk2chan::withoutParameters(llvm::Function &body,
                                             llvm::CallInst &marker,
                                             llvm::ArrayRef<unsigned> numbers) {
  llvm::AttributeList attributes = body.getAttributes();
  llvm::SmallVector<llvm::Type *> types;
  llvm::SmallVector<llvm::AttributeSet> kept;
  llvm::SmallVector<llvm::Argument *> parameters;
  llvm::SmallVector<llvm::Value *> operands(
      marker.arg_begin(), marker.arg_begin() + operandOf(FirstCapture));
  for (llvm::Argument &parameter : body.args()) {
    unsigned number = parameter.getArgNo();
    if (llvm::is_contained(numbers, number))
      continue;
    types.push_back(parameter.getType());
    kept.push_back(attributes.getParamAttrs(number));
    parameters.push_back(&parameter);
    if (number >= FirstCapture)
      operands.push_back(marker.getArgOperand(operandOf(number)));
  }
  llvm::Function *changed = replaceBody(
      body, types,
      llvm::AttributeList::get(body.getContext(), attributes.getFnAttrs(),
                               attributes.getRetAttrs(), kept));
  for (auto [before, after] : llvm::zip_equal(parameters, changed->args())) {
    after.takeName(before);
    before->replaceAllUsesWith(&after);
  }
  operands.front() = changed;
  changeOperands(&marker, operands);
  body.eraseFromParent();
  return changed;
}

void cilk2chan::changeOperands(llvm::CallInst *marker,
                               llvm::ArrayRef<llvm::Value *> operands) {
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *operand : operands)
    types.push_back(operand->getType());
  llvm::Function *before = marker->getCalledFunction();
  auto *after = llvm::Function::Create(
      llvm::FunctionType::get(marker->getType(), types, false),
      before->getLinkage(), "", before->getParent());
  after->takeName(before);
  llvm::IRBuilder<> builder(marker);
  builder.CreateCall(after, operands);
  marker->eraseFromParent();
  before->eraseFromParent();
}
