//===- ControlVectorTable.cpp - Which threads wait for which block --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "vgiw/ControlVectorTable.h"

#include <algorithm>
#include <cassert>

namespace chansim {

void ControlVectorTable::partition(uint32_t blocks, uint32_t others,
                                   uint32_t wordsPerVector) {
  assert(size_t(blocks + others) * wordsPerVector <= words.size());
  std::fill(words.begin(), words.end(), 0);
  nonZero.assign(blocks + others, 0);
  blockCount = blocks;
  perVector = wordsPerVector;
}

std::optional<uint32_t> ControlVectorTable::first() const {
  for (uint32_t block = 0; block != blockCount; ++block)
    if (nonZero[block])
      return block;
  return std::nullopt;
}

std::optional<uint64_t> ControlVectorTable::readAndReset(uint32_t block,
                                                         uint32_t word,
                                                         uint64_t cycle) {
  size_t index = indexOf(block, word);
  uint64_t &used = readAt[index % readAt.size()];
  if (used == cycle)
    return std::nullopt;
  used = cycle;
  uint64_t bits = words[index];
  words[index] = 0;
  nonZero[block] -= bits != 0;
  return bits;
}

bool ControlVectorTable::orInto(uint32_t block, uint32_t word, uint64_t bits,
                                uint64_t cycle) {
  uint64_t &used = writtenAt[indexOf(block, word) % writtenAt.size()];
  if (used == cycle)
    return false;
  used = cycle;
  set(block, word, bits);
  return true;
}

} // namespace chansim
