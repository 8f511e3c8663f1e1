//===- CilkFrontendAction.h - From C to LLVM IR with markers ----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_FRONTEND_CILKFRONTENDACTION_H
#define CILK2CHAN_FRONTEND_CILKFRONTENDACTION_H

#include "clang/CodeGen/CodeGenAction.h"
#include "llvm/IR/Module.h"
#include <functional>

namespace cilk2chan {

struct FrontendOptions {
  bool keywords = true;
  bool serialize = false;
};

/// Compiles ordinary C.
class CilkFrontendAction : public clang::EmitLLVMOnlyAction {
public:
  using Consumer = std::function<void(clang::CompilerInstance &,
                                      std::unique_ptr<llvm::Module>)>;
  CilkFrontendAction(llvm::LLVMContext &context, FrontendOptions,
                     Consumer consume)
      : EmitLLVMOnlyAction(&context), consume(std::move(consume)) {}

protected:
  void EndSourceFileAction() override {
    EmitLLVMOnlyAction::EndSourceFileAction();
    if (auto module = takeModule())
      consume(getCompilerInstance(), std::move(module));
  }

private:
  Consumer consume;
};

} // namespace cilk2chan

#endif // CILK2CHAN_FRONTEND_CILKFRONTENDACTION_H
