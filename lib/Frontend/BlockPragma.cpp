//===- BlockPragma.cpp - #pragma chan block -------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockPragma.h"
#include "Diagnostics.h"
#include "cilk2chan/Support/Markers.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace cilk2chan;

class BlockPragmas::Handler : public PragmaHandler {
public:
  explicit Handler(BlockPragmas &pragmas)
      : PragmaHandler("block"), pragmas(pragmas) {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer,
                    Token &first) override {
    SourceLocation location = first.getLocation();
    uint64_t number = 0;
    Token token;
    auto next = [&] { preprocessor.Lex(token); };
    auto isNumber = [&] {
      next();
      if (token.isNot(tok::l_paren))
        return false;
      next();
      // This goes on to the token behind it.
      return token.is(tok::numeric_constant) &&
             preprocessor.parseSimpleIntegerLiteral(token, number) &&
             token.is(tok::r_paren) && number >= 1 && number <= MaxBlock;
    };
    if (!isNumber()) {
      error(preprocessor.getDiagnostics(), token.getLocation(),
            "expected '#pragma chan block(N)' with a number from 1 to %0")
          << MaxBlock;
      return;
    }
    next();
    if (token.isNot(tok::eod))
      error(preprocessor.getDiagnostics(), token.getLocation(),
            "nothing may follow '#pragma chan block(%0)' in its line")
          << unsigned(number);
    pragmas.pending.push_back({location, unsigned(number)});
  }

private:
  BlockPragmas &pragmas;
};

namespace {
/// Of `#pragma chan` with any other word.
class OtherPragmas : public PragmaHandler {
public:
  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer,
                    Token &first) override {
    DiagnosticsEngine &engine = preprocessor.getDiagnostics();
    // Clang says nothing of pragmas it does not know, unless asked to: they may
    // be another compiler's.  No other compiler has these.
    DiagnosticIDs::CustomDiagDesc description(
        diag::Severity::Warning,
        "unknown pragma ignored; expected '#pragma chan block(N)'",
        DiagnosticIDs::CLASS_WARNING, /*ShowInSystemHeader=*/false,
        /*ShowInSystemMacro=*/false, diag::Group::UnknownPragmas);
    engine.Report(first.getLocation(),
                  engine.getDiagnosticIDs()->getCustomDiagID(description));
  }
};
} // namespace

void BlockPragmas::watch(Preprocessor &preprocessor) {
  preprocessor.AddPragmaHandler("chan", new Handler(*this));
  preprocessor.AddPragmaHandler("chan", new OtherPragmas);
}

static void reportPlace(DiagnosticsEngine &engine, SourceLocation location) {
  error(engine, location,
        "'#pragma chan block' stands in front of the definition of a function "
        "that spawns, and nowhere else");
}

std::optional<unsigned> BlockPragmas::take(const Decl *declaration,
                                           bool spawns) {
  if (pending.empty() || declaration->getLocation().isInvalid())
    return {};
  ASTContext &context = declaration->getASTContext();
  const SourceManager &sources = context.getSourceManager();
  auto isBefore = [&](SourceLocation place, SourceLocation other) {
    return sources.isBeforeInTranslationUnit(sources.getExpansionLoc(place),
                                             sources.getExpansionLoc(other));
  };
  std::optional<unsigned> number;
  while (!pending.empty() &&
         isBefore(pending.front().location, declaration->getEndLoc())) {
    auto [location, asked] = pending.front();
    pending.erase(pending.begin());
    if (!spawns || number || !isBefore(location, declaration->getBeginLoc()))
      reportPlace(context.getDiagnostics(), location);
    number = asked;
  }
  return number;
}

void BlockPragmas::finish(DiagnosticsEngine &engine) {
  for (auto [location, number] : pending)
    reportPlace(engine, location);
}
