//===- CC1.h - The compiler proper, in this process -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_CC1_H
#define CILK2CHAN_LIB_DRIVER_CC1_H

#include "llvm/ADT/SmallVector.h"

namespace cilk2chan {

/// Runs one of the -cc1 jobs that the driver makes, `arguments` being a
/// program's name, "-cc1", cilk2chan's flags and Clang's.  C goes through the
/// pipeline wherever code or diagnostics come out; all else (preprocessing,
/// other languages) is Clang's.  Returns the job's exit status.
int runCC1(llvm::SmallVectorImpl<const char *> &arguments);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_CC1_H
