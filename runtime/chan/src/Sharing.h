//===- Sharing.h - Offering elements to thieves -----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only elements that have not started move (I2). A worker that sees
// Demand::wanted() takes about half of the un-started elements of its
// shallowest level, or of a batch that is shallower. It copies them into a task
// block and puts that into its steal queue. An idle worker takes task blocks
// from any steal queue (Stealing.h) and runs them on fresh levels. What was
// offered comes back as Joining.h says. Elements that are not worth an offer
// are reserved (Reserving.h).
//
// Thread safety: each function is called by the thread of the worker that it is
// given.
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_SHARING_H
#define CHAN_SRC_SHARING_H

#include "Worker.h"

namespace chan {

/// Called before a slice of `block`, the first of `at`'s entries, at time
/// `now`. Offers elements if that pays. Leaves `block` at least one.
void share(Worker &worker, Level *at, chan_block *block, uint64_t now);

/// As share, inside a kernel that spawns.
void shareFromKernel(Worker &worker);

} // namespace chan

#endif
