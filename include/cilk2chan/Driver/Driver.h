//===- Driver.h - The compiler driver ---------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DRIVER_DRIVER_H
#define CILK2CHAN_DRIVER_DRIVER_H

#include "llvm/ADT/ArrayRef.h"

namespace cilk2chan {

/// Does what the command line `argv` (with the program's name first) asks for:
/// preprocesses, compiles, assembles and links as clang would, with C files
/// compiled to channel-flow graphs.
///
/// Returns the exit status: 0, or 1 (or what the failing tool returned) after
/// a diagnostic on stderr; then no output file is left behind.  Uses LLVM's
/// process-wide state: call it from one thread only.
int runDriver(llvm::ArrayRef<const char *> argv);

} // namespace cilk2chan

#endif // CILK2CHAN_DRIVER_DRIVER_H
