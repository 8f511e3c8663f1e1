//===- KernelsByHand.cpp - Kernels that C programs write ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Target/VGIW/KernelsByHand.h"

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace cilk2chan;

static constexpr StringLiteral Annotation = "chan.kernel";

/// The characters of a string constant.
static StringRef textOf(const Value *value) {
  auto *variable = dyn_cast<GlobalVariable>(value->stripPointerCasts());
  auto *data = variable && variable->hasInitializer()
                   ? dyn_cast<ConstantDataArray>(variable->getInitializer())
                   : nullptr;
  return data && data->isCString() ? data->getAsCString() : StringRef();
}

namespace {
struct Marked {
  Function *function;
  StringRef stack, bindings;
};
} // namespace

/// Takes these annotations out of the module's list.
static SmallVector<Marked> takeAnnotations(Module &module) {
  SmallVector<Marked> marked;
  GlobalVariable *list = module.getGlobalVariable("llvm.global.annotations");
  auto *entries =
      list ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr;
  if (!entries)
    return marked;
  SmallVector<Constant *> others;
  for (Value *entry : entries->operand_values()) {
    auto *words = cast<ConstantStruct>(entry);
    auto *function =
        dyn_cast<Function>(words->getOperand(0)->stripPointerCasts());
    if (!function || textOf(words->getOperand(1)) != Annotation) {
      others.push_back(words);
      continue;
    }
    Marked one = {function, {}, {}};
    auto *arguments = dyn_cast<GlobalVariable>(words->getOperand(4));
    auto *texts = arguments
                      ? dyn_cast<ConstantStruct>(arguments->getInitializer())
                      : nullptr;
    if (texts && texts->getNumOperands() == 2) {
      one.stack = textOf(texts->getOperand(0));
      one.bindings = textOf(texts->getOperand(1));
    }
    marked.push_back(one);
  }
  if (marked.empty())
    return marked;
  if (!others.empty()) {
    auto *type = ArrayType::get(others.front()->getType(), others.size());
    auto *rest = new GlobalVariable(module, type, false, list->getLinkage(),
                                    ConstantArray::get(type, others), "");
    rest->setSection(list->getSection());
    rest->takeName(list);
  }
  list->eraseFromParent();
  return marked;
}

/// What is wrong with a kernel, or nothing. `bindings` get the form of device functions.
static std::string check(const Module &module, const Marked &kernel,
                         SmallVectorImpl<std::string> &bindings) {
  const Function &function = *kernel.function;
  if (kernel.stack.empty())
    return "its CHAN_KERNEL needs a stack of channels and a text of bindings";
  SmallVector<StringRef> stacks = {kernel.stack};
  SmallVector<StringRef> texts;
  kernel.bindings.split(texts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef text : texts) {
    SmallVector<StringRef> words;
    SplitString(text, words);
    StringRef kind = words.empty() ? "" : words.front();
    size_t count = StringSwitch<size_t>(kind)
                       .Case("field", 2)
                       .Case("control", 3)
                       .Case("column", 4)
                       .Default(0);
    if (!count || words.size() != count)
      return ("binding '" + text.trim() +
              "' is none of 'field N', 'control STACK LEVEL' and 'column N "
              "STACK LEVEL'")
          .str();
    // The last word is a number; behind `column`, so is the second one.
    SmallVector<StringRef> numbers = {words.back()};
    if (kind == "column")
      numbers.push_back(words[1]);
    for (StringRef number : numbers)
      if (unsigned value; number.getAsInteger(10, value))
        return ("binding '" + text.trim() + "': '" + number + "' is no number")
            .str();
    if (count > 2)
      stacks.push_back(words[count - 2]);
    bindings.push_back(join(words, " "));
  }
  for (StringRef stack : stacks) {
    const GlobalVariable *variable =
        module.getGlobalVariable(stack, /*AllowInternal=*/true);
    if (!variable || !variable->hasLocalLinkage())
      return ("'" + stack +
              "' is no stack of this file; define it by "
              "CHAN_STACK(" +
              stack + ", ...)")
          .str();
  }
  if (function.isDeclaration())
    return "it is declared, and not defined here";
  const FunctionType *type = function.getFunctionType();
  if (!type->getReturnType()->isVoidTy() || type->isVarArg() ||
      !type->getNumParams() || !type->getParamType(0)->isIntegerTy(64))
    return "a kernel returns nothing, and its first parameter is the number of "
           "the thread, a uint64_t";
  if (type->getNumParams() != bindings.size() + 1)
    return "it has " + std::to_string(type->getNumParams() - 1) +
           " parameters beside the number of the thread, and CHAN_KERNEL "
           "binds " +
           std::to_string(bindings.size());
  for (Type *parameter : llvm::drop_begin(type->params()))
    if (!parameter->isPointerTy())
      return "each parameter that CHAN_KERNEL binds is an address";
  return {};
}

/// Inlines what must be inlined, as what the machine does is only known in kernels
/// themselves. Functions that are not called any more go: no host could do what they do.
static void inlineCalls(Function &kernel) {
  SmallVector<CallBase *> calls;
  auto collect = [&] {
    calls.clear();
    for (Instruction &instruction : instructions(kernel))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = call->getCalledFunction())
          if (!callee->isDeclaration() &&
              callee->hasFnAttribute(Attribute::AlwaysInline))
            calls.push_back(call);
    return !calls.empty();
  };
  while (collect())
    for (CallBase *call : calls) {
      Function *callee = call->getCalledFunction();
      InlineFunctionInfo info;
      if (!InlineFunction(*call, info).isSuccess())
        return;
      if (callee->use_empty() && callee->hasLocalLinkage())
        callee->eraseFromParent();
    }
}

void cilk2chan::markKernelsByHand(
    Module &module, bool hasMachine,
    function_ref<void(Function &, const std::string &)> refuse) {
  for (const Marked &kernel : takeAnnotations(module)) {
    Function &function = *kernel.function;
    if (!hasMachine) {
      refuse(function, "it is a kernel of a simulated machine; compile with "
                       "--target=simt or --target=vgiw");
      continue;
    }
    SmallVector<std::string> bindings;
    std::string problem = check(module, kernel, bindings);
    if (!problem.empty()) {
      refuse(function, problem);
      continue;
    }
    removeFromUsedLists(module, [&](Constant *used) {
      return used->stripPointerCasts() == &function;
    });
    inlineCalls(function);
    // Not what the front end says of functions of the host, and of -O0.
    function.setAttributes({});
    function.addFnAttr(Attribute::NoUnwind);
    function.addFnAttr(DeviceKernelAttribute, kernel.stack);
    function.addFnAttr(DeviceBindingsAttribute, join(bindings, ";"));
    function.addFnAttr(DeviceSourceAttribute, function.getName());
    function.setLinkage(GlobalValue::ExternalLinkage);
    function.setComdat(nullptr);
  }
}
