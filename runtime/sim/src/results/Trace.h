//===- Trace.h - What happened when -----------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trace events as JSON, for ui.perfetto.dev and chrome://tracing.  A nanosecond
// of the picture is a cycle of the core.  Events are written as they come, so
// that memory is bounded; a file that was cut off can still be read.
//
//   Trace trace("trace.json", "fib", {});
//   Trace::Track track = trace.addTrack("aggregator");
//   trace.span(track, "fib", 20, 21, {{"threads", 64}});
//   TraceLanes misses(trace, "core 0: L1 misses");     // which may overlap
//   misses.span("from L2", 20, 44);
//   misses.span("from DRAM", 21, 75);                  // on a second track
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_TRACE_H
#define CHANSIM_TRACE_H

#include "results/OutputFile.h"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

namespace chansim {

/// Core cycles from `first` to `last`.
struct CycleRange {
  uint64_t first = 0, last = std::numeric_limits<uint64_t>::max();
};

class Trace {
public:
  /// A row of the picture.
  using Track = uint32_t;
  /// What is said of an event beside its name.
  struct Argument {
    std::string_view name;
    uint64_t value;
    /// In place of the value, if there is one.
    std::string_view text = {};
  };

  /// Throws as OutputFile does.  Events outside of the range are left out.
  Trace(const std::string &path, const std::string &program, CycleRange range);

  /// A new track.  What is in one track may not overlap.
  Track addTrack(std::string_view name);
  /// Alike; it is shown with `neighbour`, and not at the end.
  Track addTrack(std::string_view name, Track neighbour);
  /// Something went on from cycle `begin` until `end`.
  void span(Track track, std::string_view name, uint64_t begin, uint64_t end,
            std::initializer_list<Argument> arguments = {});
  /// A curve has this value from now on.
  void curve(std::string_view name, std::string_view unit, uint64_t cycle,
             double value);

  /// Returns what OutputFile::close returns.
  std::string close();

private:
  void begin(char kind, std::string_view name);
  void putTime(std::string_view key, uint64_t cycle);

  OutputFile file;
  const CycleRange range;
  Track tracks = 0;
  bool isEmpty = true;
};

/// Tracks for things of one kind that may overlap: as many as there are at once.
class TraceLanes {
public:
  /// The first track is there at once, and determines the place in the picture.
  TraceLanes(Trace &trace, std::string name);
  /// REQUIRES: spans come in the order of their ends.
  void span(std::string_view name, uint64_t begin, uint64_t end,
            std::initializer_list<Trace::Argument> arguments = {});

private:
  struct Lane {
    Trace::Track track;
    uint64_t end;
  };
  Trace &trace;
  const std::string name;
  std::vector<Lane> lanes;
};

} // namespace chansim

#endif // CHANSIM_TRACE_H
