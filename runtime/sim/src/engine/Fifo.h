//===- Fifo.h - A queue that keeps its storage ------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_FIFO_H
#define CHANSIM_FIFO_H

#include <cstddef>
#include <utility>
#include <vector>

namespace chansim {

/// First in, first out, in a ring that grows when it is full: no allocation
/// once it has been as full as it gets.
template <class T> class Fifo {
public:
  bool empty() const { return count == 0; }
  size_t size() const { return count; }
  const T &front() const { return ring[head]; }
  T &front() { return ring[head]; }
  void pop() {
    head = (head + 1) & (ring.size() - 1);
    --count;
  }
  void push(const T &value) {
    if (count == ring.size())
      grow();
    ring[(head + count) & (ring.size() - 1)] = value;
    ++count;
  }

  /// Pushes it, and before all at the end that are greater: in order if those
  /// that are there are.
  template <class Less> void insert(const T &value, Less &&less) {
    push(value);
    for (size_t i = count - 1; i && less(value, at(i - 1)); --i)
      std::swap(at(i), at(i - 1));
  }

private:
  T &at(size_t index) { return ring[(head + index) & (ring.size() - 1)]; }
  void grow() {
    std::vector<T> larger(ring.empty() ? 16 : 2 * ring.size());
    for (size_t i = 0; i != count; ++i)
      larger[i] = ring[(head + i) & (ring.size() - 1)];
    ring = std::move(larger);
    head = 0;
  }

  std::vector<T> ring;
  size_t head = 0, count = 0;
};

} // namespace chansim

#endif // CHANSIM_FIFO_H
