//===- Intervals.cpp - Where values are live ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Intervals.h"

#include "mlir/Analysis/Liveness.h"

using namespace mlir;
using namespace cilk2chan;

std::vector<LiveInterval> cilk2chan::findLiveIntervals(simt::KernelOp kernel) {
  std::vector<LiveInterval> intervals;
  DenseMap<Value, unsigned> indexOf;
  auto define = [&](Value value, unsigned place) {
    indexOf[value] = intervals.size();
    intervals.push_back({value, place, place});
  };
  // A block begins at a place of its own, where its arguments are written.
  DenseMap<Block *, std::pair<unsigned, unsigned>> placesOf;
  DenseMap<Operation *, unsigned> placeOf;
  unsigned place = 0;
  for (Block &block : kernel.getBody()) {
    unsigned begin = place;
    for (BlockArgument argument : block.getArguments())
      define(argument, begin);
    place += 2;
    for (Operation &op : block) {
      placeOf[&op] = place;
      for (Value result : op.getResults())
        if (!simt::isImmediate(result))
          define(result, place + 1);
      place += 2;
    }
    placesOf[&block] = {begin, place - 1};
  }

  auto cover = [&](Value value, unsigned begin, unsigned end) {
    auto found = indexOf.find(value);
    if (found == indexOf.end())
      return; // needs no register
    LiveInterval &interval = intervals[found->second];
    interval.begin = std::min(interval.begin, begin);
    interval.end = std::max(interval.end, end);
  };
  Liveness liveness(kernel);
  for (Block &block : kernel.getBody()) {
    auto [begin, end] = placesOf[&block];
    for (Value value : liveness.getLiveIn(&block))
      cover(value, begin, begin);
    for (Value value : liveness.getLiveOut(&block))
      cover(value, end, end);
    for (Operation &op : block)
      for (Value operand : op.getOperands())
        cover(operand, placeOf[&op], placeOf[&op]);
  }
  llvm::stable_sort(intervals,
                    [](const LiveInterval &a, const LiveInterval &b) {
                      return a.begin < b.begin;
                    });
  return intervals;
}
