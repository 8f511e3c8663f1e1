//===- BelowGrainCost.h - Whether work is below grain -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_BELOWGRAINCOST_H
#define CILK2CHAN_LIB_IMPORT_BELOWGRAINCOST_H

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace cilk2chan {

/// How a remark on that ends.
inline constexpr llvm::StringLiteral whyLight =
    ": it ends before another worker could help";

/// What code costs that goes straight to its end: that has neither loops nor
/// calls of what is unknown, waits for no other thread, and costs no more than
/// tuning::mostBelowGrain. Asks `analyses` for the library's functions.
class BelowGrainCost {
public:
  explicit BelowGrainCost(llvm::FunctionAnalysisManager &analyses)
      : analyses(analyses) {}

  /// Of a call of `function`; none if not known.
  std::optional<unsigned> ofFunction(llvm::Function &function,
                                     unsigned depth = 0);
  /// Of an iteration of the loop that `body` is, in which there are `inner`
  /// others; none if not known.
  std::optional<unsigned> ofIteration(llvm::Function &body, unsigned inner);

private:
  std::optional<unsigned> ofCall(llvm::CallBase &call, unsigned depth);
  std::optional<unsigned> of(llvm::Instruction &instruction, unsigned depth);
  std::optional<unsigned>
  sum(llvm::iterator_range<llvm::inst_iterator> instructions, unsigned depth);

  llvm::FunctionAnalysisManager &analyses;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_BELOWGRAINCOST_H
