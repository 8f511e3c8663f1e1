//===- ProgrammedAggregatorChecks.cpp - What a scheduler must keep --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The promises of machines of kind `apu` about memory and progress, asserted in each run:
//
//   memory     channels never have more elements than their width (ArrayChecks), their
//              address space is what widths and levels say, and so is the number of
//              wavefronts that run or wait
//   progress   a run that does not move ends with a list: which wavefront waits for what
//
//===----------------------------------------------------------------------===//

#include "dispatch/ProgrammedAggregator.h"
#include "results/Statistics.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace chansim {

static std::string text(uint64_t number) { return std::to_string(number); }

static std::string counted(uint64_t number, const std::string &what) {
  return text(number) + " " + what + (number == 1 ? "" : "s");
}

namespace {

/// Lines of a message, each after a new line. A person reads the first few of many, so the
/// rest are only counted.
class Lines {
public:
  void add(const std::string &line) {
    if (count++ < kMost)
      lines += "\n  " + line;
  }
  /// `more` names what the lines are about.
  std::string text(const std::string &more) const {
    return count <= kMost ? lines
                          : lines + "\n  and " + std::to_string(count - kMost) +
                                " more " + more;
  }

private:
  static constexpr size_t kMost = 20;
  std::string lines;
  size_t count = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// A channel from which the scheduler dispatches, or for which a wavefront has waited.
void ProgrammedAggregator::checkChannel(const chan_array &array) {
  for (const chan_array *leaf : channels->leavesOf(array))
    checkChannel(*leaf);
  if (std::string problem = checks.check(array); !problem.empty())
    throw std::runtime_error(channels->nameOf(&array) + " " + problem +
                             ", as the scheduler " + schedulerName +
                             " works on it");
}

void ProgrammedAggregator::checkContinuations(const chan_packet &packet,
                                              const chan_array &part) {
  const chan_array &channel =
      *channels->root().levels[packet.level]->channels[packet.stack];
  std::string deeper = continuations.check(
      *channels, channel, part, packet.level, packet.first, packet.count);
  if (!deeper.empty())
    refuse("starts " + counted(packet.count, "continuation") + " of " +
           channels->nameOf(&part) +
           " before what is deeper in the tree has ended: " + deeper);
}

/// The channels of a wavefront that has left its core.
void ProgrammedAggregator::checkWavefront(const Wave &wave) {
  for (const chan_array *array : wave.arrays)
    if (std::string problem = checks.check(*array); !problem.empty())
      throw std::runtime_error("after a wavefront of kernel '" +
                               wave.kernel->code->header().name +
                               "' at level " + text(wave.level) + ", " +
                               channels->nameOf(array) + " " + problem);
}

/// At a level, children start only while none waits, so they are at most as many as
/// contexts. The rest are of continuations: of those that the channel has, and of those
/// that the threads of these children make.
uint64_t ProgrammedAggregator::mostWaves() const {
  const chan_machine &root = channels->root();
  uint64_t contexts = root.cores * root.contexts;
  return root.level_count *
         (contexts + contexts * root.lanes + machine.channel.width);
}

void ProgrammedAggregator::checkMemory() {
  uint64_t bytes = channels->channelBytes();
  counters.channelBytes = std::max(counters.channelBytes, bytes);
  if (bytes > channels->mostChannelBytes())
    throw std::logic_error("channels have " + text(bytes) + " bytes, and at " +
                           counted(channels->depths(), "level") +
                           " widths allow " +
                           text(channels->mostChannelBytes()));
  uint64_t waves = usedWaves;
  if (waves > mostWaves())
    refuse("holds the memory of " + text(waves) + " wavefronts, and at " +
           counted(channels->depths(), "level") + " at most " +
           text(mostWaves()) +
           " can run or wait; give memory back by chan_free_wave(), or use "
           "that of wavefronts that have ended");
}

//===----------------------------------------------------------------------===//
// Progress
//===----------------------------------------------------------------------===//

/// A wavefront that got no room in an empty channel needs more than the width: nothing
/// was reserved between, as the tail is where it was.
void ProgrammedAggregator::checkThatItFits(const Wave &wave) const {
  const chan_array *array = wave.memory->waits_for;
  if (!array || array != wave.resumedFor || array->tail != wave.resumedAt ||
      !wave.resumedWhenEmpty)
    return;
  throw std::runtime_error(
      "a wavefront of kernel '" + wave.kernel->code->header().name +
      "' at level " + text(wave.level) + " with " +
      counted(wave.tile->threads, "thread") + " finds no room in " +
      channels->nameOf(array) +
      ", which is empty: at once it allocates more than the channel's " +
      text(array->mask + 1) +
      " elements; make channel.width larger, or allocate and enqueue fewer "
      "elements at a time");
}

/// The engine's watchdog does not see that all are stuck while the scheduler polls, nor
/// that wavefronts go on and yield again for ever.
void ProgrammedAggregator::checkThatItMoves() {
  uint64_t cycle = engine.coreCycle();
  if (cycle - lastCheck < machine.watchdogCycles)
    return;
  lastCheck = cycle;
  uint64_t issued = statistics.value("simt.instructions");
  bool hasIssued = issued != lastIssued;
  lastIssued = issued;
  if (processor.host.isBusy(cycle))
    return;
  uint64_t yields = std::exchange(lastYields, counters.yields);
  std::string why;
  // A scheduler may need long to look at all channels, but not for ever.
  constexpr uint64_t kPasses = 8;
  bool hasLooked = passes >= kPasses && scheduler->isPolling();
  uint64_t patience = machine.watchdogCycles * (hasLooked ? 1 : 10);
  if (!hasIssued && cycle - lastChange >= patience) {
    why = " has dispatched nothing, and no wavefront has executed an "
          "instruction\n";
  } else if (yields != counters.yields &&
             cycle - lastProgress >= machine.watchdogCycles &&
             !isRunningSince(cycle - machine.watchdogCycles)) {
    patience = machine.watchdogCycles;
    why = " has dispatched nothing new, no wavefront has ended, and those that "
          "went on have yielded again without what they waited for\n";
  } else {
    return;
  }
  throw Stalled("in " + text(patience) + " core cycles up to cycle " +
                text(cycle) + ", the scheduler " + schedulerName + why +
                engine.explain());
}

/// Whether a wavefront has been on a core since then.
bool ProgrammedAggregator::isRunningSince(uint64_t cycle) const {
  return std::ranges::any_of(waves, [&](auto &known) {
    return known.second->state == Wave::State::running &&
           known.second->startedAt <= cycle;
  });
}

//===----------------------------------------------------------------------===//
// Which wavefront waits for what
//===----------------------------------------------------------------------===//

/// What a wavefront is, and what it waits for.
std::string ProgrammedAggregator::describe(const Wave &wave) const {
  std::string text = "kernel '" + wave.kernel->code->header().name +
                     "' at level " + ::chansim::text(wave.level);
  bool isRunning = wave.state == Wave::State::running;
  const chan_array *array = isRunning ? wave.waited : wave.memory->waits_for;
  text += isRunning ? ", which runs" : ", which has yielded";
  std::string name = channels->nameOf(array);
  if (name.empty())
    return text + (isRunning ? "" : " and waits for its turn");
  return text + (isRunning ? " since it waited" : " and waits") +
         " for room: " + name + " has " +
         ::chansim::text(array->tail - array->head) + " of " +
         counted(array->mask + 1, "element") + " in use";
}

/// The wavefronts that have yielded, and others that have not ended, those that are alike in
/// one line.
std::string ProgrammedAggregator::listWaves(bool withAll) const {
  std::map<std::string, uint64_t> alike;
  for (auto &[memory, wave] : waves)
    if (wave->state == Wave::State::yielded ||
        (wave->state == Wave::State::running && (withAll || wave->waited)))
      ++alike[describe(*wave)];
  Lines lines;
  for (auto &[what, number] : alike)
    lines.add(counted(number, "wavefront") + " of " + what);
  return lines.text("lines of wavefronts");
}

void ProgrammedAggregator::checkThatAllIsDone() {
  Lines lost;
  channels->forEach([&](const chan_array &array) {
    checkChannel(array);
    auto count = static_cast<int64_t>(channels->unfinished(array));
    if (!count)
      return;
    std::string what = counted(static_cast<uint64_t>(count), "element");
    if (count < 0)
      what = counted(-static_cast<uint64_t>(count), "element") +
             " too many were freed by kernels";
    else if (uint64_t passed = checks.passedOver(array))
      what += " not done, of which control_head has passed " + text(passed) +
              " without a dispatch";
    else if (uint64_t ready = channels->ready(array))
      what += " not done, of which " + text(ready) + " never dispatched";
    else
      what += " not freed by a kernel";
    lost.add(channels->nameOf(&array) + ": " + what);
  });
  std::string left = lost.text("channels") + listWaves(/*withAll=*/true);
  if (!left.empty())
    refuse("has returned, and there is work left:" + left);
}

void ProgrammedAggregator::explain(std::string &text) const {
  if (!isRunning)
    return;
  Lines ready;
  channels->forEach([&](const chan_array &array) {
    if (uint64_t count = channels->ready(array))
      ready.add(channels->nameOf(&array) + ": " + counted(count, "element") +
                (count == 1 ? " waits" : " wait") + " to be dispatched");
  });
  if (std::string waiting = ready.text("channels"); !waiting.empty())
    text += waiting.substr(1) + "\n";
  if (!ended.empty())
    text += "  " + counted(ended.size(), "wavefront") +
            " ended, and the scheduler has not asked for " +
            (ended.size() == 1 ? "it\n" : "them\n");
  if (std::string waiting = listWaves(/*withAll=*/false); !waiting.empty())
    text += waiting.substr(1) + "\n";
}

} // namespace chansim
