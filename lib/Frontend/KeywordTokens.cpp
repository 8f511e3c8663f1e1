//===- KeywordTokens.cpp - Tokens in place of the words -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a word of the language becomes tokens of C, or none:
//
//   cilk_sync;              CALL;               replace
//   cilk int f(int n)       int f(int n)        swallow
//   cilk_scope for (...)    LABEL: for (...)    label
//
//===----------------------------------------------------------------------===//

#include "Keywords.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cilk2chan {

/// Reads the next token, and gives it back to be read again.
Token Keywords::peek() {
  Token next;
  next.startToken();
  // While it backtracks, the preprocessor keeps every token that it reads.
  if (sema.PP.isBacktrackEnabled())
    return next;
  llvm::SaveAndRestore<bool> saved(skipping, true);
  sema.PP.Lex(next);
  enter(next);
  return next;
}

void Keywords::enter(llvm::ArrayRef<Token> tokens) {
  auto copy = std::make_unique<Token[]>(tokens.size());
  llvm::copy(tokens, copy.get());
  sema.PP.EnterTokenStream(std::move(copy), tokens.size(),
                           /*DisableMacroExpansion=*/true,
                           /*IsReinject=*/false);
}

/// Makes the token a label, of which Clang does not say that it is unused:
/// `NAME : __attribute__((unused))`.
void Keywords::label(Token &token) {
  SourceLocation location = token.getLocation();
  IdentifierTable &names = sema.Context.Idents;
  llvm::SmallVector<Token, 8> rest;
  auto add = [&](tok::TokenKind kind) -> Token & {
    Token &added = rest.emplace_back();
    added.startToken();
    added.setKind(kind);
    added.setLocation(location);
    return added;
  };
  add(tok::colon);
  add(tok::kw___attribute).setIdentifierInfo(&names.get("__attribute__"));
  add(tok::l_paren);
  add(tok::l_paren);
  add(tok::identifier).setIdentifierInfo(&names.get("unused"));
  add(tok::r_paren);
  add(tok::r_paren);
  enter(rest);
  // No program can spell it.
  token.setKind(tok::identifier);
  token.setIdentifierInfo(&names.get("cilk." + std::to_string(labels++)));
  previousSpawn = SourceLocation();
  context.advance(token);
}

/// Drops what a statement outside of functions may consist of.
void Keywords::skipStatement(Token &token) {
  llvm::SaveAndRestore<bool> saved(skipping, true);
  for (unsigned depth = 0;;) {
    sema.PP.Lex(token);
    if (token.isOneOf(tok::l_paren, tok::l_brace))
      ++depth;
    else if (token.isOneOf(tok::r_paren, tok::r_brace) && depth)
      --depth;
    if (token.is(tok::eof) ||
        (!depth && token.isOneOf(tok::semi, tok::r_brace)))
      break;
  }
  if (token.is(tok::r_brace))
    token.setKind(tok::semi);
}

void Keywords::replace(Token &token, Expr *expression) {
  SourceLocation location = token.getLocation();
  token.setKind(tok::annot_primary_expr);
  token.setAnnotationEndLoc(location);
  token.setAnnotationValue(ExprResult(expression).getAsOpaquePointer());
  previousSpawn = SourceLocation();
  context.advance(token);
}

void Keywords::replaceByZero(Token &token) {
  replace(token, builder.integer(sema.Context.IntTy, 0, token.getLocation()));
}

void Keywords::swallow(Token &token) {
  bool startsLine = token.isAtStartOfLine();
  // The token watcher is called for the one that comes instead.
  sema.PP.Lex(token);
  // Or -Wmisleading-indentation takes it for part of the line before.
  if (startsLine)
    token.setFlag(Token::StartOfLine);
}

/// Reads from a bracket to the one that closes it, or to the file's end.
void Keywords::skipBrackets(Token &token) {
  for (unsigned depth = 0; token.isNot(tok::eof); sema.PP.Lex(token)) {
    if (token.isOneOf(tok::l_paren, tok::l_brace, tok::l_square))
      ++depth;
    else if (token.isOneOf(tok::r_paren, tok::r_brace, tok::r_square) &&
             --depth == 0)
      break;
  }
}

/// Drops the list in parentheses that is known to follow.
void Keywords::dropArguments() {
  llvm::SaveAndRestore<bool> saved(skipping, true);
  Token last;
  sema.PP.Lex(last);
  skipBrackets(last);
  if (last.is(tok::eof))
    enter(last);
}

void Keywords::takeArguments(llvm::SmallVectorImpl<Token> &to) {
  llvm::SaveAndRestore<bool> saved(skipping, true);
  Token token;
  sema.PP.Lex(token);
  for (unsigned depth = 1; depth;) {
    sema.PP.Lex(token);
    if (token.is(tok::eof)) {
      enter(token);
      break;
    }
    if (token.is(tok::l_paren))
      ++depth;
    else if (token.is(tok::r_paren))
      --depth;
    to.push_back(token);
  }
}

void Keywords::dropWithArguments(Token &token) {
  bool startsLine = token.isAtStartOfLine();
  skipping = true;
  sema.PP.Lex(token);
  if (token.is(tok::l_paren)) {
    skipBrackets(token);
    if (token.isNot(tok::eof))
      sema.PP.Lex(token);
  }
  skipping = false;
  if (startsLine)
    token.setFlag(Token::StartOfLine);
  watch(token);
}

void Keywords::dropBody(Token &token) {
  if (token.is(tok::semi))
    return;
  Token last = token;
  skipping = true;
  skipBrackets(last);
  skipping = false;
  if (last.is(tok::eof))
    token = last;
  else
    token.setKind(tok::semi);
}

} // namespace cilk2chan
