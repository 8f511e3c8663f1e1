//===- Keywords.h - Recognising the words of the language -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_KEYWORDS_H
#define CILK2CHAN_LIB_FRONTEND_KEYWORDS_H

#include "ChildBuilder.h"
#include "LanguageModes.h"
#include "SpawnTable.h"
#include "TokenContext.h"
#include "clang/Sema/Sema.h"

namespace cilk2chan {

/// Watches the tokens on their way from the preprocessor to the parser and
/// changes those that belong to the language, so that Clang's parser reads
/// them:
///
/// - cilk_spawn, _Cilk_spawn, spawn become `__extension__`; in front of a block
///   they vanish, and the block is remembered; in front of another statement
///   they become a label, which is remembered;
/// - cilk_sync, _Cilk_sync, sync become an expression, a call of
///   SpawnTable::syncFunction;
/// - cilk_for, _Cilk_for become `for`, and the loop is remembered;
/// - cilk_scope, _Cilk_scope do the same as in front of a block or statement;
/// - a grainsize pragma becomes `if (SpawnTable::grainFunction(n) && 0) {}
/// else`;
/// - cilk_reducer(...), _Hyperobject(...) become the annotation of a type;
/// - cilk vanishes, and so does shared;
/// - SYNCHED becomes a call of SpawnTable::synchedFunction.
///
/// In files that are Cilk (LanguageModes) the bare words are recognised
/// whatever else has that name.  In others they are recognised where C would
/// allow nothing of that name: `sync` as the statement `sync;`, `spawn` in
/// front of a call, `cilk` in front of a declaration; and not where a
/// declaration of that name is visible (libc's function sync does not count for
/// `sync;`).
class Keywords {
public:
  /// `bareWords` says whether `spawn`, `sync` and `cilk` are known outside
  /// Cilk's own files.
  Keywords(clang::Sema &sema, SpawnTable &table, ChildBuilder &builder,
           bool bareWords);

  /// Called by the preprocessor for each token, once.  The token is the
  /// preprocessor's own and is changed in place.
  void watch(const clang::Token &token);

  /// Puts the operand of a grainsize pragma, tokens up to the end of the
  /// directive, in front of the loop that follows.
  void grain(const clang::Token &pragma, llvm::ArrayRef<clang::Token> operand);
  /// Whether the declaration of `function` begins with `cilk`.
  bool isProcedure(const clang::FunctionDecl *function) const {
    return procedures.contains(function->getBeginLoc());
  }

  /// Whether a reducer has been read.
  bool hasReducers() const { return reducerLocation.isValid(); }

  /// Whether the language at `location` is Cilk whatever the context.
  bool inCilk(clang::SourceLocation location) const {
    return modes.at(location) == LanguageMode::cilk;
  }

private:
  enum class Word {
    spawn,
    sync,
    loop,
    scope,
    bareSpawn,
    bareSync,
    bareCilk,
    bareAbort,
    bareInlet,
    bareSynched,
    bareShared,
    reducer,
    unsupportedName,
  };

  void recognise(clang::Token &token, Word word);
  void spawn(clang::Token &token);
  void sync(clang::Token &token);
  void loop(clang::Token &token);
  void scope(clang::Token &token);
  /// Reports a word outside of functions.
  bool outsideFunction(const clang::Token &token);
  void synched(clang::Token &token);
  void reducer(clang::Token &token);
  void unsupported(clang::Token &token, Word word);
  void refuseArrayNotation(clang::SourceLocation location);
  void section(clang::Token &token);
  bool isSectionFunction(const clang::Token &token) const;
  void sectionFunction(clang::Token &token);
  bool beginsStatement(const clang::Token &token) const;
  clang::Token peek();
  void enter(llvm::ArrayRef<clang::Token> tokens);
  void label(clang::Token &token);
  /// Puts an expression in place of the token.
  void replace(clang::Token &token, clang::Expr *expression);
  void replaceByZero(clang::Token &token);
  void skipStatement(clang::Token &token);
  /// Puts the next token in place of this one.
  void swallow(clang::Token &token);
  void dropArguments();
  /// Moves the list in parentheses that is known to follow, without its first
  /// parenthesis.
  void takeArguments(llvm::SmallVectorImpl<clang::Token> &to);
  /// Puts the next token in place, and drops the list in parentheses behind
  /// this token.
  void dropWithArguments(clang::Token &token);
  /// Makes a prototype of a definition: puts `;` in place of its body, of which
  /// `token` is the first, unless there is none.
  void dropBody(clang::Token &token);
  void skipBrackets(clang::Token &token);

  bool bareSpawnAllowed(const clang::Token &token) const;
  bool statementAllowed(const clang::Token &token) const;
  bool specifierAllowed(const clang::Token &token) const;
  bool sharedAllowed(const clang::Token &token) const;
  bool nameAllowed(const clang::Token &token) const;
  bool nextDeclares() const;
  const clang::NamedDecl *visible(const clang::Token &token) const;
  /// Whether something else of that name stands in the way of a bare word.
  bool taken(const clang::Token &token) const;
  bool inMode(const clang::Token &token, LanguageMode mode) const {
    return modes.at(token.getLocation()) == mode;
  }
  template <typename... Kinds> bool nextIs(Kinds... kinds) const;

  clang::Sema &sema;
  SpawnTable &table;
  ChildBuilder &builder;
  LanguageModes modes;
  llvm::DenseMap<const clang::IdentifierInfo *, Word> words;
  TokenContext context;
  /// What followed the word `cilk`.
  llvm::DenseSet<clang::SourceLocation> procedures;
  /// The spawn word just before this token, if that was one.
  clang::SourceLocation previousSpawn;
  /// The latest grainsize pragma; and the same while its loop is awaited.
  clang::SourceLocation grainLocation, previousGrain;
  /// How many have been made.
  unsigned labels = 0;
  /// The statement has array notation, which has been refused.
  bool arrayNotation = false;
  /// The latest reducer.
  clang::SourceLocation reducerLocation;
  /// Between the word `inlet` and the body.
  bool inInlet = false;
  /// The tokens are read here, and not by the parser.
  bool skipping = false;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_KEYWORDS_H
