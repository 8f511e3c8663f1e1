//===- Reports.h - What a run is reported as --------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_REPORTS_H
#define CHANSIM_REPORTS_H

#include "core/Kernel.h"
#include "machine/Machine.h"
#include "results/Statistics.h"

#include <span>
#include <string>

namespace chansim {

/// Where the time of blocks and their nodes went, for `chansim annotate`: see
/// docs/Simulator.md.
std::string reportLines(const RunInfo &run,
                        std::span<const KernelCode *const> kernels);

/// "fib on micro15-vgiw", and why the run failed.
std::string summaryHead(const RunInfo &run);
/// What matters most of a run on a machine of its kind, as a table for people.
std::string summarize(const RunInfo &run, const Statistics &statistics);

/// What the cores of a machine do: firings of units, or instructions of warps.
struct WorkRate {
  const char *name;
  /// Of processor time.
  double perSecond;
};
/// As `run.host` is now.
WorkRate workRate(const RunInfo &run, const Statistics &statistics);

/// 1234567 as "1.23 million".
std::string roundedText(double number);

} // namespace chansim

#endif // CHANSIM_REPORTS_H
