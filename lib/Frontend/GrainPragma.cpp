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
  explicit GrainHandler(Keywords &keywords)
      : PragmaHandler("grainsize"), keywords(keywords) {}

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
  preprocessor.AddPragmaHandler(new GrainHandler(keywords));
  preprocessor.AddPragmaHandler("cilk", new GrainHandler(keywords));
}

} // namespace cilk2chan
