//===- Profile.cpp - Counters and events of a worker ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profile.h"
#include "Statistics.h"

#include <new>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

namespace chan {
namespace {

Destination statistics, trace;
bool statisticsHaveLevels = false;
/// relaxed: a profile is published with all its members.
std::atomic<uint32_t> profileCount{0};
std::atomic<Profile *> profiles{nullptr};
/// When counting began.
Moment first{};

[[noreturn]] void outOfMemoryForProfile() {
  (Message() << "out of memory for "
             << (statistics.isChosen() ? "CHAN_STATS" : "CHAN_TRACE"))
      .print();
  fail();
}

void chooseOnce(const Options &options) {
  if (options.statistics)
    statistics.choose("CHAN_STATS", options.statisticsFile);
  statisticsHaveLevels = options.statisticsLevels;
  if (options.traceFile)
    trace.choose("CHAN_TRACE", options.traceFile);
  first = Moment::now();
}

uint32_t hash(const chan_channel *channel, Form form, uint32_t level) {
  uint64_t key = reinterpret_cast<uintptr_t>(channel) ^
                 (uint64_t(level) << 40) ^ (uint64_t(form.kind) << 56) ^
                 (uint64_t(form.number) << 32);
  return static_cast<uint32_t>(key * 0x9e3779b97f4a7c15u >> 32);
}

} // namespace

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

EventBuffer *EventBuffer::make() {
  void *space = mmap(nullptr, sizeof(EventBuffer), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  // All members are zero initially.
  return space == MAP_FAILED ? nullptr : static_cast<EventBuffer *>(space);
}

Event *EventBuffer::begin(Event::Kind kind, uint64_t now, const Row *row,
                          uint64_t taskBlock, uint32_t elements) {
  // relaxed: this thread alone writes it.
  size_t index = used.load(std::memory_order_relaxed);
  if (index == kMost) {
    uint64_t before = dropped.load(std::memory_order_relaxed);
    if (!before)
      dropping.store(now, std::memory_order_relaxed);
    dropped.store(before + 1, std::memory_order_relaxed);
    return nullptr;
  }
  Event &event = events[index];
  event.row = row;
  event.began = now;
  event.ended.store(0, std::memory_order_relaxed);
  event.taskBlock = taskBlock;
  event.kind = kind;
  event.elements = elements;
  used.store(index + 1, std::memory_order_release); // shows the event
  return &event;
}

void EventBuffer::clear() {
  // relaxed: the only thread.
  used.store(0, std::memory_order_relaxed);
  dropped.store(0, std::memory_order_relaxed);
}

//===----------------------------------------------------------------------===//
// Profiles
//===----------------------------------------------------------------------===//

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
    outOfMemoryForProfile();
  auto *profile = new (space) Profile;
  profile->number = profileCount.fetch_add(1, std::memory_order_relaxed);
  profile->joined = Moment::now();
  if (trace.isChosen() && !(profile->events = EventBuffer::make()))
    outOfMemoryForProfile();
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

void Profile::report() {
  uint64_t ended = nanosecondsNow();
  // The thread that ends the process may be inside some spans.
  if (Worker *worker = Worker::currentIfAny(); worker && worker->profile)
    while (Span *span = worker->profile->innermost)
      span->end();
  if (statistics.isOwn())
    writeStatistics(statistics, statisticsHaveLevels,
                    ended - first.nanoseconds);
  if (trace.isOwn())
    writeTrace(trace, first.nanoseconds, ended);
}

void Profile::grow() {
  uint32_t size = tableSize ? 2 * tableSize : 64;
  auto **larger = static_cast<Row **>(calloc(size, sizeof(Row *)));
  if (!larger)
    outOfMemoryForProfile();
  for (Row *row = rows(); row; row = row->next) {
    uint32_t at = hash(row->channel, row->form, row->level);
    while (larger[at & (size - 1)])
      ++at;
    larger[at & (size - 1)] = row;
  }
  free(table);
  table = larger;
  tableSize = size;
}

Row *Profile::row(const chan_channel *channel, Form form, uint32_t level) {
  if (level > kDeepLevel)
    level = kDeepLevel;
  if (2 * rowCount >= tableSize)
    grow();
  uint32_t at = hash(channel, form, level);
  for (; Row *known = table[at & (tableSize - 1)]; ++at)
    // After a library was closed, the channel of another one may have the same
    // address.
    if (known->channel == channel && known->form == form &&
        known->level == level && strcmp(known->name, channel->name) == 0)
      return known;
  void *space = calloc(1, sizeof(Row));
  char *name = strdup(channel->name);
  if (!space || !name)
    outOfMemoryForProfile();
  auto *row = new (space) Row;
  row->channel = channel;
  row->name = name;
  row->form = form;
  row->level = level;
  row->elementSize = channel->element_size;
  row->isEntry = channel->kind == CHAN_ENTRY;
  row->next = rows();
  firstRow.store(row, std::memory_order_release); // shows the row
  table[at & (tableSize - 1)] = row;
  ++rowCount;
  return row;
}

//===----------------------------------------------------------------------===//
// Spans
//===----------------------------------------------------------------------===//

void Span::begin(Worker &owner, const chan_channel *channel, Form form,
                 uint32_t level, uint32_t elements) {
  worker = &owner;
  outer = profile->innermost;
  profile->innermost = this;
  row = profile->row(channel, form, level);
  row->elements += elements;
  row->calls += 1;
  if (form.kind == Form::clone && !(channel->flags & CHAN_CLONE_COUNTS))
    row->uncounted += elements;
  if (form.kind == Form::kernel && channel->lanes > 1)
    row->lanes +=
        (elements + channel->lanes - 1) / channel->lanes * channel->lanes;
  ticksInside = tasksInside = 0;
  tasksBefore = owner.clone_tasks;
  began = ticks();
  event = profile->events
              ? profile->events->begin(Event::call, began, row, 0, elements)
              : nullptr;
}

void Span::end() {
  uint64_t now = ticks();
  uint64_t passed = now - began, tasks = worker->clone_tasks - tasksBefore;
  row->ticks += passed - ticksInside;
  // Only clones increment it.
  row->tasks += tasks - tasksInside;
  if (event)
    event->ended.store(now, std::memory_order_relaxed);
  if (outer) {
    outer->ticksInside += passed;
    outer->tasksInside += tasks;
  }
  profile->innermost = outer;
  profile = nullptr;
}

void Span::addGroups(uint64_t elements, uint64_t lanes) {
  row->elements += elements;
  row->lanes += lanes;
  if (event)
    event->elements += static_cast<uint32_t>(elements);
}

} // namespace chan
