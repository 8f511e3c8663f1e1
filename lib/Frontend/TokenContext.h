//===- TokenContext.h - What may stand at a token ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_TOKENCONTEXT_H
#define CILK2CHAN_LIB_FRONTEND_TOKENCONTEXT_H

#include "clang/Lex/Token.h"
#include "llvm/ADT/SmallVector.h"

namespace cilk2chan {

/// Knows from the tokens before it what a token may begin.
class TokenContext {
public:
  enum class Place {
    statement,      ///< A statement or declaration may begin here.
    operand,        ///< An operand of an expression may begin here.
    afterSpecifier, ///< As `declarator`, right after static, typedef and so on.
    afterParens,    ///< After a cast, a call or a parenthesised expression.
    declarator,     ///< After a type, a name or a member access.
  };

  Place place() const { return current; }
  /// Whether the token is in no brackets, as what stands between functions.
  bool atFileScope() const { return brackets.empty(); }

  /// Whether a `:` here divides the inside of square brackets, as in `a[0:n]`.
  bool atSection() const {
    return !inDirective && !brackets.empty() && brackets.back().square &&
           !brackets.back().questions;
  }
  /// Whether the token right before is of that kind.
  bool after(clang::tok::TokenKind kind) const { return previous == kind; }

  /// Whether a member's name stands here.
  bool afterMember() const {
    return previous == clang::tok::period || previous == clang::tok::arrow;
  }

  /// Moves past `token`.
  void advance(const clang::Token &token);

  /// Moves past a word that was read as a prefix operator.
  void advanceOperator() { current = Place::operand; }

private:
  /// An open bracket.
  struct Bracket {
    bool control = false; ///< Of an if, for, while or switch.
    bool type = false;    ///< Of an attribute, typeof or alignment specifier.
    bool block = false;   ///< Of statements or external declarations.
    bool square = false;
    unsigned questions = 0; ///< Those whose `:` is to come.
    Place before = Place::statement;
  };

  void open(clang::tok::TokenKind kind);
  void ask(clang::tok::TokenKind kind);
  void close();

  Place current = Place::statement;
  clang::tok::TokenKind previous = clang::tok::semi;
  /// In a directive of OpenMP or OpenACC, which have sections of arrays.
  bool inDirective = false;
  llvm::SmallVector<Bracket, 16> brackets;
  /// The nesting at which a struct, union or enum is being introduced.
  size_t tagDepth = noTag;
  static constexpr size_t noTag = ~size_t(0);
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_TOKENCONTEXT_H
