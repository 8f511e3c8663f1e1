//===- Message.h - What goes between a core's memory and L2 -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//                 down                                        up
//   readForL1     an address     ---> L2 ---> a line          into L1
//   readForLvc    an address     ---> L2 ---> a line          into LVC
//   atomic        a word         ---> L2 ---> a word          to its requester
//   writeBack     bytes of a line ---> L2     no response
//
// A response is its request with another time.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_MESSAGE_H
#define CHANSIM_MESSAGE_H

#include "engine/Engine.h"
#include "memory/ByteMask.h"

namespace chansim {

struct Message {
  enum class Kind : uint8_t { readForL1, readForLvc, atomic, writeBack };

  uint64_t line;
  Kind kind;
  /// Of an atomic operation, which one it is to its requester.
  uint32_t slot = 0;
  /// Of a write-back, if caches have masks: which bytes.
  ByteMask mask = {};
  /// The requester's port of the L2, to which the response goes.
  uint32_t port = 0;
  /// When it is there.
  Tick ready = 0;
  /// Of a response: how many responses there were before it.
  uint64_t number = 0;
};

} // namespace chansim

#endif // CHANSIM_MESSAGE_H
