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
  /// How the control variable, extended to 64 bits, is what is compared with
  /// the limit, so that in each iteration it is none but those values that are
  /// counted.
  enum Extension : unsigned { unknown, zero, sign };
  Extension extension = unknown;

  unsigned encode() const {
    return relation | signedComparison << 3 | signedStride << 4 |
           subtracts << 5 | extension << 6 | width << 8;
  }
  static LoopForm decode(unsigned code) {
    return {Relation(code & 7),  bool(code >> 3 & 1), bool(code >> 4 & 1),
            bool(code >> 5 & 1), code >> 8,           Extension(code >> 6 & 3)};
  }
};

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_LOOPFORM_H
