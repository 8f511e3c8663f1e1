//===- hashes.c - Results combined by something else than a sum --*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hash trees: each node's hash is made of its children's, which are not
// exchangeable.  Of a text that nobody stores (a binary tree over its blocks,
// uneven); of the moves of a game, by depth alone; in floating point, where the
// order of additions decides.  Checked against one pass over the leaves from
// left to right, with a stack.
//
//===----------------------------------------------------------------------===//
// BENCH-ARGS: 8000000 23 22

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>

static uint32_t leaf(uint32_t block) {
  uint32_t hash = block * 2654435761u;
  hash ^= hash >> 15;
  return hash * 2246822519u;
}

static uint32_t both(uint32_t left, uint32_t right) {
  return (left ^ (right << 7 | right >> 25)) * 3266489917u;
}

/// Of blocks [begin, end): the left part is the larger.
static uint32_t text(uint32_t begin, uint32_t end) {
  if (end - begin == 1)
    return leaf(begin);
  uint32_t middle = begin + (end - begin + 1) / 2;
  uint32_t left = cilk_spawn text(begin, middle);
  uint32_t right = text(middle, end);
  cilk_sync;
  return both(left, right);
}

/// Of all games of `depth` moves from `state`.
static uint32_t moves(uint32_t state, int depth) {
  if (depth == 0)
    return leaf(state);
  uint32_t left = cilk_spawn moves(state * 5 + 1, depth - 1);
  uint32_t right = cilk_spawn moves(state * 3 + 2, depth - 1);
  cilk_sync;
  return both(left, right);
}

/// A sum of parts that are 2 to the power of -depth, in the tree's order.
static float parts(float at, float step, int depth) {
  if (depth == 0)
    return at * at;
  float left = cilk_spawn parts(at - step, step * 0.5f, depth - 1);
  float right = parts(at + step, step * 0.5f, depth - 1);
  cilk_sync;
  return 0.5f * (left + right);
}

/// The same, one leaf after the other: what waits for its right neighbour is on
/// the stack.
static uint32_t expectedText(uint32_t begin, uint32_t end) {
  enum { deepest = 40 };
  struct {
    uint32_t begin, end, left;
    int isLeft;
  } stack[deepest];
  int top = 0;
  uint32_t hash = 0;
  for (;;) {
    while (end - begin > 1) {
      stack[top].begin = begin, stack[top].end = end, stack[top].isLeft = 1;
      ++top;
      end = begin + (end - begin + 1) / 2;
    }
    hash = leaf(begin);
    while (top && !stack[top - 1].isLeft)
      hash = both(stack[--top].left, hash);
    if (!top)
      return hash;
    stack[top - 1].isLeft = 0, stack[top - 1].left = hash;
    begin = end, end = stack[top - 1].end;
  }
}

/// States and places of the leaves follow from the bits of their numbers.
static uint32_t expectedMoves(uint32_t state, int depth) {
  uint32_t waiting[32];
  uint32_t hash = 0;
  for (uint32_t number = 0; number >> depth == 0; ++number) {
    uint32_t at = state;
    for (int bit = depth - 1; bit >= 0; --bit)
      at = number >> bit & 1 ? at * 3 + 2 : at * 5 + 1;
    hash = leaf(at);
    int level = 0;
    for (; number >> level & 1; ++level)
      hash = both(waiting[level], hash);
    waiting[level] = hash;
  }
  return hash;
}

static float expectedParts(float start, float step, int depth) {
  float waiting[32];
  float sum = 0;
  for (uint32_t number = 0; number >> depth == 0; ++number) {
    float at = start, width = step;
    for (int bit = depth - 1; bit >= 0; --bit, width *= 0.5f)
      at = number >> bit & 1 ? at + width : at - width;
    sum = at * at;
    int level = 0;
    for (; number >> level & 1; ++level)
      sum = 0.5f * (waiting[level] + sum);
    waiting[level] = sum;
  }
  return sum;
}

int main(int argc, char **argv) {
  uint32_t blocks = (uint32_t)argument(argc, argv, 1, 30000);
  int depth = (int)argument(argc, argv, 2, 14);
  int deep = (int)argument(argc, argv, 3, 13);
  CHECK(blocks >= 1 && depth < 31 && deep < 31);
  stopwatch watch = stopwatch_start();
  uint32_t ofText = text(0, blocks);
  uint32_t ofMoves = moves(1, depth);
  float sum = parts(0.3f, 0.5f, deep);
  stopwatch_stop(watch);
  printf("%08x %08x %a\n", ofText, ofMoves, (double)sum);
  CHECK_EQUAL(ofText, expectedText(0, blocks));
  CHECK_EQUAL(ofMoves, expectedMoves(1, depth));
  CHECK(sum == expectedParts(0.3f, 0.5f, deep));
  return 0;
}
