//===- wordcount.c - Words and vowels of each line of a text ------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines begin where a table says, and end with a newline.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static int is_vowel(char c) {
  return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

static void count(const char *text, const size_t *starts, int lines, int *words,
                  int *vowels) {
  cilk_for (int line = 0; line < lines; line++) {
    int w = 0, v = 0, inside = 0;
    for (const char *p = text + starts[line]; *p != '\n'; p++) {
      if (*p == ' ') {
        inside = 0;
      } else {
        if (!inside)
          w++;
        inside = 1;
      }
      if (is_vowel(*p))
        v++;
    }
    words[line] += w;
    vowels[line] += v;
  }
}

int main(int argc, char **argv) {
  int lines = (int)first_argument(argc, argv, 30000, 50);
  char *text = malloc((size_t)lines * 120);
  size_t *starts = malloc(lines * sizeof *starts), used = 0;
  int *words = calloc(lines, sizeof(int)), *vowels = calloc(lines, sizeof(int));
  CHECK(text && starts && words && vowels);
  for (int i = 0; i < lines; i++) {
    starts[i] = used;
    int length = (int)(scramble(i) % 100);
    for (int k = 0; k < length; k++, used++)
      text[used] = "abc def ghi jkl mno pqr stu vwx y z"[scramble(used) % 35];
    text[used++] = '\n';
  }

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 40; k++)
    count(text, starts, lines, words, vowels);
  stopwatch_stop(watch);

  long totals[2] = {0, 0};
  for (int i = 0; i < lines; i++) {
    totals[0] += (long)words[i] * (i % 7);
    totals[1] += (long)vowels[i] * (i % 11);
  }
  report("wordcount", totals, sizeof totals);
  free(text), free(starts), free(words), free(vowels);
  return 0;
}
