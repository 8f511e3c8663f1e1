//===- ControlVectorTable.h - Which threads wait for which block -*- C++
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_CONTROLVECTORTABLE_H
#define CHANSIM_CONTROLVECTORTABLE_H

#include "machine/Machine.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace chansim {

/// The control vector table (VGIW, 3.3): for each block a vector with a bit for
/// each thread that is to execute it next.  Words lie in the banks in turn; a
/// bank is read once and written once a cycle.  Reading a word resets it, and
/// writing ORs into it: in the same cycle what is written stays.
class ControlVectorTable {
public:
  explicit ControlVectorTable(const ControlParameters &parameters)
      : words(parameters.cvtBits / 64), readAt(parameters.cvtBanks, kNever),
        writtenAt(parameters.cvtBanks, kNever) {}

  /// Makes room for vectors of so many words: one for each block, and `others`
  /// behind them, which first() does not see.  All are empty.
  void partition(uint32_t blocks, uint32_t others, uint32_t wordsPerVector);

  /// Whether no bit of the block is set.
  bool isEmpty(uint32_t block) const { return !nonZero[block]; }
  /// The smallest block that is not empty.
  std::optional<uint32_t> first() const;

  /// Clears the bits, by no port.
  void clear(uint32_t block, uint32_t word, uint64_t bits) {
    uint64_t &there = words[indexOf(block, word)];
    nonZero[block] -= there && !(there & ~bits);
    there &= ~bits;
  }
  /// Sets the bits, by no port.
  void set(uint32_t block, uint32_t word, uint64_t bits) {
    uint64_t &there = words[indexOf(block, word)];
    nonZero[block] += !there && bits;
    there |= bits;
  }
  /// The word, which is 0 now.  Nothing if its bank was read in this cycle.
  std::optional<uint64_t> readAndReset(uint32_t block, uint32_t word,
                                       uint64_t cycle);
  /// Sets the bits.  False if the word's bank was written in this cycle.
  bool orInto(uint32_t block, uint32_t word, uint64_t bits, uint64_t cycle);

  /// The word, not read by the machine.
  uint64_t peek(uint32_t block, uint32_t word) const {
    return words[indexOf(block, word)];
  }
  uint32_t wordsPerVector() const { return perVector; }
  uint32_t blocks() const { return blockCount; }

private:
  static constexpr uint64_t kNever = ~uint64_t(0);
  size_t indexOf(uint32_t block, uint32_t word) const {
    return size_t(block) * perVector + word;
  }

  std::vector<uint64_t> words;
  /// The cycle of the last access to each bank.
  std::vector<uint64_t> readAt, writtenAt;
  /// Words of each block's vector that are not 0.
  std::vector<uint32_t> nonZero;
  uint32_t blockCount = 0, perVector = 0;
};

} // namespace chansim

#endif // CHANSIM_CONTROLVECTORTABLE_H
