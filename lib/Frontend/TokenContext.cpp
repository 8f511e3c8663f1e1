//===- TokenContext.cpp - What may stand at a token -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TokenContext.h"

using namespace clang;

namespace cilk2chan {

void TokenContext::open(tok::TokenKind kind) {
  Bracket bracket;
  bracket.before = current;
  bracket.square = kind == tok::l_square;
  if (kind == tok::l_paren) {
    switch (previous) {
    case tok::kw_if:
    case tok::kw_for:
    case tok::kw_while:
    case tok::kw_switch:
      bracket.control = true;
      break;
    case tok::kw___attribute:
    case tok::kw___declspec:
    case tok::kw__Alignas:
    case tok::kw_alignas:
    case tok::kw_typeof:
    case tok::kw_typeof_unqual:
    case tok::kw__Atomic:
    case tok::kw__BitInt:
    case tok::kw_asm:
      bracket.type = true;
      break;
    default:
      // `struct S f(void) {`: the brace will be a function's.
      if (!brackets.empty() && brackets.back().type)
        bracket.type = true;
      else if (tagDepth == brackets.size())
        tagDepth = noTag;
    }
    current = Place::operand;
  } else if (kind == tok::l_brace) {
    bool tag = tagDepth == brackets.size();
    tagDepth = noTag;
    bracket.block = !tag && previous != tok::equal && previous != tok::comma;
    current = bracket.block || tag ? Place::statement : Place::operand;
  } else {
    current = Place::operand;
  }
  brackets.push_back(bracket);
}

void TokenContext::close() {
  Bracket bracket;
  if (!brackets.empty())
    bracket = brackets.pop_back_val();
  if (bracket.control || bracket.block)
    current = Place::statement;
  else if (bracket.type)
    current = bracket.before;
  else
    current = Place::afterParens;
}

/// Counts the `?` and `:` of the innermost brackets.
void TokenContext::ask(tok::TokenKind kind) {
  if (brackets.empty())
    return;
  unsigned &questions = brackets.back().questions;
  if (kind == tok::question)
    ++questions;
  else if (questions)
    --questions;
}

void TokenContext::advance(const Token &token) {
  tok::TokenKind kind = token.getKind();
  if (kind == tok::question || kind == tok::colon)
    ask(kind);
  else if (kind == tok::annot_pragma_openmp ||
           kind == tok::annot_pragma_openacc)
    inDirective = true;
  else if (kind == tok::annot_pragma_openmp_end ||
           kind == tok::annot_pragma_openacc_end)
    inDirective = false;
  switch (kind) {
  case tok::l_paren:
  case tok::l_brace:
  case tok::l_square:
    open(kind);
    break;
  case tok::r_paren:
    close();
    break;
  case tok::r_brace:
    close();
    if (current == Place::afterParens)
      current = Place::declarator;
    break;
  case tok::r_square:
    // An attribute in brackets leaves things as they were; an index or an
    // array's bound cannot begin a statement.
    current = brackets.empty() || brackets.back().before != Place::statement
                  ? Place::declarator
                  : Place::statement;
    if (!brackets.empty())
      brackets.pop_back();
    break;
  case tok::semi:
    tagDepth = tagDepth == brackets.size() ? noTag : tagDepth;
    current = Place::statement;
    break;
  case tok::colon:
  case tok::kw_else:
  case tok::kw_do:
    current = Place::statement;
    break;
  case tok::equal:
    tagDepth = tagDepth == brackets.size() ? noTag : tagDepth;
    current = Place::operand;
    break;
  case tok::kw_struct:
  case tok::kw_union:
  case tok::kw_enum:
    tagDepth = brackets.size();
    current = Place::declarator;
    break;
  case tok::kw_static:
  case tok::kw_extern:
  case tok::kw_inline:
  case tok::kw_typedef:
  case tok::kw__Noreturn:
    current = Place::afterSpecifier;
    break;
  case tok::kw_return:
  case tok::kw_case:
  case tok::kw_sizeof:
  case tok::kw__Alignof:
  case tok::kw_alignof:
  case tok::comma:
  case tok::question:
  case tok::plus:
  case tok::plusplus:
  case tok::minus:
  case tok::minusminus:
  case tok::slash:
  case tok::percent:
  case tok::amp:
  case tok::ampamp:
  case tok::pipe:
  case tok::pipepipe:
  case tok::caret:
  case tok::tilde:
  case tok::exclaim:
  case tok::lessless:
  case tok::greatergreater:
  case tok::less:
  case tok::greater:
  case tok::lessequal:
  case tok::greaterequal:
  case tok::equalequal:
  case tok::exclaimequal:
  case tok::plusequal:
  case tok::minusequal:
  case tok::starequal:
  case tok::slashequal:
  case tok::percentequal:
  case tok::ampequal:
  case tok::pipeequal:
  case tok::caretequal:
  case tok::lesslessequal:
  case tok::greatergreaterequal:
    current = Place::operand;
    break;
  case tok::kw___extension__:
  case tok::kw___attribute:
    break;
  default:
    // A pragma's annotation stands in front of a statement; anything else is a
    // name, a type, a literal, a member access, or the `*` of a declarator.
    current =
        tok::isPragmaAnnotation(kind) ? Place::statement : Place::declarator;
  }
  previous = kind;
}

} // namespace cilk2chan
