//===- AddressSpace.cpp - Memory that is zero until it is used ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/AddressSpace.h"

#include "chan/device.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>

namespace chansim {

static constexpr uint64_t kPiece = uint64_t(1) << 32;

AddressSpace::~AddressSpace() {
  for (const Piece &piece : list)
    munmap(piece.base, piece.bytes);
}

void *AddressSpace::allocate(uint64_t bytes) {
  bytes = (bytes + CHAN_ARRAY_LINE - 1) / CHAN_ARRAY_LINE * CHAN_ARRAY_LINE;
  if (list.empty() || used + bytes > list.back().bytes) {
    uint64_t size = std::max(kPiece, bytes);
    void *base = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
      throw std::bad_alloc();
    list.push_back({static_cast<char *>(base), size});
    used = 0;
  }
  used += bytes;
  allocated += bytes;
  return list.back().base + used - bytes;
}

} // namespace chansim
