//===- Dispatcher.h - Gives the cores of a machine their work ---*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What runs the tree that a program has spawned:
//
//   Aggregator            each action takes a fixed time         (Aggregator.h)
//   ProgrammedAggregator  a program that a modelled core runs    (ProgrammedAggregator.h)
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_DISPATCHER_H
#define CHANSIM_DISPATCHER_H

#include "chan/abi.h"
#include "results/Trace.h"

namespace chansim {

class Dispatcher {
public:
  virtual ~Dispatcher() = default;

  /// Dispatches are shown on a track of their own.
  virtual void record(Trace &trace) = 0;
  /// For what a wavefront waits that yields, or waited that is back, by the place of its
  /// state (Tile::contextBase); "" if that is no channel.
  virtual std::string waitOf(uint64_t /*contextBase*/, bool /*isBack*/) const {
    return {};
  }
  /// Runs the one element in `block` and all its descendants.  Throws what the engine
  /// and the cores throw.
  virtual void run(chan_block *block) = 0;
  /// What a kernel is given for a channel (Parameter::Kind::control): that of the level
  /// below the thread's for a function that it spawns by its address; `otherwise` if that
  /// is no function of the device's.  `launch` is the word of Parameter::Kind::level.
  virtual void *resolve(void *launch, void (*function)(void),
                        uint64_t signature, void *otherwise) = 0;
};

} // namespace chansim

#endif // CHANSIM_DISPATCHER_H
