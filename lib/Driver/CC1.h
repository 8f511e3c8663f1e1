//===- CC1.h - The compiler proper, in this process -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_CC1_H
#define CILK2CHAN_LIB_DRIVER_CC1_H

#include "cilk2chan/Driver/Options.h"
#include "llvm/ADT/SmallVector.h"

namespace cilk2chan {

/// Runs the -cc1 jobs that clang's driver makes.  C goes through the pipeline
/// wherever code or diagnostics come out; all else (preprocessing, other
/// languages) is clang's.
class CC1 {
public:
  explicit CC1(CompileOptions options) : options(std::move(options)) {}

  /// Runs one job, `arguments` being a program's name, "-cc1" and what follows.
  /// Returns its exit status.
  int run(llvm::SmallVectorImpl<const char *> &arguments);

private:
  CompileOptions options;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_CC1_H
