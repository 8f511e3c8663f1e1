//===- Device.cpp - What a program calls ----------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs for a machine are linked with an object that tells their
// configuration to chansim_load; from then on libchan brings here what their
// kernels are to run.  Threads of the program take turns.
//
//===----------------------------------------------------------------------===//

#include "chansim/abi.h"
#include "dispatch/Aggregator.h"
#include "dispatch/ProgrammedAggregator.h"
#include "machine/Json.h"
#include "results/Energy.h"
#include "session/Session.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <unistd.h>

extern "C" char **environ;
/// glibc's: the stack pointer with which the process began.
extern "C" void *__libc_stack_end;

namespace chansim {
namespace {

/// A machine at work.  One that is busy cannot begin anew: what the host calls
/// for it, and spawns again, runs on another one.
struct Executor {
  /// The session's machine, or another one like it.
  Executor(Session &session, Program &program, bool isNested)
      : ownStatistics(isNested ? std::make_unique<Statistics>() : nullptr),
        ownEngine(isNested ? std::make_unique<Engine>(session.machine())
                           : nullptr),
        engine(isNested ? *ownEngine : session.engine()),
        statistics(isNested ? *ownStatistics : session.statistics()),
        processor(session.machine(), engine, statistics),
        dispatcher(makeDispatcher(session, program)) {
    // So that cycles do not depend on where the process has its first stack:
    // what lies deeper than the frame of `_start` has fixed distances from it.
    constexpr uint64_t kReach = uint64_t(1) << 30;
    uint64_t high = reinterpret_cast<uint64_t>(__libc_stack_end);
    processor.frames().alignStack(high - kReach, high);
    for (uint32_t core = 0; core != processor.coreCount(); ++core) {
      Recording recording = session.recording("core " + std::to_string(core));
      if (isNested)
        recording.trace = nullptr;
      recording.waitOf = [this](uint64_t contextBase, bool isBack) {
        return dispatcher->waitOf(contextBase, isBack);
      };
      processor.core(core).record(recording);
      if (!isNested)
        session.watch(processor.core(core));
    }
    if (Trace *trace = session.trace(); trace && !isNested) {
      dispatcher->record(*trace);
      processor.recordCaches(*trace);
    }
    if (!isNested)
      addEnergy(session.machine(), statistics);
  }

  std::unique_ptr<Statistics> ownStatistics;
  std::unique_ptr<Engine> ownEngine;
  Engine &engine;
  Statistics &statistics;
  Processor processor;
  std::unique_ptr<Dispatcher> dispatcher;

private:
  std::unique_ptr<Dispatcher> makeDispatcher(Session &session,
                                             Program &program) {
    const Machine &machine = session.machine();
    if (machine.kind != MachineKind::apu)
      return std::make_unique<Aggregator>(machine, engine, processor, program,
                                          statistics);
    Session::Scheduler scheduler = session.scheduler();
    return std::make_unique<ProgrammedAggregator>(machine, engine, processor,
                                                  program, scheduler.elf,
                                                  scheduler.name, statistics);
  }
};

struct Linked {
  std::string configuration, machine;
  std::vector<uint64_t> symbols;
};

class Device {
public:
  void load(Linked linked);
  void run(chan_block *block);
  Dispatcher &current() { return *executors[depth - 1]->dispatcher; }
  /// The run failed, and why.
  void noteFailure(const std::string &what) { failure = what; }
  void close();
  /// Whether the reports are written, or are those of a parent.
  bool isClosed() const { return owner != getpid(); }

private:
  void prepare();
  void beginSession(const Linked &linked);
  void loadKernels(const Linked &linked);

  std::recursive_mutex mutex;
  std::vector<Linked> unread;
  std::optional<Session> session;
  pid_t owner = 0;
  std::string failure;
  Program program;
  std::vector<std::unique_ptr<Executor>> executors;
  size_t depth = 0;
  struct {
    uint64_t runs = 0, nested = 0, nestedCycles = 0;
  } counters;
};

/// Of this thread: how many runs it is in.
thread_local unsigned runsOfThread = 0;

/// Never destroyed: kernels may run while the process ends.
Device &device() {
  static Device *instance = new Device;
  return *instance;
}

/// Whether the process ends, and not just the library that holds this: when a
/// library is unloaded, its destructors run before its atexit handlers.
bool isExiting = false;
/// With which the process ends, as far as that is known.
int exitStatus = 0;

/// A handler for on_exit() would outlive the library, if it were registered before the
/// process ends.
void beginExit() {
  if (device().isClosed())
    return;
  isExiting = true;
  on_exit([](int status, void *) { exitStatus = status; }, nullptr);
}

void failIfFine(int status, void *) {
  if (status == 0)
    std::exit(1);
}

[[noreturn]] void fail(const char *what) {
  std::fprintf(stderr, "chansim: %s\n", what);
  device().noteFailure(what);
  std::exit(1);
}

void Device::load(Linked linked) {
  std::lock_guard<std::recursive_mutex> guard(mutex);
  unread.push_back(std::move(linked));
}

void Device::beginSession(const Linked &linked) {
  session.emplace(linked.machine, Options::parse(environ));
  owner = getpid();
  std::atexit(beginExit);
  std::at_quick_exit([] { device().close(); });
  Statistics &statistics = session->statistics();
  statistics.add("program.runs", "calls", "calls of spawning functions from C",
                 counters.runs);
  statistics.add("program.nested_runs", "calls",
                 "of those, how many came from what a kernel called",
                 counters.nested);
  statistics.add("program.nested_cycles", "cycles",
                 "core cycles of these, by which system calls took longer",
                 counters.nestedCycles);
}

/// The kernels that are linked, or those of the file that takes their place.
void Device::loadKernels(const Linked &linked) {
  const std::string own = "the program's configuration";
  const Options &options = session->options();
  const std::string &file = options.kernels;
  if (file.empty())
    return program.load(linked.configuration, own, linked.symbols,
                        session->machine());
  const std::string name = options.nameOf(variable::kernels) + ": ";
  if (!program.deviceKernels().empty())
    throw std::runtime_error(name + file +
                             ": cannot take the place of the kernels of a "
                             "program and its libraries; link them statically");
  std::optional<std::string> text = readText(file);
  if (!text)
    throw std::runtime_error(name + file + ": cannot be read");
  program.loadInstead(*text, file, {linked.configuration, own, linked.symbols},
                      session->machine());
}

void Device::prepare() {
  for (Linked &linked : unread) {
    if (!session)
      beginSession(linked);
    size_t known = program.deviceKernels().size();
    loadKernels(linked);
    for (; known != program.deviceKernels().size(); ++known)
      session->add(*program.deviceKernels()[known].code);
  }
  unread.clear();
}

void Device::run(chan_block *block) {
  std::lock_guard<std::recursive_mutex> guard(mutex);
  try {
    prepare();
    if (executors.size() == depth)
      executors.push_back(
          std::make_unique<Executor>(*session, program, depth != 0));
    Executor &executor = *executors[depth];
    uint64_t before = executor.engine.coreCycle();
    ++depth;
    ++runsOfThread;
    ++counters.runs;
    executor.dispatcher->run(block);
    --runsOfThread;
    if (--depth) {
      uint64_t cycles = executor.engine.coreCycle() - before;
      Executor &caller = *executors[depth - 1];
      caller.processor.host.prolong(cycles, caller.engine.coreCycle());
      ++counters.nested;
      // Those of a run within are among them.
      counters.nestedCycles += depth == 1 ? cycles : 0;
    }
  } catch (const std::exception &error) {
    fail(error.what());
  }
}

void Device::close() {
  // A child that was forked leaves the files to its parent.
  if (!session || owner != getpid())
    return;
  owner = 0; // What runs even later is in no report.
  if (failure.empty() && exitStatus)
    failure = "the program ended with status " + std::to_string(exitStatus);
  std::string problems = session->close(failure);
  if (problems.empty())
    return;
  std::fprintf(stderr, "chansim: %s", problems.c_str());
  // Registered by a destructor, it runs when all destructors have.
  if (isExiting)
    on_exit(failIfFine, nullptr);
}

// Iterations of short loops are threads, those of long ones share one: what
// spawns them is a thread as well, and an iteration hands the next one values
// on the fabric. So many are a tile of a kernel of 32 blocks, and several times
// what the replicas of a block have in flight.
uint64_t grainOf(uint64_t count) {
  constexpr uint64_t kMostRanges = 1 << 11;
  if (!runsOfThread)
    return 0;
  return count / kMostRanges + (count % kMostRanges != 0 || count == 0);
}

// After the program's own destructors, which may spawn.
__attribute__((destructor(101))) void closeDevice() { device().close(); }

} // namespace
} // namespace chansim

using namespace chansim;

void chansim_load(const char *configuration, const char *machine,
                  const void *const *symbols, uint64_t symbolCount) {
  static const chan_device interface = {
      [](chan_block *block) { device().run(block); }, grainOf};
  Linked linked;
  linked.configuration = configuration;
  linked.machine = machine;
  for (uint64_t i = 0; i != symbolCount; ++i)
    linked.symbols.push_back(reinterpret_cast<uint64_t>(symbols[i]));
  device().load(std::move(linked));
  chan_set_device(&interface);
}

void *chansim_resolve(void *launch, void (*function)(void), uint64_t signature,
                      void *otherwise) {
  return device().current().resolve(launch, function, signature, otherwise);
}

namespace {
/// What an arena consists of.
struct Piece {
  Piece *next;
};
size_t alignUp(size_t value, size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}
} // namespace

void *chansim_arena_alloc(void **arena, size_t size, size_t alignment) {
  if (alignment < alignof(std::max_align_t))
    alignment = alignof(std::max_align_t);
  size_t header = alignUp(sizeof(Piece), alignment);
  size_t bytes;
  void *memory = nullptr;
  if (!__builtin_add_overflow(size, header + alignment, &bytes))
    memory = std::aligned_alloc(alignment, bytes / alignment * alignment);
  if (!memory)
    fail("out of memory for what an activation allocates");
  *arena = new (memory) Piece{static_cast<Piece *>(*arena)};
  return static_cast<char *>(memory) + header;
}

void chansim_arena_free(void **arena) {
  auto *piece = static_cast<Piece *>(*arena);
  while (piece) {
    Piece *next = piece->next;
    std::free(piece);
    piece = next;
  }
  *arena = nullptr;
}

void *chansim_defer(chan_pending *pending,
                    void (*apply)(void *destination, void *result),
                    void *destination, size_t size, size_t alignment) {
  if (alignment < alignof(chan_deferred))
    alignment = alignof(chan_deferred);
  size_t header = alignUp(sizeof(chan_deferred), alignment);
  void *memory = chansim_arena_alloc(&pending->arena, header + size, alignment);
  auto *record = new (memory) chan_deferred{
      nullptr, apply, destination, static_cast<char *>(memory) + header};
  (pending->last ? pending->last->next : pending->first) = record;
  pending->last = record;
  ++pending->count;
  return record->result;
}

void chansim_apply(chan_pending *pending) {
  for (chan_deferred *record = pending->first; record; record = record->next)
    if (record->apply)
      record->apply(record->destination, record->result);
  chansim_arena_free(&pending->arena);
  *pending = {};
}
