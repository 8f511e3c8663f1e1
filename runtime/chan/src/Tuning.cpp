//===- Tuning.cpp - Durations in ticks ------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tuning.h"

#include <string.h>

namespace chan {
namespace {

struct Entry {
  const char *name;
  uint64_t Durations::*duration;
};

#define DURATION(name) {#name, &Durations::name}
constexpr Entry entries[] = {
    DURATION(slice),
    DURATION(grain),
    DURATION(shortTree),
    DURATION(betweenOffers),
    DURATION(betweenSpeculativeOffers),
    DURATION(awake),
    DURATION(longTree),
    DURATION(trialLasts),
    DURATION(worthTaking),
    DURATION(mostGap),
    DURATION(uselessFor),
    DURATION(fruitless),
    DURATION(fruitlessOffers),
    DURATION(backOff),
    DURATION(leastAge),
    DURATION(mostAge),
    DURATION(longWait),
    DURATION(smallTree),
    DURATION(sparse),
};
#undef DURATION
static_assert(sizeof(entries) / sizeof(*entries) ==
                  sizeof(Durations) / sizeof(uint64_t),
              "each duration has an entry");

/// Ten seconds, in microseconds. A longer duration is a mistake.
constexpr uint64_t kLongest = 10'000'000;

const Entry *find(const char *name, size_t length) {
  for (const Entry &entry : entries)
    if (strlen(entry.name) == length && memcmp(entry.name, name, length) == 0)
      return &entry;
  return nullptr;
}

/// Reads "name=microseconds,..." into `result`. False if it is malformed.
bool parse(const char *text, Durations &result) {
  for (;; ++text) {
    const char *equals = strchr(text, '=');
    const Entry *entry =
        equals ? find(text, static_cast<size_t>(equals - text)) : nullptr;
    if (!entry)
      return false;
    text = equals + 1;
    if (*text < '0' || *text > '9')
      return false;
    uint64_t value = 0;
    for (; *text >= '0' && *text <= '9'; ++text) {
      value = value * 10 + static_cast<uint64_t>(*text - '0');
      if (value > kLongest)
        return false;
    }
    result.*entry->duration = value * ticksPerMicrosecond;
    if (*text != ',')
      return *text == '\0';
  }
}

} // namespace

bool areDurations(const char *text) {
  Durations ignored;
  return parse(text, ignored);
}

bool setDurations(const char *text) {
  Durations result = durations;
  if (!parse(text, result))
    return false;
  durations = result;
  return true;
}

void setTickRate(uint64_t rate) {
  for (const Entry &entry : entries) {
    uint64_t &duration = durations.*entry.duration;
    duration = duration / ticksPerMicrosecond * rate;
  }
  ticksPerMicrosecond = rate;
}

} // namespace chan
