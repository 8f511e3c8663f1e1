//===- Diagnostics.h - Diagnostics after parsing ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_TARGET_DIAGNOSTICS_H
#define CILK2CHAN_TARGET_DIAGNOSTICS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clang {
class CodeGenerator;
class CompilerInstance;
} // namespace clang

namespace cilk2chan {

/// The place that debug information calls `path`:`line`:`column` (from 1), or
/// an invalid location if no such file was read.
clang::SourceLocation locate(clang::CompilerInstance &instance,
                             llvm::StringRef path, unsigned line,
                             unsigned column);

/// Where the function that became `symbol`, or what is made of it (a kernel),
/// is defined; an invalid location if C has no such function.
clang::SourceLocation locate(clang::CodeGenerator &codeGen,
                             llvm::StringRef symbol);

/// Reports diagnostic `id` of these arguments at `location` (which may be
/// invalid) when the file has been parsed.
void reportLate(clang::CompilerInstance &instance,
                clang::SourceLocation location, unsigned id,
                llvm::ArrayRef<std::string> arguments,
                llvm::StringRef flagValue = {});

} // namespace cilk2chan

#endif // CILK2CHAN_TARGET_DIAGNOSTICS_H
