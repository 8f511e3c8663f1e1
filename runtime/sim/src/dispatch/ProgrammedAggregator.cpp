//===- ProgrammedAggregator.cpp - A program dispatches wavefronts ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/ProgrammedAggregator.h"
#include "aggregator/Firmware.h"
#include "results/Statistics.h"
#include "simt/Code.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace chansim {

ProgrammedAggregator::ProgrammedAggregator(const Machine &machine,
                                           Engine &engine, Processor &processor,
                                           Program &program,
                                           std::span<const std::byte> firmware,
                                           const std::string &name,
                                           Statistics &statistics)
    : machine(machine), engine(engine), processor(processor), program(program),
      statistics(statistics), firmware(firmware), schedulerName(name),
      yieldWaits(machine.simt.lanes, statistics) {
  scheduler = std::make_unique<aggregator::AggregatorCore>(
      machine, engine, processor.shared->schedulerData,
      processor.shared->schedulerInstructions,
      static_cast<aggregator::Device &>(*this), statistics);
  engine.add(*this, engine.coreClock());
  for (uint32_t core = 0; core != processor.coreCount(); ++core)
    processor.core(core).setClient(*this);
  auto add = [&](const char *name, const char *unit, const char *description,
                 const uint64_t &counter) {
    statistics.add(std::string("aggregator.") + name, unit, description,
                   counter);
  };
  add("dispatches", "wavefronts", "wavefronts that were started",
      counters.dispatches);
  add("partial", "wavefronts", "of those, how many had idle lanes",
      counters.partial);
  add("continuations", "wavefronts", "of those, how many of continuations",
      counters.continuations);
  add("elements", "threads", "threads of these wavefronts", counters.elements);
  add("wavefront_yields", "wavefronts",
      "runs of a wavefront that ended with threads that yielded",
      counters.yields);
  add("levels", "levels", "depth of the spawn tree at most", counters.levels);
  add("wavefront_memories", "wavefronts",
      "wavefronts at once, also of those that had yielded", counters.waves);
  add("wavefront_bytes", "bytes", "memory of these, for their contexts",
      counters.waveBytes);
  add("private_bytes", "bytes",
      "private memory of threads and memory of work-groups at once",
      counters.privateBytes);
  add("channel_bytes", "bytes", "address space of channels at most",
      counters.channelBytes);
  add("most_elements", "elements",
      "elements of one channel at once, when wavefronts begin, yield or end",
      checks.mostElements());
  add("gpu_blocked_cycles", "cycles",
      "core cycles in which no core had a wavefront", counters.idleCycles);
}

ProgrammedAggregator::~ProgrammedAggregator() = default;

void ProgrammedAggregator::record(Trace &into) {
  trace = &into;
  decisions = std::make_unique<TraceLanes>(into, "aggregator");
  blocked = into.addTrack("aggregator: no wavefront on any core");
}

/// While a wavefront runs, its memory has nothing for which it waits.
std::string ProgrammedAggregator::waitOf(uint64_t contextBase,
                                         bool isBack) const {
  const chan_wave *memory =
      reinterpret_cast<const chan_wave *>(contextBase) - 1;
  return channels->nameOf(isBack ? waves.at(memory)->waited
                                 : memory->waits_for);
}

void ProgrammedAggregator::refuse(const std::string &what) const {
  throw std::runtime_error("the scheduler " + schedulerName + " " + what);
}

/// Of the kernel with the most registers.
uint64_t ProgrammedAggregator::contextBytes() const {
  uint64_t most = 0;
  for (const DeviceKernel &kernel : program.deviceKernels())
    most = std::max(
        most,
        simt::contextBytes(
            static_cast<const simt::Code &>(*kernel.code).kernel(), machine));
  return most;
}

//===----------------------------------------------------------------------===//
// A run
//===----------------------------------------------------------------------===//

void ProgrammedAggregator::run(chan_block *block) {
  assert(!isRunning && "one tree at a time");
  if (channels)
    for (const AddressSpace::Piece &piece : channels->memory().pieces())
      scheduler->removeRegion(reinterpret_cast<uint64_t>(piece.base));
  regions = 0;
  channels = std::make_unique<ArrayChannels>(machine, program);
  checks.clear();
  continuations.clear();
  privateBytes = 0;
  waves.clear();
  freeWaves.clear();
  usedWaves = 0;
  byTile.clear();
  ended.clear();
  yieldWaits.clear();
  constexpr uint64_t line = CHAN_ARRAY_LINE;
  waveBytes = sizeof(chan_wave) + (contextBytes() + line - 1) / line * line;
  chan_array &first =
      channels->partOf(0, program.stackOf(block->channel), /*core=*/0);
  channels->enqueue(first, *block->channel, *block);
  scheduler->load(
      aggregator::Firmware::load(firmware, "scheduler " + schedulerName));
  noteRegions();
  isRunning = true;
  running = 0;
  idleSince = engine.coreCycle();
  scheduler->start({{reinterpret_cast<uint64_t>(&channels->root())}});
  lastChange = lastProgress = lastCheck = engine.coreCycle();
  engine.run([&] {
    checkThatItMoves();
    return !scheduler->isRunning();
  });
  isRunning = false;
  countIdle();
  checkMemory();
  checkThatAllIsDone();
}

/// The scheduler may use all memory of channels.
void ProgrammedAggregator::noteRegions() {
  const std::vector<AddressSpace::Piece> &pieces = channels->memory().pieces();
  for (; regions != pieces.size(); ++regions)
    scheduler->addRegion({reinterpret_cast<uint64_t>(pieces[regions].base),
                          pieces[regions].bytes, /*writable=*/true,
                          "channels"});
}

/// The cycles since the last wavefront ended.
void ProgrammedAggregator::countIdle() {
  if (running)
    return;
  uint64_t cycle = engine.coreCycle();
  counters.idleCycles += cycle - idleSince;
  if (!trace || cycle == idleSince)
    return;
  auto yielded = std::ranges::count_if(waves, [](const auto &entry) {
    return entry.second->state == Wave::State::yielded;
  });
  trace->span(blocked, "blocked on the aggregator", idleSince, cycle,
              {{"wavefronts that have yielded", uint64_t(yielded)}});
}

/// Cores wake it when wavefronts have ended.
Activity ProgrammedAggregator::tick() {
  if (isRunning)
    takeUp();
  return Activity::asleep;
}

void ProgrammedAggregator::takeUp() {
  for (uint32_t core = 0; core != processor.coreCount(); ++core)
    for (Tile *tile : processor.core(core).takeFinished()) {
      Wave &wave = *byTile.at(tile);
      lastChange = engine.coreCycle();
      yieldWaits.count(lastChange);
      passes = 0;
      if (!--running)
        idleSince = lastChange;
      checkWavefront(wave);
      if (tile->hasYielded) {
        wave.state = Wave::State::yielded;
        continuations.noteYielded(wave.level);
        ++counters.yields;
        checkThatItFits(wave);
        noteWait(wave);
        yieldWaits.add(wave.waited);
        channels->enqueueRestart(wave.memory);
        continue;
      }
      lastProgress = lastChange;
      wave.state = Wave::State::free;
      continuations.noteEnded(wave.level);
      privateBytes -= wave.privateBytes + wave.groupBytes;
      if (wave.privateBytes)
        pool.release(wave.privateMemory, wave.privateBytes);
      if (wave.groupBytes)
        pool.release(wave.groupMemory, wave.groupBytes);
      byTile.erase(tile);
      wave.tile = nullptr;
      ended.push_back(wave.memory);
    }
}

/// What a wavefront waits for now, and whether it has got what it waited for before.
void ProgrammedAggregator::noteWait(Wave &wave) {
  const chan_array *array = wave.memory->waits_for;
  bool isChannel = std::ranges::find(wave.arrays, array) != wave.arrays.end();
  if (!isChannel || array != wave.waited || array->tail != wave.waitedAt)
    lastProgress = lastChange;
  wave.waited = isChannel ? array : nullptr;
  wave.waitedAt = isChannel ? array->tail : 0;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

bool ProgrammedAggregator::owns(uint64_t address) const {
  return address - CHAN_DEVICE < CHAN_DEVICE_BYTES;
}

uint64_t ProgrammedAggregator::read(uint64_t address, unsigned bytes) {
  uint64_t number = address - CHAN_DEVICE;
  if (bytes != 8 ||
      (number != CHAN_DEVICE_FINISHED && number != CHAN_DEVICE_WAVE))
    refuse("reads " + std::to_string(bytes) +
           " bytes of the dispatcher's register " + std::to_string(number) +
           ", which cannot be read");
  if (number == CHAN_DEVICE_WAVE)
    return reinterpret_cast<uint64_t>(makeWave());
  ++passes;
  if (ended.empty())
    return 0;
  chan_wave *first = ended.front();
  ended.pop_front();
  return reinterpret_cast<uint64_t>(first);
}

void ProgrammedAggregator::write(uint64_t address, uint64_t value,
                                 unsigned bytes) {
  uint64_t number = address - CHAN_DEVICE;
  switch (bytes == 8 ? number : CHAN_DEVICE_BYTES) {
  case CHAN_DEVICE_DISPATCH: {
    const chan_machine &root = channels->root();
    const auto *packet = reinterpret_cast<const chan_packet *>(value);
    uint64_t index = packet - root.packets;
    if (value % alignof(chan_packet) || index >= root.packet_count ||
        packet != root.packets + index)
      refuse("dispatches a packet that is not in chan_machine::packets");
    return dispatch(*packet);
  }
  case CHAN_DEVICE_FREE:
    return freeWave(waveOf(value, "frees"));
  default:
    refuse("writes " + std::to_string(bytes) +
           " bytes to the dispatcher's register " + std::to_string(number) +
           ", which cannot be written");
  }
}

/// Memory that was given back comes first.
chan_wave *ProgrammedAggregator::makeWave() {
  ++usedWaves;
  counters.waves = std::max(counters.waves, usedWaves);
  if (!freeWaves.empty()) {
    chan_wave *memory = freeWaves.back();
    freeWaves.pop_back();
    waves.at(memory)->isGivenBack = false;
    std::memset(static_cast<void *>(memory), 0, sizeof *memory);
    return memory;
  }
  checkMemory();
  auto *memory =
      static_cast<chan_wave *>(channels->memory().allocate(waveBytes));
  noteRegions();
  waves.emplace(memory, std::make_unique<Wave>(Wave{memory}));
  counters.waveBytes = std::max(counters.waveBytes, waves.size() * waveBytes);
  return memory;
}

void ProgrammedAggregator::freeWave(Wave &wave) {
  if (wave.state != Wave::State::free)
    refuse("frees the memory of a wavefront that has not ended");
  wave.isGivenBack = true;
  --usedWaves;
  freeWaves.push_back(wave.memory);
}

ProgrammedAggregator::Wave &ProgrammedAggregator::waveOf(uint64_t address,
                                                         const char *what) {
  auto found = waves.find(reinterpret_cast<const chan_wave *>(address));
  if (found == waves.end() || found->second->isGivenBack)
    refuse(std::string(what) +
           " a wavefront without memory of chan_new_wave()");
  return *found->second;
}

//===----------------------------------------------------------------------===//
// A wavefront begins, or goes on
//===----------------------------------------------------------------------===//

void ProgrammedAggregator::dispatch(const chan_packet &packet) {
  takeUp();
  Wave &wave = waveOf(reinterpret_cast<uint64_t>(packet.wave), "dispatches");
  if (packet.is_restart)
    return resume(wave);
  if (wave.state != Wave::State::free)
    refuse("dispatches a wavefront in memory that another one has");
  const chan_machine &root = channels->root();
  chan_array *array =
      packet.level < root.level_count && packet.stack < root.stack_count
          ? root.levels[packet.level]->channels[packet.stack]
          : nullptr;
  if (!array)
    refuse("dispatches from channel " + std::to_string(packet.stack) +
           " of level " + std::to_string(packet.level) + ", and there is none");
  if (packet.leaf) {
    if (packet.leaf > root.leaf_count)
      refuse("dispatches from leaf " + std::to_string(packet.leaf - 1) +
             " of " + channels->nameOf(array) + ", which has " +
             std::to_string(root.leaf_count));
    array = array->leaves[packet.leaf - 1];
  }
  if (wave.memory->core >= root.cores)
    refuse("dispatches to core " + std::to_string(wave.memory->core) + " of " +
           std::to_string(root.cores));
  if (!packet.count || packet.count > root.lanes)
    refuse("dispatches " + std::to_string(packet.count) +
           " threads, and a wavefront has 1 to " + std::to_string(root.lanes));
  Stack &stack = channels->stack(packet.stack);
  continuations.look(*channels);
  if (root.stacks[packet.stack].is_range)
    checks.noteRange(*array);
  else if (std::string problem =
               checks.noteDispatched(*array, packet.first, packet.count);
           !problem.empty())
    refuse("dispatches from " + channels->nameOf(array) + " " + problem);
  checkChannel(*array);
  if (stack.channel->kind == CHAN_CONTINUATION)
    checkContinuations(packet, *array);
  wave.core = static_cast<uint32_t>(wave.memory->core);
  wave.level = packet.level;
  makeTile(wave, packet, *stack.consumer);
  bind(wave, packet, *array);
  ++counters.dispatches;
  counters.partial += packet.count != root.lanes;
  counters.continuations += stack.channel->kind == CHAN_CONTINUATION;
  counters.elements += packet.count;
  counters.levels = std::max(counters.levels, packet.level + 1);
  lastProgress = engine.coreCycle();
  wave.waited = nullptr;
  start(wave, "");
}

void ProgrammedAggregator::resume(Wave &wave) {
  if (wave.state != Wave::State::yielded)
    refuse("resumes a wavefront that has not yielded");
  if (wave.memory->core != wave.core)
    refuse("resumes a wavefront on core " + std::to_string(wave.memory->core) +
           ", and its core is " + std::to_string(wave.core));
  yieldWaits.count(engine.coreCycle());
  yieldWaits.remove(wave.waited);
  wave.resumedFor = wave.waited;
  if (wave.waited) {
    checkChannel(*wave.waited);
    wave.resumedAt = wave.waited->tail;
    wave.resumedWhenEmpty = wave.waited->head == wave.waited->tail;
  }
  continuations.look(*channels);
  continuations.noteResumed(wave.level);
  start(wave, "resume ");
}

void ProgrammedAggregator::start(Wave &wave, const char *what) {
  Core &core = processor.core(wave.core);
  if (!core.canStart())
    refuse("dispatches to core " + std::to_string(wave.core) +
           ", whose contexts all have wavefronts");
  wave.memory->waits_for = nullptr;
  countIdle();
  ++running;
  continuations.noteStarted(wave.level);
  wave.state = Wave::State::running;
  passes = 0;
  uint64_t cycle = lastChange = wave.startedAt = engine.coreCycle();
  yieldWaits.count(cycle);
  if (trace)
    traceStart(wave, what);
  core.start(*wave.tile);
}

void ProgrammedAggregator::traceStart(const Wave &wave,
                                      const char *what) const {
  uint64_t cycle = engine.coreCycle();
  std::string source = channels->nameOf(wave.source);
  std::string waited = channels->nameOf(wave.waited);
  decisions->span(what + wave.kernel->code->header().name, cycle, cycle + 1,
                  {{"threads", wave.tile->threads},
                   {"level", wave.level},
                   {"core", wave.core},
                   {"from", 0, source},
                   {"waited for", 0, waited.empty() ? "nothing" : waited}});
}

void ProgrammedAggregator::makeTile(Wave &wave, const chan_packet &packet,
                                    DeviceKernel &kernel) {
  wave.kernel = &kernel;
  wave.tile = processor.core(wave.core).makeTile();
  byTile.emplace(wave.tile.get(), &wave);
  Tile &tile = *wave.tile;
  const KernelHeader &header = kernel.code->header();
  tile.kernel = kernel.code.get();
  tile.threads = static_cast<uint32_t>(packet.count);
  tile.contextBase = reinterpret_cast<uint64_t>(wave.memory + 1);
  tile.contextRoom = waveBytes - sizeof(chan_wave);
  tile.restarts = channels->root().restarts;
  if (header.launch == LaunchKind::range)
    tile.first = packet.first;
  wave.groupBytes =
      header.groupThreads
          ? header.groupBytes * (packet.count / header.groupThreads)
          : 0;
  if (wave.groupBytes)
    wave.groupMemory = pool.allocate(wave.groupBytes);
  tile.groupMemory = reinterpret_cast<uint64_t>(wave.groupMemory);
  tile.groupBytes = wave.groupBytes;
  wave.privateBytes = header.privateBytes * packet.count;
  privateBytes += wave.privateBytes + wave.groupBytes;
  counters.privateBytes = std::max(counters.privateBytes, privateBytes);
  if (!wave.privateBytes)
    return;
  wave.privateMemory = pool.allocate(wave.privateBytes);
  uint32_t granule = sizeof(uint64_t);
  while (header.privateBytes % granule)
    granule /= 2;
  tile.privateMemory = {reinterpret_cast<uint64_t>(wave.privateMemory),
                        tile.threads,
                        static_cast<uint32_t>(header.privateBytes), granule};
}

void ProgrammedAggregator::bind(Wave &wave, const chan_packet &packet,
                                chan_array &array) {
  using Kind = Parameter::Kind;
  Tile &tile = *wave.tile;
  const KernelHeader &header = tile.kernel->header();
  const bool isRange = header.launch == LaunchKind::range;
  const chan_channel &type = *channels->stack(packet.stack).channel;
  auto column = [&](uint64_t field) {
    uint64_t base = reinterpret_cast<uint64_t>(array.columns[field]);
    bool areStructures = machine.channel.layout == ChannelLayout::structures;
    return isRange ? base + packet.element * (areStructures
                                                  ? array.stride
                                                  : type.fields[field].size)
                   : base;
  };
  channels->depth(wave.level + 1);
  tile.parameters.clear();
  wave.arrays = {&array};
  wave.source = &array;
  auto use = [&](const chan_array &used) {
    wave.arrays.push_back(&used);
    return reinterpret_cast<uint64_t>(&used);
  };
  for (const DeviceKernel::Binding &binding : wave.kernel->bindings) {
    uint64_t word = 0;
    switch (binding.kind) {
    case Kind::field:
      word = column(binding.number);
      break;
    case Kind::column:
      word = reinterpret_cast<uint64_t>(
          channels
              ->partOf(wave.level + binding.level, *binding.stack, wave.core)
              .columns[binding.number]);
      break;
    case Kind::control:
      word = use(channels->partOf(wave.level + binding.level, *binding.stack,
                                  wave.core));
      break;
    case Kind::frames:
      word = use(channels->frames(wave.level, binding.number));
      break;
    case Kind::level:
      word = reinterpret_cast<uint64_t>(&wave);
      break;
    case Kind::isPrivate:
      word = reinterpret_cast<uint64_t>(wave.privateMemory) -
             tile.first * header.privateBytes;
      break;
    case Kind::group:
      word = reinterpret_cast<uint64_t>(wave.groupMemory) -
             tile.first / header.groupThreads * header.groupBytes;
      break;
    case Kind::capture:
      std::memcpy(
          &word, reinterpret_cast<void *>(column(binding.number)),
          std::min<size_t>(type.fields[binding.number].size, sizeof word));
      break;
    case Kind::batch: {
      const uint64_t words[] = {reinterpret_cast<uint64_t>(array.control),
                                packet.first, array.control_mask,
                                reinterpret_cast<uint64_t>(&array),
                                reinterpret_cast<uint64_t>(wave.memory)};
      if (binding.number >= std::size(words))
        throw std::runtime_error("kernel '" + header.name + "' takes word " +
                                 std::to_string(binding.number) +
                                 " of a batch, which has 5");
      word = words[binding.number];
      break;
    }
    case Kind::computed:
    case Kind::argument:
      throw std::runtime_error("kernel '" + header.name +
                               "' takes an argument of a launch by hand");
    }
    tile.parameters.push_back(word);
  }
  noteRegions();
}

void *ProgrammedAggregator::resolve(void *launch, void (*function)(void),
                                    uint64_t signature, void *otherwise) {
  const chan_channel *found = chan_resolve_device(function, signature, nullptr);
  if (!found)
    return otherwise;
  Wave &wave = *static_cast<Wave *>(launch);
  chan_array &array =
      channels->partOf(wave.level + 1, program.stackOf(found), wave.core);
  if (std::ranges::find(wave.arrays, &array) == wave.arrays.end())
    wave.arrays.push_back(&array);
  noteRegions();
  return &array;
}

} // namespace chansim
