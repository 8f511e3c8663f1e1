//===- Batch.cpp - Many activations in place ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Breadth first while a block has room, then depth first by slices: as Ren, Jo,
// Krishnamoorthy, Agrawal and Kulkarni, PLDI 2015. Since the children of
// several groups share a block, this includes their "re-expansion".
//
// At any time, elements that have not begun may become elements of the level
// below, with the address of their result for `ret`. So thieves can take them
// (Sharing.cpp), and so a batch that is too deep goes on in channels. The batch
// drains that level before its caller reads the results.
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "Batches.h"
#include "Clock.h"
#include "Demand.h"
#include "Pool.h"
#include "Profile.h"
#include "ReductionVariables.h"
#include "Sharing.h"
#include "Talloc.h"
#include "Tuning.h"
#include "Worker.h"

#include <new>
#include <string.h>

namespace chan {

namespace {

/// A group that begins with the last element of a block is read as a whole.
constexpr size_t kReadBehind = 64 * sizeof(uint64_t);

constexpr size_t align(size_t bytes) { return (bytes + 63) & ~size_t(63); }

/// Least room for the children of a group.
uint32_t leastRoom(const chan_batch_form *form) {
  uint32_t lanes = std::max(form->lanes, form->reducing_lanes);
  return lanes * std::max(form->sites, 4u);
}

/// Capacity of a block of `channel` in a batch. Its elements are children of
/// elements of `form`, or elements of `form` themselves.
uint32_t roomFor(const Worker &worker, const chan_batch_form *form,
                 const chan_channel *channel, bool reduces) {
  uint32_t room = worker.widthOf(channel);
  if (!channel->width) {
    // The address of the result is not stored in a batch, and a uniform field
    // is stored once.
    const chan_batch_form *own = channel->batch;
    size_t bytes = channel->element_size;
    uint32_t arrays = channel->field_count;
    if (own->result_field != UINT32_MAX) {
      bytes -= sizeof(void *);
      --arrays;
    }
    forEachField(own->uniform, [&](uint32_t number) {
      bytes -= channel->fields[number].size;
      --arrays;
    });
    uint32_t most = reduces ? kMostBatched : kMostBatchedWaiting;
    if (!reduces)
      bytes += own->result_size + form->local_size;
    uint32_t mostBytes = arrays <= kFewArrays ? kBatchBytesOfFew : kBatchBytes;
    if (bytes * most > mostBytes)
      most = static_cast<uint32_t>(mostBytes / bytes);
    room = room < most ? room : most;
  }
  return (std::max(room, leastRoom(form)) + 63) & ~uint32_t(63);
}

/// How much room the children of `count` elements of `form` can need. If the
/// elements spawn in a loop, it is how much they are likely to need. In a
/// narrow and deep tree, more room would be memory that is cleared without use.
uint32_t roomForChildren(const chan_batch_form *form, uint32_t count) {
  uint32_t lanes = std::max(form->lanes, form->reducing_lanes);
  uint64_t groups = (count + lanes - 1) / lanes;
  uint64_t room = groups * leastRoom(form);
  if (form->handlers != UINT32_MAX)
    room = std::max(room, uint64_t(count) * kLikelyChildren);
  room = std::min(room, uint64_t(kMostBatched) * 64);
  return (static_cast<uint32_t>(room) + 63) & ~uint32_t(63);
}

/// How many of the elements [begin, end) have the same uniform fields as the
/// first.
uint32_t countAlike(chan_block *block, const chan_batch_form *form,
                    uint32_t begin, uint32_t end) {
  forEachField(form->uniform, [&](uint32_t number) {
    const void *first = fieldOf(block, number, begin);
    for (uint32_t i = begin + 1; i != end; ++i)
      if (memcmp(fieldOf(block, number, i), first,
                 block->channel->fields[number].size) != 0) {
        end = i;
        break;
      }
  });
  return end - begin;
}

void run(Worker &worker, chan_block *elements, uint32_t count, void *results,
         void *accumulator, uint32_t narrow, uint32_t tested);

/// Combines the results of elements that a thief or a serial clone ran.
void combineResults(const chan_batch_form *form, void *accumulator,
                    const void *results, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; accumulator && i != end; ++i)
    combine(form->reduces, form->result_size, accumulator,
            static_cast<const char *>(results) + size_t(form->result_size) * i);
}

/// How many batches of the running kernel call there are.
uint32_t depthOf(const Worker &worker) {
  const Batch *outer = worker.batches.innermost;
  return outer && outer->level == worker.level ? outer->depth + 1 : 0;
}

/// Counts the lanes of the slice that wait for the phase.
void countWaiting(Span &span, const Batch &batch, uint32_t phase) {
  const chan_batch_form *form = batch.form;
  bool inOrder = form->handlers == UINT32_MAX;
  uint32_t words = form->phase_count - 1 + (inOrder ? 2 * form->sites : 0);
  const uint64_t *marks = batch.marks + phase - 1;
  for (uint32_t at = batch.first; at < batch.next;
       at += form->lanes, marks += words)
    if (*marks)
      span.addGroups(__builtin_popcountll(*marks), form->lanes);
}

/// As call, with statistics.
[[gnu::noinline]] uint32_t callCounted(Worker &worker, Batch &batch,
                                       chan_phase function, Form form,
                                       uint32_t begin, uint32_t end) {
  uint32_t lanes =
      batch.accumulator ? batch.form->reducing_lanes : batch.form->lanes;
  Span span(worker, batch.elements->channel, form, worker.level, 0,
            batch.depth);
  // A phase that goes on after an interruption has been counted.
  if (form.kind == Form::phase && form.number && begin == batch.first)
    countWaiting(span, batch, form.number);
  uint32_t next = function(&worker, &batch, begin, end);
  if (form == Form{Form::phase, 0} || form.kind == Form::reduction)
    span.addGroups(next - begin, (next - begin + lanes - 1) / lanes * lanes);
  if (form.kind == Form::handler)
    for (uint32_t i = begin; i != next; ++i)
      span.addGroups(__builtin_popcountll(batch.spawned[i].mask), lanes);
  return next;
}

/// Calls a phase for some of [begin, end), or a result handler for some of
/// these records. Returns the index of the next.
inline uint32_t call(Worker &worker, Batch &batch, Form form, uint32_t begin,
                     uint32_t end) {
  const chan_batch_form *code = batch.form;
  uint32_t number = form.number;
  if (form.kind != Form::phase)
    number += code->phase_count;
  if (form.kind == Form::reduction && code->handlers != UINT32_MAX)
    number += code->handlers;
  chan_phase function = code->phases[number];
  if (CHAN_UNLIKELY(worker.profile != nullptr))
    return callCounted(worker, batch, function, form, begin, end);
  return function(&worker, &batch, begin, end);
}

/// Runs the children and has the handlers process their results.
void runChildren(Worker &worker, Batch &batch) {
  const chan_batch_form *form = batch.form;
  uint32_t count = batch.children->count;
  if (!count)
    return;
  run(worker, batch.children, count, batch.child_results, batch.accumulator,
      batch.narrow, batch.tests);
  batch.children->count = 0;
  if (form->handlers == UINT32_MAX || batch.accumulator)
    return;
  uint32_t records = form->handlers ? batch.spawned_count : 0;
  batch.handled = 0;
  for (uint32_t i = 0; i != records;)
    i = call(worker, batch, {Form::handler, batch.spawned[i].site}, i, records);
  batch.spawned_count = 0;
}

/// Takes the elements through their phases, by slices.
void runSlices(Worker &worker, Batch &batch) {
  const chan_batch_form *form = batch.form;
  while (batch.next != batch.end) {
    if (CHAN_UNLIKELY(Demand::wanted()) && worker.sharable)
      shareFromKernel(worker);
    batch.first = batch.next;
    batch.pending = 0;
    // While the phase runs, only the phase itself knows which elements have
    // begun.
    batch.next = batch.end;
    batch.isBeginning = true;
    batch.next =
        call(worker, batch, {batch.accumulator ? Form::reduction : Form::phase},
             batch.first, batch.end);
    batch.isBeginning = false;
    runChildren(worker, batch);
    for (uint32_t phase = 1; batch.pending; ++phase) {
      if (phase == form->phase_count)
        phase = 1;
      if (!(batch.pending >> phase & 1))
        continue;
      // Lanes may wait for this phase again.
      batch.pending &= ~(1u << phase);
      for (uint32_t at = batch.first; at != batch.next;) {
        at = call(worker, batch, {Form::phase, phase}, at, batch.next);
        runChildren(worker, batch);
      }
    }
  }
}

/// Maps the pages at [from, to) of `memory`, which will hold the children's
/// results. If all children end before they spawn, none stores a result, and
/// the pages would stay unmapped. A handler then loads nothing, under an empty
/// mask. For such a load without a page a Zen 4 takes 0.15 us each time: it
/// raises a fault and drops it.
void mapResults(Batches::Memory &memory, size_t from, size_t to) {
  if (memory.mappedFrom != memory.mappedTo) {
    from = std::min(from, memory.mappedFrom);
    to = std::max(to, memory.mappedTo);
  }
  auto *bytes = static_cast<volatile char *>(memory.begin);
  for (size_t at = from; at < to; at += Memory::kPage)
    bytes[at] = 0;
  if (from != to)
    bytes[to - 1] = 0;
  memory.mappedFrom = from;
  memory.mappedTo = to;
}

/// Runs the elements [0, count) of a block of batches. Leaves their results or,
/// if `accumulator` is not null, combines all of them with its value. `tested`
/// becomes the batch's member.
void run(Worker &worker, chan_block *elements, uint32_t count, void *results,
         void *accumulator, uint32_t narrow, uint32_t tested) {
  const chan_channel *channel = elements->channel;
  const chan_batch_form *form = formFor(worker, channel);
  Batches &batches = worker.batches;
  batches.elements += count;
  narrow = count <= kNarrow ? narrow + 1 : 0;
  bool isFew = narrow == kNarrowLevels;
  if (depthOf(worker) >= kSparseFromLevel) {
    isFew |= batches.sparse.isFew(count);
    batches.sparse.count(count);
  }
  if (CHAN_UNLIKELY(isFew) && channel->serial &&
      worker.maySerialize(static_cast<Level *>(worker.level))) {
    complete(elements, form, 0, count, results);
    Span span(worker, channel, {Form::clone}, worker.level, count,
              depthOf(worker));
    uint64_t began = ticks();
    worker.runClones(elements, 0, count);
    batches.sparse.time(ticks() - began);
    combineResults(form, accumulator, results, 0, count);
    return;
  }
  if (CHAN_UNLIKELY(!mayBatch(worker, channel))) {
    complete(elements, form, 0, count, results);
    enqueueFrom(worker, elements, 0, count);
    countYield(worker);
    worker.yieldTo(static_cast<Level *>(worker.level)->next());
    combineResults(form, accumulator, results, 0, count);
    return;
  }

  const chan_batch_form *child = formFor(worker, form->callee);
  uint32_t room =
      std::min(roomFor(worker, form, form->callee, accumulator != nullptr),
               roomForChildren(form, count));
  size_t block =
      align(CHAN_BLOCK_HEADER + size_t(room) * form->callee->element_size);
  size_t childResults = align(size_t(room) * child->result_size);
  size_t groups = (count + form->lanes - 1) / form->lanes;
  size_t locals = align(groups * form->lanes * form->local_size);
  bool inOrder = form->handlers == UINT32_MAX;
  // A reduction leaves nothing to wait for.
  size_t marks =
      accumulator
          ? 0
          : groups * (form->phase_count - 1 + (inOrder ? 2 * form->sites : 0)) *
                8;
  // One record more may be written without use.
  size_t records = inOrder ? 0 : (size_t(room) + 1) * sizeof(chan_spawned);
  size_t destinations = inOrder ? 0 : size_t(room) * sizeof(void *);
  // Memory is aligned to 16 bytes.
  size_t bytes = 48 + block + childResults + locals + marks + records +
                 destinations + kReadBehind;

  Batches::Memory &memory = batches.memory[batches.depth];
  if (memory.bytes < bytes) {
    if (memory.begin)
      worker.memory.release(memory.begin, memory.bytes);
    memory.bytes = Memory::roundUp(bytes);
    memory.begin = worker.allocate(memory.bytes, channel,
                                   static_cast<Level *>(worker.level));
    memory.mappedFrom = memory.mappedTo = 0;
  }
  char *at =
      reinterpret_cast<char *>(align(reinterpret_cast<size_t>(memory.begin)));
  size_t resultsFrom = at + block - static_cast<char *>(memory.begin);
  if (CHAN_UNLIKELY(resultsFrom < memory.mappedFrom ||
                    resultsFrom + childResults > memory.mappedTo))
    mapResults(memory, resultsFrom, resultsFrom + childResults);

  Batch batch = {};
  batch.elements = elements;
  batch.results = results;
  batch.accumulator = accumulator;
  batch.tested = tested;
  batch.children = reinterpret_cast<chan_block *>(at);
  *batch.children = {accumulator ? child->reducing : form->callee, 0, room,
                     nullptr, 0};
  batch.child_results = at + block;
  batch.locals = at + block + childResults;
  batch.marks =
      reinterpret_cast<uint64_t *>(at + block + childResults + locals);
  batch.spawned = reinterpret_cast<chan_spawned *>(
      reinterpret_cast<char *>(batch.marks) + marks);
  batch.destinations = reinterpret_cast<void **>(
      reinterpret_cast<char *>(batch.spawned) + records);
  CHAN_ASSERT(reinterpret_cast<char *>(batch.destinations) + destinations <=
                  static_cast<char *>(memory.begin) + memory.bytes,
              "a batch stays in its memory");
  batch.narrow = narrow;
  batch.form = form;
  batch.context = worker.context;
  batch.level = worker.level;
  batch.depth = depthOf(worker);
  batch.end = count;
  batch.outer = batches.innermost;
  batch.number = batches.depth;
  batches.innermost = &batch;
  ++batches.depth;
  Span span(worker, channel, {Form::batch}, worker.level, count, batch.depth);
  runSlices(worker, batch);
  batches.innermost = batch.outer;
  if (batches.exhausted > batch.number)
    batches.exhausted = batch.number;
  if (CHAN_UNLIKELY(batch.isShared)) {
    worker.yieldTo(static_cast<Level *>(worker.level)->next());
    // The elements from the new end on were offered to thieves.
    combineResults(form, accumulator, results, batch.end, count);
  }
  --batches.depth;
}

/// Runs the elements [0, count) as a reduction of all their results.
void runReduction(Worker &worker, chan_block *elements, uint32_t count,
                  void *results) {
  const chan_channel *channel = elements->channel;
  const chan_batch_form *form = formFor(worker, channel);
  uint64_t all = identityOf(form->reduces, form->result_size), others = all;
  elements->channel = form->reducing;
  run(worker, elements, count, results, &all, 0, /*tested=*/0);
  elements->channel = channel;
  for (uint32_t i = 1; i != count; ++i)
    memcpy(static_cast<char *>(results) + size_t(form->result_size) * i,
           &others, form->result_size);
  memcpy(results, &all, form->result_size);
}

/// How many of the elements [begin, end) have adjacent places for their
/// results.
uint32_t countAdjoining(chan_block *block, const chan_batch_form *form,
                        uint32_t begin, uint32_t end) {
  auto **places =
      static_cast<char **>(fieldOf(block, form->result_field, begin));
  uint32_t count = 1;
  while (begin + count != end &&
         places[count] == places[count - 1] + form->result_size)
    ++count;
  return count;
}

} // namespace

const chan_batch_form *formFor(const Worker &worker,
                               const chan_channel *channel) {
  const chan_batch_form *form = channel->batch;
  while (form && form->processor > worker.processor)
    form = form->next;
  return form;
}

bool mayBatch(const Worker &worker, const chan_channel *channel) {
  return formFor(worker, channel) &&
         worker.batches.depth < kMostBatchDepth - 1 &&
         !worker.stack.isDeepForClones();
}

void runBatch(Worker &worker, chan_block *block, uint32_t begin, uint32_t end) {
  const chan_channel *channel = block->channel;
  const chan_batch_form *form = formFor(worker, channel);
  Batches &batches = worker.batches;
  uint32_t room = roomFor(worker, form, channel, /*reduces=*/false);
  size_t blockBytes =
      align(CHAN_BLOCK_HEADER + size_t(room) * channel->element_size);
  // Whole groups of lanes are written.
  size_t bytes = blockBytes + size_t(room) * form->result_size + kReadBehind;
  char *memory = static_cast<char *>(
      worker.allocate(bytes, channel, static_cast<Level *>(worker.level)));
  auto *elements = new (memory) chan_block{channel, 0, room, nullptr, 0};
  char *results = memory + blockBytes;
  bool reduces = channel->flags & CHAN_REDUCES;
  // A large tree fills the lanes by itself and needs no results of its parts.
  // Small trees fill them together, if there are phases for that.
  bool isAlone = form->reduces && !reduces;
  bool mayJoin = form->phase_count != 0;
  for (uint32_t count; begin != end; begin += count) {
    count =
        countAlike(block, form, begin, end - begin < room ? end : begin + room);
    if (isAlone)
      count = 1;
    else if (reduces)
      count = countAdjoining(block, form, begin, begin + count);
    for (uint32_t i = 0; i != channel->field_count; ++i)
      memcpy(fieldOf(elements, i, 0), fieldOf(block, i, begin),
             size_t(channel->fields[i].size) * count);
    Batch *outer = batches.innermost;
    if (isAlone && mayJoin && begin + 1 != end) {
      uint64_t began = ticks();
      runReduction(worker, elements, 1, results);
      isAlone = ticks() - began >= durations.slice;
    } else if (isAlone || reduces) {
      runReduction(worker, elements, count, results);
    } else {
      run(worker, elements, count, results, nullptr, 0, /*tested=*/0);
    }
    CHAN_ASSERT(batches.innermost == outer, "batches end inside out");
    (void)outer;
    if (form->result_field == UINT32_MAX)
      continue;
    auto **places =
        static_cast<void **>(fieldOf(block, form->result_field, begin));
    for (uint32_t i = 0; i != count; ++i)
      if (places[i])
        memcpy(places[i], results + size_t(form->result_size) * i,
               form->result_size);
  }
  flushReductions(worker);
  worker.memory.release(memory, bytes);
}

} // namespace chan

uint32_t chan_batch_flush(chan_worker *caller, chan_batch *of, uint32_t next,
                          uint32_t end) {
  chan::Worker &worker = chan::self(caller);
  auto &batch = *static_cast<chan::Batch *>(of);
  if (!batch.isBeginning) {
    chan::runChildren(worker, batch);
    return end;
  }
  CHAN_ASSERT(next <= end && end == batch.end,
              "a phase begins the elements that it was told to");
  batch.next = next;
  batch.isBeginning = false;
  chan::runChildren(worker, batch);
  batch.isBeginning = true;
  batch.next = batch.end;
  return batch.end;
}
