//===- Parts.h - The parts of a run's page ----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function makes a part as HTML, a picture with a caption, for example:
//
//   std::string html = drawTimeline(run);     // "<section id=\"timeline\">..."
//
// It is "" if the machine has none of the counters of this part.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_REPORT_PARTS_H
#define CHANSIM_REPORT_PARTS_H

#include "RunData.h"

#include "llvm/ADT/ArrayRef.h"

namespace chansim::report {

/// What happened when: curves over the cycles of the run.
std::string drawTimeline(const RunData &run);
/// How long each core had a tile, and how busy kinds of units were.
std::string drawUtilisation(const RunData &run);
/// How many lanes took part in instructions.
std::string drawDivergence(const RunData &run);
/// Where accesses found their lines, cache by cache.
std::string drawCaches(const RunData &run);
/// What cores and the aggregator did with their cycles.
std::string drawCycles(const RunData &run);
/// The lines of C that cost most.
std::string listLines(const RunData &run);

/// The whole page.  `command` is the program and its arguments.
std::string makePage(const RunData &run, llvm::ArrayRef<std::string> command);

} // namespace chansim::report

#endif // CHANSIM_REPORT_PARTS_H
