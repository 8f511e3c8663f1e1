//===- Svg.h - Pictures as text ---------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes an SVG element for a page.  Colours and fonts are those of the page's CSS
// (Page.cpp), by class:
//
//   Svg svg(100, 40, "a bar");
//   svg.rect(10, 10, 80, 20, "c0", "hits: 80 %");    // the last text is shown by the mouse
//   svg.text(10, 8, "label", "hits");
//   page += svg.finish();
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_REPORT_SVG_H
#define CHANSIM_REPORT_SVG_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace chansim::report {

/// With & < > and quotes as entities of HTML.
std::string escape(llvm::StringRef text);
/// 1234567 as "1,234,567"; of small numbers three digits behind the point.
std::string fullNumber(double number);
/// For axes: 1500 as "1.5k".
std::string shortNumber(double number);
/// 0.1234 as "12.3 %".
std::string percent(double share);
/// `part` divided by `whole`, or 0.
inline double shareOf(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

class Svg {
public:
  /// The width that all pictures of a page have.
  static constexpr double kWidth = 880;

  /// `label` says what the picture is, for those who do not see it.
  Svg(double width, double height, llvm::StringRef label);

  void rect(double x, double y, double width, double height,
            llvm::StringRef style, llvm::StringRef tip = "");
  void line(double x1, double y1, double x2, double y2, llvm::StringRef style);
  void text(double x, double y, llvm::StringRef style, llvm::StringRef text);
  void path(llvm::StringRef data, llvm::StringRef style);
  std::string finish() { return std::move(content) + "</svg>\n"; }

private:
  std::string content;
};

} // namespace chansim::report

#endif // CHANSIM_REPORT_SVG_H
