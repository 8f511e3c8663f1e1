//===- Page.cpp - The page of a run ---------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One HTML file that needs no other: the most important numbers, the parts
// (Parts.h), the lines that cost most, and a table of all counters.
//
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "Svg.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using llvm::StringRef;

namespace chansim::report {
namespace {

constexpr char kStyle[] = R"(
:root { color-scheme: light dark; --back: #ffffff; --text: #1b1f24; --soft: #59636e;
  --line: #d5dae0; --rest: #eceff2; --card: #f4f6f8; }
@media (prefers-color-scheme: dark) { :root { --back: #15181c; --text: #e6e9ec;
  --soft: #a0a9b3; --line: #3a424b; --rest: #262c33; --card: #1e2329; } }
body { background: var(--back); color: var(--text); margin: 0 auto; padding: 24px;
  max-width: 960px; font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 26px; }
h2 { margin: 36px 0 8px; font-size: 19px; }
p { color: var(--soft); margin: 6px 0; }
code { font: 13px/1.4 ui-monospace, monospace; }
.failure { background: #b3261e; color: #ffffff; padding: 8px 12px; border-radius: 6px; }
.cards { display: flex; flex-wrap: wrap; gap: 10px; margin-top: 16px; }
.card { background: var(--card); border-radius: 8px; padding: 8px 14px; min-width: 120px; }
.card b { display: block; font-size: 20px; }
.card small { color: var(--soft); display: block; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th { text-align: left; color: var(--soft); font-weight: 500; }
td, th { padding: 3px 8px 3px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td code { white-space: pre-wrap; overflow-wrap: anywhere; }
.share { display: flex; width: 180px; height: 12px; margin-top: 4px; background: var(--rest); }
.share i { display: block; height: 12px; }
.key i { display: inline-block; width: 11px; height: 11px; margin: 0 5px 0 12px; }
svg { display: block; width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--text); }
svg .tick { fill: var(--soft); }
svg .name { font-size: 13px; font-weight: 600; }
svg .inside { fill: #14181c; font-size: 11px; }
svg .end { text-anchor: end; }
svg .middle { text-anchor: middle; }
svg .axis { stroke: var(--soft); }
svg .grid { stroke: var(--line); }
svg .rest { fill: var(--rest); }
svg .hover { fill: transparent; }
svg .hover:hover { fill: var(--soft); fill-opacity: 0.25; }
.c0 { fill: #5aa9e6; background: #5aa9e6; }
.c1 { fill: #5fbf8f; background: #5fbf8f; }
.c2 { fill: #f4a259; background: #f4a259; }
.c3 { fill: #e4738a; background: #e4738a; }
.c4 { fill: #b08cd9; background: #b08cd9; }
.c5 { fill: #d9b93f; background: #d9b93f; }
.c6 { fill: #6fc3c0; background: #6fc3c0; }
.c7 { fill: #a9b1b9; background: #a9b1b9; }
.c8 { fill: #c69c6d; background: #c69c6d; }
)";

std::string card(StringRef value, StringRef name, StringRef note = "") {
  return ("<div class=\"card\"><b>" + value + "</b>" + name +
          (note.empty() ? "" : "<small>" + note.str() + "</small>") +
          "</div>\n")
      .str();
}

/// Three digits, in the unit that suits.
std::string energyText(double picojoules) {
  static constexpr const char *units[] = {"pJ", "nJ", "&micro;J", "mJ", "J"};
  size_t unit = 0;
  // Not "1000 nJ".
  for (; unit + 1 != std::size(units) && picojoules >= 999.5; ++unit)
    picojoules /= 1000;
  int digits = picojoules >= 99.95 ? 0 : picojoules >= 9.995 ? 1 : 2;
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.*f ", digits, picojoules) << units[unit];
  return text;
}

std::string cards(const RunData &run) {
  double cycles = run["run.cycles"];
  std::string html = "<div class=\"cards\" id=\"numbers\">\n";
  html += card(fullNumber(cycles), "core cycles",
               run.megahertz > 0
                   ? shortNumber(std::round(cycles / run.megahertz * 10) / 10) +
                         " &micro;s at " + fullNumber(run.megahertz) + " MHz"
                   : "");
  html += card(fullNumber(run.parameter("cores")),
               run.parameter("cores") == 1 ? "core" : "cores");
  html += card(fullNumber(run["core.threads"]), "threads",
               "in " + fullNumber(run["core.tiles"]) +
                   (run.has("simt.wavefronts") ? " wavefronts" : " tiles"));
  if (run.has("simt.instructions"))
    html += card(fullNumber(run["simt.instructions"]), "instructions of warps",
                 cycles > 0 ? fullNumber(std::round(run["simt.instructions"] /
                                                    cycles * 1000) /
                                         1000) +
                                  " in a cycle, all cores"
                            : "");
  if (run.has("simt.lane_share"))
    html += card(percent(run["simt.lane_share"]), "of lanes take part");
  if (run.counts("bbs.blocks"))
    html += card(fullNumber(run["bbs.blocks"]), "blocks configured");
  if (run.counts("l1.accesses"))
    html += card(percent(run["l1.hit_rate"]), "hits in L1");
  if (run.has("dram.reads"))
    html += card(fullNumber(run["dram.reads"] + run["dram.writes"]),
                 "lines of DRAM");
  if (run.counts("energy.gpuwattch.total"))
    html += card(energyText(run["energy.gpuwattch.total"]), "energy",
                 "table gpuwattch");
  return html + "</div>\n";
}

/// The text of FILE:LINE; "" if there is no such file here.
std::string sourceOf(StringRef place) {
  auto [file, number] = place.rsplit(':');
  unsigned line = 0;
  if (number.getAsInteger(10, line) || line == 0)
    return "";
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return "";
  llvm::SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  return line <= lines.size() ? lines[line - 1].trim().str() : "";
}

std::string shareBar(const LineCost &cost, double whole) {
  auto piece = [&](const char *style, double cycles) {
    return "<i class=\"" + std::string(style) + "\" style=\"width: " +
           llvm::formatv("{0:F1}", shareOf(cycles, whole) * 100).str() +
           "%\"></i>";
  };
  return "<div class=\"share\">" + piece("c2", cost.waiting) +
         piece("c1", cost.working) + piece("c0", cost.moving) +
         piece("c3", cost.yielding) + "</div>";
}

std::string tableOfCounters(const RunData &run) {
  std::string html = "<section id=\"counters\"><h2>All counters</h2>\n"
                     "<details><summary>Those that are not 0</summary><table>\n"
                     "<tr><th>counter</th><th class=\"number\">value</th>"
                     "<th>unit</th><th>what it counts</th></tr>\n";
  for (const Counter &counter : run.counters)
    if (counter.value != 0)
      html += "<tr><td>" + escape(counter.name) + "</td><td class=\"number\">" +
              fullNumber(counter.value) + "</td><td>" + escape(counter.unit) +
              "</td><td>" + escape(counter.description) + "</td></tr>\n";
  return html + "</table></details></section>\n";
}

} // namespace

std::string listLines(const RunData &run) {
  constexpr size_t kMost = 15;
  if (run.lines.empty())
    return "";
  std::string html =
      "<section id=\"lines\"><h2>The lines that cost most</h2>\n<table>\n"
      "<tr><th class=\"number\">cycles</th><th class=\"number\">share</th>"
      "<th></th><th>line</th><th></th></tr>\n";
  double most = run.lines[0].cycles();
  for (const LineCost &cost : llvm::ArrayRef(run.lines).take_front(kMost))
    html += "<tr><td class=\"number\">" +
            fullNumber(std::round(cost.cycles())) +
            "</td><td class=\"number\">" +
            percent(shareOf(cost.cycles(), run.lineCycles)) + "</td><td>" +
            shareBar(cost, most) + "</td><td>" +
            escape(llvm::sys::path::filename(cost.place)) + "</td><td><code>" +
            escape(sourceOf(cost.place)) + "</code></td></tr>\n";
  html += "</table>\n<p class=\"key\">Of cycles with a tile. Threads "
          "<i class=\"c2\"></i>waited for the operation to begin, "
          "<i class=\"c1\"></i>for its end, <i class=\"c0\"></i>for links, or "
          "<i class=\"c3\"></i>while their wavefront yielded.";
  if (run.lines.size() > kMost)
    html += " There are " + std::to_string(run.lines.size() - kMost) +
            " more; <code>chansim annotate</code> prints all.";
  return html + " Compile with <code>-g</code> for lines of C; operations "
                "without a line stand with their kernel.</p></section>\n";
}

std::string makePage(const RunData &run, llvm::ArrayRef<std::string> command) {
  std::string title = escape(run.program + " on " + run.machine);
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
                     "charset=\"utf-8\">\n<meta name=\"viewport\" "
                     "content=\"width=device-width, initial-scale=1\">\n"
                     "<title>" +
                     title + "</title>\n<style>" + kStyle +
                     "</style></head>\n<body>\n<h1>" + title +
                     "</h1>\n<p><code>" + escape(llvm::join(command, " ")) +
                     "</code></p>\n";
  if (!run.failure.empty())
    html += "<p class=\"failure\">The run failed: " + escape(run.failure) +
            ". What was counted until then:</p>\n";
  html += cards(run) + drawTimeline(run) + drawUtilisation(run) +
          drawDivergence(run) + drawCaches(run) + drawCycles(run) +
          listLines(run) + tableOfCounters(run);
  return html + "<p>Made by <code>chansim report</code>. Equal runs have equal "
                "pages.</p>\n</body></html>\n";
}

} // namespace chansim::report
