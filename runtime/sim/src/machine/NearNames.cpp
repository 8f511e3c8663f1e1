//===- NearNames.cpp - What a misspelt name may stand for -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "machine/NearNames.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace chansim {
namespace {

constexpr size_t kMostNames = 3;
/// Ranks of names that lack the first parts, and that differ in them.
constexpr uint32_t kShortened = 100, kElsewhere = 200;

std::vector<std::string_view> partsOf(std::string_view name) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= name.size();) {
    size_t end = std::min(name.find('.', begin), name.size());
    parts.push_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// The edits between words of which a third of the letters may differ.
std::optional<uint32_t> nearness(std::string_view wrong,
                                 std::string_view name) {
  uint32_t most = std::max<uint32_t>(1, static_cast<uint32_t>(name.size()) / 3);
  // The size alone can tell, and a name from a file may be long.
  if (wrong.size() > name.size() + most || name.size() > wrong.size() + most)
    return std::nullopt;
  uint32_t edits = editDistance(wrong, name);
  return edits <= most ? std::optional(edits) : std::nullopt;
}

/// How far the name is from the wrong one; nothing if it is not near.
std::optional<uint32_t> rank(std::span<const std::string_view> wrong,
                             std::span<const std::string_view> name) {
  if (wrong.size() > name.size())
    return std::nullopt;
  uint32_t sum = wrong.size() < name.size() ? kShortened : 0;
  std::span<const std::string_view> last = name.last(wrong.size());
  for (size_t i = 0; i != wrong.size(); ++i) {
    std::optional<uint32_t> edits = nearness(wrong[i], last[i]);
    if (!edits)
      return wrong.size() == name.size() && wrong.back() == name.back()
                 ? std::optional(kElsewhere)
                 : std::nullopt;
    sum += *edits;
  }
  return sum;
}

} // namespace

uint32_t editDistance(std::string_view a, std::string_view b) {
  // Row i has the distances of the first i letters of `a` from all beginnings of `b`.
  std::vector<uint32_t> before, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<uint32_t>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min(
          {last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

std::vector<std::string> nearNames(std::string_view wrong,
                                   std::span<const std::string> names) {
  std::vector<std::string_view> parts = partsOf(wrong);
  std::vector<std::string> nearest;
  uint32_t least = ~0u;
  for (const std::string &name : names) {
    std::optional<uint32_t> far = rank(parts, partsOf(name));
    if (!far || *far > least)
      continue;
    if (*far < least)
      nearest.clear();
    least = *far;
    if (std::ranges::find(nearest, name) == nearest.end())
      nearest.push_back(name);
  }
  // So many say nothing.
  if (nearest.size() > kMostNames)
    nearest.clear();
  return nearest;
}

std::string joinNames(std::span<const std::string> names,
                      std::string_view lastSeparator) {
  std::string text;
  for (size_t i = 0; i != names.size(); ++i) {
    if (i)
      text += i + 1 == names.size() ? lastSeparator : ", ";
    text += names[i];
  }
  return text;
}

std::string didYouMean(std::string_view wrong,
                       std::span<const std::string> names) {
  std::vector<std::string> nearest = nearNames(wrong, names);
  return nearest.empty() ? ""
                         : "; did you mean " + joinNames(nearest, " or ") + "?";
}

} // namespace chansim
