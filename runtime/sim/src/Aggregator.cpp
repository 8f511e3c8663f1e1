//===- Aggregator.cpp - Hands batches of elements to the core -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Aggregator.h"
#include "Statistics.h"

#include <algorithm>
#include <cassert>

namespace chansim {

Aggregator::Aggregator(const Machine &machine, Engine &engine, Memory &memory,
                       Core &core, Program &program, Statistics &statistics)
    : engine(engine), memory(memory), core(core), program(program),
      parameters(machine.aggregator) {
  engine.add(*this, Clock::core);
  auto add = [&](const char *name, const char *unit, const char *description,
                 const uint64_t &counter) {
    statistics.add(std::string("aggregator.") + name, unit, description,
                   counter);
  };
  add("batches", "batches", "pieces of channels that were dispatched",
      counters.batches);
  add("elements", "elements", "channel elements that were dispatched",
      counters.elements);
  add("tiles", "tiles", "tiles that were started", counters.tiles);
  add("yields", "tiles", "runs of a tile that ended with threads that yielded",
      counters.yields);
  add("wavefront_yields", "tiles",
      "of those, how many waited for the deeper levels", counters.resumed);
  add("levels", "levels", "depth of the spawn tree at most", counters.levels);
  add("cycles", "cycles", "core cycles that the aggregator's actions took",
      counters.waited);
}

Aggregator::~Aggregator() = default;

void Aggregator::record(Trace &into) {
  trace = &into;
  track = into.addTrack("aggregator");
}

Activity Aggregator::tick() {
  isDue = true;
  return Activity::asleep;
}

void Aggregator::explain(std::string &) const {}

void Aggregator::wait(uint32_t cycles) {
  counters.waited += cycles;
  if (!cycles)
    return;
  isDue = false;
  engine.wakeAt(*this, engine.now() + cycles * engine.period(Clock::core));
  engine.run([&] { return isDue; });
}

Level &Aggregator::at(size_t depth) {
  while (levels.size() <= depth)
    levels.emplace_back(levels.size());
  counters.levels = std::max<uint64_t>(counters.levels, depth + 1);
  return levels[depth];
}

Channel &Aggregator::channel(Level &level, const Stack &stack) {
  if (level.channels.size() <= stack.id)
    level.channels.resize(stack.id + 1);
  std::unique_ptr<Channel> &found = level.channels[stack.id];
  if (!found)
    found = std::make_unique<Channel>(stack.channel, pool);
  return *found;
}

FrameList &Aggregator::framesOf(uint64_t bytes) {
  return frames.try_emplace(bytes, bytes).first->second;
}

void Aggregator::run(chan_block *block) {
  Level &root = at(0);
  assert(!root.batch && "one tree at a time");
  Elements element;
  element.channel = block->channel;
  element.data = chan_block_data(block);
  element.count = 1;
  element.capacity = block->capacity;
  root.batch = element;
  root.kernel = program.stackOf(block->channel).consumer;
  root.begun = 0;
  deepest = 0;
  while (Level *level = deepestWithWork()) {
    if (level->launch)
      wait(parameters.resumeCycles);
    else
      start(*level);
    execute(*level);
  }
  core.flush();
  engine.run([&] { return core.isIdle(); });
}

Level *Aggregator::deepestWithWork() {
  for (;; --deepest) {
    Level &level = levels[deepest];
    if (level.launch || level.batch || chooseBatch(level))
      return &level;
    if (deepest == 0)
      return nullptr;
  }
}

bool Aggregator::chooseBatch(Level &level) {
  for (uint32_t kind : {CHAN_ENTRY, CHAN_CONTINUATION}) {
    Channel *longest = nullptr;
    const chan_channel *from = nullptr;
    for (auto &candidate : level.channels) {
      if (!candidate || !candidate->waiting() || candidate->kind() != kind)
        continue;
      if (!longest || candidate->waiting() > longest->waiting())
        longest = candidate.get();
    }
    if (!longest)
      continue;
    level.batch = longest->take();
    from = level.batch->channel;
    level.kernel = program.stackOf(from).consumer;
    level.begun = 0;
    ++counters.batches;
    counters.elements += level.batch->count;
    return true;
  }
  return false;
}

void Aggregator::start(Level &level) {
  uint64_t begin = engine.cycle(Clock::core);
  wait(parameters.dispatchCycles);
  ++counters.tiles;
  const KernelImage &image = level.kernel->image;
  const Kernel &kernel = image.kernel();
  Launch &launch = level.launch.emplace();
  Tile &tile = launch.tile;
  tile.kernel = &level.kernel->image;
  tile.threads = static_cast<uint32_t>(std::min<uint64_t>(
      image.tileThreads(), level.batch->count - level.begun));
  tile.liveBase = liveTop;
  liveTop += uint64_t(kernel.liveValues) * tile.threads * sizeof(uint64_t);
  launch.privateBytes = kernel.privateBytes * tile.threads;
  if (launch.privateBytes)
    launch.privateMemory = pool.allocate(launch.privateBytes);
  if (trace)
    trace->span(track, kernel.name, begin, engine.cycle(Clock::core),
                {{"threads", tile.threads}, {"level", level.depth}});
}

/// Channels have room, then addresses are final.
void Aggregator::bind(Level &level) {
  using Kind = Parameter::Kind;
  Tile &tile = level.launch->tile;
  const Kernel &kernel = tile.kernel->kernel();
  auto channelOf = [&](const DeviceKernel::Binding &binding) -> Channel & {
    return channel(at(level.depth + binding.level), *binding.stack);
  };
  for (const DeviceKernel::Binding &binding : level.kernel->bindings) {
    if (binding.kind == Kind::frames)
      framesOf(binding.number).provide(tile.threads);
    if (binding.kind != Kind::control && binding.kind != Kind::column)
      continue;
    Channel &bound = channelOf(binding);
    // Each thread has at most one continuation.  Children may be many, so two
    // for each at first, and more when threads yield.
    uint64_t wanted = binding.level == 0
                          ? tile.threads
                          : std::min<uint64_t>(2 * uint64_t(tile.threads),
                                               parameters.channelWidth);
    if (binding.level == 0 || bound.capacity() < wanted)
      bound.makeRoom(wanted, parameters.channelWidth);
  }
  tile.parameters.clear();
  for (const DeviceKernel::Binding &binding : level.kernel->bindings) {
    uint64_t word = 0;
    switch (binding.kind) {
    case Kind::field:
      word = level.batch->column(binding.number) +
             level.begun * level.batch->channel->fields[binding.number].size;
      break;
    case Kind::column:
      word = channelOf(binding).column(binding.number);
      break;
    case Kind::control:
      word = reinterpret_cast<uint64_t>(channelOf(binding).control());
      break;
    case Kind::frames:
      word = reinterpret_cast<uint64_t>(framesOf(binding.number).head());
      break;
    case Kind::level:
      word = reinterpret_cast<uint64_t>(&level);
      break;
    case Kind::isPrivate:
      word = reinterpret_cast<uint64_t>(level.launch->privateMemory);
      break;
    case Kind::argument:
      throw std::runtime_error("kernel '" + kernel.name +
                               "' takes an argument of a launch by hand");
    }
    tile.parameters.push_back(word);
  }
  memory.clearPrivateWindows();
  if (kernel.privateBytes) {
    uint32_t granule = sizeof(uint64_t);
    while (kernel.privateBytes % granule)
      granule /= 2;
    memory.addPrivateWindow(
        {reinterpret_cast<uint64_t>(level.launch->privateMemory), tile.threads,
         static_cast<uint32_t>(kernel.privateBytes), granule});
  }
}

void Aggregator::execute(Level &level) {
  bind(level);
  Launch &launch = *level.launch;
  core.run(launch.tile);
  deepest = level.depth + 1;
  at(deepest);
  if (launch.tile.yielded.empty())
    return finish(level);
  launch.tile.starting = std::move(launch.tile.yielded);
  launch.tile.yielded.clear();
  ++counters.yields;
  afterYield(level);
}

/// A channel that may be longer becomes so, and the tile goes on at once, as it
/// does if it lacked frames only.
void Aggregator::afterYield(Level &level) {
  bool mustWait = false;
  for (auto &below : levels[level.depth + 1].channels) {
    if (!below || !below->isFull() || !below->waiting())
      continue;
    if (below->capacity() < parameters.channelWidth)
      below->makeRoom(1, parameters.channelWidth);
    else
      mustWait = true;
  }
  if (mustWait)
    ++counters.resumed;
  else
    deepest = level.depth;
}

void Aggregator::finish(Level &level) {
  Launch &launch = *level.launch;
  if (launch.privateBytes)
    pool.release(launch.privateMemory, launch.privateBytes);
  liveTop = launch.tile.liveBase;
  level.begun += launch.tile.threads;
  level.launch.reset();
  if (level.begun != level.batch->count)
    return;
  if (level.batch->pooled)
    pool.release(level.batch->data, level.batch->bytes());
  level.batch.reset();
}

ControlWords *Aggregator::resolve(Level &level, void (*function)(void),
                                  uint64_t signature, ControlWords *otherwise) {
  const chan_channel *found = chan_resolve_device(function, signature, nullptr);
  if (!found)
    return otherwise;
  Channel &result = channel(at(level.depth + 1), program.stackOf(found));
  if (!result.capacity())
    result.makeRoom(std::min<uint64_t>(2 * uint64_t(level.launch->tile.threads),
                                       parameters.channelWidth),
                    parameters.channelWidth);
  return result.control();
}

} // namespace chansim
