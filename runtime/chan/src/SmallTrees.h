//===- SmallTrees.h - Clones of trees that are predicted small --*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_SMALLTREES_H
#define CHAN_SRC_SMALLTREES_H

#include <stdint.h>

namespace chan {

/// What a worker knows of the trees that it runs as clones because they are
/// predicted small (PredictedClones.cpp). Beside it, the words `predicted_` of
/// chan_worker, which compiled code knows: `predicted_polls` is set in such a
/// clone. It is one more than the number of activations that may still poll
/// before promotion; else 0. One thread.
struct SmallTrees {
  /// Whether a clone calls predicted small trees one after the other. It stays
  /// set between these calls.
  bool inSeries = false;
  /// Whether a clone runs without a context (runWithoutContext).
  bool withoutContext = false;
  /// How many trees have begun as clones without a context.
  uint32_t begun = 0;
  /// Until when such clones may go on although a worker wants work, in ticks.
  /// 0: no request has been seen yet.
  uint64_t until = 0;
};

} // namespace chan

#endif // CHAN_SRC_SMALLTREES_H
