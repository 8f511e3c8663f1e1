//===- BackOff.h - Whether a worker's sharing backs off ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_BACKOFF_H
#define CHAN_SRC_BACKOFF_H

#include "StealBackoff.h"

#include <atomic>
#include <stdint.h>

namespace chan {

/// Whether a worker's sharing is in back-off, until when and why. Clones run
/// meanwhile that spawn no tasks although workers want work, and poll_from is
/// UINTPTR_MAX. The watching worker sets poll_from to 0 every period, so that
/// one activation checks whether the back-off is over. Worker::backOffUntil and
/// endBackOff change it.
///
/// Thread safety: any thread reads `isOn`. The rest is the worker's own.
struct BackOff {
  std::atomic<bool> isOn{false};
  /// While it is on: whether the reason is that thieves gained nothing. The
  /// other reason is that the tree is predicted short.
  bool isFruitless = false;
  /// In ticks.
  uint64_t end = 0;
  /// What came of earlier offers.
  StealBackoff history;
};

} // namespace chan

#endif // CHAN_SRC_BACKOFF_H
