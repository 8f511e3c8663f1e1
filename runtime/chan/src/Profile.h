//===- Profile.h - Counters and events of a worker --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CHAN_STATS and CHAN_TRACE. A worker has a Profile if one of them is set, else
// a null pointer. A call of a kernel checks only that pointer.
//
// Thread safety: only the worker's thread writes its profile. The thread that
// writes the reports at the end reads all profiles. It may see activations that
// still run as partly counted.
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_PROFILE_H
#define CHAN_SRC_PROFILE_H

#include "Events.h"
#include "Tuning.h"
#include "Worker.h"

namespace chan {

/// How elements of a channel are run.
struct Form {
  enum Kind : uint32_t { kernel, clone, batch, reduction, phase, handler };
  Kind kind;
  /// Number of the phase or of the spawn site.
  uint32_t number = 0;
  bool operator==(const Form &) const = default;
};

/// A number that one thread writes and others may read.
class Counter {
public:
  void operator+=(uint64_t more) {
    // relaxed, both: a sum, and only this thread adds.
    value.store(value.load(std::memory_order_relaxed) + more,
                std::memory_order_relaxed);
  }
  uint64_t get() const { return value.load(std::memory_order_relaxed); }
  void clear() { value.store(0, std::memory_order_relaxed); }

private:
  std::atomic<uint64_t> value{0};
};

/// The counters of one channel in one form at one level.
struct Counts {
  Counter elements, calls;
  /// Lanes of the groups that ran, including those without an element. 0 if
  /// there are no lanes.
  Counter lanes;
  Counter yields, stolen, ticks;
  /// Of clones: activations inside, and calls of clones that do not count
  /// theirs.
  Counter tasks, uncounted;
};

struct Row : Counts {
  const chan_channel *channel;
  /// A copy: the library that holds the channel may be closed.
  char *name;
  Form form;
  uint32_t level;
  uint32_t elementSize;
  bool isEntry;
  /// The worker's next.
  Row *next;
};

struct Options;
class Span;

class Profile {
public:
  /// Reads the settings and checks that the reports can be written. If not,
  /// ends the process with a message. Called before any worker joins; any
  /// thread.
  static void prepare(const Options &options);
  /// Makes the profile of a worker. Null if no report is wanted.
  static Profile *make();
  /// All profiles, linked by `next`.
  static Profile *all();
  /// In a forked process, whose only thread calls this.
  static void forget();
  /// Writes the reports. Called at the end of the process, which had so many
  /// workers.
  static void report(uint32_t workers);

  /// Nanoseconds for a number of ticks.
  static uint64_t nanoseconds(uint64_t ticks);

  /// The row for `channel`, `form` and `level`.
  Row *row(const chan_channel *channel, Form form, uint32_t level);
  /// The rows, linked by `next`.
  Row *rows() const {
    return firstRow.load(std::memory_order_acquire); // see row
  }

  /// The worker's number, from 0.
  uint32_t number = 0;
  /// Null if no trace is wanted.
  EventBuffer *events = nullptr;
  Profile *next = nullptr;
  /// The innermost span that runs.
  Span *innermost = nullptr;
  /// A number for a task block, never 0.
  uint64_t newTaskBlock() { return uint64_t(number) << 40 | ++lastTaskBlock; }
  /// By the clocks of the thread that joined.
  Moment joined{};

private:
  [[noreturn]] static void outOfMemory();
  void grow();

  std::atomic<Row *> firstRow{nullptr};
  /// By hash; the size is a power of two.
  Row **table = nullptr;
  uint32_t tableSize = 0, rowCount = 0;
  uint64_t lastTaskBlock = 0;
};

/// A call that runs elements. Its time excludes that of spans inside it.
class Span {
public:
  /// `elements` are called at `level` of the innermost context, `batches` of
  /// them within each other.
  Span(Worker &worker, const chan_channel *channel, Form form,
       const chan_level *level, uint32_t elements, uint32_t batches = 0)
      : profile(worker.profile) {
    if (CHAN_UNLIKELY(profile != nullptr))
      begin(worker, channel, form, worker.depthOf(level) + batches, elements);
  }
  ~Span() {
    if (CHAN_UNLIKELY(profile != nullptr))
      end();
  }
  Span(const Span &) = delete;
  Span &operator=(const Span &) = delete;

  /// `elements` of `lanes` lanes have an element. REQUIRES: the worker has a
  /// profile.
  void addGroups(uint64_t elements, uint64_t lanes);

  /// The process ends inside: counts the time until now.
  void end();

private:
  friend void countYield(Worker &worker);
  void begin(Worker &worker, const chan_channel *channel, Form form,
             uint32_t level, uint32_t elements);

  Profile *profile;
  Worker *worker;
  Row *row;
  Event *event;
  Span *outer;
  uint64_t began, tasksBefore;
  /// Of spans inside.
  uint64_t ticksInside, tasksInside;
};

/// The kernel that runs must yield, since a channel is full or recursion is too
/// deep.
inline void countYield(Worker &worker) {
  if (CHAN_UNLIKELY(worker.profile != nullptr) && worker.profile->innermost)
    worker.profile->innermost->row->yields += 1;
}

/// Another event that a trace shows, with its duration.
class Mark {
public:
  Mark(Profile *profile, Event::Kind kind, uint64_t taskBlock = 0,
       uint32_t elements = 0)
      : event(nullptr) {
    if (CHAN_UNLIKELY(profile != nullptr) && profile->events)
      event =
          profile->events->begin(kind, ticks(), nullptr, taskBlock, elements);
  }
  ~Mark() {
    if (CHAN_UNLIKELY(event != nullptr))
      event->ended.store(ticks(), std::memory_order_relaxed);
  }
  Mark(const Mark &) = delete;
  Mark &operator=(const Mark &) = delete;

private:
  Event *event;
};

} // namespace chan

#endif
