//===- StatisticsSummary.h - The screen of CHAN_STATS=1 ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_STATISTICSSUMMARY_H
#define CHAN_SRC_STATISTICSSUMMARY_H

#include "Output.h"
#include "StatisticsRows.h"

namespace chan {

/// The part of a report that fits a screen: where tasks ran, where the time
/// went, which kernels are the slowest, and what the user can change.
void writeSummary(Output &out, const Rows &rows, const Tasks &tasks,
                  uint64_t nanoseconds, uint32_t workers);

} // namespace chan

#endif
