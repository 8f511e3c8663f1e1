//===- LoopForm.h - How a cilk_for counts -----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_LOOPFORM_H
#define CILK2CHAN_SUPPORT_LOOPFORM_H

namespace cilk2chan {

/// What the number of iterations of a cilk_for depends on besides its first
/// value, its limit and its stride.  These are handed over in 64 bits, extended
/// as their types say.
struct LoopForm {
  /// What holds between the control variable, on the left, and the limit as
  /// long as the loop goes on.
  enum Relation : unsigned { less, lessEqual, greater, greaterEqual, notEqual };

  Relation relation = less;
  bool signedComparison = false;
  bool signedStride = false;
  /// Whether the stride is subtracted.
  bool subtracts = false;
  /// Bits of the control variable: `!=` wraps around in them.
  unsigned width = 64;

  unsigned encode() const {
    return relation | signedComparison << 3 | signedStride << 4 |
           subtracts << 5 | width << 6;
  }
  static LoopForm decode(unsigned code) {
    return {Relation(code & 7), bool(code >> 3 & 1), bool(code >> 4 & 1),
            bool(code >> 5 & 1), code >> 6};
  }
};

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_LOOPFORM_H
