//===- Bars.cpp - Stacked bars --------------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bars.h"
#include "Svg.h"

#include <algorithm>

namespace chansim::report {
namespace {

constexpr double kLeft = 170, kRight = 190, kRow = 28, kBar = 20;
constexpr double kWide = Svg::kWidth - kLeft - kRight;
constexpr double kAxis = 24, kLegendRow = 20;
/// Of a character, at most.
constexpr double kLetter = 7.2;

/// Of the page's colours, one is grey.
std::string styleOf(const BarChart &chart, size_t part) {
  static constexpr const char *styles[] = {"c0", "c1", "c2", "c3",
                                           "c4", "c5", "c6", "c8"};
  return part == chart.idle ? "c7" : styles[part % std::size(styles)];
}

} // namespace

std::string drawBars(const BarChart &chart) {
  std::vector<size_t> shown;
  for (size_t part = 0; part != chart.parts.size(); ++part)
    if (std::any_of(chart.bars.begin(), chart.bars.end(),
                    [&](const Bar &bar) { return bar.parts[part] > 0; }))
      shown.push_back(part);
  size_t longest = 0;
  for (size_t part : shown)
    longest = std::max(longest, chart.parts[part].size());
  double column = static_cast<double>(longest) * kLetter + 34;
  size_t columns =
      std::max<size_t>(1, static_cast<size_t>((Svg::kWidth - kLeft) / column));
  size_t rows = (shown.size() + columns - 1) / columns;
  double plot = kRow * static_cast<double>(chart.bars.size());
  Svg svg(Svg::kWidth,
          plot + kAxis + kLegendRow * static_cast<double>(rows) + 8,
          chart.label);

  for (int tick = 0; tick <= 100; tick += 20) {
    double at = kLeft + kWide * tick / 100;
    svg.line(at, 0, at, plot, "grid");
    svg.text(at, plot + 15, "tick middle", std::to_string(tick));
  }
  svg.text(kLeft - 20, plot + 15, "tick end", "% of " + chart.unit);
  double y = 4;
  for (const Bar &bar : chart.bars) {
    svg.text(kLeft - 8, y + 15, "bar end", bar.name);
    svg.rect(kLeft, y, kWide, kBar, "rest");
    double x = kLeft;
    for (size_t part : shown) {
      double share = shareOf(bar.parts[part], bar.whole);
      if (share <= 0)
        continue;
      double width = share * kWide;
      svg.rect(x, y, width, kBar, styleOf(chart, part),
               bar.name + ", " + chart.parts[part] + ": " +
                   fullNumber(bar.parts[part]) + " " + chart.unit + " (" +
                   percent(share) + ")");
      if (width > 48)
        svg.text(x + width / 2, y + 15, "inside middle", percent(share));
      x += width;
    }
    svg.text(kLeft + kWide + 8, y + 15, "tick", bar.note);
    y += kRow;
  }
  y = plot + kAxis;
  for (size_t i = 0; i != shown.size(); ++i) {
    double x = kLeft + column * static_cast<double>(i % columns);
    double top = y + kLegendRow * static_cast<double>(i / columns);
    svg.rect(x, top + 2, 11, 11, styleOf(chart, shown[i]));
    svg.text(x + 17, top + 12, "tick", chart.parts[shown[i]]);
  }
  return svg.finish();
}

} // namespace chansim::report
