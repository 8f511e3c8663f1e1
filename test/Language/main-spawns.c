//===- main-spawns.c - main is a spawning function ----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// main spawns, syncs in a loop, passes argv on, and falls off its end with
// children outstanding.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// ARGS: one three fourteen

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <string.h>

static size_t measure(const char *text) {
  if (!*text)
    return 0;
  size_t rest = cilk_spawn measure(text + 1);
  cilk_sync;
  return rest + 1;
}

static void report(const size_t *lengths, int count) {
  for (int i = 1; i < count; ++i)
    printf("%zu%c", lengths[i], i + 1 < count ? ' ' : '\n');
}

int main(int argc, char **argv) {
  size_t lengths[16];
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < argc && i < 16; ++i)
      lengths[i] = cilk_spawn measure(argv[i]);
    cilk_sync;
    for (int i = 0; i < argc && i < 16; ++i)
      CHECK_EQUAL(lengths[i], strlen(argv[i]));
  }
  cilk_spawn report(lengths, argc);
}
