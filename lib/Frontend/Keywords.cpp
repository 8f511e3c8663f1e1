//===- Keywords.cpp - Recognising the words of the language ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Keywords.h"
#include "Diagnostics.h"
#include "GrainPragma.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace cilk2chan {

using Place = TokenContext::Place;

Keywords::Keywords(Sema &sema, SpawnTable &table, ChildBuilder &builder,
                   bool bareWords)
    : sema(sema), table(table), builder(builder),
      modes(sema.PP, bareWords ? LanguageMode::contextual : LanguageMode::c) {
  addGrainPragmas(sema.PP, *this);
  auto add = [&](llvm::ArrayRef<llvm::StringRef> names, Word word) {
    for (llvm::StringRef name : names)
      words[&sema.Context.Idents.get(name)] = word;
  };
  add({"cilk_spawn", "_Cilk_spawn"}, Word::spawn);
  add({"cilk_sync", "_Cilk_sync"}, Word::sync);
  add({"cilk_for", "_Cilk_for"}, Word::loop);
  add({"cilk_scope", "_Cilk_scope"}, Word::scope);
  add({"cilk_reducer", "_Hyperobject"}, Word::reducer);
  add({"_Cilk_alloca"}, Word::unsupportedName);
  add({"spawn"}, Word::bareSpawn);
  add({"sync"}, Word::bareSync);
  add({"cilk"}, Word::bareCilk);
  add({"abort"}, Word::bareAbort);
  add({"inlet"}, Word::bareInlet);
  add({"SYNCHED"}, Word::bareSynched);
  add({"shared"}, Word::bareShared);
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
  auto word = words.end();
  if (token.is(tok::identifier))
    word = words.find(token.getIdentifierInfo());
  bool known = word != words.end();
  // Between a grainsize and its loop other pragmas may stand.
  if (previousGrain.isValid() && !tok::isPragmaAnnotation(token.getKind()) &&
      !(known && word->second == Word::loop)) {
    error(sema.Diags, previousGrain,
          "a grainsize must be followed by a 'cilk_for' loop");
    previousGrain = SourceLocation();
  }
  if (token.is(tok::kw_else) && token.getLocation() == grainLocation)
    previousGrain = grainLocation;
  if (known) {
    recognise(token, word->second);
    return;
  }
  previousSpawn = SourceLocation();
  if (token.is(tok::semi))
    arrayNotation = false;
  if (token.is(tok::colon) && context.atSection())
    return section(token);
  if (isSectionFunction(token))
    return sectionFunction(token);
  context.advance(token);
}

void Keywords::recognise(Token &token, Word word) {
  switch (word) {
  case Word::spawn:
    return spawn(token);
  case Word::sync:
    return sync(token);
  case Word::loop:
    return loop(token);
  case Word::scope:
    return scope(token);
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
  case Word::bareShared:
    if (sharedAllowed(token))
      return swallow(token);
    break;
  case Word::bareSynched:
    if (nameAllowed(token))
      return synched(token);
    break;
  case Word::reducer:
    return reducer(token);
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
  if (outsideFunction(token)) {
    // Of what follows the parser would make a strange declaration.
    if (context.place() == Place::statement)
      return skipStatement(token);
  } else if (Token next = peek(); next.is(tok::l_brace)) {
    if (context.place() != Place::statement)
      error(sema.Diags, word.location,
            "a spawned block must be a statement of its own");
    swallow(token);
    table.addBlock(token.getLocation(), word);
    return;
  } else if (context.place() == Place::statement && beginsStatement(next)) {
    table.addBlock(word.location, word);
    return label(token);
  } else {
    table.addSpawn(word);
  }
  previousSpawn = word.location;
  token.setKind(tok::kw___extension__);
  context.advanceOperator();
}

/// Whether a statement begins with the token that is no expression.
bool Keywords::beginsStatement(const Token &token) const {
  if (token.is(tok::identifier)) {
    auto word = words.find(token.getIdentifierInfo());
    return word != words.end() &&
           (word->second == Word::loop || word->second == Word::scope);
  }
  return token.isOneOf(tok::kw_for, tok::kw_if, tok::kw_while, tok::kw_do,
                       tok::kw_switch, tok::kw_goto, tok::kw_break,
                       tok::kw_continue, tok::kw_return);
}

void Keywords::sync(Token &token) {
  SourceLocation location = token.getLocation();
  if (outsideFunction(token))
    return swallow(token);
  if (peek().is(tok::l_paren)) {
    error(sema.Diags, location, "'%0' is no function: write '%0;'")
        << token.getIdentifierInfo()->getName();
    dropArguments();
  }
  table.addSync();
  replace(token, builder.call(table.syncFunction, {}, location));
}

void Keywords::loop(Token &token) {
  if (outsideFunction(token))
    return skipStatement(token);
  table.addLoop({token.getLocation(), token.getIdentifierInfo()->getName()});
  token.setKind(tok::kw_for);
  previousGrain = SourceLocation();
  previousSpawn = SourceLocation();
  context.advance(token);
}

void Keywords::scope(Token &token) {
  SpawnWord word{token.getLocation(), token.getIdentifierInfo()->getName()};
  if (outsideFunction(token))
    return skipStatement(token);
  if (context.place() != Place::statement) {
    error(sema.Diags, word.location, "'%0' must be a statement of its own")
        << word.spelling;
    return swallow(token);
  }
  if (peek().is(tok::l_brace)) {
    swallow(token);
    table.addScope(token.getLocation(), word);
    return;
  }
  table.addScope(word.location, word);
  label(token);
}

bool Keywords::outsideFunction(const Token &token) {
  // Behind the `}` of a function, the parser is still in it.
  if (sema.getCurFunctionDecl() && !context.atFileScope())
    return false;
  error(sema.Diags, token.getLocation(), "'%0' outside a function")
      << token.getIdentifierInfo()->getName();
  return true;
}

void Keywords::grain(const Token &pragma, llvm::ArrayRef<Token> operand) {
  SourceLocation location = grainLocation = pragma.getLocation();
  if (!sema.getCurFunctionDecl()) {
    error(sema.Diags, location, "a grainsize outside a function");
    note(sema.Diags, location,
         "write it in front of the 'cilk_for' that it is for");
    return;
  }
  // The user wrote no `else` that could dangle.
  sema.Diags.pushMappings(location);
  sema.Diags.setSeverity(diag::warn_dangling_else, diag::Severity::Ignored,
                         location);
  sema.Diags.popMappings(operand.back().getLocation());
  auto tokens = std::make_unique<Token[]>(operand.size() + 11);
  size_t count = 0;
  auto add = [&](tok::TokenKind kind, SourceLocation where) -> Token & {
    Token &token = tokens[count++];
    token.startToken();
    token.setKind(kind);
    token.setLocation(where);
    return token;
  };
  auto addExpression = [&](Expr *expression) {
    Token &token = add(tok::annot_primary_expr, location);
    token.setAnnotationEndLoc(location);
    token.setAnnotationValue(ExprResult(expression).getAsOpaquePointer());
  };
  add(tok::kw_if, location);
  add(tok::l_paren, location);
  addExpression(builder.reference(table.grainFunction, location));
  add(tok::l_paren, location);
  for (const Token &token : operand)
    tokens[count++] = token;
  add(tok::r_paren, location);
  add(tok::ampamp, location);
  addExpression(builder.integer(sema.Context.IntTy, 0, location));
  add(tok::r_paren, location);
  add(tok::l_brace, location);
  add(tok::r_brace, location);
  add(tok::kw_else, location);
  sema.PP.EnterTokenStream(std::move(tokens), count,
                           /*DisableMacroExpansion=*/true,
                           /*IsReinject=*/false);
}

void Keywords::synched(Token &token) {
  SourceLocation location = token.getLocation();
  if (outsideFunction(token))
    return replaceByZero(token);
  replace(token, builder.call(table.synchedFunction, {}, location));
}

/// `cilk_reducer(identity, reduce)` becomes the annotation of a type,
/// `[[clang::annotate_type("cilk_reducer", identity, reduce)]]`.
void Keywords::reducer(Token &token) {
  // The headers' own macros are of no interest.
  SourceManager &sources = sema.SourceMgr;
  SourceLocation location = sources.getFileLoc(token.getLocation());
  if (!nextIs(tok::l_paren)) {
    error(sema.Diags, location,
          "a reducer has an identity function and a reduce function: "
          "'%0(identity, reduce)'")
        << token.getIdentifierInfo()->getName();
    table.addRefused();
    return swallow(token);
  }
  llvm::SmallVector<Token, 24> annotation;
  auto add = [&](tok::TokenKind kind, llvm::StringRef name = {}) -> Token & {
    Token &added = annotation.emplace_back();
    added.startToken();
    added.setKind(kind);
    added.setLocation(location);
    if (!name.empty())
      added.setIdentifierInfo(&sema.Context.Idents.get(name));
    return added;
  };
  add(tok::l_square);
  add(tok::l_square);
  add(tok::identifier, "clang");
  add(tok::coloncolon);
  add(tok::identifier, "annotate_type");
  add(tok::l_paren);
  static constexpr llvm::StringLiteral text = "\"cilk_reducer\"";
  Token &string = add(tok::string_literal);
  string.setLiteralData(text.data());
  string.setLength(text.size());
  add(tok::comma);
  takeArguments(annotation);
  add(tok::r_square);
  add(tok::r_square);
  // In C before C23 this is an extension, but not the program's. All tokens are
  // at one place, also those of a second reducer in the same macro.
  if (location != reducerLocation) {
    reducerLocation = location;
    sema.Diags.pushMappings(location);
    for (unsigned extension :
         {diag::warn_ext_c23_attributes, diag::warn_pre_c23_compat_attributes})
      sema.Diags.setSeverity(extension, diag::Severity::Ignored, location);
    sema.Diags.popMappings(location.getLocWithOffset(1));
  }
  token = annotation.front();
  enter(llvm::ArrayRef(annotation).drop_front());
  context.advance(token);
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
  table.addRefused();
  // Leave something that parses, so that this stays the only error.
  switch (word) {
  case Word::bareAbort:
    return sync(token);
  case Word::bareInlet:
    inInlet = true;
    return swallow(token);
  default:
    if (nextIs(tok::l_paren))
      return swallow(token);
    return replaceByZero(token);
  }
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

/// Whether a specifier, a type or a name follows.
bool Keywords::nextDeclares() const {
  return nextIs(tok::identifier, tok::raw_identifier, tok::kw_int, tok::kw_void,
                tok::kw_char, tok::kw_short, tok::kw_long, tok::kw_float,
                tok::kw_double, tok::kw_signed, tok::kw_unsigned, tok::kw__Bool,
                tok::kw_struct, tok::kw_union, tok::kw_enum, tok::kw_const,
                tok::kw_static, tok::kw_extern, tok::kw_inline);
}

bool Keywords::specifierAllowed(const Token &token) const {
  if (inMode(token, LanguageMode::cilk))
    return !context.afterMember();
  return context.place() != Place::declarator &&
         context.place() != Place::afterParens &&
         !inMode(token, LanguageMode::c) && nextDeclares() && !taken(token);
}

/// `shared` says nothing, in front of a declaration or, as `const` may, behind
/// its type.  It is a name where one is declared or C has no other place for
/// it.
bool Keywords::sharedAllowed(const Token &token) const {
  return inMode(token, LanguageMode::cilk) && !context.afterMember() &&
         !visible(token) && nextDeclares();
}

bool Keywords::nameAllowed(const Token &token) const {
  return context.place() != Place::declarator &&
         !inMode(token, LanguageMode::c) && !taken(token);
}

} // namespace cilk2chan
