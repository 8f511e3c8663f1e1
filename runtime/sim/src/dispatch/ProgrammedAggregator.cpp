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
      statistics(statistics), firmware(firmware), schedulerName(name) {
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
  add("channel_bytes", "bytes", "address space of channels at most",
      counters.channelBytes);
  add("gpu_blocked_cycles", "cycles",
      "core cycles in which no core had a wavefront", counters.idleCycles);
}

ProgrammedAggregator::~ProgrammedAggregator() = default;

void ProgrammedAggregator::record(Trace &into) {
  trace = &into;
  track = into.addTrack("aggregator");
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
  waves.clear();
  byTile.clear();
  ended.clear();
  dispatched.clear();
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
  lastChange = lastCheck = engine.coreCycle();
  engine.run([&] {
    checkThatItMoves();
    return !scheduler->isRunning();
  });
  isRunning = false;
  countIdle();
  checkThatAllIsDone();
  counters.channelBytes =
      std::max(counters.channelBytes, channels->memory().bytes());
}

/// The engine's watchdog does not see that all are stuck while the scheduler polls.
void ProgrammedAggregator::checkThatItMoves() {
  uint64_t cycle = engine.coreCycle();
  if (cycle - lastCheck < machine.watchdogCycles)
    return;
  lastCheck = cycle;
  uint64_t issued = statistics.value("simt.instructions");
  bool hasMoved =
      issued != lastIssued || cycle - lastChange < machine.watchdogCycles;
  lastIssued = issued;
  if (hasMoved || processor.host.isBusy(cycle) || !scheduler->isPolling())
    return;
  std::string waiting = engine.explain();
  throw Stalled("in " + std::to_string(machine.watchdogCycles) +
                " core cycles up to cycle " + std::to_string(cycle) +
                ", the scheduler " + schedulerName +
                " has dispatched nothing, and no wavefront has executed an "
                "instruction\n" +
                waiting);
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
  if (!running)
    counters.idleCycles += engine.coreCycle() - idleSince;
}

void ProgrammedAggregator::checkThatAllIsDone() {
  std::string lost;
  const chan_machine &root = channels->root();
  for (uint64_t level = 0; level != root.level_count; ++level)
    for (uint64_t i = 0; i != root.stack_count; ++i)
      if (const chan_array *array = root.levels[level]->channels[i])
        if (uint64_t count = channels->unfinished(*array))
          lost += "\n  " + channels->nameOf(array) + ": " +
                  std::to_string(count) + " elements, of which " +
                  std::to_string(channels->ready(*array)) +
                  " were never dispatched";
  for (auto &[memory, wave] : waves)
    if (wave->state != Wave::State::free)
      lost += "\n  a wavefront of kernel '" +
              wave->kernel->code->header().name + "' at level " +
              std::to_string(wave->level) +
              (wave->state == Wave::State::yielded ? ", which has yielded"
                                                   : ", which runs");
  if (!lost.empty())
    refuse("has returned, and there is work left:" + lost);
}

void ProgrammedAggregator::explain(std::string &text) const {
  if (!isRunning)
    return;
  const chan_machine &root = channels->root();
  for (uint64_t level = 0; level != root.level_count; ++level)
    for (uint64_t i = 0; i != root.stack_count; ++i)
      if (const chan_array *array = root.levels[level]->channels[i])
        if (uint64_t count = channels->ready(*array))
          text += "  " + channels->nameOf(array) + ": " +
                  std::to_string(count) + " elements wait to be dispatched\n";
  for (auto &[memory, wave] : waves) {
    if (wave->state != Wave::State::yielded)
      continue;
    std::string waitsFor = channels->nameOf(memory->waits_for);
    text +=
        "  a wavefront of kernel '" + wave->kernel->code->header().name +
        "' at level " + std::to_string(wave->level) + ", of core " +
        std::to_string(wave->core) + ", has yielded" +
        (waitsFor.empty() ? "\n" : " and waits for room: " + waitsFor + "\n");
  }
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
      if (!--running)
        idleSince = lastChange;
      if (tile->hasYielded) {
        wave.state = Wave::State::yielded;
        ++counters.yields;
        channels->enqueueRestart(wave.memory);
        continue;
      }
      wave.state = Wave::State::free;
      if (wave.privateBytes)
        pool.release(wave.privateMemory, wave.privateBytes);
      if (wave.groupBytes)
        pool.release(wave.groupMemory, wave.groupBytes);
      byTile.erase(tile);
      wave.tile = nullptr;
      ended.push_back(wave.memory);
    }
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
    if (waveOf(value, "frees").state != Wave::State::free)
      refuse("frees the memory of a wavefront that has not ended");
    return;
  default:
    refuse("writes " + std::to_string(bytes) +
           " bytes to the dispatcher's register " + std::to_string(number) +
           ", which cannot be written");
  }
}

chan_wave *ProgrammedAggregator::makeWave() {
  auto *memory =
      static_cast<chan_wave *>(channels->memory().allocate(waveBytes));
  noteRegions();
  waves.emplace(memory, std::make_unique<Wave>(Wave{memory}));
  counters.waves = std::max<uint64_t>(counters.waves, waves.size());
  return memory;
}

ProgrammedAggregator::Wave &ProgrammedAggregator::waveOf(uint64_t address,
                                                         const char *what) {
  auto found = waves.find(reinterpret_cast<const chan_wave *>(address));
  if (found == waves.end())
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
  if (!root.stacks[packet.stack].is_range)
    noteDispatched(*array, packet, channels->nameOf(array));
  wave.core = static_cast<uint32_t>(wave.memory->core);
  wave.level = packet.level;
  makeTile(wave, packet, *stack.consumer);
  bind(wave, packet, *array);
  ++counters.dispatches;
  counters.partial += packet.count != root.lanes;
  counters.continuations += stack.channel->kind == CHAN_CONTINUATION;
  counters.elements += packet.count;
  counters.levels = std::max(counters.levels, packet.level + 1);
  start(wave, "");
}

void ProgrammedAggregator::resume(Wave &wave) {
  if (wave.state != Wave::State::yielded)
    refuse("resumes a wavefront that has not yielded");
  if (wave.memory->core != wave.core)
    refuse("resumes a wavefront on core " + std::to_string(wave.memory->core) +
           ", and its core is " + std::to_string(wave.core));
  start(wave, "resume ");
}

void ProgrammedAggregator::start(Wave &wave, const char *what) {
  Core &core = processor.core(wave.core);
  if (!core.canStart())
    refuse("dispatches to core " + std::to_string(wave.core) +
           ", whose contexts all have wavefronts");
  countIdle();
  ++running;
  wave.state = Wave::State::running;
  uint64_t cycle = lastChange = engine.coreCycle();
  if (trace)
    trace->span(track, what + wave.kernel->code->header().name, cycle,
                cycle + 1,
                {{"threads", wave.tile->threads},
                 {"level", wave.level},
                 {"core", wave.core}});
  core.start(*wave.tile);
}

/// Each offset of a control array is dispatched once.
void ProgrammedAggregator::noteDispatched(const chan_array &array,
                                          const chan_packet &packet,
                                          const std::string &channel) {
  if (packet.first + packet.count > array.control_tail)
    refuse("dispatches elements " + std::to_string(packet.first) + " to " +
           std::to_string(packet.first + packet.count - 1) + " of " + channel +
           ", of which " + std::to_string(array.control_tail) +
           " are ready so far");
  std::vector<uint32_t> &laps = dispatched[&array];
  laps.resize(array.control_mask + 1);
  for (uint64_t position = packet.first;
       position != packet.first + packet.count; ++position) {
    uint32_t &lap = laps[position & array.control_mask];
    auto wanted =
        static_cast<uint32_t>(position >> (array.width_shift + 1)) + 1;
    if (lap == wanted)
      refuse("dispatches element " + std::to_string(position) + " of " +
             channel + " twice");
    lap = wanted;
  }
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
      word = reinterpret_cast<uint64_t>(&channels->partOf(
          wave.level + binding.level, *binding.stack, wave.core));
      break;
    case Kind::frames:
      word = reinterpret_cast<uint64_t>(
          &channels->frames(wave.level, binding.number));
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
  const Wave &wave = *static_cast<Wave *>(launch);
  chan_array &array =
      channels->partOf(wave.level + 1, program.stackOf(found), wave.core);
  noteRegions();
  return &array;
}

} // namespace chansim
