//===- Trace.cpp - What happened when -------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "results/Trace.h"
#include "machine/Json.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace chansim {

/// Names of kernels may hold anything.
static std::string quote(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Trace::Trace(const std::string &path, const std::string &program,
             CycleRange range)
    : file(path), range(range) {
  file.write("[");
  begin('M', "process_name");
  file.write(",\"args\":{\"name\":" +
             quote(program + " (1 ns is a core cycle)") + "}}");
}

Trace::Track Trace::addTrack(std::string_view name) {
  return addTrack(name, tracks + 1);
}

Trace::Track Trace::addTrack(std::string_view name, Track neighbour) {
  Track track = ++tracks;
  std::string tid = ",\"tid\":" + std::to_string(track) + ",\"args\":{\"";
  begin('M', "thread_name");
  file.write(tid + "name\":" + quote(name) + "}}");
  begin('M', "thread_sort_index");
  file.write(tid + "sort_index\":" + std::to_string(neighbour) + "}}");
  return track;
}

void Trace::begin(char kind, std::string_view name) {
  file.write(isEmpty ? "\n" : ",\n");
  isEmpty = false;
  file.write(std::string("{\"ph\":\"") + kind +
             "\",\"pid\":1,\"name\":" + quote(name));
}

/// Times are in microseconds.
void Trace::putTime(std::string_view key, uint64_t cycle) {
  char text[48];
  std::snprintf(text, sizeof text, ":%llu.%03llu",
                static_cast<unsigned long long>(cycle / 1000),
                static_cast<unsigned long long>(cycle % 1000));
  file.write(",\"");
  file.write(key);
  file.write("\"");
  file.write(text);
}

void Trace::span(Track track, std::string_view name, uint64_t first,
                 uint64_t end, std::initializer_list<Argument> arguments) {
  if (end < range.first || first > range.last)
    return;
  begin('X', name);
  file.write(",\"tid\":" + std::to_string(track));
  putTime("ts", first);
  putTime("dur", end - first);
  file.write(",\"args\":{");
  const char *separator = "";
  for (const Argument &argument : arguments) {
    file.write(separator + quote(argument.name) + ":" +
               (argument.text.empty() ? std::to_string(argument.value)
                                      : quote(argument.text)));
    separator = ",";
  }
  file.write("}}");
}

void Trace::curve(std::string_view name, std::string_view unit, uint64_t cycle,
                  double value) {
  if (cycle < range.first || cycle > range.last)
    return;
  begin('C', name);
  putTime("ts", cycle);
  char text[48];
  std::snprintf(text, sizeof text, ":%.2f}}", value);
  file.write(",\"args\":{" + quote(unit) + text);
}

std::string Trace::close() {
  file.write("\n]\n");
  return file.close();
}

TraceLanes::TraceLanes(Trace &trace, std::string name)
    : trace(trace), name(std::move(name)) {
  lanes.push_back({trace.addTrack(this->name), 0});
}

/// The lane that became free last: so others stay free for what began earlier.
void TraceLanes::span(std::string_view what, uint64_t begin, uint64_t end,
                      std::initializer_list<Trace::Argument> arguments) {
  Lane *best = nullptr;
  for (Lane &lane : lanes)
    if (lane.end <= begin && (!best || lane.end > best->end))
      best = &lane;
  if (!best) {
    std::string number = std::to_string(lanes.size() + 1);
    lanes.push_back(
        {trace.addTrack(name + " (" + number + ")", lanes.front().track), 0});
    best = &lanes.back();
  }
  best->end = end;
  trace.span(best->track, what, begin, end, arguments);
}

} // namespace chansim
