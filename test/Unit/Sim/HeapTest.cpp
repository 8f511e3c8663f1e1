//===- HeapTest.cpp - The simulator's own heap ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

// AddressSanitizer has a heap of its own.
#if !__has_feature(address_sanitizer)
namespace {

TEST(Heap, ObjectsAreApartAndAligned) {
  struct Object {
    unsigned char *bytes;
    size_t size, alignment;
  };
  std::vector<Object> objects;
  for (size_t alignment = 16; alignment <= 1024; alignment *= 4)
    for (size_t size : {0, 1, 16, 100, 4096, 65536, 300000}) {
      void *object = alignment == 16
                         ? operator new(size)
                         : operator new(size, std::align_val_t(alignment));
      EXPECT_EQ(reinterpret_cast<uintptr_t>(object) % alignment, 0u);
      memset(object, static_cast<int>(objects.size()), size);
      objects.push_back(
          {static_cast<unsigned char *>(object), size, alignment});
    }
  for (size_t i = 0; i != objects.size(); ++i) {
    for (size_t byte = 0; byte < objects[i].size; ++byte)
      ASSERT_EQ(objects[i].bytes[byte], i);
    if (objects[i].alignment == 16)
      operator delete(objects[i].bytes);
    else
      operator delete(objects[i].bytes, std::align_val_t(objects[i].alignment));
  }
}

TEST(Heap, WhatIsTooMuchIsRefused) {
  volatile size_t most = std::numeric_limits<size_t>::max();
  EXPECT_THROW(operator delete(operator new(most - 4)), std::bad_alloc);
  EXPECT_THROW(operator delete(operator new(most / 2)), std::bad_alloc);
  EXPECT_EQ(operator new(most / 2, std::nothrow), nullptr);
}

TEST(Heap, AChildOfAForkAllocates) {
  std::atomic<bool> isOver{false};
  std::thread other([&] {
    while (!isOver)
      operator delete(operator new(100));
  });
  for (int i = 0; i != 200; ++i) {
    pid_t child = fork();
    if (child == 0) {
      alarm(10); // ends what waits for a lock
      operator delete(operator new(100));
      _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    if (status)
      break;
  }
  isOver = true;
  other.join();
}

} // namespace
#endif
