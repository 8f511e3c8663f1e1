/* Programs.c - Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Programs whose results must be the same on the aggregator as on the host, which
 * compiles this file too:
 *
 *   program(0, data, count)   sorts, and so on; the result is a number, and the data
 *
 * `program` is a macro: main on the aggregator.
 */

#include <stddef.h>
#include <stdint.h>

typedef uint64_t u64;
typedef int64_t i64;

/* Quicksort, by recursion. */
static void sort(u64 *data, i64 low, i64 high) {
  while (low < high) {
    u64 pivot = data[(low + high) / 2];
    i64 i = low, j = high;
    while (i <= j) {
      while (data[i] < pivot)
        ++i;
      while (data[j] > pivot)
        --j;
      if (i <= j) {
        u64 swapped = data[i];
        data[i++] = data[j];
        data[j--] = swapped;
      }
    }
    sort(data, low, j);
    low = i;
  }
}

/* FNV-1a over bytes, and a table of counts. */
static u64 hash(const u64 *data, u64 count) {
  static uint16_t counts[256];
  const unsigned char *bytes = (const unsigned char *)data;
  u64 state = 0xcbf29ce484222325u;
  for (unsigned i = 0; i != 256; ++i)
    counts[i] = 0;
  for (u64 i = 0; i != count * 8; ++i) {
    state = (state ^ bytes[i]) * 0x100000001b3u;
    counts[state >> 56]++;
  }
  for (unsigned i = 0; i != 256; ++i)
    state = state * 31 + counts[i];
  return state;
}

/* Products, quotients and remainders of all widths. */
static u64 arithmetic(u64 *data, u64 count) {
  u64 sum = 0;
  for (u64 i = 0; i + 1 < count; ++i) {
    u64 a = data[i], b = data[i + 1];
    i64 sa = (i64)a, sb = (i64)b;
    int32_t na = (int32_t)a, nb = (int32_t)b;
    uint16_t h = (uint16_t)a;
    int8_t c = (int8_t)b;
    sum += (u64)(((unsigned __int128)a * b) >> 64);
    sum ^= (u64)(((__int128)sa * sb) >> 64);
    sum += b ? a / b + a % b : 1;
    if (sb != 0 && sb != -1)
      sum ^= (u64)(sa / sb) + (u64)(sa % sb);
    if (nb != 0 && nb != -1)
      sum += (u64)(i64)(na / nb) ^ (u64)(i64)(na % nb);
    if ((uint32_t)b)
      sum ^= (uint32_t)a / (uint32_t)b + (uint32_t)a % (uint32_t)b;
    sum = (sum << (b & 63)) | (sum >> (-b & 63));
    sum += (u64)(sa >> (b & 63)) + (u64)(i64)(na >> (b & 31)) +
           ((uint32_t)a >> (b & 31));
    sum += (u64)(i64)(c * h) + (u64)(sa < sb) + 2 * (u64)(a < b);
    data[i] = sum;
  }
  return sum;
}

/* Pointers to functions, in a table that must be relocated. */
static u64 plus(u64 a, u64 b) { return a + b; }
static u64 minus(u64 a, u64 b) { return a - b; }
static u64 times(u64 a, u64 b) { return a * b; }
static u64 mixed(u64 a, u64 b) { return (a ^ b) + (a >> 7); }
static u64 (*const kFunctions[])(u64, u64) = {plus, minus, times, mixed};
u64 (*volatile changed)(u64, u64) = minus;

static u64 functions(u64 *data, u64 count) {
  u64 value = 1;
  changed = minus;
  for (u64 i = 0; i != count; ++i) {
    value = kFunctions[data[i] & 3](value, data[i]);
    changed = kFunctions[value & 3];
    value = changed(value, i);
  }
  return value;
}

/* Objects that are copied and cleared by memcpy and memset. */
struct record {
  u64 words[40];
  unsigned char tail[5];
};
static struct record gRecords[4];

static u64 records(u64 *data, u64 count) {
  u64 sum = 0;
  for (unsigned i = 0; i != 4; ++i)
    gRecords[i] = (struct record){{i}, {0}};
  for (u64 i = 0; i != count; ++i) {
    struct record local = gRecords[i & 3];
    local.words[data[i] % 40] += data[i];
    local.tail[data[i] % 5] ^= (unsigned char)i;
    gRecords[(i + 1) & 3] = local;
    if (i % 17 == 0)
      gRecords[i & 3] = (struct record){{0}, {1}};
    sum = sum * 5 + local.words[i % 40] + local.tail[i % 5];
  }
  return sum;
}

/* The operations that a program uses on channels. */
static u64 atomics(u64 *data, u64 count) {
  u64 sum = 0;
  uint32_t *half = (uint32_t *)data;
  for (u64 i = 0; i + 1 < count; ++i) {
    sum += __atomic_fetch_add(&data[i], data[i + 1], __ATOMIC_SEQ_CST);
    sum ^= __atomic_fetch_xor(&half[i], (uint32_t)sum, __ATOMIC_ACQ_REL);
    sum += __atomic_exchange_n(&data[i + 1], sum, __ATOMIC_ACQUIRE);
    u64 expected = i & 1 ? data[i] : 7;
    sum += __atomic_compare_exchange_n(&data[i], &expected, sum, 0,
                                       __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    sum += expected;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
  return sum;
}

/* What a scheduler does: walks records of channels, and counts what it finds. */
static u64 walk(u64 *data, u64 count) {
  u64 sum = 0;
  for (unsigned round = 0; round != 4; ++round)
    for (u64 channel = 0; channel + 8 <= count; channel += 8) {
      u64 *record = data + channel;
      u64 head = record[0] & 7, tail = record[1] & 7;
      if (tail > head) {
        sum += tail - head;
        record[2] = sum;
      } else if (record[3] & 1) {
        record[4] += record[5 + (head & 1)];
      }
      record[0] += record[7] >> 3;
    }
  return sum;
}

u64 program(u64 which, u64 *data, u64 count);

u64 program(u64 which, u64 *data, u64 count) {
  switch (which) {
  case 0:
    sort(data, 0, (i64)count - 1);
    return data[count / 2];
  case 1:
    return hash(data, count);
  case 2:
    return arithmetic(data, count);
  case 3:
    return functions(data, count);
  case 4:
    return records(data, count);
  case 5:
    return atomics(data, count);
  default:
    return walk(data, count);
  }
}
