//===- Summary.cpp - What matters most of a run ---------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "session/Reports.h"

#include <cmath>
#include <cstdio>

namespace chansim {
namespace {

enum class Style : uint8_t { count, percent, ratio };

struct Row {
  const char *label, *name;
  Style style;
  /// What it is part of, after the number.
  const char *note;
};

constexpr Row kRows[] = {
    {"cycles", "run.cycles", Style::count, "of the core's clock"},
    {"  with a tile on the core", "bbs.cycles", Style::count, ""},
    {"  with threads on the fabric", "bbs.cycles_streaming", Style::count, ""},
    {"  waiting for configurations", "bbs.fetching_share", Style::percent,
     "of cycles with a tile"},
    {"  reconfiguring", "bbs.configuring_share", Style::percent,
     "of cycles with a tile"},
    {"tiles", "core.tiles", Style::count, ""},
    {"threads", "core.threads", Style::count, ""},
    {"blocks configured", "bbs.blocks", Style::count, ""},
    {"threads through blocks", "bbs.threads", Style::count, ""},
    {"FPU-ALU utilisation", "fabric.fpu_alu_utilisation", Style::percent, ""},
    {"SCU utilisation", "fabric.scu_utilisation", Style::percent, ""},
    {"LDST utilisation", "fabric.ldst_utilisation", Style::percent, ""},
    {"LVU utilisation", "fabric.lvu_utilisation", Style::percent, ""},
    {"SJU utilisation", "fabric.sju_utilisation", Style::percent, ""},
    {"CVU utilisation", "fabric.cvu_utilisation", Style::percent, ""},
    {"L1 hits", "l1.hit_rate", Style::percent, "of accesses"},
    {"LVC hits", "lvc.hit_rate", Style::percent, "of accesses"},
    {"L2 hits", "l2.hit_rate", Style::percent, "of accesses"},
    {"atomic operations", "memory.atomics", Style::count, ""},
    {"DRAM lines read", "dram.reads", Style::count, ""},
    {"DRAM lines written", "dram.writes", Style::count, ""},
    {"system calls", "fabric.syscalls", Style::count, ""},
    {"warp instructions", "simt.instructions", Style::count, ""},
    {"lanes that take part", "simt.lane_share", Style::percent, "of a warp's"},
    {"system calls", "simt.syscalls", Style::count, ""},
    {"LVC accesses", "rows.lvc_share", Style::ratio,
     "of a register file's (MICRO'15, Figure 3: about 0.1)"},
};

} // namespace

std::string roundedText(double number) {
  static constexpr const char *units[] = {"", " thousand", " million",
                                          " billion", " trillion"};
  size_t unit = 0;
  for (; unit + 1 != std::size(units) && number >= 999.5; ++unit)
    number /= 1000;
  int digits = unit == 0 || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
  char text[48];
  std::snprintf(text, sizeof text, "%.*f%s", digits, number, units[unit]);
  return text;
}

std::string summarize(const RunInfo &run, const Statistics &statistics) {
  std::string text = run.program + " on " + run.machine.name;
  if (uint32_t cores = run.machine.cores; cores > 1)
    text += ", " + std::to_string(cores) + " cores (their cycles are added up)";
  text += "\n";
  for (const Row &row : kRows) {
    std::optional<double> value = statistics.find(row.name);
    if (!value || *value == 0)
      continue;
    char number[32], line[128];
    if (row.style == Style::count)
      std::snprintf(number, sizeof number, "%.0f", *value);
    else if (row.style == Style::percent)
      std::snprintf(number, sizeof number, "%.2f %%", *value * 100);
    else
      std::snprintf(number, sizeof number, "%.3f", *value);
    std::snprintf(line, sizeof line, "  %-30s %16s", row.label, number);
    text += line;
    text += *row.note ? std::string(" ") + row.note + "\n" : "\n";
  }
  if (run.host) {
    auto host = [&](const char *name) {
      return run.host->find(name).value_or(0);
    };
    char line[160];
    std::snprintf(line, sizeof line,
                  "  simulated in %.1f s, %.1f s of processor time: %s cycles "
                  "per second, %s firings per second\n",
                  host("host.milliseconds") / 1000,
                  host("host.processor_milliseconds") / 1000,
                  roundedText(host("host.cycles_per_second")).c_str(),
                  roundedText(host("host.firings_per_second")).c_str());
    text += line;
  }
  return text;
}

} // namespace chansim
