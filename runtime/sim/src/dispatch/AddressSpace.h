//===- AddressSpace.h - Memory that is zero until it is used ----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Address space of the process that takes memory only where it is touched, and goes as a
// whole:
//
//   AddressSpace space;
//   auto *words = space.allocate<uint64_t>(1 << 30);   // takes no memory yet
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_ADDRESSSPACE_H
#define CHANSIM_ADDRESSSPACE_H

#include <cstdint>
#include <vector>

namespace chansim {

/// Address space in pieces, all zero at first.
class AddressSpace {
public:
  struct Piece {
    char *base;
    uint64_t bytes;
  };

  AddressSpace() = default;
  AddressSpace(const AddressSpace &) = delete;
  AddressSpace &operator=(const AddressSpace &) = delete;
  ~AddressSpace();

  /// So many bytes, aligned to a line.  Throws std::bad_alloc.
  void *allocate(uint64_t bytes);
  template <class T> T *allocate(uint64_t count) {
    return static_cast<T *>(allocate(count * sizeof(T)));
  }
  const std::vector<Piece> &pieces() const { return list; }
  /// Of all that was allocated.
  const uint64_t &bytes() const { return allocated; }

private:
  std::vector<Piece> list;
  uint64_t used = 0, allocated = 0;
};

} // namespace chansim

#endif // CHANSIM_ADDRESSSPACE_H
