//===- BackendDiagnostics.h - LLVM's diagnostics as clang's -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_TARGET_HOST_BACKENDDIAGNOSTICS_H
#define CILK2CHAN_LIB_TARGET_HOST_BACKENDDIAGNOSTICS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/IR/DiagnosticHandler.h"

namespace clang {
class CodeGenerator;
class CodeGenOptions;
class CompilerInstance;
} // namespace clang

namespace cilk2chan {

/// Turns what LLVM's passes report into diagnostics of a compilation, so that
/// an error fails it, a warning can be silenced or promoted, and -Rpass works.
/// LLVM's own handler would end the process with the output half written.
class BackendDiagnostics : public llvm::DiagnosticHandler {
public:
  /// All must outlive the handler.
  BackendDiagnostics(clang::CompilerInstance &instance,
                     clang::CodeGenerator &codeGen,
                     const clang::CodeGenOptions &options)
      : instance(instance), codeGen(codeGen), options(options) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override;
  bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override;
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override;
  bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override;
  bool isAnyRemarkEnabled() const override;

private:
  clang::SourceLocation locate(const llvm::DiagnosticInfo &info) const;

  clang::CompilerInstance &instance;
  clang::CodeGenerator &codeGen;
  const clang::CodeGenOptions &options;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_TARGET_HOST_BACKENDDIAGNOSTICS_H
