//===- Stack.h - The large stack that kernels run on ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_STACK_H
#define CHAN_SRC_STACK_H

#include <stddef.h>
#include <stdint.h>

namespace chan {

/// A reserved, guarded stack.  Nested drains and the program's own recursion
/// grow it; pages are committed as they are touched.  The sanitizers and
/// Valgrind are told of it.
///
/// Thread safety: one thread.
class Stack {
public:
  /// Reserves about `bytes` of address space, less where the system refuses,
  /// and gives the thread a signal stack, on which an overflow can be reported.
  /// False if not even 256 KiB can be had.
  bool reserve(size_t bytes);
  void release();
  /// The same from another thread, which leaves the signal stack: the thread
  /// may be on it, or come to be.
  void releaseOfOther();
  /// What one of so many workers is to reserve at most: where the address space
  /// is limited (ulimit -v), half of what is left of it is for their stacks.
  static size_t mostBytes(uint32_t workers);
  bool reserved() const { return mapping != nullptr; }

  /// Calls function(argument) on this stack and returns after it.
  void call(void (*function)(void *), void *argument);

  /// True when less than a quarter is left below the caller's frame: time to
  /// prefer memory to recursion.
  bool low() const {
    return static_cast<char *>(__builtin_frame_address(0)) < lowMark;
  }
  /// Serial clones, each call of which takes stack, have an eighth of it: the
  /// rest of a deep recursion is cheaper in levels.
  uintptr_t cloneLimit() const {
    size_t bytes = size() / 8;
    if (bytes > kMostCloneBytes)
      bytes = kMostCloneBytes;
    return reinterpret_cast<uintptr_t>(top - bytes);
  }
  bool isDeepForClones() const {
    return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) <
           cloneLimit();
  }
  /// Whether the caller runs on it.
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
  // ThreadSanitizer has room for 65536 calls in each other.
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
