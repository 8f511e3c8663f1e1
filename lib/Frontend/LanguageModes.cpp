//===- LanguageModes.cpp - Where the bare words are keywords --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LanguageModes.h"
#include "clang/Basic/DiagnosticParse.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cilk2chan {

/// `#pragma lang +C`, and -C, +Cilk, -Cilk; in any case.
class LanguageModes::LangPragma : public PragmaHandler {
public:
  explicit LangPragma(LanguageModes &modes)
      : PragmaHandler("lang"), modes(modes) {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer,
                    Token &name) override {
    std::string argument;
    Token token;
    preprocessor.LexUnexpandedToken(token);
    SourceLocation location = token.getLocation();
    for (; token.isNot(tok::eod); preprocessor.LexUnexpandedToken(token))
      argument += preprocessor.getSpelling(token);
    auto mode = llvm::StringSwitch<std::optional<LanguageMode>>(argument)
                    .CasesLower({"+c", "-cilk"}, LanguageMode::c)
                    .CasesLower({"-c", "+cilk"}, LanguageMode::cilk)
                    .Default(std::nullopt);
    if (mode)
      modes.pragmas[modes.fileOf(name.getLocation())] = *mode;
    else
      preprocessor.Diag(location, diag::warn_pragma_invalid_argument)
          << argument << "lang" << /*expected=*/true << "'+C' or '-C'";
  }

private:
  LanguageModes &modes;
};

LanguageModes::LanguageModes(Preprocessor &preprocessor, LanguageMode otherwise)
    : sources(preprocessor.getSourceManager()), otherwise(otherwise) {
  preprocessor.AddPragmaHandler(new LangPragma(*this));
}

llvm::StringRef LanguageModes::fileOf(SourceLocation location) const {
  PresumedLoc presumed = sources.getPresumedLoc(location);
  return presumed.isValid() ? presumed.getFilename() : "";
}

LanguageMode LanguageModes::at(SourceLocation location) const {
  llvm::StringRef file = fileOf(location);
  if (auto said = pragmas.find(file); said != pragmas.end())
    return said->second;
  if (file.ends_with(".cilk") || file.ends_with(".cilkh"))
    return LanguageMode::cilk;
  return sources.isInSystemHeader(location) ? LanguageMode::c : otherwise;
}

} // namespace cilk2chan
