//===- Session.cpp - A simulated run and what is reported of it -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "session/Session.h"
#include "machine/Json.h"
#include "results/Timeline.h"
#include "session/Reports.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <sys/resource.h>
#include <time.h>

namespace chansim::aggregator {
/// Made of runtime/sim/firmware/scheduler.c, for machines as the paper's and for others.
std::span<const std::byte> firmwareScheduler();
std::span<const std::byte> firmwareSchedulerHybrid();
std::span<const std::byte> firmwareSchedulerLeaves();
} // namespace chansim::aggregator

namespace chansim {
namespace {

using HostClock = std::chrono::steady_clock;

/// Core cycles between two looks at what is going on.
constexpr uint64_t kSampleCycles = 1024;
/// The same for a timeline; and those of its samples, while there are few.
constexpr uint64_t kLookCycles = 32, kFirstInterval = 32;

uint64_t millisecondsSince(HostClock::time_point begin) {
  auto passed = HostClock::now() - begin;
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(passed).count());
}

/// Processor time of the process.
uint64_t processorMilliseconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000 +
         static_cast<uint64_t>(time.tv_nsec) / 1'000'000;
}

/// "--set: " or "--machine: ", by which the parameter got its value.
std::string givenBy(const std::string &key, const Options &options) {
  const bool isSet =
      ("," + options.set).find("," + key + "=") != std::string::npos;
  return options.nameOf(isSet ? variable::set : variable::machine) + ": ";
}

/// What the kernels of a machine of kind `apu` were made for must stay as it was.
void checkThatKernelsFit(const Machine &own, const Machine &taken,
                         const Options &options) {
  if (own.kind != MachineKind::apu || taken.kind != MachineKind::apu)
    return;
  auto check = [&](const char *key, auto before, auto now) {
    if (before != now)
      throw std::runtime_error(
          givenBy(key, options) + key + ": was '" +
          std::string(namesOf(before)[static_cast<size_t>(before)]) +
          "' when the program was compiled, and is '" +
          std::string(namesOf(now)[static_cast<size_t>(now)]) +
          "'; the compiler reads this: compile the program again, for a "
          "machine file that says so");
  };
  check("channel.lowering", own.channel.lowering, taken.channel.lowering);
  check("channel.layout", own.channel.layout, taken.channel.layout);
}

void checkThatSchedulerRuns(const Machine &machine, const Options &options) {
  if (options.scheduler.empty() || machine.kind == MachineKind::apu)
    return;
  throw std::runtime_error(
      options.nameOf(variable::scheduler) +
      ": only a machine of kind 'apu' has an aggregator that runs a program, "
      "and machine '" +
      machine.name + "' is of kind '" + std::string(nameOf(machine.kind)) +
      "'; compile the program with '--target=simt --machine=isca14-apu'");
}

Machine makeMachine(std::string_view description, const Options &options) {
  std::string error;
  if (!options.machineDirectory.empty())
    setMachineDirectory(options.machineDirectory);
  std::optional<Machine> machine =
      options.machine.empty()
          ? Machine::parse(description, "the program's machine file", error)
          : Machine::load(options.machine, error);
  if (!machine)
    throw std::runtime_error((options.machine.empty()
                                  ? ""
                                  : options.nameOf(variable::machine) + ": ") +
                             error);
  if (!machine->set(options.set, error))
    throw std::runtime_error(options.nameOf(variable::set) + ": " + error);
  if (std::optional<Machine> own =
          Machine::parse(description, "the program's machine file", error))
    checkThatKernelsFit(*own, *machine, options);
  checkThatSchedulerRuns(*machine, options);
  return std::move(*machine);
}

/// Nothing if the path is empty.
template <class File, class... Rest>
void open(std::optional<File> &file, const std::string &name,
          const std::string &path, const Rest &...rest) {
  if (path.empty())
    return;
  try {
    file.emplace(path, rest...);
  } catch (const std::runtime_error &error) {
    throw std::runtime_error(name + ": " + error.what());
  }
}

} // namespace

struct Session::State : Observer {
  State(std::string_view description, const Options &options);

  void observe() override;
  void sampleCurves(uint64_t cycle);
  void lookAtCores(uint64_t cycle);
  void endSample(uint64_t cycle);
  std::vector<std::string> timelineNames() const;
  void printProgress();
  void measureRun();
  void measureHost();

  const Options options;
  Statistics statistics, hostStatistics;
  RunInfo run;
  Engine engine;
  std::vector<const KernelCode *> kernels;
  /// The user's scheduler.
  std::optional<std::string> schedulerText;

  std::optional<OutputFile> statisticsFile, linesFile, timelineFile;
  std::optional<Trace> trace;
  /// What is shown as curves: the values when they were sampled last.
  std::vector<uint64_t> lastMisses;
  uint64_t lastSample = 0;
  /// Of the timeline: cores that are watched; cycles of their tiles, and those in
  /// which there was none.
  Timeline timeline{kFirstInterval};
  std::vector<const Core *> watched;
  uint64_t lastLook = 0, tileCycles = 0, emptyCycles = 0;

  const HostClock::time_point begin = HostClock::now();
  const uint64_t processorBegin = processorMilliseconds();
  uint64_t lastProgress = 0; // ms
  uint64_t cycles = 0, firings = 0;
  uint64_t milliseconds = 0, processor = 0, peakBytes = 0;
};

Session::State::State(std::string_view description, const Options &options)
    : options(options), run{makeMachine(description, options),
                            program_invocation_short_name, &hostStatistics},
      engine(run.machine) {
  if (!options.begin.empty())
    std::remove(options.begin.c_str());
  open(statisticsFile, options.nameOf(variable::statistics),
       options.statistics);
  open(linesFile, options.nameOf(variable::lines), options.lines);
  open(timelineFile, options.nameOf(variable::timeline), options.timeline);
  open(trace, options.nameOf(variable::trace), options.trace, run.program,
       options.traceCycles);
  statistics.add("run.cycles", "cycles",
                 "core cycles from the first to the end of the last", cycles);
  hostStatistics.add("host.milliseconds", "ms",
                     "since the first simulated cycle, the program's own work "
                     "included",
                     milliseconds);
  hostStatistics.add("host.processor_milliseconds", "ms",
                     "processor time of the process meanwhile", processor);
  hostStatistics.addRatio("host.cycles_per_second", "cycles/s",
                          "simulated core cycles in a second of processor time",
                          cycles, processor, 1000);
  hostStatistics.addRatio("host.firings_per_second", "operations/s",
                          "operations started by units in that second", firings,
                          processor, 1000);
  hostStatistics.add("host.peak_bytes", "bytes",
                     "memory of the process at most, the program's included",
                     peakBytes);
  if (trace || options.progress || timelineFile)
    engine.setObserver(*this, engine.coreClock().ticks(
                                  timelineFile ? kLookCycles : kSampleCycles));
}

/// Firings are those of blocks that are over.
void Session::State::measureRun() {
  cycles = engine.coreCycle();
  firings = 0;
  for (const Statistics::Named &kind : statistics.endingWith("_firings"))
    firings += kind.value;
  processor = processorMilliseconds() - processorBegin;
}

void Session::State::observe() {
  uint64_t cycle = engine.coreCycle();
  if (timelineFile) {
    lookAtCores(cycle);
    if (timeline.isDue(cycle))
      endSample(cycle);
  }
  if (trace && cycle - lastSample >= kSampleCycles)
    sampleCurves(cycle);
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
    trace->curve(misses[i].name, "in 1000 cycles", lastSample,
                 static_cast<double>(since) * 1000 /
                     static_cast<double>(passed));
    lastMisses[i] = misses[i].value;
  }
  lastSample = cycle;
}

/// What the cores have now stands for the cycles since the last look.
void Session::State::lookAtCores(uint64_t cycle) {
  uint64_t tiles = 0;
  for (const Core *core : watched)
    tiles += core->tilesNow();
  tileCycles += tiles * (cycle - lastLook);
  emptyCycles += tiles ? 0 : cycle - lastLook;
  lastLook = cycle;
}

void Session::State::endSample(uint64_t cycle) {
  cycles = cycle;
  std::vector<uint64_t> values = {tileCycles, emptyCycles};
  for (const Statistics::Named &counter : statistics.endingWith(""))
    values.push_back(counter.value);
  timeline.add(cycle, std::move(values));
}

/// Of what endSample() collects.
std::vector<std::string> Session::State::timelineNames() const {
  std::vector<std::string> names = {"timeline.tile_cycles",
                                    "timeline.empty_cycles"};
  for (const Statistics::Named &counter : statistics.endingWith(""))
    names.emplace_back(counter.name);
  return names;
}

void Session::State::printProgress() {
  uint64_t now = millisecondsSince(begin);
  if (now - lastProgress < uint64_t(options.progress) * 1000)
    return;
  lastProgress = now;
  measureRun();
  auto rate = [&](const char *name) {
    return roundedText(*hostStatistics.find(name));
  };
  WorkRate work = workRate(run, statistics);
  std::fprintf(stderr,
               "chansim: %.0f s, %s cycles, %s a second; %s %s a second\n",
               static_cast<double>(now) / 1000,
               roundedText(static_cast<double>(cycles)).c_str(),
               rate("host.cycles_per_second").c_str(),
               roundedText(work.perSecond).c_str(), work.name);
}

void Session::State::measureHost() {
  measureRun();
  milliseconds = millisecondsSince(begin);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  peakBytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

Session::Session(std::string_view description, const Options &options)
    : state(std::make_unique<State>(description, options)) {}
Session::~Session() = default;

const Options &Session::options() const { return state->options; }
const Machine &Session::machine() const { return state->run.machine; }
Engine &Session::engine() { return state->engine; }
Statistics &Session::statistics() { return state->statistics; }
Trace *Session::trace() { return state->trace ? &*state->trace : nullptr; }

Recording Session::recording(const std::string &core) const {
  return {state->trace ? &*state->trace : nullptr, core,
          state->linesFile.has_value()};
}

Session::Scheduler Session::scheduler() {
  const std::string &file = state->options.scheduler;
  if (file.empty())
    return {machine().aggregatorCore.workFirstAbove < 100
                ? aggregator::firmwareSchedulerHybrid()
            : machine().channel.hierarchy == ChannelHierarchy::cores
                ? aggregator::firmwareSchedulerLeaves()
                : aggregator::firmwareScheduler(),
            "scheduler.c"};
  if (!state->schedulerText) {
    state->schedulerText = readText(file);
    if (!state->schedulerText)
      throw std::runtime_error(state->options.nameOf(variable::scheduler) +
                               ": " + file + ": cannot be read");
  }
  const std::string given = state->options.nameOf(variable::scheduler);
  std::string name = file.substr(file.rfind('/') + 1);
  // `chansim run` compiles short.c to short.c.elf.
  const bool isOption = given != variable::scheduler;
  if (isOption && name.ends_with(".elf"))
    name.resize(name.size() - std::string_view(".elf").size());
  if (!state->schedulerText->starts_with("\177ELF"))
    throw std::runtime_error(
        given + ": " + file +
        " is no compiled program (an ELF file for RISC-V); 'chansim run "
        "--scheduler=FILE.c' compiles a C file and runs it");
  return {std::as_bytes(std::span(*state->schedulerText)), name};
}

void Session::watch(const Core &core) { state->watched.push_back(&core); }

void Session::add(const KernelCode &code) { state->kernels.push_back(&code); }

std::string Session::close(const std::string &failure) {
  std::string problems;
  auto note = [&](const std::string &problem) {
    if (!problem.empty())
      problems += (problems.empty() ? "" : "chansim: ") + problem + "\n";
  };
  state->measureHost();
  state->run.failure = failure;
  if (state->trace) {
    state->sampleCurves(state->cycles);
    note(state->trace->close());
  }
  if (state->statisticsFile) {
    state->statisticsFile->write(state->statistics.json(state->run));
    note(state->statisticsFile->close());
  }
  if (state->linesFile) {
    state->linesFile->write(reportLines(state->run, state->kernels));
    note(state->linesFile->close());
  }
  if (state->timelineFile) {
    state->lookAtCores(state->cycles);
    state->endSample(state->cycles);
    state->timelineFile->write(
        state->timeline.json(state->run, state->timelineNames()));
    note(state->timelineFile->close());
  }
  // What was refused before the first cycle has no counters.
  bool hasRun = failure.empty() || state->cycles != 0;
  if (!hasRun || state->options.summary == Options::Summary::none)
    return problems;
  std::fputs(summaryHead(state->run).c_str(), stderr);
  std::fputs(state->options.summary == Options::Summary::brief
                 ? summarize(state->run, state->statistics).c_str()
                 : state->statistics.table().c_str(),
             stderr);
  return problems;
}

} // namespace chansim
