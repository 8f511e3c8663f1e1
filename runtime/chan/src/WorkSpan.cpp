//===- WorkSpan.cpp - What a program could do in parallel -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The serial elision runs, and time passes along the path that it is on. A
// child begins where its parent is, and the parent goes on from there. At a
// sync the parent moves to where the last of its children ended. So the end is
// the longest path through the spawns: the span. As OpenCilk's Cilkscale
// (after Cilkprof: Schardl, Kuszmaul, Lee, Leiserson, Leiserson, SPAA 2015)
// and, with the burden, Cilkview (He, Leiserson, Leiserson, SPAA 2010).
//===----------------------------------------------------------------------===//

#define __cilkscale__ // to define here what the headers declare

#include "Clock.h"
#include "Output.h"
#include "Support.h"
#include "Tuning.h"
#include "chan/abi.h"

#include <algorithm>
#include <atomic>
#include <cilk-lib.cilkh>
#include <cilk/cilkscale.h>
#include <new>
#include <stdlib.h>
#include <utility>

namespace chan {
namespace {

/// A place on a path: its distance from the beginning.
struct Place {
  /// In time; with the burden; in strands.
  uint64_t ticks, burdened, strands;

  void reach(const Place &other) {
    ticks = std::max(ticks, other.ticks);
    burdened = std::max(burdened, other.burdened);
    strands = std::max(strands, other.strands);
  }
};

/// The contents of a chan_scope.
struct Scope {
  /// Where the parent was when it spawned the child that runs.
  Place parent;
  /// The furthest place where a child ended; no strands if there is no child.
  Place children;
};
static_assert(sizeof(Scope) == sizeof(chan_scope));

/// A thread that spawned.  Never freed: the report reads it.
struct Thread {
  Place place{0, 0, 1};
  /// Sums over all paths.
  uint64_t work = 0, strands = 1;
  /// The time from which the present strand is measured.
  uint64_t since = 0;
  Thread *next = nullptr;
};

constinit Thread first;
constinit std::atomic<Thread *> threads{nullptr};
constinit thread_local Thread *current = nullptr;

/// Whether any module was compiled to be measured.
bool measures = false;
Destination destination;
Moment began{};
/// What is measured for an empty strand.
uint64_t idle = 0, burden = 0;

void publish(Thread &thread) {
  thread.next = threads.load(std::memory_order_relaxed);
  // release: shows the thread.
  while (!threads.compare_exchange_weak(thread.next, &thread,
                                        std::memory_order_release,
                                        std::memory_order_relaxed))
    ;
  current = &thread;
  thread.since = ticks();
}

/// The calling thread, measured up to now.
Thread &stop() {
  uint64_t now = ticks();
  if (CHAN_UNLIKELY(!current)) {
    void *space = malloc(sizeof(Thread));
    if (!space) {
      (Message() << "out of memory for work and span").print();
      fail();
    }
    publish(*new (space) Thread);
    return *current;
  }
  uint64_t passed = now - current->since;
  passed = passed > idle ? passed - idle : 0;
  current->work += passed;
  current->place.ticks += passed;
  current->place.burdened += passed;
  return *current;
}

void beginStrand(Thread &thread) {
  ++thread.place.strands;
  ++thread.strands;
}

void go(Thread &thread) { thread.since = ticks(); }

/// The calling thread's reading, in nanoseconds.
wsp_t read() {
  Thread &thread = stop();
  double factor = Moment::nanosecondsPerTick(began);
  wsp_t reading = {long(double(thread.work) * factor),
                   long(double(thread.place.ticks) * factor),
                   long(double(thread.place.burdened) * factor)};
  go(thread);
  return reading;
}

void printSeconds(Output &out, long nanoseconds) {
  out.print(",");
  uint64_t value = nanoseconds < 0 ? 0 : uint64_t(nanoseconds);
  out.print("%llu.%09llu", static_cast<unsigned long long>(value / 1000000000),
            static_cast<unsigned long long>(value % 1000000000));
}

void printRatio(Output &out, uint64_t work, uint64_t span) {
  out.print(",");
  out.printDecimal(span ? uint64_t(double(work) / double(span) * 1000 + 0.5)
                        : 0);
}

void printTimes(Output &out, const char *tag, const wsp_t &reading) {
  out.print("%.400s", tag);
  printSeconds(out, reading.work);
  printSeconds(out, reading.span);
  printRatio(out, uint64_t(reading.work), uint64_t(reading.span));
  printSeconds(out, reading.bspan);
  printRatio(out, uint64_t(reading.work), uint64_t(reading.bspan));
}

void begin() {
  const char *file = getenv("CILKSCALE_OUT");
  destination.choose("CILKSCALE_OUT", file && *file ? file : nullptr);
  {
    Output out(destination);
    out.print("tag,work (seconds),span (seconds),parallelism,burdened_span "
              "(seconds),burdened_parallelism,work (strands),span (strands),"
              "parallelism (strands)\n");
  }
  began = Moment::now();
  publish(first);
  uint64_t least = UINT64_MAX;
  for (int i = 0; i != 1000; ++i) {
    Thread before = first;
    go(first);
    Thread &thread = stop();
    least = std::min(least, thread.work - before.work);
    first = before;
  }
  idle = least;
  burden = static_cast<uint64_t>(double(kBurdenNanoseconds) /
                                 Moment::nanosecondsPerTick(began));
  go(first);
}

__attribute__((destructor)) void end() {
  if (!measures || !destination.isOwn())
    return;
  if (current)
    stop();
  uint64_t work = 0, strands = 0;
  Place span{0, 0, 0};
  for (Thread *thread = threads.load(std::memory_order_acquire); thread;
       thread = thread->next) {
    work += thread->work;
    strands += thread->strands;
    span.reach(thread->place);
  }
  double factor = Moment::nanosecondsPerTick(began);
  wsp_t all = {long(double(work) * factor), long(double(span.ticks) * factor),
               long(double(span.burdened) * factor)};
  Output out(destination, /*append=*/true);
  printTimes(out, "", all);
  out.print(",%llu,%llu", static_cast<unsigned long long>(strands),
            static_cast<unsigned long long>(span.strands));
  printRatio(out, strands, span.strands);
  out.print("\n");
}

} // namespace
} // namespace chan

using namespace chan;

// Loaders run constructors one after the other.
void chan_measure() {
  if (!std::exchange(measures, true))
    begin();
}

void chan_scope_spawn(chan_scope *words) {
  Thread &thread = stop();
  reinterpret_cast<Scope *>(words)->parent = thread.place;
  beginStrand(thread);
  go(thread);
}

void chan_scope_return(chan_scope *words) {
  auto *scope = reinterpret_cast<Scope *>(words);
  Thread &thread = stop();
  thread.place.burdened += burden;
  scope->children.reach(thread.place);
  thread.place = scope->parent;
  thread.place.burdened += burden;
  beginStrand(thread);
  go(thread);
}

void chan_scope_iteration(chan_scope *words) {
  auto *scope = reinterpret_cast<Scope *>(words);
  Thread &thread = stop();
  thread.place.burdened += 2 * burden;
  scope->children.reach(thread.place);
  thread.place = scope->parent;
  go(thread);
}

void chan_scope_sync(chan_scope *words) {
  auto *scope = reinterpret_cast<Scope *>(words);
  if (!scope->children.strands)
    return;
  Thread &thread = stop();
  thread.place.reach(scope->children);
  scope->children = {0, 0, 0};
  beginStrand(thread);
  go(thread);
}

wsp_t wsp_getworkspan() { return read(); }

void wsp_dump(wsp_t reading, const char *tag) {
  if (!destination.isOwn())
    return;
  Thread &thread = stop();
  {
    Output out(destination, /*append=*/true);
    printTimes(out, tag, reading);
    out.print(",,,\n");
  }
  go(thread);
}

Cilk_time chan_user_work() { return read().work; }
Cilk_time chan_user_critical_path() { return read().span; }
