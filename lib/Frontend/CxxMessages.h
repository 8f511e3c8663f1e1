//===- CxxMessages.h - C++ that spawns, and C++ in C ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_CXXMESSAGES_H
#define CILK2CHAN_LIB_FRONTEND_CXXMESSAGES_H

#include "clang/Lex/Preprocessor.h"

namespace cilk2chan {

/// Has C that includes a header of C++'s library say what that is, and no more.
void refuseCxxHeaders(clang::Preprocessor &preprocessor);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_CXXMESSAGES_H
