//===- Diagnostics.h - Clang diagnostics of our own -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_DIAGNOSTICS_H
#define CILK2CHAN_LIB_FRONTEND_DIAGNOSTICS_H

#include "cilk2chan/Frontend/CilkFrontendAction.h"
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

/// Reports `text` as the warning `kind`, if that is on.
inline clang::DiagnosticBuilder warning(clang::DiagnosticsEngine &engine,
                                        clang::SourceLocation location,
                                        llvm::StringRef text,
                                        const FrontendOptions::Warning &kind) {
  // -Werror does not reach a diagnostic without a group, and only Clang can
  // make groups.
  bool fatal = kind.isError.value_or(engine.getWarningsAsErrors());
  clang::DiagnosticIDs::CustomDiagDesc description(
      !kind.enabled || engine.getIgnoreAllWarnings()
          ? clang::diag::Severity::Ignored
      : fatal ? clang::diag::Severity::Error
              : clang::diag::Severity::Warning,
      (text + (fatal ? " [-Werror,-W" : " [-W") + kind.name + "]").str(),
      fatal ? clang::DiagnosticIDs::CLASS_ERROR
            : clang::DiagnosticIDs::CLASS_WARNING);
  return engine.Report(location,
                       engine.getDiagnosticIDs()->getCustomDiagID(description));
}

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_DIAGNOSTICS_H
