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

enum class Style : uint8_t {
  count,
  percent,
  ratio,
  /// Picojoules, as microjoules.
  energy,
  /// Cycles of schedulers, as a share of those of all schedulers of busy cores.
  stall
};

struct Row {
  const char *label, *name;
  Style style;
  /// What it is part of, after the number.
  const char *note;
};

constexpr Row kTotal[] = {
    {"cycles", "run.cycles", Style::count, "of the core's clock"},
};

constexpr Row kVgiw[] = {
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
    {"work-groups through barriers", "bbs.barriers", Style::count, ""},
};

constexpr Row kSgmf[] = {
    {"  with a tile on the core", "sgmf.cycles", Style::count, ""},
    {"  with threads on the fabric", "sgmf.cycles_streaming", Style::count, ""},
    {"  waiting for configurations", "sgmf.cycles_fetching", Style::count, ""},
    {"  reconfiguring", "sgmf.cycles_configuring", Style::count, ""},
    {"tiles", "core.tiles", Style::count, ""},
    {"threads", "core.threads", Style::count, ""},
    {"kernels configured", "sgmf.configurations", Style::count, ""},
    {"threads that began anew", "sgmf.yields", Style::count, ""},
};

constexpr Row kFabric[] = {
    {"FPU-ALU utilisation", "fabric.fpu_alu_utilisation", Style::percent, ""},
    {"SCU utilisation", "fabric.scu_utilisation", Style::percent, ""},
    {"LDST utilisation", "fabric.ldst_utilisation", Style::percent, ""},
    {"LVU utilisation", "fabric.lvu_utilisation", Style::percent, ""},
    {"SJU utilisation", "fabric.sju_utilisation", Style::percent, ""},
    {"CVU utilisation", "fabric.cvu_utilisation", Style::percent, ""},
};

constexpr Row kSimtCycles[] = {
    {"  with a tile on the core", "simt.cycles", Style::count, ""},
};

constexpr Row kSimt[] = {
    {"tiles", "core.tiles", Style::count, ""},
    {"threads", "core.threads", Style::count, ""},
    {"warp instructions", "simt.instructions", Style::count, ""},
    {"IPC", "simt.ipc", Style::ratio,
     "warp instructions in a cycle with a tile"},
    {"lanes that take part", "simt.lane_share", Style::percent, "of a warp's"},
    {"stalled: no warp", "simt.stall_no_warp", Style::stall, ""},
    {"stalled: instructions to come", "simt.stall_fetch", Style::stall, ""},
    {"stalled: barriers", "simt.stall_barrier", Style::stall, ""},
    {"stalled: results", "simt.stall_result", Style::stall, ""},
    {"stalled: operand collectors", "simt.stall_collector", Style::stall, ""},
    {"stalled: special and f64 units", "simt.stall_special", Style::stall, ""},
    {"stalled: load/store queue", "simt.stall_load_store", Style::stall, ""},
    {"work-groups through barriers", "simt.barriers", Style::count, ""},
    {"loads and stores of warps", "simt.memory_instructions", Style::count, ""},
    {"lines of a load or store", "simt.lines_each", Style::ratio, ""},
    {"scratchpad instructions", "scratchpad.instructions", Style::count, ""},
    {"register bank conflicts", "registers.conflicts", Style::count, "cycles"},
};

constexpr Row kApuCycles[] = {
    {"  no wavefront on any core", "aggregator.gpu_blocked_cycles",
     Style::count, "cycles"},
};

constexpr Row kApu[] = {
    {"wavefronts", "aggregator.dispatches", Style::count, ""},
    {"  of continuations", "aggregator.continuations", Style::count, ""},
    {"  with idle lanes", "aggregator.partial", Style::count, ""},
    {"yields", "aggregator.wavefront_yields", Style::count, "of wavefronts"},
    {"levels", "aggregator.levels", Style::count, ""},
    {"aggregator's instructions", "aggregator.instructions", Style::count, ""},
    {"aggregator's IPC", "aggregator.ipc", Style::ratio,
     "instructions in a cycle of its core"},
};

constexpr Row kMemory[] = {
    {"L1 hits", "l1.hit_rate", Style::percent, "of accesses"},
    {"lines from another cache", "l1.cache_to_cache", Style::count, ""},
    {"LVC hits", "lvc.hit_rate", Style::percent, "of accesses"},
    {"L2 hits", "l2.hit_rate", Style::percent, "of accesses"},
    {"atomic operations", "memory.atomics", Style::count, ""},
    {"DRAM lines read", "dram.reads", Style::count, ""},
    {"DRAM lines written", "dram.writes", Style::count, ""},
    {"system calls", "fabric.syscalls", Style::count, ""},
    {"system calls", "simt.syscalls", Style::count, ""},
    {"LVC accesses", "rows.lvc_share", Style::ratio,
     "of a register file's (MICRO'15, Figure 3: about 0.1)"},
    {"energy, table horowitz", "energy.horowitz.total", Style::energy, "uJ"},
    {"energy, table gpuwattch", "energy.gpuwattch.total", Style::energy, "uJ"},
};

std::vector<std::span<const Row>> rowsOf(MachineKind kind) {
  switch (kind) {
  case MachineKind::vgiw:
    return {kTotal, kVgiw, kFabric, kMemory};
  case MachineKind::sgmf:
    return {kTotal, kSgmf, kFabric, kMemory};
  case MachineKind::simt:
    return {kTotal, kSimtCycles, kSimt, kMemory};
  case MachineKind::apu:
    return {kTotal, kApuCycles, kSimtCycles, kApu, kSimt, kMemory};
  }
  return {};
}

/// The text of a value that is not 0.
std::string numberText(Style style, double value, const Machine &machine,
                       const Statistics &statistics) {
  char number[32];
  switch (style) {
  case Style::count:
    std::snprintf(number, sizeof number, "%.0f", value);
    break;
  case Style::stall: {
    double all =
        machine.simt.schedulers * statistics.find("simt.cycles").value_or(0);
    std::snprintf(number, sizeof number, "%.2f %%",
                  all ? value / all * 100 : 0.0);
    break;
  }
  case Style::percent:
    std::snprintf(number, sizeof number, "%.2f %%", value * 100);
    break;
  case Style::ratio:
    std::snprintf(number, sizeof number, "%.3f", value);
    break;
  case Style::energy:
    std::snprintf(number, sizeof number, "%.3f", value / 1'000'000);
    break;
  }
  return number;
}

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

std::string summaryHead(const RunInfo &run) {
  std::string text = run.program + " on " + run.machine.name;
  if (uint32_t cores = run.machine.cores; cores > 1)
    text += ", " + std::to_string(cores) + " cores (their cycles are added up)";
  text += "\n";
  if (!run.failure.empty())
    text += "  FAILED: " + run.failure + "; what was counted until then:\n";
  return text;
}

WorkRate workRate(const RunInfo &run, const Statistics &statistics) {
  auto host = [&](const char *name) {
    return run.host ? run.host->find(name).value_or(0) : 0;
  };
  if (hasFabric(run.machine.kind))
    return {"firings", host("host.firings_per_second")};
  double milliseconds = host("host.processor_milliseconds");
  double instructions = statistics.find("simt.instructions").value_or(0);
  return {"warp instructions",
          milliseconds ? instructions * 1000 / milliseconds : 0};
}

std::string summarize(const RunInfo &run, const Statistics &statistics) {
  std::string text;
  for (std::span<const Row> rows : rowsOf(run.machine.kind))
    for (const Row &row : rows) {
      std::optional<double> value = statistics.find(row.name);
      if (!value || *value == 0)
        continue;
      char line[128];
      std::snprintf(
          line, sizeof line, "  %-30s %16s", row.label,
          numberText(row.style, *value, run.machine, statistics).c_str());
      text += line;
      std::string_view note = row.style == Style::stall
                                  ? "of the schedulers' cycles with a tile"
                                  : row.note;
      text += note.empty() ? "\n" : " " + std::string(note) + "\n";
    }
  if (run.host) {
    auto host = [&](const char *name) {
      return run.host->find(name).value_or(0);
    };
    WorkRate work = workRate(run, statistics);
    char line[160];
    std::snprintf(line, sizeof line,
                  "  simulated in %.1f s, %.1f s of processor time: %s cycles "
                  "per second, %s %s per second\n",
                  host("host.milliseconds") / 1000,
                  host("host.processor_milliseconds") / 1000,
                  roundedText(host("host.cycles_per_second")).c_str(),
                  roundedText(work.perSecond).c_str(), work.name);
    text += line;
  }
  return text;
}

} // namespace chansim
