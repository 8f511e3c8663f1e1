//===- Slots.h - A table with stable numbers --------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Things that are under way, each by a number that it keeps until it is removed.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SLOTS_H
#define CHANSIM_SLOTS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace chansim {

template <class T> class Slots {
public:
  uint32_t add(const T &value) {
    if (free.empty()) {
      free.push_back(static_cast<uint32_t>(all.size()));
      all.emplace_back();
    }
    uint32_t slot = free.back();
    free.pop_back();
    all[slot] = value;
    return slot;
  }
  T &operator[](uint32_t slot) { return all[slot]; }
  void remove(uint32_t slot) { free.push_back(slot); }
  size_t size() const { return all.size() - free.size(); }

private:
  std::vector<T> all;
  std::vector<uint32_t> free;
};

} // namespace chansim

#endif // CHANSIM_SLOTS_H
