//===- CxxMessages.cpp - C++ that spawns, and C++ in C --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Either mistake would give one error after the other, none of which says what
// it is.  Each gets one message, which ends the compilation.
//
//===----------------------------------------------------------------------===//

#include "CxxMessages.h"
#include "Diagnostics.h"
#include "cilk2chan/Frontend/CilkFrontendAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Sema/ExternalSemaSource.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Tooling/Inclusions/StandardLibrary.h"

using namespace clang;

namespace cilk2chan {
namespace {

class HeaderCallbacks : public PPCallbacks {
public:
  explicit HeaderCallbacks(DiagnosticsEngine &diagnostics)
      : diagnostics(diagnostics) {}

  bool FileNotFound(StringRef name) override {
    missing =
        tooling::stdlib::Header::named(("<" + name + ">").str()).has_value();
    return missing;
  }

  void InclusionDirective(SourceLocation, const Token &, StringRef name, bool,
                          CharSourceRange range, OptionalFileEntryRef,
                          StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (std::exchange(missing, false))
      report(diagnostics, DiagnosticIDs::Fatal, range.getBegin(),
             "<%0> is a header of C++, and this is C: write what needs it in "
             "a file of C++, and call that")
          << name;
  }

private:
  DiagnosticsEngine &diagnostics;
  bool missing = false;
};

/// Is asked for what nothing else declares.
class CxxWordSource : public ExternalSemaSource {
public:
  explicit CxxWordSource(DiagnosticsEngine &diagnostics)
      : diagnostics(diagnostics) {}

  bool LookupUnqualified(LookupResult &result, Scope *) override {
    const IdentifierInfo *name = result.getLookupName().getAsIdentifierInfo();
    static constexpr llvm::StringLiteral words[] = {
        "cilk_spawn",  "cilk_sync",  "cilk_for",  "cilk_scope",
        "_Cilk_spawn", "_Cilk_sync", "_Cilk_for", "_Cilk_scope"};
    if (name && !result.isForRedeclaration() &&
        result.getLookupKind() == Sema::LookupOrdinaryName &&
        llvm::is_contained(words, name->getName()))
      report(diagnostics, DiagnosticIDs::Fatal, result.getNameLoc(),
             "'%0' in C++, which cannot spawn yet: spawn in C and call that "
             "from C++, or include <cilk/cilk.h> for the serial elision")
          << name->getName();
    return false;
  }

private:
  DiagnosticsEngine &diagnostics;
};

class WordConsumer : public SemaConsumer {
public:
  void InitializeSema(Sema &sema) override {
    sema.addExternalSource(
        llvm::makeIntrusiveRefCnt<CxxWordSource>(sema.Diags));
  }
};

} // namespace

void refuseCxxHeaders(Preprocessor &preprocessor) {
  preprocessor.addPPCallbacks(
      std::make_unique<HeaderCallbacks>(preprocessor.getDiagnostics()));
}

CxxAction::CxxAction(std::unique_ptr<FrontendAction> action)
    : WrapperFrontendAction(std::move(action)) {}

std::unique_ptr<ASTConsumer>
CxxAction::CreateASTConsumer(CompilerInstance &instance, llvm::StringRef file) {
  auto wrapped = WrapperFrontendAction::CreateASTConsumer(instance, file);
  if (!wrapped)
    return nullptr;
  std::vector<std::unique_ptr<ASTConsumer>> consumers;
  consumers.push_back(std::make_unique<WordConsumer>());
  consumers.push_back(std::move(wrapped));
  return std::make_unique<MultiplexConsumer>(std::move(consumers));
}

} // namespace cilk2chan
