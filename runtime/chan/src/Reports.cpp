//===- Reports.cpp - When profiles begin and are written ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Profile.h"
#include "Statistics.h"
#include "Trace.h"

#include <new>
#include <pthread.h>
#include <stdlib.h>

namespace chan {
namespace {

Destination statistics, trace;
bool statisticsHaveLevels = false;
/// relaxed: a profile is published with all its members.
std::atomic<uint32_t> profileCount{0};
std::atomic<Profile *> profiles{nullptr};
/// When counting began.
Moment first{};

void chooseOnce(const Options &options) {
  if (options.statistics)
    statistics.choose("CHAN_STATS", options.statisticsFile);
  statisticsHaveLevels = options.statisticsLevels;
  if (options.traceFile)
    trace.choose("CHAN_TRACE", options.traceFile);
  first = Moment::now();
}

} // namespace

void Profile::outOfMemory() {
  (Message() << "out of memory for "
             << (statistics.isChosen() ? "CHAN_STATS" : "CHAN_TRACE"))
      .print();
  fail();
}

void Profile::prepare(const Options &options) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static bool isPrepared = false;
  pthread_mutex_lock(&lock);
  bool isFirst = !isPrepared;
  isPrepared = true;
  // Comes before other workers join. The end of the process does not run this
  // code.
  if (isFirst)
    chooseOnce(options);
  pthread_mutex_unlock(&lock);
}

Profile *Profile::make() {
  if (!statistics.isChosen() && !trace.isChosen())
    return nullptr;
  void *space = calloc(1, sizeof(Profile));
  if (!space)
    outOfMemory();
  auto *profile = new (space) Profile;
  profile->number = profileCount.fetch_add(1, std::memory_order_relaxed);
  profile->joined = Moment::now();
  if (trace.isChosen() && !(profile->events = EventBuffer::make()))
    outOfMemory();
  profile->next = profiles.load(std::memory_order_relaxed);
  // release: with `all`, shows the profile.
  while (!profiles.compare_exchange_weak(profile->next, profile,
                                         std::memory_order_release,
                                         std::memory_order_relaxed))
    ;
  return profile;
}

Profile *Profile::all() {
  return profiles.load(std::memory_order_acquire); // see make
}

uint64_t Profile::nanoseconds(uint64_t passed) {
  // Computed once: the reported time is over.
  static double perTick = 0;
  if (perTick == 0)
    perTick = Moment::nanosecondsPerTick(first);
  return static_cast<uint64_t>(double(passed) * perTick);
}

void Profile::forget() {
  first = Moment::now();
  for (Profile *profile = all(); profile; profile = profile->next) {
    for (Row *row = profile->rows(); row; row = row->next)
      for (Counter *counter :
           {&row->elements, &row->calls, &row->lanes, &row->yields,
            &row->stolen, &row->ticks, &row->tasks, &row->uncounted})
        counter->clear();
    if (profile->events)
      profile->events->clear();
  }
}

void Profile::report(uint32_t workers) {
  uint64_t ended = nanosecondsNow();
  // The thread that ends the process may be inside some spans.
  if (Worker *worker = Worker::currentIfAny(); worker && worker->profile)
    while (Span *span = worker->profile->innermost)
      span->end();
  if (statistics.isOwn())
    writeStatistics(statistics, statisticsHaveLevels, ended - first.nanoseconds,
                    workers);
  if (trace.isOwn())
    writeTrace(trace, first.nanoseconds, ended);
}

} // namespace chan
