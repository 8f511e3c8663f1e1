//===- Views.h - The views of one strand ------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   reducer   view
//   &sum      a copy, which began as the identity
//   &list     &list, as this strand declares the variable
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_VIEWS_H
#define CHAN_SRC_VIEWS_H

#include "cilk/hyperobject_base.h"

#include <stddef.h>
#include <stdint.h>

namespace chan {

/// What a strand has of a reducer.
struct View {
  /// The address of the variable; null: unused.
  void *reducer;
  /// Where the strand's value is: the variable itself, or memory of its own.
  void *value;
  /// Combines two views into the left one. Null if the view is the variable,
  /// and no code has used it.
  void (*reduce)(void *left, void *right);
  /// `reduce` is that of the base in front of the reducer (cilk/hyperobject_base.h).
  bool hasBase;
  /// The order in which views are combined matters for the last bits of the
  /// result (CHAN_REDUCER_ORDERED).
  bool isOrdered;

  bool isOwn() const { return value != reducer; }
};

/// A hash table by address, with linear probing. It is empty at first, and then
/// has no memory.
class Views {
public:
  Views() = default;
  Views(const Views &) = delete;
  Views &operator=(const Views &) = delete;
  ~Views();

  bool empty() const { return count == 0; }
  /// Whether one of them is ordered.
  bool hasOrdered() const { return ordered != 0; }
  /// Null if there is none. It is valid until add or remove.
  View *find(void *reducer);
  void add(const View &view);
  /// Of a view that is there.
  void remove(View *view);

  /// Moves all views to `left`, and combines them with those that are there.
  /// If `left` is of a root, the variables are its views.
  void combineInto(Views &left, bool isRoot);

private:
  uint32_t slotFor(void *reducer) const;
  void grow();

  View *slots = nullptr;
  uint32_t capacity = 0; // a power of two, or 0
  uint32_t count = 0;
  uint32_t ordered = 0;
};

/// The base in front of a reducer that has one (cilk/hyperobject_base.h).
inline chan_reducer_base *baseOf(void *reducer) {
  return reinterpret_cast<chan_reducer_base *>(static_cast<char *>(reducer) -
                                               sizeof(chan_reducer_base));
}

/// Memory for a view. Ends the program with a message if there is none.
void *allocateView(size_t size, size_t alignment);
void freeView(void *value);

} // namespace chan

#endif // CHAN_SRC_VIEWS_H
