//===- Sharing.cpp - Offering, taking and joining task blocks -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sharing.h"
#include "Clock.h"
#include "Futex.h"
#include "Pool.h"
#include "Profile.h"
#include "Tuning.h"

#include <algorithm>
#include <new>
#include <stdlib.h>
#include <string.h>
#include <utility>

namespace chan {
namespace {

/// Reads a pointer of the steal queue. A thief may read one while it is
/// replaced.
TaskBlock *load(const void *slot) {
  auto &pointer = *static_cast<TaskBlock *const *>(slot);
  // relaxed: validated by the dequeue that follows.
  return std::atomic_ref<TaskBlock *>(const_cast<TaskBlock *&>(pointer))
      .load(std::memory_order_relaxed);
}

bool hasUnstarted(const Level *level) {
  for (chan_block *block = level->entries; block != noBlock();
       block = block->next) {
    CHAN_ASSERT(block == level->entries || waiting(block) || isRunning(block),
                "a block behind the first has some, or runs");
    if (waiting(block))
      return true;
  }
  return false;
}

/// The shallowest level with un-started elements, outer contexts first. `limit`
/// is the deepest level of the innermost context that may have some.
Level *shallowestUnstarted(Worker &worker, Level *limit) {
  for (Context *context = worker.outermost; context; context = context->inner) {
    Level *last = limit;
    if (context->inner)
      last = static_cast<Level *>(context->inner->interrupted)->next();
    Level *level = context->shallowest;
    if (level->depth > last->depth)
      level = last;
    while (level != last && !hasUnstarted(level))
      level = level->next();
    context->shallowest = level;
    if (hasUnstarted(level))
      return level;
  }
  return nullptr;
}

Context *contextOf(Worker &worker, const Level *level) {
  Context *context = worker.context;
  while (context->shallowest != level)
    context = context->outer;
  return context;
}

uint32_t depthOf(const Context &context, const Level *level) {
  return context.depth + level->depth;
}

/// The level for those elements of a batch that are offered.
Level *levelBelow(const Batch &batch) {
  return static_cast<Level *>(batch.level->deeper);
}

size_t bytesFor(const chan_block *from, uint32_t count) {
  return CHAN_BLOCK_HEADER + size_t(count) * from->channel->element_size;
}

/// Copies the `count` elements of `from` before `end` into a new block.
chan_block *copyTail(void *space, chan_block *from, uint32_t end,
                     uint32_t count) {
  const chan_channel *channel = from->channel;
  CHAN_ASSERT(channel->kind == CHAN_ENTRY, "I2: a continuation stays");
  auto *block = new (space) chan_block{channel, count, count, nullptr, 0};
  for (uint32_t f = 0; f != channel->field_count; ++f) {
    const chan_field &field = channel->fields[f];
    memcpy(chan_block_data(block) + size_t(field.offset) * count,
           chan_block_data(from) + size_t(field.offset) * from->capacity +
               size_t(field.size) * (end - count),
           size_t(field.size) * count);
  }
  return block;
}

/// Releases the finished task blocks of `level`. True if there was one.
bool releaseFinished(Worker &worker, Level *level) {
  bool changed = false;
  for (TaskBlock **link = &level->taskBlocks; *link;) {
    TaskBlock *taskBlock = *link;
    if (!taskBlock->isFinished()) {
      link = &taskBlock->next;
      continue;
    }
    *link = taskBlock->next;
    worker.stealBackoff.learn(taskBlock->took);
    worker.promotionOrder.learn(taskBlock->took);
    taskBlock->freeBlock(worker);
    taskBlock->drop();
    changed = true;
  }
  return changed;
}

bool anyFinished(const Level *level) {
  for (TaskBlock *taskBlock = level->taskBlocks; taskBlock;
       taskBlock = taskBlock->next)
    if (taskBlock->isFinished())
      return true;
  return false;
}

/// Offers the `count` elements of `from` before `end`, as elements of `level`
/// of `context`.  False if the steal queue is full.
bool offer(Worker &worker, const Context &context, Level *level,
           chan_block *from, uint32_t end, uint32_t count) {
  auto index = worker.stealQueue.talloc();
  if (!index)
    return false;
  // While thieves keep up with a loop that spawns, its level never fills. So it
  // is not drained before the sync, and nothing else would release these.
  releaseFinished(worker, level);
  TaskBlock *taskBlock = TaskBlock::make();
  if (!taskBlock)
    outOfMemory(worker, from->channel, level, sizeof(TaskBlock));
  Profile *profile = worker.profile;
  taskBlock->number =
      CHAN_UNLIKELY(profile != nullptr) ? profile->newTaskBlock() : 0;
  Mark mark(profile, Event::share, taskBlock->number, count);
  TaskBlock *parent = context.taskBlock;
  // relaxed: the steal queue publishes them.
  taskBlock->parent.store(parent, std::memory_order_relaxed);
  taskBlock->owner.store(&worker, std::memory_order_relaxed);
  taskBlock->origin.store(level, std::memory_order_relaxed);
  taskBlock->period.store(Pool::period(), std::memory_order_relaxed);
  taskBlock->tree = worker.tree;
  taskBlock->depth = depthOf(context, level);
  // A program thread may have changed its mask at any time; a pool thread has
  // not. relaxed, both: the worker's own thread writes the mask.
  if (!worker.thread)
    worker.signals.store(blockedSignals(), std::memory_order_relaxed);
  taskBlock->signals = worker.signals.load(std::memory_order_relaxed);
  taskBlock->bytes =
      static_cast<uint32_t>(Memory::roundUp(bytesFor(from, count)));
  void *space = worker.allocate(taskBlock->bytes, from->channel, level);
  taskBlock->block = copyTail(space, from, end, count);
  taskBlock->next = level->taskBlocks;
  level->taskBlocks = taskBlock;
  auto &slot = *static_cast<TaskBlock **>(worker.stealQueue.data(*index));
  // relaxed: enq publishes it.
  std::atomic_ref<TaskBlock *>(slot).store(taskBlock,
                                           std::memory_order_relaxed);
  worker.stealQueue.enq(*index);
  Pool::offered(worker, parent);
  return true;
}

/// Whether a tree whose kernels have been below grain so far may offer
/// something.
bool mayOffer(const Worker &worker, uint64_t now) {
  uint64_t sinceOffer = now - worker.lastOffer;
  if (!worker.stealBackoff.isOver(sinceOffer))
    return false;
  if (sinceOffer >= durations.betweenSpeculativeOffers)
    return true;
  // The first offer of a tree is speculative, unless the last tree of the kind
  // ended before it could have paid.
  if (worker.lastOffer < worker.treeBegan && !worker.predictedShort)
    return true;
  return now - worker.treeBegan >= durations.shortTree &&
         sinceOffer >= durations.betweenOffers;
}

/// How many of `count` elements the next of `parts` task blocks takes.
uint32_t shareOf(uint32_t count, uint32_t parts) {
  uint32_t share = count / (parts + 1);
  return share < 1 ? 1 : share;
}

/// Offers one of `parts` parts of the elements of `level`. `kept` is the block
/// that runs next.
bool offerFromLevel(Worker &worker, Level *level, const chan_block *kept,
                    uint32_t parts) {
  chan_block *most = noBlock();
  uint32_t mostElements = 0;
  for (chan_block *block = level->entries; block != noBlock();
       block = block->next) {
    uint32_t elements = waiting(block) - (block == kept ? 1 : 0);
    if (elements > mostElements) {
      most = block;
      mostElements = elements;
    }
  }
  if (!mostElements)
    return false;
  uint32_t count = shareOf(unstarted(level), parts);
  count = count > mostElements ? mostElements : count;
  CHAN_ASSERT(count <= waiting(most), "I2: what has started stays");
  if (!offer(worker, *contextOf(worker, level), level, most, most->count,
             count))
    return false;
  most->count -= count;
  if (!waiting(most) && !isRunning(most))
    worker.retire(level, CHAN_ENTRY, most);
  return true;
}

/// As offerFromLevel, for a batch. The elements go to the level below that of
/// its kernel call; the batch drains that level at its end.
bool offerFromBatch(Worker &worker, Batch &batch, uint32_t parts) {
  uint32_t count = shareOf(batch.unbegun(), parts);
  completeUnbegun(batch, count);
  if (!offer(worker, *batch.context, levelBelow(batch), batch.elements,
             batch.end, count))
    return false;
  batch.end -= count;
  batch.isShared = true;
  return true;
}

/// Offers the shallowest elements at time `now`, in up to `parts` parts. `kept`
/// is the block that runs next.
void offerParts(Worker &worker, Level *limit, const chan_block *kept,
                uint32_t parts, uint64_t now) {
  // The reserved elements can be offered like others from here on.
  closeReservation(worker);
  clearStealQueue(worker);
  for (uint32_t left = parts; left; --left) {
    Level *level = shallowestUnstarted(worker, limit);
    // Contexts and levels further out are shallower.
    Batch *batch = outermostUnbegun(worker);
    if (batch && level &&
        depthOf(*contextOf(worker, level), level) <=
            depthOf(*batch->context, levelBelow(*batch)))
      batch = nullptr;
    if (batch ? !offerFromBatch(worker, *batch, left)
              : !level || !offerFromLevel(worker, level, kept, left))
      return;
    worker.lastOffer = now;
  }
}

/// Of `parts` parts that workers want, those that can run at once. The other
/// workers get parts of the remaining elements later. These are smaller, and
/// the owner takes them back first.
uint32_t atOnce(uint32_t parts) {
  return std::min({parts, Pool::othersAtOnce(), kMostOffersAtOnce});
}

/// Dequeues task blocks that `wanted` accepts from the front of a steal queue,
/// until it has claimed one.
template <typename Predicate>
TaskBlock *takeFrom(SharedChannel &stealQueue, Predicate wanted) {
  for (;;) {
    DeqResult result = stealQueue.tryDeq([&](const void *slot) {
      TaskBlock *taskBlock = load(slot);
      // relaxed: a hint. A task block that was claimed already only blocks the
      // front.
      return taskBlock->state.load(std::memory_order_relaxed) !=
                 TaskBlock::queued ||
             wanted(taskBlock);
    });
    if (result.status == DeqStatus::lost)
      continue;
    if (!result)
      return nullptr;
    TaskBlock *taskBlock = load(stealQueue.data(result.index));
    stealQueue.tfree(result.index);
    bool claimed = taskBlock->claim();
    if (claimed)
      Pool::claimed();
    // Drops the reference of the steal queue. The reference of the owner's
    // level keeps a claimed task block alive.
    taskBlock->drop();
    if (claimed)
      return taskBlock;
  }
}

template <typename Predicate>
TaskBlock *takeFromAll(Worker &worker, Predicate wanted) {
  uint32_t count = Pool::slotCount();
  for (uint32_t i = 0; i != count; ++i) {
    Worker *other = Pool::slot((worker.slot + 1 + i) % count);
    if (!other || !other->stealQueue.ready())
      continue;
    if (TaskBlock *taskBlock = takeFrom(other->stealQueue, wanted))
      return taskBlock;
  }
  return nullptr;
}

/// Whether `taskBlock` descends from one that `at` waits for.
bool descends(Worker &worker, Level *at, TaskBlock *taskBlock) {
  // Bounded, since the links of a recycled task block may lead anywhere.
  for (int steps = 0; taskBlock && steps != kMostAncestors; ++steps) {
    // relaxed: validated by the dequeue that follows. A reservation that is
    // held keeps its task blocks from being recycled.
    if (taskBlock->owner.load(std::memory_order_relaxed) == &worker &&
        taskBlock->origin.load(std::memory_order_relaxed) == at)
      return true;
    taskBlock = taskBlock->parent.load(std::memory_order_relaxed);
  }
  return false;
}

/// A task block that descends from one that `at` waits for.
TaskBlock *takeDescendant(Worker &worker, Level *at) {
  return takeFromAll(worker, [&](TaskBlock *taskBlock) {
    return descends(worker, at, taskBlock);
  });
}

/// Finds the signal mask of reserved elements of `owner`. False if it is not
/// known yet.
///
/// A worker notes its mask at its own offers, but not whenever it reserves
/// elements: that would take a system call for trees of less than a
/// microsecond. If the system still has the noted mask, that is the mask. If
/// not, the program has set another one, or the thread is in a signal handler
/// or in a function of the C library, which block signals for a while. The
/// owner is asked to note its mask when it reserves again. If it goes on with
/// the same element for long, its mask is what all looks found.
bool findSignals(Worker &owner, SignalMask &signals) {
  // relaxed, all: numbers, and hints about the owner.
  signals = owner.signals.load(std::memory_order_relaxed);
  if (owner.thread)
    return true; // TaskSignals notes each change
  ThreadStatus present(owner.threadNumber.load(std::memory_order_relaxed));
  if (present.signals().value_or(signals) == signals)
    return true;
  owner.notesSignals.store(true, std::memory_order_relaxed);
  Reservation &reservation = owner.reservation;
  // A thread that waits for a processor is where the last look found it.
  uint64_t ran = owner.processorTime();
  if (!present.isAsleep() &&
      reservation.ownerRan.exchange(ran, std::memory_order_relaxed) == ran)
    return false;
  signals = *present.signals() &
            reservation.signals.fetch_and(*present.signals(),
                                          std::memory_order_relaxed);
  return reservation.looks.fetch_add(1, std::memory_order_relaxed) >=
         kLooksAtSignals;
}

/// Makes a task block of the reserved elements of `owner`; the caller holds the
/// reservation. Null if there is no memory or no element left.
TaskBlock *taskBlockOfReservation(Worker &owner, SignalMask signals) {
  Reservation &reservation = owner.reservation;
  uint32_t count = waiting(reservation.block);
  // From the heap: only the owner may use the owner's memory.
  void *space = malloc(bytesFor(reservation.block, count));
  TaskBlock *taskBlock = space ? TaskBlock::make() : nullptr;
  if (!taskBlock) {
    free(space);
    return nullptr;
  }
  // relaxed, all: endTake publishes them to the owner, an offer to other
  // workers.
  taskBlock->state.store(TaskBlock::taken, std::memory_order_relaxed);
  taskBlock->references.store(1, std::memory_order_relaxed);
  taskBlock->parent.store(reservation.parent, std::memory_order_relaxed);
  taskBlock->owner.store(&owner, std::memory_order_relaxed);
  taskBlock->origin.store(reservation.level, std::memory_order_relaxed);
  taskBlock->tree = reservation.tree;
  taskBlock->depth = reservation.depth;
  taskBlock->signals = signals;
  taskBlock->number = 0;
  taskBlock->bytes = 0;
  taskBlock->block =
      copyTail(space, reservation.block, reservation.block->count, count);
  reservation.block->count -= count;
  taskBlock->next = reservation.level->taskBlocks;
  reservation.level->taskBlocks = taskBlock;
  return taskBlock;
}

/// Called when a period of watching is over. Takes a reservation that was found
/// at least `patience` periods ago and that `wanted` accepts.
template <typename Predicate>
TaskBlock *takeReservation(Worker &worker, uint32_t patience,
                           Predicate wanted) {
  TaskBlock *taskBlock = nullptr;
  uint32_t count = Pool::slotCount();
  for (uint32_t i = 0; i != count && !taskBlock; ++i) {
    Worker *owner = Pool::slot((worker.slot + 1 + i) % count);
    uint32_t opening = owner ? owner->reservation.opening() : 0;
    if (!opening)
      continue;
    // relaxed, all: hints about the age.
    if (owner->reservation.noticed.exchange(
            opening, std::memory_order_relaxed) != opening) {
      owner->reservation.noticedIn.store(Pool::period(),
                                         std::memory_order_relaxed);
      owner->reservation.signals.store(~SignalMask(0),
                                       std::memory_order_relaxed);
      owner->reservation.looks.store(0, std::memory_order_relaxed);
      continue;
    }
    uint32_t age = Pool::period() -
                   owner->reservation.noticedIn.load(std::memory_order_relaxed);
    SignalMask signals;
    if (age < patience || !findSignals(*owner, signals))
      continue;
    if (!owner->reservation.beginTake(opening))
      continue;
    if (wanted(owner->reservation.parent))
      taskBlock = taskBlockOfReservation(*owner, signals);
    if (taskBlock)
      owner->reservation.endTake(opening);
    else
      owner->reservation.refuse(opening);
  }
  return taskBlock;
}

/// Puts the elements of a task block that the owner has claimed back into
/// `level`.
void putBack(Worker &worker, Level *level, TaskBlock *taskBlock) {
  setBlockBytes(taskBlock->block, taskBlock->bytes);
  worker.prepend(level, taskBlock->block);
  if (worker.context->shallowest->depth > level->depth)
    worker.context->shallowest = level;
}

bool takeBack(Worker &worker, Level *level) {
  for (TaskBlock **link = &level->taskBlocks; *link; link = &(*link)->next) {
    TaskBlock *taskBlock = *link;
    if (!taskBlock->claim())
      continue;
    worker.stealBackoff.takeBack();
    worker.promotionOrder.takeBack();
    Pool::takenBack(
        worker.stealBackoff.areOffersUseless(ticks() - worker.lastOffer));
    *link = taskBlock->next;
    putBack(worker, level, taskBlock);
    taskBlock->drop();
    return true;
  }
  return false;
}

} // namespace

/// Called after the reservation of a block that follows the running one. If a
/// thief took all of the block, its list must release it.
static void forgetBehind(Worker &worker) {
  chan_block *behind = std::exchange(worker.behind, nullptr);
  if (behind && !waiting(behind))
    worker.retire(worker.reservation.level, CHAN_ENTRY, behind);
}

void openReservation(Worker &worker, Level *at, chan_block *block) {
  CHAN_ASSERT(!worker.hidden, "one reservation at a time");
  forgetBehind(worker); // if it was taken
  TaskBlock *parent = worker.context->taskBlock;
  worker.reservation.level = at;
  worker.reservation.block = block;
  worker.reservation.count = waiting(block);
  worker.reservation.parent = parent;
  worker.reservation.tree = worker.tree;
  worker.reservation.depth = worker.depthOf(at);
  // relaxed: see findSignals.
  if (CHAN_UNLIKELY(worker.notesSignals.load(std::memory_order_relaxed))) {
    worker.notesSignals.store(false, std::memory_order_relaxed);
    worker.signals.store(blockedSignals(), std::memory_order_relaxed);
  }
  worker.reservation.open();
  Pool::noteReservation(parent);
}

bool closeReservation(Worker &worker) {
  bool kept = worker.reservation.close();
  forgetBehind(worker);
  if (worker.hidden) {
    Level *level = worker.reservation.level;
    chan_block *block = worker.reservation.block;
    level->entries = worker.hidden;
    worker.hidden = nullptr;
    if (!kept) {
      worker.predictedShort = false;
      worker.retire(level, CHAN_ENTRY, block);
    }
  }
  return kept;
}

TaskBlock *takeReservation(Worker &worker, uint32_t patience) {
  return takeReservation(worker, patience, [](TaskBlock *) { return true; });
}

void clearStealQueue(Worker &worker) {
  while (takeFrom(worker.stealQueue, [](TaskBlock *) { return false; }))
    ;
}

void share(Worker &worker, Level *at, chan_block *block, uint64_t now) {
  if (!worker.sharable || worker.isShortSoFar(now))
    return;
  bool coarse = at->sliceOf(CHAN_ENTRY) == 1 && at->measuredIn == worker.tree;
  uint32_t parts = Pool::demanded();
  if (coarse) {
    // A thief that comes while a long element runs finds a task block at once.
    uint64_t ready = worker.stealQueue.ready();
    uint32_t ahead = Pool::othersAtOnce();
    if (!parts && ready < ahead)
      parts = 1;
  } else if (isBelowGrain(block->channel) && !mayOffer(worker, now)) {
    return;
  }
  if (!parts)
    return;
  offerParts(worker, at, block, atOnce(parts), now);
}

void shareFromKernel(Worker &worker) {
  Pool::checkFork();
  if (!worker.sharable)
    return;
  uint64_t now = ticks();
  if (now - worker.lastOffer < durations.betweenOffers ||
      worker.isShortSoFar(now))
    return;
  if (!worker.stealBackoff.isOver(now - worker.lastOffer) &&
      isBelowGrain(worker.running))
    return;
  offerParts(worker, static_cast<Level *>(worker.level->deeper), nullptr,
             atOnce(Pool::demanded()), now);
}

uint32_t countOutstanding(Worker &worker, Level *at) {
  releaseFinished(worker, at);
  uint32_t count = 0;
  for (TaskBlock *taskBlock = at->taskBlocks; taskBlock;
       taskBlock = taskBlock->next)
    ++count;
  return count;
}

bool joinTaskBlocks(Worker &worker, Level *at) {
  bool changed = releaseFinished(worker, at);
  return takeBack(worker, at) || changed;
}

bool reclaimShallower(Worker &worker, Level *base, Level *at) {
  if (!worker.stealQueue.ready())
    return false;
  while (at != base) {
    at = at->previous();
    if (at->taskBlocks && takeBack(worker, at))
      return true;
  }
  return false;
}

TaskBlock *takeAnyAwake(Worker &worker) {
  Mark parked(worker.profile, Event::parked);
  uint64_t began = ticks();
  TaskBlock *found = nullptr;
  while (!found && !Pool::isSurplus() && ticks() - began < durations.awake) {
    pauseProcessor();
    if (areOffers())
      found = takeAny(worker);
  }
  return found;
}

/// Waits awake until a task block of `at` is finished. If the worker `helps`,
/// it also looks for a descendant of these. It stops if other workers need the
/// processor. False if the wait found nothing.
static bool awaitAwake(Worker &worker, Level *at, bool helps,
                       TaskBlock *&found) {
  if (Pool::isSurplus())
    return false;
  Mark waiting(worker.profile, Event::wait);
  bool isFinished = false;
  if (helps)
    Pool::idle();
  uint64_t began = ticks(), now = began;
  for (; now - began < durations.awake; now = ticks()) {
    isFinished = anyFinished(at);
    if (!isFinished && helps && areOffers())
      found = takeDescendant(worker, at);
    if (isFinished || found || Pool::isSurplus())
      break;
    pauseProcessor();
  }
  if (helps)
    Pool::busy();
  worker.stealBackoff.waited(now - began);
  return isFinished || found;
}

Worker *Worker::help(Worker *owner) {
  uint64_t now = ticks();
  // relaxed, all: hints.
  if (helping) {
    helping->helped.fetch_add(now - helpingSince, std::memory_order_relaxed);
    helping->helpers.fetch_sub(1, std::memory_order_relaxed);
  }
  if (owner)
    owner->helpers.fetch_add(1, std::memory_order_relaxed);
  helpingSince = now;
  return std::exchange(helping, owner);
}

/// Waits until a task block of `at` is finished, or a descendant of one is
/// found, or the worker is rung for another reason.
static TaskBlock *awaitOrFind(Worker &worker, Level *at, bool mayNest) {
  TaskBlock *found = nullptr;
  if (awaitAwake(worker, at, mayNest, found))
    return found;
  // A ring after the announcement changes the alarm.
  uint32_t before = worker.alarmNow();
  Pool::beginSleep(worker, mayNest);
  found = mayNest ? takeDescendant(worker, at) : nullptr;
  uint64_t began = ticks();
  if (!found && !anyFinished(at))
    if (Mark waiting(worker.profile, Event::wait); Pool::sleep(worker, before))
      found = takeReservation(worker, 0, [&](TaskBlock *parent) {
        return mayNest && descends(worker, at, parent);
      });
  worker.stealBackoff.waited(ticks() - began);
  bool rung = !Pool::endSleep(worker);
  // The ring may have been for another task block than the one found meanwhile.
  if (rung && (found || anyFinished(at)))
    Pool::passRingOn();
  return found;
}

void awaitTaskBlocks(Worker &worker, Level *at) {
  Pool::checkFork();
  bool mayNest = !worker.stack.low() && worker.nested < kMostNested;
  TaskBlock *found = mayNest ? takeDescendant(worker, at) : nullptr;
  if (!found) {
    Worker *helped = worker.help(nullptr);
    found = awaitOrFind(worker, at, mayNest);
    worker.help(helped);
  }
  if (!found)
    return;
  CHAN_ASSERT(descends(worker, at, found),
              "I3: a waiting worker runs only descendants");
  runTaskBlock(worker, found);
}

TaskBlock *takeAny(Worker &worker) {
  return takeFromAll(worker, [](TaskBlock *) { return true; });
}

TaskBlock *takeOld(Worker &worker, uint32_t patience) {
  return takeFromAll(worker, [=, now = Pool::period()](TaskBlock *taskBlock) {
    // Periods are counted modulo 2^32.  relaxed: validated by the dequeue that
    // follows.
    uint32_t offered = taskBlock->period.load(std::memory_order_relaxed);
    return static_cast<int32_t>(now - offered - patience) > 0;
  });
}

bool areOffers() {
  uint32_t count = Pool::slotCount();
  for (uint32_t i = 0; i != count; ++i)
    if (Worker *worker = Pool::slot(i); worker && worker->stealQueue.ready())
      return true;
  return false;
}

uint64_t runTaskBlock(Worker &worker, TaskBlock *taskBlock) {
  CHAN_ASSERT(started(taskBlock->block) == 0, "I2: what has started stays");
  Mark mark(worker.profile, Event::steal, taskBlock->number,
            taskBlock->block->count);
  uint32_t tree = worker.tree;
  const chan_channel *running = worker.running;
  worker.tree = taskBlock->tree;
  ++worker.yields;
  uint64_t began = ticks();
  if (!worker.context)
    worker.treeBegan = began;
  // relaxed: written before the task block was queued.  The owner lives until
  // the task block is finished.
  Worker *owner = taskBlock->owner.load(std::memory_order_relaxed);
  Worker *helpedBefore = worker.help(owner == &worker ? nullptr : owner);
  {
    // The owner of the task block waits for all of it.
    NoCancellation noCancellation;
    TaskSignals taskSignals(worker, taskBlock->signals);
    ++worker.nested;
    Context context(worker, taskBlock);
    context.depth = taskBlock->depth;
    Level *base = context.base;
    chan_block *block = taskBlock->block;
    // relaxed: written before the task block was queued.
    if (CHAN_UNLIKELY(worker.profile != nullptr) &&
        taskBlock->owner.load(std::memory_order_relaxed) != &worker)
      worker.profile->row(block->channel, {Form::kernel}, taskBlock->depth)
          ->stolen += block->count;
    worker.prepend(base, block);
    worker.drain(base);
    --worker.nested;
  }
  worker.running = running;
  worker.tree = tree;
  worker.help(helpedBefore);
  uint64_t took = taskBlock->took = ticks() - began;
  // seq_cst, see TaskBlock::isFinished. It releases all that was delivered.
  taskBlock->state.store(TaskBlock::finished, std::memory_order_seq_cst);
  Pool::ringIfAsleep(*owner);
  return took;
}

} // namespace chan

using namespace chan;

void chan_poll(chan_worker *caller) {
  Worker &worker = self(caller);
  CHAN_ASSERT(worker.runsHere(), "I2: an activation stays on its thread");
  auto *at = static_cast<Level *>(worker.level);
  Level *deeper = at->next();
  // Also when its elements are reserved already.
  if (!hasUnstarted(deeper) || !worker.sharable)
    return;
  bool wanted = Pool::wanted();
  // If a kernel that has been short so far takes long this time, a watching
  // worker finds the reservation.
  if (wanted && !isBelowGrain(worker.running))
    shareFromKernel(worker);
  // A kernel whose elements are known to be short returns soon, and its worker
  // checks then.
  bool soonDone =
      at->measuredIn == worker.tree && at->slice[worker.running->kind] > 1;
  if ((!wanted && soonDone) || !worker.mayReserve())
    return;
  chan_block *block = deeper->entries;
  if (!waiting(block))
    return;
  openReservation(worker, deeper, block);
  worker.hidden = block;
  deeper->entries = noBlock();
}
