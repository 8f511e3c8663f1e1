//===- Scratchpad.h - Memory of work-groups in the core ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory of the work-groups of a tile is a window of addresses, and in a core with
// a scratchpad, accesses to it go there.  Neighbouring words of 32 bits are in
// neighbouring banks.  In a turn, each bank delivers one word, to any number of lanes:
//
//     lanes read words 0 1 2 3 ...     1 turn
//                      5 5 5 5 ...     1 turn
//                      0 32 64 96      4 turns of 32 banks
//
// An atomic operation takes a turn for each lane.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_SCRATCHPAD_H
#define CHANSIM_SIMT_SCRATCHPAD_H

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace chansim::simt {

inline constexpr uint32_t kBankBytes = 4;

/// Turns in which `banks` serve an access of so many bytes at each address.
inline uint32_t scratchpadTurns(std::span<const uint64_t> addresses,
                                uint32_t bytes, uint32_t banks) {
  std::vector<uint64_t> words;
  for (uint64_t address : addresses)
    for (uint64_t word = address / kBankBytes;
         word * kBankBytes < address + bytes; ++word)
      words.push_back(word);
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::vector<uint32_t> turns(banks);
  for (uint64_t word : words)
    ++turns[word % banks];
  return *std::max_element(turns.begin(), turns.end());
}

} // namespace chansim::simt

#endif // CHANSIM_SIMT_SCRATCHPAD_H
