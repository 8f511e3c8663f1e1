//===- Keywords.cpp - Recognising spawn, sync and cilk --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Keywords.h"
#include "Diagnostics.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace cilk2chan {

using Place = TokenContext::Place;

Keywords::Keywords(Sema &sema, SpawnTable &table, ChildBuilder &builder,
                   bool bareWords)
    : sema(sema), table(table), builder(builder),
      modes(sema.PP, bareWords ? LanguageMode::contextual : LanguageMode::c) {
  auto add = [&](llvm::ArrayRef<llvm::StringRef> names, Word word) {
    for (llvm::StringRef name : names)
      words[&sema.Context.Idents.get(name)] = word;
  };
  add({"cilk_spawn", "_Cilk_spawn"}, Word::spawn);
  add({"cilk_sync", "_Cilk_sync"}, Word::sync);
  add({"cilk_for", "_Cilk_for"}, Word::unsupportedFor);
  add({"cilk_scope", "_Cilk_scope"}, Word::unsupportedScope);
  add({"cilk_reducer", "_Hyperobject"}, Word::unsupportedReducer);
  add({"_Cilk_alloca"}, Word::unsupportedName);
  add({"spawn"}, Word::bareSpawn);
  add({"sync"}, Word::bareSync);
  add({"cilk"}, Word::bareCilk);
  add({"abort"}, Word::bareAbort);
  add({"inlet"}, Word::bareInlet);
  add({"SYNCHED"}, Word::bareSynched);
}

void Keywords::watch(const Token &watched) {
  // The reference is to the token that the parser is about to get.
  auto &token = const_cast<Token &>(watched);
  if (skipping)
    return;
  if (inInlet && token.isOneOf(tok::l_brace, tok::semi)) {
    inInlet = false;
    dropBody(token);
  }
  if (token.is(tok::identifier)) {
    auto word = words.find(token.getIdentifierInfo());
    if (word != words.end()) {
      recognise(token, word->second);
      return;
    }
  }
  previousSpawn = SourceLocation();
  context.advance(token);
}

void Keywords::recognise(Token &token, Word word) {
  switch (word) {
  case Word::spawn:
    return spawn(token);
  case Word::sync:
    return sync(token);
  case Word::bareSpawn:
    if (bareSpawnAllowed(token))
      return spawn(token);
    break;
  case Word::bareSync:
    if (statementAllowed(token))
      return sync(token);
    break;
  case Word::bareCilk:
    if (specifierAllowed(token)) {
      swallow(token);
      procedures.insert(token.getLocation());
      return;
    }
    break;
  case Word::bareAbort:
    if (statementAllowed(token))
      return unsupported(token, word);
    break;
  case Word::bareInlet:
    if (specifierAllowed(token))
      return unsupported(token, word);
    break;
  case Word::bareSynched:
    if (nameAllowed(token))
      return synched(token);
    break;
  case Word::unsupportedFor:
  case Word::unsupportedScope:
  case Word::unsupportedReducer:
    return unsupported(token, word);
  case Word::unsupportedName:
    if (context.place() != Place::declarator && !visible(token))
      return unsupported(token, word);
    break;
  }
  previousSpawn = SourceLocation();
  context.advance(token);
}

void Keywords::spawn(Token &token) {
  SpawnWord word{token.getLocation(), token.getIdentifierInfo()->getName()};
  if (previousSpawn.isValid()) {
    error(sema.Diags, word.location, "'%0' of a spawn") << word.spelling;
    note(sema.Diags, previousSpawn, "spawned here already");
    return swallow(token);
  }
  if (!sema.getCurFunctionDecl()) {
    error(sema.Diags, word.location, "'%0' outside a function")
        << word.spelling;
    if (context.place() == Place::statement) {
      // Of what follows the parser would make a strange declaration.
      do
        sema.PP.Lex(token);
      while (!token.isOneOf(tok::semi, tok::eof));
      return;
    }
  } else if (nextIs(tok::l_brace)) {
    if (context.place() != Place::statement)
      error(sema.Diags, word.location,
            "a spawned block must be a statement of its own");
    swallow(token);
    table.addBlock(token.getLocation(), word);
    return;
  } else {
    table.addSpawn(word);
  }
  previousSpawn = word.location;
  token.setKind(tok::kw___extension__);
  context.advanceOperator();
}

void Keywords::sync(Token &token) {
  SourceLocation location = token.getLocation();
  if (!sema.getCurFunctionDecl()) {
    error(sema.Diags, location, "'%0' outside a function")
        << token.getIdentifierInfo()->getName();
    swallow(token);
    return;
  }
  table.addSync();
  replace(token, builder.call(table.syncFunction, {}, location));
}

void Keywords::synched(Token &token) {
  SourceLocation location = token.getLocation();
  if (sema.getCurFunctionDecl())
    return replace(token, builder.call(table.synchedFunction, {}, location));
  error(sema.Diags, location, "'%0' outside a function")
      << token.getIdentifierInfo()->getName();
  replaceByZero(token);
}

void Keywords::unsupported(Token &token, Word word) {
  error(sema.Diags, token.getLocation(), "'%0' is not supported yet")
      << token.getIdentifierInfo()->getName();
  if (word == Word::bareInlet)
    note(sema.Diags, token.getLocation(),
         "assign with 'x op= spawn f()', or combine the results after the "
         "sync");
  else if (word == Word::bareAbort)
    note(sema.Diags, token.getLocation(),
         "have the children look at a variable that says to stop");
  else if (word == Word::unsupportedReducer)
    note(sema.Diags, token.getLocation(),
         "give each child a variable of its own, and combine them after the "
         "sync");
  table.addRefused();
  // Leave something that parses, so that this stays the only error.
  switch (word) {
  case Word::unsupportedFor:
    token.setKind(tok::kw_for);
    break;
  case Word::bareAbort:
    return sync(token);
  case Word::unsupportedReducer:
    return dropWithArguments(token);
  case Word::bareInlet:
    inInlet = true;
    return swallow(token);
  case Word::unsupportedScope:
    return swallow(token);
  default:
    if (nextIs(tok::l_paren))
      return swallow(token);
    return replaceByZero(token);
  }
  previousSpawn = SourceLocation();
  context.advance(token);
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
  QualType type = sema.Context.IntTy;
  llvm::APInt zero(sema.Context.getIntWidth(type), 0);
  replace(token, IntegerLiteral::Create(sema.Context, zero, type,
                                        token.getLocation()));
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

template <typename... Kinds> bool Keywords::nextIs(Kinds... kinds) const {
  // While it backtracks, the preprocessor has no current lexer to look into.
  return !sema.PP.isBacktrackEnabled() && sema.PP.isNextPPTokenOneOf(kinds...);
}

const NamedDecl *Keywords::visible(const Token &token) const {
  Scope *scope = sema.getCurScope();
  if (!scope)
    return nullptr;
  return sema.LookupSingleName(scope, token.getIdentifierInfo(),
                               token.getLocation(), Sema::LookupOrdinaryName);
}

bool Keywords::taken(const Token &token) const {
  return !inMode(token, LanguageMode::cilk) && visible(token);
}

bool Keywords::bareSpawnAllowed(const Token &token) const {
  return context.place() != Place::declarator &&
         context.place() != Place::afterSpecifier &&
         !inMode(token, LanguageMode::c) &&
         nextIs(tok::identifier, tok::raw_identifier, tok::l_paren,
                tok::l_brace, tok::numeric_constant, tok::string_literal) &&
         !taken(token);
}

bool Keywords::statementAllowed(const Token &token) const {
  if (context.place() != Place::statement || !sema.getCurFunctionDecl() ||
      inMode(token, LanguageMode::c) || !nextIs(tok::semi))
    return false;
  return !taken(token) || isa<FunctionDecl>(visible(token));
}

bool Keywords::specifierAllowed(const Token &token) const {
  if (inMode(token, LanguageMode::cilk))
    return !context.afterMember();
  return context.place() != Place::declarator &&
         context.place() != Place::afterParens &&
         !inMode(token, LanguageMode::c) &&
         nextIs(tok::identifier, tok::raw_identifier, tok::kw_int, tok::kw_void,
                tok::kw_char, tok::kw_short, tok::kw_long, tok::kw_float,
                tok::kw_double, tok::kw_signed, tok::kw_unsigned, tok::kw__Bool,
                tok::kw_struct, tok::kw_union, tok::kw_enum, tok::kw_const,
                tok::kw_static, tok::kw_extern, tok::kw_inline) &&
         !taken(token);
}

bool Keywords::nameAllowed(const Token &token) const {
  return context.place() != Place::declarator &&
         !inMode(token, LanguageMode::c) && !taken(token);
}

} // namespace cilk2chan
