//===- NearNames.h - What a misspelt name may stand for ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_NEARNAMES_H
#define CHANSIM_NEARNAMES_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace chansim {

/// Edits that make one word of the other.  An edit inserts, removes or replaces a
/// letter, or exchanges two neighbours.
uint32_t editDistance(std::string_view a, std::string_view b);

/// The names that are nearest to a wrong one, at most three; none if no name is
/// near.  Names may have parts: of "l1.ways", each part must be near.  A wrong name
/// may lack the first parts ("ways"), or have other ones ("cache.ways").
std::vector<std::string> nearNames(std::string_view wrong,
                                   std::span<const std::string> names);

/// "; did you mean l1.ways or l2.ways?".  Empty if no name is near.
std::string didYouMean(std::string_view wrong,
                       std::span<const std::string> names);

/// "a", "a or b", "a, b or c".
std::string joinNames(std::span<const std::string> names,
                      std::string_view lastSeparator);

} // namespace chansim

#endif // CHANSIM_NEARNAMES_H
