//===- Session.h - A simulated run and what is reported of it ---*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that runs on the simulator makes one Session, makes the processor and
// other components on the session's engine and statistics, and closes the session
// at its end:
//
//   Session session(description, Options::parse(environ));
//   Processor processor(session.machine(), session.engine(),
//                       session.statistics());
//   processor.core(0).record(session.recording("core 0"));
//   session.watch(processor.core(0));
//   session.add(image);                     // each KernelCode
//   ...                                     // tiles
//   session.close();
//
// Not thread-safe.  A forked child must not use its parent's.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SESSION_H
#define CHANSIM_SESSION_H

#include "core/Core.h"
#include "results/Statistics.h"
#include "session/Options.h"

#include <memory>

namespace chansim {

class Session {
public:
  /// `description` is the text of the machine file that the program was linked
  /// for.  Opens all files.  Throws std::runtime_error, whose message is for
  /// the user, if an option cannot be followed.
  Session(std::string_view description, const Options &options);
  /// Leaves unwritten what close() would write.
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  const Options &options() const;
  const Machine &machine() const;
  Engine &engine();
  /// Counters must outlive close().
  Statistics &statistics();

  /// The program that the aggregator of a machine of kind `apu` runs, and its name for
  /// messages.
  struct Scheduler {
    std::span<const std::byte> elf;
    std::string name;
  };
  /// The user's, or else that of the library.  Throws std::runtime_error if the file
  /// cannot be read.
  Scheduler scheduler();

  /// For Core::record.
  Recording recording(const std::string &core) const;
  /// The tiles of this core are in the timeline; it must outlive close().
  void watch(const Core &core);
  /// Null if there is none.  For what other components want to show; such as a
  /// dispatch, as a span on a track of theirs.
  Trace *trace();
  /// The kernel is in the report of lines; it must outlive close().
  void add(const KernelCode &code);

  /// The end of the run, also after an error: writes all that was asked for.
  /// Returns "", or what could not be written and why, a line each.  `failure` is why
  /// the run failed, for those who read its reports; "" if it did not.
  /// REQUIRES: has not been called.
  std::string close(const std::string &failure = "");

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace chansim

#endif // CHANSIM_SESSION_H
