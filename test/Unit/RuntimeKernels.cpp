//===- RuntimeKernels.cpp - Kernels by hand, as the compiler emits them ---===//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RuntimeKernels.h"

namespace kernels {

const chan_field IntEntryFields[2] = {{0, 8}, {8, 4}};
const chan_field FrameFields[1] = {{0, 8}};

namespace {

struct FibFrame {
  int *destination;
  int x, y;
};

void fibEntry(chan_worker *, chan_block *, uint32_t, uint32_t);
void fibSync(chan_worker *, chan_block *, uint32_t, uint32_t);

CHAN_TEST_CHANNEL(FibEntry, "fib.0", fibEntry, IntEntryFields, 12,
                  sizeof(FibFrame), CHAN_ENTRY);
CHAN_TEST_CHANNEL(FibSync, "fib.1", fibSync, FrameFields, 8, sizeof(FibFrame),
                  CHAN_CONTINUATION);

void spawnFib(chan_worker *worker, int *destination, int n) {
  chan_block *block = talloc(worker, &FibEntry, true);
  uint32_t i = block->count;
  EntryDestination.at(block, i) = destination;
  EntryArgument.at(block, i) = n;
  block->count = i + 1;
}

void fibEntry(chan_worker *worker, chan_block *block, uint32_t begin,
              uint32_t end) {
  for (uint32_t e = begin; e != end; ++e) {
    int n = EntryArgument.at(block, e);
    int *destination = EntryDestination.at(block, e);
    if (n < 2) {
      *destination = n;
      continue;
    }
    auto *frame = newFrame<FibFrame>(worker);
    frame->destination = destination;
    spawnFib(worker, &frame->x, n - 1);
    spawnFib(worker, &frame->y, n - 2);
    chan_block *next = talloc(worker, &FibSync, false);
    uint32_t i = next->count;
    FrameHandle.at(next, i) = frame;
    next->count = i + 1;
  }
}

void fibSync(chan_worker *worker, chan_block *block, uint32_t begin,
             uint32_t end) {
  for (uint32_t e = begin; e != end; ++e) {
    auto *frame = static_cast<FibFrame *>(FrameHandle.at(block, e));
    *frame->destination = frame->x + frame->y;
    deleteFrame(worker, frame);
  }
}

} // namespace

int callInt(const chan_channel &entry, int argument) {
  int result = 0;
  StubBlock<16> stub(entry);
  EntryDestination.at(&stub.header, 0) = &result;
  EntryArgument.at(&stub.header, 0) = argument;
  chan_run(&stub.header);
  return result;
}

int fib(int n) { return callInt(FibEntry, n); }

int serialFib(int n) { return n < 2 ? n : serialFib(n - 1) + serialFib(n - 2); }

} // namespace kernels
