//===- Support.cpp - Assertions and fatal messages ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support.h"

#include <atomic>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace chan {

Message &Message::operator<<(const char *text) {
  size_t length = strlen(text);
  // One byte stays free for the newline.
  if (length > sizeof buffer - 1 - size)
    length = sizeof buffer - 1 - size;
  memcpy(buffer + size, text, length);
  size += length;
  return *this;
}

Message &Message::operator<<(uint64_t number) {
  char digits[21];
  char *first = digits + 20;
  *first = '\0';
  do {
    *--first = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number);
  return *this << first;
}

void Message::print(int file) {
  buffer[size] = '\n';
  const char *from = buffer;
  size_t left = size + 1;
  while (left) {
    ssize_t written = write(file, from, left);
    if (written <= 0)
      return;
    from += written;
    left -= static_cast<size_t>(written);
  }
}

void fail() {
  static std::atomic<bool> failing{false};
  // relaxed: only the order of the callers matters; nothing is published.
  if (failing.exchange(true, std::memory_order_relaxed))
    _exit(1);
  exit(1);
}

void assertionFailed(const char *condition, const char *text) {
  (Message() << "internal error: " << text << " (" << condition << ")").print();
  abort();
}

} // namespace chan
