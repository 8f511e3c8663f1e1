//===- Diagnostics.cpp - Diagnostics after parsing ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Target/Diagnostics.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace cilk2chan;

clang::SourceLocation cilk2chan::locate(clang::CompilerInstance &instance,
                                        llvm::StringRef path, unsigned line,
                                        unsigned column) {
  auto file = instance.getFileManager().getOptionalFileRef(path);
  if (!file || !line)
    return {};
  return instance.getSourceManager().translateFileLineCol(*file, line,
                                                          std::max(column, 1u));
}

clang::SourceLocation cilk2chan::locate(clang::CodeGenerator &codeGen,
                                        llvm::StringRef symbol) {
  // Kernels are called `f.0`, LLVM's own parts of a function `f.cold`.
  for (; !symbol.empty(); symbol = symbol.substr(0, symbol.rfind('.'))) {
    if (const clang::Decl *known = codeGen.GetDeclForMangledName(symbol))
      return known->getLocation();
    if (!symbol.contains('.'))
      break;
  }
  return {};
}

void cilk2chan::reportLate(clang::CompilerInstance &instance,
                           clang::SourceLocation location, unsigned id,
                           llvm::ArrayRef<std::string> arguments,
                           llvm::StringRef flagValue) {
  auto report = [&] {
    auto builder = instance.getDiagnostics().Report(location, id);
    builder << clang::AddFlagValue(flagValue);
    for (llvm::StringRef argument : arguments)
      builder << argument;
  };
  if (location.isInvalid())
    return report();
  // Printers have put away by now what they show source lines with.
  clang::DiagnosticConsumer &client = instance.getDiagnosticClient();
  client.BeginSourceFile(instance.getLangOpts(), nullptr);
  report();
  client.EndSourceFile();
}
