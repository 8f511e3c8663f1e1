//===- WarningPragmas.h - Warnings by command line and pragma ---*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_WARNINGPRAGMAS_H
#define CILK2CHAN_LIB_FRONTEND_WARNINGPRAGMAS_H

#include "cilk2chan/Frontend/FrontendOptions.h"

namespace clang {
class Preprocessor;
} // namespace clang

namespace cilk2chan {

/// Has Clang's diagnostics engine know what the command line says of our
/// warnings, and what `#pragma clang diagnostic` and `#pragma GCC diagnostic`
/// say of them from where on.  `warnings` must outlive the preprocessor.
void addWarningPragmas(clang::Preprocessor &preprocessor,
                       const FrontendOptions::Warnings &warnings);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_WARNINGPRAGMAS_H
