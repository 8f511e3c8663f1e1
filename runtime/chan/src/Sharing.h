//===- Sharing.h - Blocks that move between workers -------------*- C++ -*-===//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef CHAN_SRC_SHARING_H
#define CHAN_SRC_SHARING_H

#include "Worker.h"

namespace chan {

inline void share(Worker &, Level *, chan_block *, uint64_t) {}
inline void shareFromKernel(Worker &) {}
inline bool joinParcels(Worker &, Level *) { return false; }
inline void awaitParcels(Worker &, Level *) {}

} // namespace chan

#endif
