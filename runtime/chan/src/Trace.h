//===- Trace.h - What CHAN_TRACE writes -------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_TRACE_H
#define CHAN_SRC_TRACE_H

#include "Output.h"

namespace chan {

/// Writes a trace of all workers as trace events for Perfetto, from `began` to
/// `ended` of CLOCK_MONOTONIC. REQUIRES: destination.isOwn().
void writeTrace(const Destination &destination, uint64_t began, uint64_t ended);

} // namespace chan

#endif // CHAN_SRC_TRACE_H
