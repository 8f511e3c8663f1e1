//===- LanguageModes.h - Where the bare words are keywords ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_LANGUAGEMODES_H
#define CILK2CHAN_LIB_FRONTEND_LANGUAGEMODES_H

#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringMap.h"

namespace cilk2chan {

/// What `spawn`, `sync`, `cilk` and Cilk-5's other bare words are.
enum class LanguageMode {
  c,          ///< Identifiers.
  contextual, ///< Words of the language where C would allow no such name.
  cilk,       ///< Words of the language, whatever is declared by that name.
};

/// Knows the mode of each file: files named *.cilk and *.cilkh are Cilk, system
/// headers C, all others as the command line says; `#pragma lang +C` makes the
/// file that it stands in C from there on, `#pragma lang -C` makes it Cilk.
class LanguageModes {
public:
  /// Handles the pragma of `preprocessor`, which must not be used when this is
  /// gone.  `otherwise` is the mode of files that nothing else is said of.
  LanguageModes(clang::Preprocessor &preprocessor, LanguageMode otherwise);

  /// The mode at the token last read from the file of `location`.
  LanguageMode at(clang::SourceLocation location) const;

private:
  class LangPragma;

  llvm::StringRef fileOf(clang::SourceLocation location) const;

  const clang::SourceManager &sources;
  LanguageMode otherwise;
  /// What pragmas say, by the name of the file: that is what is left of a file
  /// in text that was preprocessed before.
  llvm::StringMap<LanguageMode> pragmas;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_LANGUAGEMODES_H
