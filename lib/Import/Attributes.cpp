//===- Attributes.cpp - What stays true of converted functions ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attributes.h"
#include "cilk2chan/Support/KeptObjects.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace cilk2chan;
using llvm::Attribute;

static constexpr Attribute::AttrKind untrue[] = {
    Attribute::Memory,       Attribute::NoSync,     Attribute::NoFree,
    Attribute::NoRecurse,    Attribute::WillReturn, Attribute::MustProgress,
    Attribute::Speculatable, Attribute::NoCallback, Attribute::NoReturn,
};

/// True of a function but not of each of its kernels.
static constexpr Attribute::AttrKind ofWholeFunctions[] = {
    Attribute::AlwaysInline, Attribute::InlineHint, Attribute::Naked,
    Attribute::ReturnsTwice, Attribute::AllocSize,  Attribute::AllocKind,
    Attribute::Convergent,
};

static void removeFrom(llvm::CallBase &call) {
  for (Attribute::AttrKind kind : untrue)
    if (kind != Attribute::NoReturn)
      call.removeFnAttr(kind);
}

void cilk2chan::stripUntrueAttributes(llvm::Function &function) {
  for (Attribute::AttrKind kind : untrue)
    if (kind != Attribute::NoReturn)
      function.removeFnAttr(kind);
  function.removeRetAttr(Attribute::NoAlias);
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(user);
        call && call->getCalledOperand() == &function)
      removeFrom(*call);
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call && call->isTailCall())
      call->setTailCallKind(llvm::CallInst::TCK_None);
  }
}

void cilk2chan::removeLifetimeMarkers(llvm::Function &function) {
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        intrinsic && intrinsic->isLifetimeStartOrEnd() &&
        !intrinsic->hasFnAttr(ObjectAnnotation))
      intrinsic->eraseFromParent();
}

void cilk2chan::removeCallMessages(llvm::Function &part) {
  for (llvm::StringRef message : {"dontcall-error", "dontcall-warn"})
    part.removeFnAttr(message);
}

void cilk2chan::copyCodeGenAttributes(const llvm::Function &source,
                                      llvm::Function &kernel) {
  llvm::AttrBuilder builder(source.getContext(),
                            source.getAttributes().getFnAttrs());
  for (Attribute::AttrKind kind : untrue)
    builder.removeAttribute(kind);
  for (Attribute::AttrKind kind : ofWholeFunctions)
    builder.removeAttribute(kind);
  // What is to be inlined for our reasons is so though C says otherwise.
  if (kernel.hasFnAttribute(Attribute::AlwaysInline))
    for (Attribute::AttrKind kind :
         {Attribute::NoInline, Attribute::OptimizeNone})
      builder.removeAttribute(kind);
  // A kernel with lanes has its own.
  for (llvm::StringRef own : {"min-legal-vector-width", "target-cpu"})
    if (kernel.hasFnAttribute(own))
      builder.removeAttribute(own);
  kernel.addFnAttrs(builder);
  removeCallMessages(kernel);
}

bool cilk2chan::mayBeCopied(const llvm::Function &function) {
  using Attribute = llvm::Attribute;
  return !function.isDeclaration() && !function.isInterposable() &&
         !function.isVarArg() && function.getName() != "main" &&
         llvm::none_of(llvm::ArrayRef{Attribute::NoInline,
                                      Attribute::OptimizeNone, Attribute::Naked,
                                      Attribute::ReturnsTwice},
                       [&](Attribute::AttrKind kind) {
                         return function.hasFnAttribute(kind);
                       });
}
