// begins-once.c - What an activation has stored, it does not store again.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <alloca.h>
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

// What is stored in front of the first spawn depends on what was there. C calls
// this by its symbol, which finds out whether anything is spawned at all.
void counted(int n, int depth, int *count) {
  int before = *count;
  *count = before + 1;
  if (depth == 3)
    return;
  int *each = alloca(n * sizeof(int));
  memset(each, 0, n * sizeof(int));
  for (int i = 0; i < n; i++)
    cilk_spawn counted(n, depth + 1, &each[i]);
  cilk_sync;
  for (int i = 0; i < n; i++)
    *count += each[i];
}

// The same of memory that is moved on.
int moved(int depth, char *at, char *end) {
  char first = *at;
  memmove(at, at + 1, end - at);
  if (depth == 0 || first == 'z')
    return first;
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    char own[8];
    memcpy(own, at, sizeof own - 1);
    own[7] = i;
    sum += cilk_spawn moved(depth - 1, own, own + 6);
    cilk_sync;
  }
  return sum + *at;
}

int main(void) {
  int count = 0;
  counted(5, 0, &count);
  counted(17, 1, &count);
  char text[] = "abcdefghijklmnop";
  int sum = moved(3, text, text + 16);
  printf("%d %d %s\n", count, sum, text);
  return 0;
}
