//===- Processor.cpp - What the processor has -----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Processor.h"
#include "Support.h"

#include <string.h>

namespace chan {

#ifdef __x86_64__

namespace {

struct Feature {
  const char *name;
  bool (*isPresent)();
};

#define FEATURE(name) {name, [] { return __builtin_cpu_supports(name) != 0; }}

/// What the code generator uses unasked, and libgcc knows.
constexpr Feature features[] = {
    FEATURE("sse3"),         FEATURE("ssse3"),       FEATURE("sse4.1"),
    FEATURE("sse4.2"),       FEATURE("sse4a"),       FEATURE("popcnt"),
    FEATURE("lzcnt"),        FEATURE("movbe"),       FEATURE("avx"),
    FEATURE("f16c"),         FEATURE("fma"),         FEATURE("fma4"),
    FEATURE("xop"),          FEATURE("tbm"),         FEATURE("bmi"),
    FEATURE("bmi2"),         FEATURE("avx2"),        FEATURE("gfni"),
    FEATURE("avx512f"),      FEATURE("avx512cd"),    FEATURE("avx512bw"),
    FEATURE("avx512dq"),     FEATURE("avx512vl"),    FEATURE("avx512ifma"),
    FEATURE("avx512vbmi"),   FEATURE("avx512vbmi2"), FEATURE("avx512vnni"),
    FEATURE("avx512bitalg"), FEATURE("avx512bf16"),  FEATURE("avx512vpopcntdq"),
    FEATURE("avx512fp16"),   FEATURE("avxvnni"),
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
