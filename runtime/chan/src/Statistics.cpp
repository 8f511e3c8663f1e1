//===- Statistics.cpp - What CHAN_STATS counts ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"
#include "Support.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

namespace chan {

constinit std::atomic<bool> Statistics::on{false};
constinit std::atomic<uint64_t> Statistics::inKernels{0};
constinit std::atomic<uint64_t> Statistics::inClones{0};
constinit std::atomic<uint64_t> Statistics::inBatches{0};

/// Null: stderr.
static const char *file = nullptr;

void Statistics::begin(const char *name) {
  file = name ? strdup(name) : nullptr;
  on.store(true, std::memory_order_relaxed); // see wanted
}

void Statistics::print() {
  if (!wanted())
    return;
  // relaxed: who still runs is not waited for.
  uint64_t kernels = inKernels.load(std::memory_order_relaxed);
  uint64_t clones = inClones.load(std::memory_order_relaxed);
  uint64_t batches = inBatches.load(std::memory_order_relaxed);
  int to = STDERR_FILENO;
  if (file)
    to = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (to < 0) {
    (Message() << "cannot write '" << file
               << "' (CHAN_STATS): " << strerror(errno))
        .print();
    return;
  }
  (Message() << kernels << " tasks by kernels, " << batches << " in batches, "
             << clones << " with all their children by serial clones")
      .print(to);
  if (file)
    close(to);
}

} // namespace chan
