//===- Session.cpp - A simulated run and what is reported of it -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "Reports.h"

#include <cerrno>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <sys/resource.h>

namespace chansim {
namespace {

using HostClock = std::chrono::steady_clock;

/// Core cycles between two looks at what is going on.
constexpr uint64_t kSampleCycles = 1024;

uint64_t millisecondsSince(HostClock::time_point begin) {
  auto passed = HostClock::now() - begin;
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(passed).count());
}

Machine makeMachine(std::string_view description, const Options &options) {
  std::string error;
  std::optional<Machine> machine =
      options.machine.empty()
          ? Machine::parse(description, "the program's machine file", error)
          : Machine::load(options.machine, error);
  if (!machine)
    throw std::runtime_error(
        (options.machine.empty() ? "" : std::string(variable::machine) + ": ") +
        error);
  if (!machine->set(options.set, error))
    throw std::runtime_error(std::string(variable::set) + ": " + error);
  return std::move(*machine);
}

/// Nothing if the path is empty.
template <class File, class... Rest>
void open(std::optional<File> &file, const char *name, const std::string &path,
          const Rest &...rest) {
  if (path.empty())
    return;
  try {
    file.emplace(path, rest...);
  } catch (const std::runtime_error &error) {
    throw std::runtime_error(std::string(name) + ": " + error.what());
  }
}

} // namespace

struct Session::State : Observer {
  State(std::string_view description, const Options &options);

  void observe() override;
  void sampleCurves(uint64_t cycle);
  void printProgress();
  void measureHost();

  const Options options;
  Statistics statistics, hostStatistics;
  RunInfo run;
  Engine engine;
  std::vector<const KernelImage *> images;

  std::optional<OutputFile> statisticsFile, linesFile;
  std::optional<Trace> trace;
  /// What is shown as curves: the values when they were sampled last.
  std::vector<uint64_t> lastMisses;
  uint64_t lastSample = 0;

  HostClock::time_point begin = HostClock::now();
  uint64_t lastProgress = 0; // ms
  uint64_t cycles = 0, milliseconds = 0, peakBytes = 0;
};

Session::State::State(std::string_view description, const Options &options)
    : options(options), run{makeMachine(description, options),
                            program_invocation_short_name, &hostStatistics},
      engine(run.machine) {
  open(statisticsFile, variable::statistics, options.statistics);
  open(linesFile, variable::lines, options.lines);
  open(trace, variable::trace, options.trace, run.program, options.traceCycles);
  statistics.add("run.cycles", "cycles",
                 "core cycles from the first to the end of the last", cycles);
  hostStatistics.add("host.milliseconds", "ms",
                     "since the first simulated cycle, the program's own work "
                     "included",
                     milliseconds);
  hostStatistics.addRatio("host.cycles_per_second", "cycles/s",
                          "simulated core cycles in a second of that time",
                          cycles, milliseconds, 1000);
  hostStatistics.add("host.peak_bytes", "bytes",
                     "memory of the process at most, the program's included",
                     peakBytes);
  if (trace || options.progress)
    engine.setObserver(*this, kSampleCycles * engine.period(Clock::core));
}

void Session::State::observe() {
  cycles = engine.cycle(Clock::core);
  if (trace)
    sampleCurves(cycles);
  if (options.progress)
    printProgress();
}

/// Misses of each cache since the last sample, in a thousand cycles.
void Session::State::sampleCurves(uint64_t cycle) {
  uint64_t passed = cycle - lastSample;
  if (!passed)
    return;
  std::vector<Statistics::Named> misses = statistics.endingWith(".misses");
  lastMisses.resize(misses.size());
  for (size_t i = 0; i != misses.size(); ++i) {
    uint64_t since = misses[i].value - lastMisses[i];
    trace->curve(std::string(misses[i].name) + " in 1000 cycles", lastSample,
                 since * 1000 / passed);
    lastMisses[i] = misses[i].value;
  }
  lastSample = cycle;
}

void Session::State::printProgress() {
  uint64_t now = millisecondsSince(begin);
  if (now - lastProgress < uint64_t(options.progress) * 1000)
    return;
  lastProgress = now;
  double seconds = static_cast<double>(now) / 1000;
  double count = static_cast<double>(cycles);
  std::fprintf(stderr, "chansim: %.0f s, %s cycles, %s a second\n", seconds,
               roundedText(count).c_str(),
               roundedText(count / seconds).c_str());
}

void Session::State::measureHost() {
  milliseconds = millisecondsSince(begin);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  peakBytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

Session::Session(std::string_view description, const Options &options)
    : state(std::make_unique<State>(description, options)) {}
Session::~Session() = default;

const Machine &Session::machine() const { return state->run.machine; }
Engine &Session::engine() { return state->engine; }
Statistics &Session::statistics() { return state->statistics; }
Trace *Session::trace() { return state->trace ? &*state->trace : nullptr; }

Recording Session::recording(const std::string &core) const {
  return {state->trace ? &*state->trace : nullptr, core,
          state->linesFile.has_value()};
}

void Session::add(const KernelImage &image) { state->images.push_back(&image); }

std::string Session::close() {
  std::string problems;
  auto note = [&](const std::string &problem) {
    if (!problem.empty())
      problems += problem + "\n";
  };
  state->cycles = state->engine.cycle(Clock::core);
  state->measureHost();
  if (state->trace) {
    state->sampleCurves(state->cycles);
    note(state->trace->close());
  }
  if (state->statisticsFile) {
    state->statisticsFile->write(state->statistics.json(state->run));
    note(state->statisticsFile->close());
  }
  if (state->linesFile) {
    state->linesFile->write(reportLines(state->run, state->images));
    note(state->linesFile->close());
  }
  if (state->options.summary == Options::Summary::brief)
    std::fputs(summarize(state->run, state->statistics).c_str(), stderr);
  if (state->options.summary == Options::Summary::all)
    std::fputs(state->statistics.table().c_str(), stderr);
  return problems;
}

} // namespace chansim
