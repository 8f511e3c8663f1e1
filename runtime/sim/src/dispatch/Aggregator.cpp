//===- Aggregator.cpp - Hands batches of elements to the cores ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/Aggregator.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace chansim {

Aggregator::Aggregator(const Machine &machine, Engine &engine,
                       Processor &processor, Program &program,
                       Statistics &statistics)
    : engine(engine), program(program), parameters(machine.aggregator) {
  engine.add(*this, engine.coreClock());
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
              " a tile of kernel '" +
              slot.running->tile->kernel->header().name + "' at level " +
              std::to_string(slot.running->level->depth) + "\n";
}

void Aggregator::run(chan_block *block) {
  assert(isDone && "one tree at a time");
  Level &root = at(0);
  Elements element;
  element.channel = block->channel;
  element.data = chan_block_data(block);
  element.count = 1;
  element.capacity = block->capacity;
  root.batches.push_back({element, program.stackOf(block->channel).consumer,
                          /*together=*/1, /*threads=*/1});
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
  const DeviceKernel &kernel =
      launch ? *launch->kernel : *level.batches.back().kernel;
  auto computed = std::count_if(
      kernel.bindings.begin(), kernel.bindings.end(), [](const auto &binding) {
        return binding.kind == Parameter::Kind::computed;
      });
  uint32_t cycles =
      (launch ? parameters.resumeCycles : parameters.dispatchCycles) +
      static_cast<uint32_t>(computed) * parameters.operationCycles;
  counters.waited += cycles;
  Tick due = engine.now() + cycles * engine.coreClock().period();
  return {&level, launch, core, engine.coreCycle(), due};
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
  // Empty ranges may have been all that a level had.
  for (size_t before = levels.size(); before != deepest;) {
    findDeepest();
    before = deepest;
    if (std::optional<Action> found = choosePreSync(levels[deepest]))
      return found;
    findDeepest();
  }
  if (std::optional<Action> found = chooseContinuation(levels[deepest]))
    return found;
  for (auto it = preSync.upper_bound(deepest); it != preSync.end();) {
    size_t depth = *it;
    if (std::optional<Action> found = choosePreSync(levels[depth]))
      return found;
    it = preSync.upper_bound(depth);
  }
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
  while (Channel *longest = level.longest(
             CHAN_ENTRY, [&](uint32_t core) { return mayTake(level, core); }))
    if (std::optional<Action> taken = take(level, *longest))
      return taken;
  return std::nullopt;
}

std::optional<Aggregator::Action> Aggregator::chooseContinuation(Level &level) {
  if (Channel *longest = level.longest(CHAN_CONTINUATION, [&](uint32_t core) {
        return mayTake(level, core);
      }))
    return take(level, *longest);
  return std::nullopt;
}

/// Nothing if the elements are empty ranges.
std::optional<Aggregator::Action> Aggregator::take(Level &level,
                                                   Channel &channel) {
  uint64_t together = level.waiting(channel.kind());
  Elements elements = channel.take();
  ElementBatch batch{elements, program.stackOf(elements.channel).consumer,
                     together, /*threads=*/elements.count};
  if (batch.hasRanges()) {
    batch.threads = 0;
    for (uint64_t element = 0; element != elements.count; ++element)
      batch.threads += batch.iterations(element);
  }
  ++counters.batches;
  counters.elements += elements.count;
  if (!batch.threads) {
    if (elements.pooled)
      pool.release(elements.data, elements.bytes());
    note(level);
    return std::nullopt;
  }
  level.batches.push_back(batch);
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
                    launch.tile->kernel->header().name,
                done.beginCycle, engine.coreCycle(),
                {{"threads", launch.tile->threads},
                 {"level", launch.level->depth},
                 {"core", done.core}});
  makeRoom(launch);
  bind(launch);
  slots[done.core].running = &launch;
  slots[done.core].core->start(*launch.tile);
  at(launch.level->depth + 1);
  note(*launch.level);
}

/// Several cores share out what waits at a level, but into no less than what is
/// worth its reconfigurations.
uint64_t Aggregator::tileThreads(const ElementBatch &batch,
                                 const DeviceKernel &kernel,
                                 uint64_t waiting) const {
  uint64_t most = std::min<uint64_t>(kernel.code->tileThreads(), waiting);
  if (slots.size() == 1)
    return most;
  uint64_t together = std::max(batch.together, batch.threads);
  uint64_t share = (together + slots.size() - 1) / slots.size();
  share = (share + 63) / 64 * 64;
  return std::min(most, std::max<uint64_t>(share, parameters.leastTile));
}

/// A thread for each element.
void Aggregator::cutElements(ElementBatch &batch, Launch &launch) const {
  launch.kernel = batch.kernel;
  launch.first = batch.begun;
  launch.tile->threads = static_cast<uint32_t>(
      tileThreads(batch, *batch.kernel, batch.threads - batch.begun));
}

/// A thread for each iteration, with consecutive IDs: of one range, or of
/// several if each of them would fill less than half a tile and there is a
/// kernel for several. The pieces of a longer range are multiples of 64, but for
/// its last.
void Aggregator::cutRanges(ElementBatch &batch, Launch &launch) const {
  while (batch.offset == batch.iterations(batch.element)) {
    ++batch.element;
    batch.offset = 0;
  }
  Tile &tile = *launch.tile;
  launch.first = batch.element;
  uint64_t rest = batch.iterations(batch.element) - batch.offset;

  DeviceKernel *shared = program.stackOf(batch.elements.channel).rangesConsumer;
  uint64_t most = tileThreads(batch, shared ? *shared : *batch.kernel,
                              batch.threads - batch.begun);
  uint64_t threads = 0, end = batch.element, offset = batch.offset;
  std::vector<uint32_t> firstThreads;
  for (; shared && end != batch.elements.count; ++end, offset = 0) {
    uint64_t count = batch.iterations(end) - offset;
    if (count > most / 2 || threads + count > most)
      break;
    firstThreads.push_back(static_cast<uint32_t>(threads));
    threads += count;
  }
  if (threads > rest) {
    // The kernel adds a thread's ID to this.
    for (uint64_t element = batch.element; element != end; ++element)
      batch.firstIteration(element) +=
          (element == batch.element ? batch.offset : 0) -
          firstThreads[element - batch.element];
    launch.kernel = shared;
    tile.ranges = std::move(firstThreads);
    tile.threads = static_cast<uint32_t>(threads);
    batch.element = end;
    batch.offset = 0;
    return;
  }
  launch.kernel = batch.kernel;
  tile.first = batch.firstIteration(batch.element) + batch.offset;
  tile.threads = static_cast<uint32_t>(tileThreads(batch, *batch.kernel, rest));
  batch.offset += tile.threads;
}

Launch &Aggregator::begin(Level &level, uint32_t core) {
  auto batch = std::prev(level.batches.end());
  Launch &launch =
      level.launches.emplace_back(Launch{&level, batch, /*first=*/0, core});
  launch.tile = slots[core].core->makeTile();
  ++counters.tiles;
  if (batch->hasRanges())
    cutRanges(*batch, launch);
  else
    cutElements(*batch, launch);
  const KernelHeader &kernel = launch.kernel->code->header();
  Tile &tile = *launch.tile;
  tile.kernel = launch.kernel->code.get();
  batch->begun += tile.threads;
  for (const Launch *other : slots[core].begun)
    tile.stateBase = std::max(tile.stateBase, other->stateEnd());
  slots[core].begun.push_back(&launch);
  if (kernel.groupThreads) {
    launch.groupBytes =
        kernel.groupBytes * (tile.threads / kernel.groupThreads);
    if (launch.groupBytes)
      launch.groupMemory = pool.allocate(launch.groupBytes);
    tile.groupMemory = reinterpret_cast<uint64_t>(launch.groupMemory);
    tile.groupBytes = launch.groupBytes;
  }
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
  uint64_t count = launch.tile->threads;
  for (const Slot &slot : slots) {
    if (!slot.running)
      continue;
    const auto &bindings = slot.running->kernel->bindings;
    bool takes = std::any_of(bindings.begin(), bindings.end(),
                             [&](const DeviceKernel::Binding &binding) {
                               return binding.kind == Parameter::Kind::frames &&
                                      binding.number == bytes;
                             });
    count += takes ? slot.running->tile->threads : 0;
  }
  return count;
}

/// Children of a thread may be many, so two for each at first, and more when threads
/// yield.
uint64_t Aggregator::childrenAtFirst(const Launch &launch) const {
  return std::min<uint64_t>(2 * uint64_t(launch.tile->threads),
                            parameters.channelWidth);
}

/// Channels and free lists get what the threads may need.  A channel that they found
/// by the address of a function may have been taken while they had yielded, so it
/// gets room again.
void Aggregator::makeRoom(Launch &launch) {
  using Kind = Parameter::Kind;
  for (Channel *found : launch.resolved)
    if (found->capacity() < childrenAtFirst(launch))
      found->makeRoom(childrenAtFirst(launch), parameters.channelWidth);
  for (const DeviceKernel::Binding &binding : launch.kernel->bindings) {
    if (binding.kind == Kind::frames)
      framesOf(binding.number).provide(framesToProvide(launch, binding.number));
    if (binding.kind != Kind::control && binding.kind != Kind::column)
      continue;
    Channel &bound = channel(at(launch.level->depth + binding.level),
                             launch.core, *binding.stack);
    // Each thread has at most one continuation.
    uint64_t wanted = binding.level == 0 ? uint64_t(launch.tile->threads)
                                         : childrenAtFirst(launch);
    if (binding.level == 0 || bound.capacity() < wanted)
      bound.makeRoom(wanted, parameters.channelWidth);
  }
}

/// Channels have room: addresses are final until the threads have stopped.
void Aggregator::bind(Launch &launch) {
  using Kind = Parameter::Kind;
  Tile &tile = *launch.tile;
  const Elements &elements = launch.batch->elements;
  auto channelOf = [&](const DeviceKernel::Binding &binding) -> Channel & {
    return channel(at(launch.level->depth + binding.level), launch.core,
                   *binding.stack);
  };
  tile.parameters.clear();
  for (const DeviceKernel::Binding &binding : launch.kernel->bindings) {
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
      // A kernel for one range adds the bytes of all iterations before its own.
      word = reinterpret_cast<uint64_t>(launch.privateMemory) -
             tile.first * tile.kernel->header().privateBytes;
      break;
    case Kind::group:
      // The same, of all groups before its own.
      word = reinterpret_cast<uint64_t>(launch.groupMemory) -
             tile.first / tile.kernel->header().groupThreads *
                 tile.kernel->header().groupBytes;
      break;
    case Kind::capture:
      std::memcpy(
          &word,
          reinterpret_cast<void *>(
              elements.column(binding.number) +
              launch.first * elements.channel->fields[binding.number].size),
          std::min<size_t>(elements.channel->fields[binding.number].size,
                           sizeof word));
      break;
    case Kind::computed:
      word = tile.kernel->header().parameters[tile.parameters.size()].compute(
          tile.parameters);
      break;
    case Kind::batch:
      throw std::runtime_error(
          "kernel '" + tile.kernel->header().name +
          "' is for a machine whose channels are in memory (kind 'apu')");
    case Kind::argument:
      throw std::runtime_error("kernel '" + tile.kernel->header().name +
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
  if (launch.tile->hasYielded)
    afterYield(launch);
  else
    finish(launch);
  note(level);
  note(at(level.depth + 1));
  deepest = std::max(deepest, level.depth + 1);
}

/// A channel that may be longer becomes so, and the tile goes on at once, as it
/// does if it lacked frames only.
void Aggregator::afterYield(Launch &launch) {
  ++counters.yields;

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
  if (launch.groupBytes)
    pool.release(launch.groupMemory, launch.groupBytes);
  std::erase(slots[launch.core].begun, &launch);
  Level &level = *launch.level;
  auto batch = launch.batch;
  batch->ended += launch.tile->threads;
  level.launches.remove_if(
      [&](const Launch &other) { return &other == &launch; });
  if (batch->ended != batch->threads)
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

void *Aggregator::resolve(void *word, void (*function)(void),
                          uint64_t signature, void *otherwise) {
  Launch &launch = *static_cast<Launch *>(word);
  const chan_channel *found = chan_resolve_device(function, signature, nullptr);
  if (!found)
    return otherwise;
  Channel &result =
      channel(at(launch.level->depth + 1), launch.core, program.stackOf(found));
  auto &known = launch.resolved;
  if (std::find(known.begin(), known.end(), &result) == known.end())
    known.push_back(&result);
  // What threads fill cannot be moved.
  if (!result.capacity())
    result.makeRoom(childrenAtFirst(launch), parameters.channelWidth);
  return result.control();
}

} // namespace chansim
