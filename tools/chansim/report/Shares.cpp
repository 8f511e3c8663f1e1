//===- Shares.cpp - Pictures of shares: cores, lanes, caches, cycles ------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bars.h"
#include "Parts.h"
#include "Svg.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>

using llvm::StringRef;

namespace chansim::report {
namespace {

std::string section(StringRef id, StringRef title, const std::string &picture,
                    StringRef caption) {
  return ("<section id=\"" + id + "\"><h2>" + title + "</h2>\n" + picture +
          "<p>" + caption + "</p></section>\n")
      .str();
}

/// The counters of a fabric's core: "bbs" or "sgmf"; "" for a SIMT core.
std::string fabricOf(const RunData &run) {
  for (const char *prefix : {"bbs", "sgmf"})
    if (run.has(std::string(prefix) + ".cycles_streaming"))
      return prefix;
  return "";
}

/// Cycles with a tile, of all cores.
double busyCycles(const RunData &run) {
  std::string fabric = fabricOf(run);
  return run[(fabric.empty() ? "simt" : fabric) + ".cycles"];
}

/// "L1" and so on; the counters' prefix, and who its accesses are from.
struct CacheName {
  const char *prefix, *name, *next;
};
constexpr CacheName kCaches[] = {
    {"l1", "L1", "L2 or DRAM"},
    {"lvc", "live values (LVC)", "L2 or DRAM"},
    {"l1i", "instructions (L1I)", "L2 or DRAM"},
    {"aggregator.l1d", "aggregator's L1D", "L2 or DRAM"},
    {"aggregator.l1i", "aggregator's L1I", "L2 or DRAM"},
    {"l2", "L2", "DRAM"}};

/// Parts of accesses, as they are in the chart.
enum { Hit, Merged, Upgrade, Written, Other, Next, Dram, PutBack, CacheParts };

std::vector<double> cacheParts(const RunData &run, const std::string &prefix) {
  std::vector<double> parts(CacheParts);
  auto count = [&](const char *what) { return run[prefix + "." + what]; };
  parts[Hit] = count("hits");
  parts[Merged] = count("merged");
  parts[Upgrade] = count("upgrades");
  parts[Written] = count("validated") + count("passed");
  double misses = count("misses");
  if (prefix != "l2") {
    parts[Other] = std::min(count("cache_to_cache"), misses);
    parts[Next] = misses - parts[Other];
    return parts;
  }
  parts[Dram] = misses;
  if (!run.has("directory.forwards"))
    return parts;
  // Of a directory: what an owner answers is no hit in the L2's own data, and
  // lines that caches give up ask for nothing.
  parts[PutBack] = count("writes");
  parts[Other] = std::min(run["directory.forwards"], parts[Hit]);
  parts[Hit] -= parts[Other];
  return parts;
}

} // namespace

std::string drawUtilisation(const RunData &run) {
  double cycles = run["run.cycles"];
  // A core without time has no cycles with a tile.
  if (cycles == 0 || busyCycles(run) == 0)
    return "";
  bool isApu = run.has("aggregator.gpu_blocked_cycles");
  const std::string what = isApu ? " wavefront" : " tile";
  BarChart chart{"how long cores and units were busy",
                 "cycles",
                 {"cycles with a tile", "starts of an operation in a cycle"}};
  uint32_t cores = static_cast<uint32_t>(run.parameter("cores"));
  for (uint32_t i = 0; i != cores; ++i) {
    std::string core = "core." + std::to_string(i);
    double busy = cores == 1 ? busyCycles(run) : run[core + ".busy_cycles"];
    double tiles = cores == 1 ? run["core.tiles"] : run[core + ".tiles"];
    chart.bars.push_back({"core " + std::to_string(i),
                          {busy, 0},
                          cycles,
                          fullNumber(tiles) + what + (tiles == 1 ? "" : "s")});
  }
  double all = run.coreCycles();
  for (const Counter &counter : run.counters) {
    StringRef name = counter.name;
    if (!name.consume_front("fabric.") || !name.consume_back("_utilisation"))
      continue;
    // Of the whole run, where the counter is of cycles with a tile.
    double starts = counter.value * busyCycles(run);
    std::string kind = name.upper();
    std::replace(kind.begin(), kind.end(), '_', '-');
    chart.bars.push_back(
        {kind + " units",
         {0, starts},
         all,
         fullNumber(run[("fabric." + name + "_firings").str()]) + " starts"});
  }
  std::string caption =
      "Of the " + fullNumber(cycles) + " core cycles of the run.";
  if (!fabricOf(run).empty())
    caption +=
        " The bar of a kind of units is the share of cycles in which one "
        "of these units starts an operation, on average.";
  return section("utilisation", "How busy the cores were", drawBars(chart),
                 caption);
}

std::string drawDivergence(const RunData &run) {
  double instructions = run["simt.instructions"];
  uint32_t lanes = static_cast<uint32_t>(run.parameter("simt.lanes"));
  if (run.has("simt.lanes_quarter_1") && instructions > 0) {
    BarChart chart{"lanes that took part in instructions", "instructions", {}};
    Bar bar{"instructions", {}, 0, fullNumber(instructions)};
    for (uint32_t quarter = 1; quarter <= 4; ++quarter) {
      chart.parts.push_back(std::to_string((quarter - 1) * lanes / 4 + 1) +
                            " to " + std::to_string(quarter * lanes / 4) +
                            " lanes");
      bar.parts.push_back(run["simt.lanes_quarter_" + std::to_string(quarter)]);
      bar.whole += bar.parts.back();
    }
    chart.bars.push_back(std::move(bar));
    return section("divergence", "How many lanes took part", drawBars(chart),
                   percent(run["simt.lane_share"]) +
                       " of the lanes took part in an instruction, on average. "
                       "In " +
                       percent(shareOf(run["simt.lanes_all"], instructions)) +
                       " of the instructions, all lanes did.");
  }
  if (run.has("simt.lane_share") && instructions > 0) {
    double all = instructions * lanes, active = run["simt.lane_operations"];
    BarChart chart{"lanes that took part in instructions",
                   "lanes",
                   {"lanes that took part", "idle lanes"}};
    chart.idle = 1;
    chart.bars.push_back({"lanes",
                          {active, all - active},
                          all,
                          fullNumber(instructions) + " instructions"});
    return section("divergence", "How many lanes took part", drawBars(chart),
                   "Of the lanes of all warps that executed an instruction.");
  }
  if (!run.counts("bbs.batches_sent"))
    return "";
  constexpr double kBatch = 64; // threads, Simulator.md
  double places = run["bbs.batches_sent"] * kBatch,
         threads = run["bbs.threads"];
  BarChart chart{
      "threads in batches", "places", {"threads", "places without a thread"}};
  chart.idle = 1;
  chart.bars.push_back({"batches",
                        {threads, places - threads},
                        places,
                        fullNumber(run["bbs.batches_sent"]) + " batches"});
  return section(
      "divergence", "How full the batches of threads were", drawBars(chart),
      "The scheduler of basic blocks sends threads to the fabric in batches of "
      "64 neighbours. Threads that take other ways leave gaps. A block that "
      "was "
      "configured ran " +
          shortNumber(std::round(shareOf(threads, run["bbs.blocks"]) * 10) /
                      10) +
          " threads, on average.");
}

std::string drawCaches(const RunData &run) {
  BarChart chart{"where accesses found their lines",
                 "accesses",
                 {"hit", "waited for a line under way", "asked to own a line",
                  "written without asking", "from another cache",
                  "from L2 or DRAM", "from DRAM", "lines put back"}};
  for (const CacheName &cache : kCaches) {
    std::string prefix = cache.prefix;
    if (!run.counts(prefix + ".accesses"))
      continue;
    double all = run[prefix + ".accesses"];
    chart.bars.push_back({cache.name, cacheParts(run, prefix), all,
                          fullNumber(all) + " accesses"});
  }
  if (chart.bars.empty())
    return "";
  return section("caches", "Where accesses found their lines", drawBars(chart),
                 "DRAM: " + fullNumber(run["dram.reads"]) + " lines read, " +
                     fullNumber(run["dram.writes"]) + " written.");
}

/// What the schedulers of SIMT cores did.
static BarChart simtCycles(const RunData &run) {
  BarChart chart{"what the schedulers of warps did",
                 "cycles",
                 {"issued an instruction", "no tile on the core"}};
  chart.idle = 1;
  double schedulers = run.parameter("simt.schedulers");
  Bar bar{"schedulers", {0, 0}, schedulers * run.coreCycles(), ""};
  double busy = schedulers * busyCycles(run);
  bar.parts[1] = bar.whole - busy;
  static constexpr std::pair<const char *, const char *> reasons[] = {
      {"no_warp", "no warp to choose"},
      {"result", "waited for results"},
      {"fetch", "waited for instructions"},
      {"load_store", "load/store queue full"},
      {"collector", "no operand collector free"},
      {"special", "units for divisions, f64 busy"},
      {"barrier", "waited at barriers"}};
  for (auto [name, text] : reasons) {
    double cycles = run[std::string("simt.stall_") + name];
    chart.parts.push_back(text);
    bar.parts.push_back(cycles);
    busy -= cycles;
  }
  bar.parts[0] = busy;
  bar.note = fullNumber(bar.whole) + " cycles";
  chart.bars.push_back(std::move(bar));
  return chart;
}

static BarChart fabricCycles(const RunData &run, const std::string &fabric) {
  BarChart chart{"what the cores did",
                 "cycles",
                 {"threads on the fabric", "no tile on the core",
                  "waited for configurations", "configured the fabric",
                  "other cycles with a tile"}};
  chart.idle = 1;
  auto cycles = [&](const char *what) { return run[fabric + "." + what]; };
  double streaming = cycles("cycles_streaming");
  double fetching = cycles("cycles_fetching");
  double configuring = cycles("cycles_configuring");
  double busy = cycles("cycles");
  chart.bars.push_back(
      {run.parameter("cores") == 1 ? "core" : "cores",
       {streaming, run.coreCycles() - busy, fetching, configuring,
        std::max(0.0, busy - streaming - fetching - configuring)},
       run.coreCycles(),
       fullNumber(run.coreCycles()) + " cycles"});
  return chart;
}

/// What the core of the scheduler's program did.
static BarChart aggregatorCycles(const RunData &run) {
  BarChart chart{
      "what the aggregator's core did", "cycles", {"dispatched instructions"}};
  double all = run["aggregator.cycles"], rest = all;
  Bar bar{"aggregator's core", {0}, all, fullNumber(all) + " of its cycles"};
  static constexpr std::pair<const char *, const char *> reasons[] = {
      {"fetch", "no instruction fetched"},
      {"rob", "reorder buffer full"},
      {"queue", "issue queue full"},
      {"registers", "no register free"},
      {"memory_queue", "load or store queue full"},
      {"device", "waited for the dispatcher"}};
  for (auto [name, text] : reasons) {
    double cycles = run[std::string("aggregator.stall_") + name];
    chart.parts.push_back(text);
    bar.parts.push_back(cycles);
    rest -= cycles;
  }
  bar.parts[0] = std::max(0.0, rest);
  chart.bars.push_back(std::move(bar));
  return chart;
}

std::string drawCycles(const RunData &run) {
  if (run["run.cycles"] == 0)
    return "";
  std::string fabric = fabricOf(run), pictures, caption;
  if (!fabric.empty()) {
    pictures = drawBars(fabricCycles(run, fabric));
    caption = "Of all cycles of all cores.";
  } else if (run.has("simt.stall_result")) {
    pictures = drawBars(simtCycles(run));
    caption = "Of all cycles of the " +
              fullNumber(run.parameter("simt.schedulers")) +
              " schedulers of each core. No warp to choose: the core had a "
              "tile, but all of its warps belonged to other schedulers; a warp "
              "stays with its scheduler.";
  }
  if (run.has("aggregator.stall_fetch")) {
    pictures += drawBars(aggregatorCycles(run));
    caption +=
        " In " + fullNumber(run["aggregator.gpu_blocked_cycles"]) +
        " core cycles (" +
        percent(
            shareOf(run["aggregator.gpu_blocked_cycles"], run["run.cycles"])) +
        "), no core had a wavefront: all were blocked on the aggregator.";
  }
  return pictures.empty()
             ? ""
             : section("cycles", "Where the cycles went", pictures, caption);
}

} // namespace chansim::report
