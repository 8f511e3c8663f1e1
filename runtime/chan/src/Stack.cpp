//===- Stack.cpp - The large stack that kernels run on --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stack.h"
#include "Signals.h"
#include "Support.h"
#include "Tuning.h"

#include <algorithm>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(from, to) 0u
#define VALGRIND_STACK_DEREGISTER(id) ((void)(id))
#endif

extern "C" {
void chan_switch_stack(void *top, void (*function)(void *), void *argument);

// Weak: one library serves programs with and without AddressSanitizer.
// ThreadSanitizer needs no notice: the switch nests like a call, on one thread.
__attribute__((weak)) void __sanitizer_start_switch_fiber(void **fakeStack,
                                                          const void *bottom,
                                                          size_t size);
__attribute__((weak)) void __lsan_register_root_region(const void *, size_t);
__attribute__((weak)) void __lsan_unregister_root_region(const void *, size_t);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(void *fakeStack,
                                                           const void **bottom,
                                                           size_t *size);
}

namespace chan {
namespace {

/// A call on its way to the other stack.
struct Crossing {
  void (*function)(void *);
  void *argument;
  /// On the caller's real stack, wherever AddressSanitizer puts locals.
  const char *callerFrame;
  const void *callerBottom = nullptr;
  size_t callerSize = 0;
};

/// First function on the new stack.
void arrive(void *argument) {
  auto *crossing = static_cast<Crossing *>(argument);
  if (!__sanitizer_finish_switch_fiber) {
    crossing->function(crossing->argument);
    return;
  }
  __sanitizer_finish_switch_fiber(nullptr, &crossing->callerBottom,
                                  &crossing->callerSize);
  // If the program exits from here, memory to which only the previous stack
  // refers is not leaked.
  const auto *callerTop =
      static_cast<const char *>(crossing->callerBottom) + crossing->callerSize;
  auto size = static_cast<size_t>(callerTop - crossing->callerFrame);
  // In exit handlers that run on an ending thread, AddressSanitizer no longer
  // knows the caller's stack.
  bool isKnown = crossing->callerSize != 0 && __lsan_register_root_region &&
                 __lsan_unregister_root_region;
  if (isKnown)
    __lsan_register_root_region(crossing->callerFrame, size);
  crossing->function(crossing->argument);
  if (isKnown)
    __lsan_unregister_root_region(crossing->callerFrame, size);
  __sanitizer_start_switch_fiber(nullptr, crossing->callerBottom,
                                 crossing->callerSize);
}

} // namespace

size_t Stack::mostBytes(uint32_t workers) {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return SIZE_MAX;
  NoCancellation noCancellation; // reading would be a cancellation point
  char text[64] = "";
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    if (read(file, text, sizeof text - 1) < 0)
      text[0] = '\0';
    close(file);
  }
  size_t used =
      strtoull(text, nullptr, 10) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t left = limit.rlim_cur > used ? limit.rlim_cur - used : 0;
  return std::max(left / 2 / workers, kLeastStackBytes);
}

bool Stack::reserve(size_t bytes) {
  bytes &= ~size_t(0xffff);
  for (;; bytes /= 2) {
    if (bytes < kLeastStackBytes)
      return false;
    void *memory = mmap(nullptr, kGuardBytes + bytes, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      continue;
    mapping = static_cast<char *>(memory);
    bottom = mapping + kGuardBytes;
    if (mprotect(bottom, bytes, PROT_READ | PROT_WRITE) == 0)
      break;
    munmap(memory, kGuardBytes + bytes);
    mapping = nullptr;
  }
  top = bottom + bytes;
  lowMark = bottom + bytes / 4;
  valgrindId = VALGRIND_STACK_REGISTER(bottom, top - 1);

  stack_t present;
  if (sigaltstack(nullptr, &present) == 0 && (present.ss_flags & SS_DISABLE)) {
    void *memory = mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
      signalStack = memory;
      stack_t fresh = {};
      fresh.ss_sp = memory;
      fresh.ss_size = kSignalStackBytes;
      sigaltstack(&fresh, nullptr);
    }
  }
  return true;
}

void Stack::release() {
  if (signalStack) {
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    // It fails in a handler that runs on the signal stack.
    if (sigaltstack(&none, nullptr) == 0)
      munmap(signalStack, kSignalStackBytes);
    signalStack = nullptr;
  }
  releaseOfOther();
}

void Stack::releaseOfOther() {
  if (!mapping)
    return;
  VALGRIND_STACK_DEREGISTER(valgrindId);
  munmap(mapping, static_cast<size_t>(top - mapping));
  mapping = bottom = top = lowMark = nullptr;
}

void Stack::call(void (*function)(void *), void *argument) {
  Crossing crossing{function, argument,
                    static_cast<const char *>(__builtin_frame_address(0))};
  void *fakeStack = nullptr;
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(&fakeStack, bottom, size());
  chan_switch_stack(top, arrive, &crossing);
  if (__sanitizer_finish_switch_fiber)
    __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
}

} // namespace chan
