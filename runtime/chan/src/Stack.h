//===- Stack.h - The large stack that kernels run on ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_STACK_H
#define CHAN_SRC_STACK_H

#include "Tuning.h"

#include <stddef.h>
#include <stdint.h>

namespace chan {

/// A reserved stack with a guard. Nested drains and the program's own recursion
/// grow it; pages are committed when they are touched. The sanitizers and
/// Valgrind know of it.
///
/// Thread safety: one thread.
class Stack {
public:
  /// Reserves about `bytes` of address space, or less if the system refuses.
  /// Gives the thread a signal stack, on which an overflow can be reported.
  /// False if not even 256 KiB are available.
  bool reserve(size_t bytes);
  void release();
  /// As release, from another thread. The signal stack stays: the thread may be
  /// on it, or use it later.
  void releaseOfOther();
  /// The most that one of `workers` workers may reserve. If the address space
  /// is limited (ulimit -v), half of the rest is for their stacks.
  static size_t mostBytes(uint32_t workers);
  bool reserved() const { return mapping != nullptr; }

  /// Calls function(argument) on this stack.
  void call(void (*function)(void *), void *argument);

  /// True when less than a quarter is left below the caller's frame. Then
  /// memory is preferred to recursion.
  bool low() const {
    return static_cast<char *>(__builtin_frame_address(0)) < lowMark;
  }
  /// The address where an eighth of the stack is used up. Serial clones use no
  /// more, since each call takes stack: levels are cheaper for the rest of a
  /// deep recursion.
  uintptr_t cloneLimit() const {
    size_t bytes = size() / kClonePartOfStack;
    if (bytes > kMostCloneBytes)
      bytes = kMostCloneBytes;
    return reinterpret_cast<uintptr_t>(top - bytes);
  }
  bool isDeepForClones() const {
    return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) <
           cloneLimit();
  }
  /// Whether the caller runs on this stack.
  bool isCurrent() const {
    const void *frame = __builtin_frame_address(0);
    return frame >= bottom && frame < top;
  }
  bool holdsGuard(const void *address) const {
    return address >= mapping && address < bottom;
  }
  size_t size() const { return static_cast<size_t>(top - bottom); }

private:
#if defined(__has_feature)
#define CHAN_HAS_FEATURE(feature) __has_feature(feature)
#else
#define CHAN_HAS_FEATURE(feature) 0
#endif
#if defined(__SANITIZE_THREAD__) || CHAN_HAS_FEATURE(thread_sanitizer)
  // ThreadSanitizer has room for 65536 nested calls.
  static constexpr size_t kMostCloneBytes = size_t(1) << 20;
#else
  static constexpr size_t kMostCloneBytes = SIZE_MAX;
#endif
  char *mapping = nullptr; // the guard begins here
  char *bottom = nullptr;  // first usable byte
  char *top = nullptr;
  char *lowMark = nullptr;
  void *signalStack = nullptr;
  unsigned valgrindId = 0;
};

} // namespace chan

#endif
