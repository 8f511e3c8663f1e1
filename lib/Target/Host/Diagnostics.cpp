//===- Diagnostics.cpp - Diagnostics after parsing ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Target/Diagnostics.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
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

void cilk2chan::reportLate(clang::CompilerInstance &instance,
                           clang::SourceLocation location, unsigned id,
                           llvm::StringRef message, llvm::StringRef flagValue) {
  clang::DiagnosticsEngine &diagnostics = instance.getDiagnostics();
  if (location.isInvalid()) {
    diagnostics.Report(id) << clang::AddFlagValue(flagValue) << message;
    return;
  }
  // Printers have put away by now what they show source lines with.
  clang::DiagnosticConsumer &client = instance.getDiagnosticClient();
  client.BeginSourceFile(instance.getLangOpts(), nullptr);
  diagnostics.Report(location, id) << clang::AddFlagValue(flagValue) << message;
  client.EndSourceFile();
}
