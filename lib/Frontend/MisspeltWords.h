//===- MisspeltWords.h - Suggests a word of Cilk ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_MISSPELTWORDS_H
#define CILK2CHAN_LIB_FRONTEND_MISSPELTWORDS_H

namespace clang {
class Sema;
} // namespace clang

namespace cilk2chan {

/// Has Clang ask "did you mean 'cilk_spawn'?" where a name is not declared.
void suggestWords(clang::Sema &sema);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_MISSPELTWORDS_H
