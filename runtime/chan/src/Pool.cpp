//===- Pool.cpp - The workers of the process ------------------------------===//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Pool.h"
#include "Overflow.h"

#include <new>
#include <pthread.h>
#include <stdlib.h>

namespace chan {

constinit std::atomic<int> Pool::demand{0};
constinit Options Pool::options{1, 1, 0};

namespace {
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
bool configured = false;
Worker *freeWorkers = nullptr;
} // namespace

Worker *Pool::join() {
  pthread_mutex_lock(&lock);
  if (!configured) {
    options = parseOptions();
    installOverflowHandler();
    configured = true;
  }
  Worker *worker = freeWorkers;
  if (worker) {
    freeWorkers = worker->nextFree;
    worker->nextFree = nullptr;
  } else if (void *space = aligned_alloc(64, (sizeof(Worker) + 63) & ~63ul)) {
    worker = new (space) Worker;
  }
  pthread_mutex_unlock(&lock);
  if (!worker || !worker->stack.reserve(options.stackBytes)) {
    (Message() << "out of memory: no stack for a thread that enters").print();
    fail();
  }
  worker->width = options.width;
  return worker;
}

void Pool::leave(Worker *worker) {
  worker->dispose();
  pthread_mutex_lock(&lock);
  worker->nextFree = freeWorkers;
  freeWorkers = worker;
  pthread_mutex_unlock(&lock);
}

} // namespace chan
