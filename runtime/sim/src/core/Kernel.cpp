//===- Kernel.cpp - What all machines know of a kernel --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Kernel.h"

namespace chansim {

uint64_t Parameter::compute(std::span<const uint64_t> earlier) const {
  uint64_t words[3] = {};
  for (size_t i = 0; i != operands.size(); ++i) {
    uint64_t word =
        operands[i].isParameter ? earlier[operands[i].word] : operands[i].word;
    auto bits = operation->operandBits(static_cast<unsigned>(i));
    words[i] = word & (~uint64_t(0) >> (64 - bits));
  }
  return operation->evaluate(words[0], words[1], words[2]);
}

} // namespace chansim
