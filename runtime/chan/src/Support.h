//===- Support.h - Assertions and fatal messages ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_SUPPORT_H
#define CHAN_SRC_SUPPORT_H

#include <stddef.h>
#include <stdint.h>

/// CHAN_DEBUG turns the assertions of the invariants on, whatever NDEBUG says.
#if defined(CHAN_DEBUG) || !defined(NDEBUG)
#define CHAN_ASSERT(condition, text)                                           \
  ((condition) ? (void)0 : ::chan::assertionFailed(#condition, text))
#else
#define CHAN_ASSERT(condition, text) ((void)0)
#endif

#define CHAN_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

namespace chan {

/// Least distance in bytes between data of two writers. A constant, unlike
/// std::hardware_destructive_interference_size, which varies with flags.
inline constexpr size_t cacheLineSize = 64;

/// A line for stderr, built without the heap or stdio: usable in a signal
/// handler and when memory is exhausted.  What does not fit is cut off.
class Message {
public:
  Message() { *this << "cilk2chan: "; }
  Message &operator<<(const char *text);
  Message &operator<<(uint64_t number);
  /// Writes the line and a newline to a file, stderr if none is given.
  void print(int file = 2);

private:
  char buffer[512];
  size_t size = 0;
};

/// Ends the process with status 1 after a message has been printed. Runs the
/// atexit handlers, so that buffered output is not lost. A second failure
/// inside those ends the process at once.
[[noreturn]] void fail();

/// Prints the violated invariant and aborts.
[[noreturn]] void assertionFailed(const char *condition, const char *text);

} // namespace chan

#endif
