//===- WarningPragmas.cpp - Warnings by command line and pragma -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang 22 has no groups but its own, and its handler of the pragma drops a
// name that it does not know.  So another handler stands in its place; the
// state by location, with push and pop, is the engine's for both.
//
//===----------------------------------------------------------------------===//

#include "WarningPragmas.h"
#include "Diagnostics.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cilk2chan {
namespace {

class WarningPragma : public PragmaHandler {
public:
  WarningPragma(llvm::StringRef space,
                const FrontendOptions::Warnings &warnings)
      : PragmaHandler("diagnostic"), space(space), warnings(warnings) {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer,
                    Token &first) override;

private:
  void set(Preprocessor &preprocessor, Token &option, SourceLocation location,
           diag::Severity severity) const;

  llvm::StringRef space;
  const FrontendOptions::Warnings &warnings;
};

} // namespace

void WarningPragma::HandlePragma(Preprocessor &preprocessor, PragmaIntroducer,
                                 Token &first) {
  SourceLocation location = first.getLocation();
  Token action, next;
  preprocessor.LexUnexpandedToken(action);
  if (action.isNot(tok::identifier)) {
    preprocessor.Diag(action, diag::warn_pragma_diagnostic_invalid);
    return;
  }
  preprocessor.LexUnexpandedToken(next);
  llvm::StringRef name = action.getIdentifierInfo()->getName();
  if (name != "push" && name != "pop") {
    auto severity = llvm::StringSwitch<std::optional<diag::Severity>>(name)
                        .Case("ignored", diag::Severity::Ignored)
                        .Case("warning", diag::Severity::Warning)
                        .Case("error", diag::Severity::Error)
                        .Case("fatal", diag::Severity::Fatal)
                        .Default(std::nullopt);
    if (severity)
      set(preprocessor, next, location, *severity);
    else
      preprocessor.Diag(next, diag::warn_pragma_diagnostic_invalid);
    return;
  }
  DiagnosticsEngine &engine = preprocessor.getDiagnostics();
  PPCallbacks *callbacks = preprocessor.getPPCallbacks();
  if (name == "push") {
    engine.pushMappings(location);
    if (callbacks)
      callbacks->PragmaDiagnosticPush(location, space);
  } else if (!engine.popMappings(location)) {
    preprocessor.Diag(next, diag::warn_pragma_diagnostic_cannot_pop);
  } else if (callbacks) {
    callbacks->PragmaDiagnosticPop(location, space);
  }
  if (next.isNot(tok::eod))
    preprocessor.Diag(next, diag::warn_pragma_diagnostic_invalid_token);
}

void WarningPragma::set(Preprocessor &preprocessor, Token &option,
                        SourceLocation location,
                        diag::Severity severity) const {
  SourceLocation place = option.getLocation();
  std::string flag;
  if (!preprocessor.FinishLexStringLiteral(option, flag, "pragma diagnostic",
                                           /*AllowMacroExpansion=*/false))
    return;
  if (option.isNot(tok::eod)) {
    preprocessor.Diag(option, diag::warn_pragma_diagnostic_invalid_token);
    return;
  }
  llvm::StringRef name = flag;
  bool isWarning = name.consume_front("-W");
  if ((!isWarning && !name.consume_front("-R")) || name.empty()) {
    preprocessor.Diag(place, diag::warn_pragma_diagnostic_invalid_option);
    return;
  }
  DiagnosticsEngine &engine = preprocessor.getDiagnostics();
  auto flavor = isWarning ? diag::Flavor::WarningOrError : diag::Flavor::Remark;
  bool known = false;
  if (isWarning)
    for (const FrontendOptions::Warning *warning : warnings.all())
      if (warning->isMeantBy(name)) {
        engine.setSeverity(stateOf(engine, *warning), severity, location);
        known = true;
      }
  if (name == "everything")
    engine.setSeverityForAll(flavor, severity, location);
  else if (!known &&
           engine.setSeverityForGroup(flavor, name, severity, location)) {
    preprocessor.Diag(place, diag::warn_pragma_diagnostic_unknown_warning)
        << flag;
    return;
  }
  if (PPCallbacks *callbacks = preprocessor.getPPCallbacks())
    callbacks->PragmaDiagnostic(location, space, severity, flag);
}

void addWarningPragmas(Preprocessor &preprocessor,
                       const FrontendOptions::Warnings &warnings) {
  DiagnosticsEngine &engine = preprocessor.getDiagnostics();
  for (const FrontendOptions::Warning *warning : warnings.all()) {
    diag::Severity severity = !warning->enabled ? diag::Severity::Ignored
                              : warning->isError.value_or(false)
                                  ? diag::Severity::Error
                                  : diag::Severity::Warning;
    engine.setSeverity(stateOf(engine, *warning), severity, SourceLocation());
  }
  for (llvm::StringRef space : {"clang", "GCC"}) {
    auto *handler = new WarningPragma(space, warnings);
    // By its name, this removes Clang's.
    preprocessor.RemovePragmaHandler(space, handler);
    preprocessor.AddPragmaHandler(space, handler);
  }
}

} // namespace cilk2chan
