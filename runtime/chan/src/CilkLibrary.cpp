//===- CilkLibrary.cpp - What Cilk-5 and Cilk Plus programs call ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clock.h"
#include "Futex.h"
#include "Options.h"
#include "Pool.h"
#include "Slots.h"
#include "Support.h"
#include "Tuning.h"

#include <algorithm>
#include <cilk-lib.cilkh>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

using namespace chan;

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

int __cilkrts_get_nworkers() {
  // The pool reads the options when the first thread enters.
  uint32_t known = Pool::workers();
  return static_cast<int>(known ? known : parseOptions().workers);
}

int __cilkrts_get_worker_number() {
  const Worker *worker = Worker::currentIfAny();
  return worker ? static_cast<int>(worker->slot) : 0;
}

int __cilkrts_get_total_workers() {
  return std::max(__cilkrts_get_nworkers(), static_cast<int>(Slots::count()));
}

int __cilkrts_running_on_workers() { return Worker::currentIfAny() != nullptr; }

int __cilkrts_get_force_reduce() { return 0; }

int __cilkrts_set_param(const char *name, const char *value) {
  if (!name || !value)
    return __CILKRTS_SET_PARAM_INVALID;
  if (strcmp(name, "nworkers") != 0)
    return __CILKRTS_SET_PARAM_UNIMP;
  uint32_t workers = parseWorkers(value);
  if (!workers)
    return __CILKRTS_SET_PARAM_XRANGE;
  return Pool::setWorkers(workers) ? __CILKRTS_SET_PARAM_SUCCESS
                                   : __CILKRTS_SET_PARAM_LATE;
}

void __cilkrts_init() {}

void __cilkrts_end_cilk() {}

struct Cilk_context {};

static void setProcessors(const char *value) {
  int result = __cilkrts_set_param("nworkers", value);
  if (result == __CILKRTS_SET_PARAM_SUCCESS)
    return;
  Message message;
  message << "--nproc " << value;
  if (result == __CILKRTS_SET_PARAM_LATE)
    message << " comes too late: Cilk_init must be called before the workers "
               "have started";
  else
    message << " is not a number from 1 to " << uint64_t(kMaxWorkers);
  message.print();
  fail();
}

CilkContext *Cilk_init(int *argc, char **argv) {
  int kept = 0;
  for (int i = 0; i < *argc; ++i) {
    if (i > 0 && i + 1 < *argc && strcmp(argv[i], "--nproc") == 0)
      setProcessors(argv[++i]);
    else
      argv[kept++] = argv[i];
  }
  argv[ *argc = kept] = nullptr;
  // All contexts are the same one.
  static CilkContext context;
  return &context;
}

void Cilk_terminate(CilkContext *) {}

//===----------------------------------------------------------------------===//
// Locks
//===----------------------------------------------------------------------===//

namespace {

/// The three states of Drepper, "Futexes Are Tricky", section 5.
enum LockState : uint32_t { isFree, isHeld, isAwaited };

using LockWord = std::atomic<uint32_t>;
static_assert(sizeof(LockWord) == sizeof(Cilk_lock_state));

LockWord &wordOf(Cilk_lock_state *lock) {
  return reinterpret_cast<LockWord &>(lock->word);
}

} // namespace

void Cilk_lock_init(Cilk_lockvar lock) {
  // relaxed: the thread that shares the lock publishes it.
  wordOf(lock).store(isFree, std::memory_order_relaxed);
}

int chan_try_lock(Cilk_lock_state *lock) {
  uint32_t seen = isFree;
  // acquire: sees what was written under the lock before.
  return wordOf(lock).compare_exchange_strong(
      seen, isHeld, std::memory_order_acquire, std::memory_order_relaxed);
}

void Cilk_lock(Cilk_lockvar lock) {
  for (int i = 0; i != kLockSpins; ++i)
    if (chan_try_lock(lock))
      return;
  LockWord &word = wordOf(lock);
  while (word.exchange(isAwaited, std::memory_order_acquire) != isFree)
    futexWait(word, isAwaited);
}

void Cilk_unlock(Cilk_lockvar lock) {
  LockWord &word = wordOf(lock);
  // release: shows the next holder what was written.
  if (word.exchange(isFree, std::memory_order_release) == isAwaited)
    futexWake(word);
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

Cilk_time Cilk_get_wall_time() { return Cilk_time(nanosecondsNow()); }

Cilk_time Cilk_get_time() { return Cilk_get_wall_time(); }

double Cilk_wall_time_to_sec(Cilk_time time) { return double(time) * 1e-9; }

double Cilk_time_to_sec(Cilk_time time) { return Cilk_wall_time_to_sec(time); }

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

void Cilk_die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  exit(1);
}
