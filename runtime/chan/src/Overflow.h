//===- Overflow.h - Reporting an exhausted stack ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_OVERFLOW_H
#define CHAN_SRC_OVERFLOW_H

namespace chan {

/// Makes a fault on the guard of a worker's stack end the process with the
/// out-of-memory message. Other faults go to the previous handler. Called once.
void installOverflowHandler();

/// Restores the previous handler. For the end of the process or of the library
/// that holds the runtime. May be called without an install.
void removeOverflowHandler();

} // namespace chan

#endif
