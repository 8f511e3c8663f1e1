//===- RuntimePrograms.cpp - Small programs as hand-written kernels -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeKernels.h"

#include <atomic>
#include <utility>
#include <vector>

namespace kernels {
namespace {

using Handle = Element<void *>;

template <typename T> T *frameOf(chan_block *block, uint32_t i) {
  return static_cast<T *>(Handle::get<0>(block, i));
}

// fib

using Fib = Element<int *, int>;
struct FibFrame {
  int *destination;
  int x, y;
};
void fibEntry(chan_worker *, chan_block *, uint32_t);
void fibSync(chan_worker *worker, chan_block *block, uint32_t i) {
  auto *frame = frameOf<FibFrame>(block, i);
  *frame->destination = frame->x + frame->y;
  deleteFrame(worker, frame);
}
const chan_channel FibEntry =
    makeChannel<Fib, fibEntry, CHAN_ENTRY>("fib.0", sizeof(FibFrame));
const chan_channel FibSync =
    makeChannel<Handle, fibSync, CHAN_CONTINUATION>("fib.1", sizeof(FibFrame));

void fibEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  int *destination = Fib::get<0>(block, i);
  int n = Fib::get<1>(block, i);
  if (n < 2) {
    *destination = n;
    return;
  }
  auto *frame = newFrame<FibFrame>(worker);
  frame->destination = destination;
  Fib::send(worker, FibEntry, &frame->x, n - 1);
  Fib::send(worker, FibEntry, &frame->y, n - 2);
  Handle::send(worker, FibSync, frame);
}

// A spawn loop

using LoopChild = Element<std::atomic<long> *, long>;
using Loop = Element<std::atomic<long> *, long>;
void loopChild(chan_worker *, chan_block *block, uint32_t i) {
  LoopChild::get<0>(block, i)->fetch_add(LoopChild::get<1>(block, i),
                                         std::memory_order_relaxed);
}
const chan_channel LoopChildEntry =
    makeChannel<LoopChild, loopChild, CHAN_ENTRY>("add.0");
void loopEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  std::atomic<long> *sum = Loop::get<0>(block, i);
  long children = Loop::get<1>(block, i);
  for (long child = 0; child != children; ++child)
    LoopChild::send(worker, LoopChildEntry, sum, child);
}
const chan_channel LoopEntry =
    makeChannel<Loop, loopEntry, CHAN_ENTRY>("loop.0");

// A list

struct Node {
  Node *next;
};
using List = Element<long *, Node *>;
struct ListFrame {
  long *destination;
  long rest;
};
void listEntry(chan_worker *, chan_block *, uint32_t);
void listSync(chan_worker *worker, chan_block *block, uint32_t i) {
  auto *frame = frameOf<ListFrame>(block, i);
  *frame->destination = frame->rest + 1;
  deleteFrame(worker, frame);
}
const chan_channel ListEntry =
    makeChannel<List, listEntry, CHAN_ENTRY>("length.0", sizeof(ListFrame));
const chan_channel ListSync = makeChannel<Handle, listSync, CHAN_CONTINUATION>(
    "length.1", sizeof(ListFrame));
void listEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  long *destination = List::get<0>(block, i);
  Node *node = List::get<1>(block, i);
  if (!node) {
    *destination = 0;
    return;
  }
  auto *frame = newFrame<ListFrame>(worker);
  frame->destination = destination;
  List::send(worker, ListEntry, &frame->rest, node->next);
  Handle::send(worker, ListSync, frame);
}

// Two phases

using PhaseChild = Element<long *, const long *, int>;
void squareChild(chan_worker *, chan_block *block, uint32_t i) {
  long k = PhaseChild::get<2>(block, i);
  *PhaseChild::get<0>(block, i) = k * k;
}
void differenceChild(chan_worker *, chan_block *block, uint32_t i) {
  const long *squares = PhaseChild::get<1>(block, i);
  int k = PhaseChild::get<2>(block, i);
  *PhaseChild::get<0>(block, i) = squares[k + 1] - squares[k];
}
const chan_channel Square =
    makeChannel<PhaseChild, squareChild, CHAN_ENTRY>("square.0");
const chan_channel Difference =
    makeChannel<PhaseChild, differenceChild, CHAN_ENTRY>("difference.0");

struct PhasesFrame {
  long *destination;
  long *squares, *differences;
  int count;
};
using Phases = Element<long *, long *, long *, int>;
void phasesThird(chan_worker *worker, chan_block *block, uint32_t i) {
  auto *frame = frameOf<PhasesFrame>(block, i);
  long sum = 0;
  for (int k = 0; k + 1 < frame->count; ++k)
    sum += frame->differences[k];
  *frame->destination = sum;
  deleteFrame(worker, frame);
}
const chan_channel PhasesThird =
    makeChannel<Handle, phasesThird, CHAN_CONTINUATION>("phases.2",
                                                        sizeof(PhasesFrame));
void phasesSecond(chan_worker *worker, chan_block *block, uint32_t i) {
  auto *frame = frameOf<PhasesFrame>(block, i);
  for (int k = 0; k + 1 < frame->count; ++k)
    PhaseChild::send(worker, Difference, &frame->differences[k], frame->squares,
                     k);
  Handle::send(worker, PhasesThird, frame);
}
const chan_channel PhasesSecond =
    makeChannel<Handle, phasesSecond, CHAN_CONTINUATION>("phases.1",
                                                         sizeof(PhasesFrame));
void phasesFirst(chan_worker *worker, chan_block *block, uint32_t i) {
  auto *frame = newFrame<PhasesFrame>(worker);
  *frame = {Phases::get<0>(block, i), Phases::get<1>(block, i),
            Phases::get<2>(block, i), Phases::get<3>(block, i)};
  for (int k = 0; k != frame->count; ++k)
    PhaseChild::send(worker, Square, &frame->squares[k], nullptr, k);
  Handle::send(worker, PhasesSecond, frame);
}
const chan_channel PhasesFirst = makeChannel<Phases, phasesFirst, CHAN_ENTRY>(
    "phases.0", sizeof(PhasesFrame));

// Mutual recursion

void evenEntry(chan_worker *, chan_block *, uint32_t);
void oddEntry(chan_worker *, chan_block *, uint32_t);
const chan_channel Even = makeChannel<Fib, evenEntry, CHAN_ENTRY>("even.0");
const chan_channel Odd = makeChannel<Fib, oddEntry, CHAN_ENTRY>("odd.0");
void evenEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  int n = Fib::get<1>(block, i);
  if (n == 0)
    *Fib::get<0>(block, i) = 1;
  else
    Fib::send(worker, Odd, Fib::get<0>(block, i), n - 1);
}
void oddEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  int n = Fib::get<1>(block, i);
  if (n == 0)
    *Fib::get<0>(block, i) = 0;
  else
    Fib::send(worker, Even, Fib::get<0>(block, i), n - 1);
}

// Two channels at one level, one of them with elements of no size

std::atomic<int> ranWithout, ranWith;
using Nothing = Element<>;
using Wide = Element<long, long, long, char>;
void nothingChild(chan_worker *, chan_block *, uint32_t) {
  ranWithout.fetch_add(1, std::memory_order_relaxed);
}
void wideChild(chan_worker *, chan_block *block, uint32_t i) {
  if (Wide::get<0>(block, i) + 1 == Wide::get<2>(block, i) &&
      Wide::get<3>(block, i) == char(Wide::get<0>(block, i)))
    ranWith.fetch_add(1, std::memory_order_relaxed);
}
const chan_channel NothingEntry =
    makeChannel<Nothing, nothingChild, CHAN_ENTRY>("nothing.0");
const chan_channel WideEntry =
    makeChannel<Wide, wideChild, CHAN_ENTRY>("wide.0");
using Kinds = Element<int>;
void kindsEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  int pairs = Kinds::get<0>(block, i);
  for (int k = 0; k != pairs; ++k) {
    Nothing::send(worker, NothingEntry);
    Wide::send(worker, WideEntry, k, 0, k + 1, char(k));
  }
}
const chan_channel KindsEntry =
    makeChannel<Kinds, kindsEntry, CHAN_ENTRY>("kinds.0");

// Calls of a C symbol inside a kernel

struct CallsFrame {
  int *destination;
  int x, y;
};
void callsEntry(chan_worker *, chan_block *, uint32_t);
void callsSync(chan_worker *worker, chan_block *block, uint32_t i) {
  auto *frame = frameOf<CallsFrame>(block, i);
  *frame->destination = frame->x + frame->y;
  deleteFrame(worker, frame);
}
const chan_channel CallsEntry =
    makeChannel<Fib, callsEntry, CHAN_ENTRY>("calls.0", sizeof(CallsFrame));
const chan_channel CallsSync =
    makeChannel<Handle, callsSync, CHAN_CONTINUATION>("calls.1",
                                                      sizeof(CallsFrame));
void callsEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  int n = Fib::get<1>(block, i);
  if (n < 2) {
    *Fib::get<0>(block, i) = n;
    return;
  }
  auto *frame = newFrame<CallsFrame>(worker);
  frame->destination = Fib::get<0>(block, i);
  Fib::send(worker, CallsEntry, &frame->x, n - 1);
  frame->y = fibByCalls(n - 2);
  Handle::send(worker, CallsSync, frame);
}

} // namespace

int fib(int n) {
  int result = -1;
  Fib::call(FibEntry, &result, n);
  return result;
}

long sumInLoop(long children) {
  std::atomic<long> sum{0};
  Loop::call(LoopEntry, &sum, children);
  return sum;
}

long listLength(long nodes) {
  std::vector<Node> list(nodes);
  for (long k = 0; k + 1 < nodes; ++k)
    list[k].next = &list[k + 1];
  long result = -1;
  List::call(ListEntry, &result, nodes ? list.data() : nullptr);
  return result;
}

long twoPhases(int count) {
  std::vector<long> squares(count), differences(count);
  long result = -1;
  Phases::call(PhasesFirst, &result, squares.data(), differences.data(), count);
  return result;
}

int isEven(int n) {
  int result = -1;
  Fib::call(Even, &result, n);
  return result;
}

int twoKinds(int pairs) {
  ranWithout = ranWith = 0;
  Kinds::call(KindsEntry, pairs);
  return ranWithout * 1000 + ranWith;
}

int fibByCalls(int n) {
  int result = -1;
  Fib::call(CallsEntry, &result, n);
  return result;
}

} // namespace kernels
