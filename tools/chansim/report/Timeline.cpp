//===- Timeline.cpp - Curves over the cycles of a run ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One picture of several panels above each other, with one axis of cycles:
//
//   Wavefronts on the cores                8 |  __/\_
//                                          0 |_/     \____
//   Warp instructions per cycle            2 |   _
//                                          0 |__/ \______
//                                            0   10k  20k   cycles
//
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "Svg.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using llvm::formatv;
using llvm::StringRef;

namespace chansim::report {
namespace {

/// Of counters, whose rises in a cycle are shown times `scale`.
struct Curve {
  std::string name;
  std::vector<std::string> counters;
  std::string style;
};

struct Panel {
  std::string title;
  /// Curves stand upon each other.
  std::vector<Curve> curves;
  double scale = 1;
  /// Where the axis ends; 0 for where the greatest value says.
  double top = 0;
};

constexpr double kLeft = 60, kRight = 16, kPlot = 96, kTitle = 30;
constexpr double kWide = Svg::kWidth - kLeft - kRight;

/// What of this the machine counts.
std::vector<std::string> counted(const RunData &run,
                                 std::vector<std::string> names) {
  std::erase_if(names, [&](const std::string &name) { return !run.has(name); });
  return names;
}

std::vector<Panel> panelsOf(const RunData &run) {
  bool isApu = run.has("aggregator.gpu_blocked_cycles");
  std::vector<std::string> firings;
  for (const Counter &counter : run.counters)
    if (StringRef(counter.name).starts_with("fabric.") &&
        StringRef(counter.name).ends_with("_firings"))
      firings.push_back(counter.name);
  std::vector<Panel> panels = {
      {isApu ? "Wavefronts on the cores, on average"
             : "Tiles on the cores, on average",
       {{"", {"timeline.tile_cycles"}, "c0"}}},
      {"Instructions of warps in a cycle, of all cores",
       {{"", counted(run, {"simt.instructions"}), "c1"}}},
      {"Operations started in a cycle, of all units (counted when a block "
       "ends)",
       {{"", firings, "c1"}}},
      {"DRAM lines in 1000 cycles",
       {{"read", counted(run, {"dram.reads"}), "c2"},
        {"written", counted(run, {"dram.writes"}), "c3"}},
       1000},
      {isApu ? "Yields of wavefronts in 1000 cycles"
             : "Yields of tiles in 1000 cycles",
       {{"",
         counted(run,
                 {isApu ? "aggregator.wavefront_yields" : "aggregator.yields"}),
         "c4"}},
       1000},
      {"Blocked on the aggregator: cycles in which no core had a tile, %",
       {{"", {"timeline.empty_cycles"}, "c5"}},
       100,
       100},
      {"Instructions of the aggregator in a core cycle",
       {{"", counted(run, {"aggregator.instructions"}), "c6"}}},
  };
  std::erase_if(panels, [](const Panel &panel) {
    return panel.curves[0].counters.empty();
  });
  return panels;
}

/// In each sample, for a cycle.
std::vector<double> valuesOf(const RunData &run, const Curve &curve,
                             double scale) {
  std::vector<double> values(run.ends.size());
  uint64_t begin = 0;
  for (size_t i = 0; i != values.size(); ++i) {
    double cycles = static_cast<double>(run.ends[i] - begin);
    for (const std::string &counter : curve.counters)
      if (auto rises = run.rises.find(counter); rises != run.rises.end())
        values[i] += scale * static_cast<double>(rises->second[i]) / cycles;
    begin = run.ends[i];
  }
  return values;
}

/// 1, 2 or 5 times a power of ten: the least that is not below.
double roundStep(double step) {
  double power = std::pow(10, std::floor(std::log10(step)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= step * (1 - 1e-9))
      return factor * power;
  return 10 * power;
}

class Drawer {
public:
  Drawer(const RunData &run, size_t panels)
      : run(run), last(static_cast<double>(run.ends.back())),
        svg(Svg::kWidth,
            static_cast<double>(panels) * (kPlot + kTitle) + kTitle + 12,
            "counters over the cycles of the run") {}

  void drawPanel(const Panel &panel,
                 const std::vector<std::vector<double>> &values);
  std::string finish();

private:
  double x(double cycle) const { return kLeft + cycle / last * kWide; }
  void drawAxis(double top, double height);
  void drawLegend(const Panel &panel);

  const RunData &run;
  const double last;
  Svg svg;
  double y = 0;
  /// Of each sample: what the mouse shows.
  std::vector<std::string> tips = std::vector<std::string>(run.ends.size());
};

void Drawer::drawAxis(double top, double height) {
  double step = roundStep(height / 3);
  for (double value = 0; value <= height * (1 + 1e-9); value += step) {
    double at = top + kPlot - value / height * kPlot;
    svg.line(kLeft, at, kLeft + kWide, at, value == 0 ? "axis" : "grid");
    svg.text(kLeft - 6, at + 4, "tick end", shortNumber(value));
  }
}

void Drawer::drawLegend(const Panel &panel) {
  double at = Svg::kWidth - kRight;
  for (size_t i = panel.curves.size(); i-- != 0;) {
    const Curve &curve = panel.curves[i];
    svg.text(at, y + 20, "tick end", curve.name);
    at -= 7.0 * static_cast<double>(curve.name.size()) + 16;
    svg.rect(at, y + 10, 11, 11, curve.style);
    at -= 14;
  }
}

void Drawer::drawPanel(const Panel &panel,
                       const std::vector<std::vector<double>> &values) {
  std::vector<double> sums(run.ends.size());
  for (const std::vector<double> &curve : values)
    for (size_t i = 0; i != sums.size(); ++i)
      sums[i] += curve[i];
  double height =
      panel.top ? panel.top : *std::max_element(sums.begin(), sums.end());
  // To the next line of the grid.
  height =
      std::ceil(height / roundStep(height / 3) - 1e-9) * roundStep(height / 3);
  svg.text(kLeft, y + 20, "name", panel.title);
  if (panel.curves.size() > 1)
    drawLegend(panel);
  double top = y + kTitle;
  drawAxis(top, height);
  // The uppermost first; those below are drawn over it.
  for (size_t c = panel.curves.size(); c-- != 0;) {
    std::string data = formatv("M{0:F2} {1:F2}", kLeft, top + kPlot);
    for (size_t i = 0; i != sums.size(); ++i) {
      data += formatv("V{0:F2}H{1:F2}", top + kPlot - sums[i] / height * kPlot,
                      x(static_cast<double>(run.ends[i])));
      sums[i] -= values[c][i];
    }
    svg.path(data + formatv("V{0:F2}Z", top + kPlot).str(),
             "area " + panel.curves[c].style);
  }
  for (size_t i = 0; i != tips.size(); ++i)
    for (size_t c = 0; c != panel.curves.size(); ++c) {
      const std::string &name = panel.curves[c].name;
      tips[i] += "\n" + panel.title + (name.empty() ? "" : ", " + name) + ": " +
                 shortNumber(values[c][i]);
    }
  y = top + kPlot;
}

std::string Drawer::finish() {
  double step = roundStep(last / 8);
  for (double cycle = 0; cycle <= last; cycle += step) {
    svg.line(x(cycle), y, x(cycle), y + 5, "axis");
    svg.text(x(cycle), y + 18, "tick middle", shortNumber(cycle));
  }
  svg.text(kLeft + kWide, y + 34, "tick end", "core cycles");
  double begin = 0;
  for (size_t i = 0; i != tips.size(); ++i) {
    double end = static_cast<double>(run.ends[i]);
    svg.rect(x(begin), 0, x(end) - x(begin), y, "hover",
             "cycles " + fullNumber(begin) + " to " + fullNumber(end) +
                 tips[i]);
    begin = end;
  }
  return svg.finish();
}

} // namespace

std::string drawTimeline(const RunData &run) {
  if (run.ends.empty())
    return "";
  std::vector<Panel> panels;
  std::vector<std::vector<std::vector<double>>> values;
  std::vector<std::string> still;
  for (Panel &panel : panelsOf(run)) {
    std::vector<std::vector<double>> curves;
    bool moves = false;
    for (const Curve &curve : panel.curves) {
      curves.push_back(valuesOf(run, curve, panel.scale));
      moves |= std::any_of(curves.back().begin(), curves.back().end(),
                           [](double value) { return value > 0; });
    }
    if (!moves) {
      still.push_back(panel.title);
      continue;
    }
    panels.push_back(std::move(panel));
    values.push_back(std::move(curves));
  }
  Drawer drawer(run, panels.size());
  for (size_t i = 0; i != panels.size(); ++i)
    drawer.drawPanel(panels[i], values[i]);
  std::string html =
      "<section id=\"timeline\"><h2>What happened when</h2>\n" +
      drawer.finish() + "<p>" + std::to_string(run.ends.size()) +
      " samples. Point at the picture to see the numbers of a sample.";
  if (!still.empty())
    html +=
        " Always 0, and not drawn: " + escape(llvm::join(still, "; ")) + ".";
  return html + "</p></section>\n";
}

} // namespace chansim::report
