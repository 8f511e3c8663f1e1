//===- ArrayNotation.cpp - Sections of arrays are refused -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cilk Plus has `a[0:n] = b[0:n] + 1;` for a loop over elements, and functions
// of such sections.  Each statement that has them gets one message; so that it
// stays the only one, the parser reads
//
//   a[0] = b[0] + 1;          for  a[0:n] = b[0:n] + 1;
//   s = 0;                         s = __sec_reduce_add(a[:]);
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Keywords.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cilk2chan {

void Keywords::refuseArrayNotation(SourceLocation location) {
  table.addRefused();
  if (std::exchange(arrayNotation, true))
    return;
  error(sema.Diags, location,
        "array notation is not supported: write a loop over the elements, "
        "which may be a 'cilk_for'");
}

/// Reads from the `:` to the `]`.
void Keywords::section(Token &token) {
  SourceLocation location = token.getLocation();
  refuseArrayNotation(location);
  llvm::SaveAndRestore<bool> saved(skipping, true);
  Token last = token;
  for (unsigned depth = 0; last.isNot(tok::eof); sema.PP.Lex(last)) {
    if (last.isOneOf(tok::l_paren, tok::l_brace, tok::l_square))
      ++depth;
    else if (last.isOneOf(tok::r_paren, tok::r_brace, tok::r_square) &&
             depth-- == 0)
      break;
  }
  if (context.after(tok::l_square)) {
    enter(last);
    return replaceByZero(token);
  }
  token = last;
  context.advance(token);
}

bool Keywords::isSectionFunction(const Token &token) const {
  return token.is(tok::identifier) &&
         token.getIdentifierInfo()->getName().starts_with("__sec_") &&
         !visible(token);
}

void Keywords::sectionFunction(Token &token) {
  refuseArrayNotation(token.getLocation());
  if (peek().is(tok::l_paren))
    dropArguments();
  replaceByZero(token);
}

} // namespace cilk2chan
