//===- Intervals.h - Where values are live ----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_SIMT_TRANSFORMS_INTERVALS_H
#define CILK2CHAN_LIB_DIALECT_SIMT_TRANSFORMS_INTERVALS_H

#include "cilk2chan/Dialect/SIMT/SIMT.h"

namespace cilk2chan {

/// From where a value is written to where it is read last, both included. The
/// places of a kernel are numbered in the order of its blocks. An instruction
/// reads at an even place and writes at the next one, so its result may be in the
/// register of an operand that is read there last.
struct LiveInterval {
  mlir::Value value;
  unsigned begin, end;
};

/// Of all values that need a register, by begin; those of one begin are in the
/// order of the kernel.
std::vector<LiveInterval> findLiveIntervals(simt::KernelOp kernel);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_SIMT_TRANSFORMS_INTERVALS_H
