//===- Diagnostics.h - Diagnostics after parsing ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_TARGET_DIAGNOSTICS_H
#define CILK2CHAN_TARGET_DIAGNOSTICS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace cilk2chan {

/// The place that debug information calls `path`:`line`:`column` (from 1), or
/// an invalid location if no such file was read.
clang::SourceLocation locate(clang::CompilerInstance &instance,
                             llvm::StringRef path, unsigned line,
                             unsigned column);

/// Reports diagnostic `id`, whose one argument is `message`, at `location`
/// (which may be invalid) when the file has been parsed.
void reportLate(clang::CompilerInstance &instance,
                clang::SourceLocation location, unsigned id,
                llvm::StringRef message, llvm::StringRef flagValue = {});

} // namespace cilk2chan

#endif // CILK2CHAN_TARGET_DIAGNOSTICS_H
