//===- Trace.cpp - What CHAN_TRACE writes ---------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trace events as JSON, for ui.perfetto.dev and chrome://tracing. There is a
// track for each worker, and an arrow from where elements were offered to where
// they ran.
//===----------------------------------------------------------------------===//

#include "Trace.h"
#include "Profile.h"

#include <algorithm>
#include <unistd.h>

namespace chan {
namespace {

class Writer {
public:
  Writer(Output &out, uint64_t began, uint64_t ended)
      : out(out), began(began), ended(ended) {}

  void run();

private:
  using Number = unsigned long long;

  void begin(const char *phase, const Profile &profile) {
    out.print("%s\n{\"ph\":\"%s\",\"pid\":%ld,\"tid\":%u", isFirst ? "" : ",",
              phase, long(getpid()), profile.number + 1);
    isFirst = false;
  }
  /// A moment of a worker, in microseconds.
  void time(const char *key, uint64_t nanoseconds) {
    out.print(",\"%s\":", key);
    out.printDecimal(nanoseconds);
  }
  uint64_t moment(const Profile &profile, uint64_t ticks) const {
    return profile.joined.nanoseconds - began +
           Profile::nanoseconds(ticks - profile.joined.ticks);
  }
  void writeName(const Event &event);
  void write(const Profile &profile, const Event &event);
  void writeTrack(const Profile &profile);

  Output &out;
  uint64_t began, ended;
  bool isFirst = true;
};

} // namespace

void Writer::writeName(const Event &event) {
  static const char *const names[] = {"", "share", "steal", "wait", "parked"};
  out.print(",\"name\":");
  if (!event.row) {
    out.print("\"%s\"", names[event.kind]);
    return;
  }
  out.printQuoted(event.row->name);
  static const char *const forms[] = {"kernel",    "clone", "batch",
                                      "reduction", "phase", "handler"};
  const Form &form = event.row->form;
  out.print(",\"cat\":\"%s\"", forms[form.kind]);
}

void Writer::write(const Profile &profile, const Event &event) {
  // relaxed: a plain number.
  uint64_t end = event.ended.load(std::memory_order_relaxed);
  uint64_t from = moment(profile, event.began);
  // Other threads go on while this one writes, and end events that were written
  // as open. The trace shows nothing after its own end.
  uint64_t last = ended - began;
  if (from > last)
    return;
  uint64_t to = end ? std::min(moment(profile, end), last) : last;
  begin("X", profile);
  writeName(event);
  time("ts", from);
  time("dur", to > from ? to - from : 0);
  out.print(",\"args\":{");
  if (event.kind == Event::call || event.kind == Event::share ||
      event.kind == Event::steal)
    out.print("\"elements\":%u", event.elements);
  if (event.row) {
    out.print(",\"level\":%u", event.row->level);
    if (event.row->form.kind >= Form::phase)
      out.print(",\"%s\":%u",
                event.row->form.kind == Form::phase ? "phase" : "site",
                event.row->form.number);
  }
  out.print("}}");
  // Reserved elements were not offered at a certain moment.
  if (!event.taskBlock)
    return;
  begin(event.kind == Event::share ? "s" : "f", profile);
  out.print(",\"name\":\"task block\",\"cat\":\"task block\",\"id\":%llu",
            Number(event.taskBlock));
  time("ts", from);
  out.print(event.kind == Event::share ? "}" : ",\"bp\":\"e\"}");
}

void Writer::writeTrack(const Profile &profile) {
  begin("M", profile);
  out.print(",\"name\":\"thread_name\",\"args\":{\"name\":\"worker %u\"}}",
            profile.number);
  begin("M", profile);
  out.print(",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}",
            profile.number);
  size_t count = profile.events->count();
  for (size_t i = 0; i != count; ++i)
    write(profile, (*profile.events)[i]);
  if (uint64_t lost = profile.events->lost()) {
    begin("i", profile);
    out.print(",\"s\":\"t\",\"name\":\"%llu events lost from here on\"",
              Number(lost));
    time("ts", moment(profile, profile.events->firstLost()));
    out.print(",\"args\":{\"lost\":%llu,\"kept\":%llu}}", Number(lost),
              Number(count));
  }
}

void Writer::run() {
  out.print("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  for (Profile *profile = Profile::all(); profile; profile = profile->next)
    if (profile->events)
      writeTrack(*profile);
  out.print("\n]}\n");
}

void writeTrace(const Destination &destination, uint64_t began,
                uint64_t ended) {
  Output out(destination);
  Writer(out, began, ended).run();
}

} // namespace chan
