//===- Svg.cpp - Pictures as text -----------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Svg.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using llvm::formatv;
using llvm::StringRef;

namespace chansim::report {

std::string escape(StringRef text) {
  std::string escaped;
  for (char c : text)
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += c;
    }
  return escaped;
}

std::string fullNumber(double number) {
  if (number != std::floor(number))
    return formatv("{0:F3}", number).str();
  std::string digits = formatv("{0:F0}", number).str();
  for (size_t at = digits.size(); at > 3;)
    digits.insert(at -= 3, ",");
  return digits;
}

std::string shortNumber(double number) {
  static constexpr const char *units[] = {"", "k", "M", "G", "T"};
  size_t unit = 0;
  for (; unit + 1 != std::size(units) && number >= 1000; ++unit)
    number /= 1000;
  std::string text = formatv("{0:F3}", number).str();
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text + units[unit];
}

std::string percent(double share) {
  return formatv("{0:F1} %", share * 100).str();
}

Svg::Svg(double width, double height, StringRef label)
    : content(formatv("<svg viewBox=\"0 0 {0:F0} {1:F0}\" role=\"img\" "
                      "aria-label=\"{2}\">\n",
                      width, height, escape(label))) {}

void Svg::rect(double x, double y, double width, double height, StringRef style,
               StringRef tip) {
  content += formatv("<rect x=\"{0:F2}\" y=\"{1:F2}\" width=\"{2:F2}\" "
                     "height=\"{3:F2}\" class=\"{4}\"",
                     x, y, width, height, style);
  content +=
      tip.empty() ? "/>\n" : "><title>" + escape(tip) + "</title></rect>\n";
}

void Svg::line(double x1, double y1, double x2, double y2, StringRef style) {
  content += formatv("<line x1=\"{0:F2}\" y1=\"{1:F2}\" x2=\"{2:F2}\" "
                     "y2=\"{3:F2}\" class=\"{4}\"/>\n",
                     x1, y1, x2, y2, style);
}

void Svg::text(double x, double y, StringRef style, StringRef text) {
  content += formatv("<text x=\"{0:F2}\" y=\"{1:F2}\" class=\"{2}\">{3}"
                     "</text>\n",
                     x, y, style, escape(text));
}

void Svg::path(StringRef data, StringRef style) {
  content += formatv("<path d=\"{0}\" class=\"{1}\"/>\n", data, style);
}

} // namespace chansim::report
