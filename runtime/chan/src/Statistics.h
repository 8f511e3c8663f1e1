//===- Statistics.h - What CHAN_STATS writes --------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_STATISTICS_H
#define CHAN_SRC_STATISTICS_H

#include "Output.h"

namespace chan {

/// Writes the statistics of all workers, which cover `nanoseconds`: a summary,
/// and a table of all levels if `withLevels`. The format is JSON, with all
/// levels, if the file's name ends in .json. REQUIRES: destination.isOwn().
void writeStatistics(const Destination &destination, bool withLevels,
                     uint64_t nanoseconds);

/// Writes a trace of all workers as trace events for Perfetto, from `began` to
/// `ended` of CLOCK_MONOTONIC. REQUIRES: destination.isOwn().
void writeTrace(const Destination &destination, uint64_t began, uint64_t ended);

} // namespace chan

#endif
