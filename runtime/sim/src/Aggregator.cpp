//===- Aggregator.cpp - Hands batches of elements to the cores ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Aggregator.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace chansim {

Aggregator::Aggregator(const Machine &machine, Engine &engine,
                       Processor &processor, Program &program,
                       Statistics &statistics)
    : engine(engine), program(program), parameters(machine.aggregator) {
  engine.add(*this, Clock::core);
  for (uint32_t core = 0; core != processor.coreCount(); ++core) {
    slots.push_back({&processor.core(core)});
    processor.core(core).setClient(*this);
  }
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

void Aggregator::explain(std::string &text) const {
  for (const Slot &slot : slots)
    if (slot.running)
      text += "  aggregator: waits for core " +
              std::to_string(slot.core->number()) + ", which " +
              (slot.isFlushing ? "writes L1 back after" : "runs") +
              " a tile of kernel '" + slot.running->tile.kernel->kernel().name +
              "' at level " + std::to_string(slot.running->level->depth) + "\n";
}

void Aggregator::run(chan_block *block) {
  assert(isDone && "one tree at a time");
  Level &root = at(0);
  Elements element;
  element.channel = block->channel;
  element.data = chan_block_data(block);
  element.count = 1;
  element.capacity = block->capacity;
  root.batches.push_back(
      {element, program.stackOf(block->channel).consumer, /*together=*/1});
  note(root);
  isFlushed = slots.size() > 1;
  isDone = false;
  advance();
  engine.run([&] { return isDone; });
}

//===----------------------------------------------------------------------===//
// A tick
//
// It comes when an action is due, and when a core has become idle. The
// aggregator does one action at a time:
//   1. take up what the tiles of idle cores have left (yields, tallocs);
//   2. perform the action that is due;
//   3. choose the next one, and sleep until that is due;
//   4. if nothing is left to do, flush the caches once, and be done.
//===----------------------------------------------------------------------===//

Activity Aggregator::tick() {
  if (!isDone)
    advance();
  return Activity::asleep;
}

void Aggregator::advance() {
  // 1.
  for (Slot &slot : slots)
    if (slot.running && slot.core->isIdle())
      takeUp(slot);
  // 2. and 3.
  do {
    if (action) {
      if (engine.now() < action->due)
        return engine.wakeAt(*this, action->due);
      perform(*std::exchange(action, std::nullopt));
    }
    action = choose();
  } while (action);

  // 4.
  bool isIdle = std::all_of(slots.begin(), slots.end(), [](const Slot &slot) {
    return !slot.running && slot.core->isIdle();
  });
  if (isIdle && !std::exchange(isFlushed, true))
    slots[0].core->flush();
  else
    isDone = isIdle;
}

Aggregator::Action Aggregator::actionOf(Level &level, uint32_t core,
                                        Launch *launch) {
  uint32_t cycles =
      launch ? parameters.resumeCycles : parameters.dispatchCycles;
  counters.waited += cycles;
  Tick due = engine.now() + cycles * engine.period(Clock::core);
  return {&level, launch, core, engine.cycle(Clock::core), due};
}

std::optional<uint32_t> Aggregator::idleCore() const {
  for (uint32_t core = 0; core != slots.size(); ++core)
    if (isIdle(core))
      return core;
  return std::nullopt;
}

std::optional<Aggregator::Action> Aggregator::choose() {
  if (!idleCore())
    return std::nullopt;
  for (auto it = ready.begin(); it != ready.end(); ++it)
    if (Launch *launch = *it; isIdle(launch->core)) {
      ready.erase(it);
      return actionOf(*launch->level, launch->core, launch);
    }
  findDeepest();
  if (std::optional<Action> found = choosePreSync(levels[deepest]))
    return found;
  if (std::optional<Action> found = chooseContinuation(levels[deepest]))
    return found;
  for (auto it = preSync.upper_bound(deepest); it != preSync.end(); ++it)
    if (std::optional<Action> found = choosePreSync(levels[*it]))
      return found;
  return std::nullopt;
}

/// Tiles that run fill the level below theirs at any time.
void Aggregator::findDeepest() {
  for (const Slot &slot : slots)
    if (slot.running)
      deepest = std::max(deepest, slot.running->level->depth + 1);
  while (deepest && !levels[deepest].isBusy())
    --deepest;
}

/// Whether no thread is filling what the core has at the level.
bool Aggregator::mayTake(const Level &level, uint32_t core) const {
  const Launch *running = slots[core].running;
  return !running || (running->level->depth != level.depth &&
                      running->level->depth + 1 != level.depth);
}

std::optional<Aggregator::Action> Aggregator::choosePreSync(Level &level) {
  for (Launch &launch : level.launches)
    if (launch.waitsForRoom && isIdle(launch.core) &&
        !at(level.depth + 1).isFull(launch.core)) {
      launch.waitsForRoom = false;
      return actionOf(level, launch.core, &launch);
    }
  if (level.isCutting())
    return actionOf(level, *idleCore());
  if (Channel *longest = level.longest(
          CHAN_ENTRY, [&](uint32_t core) { return mayTake(level, core); }))
    return take(level, *longest);
  return std::nullopt;
}

std::optional<Aggregator::Action> Aggregator::chooseContinuation(Level &level) {
  if (Channel *longest = level.longest(CHAN_CONTINUATION, [&](uint32_t core) {
        return mayTake(level, core);
      }))
    return take(level, *longest);
  return std::nullopt;
}

Aggregator::Action Aggregator::take(Level &level, Channel &channel) {
  uint64_t together = level.waiting(channel.kind());
  Elements elements = channel.take();
  level.batches.push_back(
      {elements, program.stackOf(elements.channel).consumer, together});
  ++counters.batches;
  counters.elements += elements.count;
  return actionOf(level, *idleCore());
}

//===----------------------------------------------------------------------===//
// A tile begins, or goes on
//===----------------------------------------------------------------------===//

void Aggregator::perform(const Action &done) {
  Launch &launch = done.launch ? *done.launch : begin(*done.level, done.core);
  if (trace)
    trace->span(track,
                (done.launch ? "resume " : "") +
                    launch.tile.kernel->kernel().name,
                done.beginCycle, engine.cycle(Clock::core),
                {{"threads", launch.tile.threads},
                 {"level", launch.level->depth},
                 {"core", done.core}});
  makeRoom(launch);
  bind(launch);
  slots[done.core].running = &launch;
  slots[done.core].core->start(launch.tile);
  at(launch.level->depth + 1);
  note(*launch.level);
}

/// Several cores share out what waits at a level, but into no less than what is
/// worth its reconfigurations.
uint64_t Aggregator::tileThreads(const ElementBatch &batch) const {
  uint64_t most = std::min<uint64_t>(batch.kernel->image.tileThreads(),
                                     batch.elements.count - batch.begun);
  if (slots.size() == 1)
    return most;
  uint64_t share = (batch.together + slots.size() - 1) / slots.size();
  share = (share + 63) / 64 * 64;
  return std::min(most, std::max<uint64_t>(share, parameters.leastTile));
}

Launch &Aggregator::begin(Level &level, uint32_t core) {
  auto batch = std::prev(level.batches.end());
  Launch &launch =
      level.launches.emplace_back(Launch{&level, batch, batch->begun, core});
  ++counters.tiles;
  const Kernel &kernel = batch->kernel->image.kernel();
  Tile &tile = launch.tile;
  tile.kernel = &batch->kernel->image;
  tile.threads = static_cast<uint32_t>(tileThreads(*batch));
  batch->begun += tile.threads;
  for (const Launch *other : slots[core].begun)
    tile.liveBase = std::max(tile.liveBase, other->liveEnd());
  slots[core].begun.push_back(&launch);
  launch.privateBytes = kernel.privateBytes * tile.threads;
  if (!launch.privateBytes)
    return launch;
  launch.privateMemory = pool.allocate(launch.privateBytes);
  uint32_t granule = sizeof(uint64_t);
  while (kernel.privateBytes % granule)
    granule /= 2;
  tile.privateMemory = {reinterpret_cast<uint64_t>(launch.privateMemory),
                        tile.threads,
                        static_cast<uint32_t>(kernel.privateBytes), granule};
  return launch;
}

/// Frames that are to be free when the launch starts: one for each of its
/// threads, and for those that run and may take some before.
uint64_t Aggregator::framesToProvide(const Launch &launch,
                                     uint64_t bytes) const {
  uint64_t count = launch.tile.threads;
  for (const Slot &slot : slots) {
    if (!slot.running)
      continue;
    const auto &bindings = slot.running->batch->kernel->bindings;
    bool takes = std::any_of(bindings.begin(), bindings.end(),
                             [&](const DeviceKernel::Binding &binding) {
                               return binding.kind == Parameter::Kind::frames &&
                                      binding.number == bytes;
                             });
    count += takes ? slot.running->tile.threads : 0;
  }
  return count;
}

/// Channels and free lists get what the threads may need.
void Aggregator::makeRoom(Launch &launch) {
  using Kind = Parameter::Kind;
  uint64_t threads = launch.tile.threads;
  for (const DeviceKernel::Binding &binding : launch.batch->kernel->bindings) {
    if (binding.kind == Kind::frames)
      framesOf(binding.number).provide(framesToProvide(launch, binding.number));
    if (binding.kind != Kind::control && binding.kind != Kind::column)
      continue;
    Channel &bound = channel(at(launch.level->depth + binding.level),
                             launch.core, *binding.stack);
    // Each thread has at most one continuation.  Children may be many, so two
    // for each at first, and more when threads yield.
    uint64_t wanted =
        binding.level == 0
            ? threads
            : std::min<uint64_t>(2 * threads, parameters.channelWidth);
    if (binding.level == 0 || bound.capacity() < wanted)
      bound.makeRoom(wanted, parameters.channelWidth);
  }
}

/// Channels have room: addresses are final until the threads have stopped.
void Aggregator::bind(Launch &launch) {
  using Kind = Parameter::Kind;
  Tile &tile = launch.tile;
  const Elements &elements = launch.batch->elements;
  auto channelOf = [&](const DeviceKernel::Binding &binding) -> Channel & {
    return channel(at(launch.level->depth + binding.level), launch.core,
                   *binding.stack);
  };
  tile.parameters.clear();
  for (const DeviceKernel::Binding &binding : launch.batch->kernel->bindings) {
    uint64_t word = 0;
    switch (binding.kind) {
    case Kind::field:
      word = elements.column(binding.number) +
             launch.first * elements.channel->fields[binding.number].size;
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
      word = reinterpret_cast<uint64_t>(&launch);
      break;
    case Kind::isPrivate:
      word = reinterpret_cast<uint64_t>(launch.privateMemory);
      break;
    case Kind::argument:
      throw std::runtime_error("kernel '" + tile.kernel->kernel().name +
                               "' takes an argument of a launch by hand");
    }
    tile.parameters.push_back(word);
  }
}

//===----------------------------------------------------------------------===//
// A tile has stopped
//===----------------------------------------------------------------------===//

void Aggregator::takeUp(Slot &slot) {
  if (slots.size() > 1 && !slot.isFlushing) {
    slot.isFlushing = true;
    slot.core->flush();
    return;
  }
  slot.isFlushing = false;
  Launch &launch = *std::exchange(slot.running, nullptr);
  Level &level = *launch.level;
  if (launch.tile.yielded.empty())
    finish(launch);
  else
    afterYield(launch);
  note(level);
  note(at(level.depth + 1));
  deepest = std::max(deepest, level.depth + 1);
}

/// A channel that may be longer becomes so, and the tile goes on at once, as it
/// does if it lacked frames only.
void Aggregator::afterYield(Launch &launch) {
  ++counters.yields;
  launch.tile.starting = std::exchange(launch.tile.yielded, {});
  for (auto &below : at(launch.level->depth + 1).channels[launch.core]) {
    if (!below || !below->isFull() || !below->waiting())
      continue;
    if (below->capacity() < parameters.channelWidth)
      below->makeRoom(1, parameters.channelWidth);
    else
      launch.waitsForRoom = true;
  }
  if (launch.waitsForRoom)
    ++counters.resumed;
  else
    ready.push_back(&launch);
}

void Aggregator::finish(Launch &launch) {
  if (launch.privateBytes)
    pool.release(launch.privateMemory, launch.privateBytes);
  std::erase(slots[launch.core].begun, &launch);
  Level &level = *launch.level;
  auto batch = launch.batch;
  batch->ended += launch.tile.threads;
  level.launches.remove_if(
      [&](const Launch &other) { return &other == &launch; });
  if (batch->ended != batch->elements.count)
    return;
  if (batch->elements.pooled)
    pool.release(batch->elements.data, batch->elements.bytes());
  level.batches.erase(batch);
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

Level &Aggregator::at(size_t depth) {
  while (levels.size() <= depth)
    levels.emplace_back(levels.size(), static_cast<uint32_t>(slots.size()));
  counters.levels = std::max<uint64_t>(counters.levels, depth + 1);
  return levels[depth];
}

/// What the level has may have changed.
void Aggregator::note(Level &level) {
  if (level.hasPreSync())
    preSync.insert(level.depth);
  else
    preSync.erase(level.depth);
}

FrameList &Aggregator::framesOf(uint64_t bytes) {
  return frames.try_emplace(bytes, bytes, pool).first->second;
}

ControlWords *Aggregator::resolve(Launch &launch, void (*function)(void),
                                  uint64_t signature, ControlWords *otherwise) {
  const chan_channel *found = chan_resolve_device(function, signature, nullptr);
  if (!found)
    return otherwise;
  Channel &result =
      channel(at(launch.level->depth + 1), launch.core, program.stackOf(found));
  if (!result.capacity())
    result.makeRoom(std::min<uint64_t>(2 * uint64_t(launch.tile.threads),
                                       parameters.channelWidth),
                    parameters.channelWidth);
  return result.control();
}

} // namespace chansim
