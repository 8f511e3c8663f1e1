//===- Options.cpp - Settings from the environment ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Support.h"
#include "Tuning.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace chan {
namespace {

/// Reads decimal digits up to `end`.  False if there are none, something else
/// follows, or the number is above `most`.
bool parseDigits(const char *text, const char *end, uint64_t most,
                 uint64_t &value) {
  if (text == end)
    return false;
  value = 0;
  for (; text != end; ++text) {
    if (*text < '0' || *text > '9')
      return false;
    value = value * 10 + static_cast<uint64_t>(*text - '0');
    if (value > most)
      return false;
  }
  return true;
}

const char *endOf(const char *text) {
  while (*text)
    ++text;
  return text;
}

uint32_t parseNumber(const char *name, uint32_t most, uint32_t otherwise) {
  const char *text = getenv(name);
  if (!text)
    return otherwise;
  uint64_t value;
  if (parseDigits(text, endOf(text), most, value) && value >= 1)
    return static_cast<uint32_t>(value);
  (Message() << name << "='" << text << "' is not a number from 1 to "
             << uint64_t(most))
      .print();
  fail();
}

size_t parseBytes(const char *name, uint64_t least, uint64_t most,
                  size_t otherwise) {
  const char *text = getenv(name);
  if (!text)
    return otherwise;
  const char *end = endOf(text);
  unsigned shift = 0;
  if (end != text) {
    switch (end[-1]) {
    case 'G':
    case 'g':
      shift += 10;
      [[fallthrough]];
    case 'M':
    case 'm':
      shift += 10;
      [[fallthrough]];
    case 'K':
    case 'k':
      shift += 10;
      --end;
    }
  }
  uint64_t value;
  if (parseDigits(text, end, most >> shift, value) && (value << shift) >= least)
    return static_cast<size_t>(value << shift);
  (Message() << name << "='" << text << "' is not a size from " << (least >> 10)
             << "K to " << (most >> 30) << "G")
      .print();
  fail();
}

const char *parseDurations() {
  const char *text = getenv("CHAN_TUNE");
  if (!text || !*text)
    return nullptr;
  if (areDurations(text))
    return text;
  (Message() << "CHAN_TUNE='" << text
             << "' is no list of name=microseconds with names of Tuning.h")
      .print();
  fail();
}

uint32_t availableCPUs() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    int count = CPU_COUNT(&set);
    if (count > 0)
      return static_cast<uint32_t>(count);
  }
  // There are more CPUs than cpu_set_t can represent.
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  if (online < 1)
    return 1;
  return online > long(kMaxWorkers) ? kMaxWorkers
                                    : static_cast<uint32_t>(online);
}

} // namespace

uint32_t parseWorkers(const char *text) {
  uint64_t value;
  return parseDigits(text, endOf(text), kMaxWorkers, value)
             ? static_cast<uint32_t>(value)
             : 0;
}

Options parseOptions() {
  Options options;
  options.processors = availableCPUs();
  options.workers =
      parseNumber("CHAN_WORKERS", kMaxWorkers, options.processors);
  options.width = parseNumber("CHAN_WIDTH", kMaxWidth, 0);
  options.stackBytes = parseBytes("CHAN_STACK", uint64_t(256) << 10,
                                  uint64_t(1) << 40, size_t(1) << 30);
  if (const char *text = getenv("CHAN_STATS");
      text && *text && strcmp(text, "0") != 0) {
    options.statistics = true;
    options.statisticsLevels = strcmp(text, "1") != 0;
    if (options.statisticsLevels && strcmp(text, "levels") != 0)
      options.statisticsFile = text;
  }
  if (const char *text = getenv("CHAN_TRACE"); text && *text)
    options.traceFile = text;
  options.durations = parseDurations();
  return options;
}

} // namespace chan
