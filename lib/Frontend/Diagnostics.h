//===- Diagnostics.h - Clang diagnostics of our own -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_DIAGNOSTICS_H
#define CILK2CHAN_LIB_FRONTEND_DIAGNOSTICS_H

#include "cilk2chan/Frontend/FrontendOptions.h"
#include "clang/Basic/Diagnostic.h"

namespace cilk2chan {

/// Each reports `text`, in the notation of Clang's diagnostics (%0, %select),
/// at `location`.
inline clang::DiagnosticBuilder report(clang::DiagnosticsEngine &engine,
                                       clang::DiagnosticIDs::Level level,
                                       clang::SourceLocation location,
                                       llvm::StringRef text) {
  return engine.Report(location,
                       engine.getDiagnosticIDs()->getCustomDiagID(level, text));
}

inline clang::DiagnosticBuilder error(clang::DiagnosticsEngine &engine,
                                      clang::SourceLocation location,
                                      llvm::StringRef text) {
  return report(engine, clang::DiagnosticIDs::Error, location, text);
}

inline clang::DiagnosticBuilder note(clang::DiagnosticsEngine &engine,
                                     clang::SourceLocation location,
                                     llvm::StringRef text) {
  return report(engine, clang::DiagnosticIDs::Note, location, text);
}

/// The diagnostic under which the engine keeps how severe `kind` is where.
inline unsigned stateOf(clang::DiagnosticsEngine &engine,
                        const FrontendOptions::Warning &kind) {
  return engine.getDiagnosticIDs()->getCustomDiagID(
      {clang::diag::Severity::Warning, kind.name.str()});
}

/// Reports `text` as the warning `kind`, as severe as that is at `location`.
inline clang::DiagnosticBuilder warning(clang::DiagnosticsEngine &engine,
                                        clang::SourceLocation location,
                                        llvm::StringRef text,
                                        const FrontendOptions::Warning &kind) {
  using Level = clang::DiagnosticsEngine::Level;
  Level level = engine.getDiagnosticLevel(stateOf(engine, kind), location);
  // -w and -Werror do not reach a diagnostic without a group, and only Clang
  // can make groups.
  if (engine.getIgnoreAllWarnings())
    level = Level::Ignored;
  if (level == Level::Warning && kind.isError.value_or(true) &&
      engine.getWarningsAsErrors())
    level = Level::Error;
  bool fails = level >= Level::Error;
  clang::DiagnosticIDs::CustomDiagDesc description(
      level == Level::Ignored   ? clang::diag::Severity::Ignored
      : level == Level::Warning ? clang::diag::Severity::Warning
      : level == Level::Error   ? clang::diag::Severity::Error
                                : clang::diag::Severity::Fatal,
      (text + (fails ? " [-Werror,-W" : " [-W") + kind.name + "]").str(),
      fails ? clang::DiagnosticIDs::CLASS_ERROR
            : clang::DiagnosticIDs::CLASS_WARNING);
  return engine.Report(location,
                       engine.getDiagnosticIDs()->getCustomDiagID(description));
}

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_DIAGNOSTICS_H
