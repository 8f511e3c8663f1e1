//===- KeptLocals.cpp - Locals that children know, in LLVM IR -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptLocals.h"
#include "cilk2chan/Support/KeptObjects.h"
#include "cilk2chan/Support/Markers.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

void cilk2chan::markObjects(llvm::Module &module) {
  for (llvm::Function &annotate : llvm::make_early_inc_range(module)) {
    if (annotate.getIntrinsicID() != llvm::Intrinsic::var_annotation)
      continue;
    for (llvm::User *user : llvm::make_early_inc_range(annotate.users())) {
      auto *call = llvm::cast<llvm::CallInst>(user);
      llvm::StringRef text;
      if (!llvm::getConstantStringInfo(call->getArgOperand(1), text) ||
          text != ObjectAnnotation)
        continue;
      llvm::IRBuilder<> builder(call);
      auto *object = llvm::dyn_cast<llvm::AllocaInst>(
          call->getArgOperand(0)->stripPointerCasts());
      if (object)
        builder.CreateLifetimeStart(object)->addFnAttr(
            llvm::Attribute::get(module.getContext(), ObjectAnnotation));
      call->eraseFromParent();
    }
    if (annotate.use_empty())
      annotate.eraseFromParent();
  }
}

void cilk2chan::allowUndefinedCaptures(llvm::Module &module) {
  auto allow = [](auto &called) {
    for (unsigned i = 0; i != called.arg_size(); ++i)
      called.removeParamAttr(i, llvm::Attribute::NoUndef);
  };
  for (llvm::Function &block : module) {
    if (!block.getName().starts_with(BlockPrefix))
      continue;
    allow(block);
    for (llvm::User *user : block.users()) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      llvm::Function *marker = call ? call->getCalledFunction() : nullptr;
      if (!marker)
        continue;
      allow(*call);
      allow(*marker);
      llvm::StringRef number = marker->getName().substr(SpawnPrefix.size());
      llvm::Function *child = module.getFunction((ChildPrefix + number).str());
      if (!child)
        continue;
      allow(*child);
      for (llvm::Instruction &instruction : llvm::instructions(*child))
        if (auto *made = llvm::dyn_cast<llvm::CallInst>(&instruction))
          allow(*made);
    }
  }
}
