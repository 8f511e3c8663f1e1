/* support.c - Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions that Clang may call in a freestanding program, such as
 *
 *   struct big a = b;     // memcpy(&a, &b, sizeof(a))
 *
 * Words are copied at once where both sides are aligned.
 */

#include <stddef.h>
#include <stdint.h>

typedef uint64_t __attribute__((may_alias)) word_t;

/* Clang must not see a memcpy in the loop of memcpy: -fno-builtin. */

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
  unsigned char *d = to;
  const unsigned char *s = from;
  if ((((uintptr_t)d | (uintptr_t)s) & 7) == 0)
    for (; bytes >= 8; bytes -= 8, d += 8, s += 8)
      *(word_t *)d = *(const word_t *)s;
  while (bytes--)
    *d++ = *s++;
  return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
  unsigned char *d = to;
  const unsigned char *s = from;
  if ((uintptr_t)d - (uintptr_t)s >= bytes)
    return memcpy(to, from, bytes);
  while (bytes--)
    d[bytes] = s[bytes];
  return to;
}

void *memset(void *to, int value, size_t bytes) {
  unsigned char *d = to;
  uint64_t word = (unsigned char)value * 0x0101010101010101u;
  while (bytes && ((uintptr_t)d & 7)) {
    *d++ = (unsigned char)value;
    --bytes;
  }
  for (; bytes >= 8; bytes -= 8, d += 8)
    *(word_t *)d = word;
  while (bytes--)
    *d++ = (unsigned char)value;
  return to;
}

int memcmp(const void *left, const void *right, size_t bytes) {
  const unsigned char *a = left, *b = right;
  for (; bytes--; ++a, ++b)
    if (*a != *b)
      return *a < *b ? -1 : 1;
  return 0;
}
