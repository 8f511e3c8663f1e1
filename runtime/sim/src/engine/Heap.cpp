//===- Heap.cpp - Where the simulator's own objects lie -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program that is simulated calls malloc in the same process, and where its
// objects lie decides which of them share a cache line.  What the simulator
// allocates (a file name, a table that grows) must not move them; so C++'s
// allocation functions, which programs in C do not call, have pages of their
// own.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>

// In a program that is built with LeakSanitizer: pages to look for pointers in.
extern "C" {
[[gnu::weak]] void __lsan_register_root_region(const void *, size_t);
[[gnu::weak]] void __lsan_unregister_root_region(const void *, size_t);
}

namespace {

/// Whole pages, from the system.
class Pages : public std::pmr::memory_resource {
  void *do_allocate(size_t bytes, size_t) override {
    void *pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
      throw std::bad_alloc();
    if (__lsan_register_root_region)
      __lsan_register_root_region(pages, bytes);
    return pages;
  }
  void do_deallocate(void *pages, size_t bytes, size_t) override {
    if (__lsan_unregister_root_region)
      __lsan_unregister_root_region(pages, bytes);
    munmap(pages, bytes);
  }
  bool do_is_equal(const memory_resource &other) const noexcept override {
    return this == &other;
  }
};

/// What stands in front of an object: the size of both.
constexpr size_t kHeader = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

class Heap {
public:
  void *allocate(size_t bytes, size_t alignment) {
    size_t front = std::max(kHeader, alignment);
    if (bytes > SIZE_MAX / 4 || front > SIZE_MAX / 4)
      throw std::bad_alloc();
    // libstdc++'s pools have blocks of 8, 24, 48, 80 bytes and so on, which are
    // no more aligned than their size is.
    bytes += front;
    bytes = front == kHeader ? (bytes + kHeader - 1) / kHeader * kHeader
                             : std::bit_ceil(bytes);
    std::byte *block;
    {
      std::lock_guard guard(lock);
      block = static_cast<std::byte *>(pools.allocate(bytes, front));
    }
    std::byte *object = block + front;
    *reinterpret_cast<size_t *>(object - kHeader) = bytes;
    return object;
  }

  void free(void *pointer, size_t alignment) {
    if (!pointer)
      return;
    std::byte *object = static_cast<std::byte *>(pointer);
    size_t front = std::max(kHeader, alignment);
    size_t bytes = *reinterpret_cast<size_t *>(object - kHeader);
    std::lock_guard guard(lock);
    pools.deallocate(object - front, bytes, front);
  }

  /// Around a fork, so that the child does not find it taken by a thread that
  /// it has not got.
  std::mutex lock;

private:
  Pages pages;
  std::pmr::unsynchronized_pool_resource pools{
      {.max_blocks_per_chunk = 0, .largest_required_pool_block = 1 << 16},
      &pages};
};

/// Lives as long as the process: other objects are destroyed after any that
/// was made this early.
Heap &heap() {
  alignas(Heap) static std::byte storage[sizeof(Heap)];
  static Heap *made = [] {
    pthread_atfork([] { heap().lock.lock(); }, [] { heap().lock.unlock(); },
                   [] { heap().lock.unlock(); });
    return new (storage) Heap;
  }();
  return *made;
}

} // namespace

// The standard's array, nothrow and sized forms call these.
void *operator new(size_t bytes) {
  return heap().allocate(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void *operator new(size_t bytes, std::align_val_t alignment) {
  return heap().allocate(bytes, static_cast<size_t>(alignment));
}
void operator delete(void *object) noexcept {
  heap().free(object, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void operator delete(void *object, std::align_val_t alignment) noexcept {
  heap().free(object, static_cast<size_t>(alignment));
}
