//===- GrainPragma.cpp - #pragma cilk grainsize ---------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GrainPragma.h"
#include "Diagnostics.h"
#include "Keywords.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace cilk2chan {
namespace {

class GrainHandler : public PragmaHandler {
public:
  GrainHandler(llvm::StringRef name, Keywords &keywords)
      : PragmaHandler(name), keywords(keywords) {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer,
                    Token &first) override {
    Token pragma = first;
    llvm::SmallVector<Token, 8> operand;
    Token token;
    preprocessor.Lex(token);
    if (token.is(tok::equal))
      preprocessor.Lex(token);
    for (; token.isNot(tok::eod); preprocessor.Lex(token))
      operand.push_back(token);
    if (operand.empty()) {
      error(preprocessor.getDiagnostics(), pragma.getLocation(),
            "expected an integer expression after 'grainsize'");
      return;
    }
    keywords.grain(pragma, operand);
  }

private:
  Keywords &keywords;
};

} // namespace

void addGrainPragmas(Preprocessor &preprocessor, Keywords &keywords) {
  preprocessor.AddPragmaHandler(new GrainHandler("grainsize", keywords));
  preprocessor.AddPragmaHandler("cilk",
                                new GrainHandler("grainsize", keywords));
  // As the first compilers with cilk_for had it.
  preprocessor.AddPragmaHandler(new GrainHandler("cilk_grainsize", keywords));
}

} // namespace cilk2chan
