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

/// Writes the statistics of all `workers` workers, which cover `nanoseconds`: a
/// summary, and a table of all levels if `withLevels`. The format is JSON, with
/// all levels, if the file's name ends in .json. REQUIRES: destination.isOwn().
void writeStatistics(const Destination &destination, bool withLevels,
                     uint64_t nanoseconds, uint32_t workers);

} // namespace chan

#endif
