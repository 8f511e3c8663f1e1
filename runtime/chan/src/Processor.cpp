//===- Processor.cpp - Features of the processor --------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Processor.h"
#include "Support.h"

#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace chan {

#ifdef __x86_64__

namespace {

/// Registers of CPUID; all 0 if the processor has no such leaf.
struct Leaf {
  uint32_t a = 0, b = 0, c = 0, d = 0;

  explicit Leaf(uint32_t number, uint32_t part = 0) {
    __get_cpuid_count(number, part, &a, &b, &c, &d);
  }
};

bool has(uint32_t value, int bit) { return value >> bit & 1; }

uint32_t avx10Version() {
  return has(Leaf(7, 1).d, 19) ? Leaf(0x24).b & 0xff : 0;
}

/// The system saves its registers, too.
bool hasAPX() {
  if (!has(Leaf(1).c, 27) || !has(Leaf(7, 1).d, 21))
    return false;
  uint32_t low, high;
  asm("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return has(low, 19);
}

struct Feature {
  const char *name;
  bool (*isPresent)();
};

#define FEATURE(name) {name, [] { return __builtin_cpu_supports(name) != 0; }}

/// Features that the code generator uses without being asked. Some versions of
/// libgcc do not know the latest ones.
constexpr Feature features[] = {
    FEATURE("sse3"),
    FEATURE("ssse3"),
    FEATURE("sse4.1"),
    FEATURE("sse4.2"),
    FEATURE("sse4a"),
    FEATURE("popcnt"),
    FEATURE("lzcnt"),
    FEATURE("movbe"),
    FEATURE("avx"),
    FEATURE("f16c"),
    FEATURE("fma"),
    FEATURE("fma4"),
    FEATURE("xop"),
    FEATURE("tbm"),
    FEATURE("bmi"),
    FEATURE("bmi2"),
    FEATURE("avx2"),
    FEATURE("gfni"),
    FEATURE("avx512f"),
    FEATURE("avx512cd"),
    FEATURE("avx512bw"),
    FEATURE("avx512dq"),
    FEATURE("avx512vl"),
    FEATURE("avx512ifma"),
    FEATURE("avx512vbmi"),
    FEATURE("avx512vbmi2"),
    FEATURE("avx512vnni"),
    FEATURE("avx512bitalg"),
    FEATURE("avx512bf16"),
    FEATURE("avx512vpopcntdq"),
    FEATURE("avx512fp16"),
    FEATURE("avxvnni"),
    {"raoint", [] { return has(Leaf(7, 1).a, 3); }},
    {"avxifma", [] { return has(Leaf(7, 1).a, 23); }},
    {"avxvnniint8", [] { return has(Leaf(7, 1).d, 4); }},
    {"avxneconvert", [] { return has(Leaf(7, 1).d, 5); }},
    {"avxvnniint16", [] { return has(Leaf(7, 1).d, 10); }},
    // 10.1 is AVX-512 under another name.
    {"avx10.2", [] { return avx10Version() >= 2; }},
    // All of APX has one bit.
    {"egpr", hasAPX},
    {"push2pop2", hasAPX},
    {"ppx", hasAPX},
    {"ndd", hasAPX},
    {"ccmp", hasAPX},
    {"nf", hasAPX},
    {"cf", hasAPX},
    {"zu", hasAPX},
};

#undef FEATURE

/// Whether `name` is in a list with commas.
bool contains(const char *list, const char *name) {
  size_t length = strlen(name);
  for (; *list; list += *list == ',') {
    size_t one = strcspn(list, ",");
    if (one == length && memcmp(list, name, length) == 0)
      return true;
    list += one;
  }
  return false;
}

} // namespace

uint32_t processorLevel() {
  // This may be called before libgcc's constructor.
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4"))
    return 4;
  if (__builtin_cpu_supports("x86-64-v3"))
    return 3;
  if (__builtin_cpu_supports("x86-64-v2"))
    return 2;
  return 1;
}

void checkProcessor(const char *processor, const char *needed) {
  uint32_t level = processorLevel();
  Message message;
  message << "this program was compiled for " << processor
          << "; this processor lacks";
  bool isAble = true;
  for (const Feature &feature : features) {
    if (feature.isPresent() || !contains(needed, feature.name))
      continue;
    message << (isAble ? " " : ", ") << feature.name;
    isAble = false;
  }
  if (isAble)
    return;
  message << ": compile it with no more than -march=x86-64";
  if (level > 1)
    message << "-v" << uint64_t(level);
  message.print();
  fail();
}

#else

uint32_t processorLevel() { return 1; }

void checkProcessor(const char *, const char *) {}

#endif

} // namespace chan
