//===- CilkFrontendAction.h - From C to LLVM IR with markers ----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_FRONTEND_CILKFRONTENDACTION_H
#define CILK2CHAN_FRONTEND_CILKFRONTENDACTION_H

#include "cilk2chan/Frontend/FrontendOptions.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"
#include <functional>

namespace cilk2chan {

/// What the parser has seen that is of use afterwards.
struct ProgramFacts {
  /// The program begins with a procedure of Cilk-5.
  bool beginsInCilk = false;
  /// The numbers that `#pragma chan block` gives functions.
  llvm::DenseMap<const clang::Decl *, unsigned> blocks;
};

/// Parses, checks, marks and code-generates one C file.
///
/// Hands the LLVM module, with the markers of docs/architecture/FrontEnd.md, to the
/// consumer while the CompilerInstance, its diagnostics and the AST still live.
/// The consumer is not called when there was an error.  No LLVM pass has run,
/// no function is optnone for want of -O, and there are no lifetime markers:
/// the action sets the CodeGenOptions to that effect, so code that
/// needs the user's must copy them first.
class CilkFrontendAction : public clang::EmitLLVMOnlyAction {
public:
  using Consumer = std::function<void(clang::CodeGenerator &,
                                      std::unique_ptr<llvm::Module>)>;

  CilkFrontendAction(llvm::LLVMContext &context, FrontendOptions options,
                     Consumer consume);

protected:
  bool PrepareToExecuteAction(clang::CompilerInstance &instance) override;
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &instance,
                    llvm::StringRef file) override;
  void EndSourceFileAction() override;

private:
  FrontendOptions options;
  Consumer consume;
  ProgramFacts facts;
};

/// Runs an action of Clang's own (preprocessing, the analyser, precompiling) on
/// C, in which it sees the serial elision.  The words and pragmas are known,
/// and what would be refused is.  So is a spawn where the result is to be
/// compiled later, since what says where spawns stand would be gone by then.
class CilkInspectAction : public clang::WrapperFrontendAction {
public:
  CilkInspectAction(std::unique_ptr<clang::FrontendAction> action,
                    FrontendOptions options);

protected:
  bool PrepareToExecuteAction(clang::CompilerInstance &instance) override;
  bool BeginSourceFileAction(clang::CompilerInstance &instance) override;
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &instance,
                    llvm::StringRef file) override;

private:
  FrontendOptions options;
  ProgramFacts facts;
};

/// Runs an action of Clang's own on C++, where a word of the language that
/// nothing declares says that C++ cannot spawn.
class CxxAction : public clang::WrapperFrontendAction {
public:
  explicit CxxAction(std::unique_ptr<clang::FrontendAction> action);

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &instance,
                    llvm::StringRef file) override;
};

} // namespace cilk2chan

#endif // CILK2CHAN_FRONTEND_CILKFRONTENDACTION_H
