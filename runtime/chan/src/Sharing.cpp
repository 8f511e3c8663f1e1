//===- Sharing.cpp - Offering, taking and joining parcels -----------------===//
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

#include <algorithm>
#include <new>
#include <stdlib.h>
#include <string.h>
#include <utility>

namespace chan {
namespace {

/// Like kBetweenOffers, in trees of unknown size.
constexpr uint64_t kBetweenGuesses = 500 * kTicksPerMicrosecond;
constexpr uint32_t kMostOffersAtOnce = 8;
/// Who waits does so awake for as long as falling asleep and being woken take,
/// which on a virtual machine is 20 us for who is woken, and as long for who
/// wakes: at most twice as long as the better of both (Karlin, Li, Manasse,
/// Owicki, Empirical Studies of Competitive Spinning, SOSP 1991).
constexpr uint64_t kAwakeTicks = 40 * kTicksPerMicrosecond;

/// The outbox holds pointers; consumers may look at one that is being replaced.
Parcel *load(const void *slot) {
  auto &pointer = *static_cast<Parcel *const *>(slot);
  // relaxed: validated by the dequeue that follows.
  return std::atomic_ref<Parcel *>(const_cast<Parcel *&>(pointer))
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

/// The shallowest level with elements to give, outer contexts first; `limit` is
/// the deepest level of the innermost context that may have some.
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

/// Where what is given away of a batch goes.
Level *levelBelow(const Batch &batch) {
  return static_cast<Level *>(batch.level->deeper);
}

size_t bytesFor(const chan_block *from, uint32_t count) {
  return CHAN_BLOCK_HEADER + size_t(count) * from->channel->element_size;
}

/// Copies the `count` elements of `from` before `end` into a block of their
/// own.
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

/// Lets go of the parcels of `level` that are finished.  True if there was one.
bool releaseFinished(Worker &worker, Level *level) {
  bool changed = false;
  for (Parcel **link = &level->parcels; *link;) {
    Parcel *parcel = *link;
    if (!parcel->isFinished()) {
      link = &parcel->next;
      continue;
    }
    *link = parcel->next;
    worker.offerGap.learn(parcel->took);
    worker.seniority.learn(parcel->took);
    parcel->freeBlock(worker);
    parcel->drop();
    changed = true;
  }
  return changed;
}

bool anyFinished(const Level *level) {
  for (Parcel *parcel = level->parcels; parcel; parcel = parcel->next)
    if (parcel->isFinished())
      return true;
  return false;
}

/// Offers the `count` elements of `from` before `end`, as elements of `level`
/// of `context`.  False if the outbox is full.
bool offer(Worker &worker, const Context &context, Level *level,
           chan_block *from, uint32_t end, uint32_t count) {
  auto index = worker.outbox.talloc();
  if (!index)
    return false;
  // While thieves keep up with a loop that spawns, its level never fills, and
  // so is not drained before the sync: nothing else would let go of these.
  releaseFinished(worker, level);
  Parcel *parcel = Parcel::make();
  if (!parcel)
    outOfMemory(worker, from->channel, level, sizeof(Parcel));
  Profile *profile = worker.profile;
  parcel->number = CHAN_UNLIKELY(profile != nullptr) ? profile->newParcel() : 0;
  Mark mark(profile, Event::share, parcel->number, count);
  Parcel *parent = context.parcel;
  // relaxed: the outbox publishes them.
  parcel->parent.store(parent, std::memory_order_relaxed);
  parcel->owner.store(&worker, std::memory_order_relaxed);
  parcel->origin.store(level, std::memory_order_relaxed);
  parcel->period.store(Pool::period(), std::memory_order_relaxed);
  parcel->tree = worker.tree;
  parcel->depth = depthOf(context, level);
  // Of its own thread, unless that is the pool's, the program may have changed
  // it at any time.  relaxed, both: its own thread writes it.
  if (!worker.thread)
    worker.signals.store(blockedSignals(), std::memory_order_relaxed);
  parcel->signals = worker.signals.load(std::memory_order_relaxed);
  parcel->bytes = static_cast<uint32_t>(Memory::roundUp(bytesFor(from, count)));
  void *space = worker.allocate(parcel->bytes, from->channel, level);
  parcel->block = copyTail(space, from, end, count);
  parcel->next = level->parcels;
  level->parcels = parcel;
  auto &slot = *static_cast<Parcel **>(worker.outbox.data(*index));
  // relaxed: enq publishes it.
  std::atomic_ref<Parcel *>(slot).store(parcel, std::memory_order_relaxed);
  worker.outbox.enq(*index);
  Pool::offered(worker, parent);
  return true;
}

/// Whether a tree of kernels that were light until now may offer something.
bool mayOffer(const Worker &worker, uint64_t now) {
  uint64_t sinceOffer = now - worker.lastOffer;
  if (!worker.offerGap.isOver(sinceOffer))
    return false;
  if (sinceOffer >= kBetweenGuesses)
    return true;
  // The first offer of a tree is a guess, unless the last tree of the kind was
  // over before it could have paid.
  if (worker.lastOffer < worker.treeBegan && !worker.likelyShort)
    return true;
  return now - worker.treeBegan >= kShortTreeTicks &&
         sinceOffer >= kBetweenOffers;
}

/// How many of `count` elements the next of `parts` parcels takes.
uint32_t shareOf(uint32_t count, uint32_t parts) {
  uint32_t share = count / (parts + 1);
  return share < 1 ? 1 : share;
}

/// Offers one of `parts` parts of what `level` has.  `kept` is the block that
/// runs next.
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

/// The same of a batch, to the level below that of its kernel call, which the
/// batch drains in the end.
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

/// Offers what is shallowest at time `now`, in up to so many parts.  `kept` is
/// the block that runs next.
void offerParts(Worker &worker, Level *limit, const chan_block *kept,
                uint32_t parts, uint64_t now) {
  // From here on its elements are given away in the ordinary way.
  recall(worker);
  clearOutbox(worker);
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

/// Of so many who would take a part, those who can run it now.  The others get
/// the next, of what is left: smaller ones, which are taken back first.
uint32_t atOnce(uint32_t parts) {
  return std::min({parts, Pool::othersAtOnce(), kMostOffersAtOnce});
}

/// Takes parcels that `wanted` accepts off the front of an outbox until one
/// could be claimed.
template <typename Predicate>
Parcel *takeFrom(SharedChannel &outbox, Predicate wanted) {
  for (;;) {
    DeqResult result = outbox.tryDeq([&](const void *slot) {
      Parcel *parcel = load(slot);
      // relaxed: advice.  What was claimed already only blocks the front.
      return parcel->state.load(std::memory_order_relaxed) != Parcel::queued ||
             wanted(parcel);
    });
    if (result.status == DeqStatus::lost)
      continue;
    if (!result)
      return nullptr;
    Parcel *parcel = load(outbox.data(result.index));
    outbox.tfree(result.index);
    bool claimed = parcel->claim();
    if (claimed)
      Pool::claimed();
    // The outbox's reference; the owner's level keeps a claimed one alive.
    parcel->drop();
    if (claimed)
      return parcel;
  }
}

template <typename Predicate>
Parcel *takeFromAll(Worker &worker, Predicate wanted) {
  uint32_t count = Pool::slotCount();
  for (uint32_t i = 0; i != count; ++i) {
    Worker *other = Pool::slot((worker.slot + 1 + i) % count);
    if (!other || !other->outbox.ready())
      continue;
    if (Parcel *parcel = takeFrom(other->outbox, wanted))
      return parcel;
  }
  return nullptr;
}

/// Whether `parcel` descends from one that `at` waits for.
bool descends(Worker &worker, Level *at, Parcel *parcel) {
  // Bounded, since a recycled parcel may lead anywhere.
  for (int steps = 0; parcel && steps != 4096; ++steps) {
    // relaxed: validated by the dequeue that follows, or not recycled since
    // its loan is held.
    if (parcel->owner.load(std::memory_order_relaxed) == &worker &&
        parcel->origin.load(std::memory_order_relaxed) == at)
      return true;
    parcel = parcel->parent.load(std::memory_order_relaxed);
  }
  return false;
}

/// A parcel that descends from one that `at` waits for.
Parcel *takeDescendant(Worker &worker, Level *at) {
  return takeFromAll(
      worker, [&](Parcel *parcel) { return descends(worker, at, parcel); });
}

/// Makes a parcel of what `owner` has on loan, which the caller holds; null if
/// there is no memory, or nothing left.
Parcel *parcelOfLoan(Worker &owner) {
  Loan &loan = owner.loan;
  uint32_t count = waiting(loan.block);
  // The heap's: the owner's memory is the owner's to use.
  void *space = malloc(bytesFor(loan.block, count));
  Parcel *parcel = space ? Parcel::make() : nullptr;
  if (!parcel) {
    free(space);
    return nullptr;
  }
  // relaxed, all: the end of the taking publishes them to the owner, offers to
  // others.
  parcel->state.store(Parcel::taken, std::memory_order_relaxed);
  parcel->references.store(1, std::memory_order_relaxed);
  parcel->parent.store(loan.parent, std::memory_order_relaxed);
  parcel->owner.store(&owner, std::memory_order_relaxed);
  parcel->origin.store(loan.level, std::memory_order_relaxed);
  parcel->tree = loan.tree;
  parcel->depth = loan.depth;
  // relaxed, both: numbers.
  parcel->signals =
      signalsBlockedBy(owner.threadNumber.load(std::memory_order_relaxed),
                       owner.signals.load(std::memory_order_relaxed));
  parcel->number = 0;
  parcel->bytes = 0;
  parcel->block = copyTail(space, loan.block, loan.block->count, count);
  loan.block->count -= count;
  parcel->next = loan.level->parcels;
  loan.level->parcels = parcel;
  return parcel;
}

/// After a period of watching: takes a loan that somebody saw, so many periods
/// ago at least, and that `wanted` accepts.
template <typename Predicate>
Parcel *takeLent(Worker &worker, uint32_t patience, Predicate wanted) {
  Parcel *parcel = nullptr;
  uint32_t count = Pool::slotCount();
  for (uint32_t i = 0; i != count && !parcel; ++i) {
    Worker *owner = Pool::slot((worker.slot + 1 + i) % count);
    uint32_t opening = owner ? owner->loan.opening() : 0;
    if (!opening)
      continue;
    // relaxed, all: hints about its age.
    if (owner->loan.noticed.exchange(opening, std::memory_order_relaxed) !=
        opening) {
      owner->loan.noticedIn.store(Pool::period(), std::memory_order_relaxed);
      continue;
    }
    if (Pool::period() - owner->loan.noticedIn.load(std::memory_order_relaxed) <
        patience)
      continue;
    if (!owner->loan.beginTake(opening))
      continue;
    if (wanted(owner->loan.parent))
      parcel = parcelOfLoan(*owner);
    if (parcel)
      owner->loan.endTake(opening);
    else
      owner->loan.refuse(opening);
  }
  return parcel;
}

/// Puts the elements of a parcel that the owner has claimed back into `level`.
void putBack(Worker &worker, Level *level, Parcel *parcel) {
  setBlockBytes(parcel->block, parcel->bytes);
  worker.prepend(level, parcel->block);
  if (worker.context->shallowest->depth > level->depth)
    worker.context->shallowest = level;
}

bool takeBack(Worker &worker, Level *level) {
  for (Parcel **link = &level->parcels; *link; link = &(*link)->next) {
    Parcel *parcel = *link;
    if (!parcel->claim())
      continue;
    worker.offerGap.takeBack();
    worker.seniority.takeBack();
    Pool::takenBack(worker.offerGap.isInVain(ticks() - worker.lastOffer));
    *link = parcel->next;
    putBack(worker, level, parcel);
    parcel->drop();
    return true;
  }
  return false;
}

} // namespace

/// After the loan of a block behind the one that runs: nobody's list has it if
/// it was taken.
static void forgetBehind(Worker &worker) {
  chan_block *behind = std::exchange(worker.behind, nullptr);
  if (behind && !waiting(behind))
    worker.retire(worker.loan.level, CHAN_ENTRY, behind);
}

void lend(Worker &worker, Level *at, chan_block *block) {
  CHAN_ASSERT(!worker.hidden, "one loan at a time");
  forgetBehind(worker); // if it was taken
  Parcel *parent = worker.context->parcel;
  worker.loan.level = at;
  worker.loan.block = block;
  worker.loan.count = waiting(block);
  worker.loan.parent = parent;
  worker.loan.tree = worker.tree;
  worker.loan.depth = worker.depthOf(at);
  worker.loan.open();
  Pool::lent(parent);
}

bool recall(Worker &worker) {
  bool kept = worker.loan.close();
  forgetBehind(worker);
  if (worker.hidden) {
    Level *level = worker.loan.level;
    chan_block *block = worker.loan.block;
    level->entries = worker.hidden;
    worker.hidden = nullptr;
    if (!kept) {
      worker.likelyShort = false;
      worker.retire(level, CHAN_ENTRY, block);
    }
  }
  return kept;
}

Parcel *takeLent(Worker &worker, uint32_t patience) {
  return takeLent(worker, patience, [](Parcel *) { return true; });
}

void clearOutbox(Worker &worker) {
  while (takeFrom(worker.outbox, [](Parcel *) { return false; }))
    ;
}

void share(Worker &worker, Level *at, chan_block *block, uint64_t now) {
  if (!worker.sharable || worker.isShortSoFar(now))
    return;
  bool coarse = at->sliceOf(CHAN_ENTRY) == 1 && at->measuredIn == worker.tree;
  uint32_t parts = Pool::demanded();
  if (coarse) {
    // A thief that comes while a long element runs finds something at once.
    uint64_t ready = worker.outbox.ready();
    uint32_t ahead = Pool::othersAtOnce();
    if (!parts && ready < ahead)
      parts = 1;
  } else if (isLight(block->channel) && !mayOffer(worker, now)) {
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
  if (now - worker.lastOffer < kBetweenOffers || worker.isShortSoFar(now))
    return;
  if (!worker.offerGap.isOver(now - worker.lastOffer) &&
      isLight(worker.running))
    return;
  offerParts(worker, static_cast<Level *>(worker.level->deeper), nullptr,
             atOnce(Pool::demanded()), now);
}

uint32_t away(Worker &worker, Level *at) {
  releaseFinished(worker, at);
  uint32_t count = 0;
  for (Parcel *parcel = at->parcels; parcel; parcel = parcel->next)
    ++count;
  return count;
}

bool joinParcels(Worker &worker, Level *at) {
  bool changed = releaseFinished(worker, at);
  return takeBack(worker, at) || changed;
}

bool reclaimShallower(Worker &worker, Level *base, Level *at) {
  if (!worker.outbox.ready())
    return false;
  while (at != base) {
    at = at->previous();
    if (at->parcels && takeBack(worker, at))
      return true;
  }
  return false;
}

Parcel *takeAnyAwake(Worker &worker) {
  Mark parked(worker.profile, Event::parked);
  uint64_t began = ticks();
  Parcel *found = nullptr;
  while (!found && !Pool::isSurplus() && ticks() - began < kAwakeTicks) {
    pauseProcessor();
    if (areOffers())
      found = takeAny(worker);
  }
  return found;
}

/// Waits awake, unless there are others for the processor, until a parcel of
/// `at` is finished or, if the worker `helps`, one was found that descends from
/// them.  False if it was for nothing.
static bool awaitAwake(Worker &worker, Level *at, bool helps, Parcel *&found) {
  if (Pool::isSurplus())
    return false;
  Mark waiting(worker.profile, Event::wait);
  bool isFinished = false;
  if (helps)
    Pool::idle();
  uint64_t began = ticks(), now = began;
  for (; now - began < kAwakeTicks; now = ticks()) {
    isFinished = anyFinished(at);
    if (!isFinished && helps && areOffers())
      found = takeDescendant(worker, at);
    if (isFinished || found || Pool::isSurplus())
      break;
    pauseProcessor();
  }
  if (helps)
    Pool::busy();
  worker.offerGap.waited(now - began);
  return isFinished || found;
}

Worker *Worker::help(Worker *owner) {
  uint64_t now = ticks();
  // relaxed, all: advice.
  if (helping) {
    helping->helped.fetch_add(now - helpingSince, std::memory_order_relaxed);
    helping->helpers.fetch_sub(1, std::memory_order_relaxed);
  }
  if (owner)
    owner->helpers.fetch_add(1, std::memory_order_relaxed);
  helpingSince = now;
  return std::exchange(helping, owner);
}

/// Waits until a parcel of `at` is finished, or one is found that descends from
/// them, or there is something to look at.
static Parcel *awaitOrFind(Worker &worker, Level *at, bool mayNest) {
  Parcel *found = nullptr;
  if (awaitAwake(worker, at, mayNest, found))
    return found;
  // A ring that comes after the announcement changes it.
  uint32_t before = worker.alarmNow();
  Pool::beginSleep(worker, mayNest);
  found = mayNest ? takeDescendant(worker, at) : nullptr;
  uint64_t began = ticks();
  if (!found && !anyFinished(at))
    if (Mark waiting(worker.profile, Event::wait); Pool::sleep(worker, before))
      found = takeLent(worker, 0, [&](Parcel *parent) {
        return mayNest && descends(worker, at, parent);
      });
  worker.offerGap.waited(ticks() - began);
  bool rung = !Pool::endSleep(worker);
  // Perhaps for another parcel than the one it has found meanwhile.
  if (rung && (found || anyFinished(at)))
    Pool::wentOn();
  return found;
}

void awaitParcels(Worker &worker, Level *at) {
  Pool::checkFork();
  bool mayNest = !worker.stack.low() && worker.nested < kMostNested;
  Parcel *found = mayNest ? takeDescendant(worker, at) : nullptr;
  if (!found) {
    Worker *helped = worker.help(nullptr);
    found = awaitOrFind(worker, at, mayNest);
    worker.help(helped);
  }
  if (!found)
    return;
  CHAN_ASSERT(descends(worker, at, found), "I3: who waits runs no other");
  runParcel(worker, found);
}

Parcel *takeAny(Worker &worker) {
  return takeFromAll(worker, [](Parcel *) { return true; });
}

Parcel *takeOld(Worker &worker, uint32_t patience) {
  return takeFromAll(worker, [=, now = Pool::period()](Parcel *parcel) {
    // Periods are counted modulo 2^32.  relaxed: validated by the dequeue that
    // follows.
    uint32_t offered = parcel->period.load(std::memory_order_relaxed);
    return static_cast<int32_t>(now - offered - patience) > 0;
  });
}

bool areOffers() {
  uint32_t count = Pool::slotCount();
  for (uint32_t i = 0; i != count; ++i)
    if (Worker *worker = Pool::slot(i); worker && worker->outbox.ready())
      return true;
  return false;
}

uint64_t runParcel(Worker &worker, Parcel *parcel) {
  CHAN_ASSERT(started(parcel->block) == 0, "I2: what has started stays");
  Mark mark(worker.profile, Event::steal, parcel->number, parcel->block->count);
  uint32_t tree = worker.tree;
  const chan_channel *running = worker.running;
  worker.tree = parcel->tree;
  ++worker.yields;
  uint64_t began = ticks();
  if (!worker.context)
    worker.treeBegan = began;
  // relaxed: written before the parcel was queued.  The owner lives until the
  // parcel is finished.
  Worker *owner = parcel->owner.load(std::memory_order_relaxed);
  Worker *helpedBefore = worker.help(owner == &worker ? nullptr : owner);
  {
    // Its owner waits for all of it.
    NoCancellation noCancellation;
    TaskSignals taskSignals(worker, parcel->signals);
    ++worker.nested;
    Context context(worker, parcel);
    context.depth = parcel->depth;
    Level *base = context.base;
    chan_block *block = parcel->block;
    // relaxed: written before the parcel was queued.
    if (CHAN_UNLIKELY(worker.profile != nullptr) &&
        parcel->owner.load(std::memory_order_relaxed) != &worker)
      worker.profile->row(block->channel, {Form::kernel}, parcel->depth)
          ->stolen += block->count;
    worker.prepend(base, block);
    worker.drain(base);
    --worker.nested;
  }
  worker.running = running;
  worker.tree = tree;
  worker.help(helpedBefore);
  uint64_t took = parcel->took = ticks() - began;
  // seq_cst, see Parcel::isFinished; it is a release of all that was delivered.
  parcel->state.store(Parcel::finished, std::memory_order_seq_cst);
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
  // Also if its elements are on loan already.
  if (!hasUnstarted(deeper) || !worker.sharable)
    return;
  bool wanted = Pool::wanted();
  // Should a kernel that has been short so far be long this time, somebody sees
  // what is on loan.
  if (wanted && !isLight(worker.running))
    shareFromKernel(worker);
  // A kernel whose elements are known to be short soon lets its worker look.
  bool soonDone =
      at->measuredIn == worker.tree && at->slice[worker.running->kind] > 1;
  if ((!wanted && soonDone) || !worker.mayLend())
    return;
  chan_block *block = deeper->entries;
  if (!waiting(block))
    return;
  lend(worker, deeper, block);
  worker.hidden = block;
  deeper->entries = noBlock();
}
