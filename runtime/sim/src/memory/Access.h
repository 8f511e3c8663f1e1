//===- Access.h - What a core asks its memory for ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//          Request                          Message
//   core -----------> Memory: FirstLevel -------------> Link ---> L2
//        <-----------                    <-------------      <---
//      Taken, Completion                    Message
//
// Taken is the answer in the same cycle; a Completion comes when the access is
// done.  Message.h has the other side.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_ACCESS_H
#define CHANSIM_ACCESS_H

#include "memory/ByteMask.h"

#include <cstdint>

namespace chansim {

/// What an access does.  Atomic operations go by L1.
enum class Access : uint8_t {
  read,
  write,
  atomic,
  fence ///< none: it is done when all writes before it are where others see them
};

/// In which order others see an access.  One that acquires comes before those behind it
/// in its thread, one that releases behind those before it.  All but plain ones are
/// performed where all see them.
enum class Order : uint8_t { plain, relaxed, acquire, release, both };
inline bool acquires(Order order) {
  return order == Order::acquire || order == Order::both;
}
inline bool releases(Order order) {
  return order == Order::release || order == Order::both;
}

/// By which cache an access goes.  Each has an address space of its own: those
/// of L1 are the process's, those of LVC are bytes of the live-value matrix.
enum class Via : uint8_t { l1, lvc };

/// An access of one simulated thread.
struct Request {
  uint64_t address;
  /// At most a line; it may cross from one line into the next.
  uint32_t bytes;
  Access access;
  Via via;
  /// Given back with the completion, and of no meaning here.
  uint32_t requester, tag;
  /// A write that the caller does not wait for: it has no completion.
  bool isPosted = false;
  /// Whether MemoryPort::place() has given its address: a whole line, or an atomic
  /// operation.
  bool isPlaced = false;
  /// Whether it is in the private window.  The memory finds it out, unless the
  /// access is placed.
  bool isPrivate = false;
  /// Of an access to a placed line: which bytes.
  ByteMask written = {};
  Order order = Order::plain;
};

/// An access that is done.
struct Completion {
  uint32_t requester, tag;
};

/// Whether an access was taken up, or why it must be tried again.
enum class Taken : uint8_t {
  yes,
  bankConflict, ///< another access has its bank in this cycle
  noMshr,       ///< a miss, and too many are under way
  noTarget,     ///< too many wait for the same line
  flushing,     ///< the cache is being written back
  noWriteBack   ///< it displaces a line, and too many are being written back
};

/// A stretch of private memory that is stored interleaved: granule g of thread
/// t lies beside granule g of thread t + 1, not beside granule g + 1 of thread
/// t.
struct PrivateWindow {
  uint64_t base;
  uint32_t threads, bytesPerThread;
  /// An aligned access of at most this size stays in one piece.
  uint32_t granule;

  /// Whether it is an address of the window, placed or not.
  bool contains(uint64_t address) const {
    return address - base < uint64_t(threads) * bytesPerThread;
  }
};

} // namespace chansim

#endif // CHANSIM_ACCESS_H
