//===- Batch.cpp - Many activations in place ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Breadth first while a block has room, then depth first by slices: as Ren,
// Jo, Agrawal and Kulkarni, PPoPP 2015 and PLDI 2015, "re-expansion" included,
// since the children of several groups share a block.
//
// Elements that have not begun may become elements of a level at any time,
// with the address of their result for `ret`: so others can have them, and so
// a batch goes on in channels when it is too deep.  The batch drains that level
// before its caller looks at the results.
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "Clock.h"
#include "Pool.h"
#include "Sharing.h"
#include "Statistics.h"
#include "Talloc.h"
#include "Worker.h"

#include <new>
#include <string.h>

namespace chan {

/// Most elements of a batch.  What a level of it needs fits the first-level
/// cache, by and large.
static constexpr uint32_t kMostElements = 1024;
/// So few elements for so many levels are no use for lanes.
static constexpr uint32_t kNarrow = 2;
static constexpr uint32_t kNarrowLevels = 12;
/// Between two offers, in ticks: a few microseconds.
static constexpr uint64_t kBetweenOffers = 10000;

struct Batch : chan_batch {
  Batch *outer;
  const chan_channel *channel;
  /// The level of the kernel call that began it.
  const chan_level *level;
  /// Elements [next, end) have not begun.
  uint32_t next, end;
  /// Whether some of its elements went through channels.
  bool isShared;
  /// For how many levels there have been few elements.
  uint32_t narrow;
};

namespace {

constexpr size_t align(size_t bytes) { return (bytes + 63) & ~size_t(63); }

uint32_t roomFor(const Worker &worker, const chan_batch_form *form) {
  uint32_t room = worker.width < kMostElements ? worker.width : kMostElements;
  uint32_t least = form->lanes * (form->sites < 4 ? 4 : form->sites);
  return ((room > least ? room : least) + 63) & ~uint32_t(63);
}

void *field(chan_block *block, uint32_t number, uint32_t index) {
  const chan_field &field = block->channel->fields[number];
  return chan_block_data(block) + size_t(field.offset) * block->capacity +
         size_t(field.size) * index;
}

/// Has elements say where their results go.
void setResults(chan_block *block, uint32_t begin, uint32_t end,
                void *results) {
  const chan_batch_form *form = block->channel->batch;
  if (form->result_field == UINT32_MAX)
    return;
  auto **places = static_cast<void **>(field(block, form->result_field, begin));
  for (uint32_t i = begin; i != end; ++i)
    *places++ = static_cast<char *>(results) + size_t(form->result_size) * i;
}

/// Makes elements [begin, end), which have not begun, elements of the level
/// below the worker's.
void enqueue(Worker &worker, Batch &batch, uint32_t begin, uint32_t end) {
  setResults(batch.elements, begin, end, batch.results);
  batch.isShared = true;
  enqueueFrom(worker, batch.elements, begin, end);
}

/// Offers half of what has not begun of the outermost batch that has such.
void offer(Worker &worker) {
  Pool::checkFork();
  uint64_t now = ticks();
  if (now - worker.lastOffer < kBetweenOffers)
    return;
  Batch *from = nullptr;
  for (Batch *batch = worker.batches.innermost;
       batch && batch->level == worker.level; batch = batch->outer)
    if (batch->end - batch->next > (batch == worker.batches.innermost))
      from = batch;
  if (!from)
    return;
  uint32_t kept = (from->end - from->next) / 2;
  uint32_t end = from->end;
  from->end = from->next + kept;
  enqueue(worker, *from, from->end, end);
  shareFromKernel(worker);
}

void run(Worker &worker, chan_block *elements, uint32_t count, void *results,
         uint32_t narrow);

/// Runs the children, and has their results received.
void runChildren(Worker &worker, Batch &batch) {
  const chan_batch_form *form = batch.channel->batch;
  uint32_t count = batch.children->count;
  if (!count)
    return;
  run(worker, batch.children, count, batch.child_results, batch.narrow);
  batch.children->count = 0;
  if (form->receivers == UINT32_MAX)
    return;
  uint32_t records = form->receivers ? batch.spawned_count : 0;
  batch.received = 0;
  for (uint32_t i = 0; i != records;)
    i = form->phases[form->phase_count + batch.spawned[i].site](&worker, &batch,
                                                                i, records);
  batch.spawned_count = 0;
}

/// Takes the elements through their phases, by slices.
void runSlices(Worker &worker, Batch &batch) {
  const chan_batch_form *form = batch.channel->batch;
  while (batch.next != batch.end) {
    if (CHAN_UNLIKELY(Pool::wanted()) && worker.sharable)
      offer(worker);
    batch.first = batch.next;
    batch.pending = 0;
    // While the phase runs, and perhaps children in the midst of it, nobody
    // else knows which elements have begun.
    batch.next = batch.end;
    batch.next = form->phases[0](&worker, &batch, batch.first, batch.end);
    runChildren(worker, batch);
    for (uint32_t phase = 1; batch.pending; ++phase) {
      if (phase == form->phase_count)
        phase = 1;
      if (!(batch.pending >> phase & 1))
        continue;
      // Lanes may come to wait for it again.
      batch.pending &= ~(1u << phase);
      for (uint32_t at = batch.first; at != batch.next;) {
        at = form->phases[phase](&worker, &batch, at, batch.next);
        runChildren(worker, batch);
      }
    }
  }
}

/// Runs the elements [0, count) of a block of batches.
void run(Worker &worker, chan_block *elements, uint32_t count, void *results,
         uint32_t narrow) {
  const chan_channel *channel = elements->channel;
  const chan_batch_form *form = channel->batch;
  narrow = count <= kNarrow ? narrow + 1 : 0;
  if (CHAN_UNLIKELY(narrow == kNarrowLevels) && channel->serial &&
      worker.maySerialize(static_cast<Level *>(worker.level))) {
    setResults(elements, 0, count, results);
    Statistics::countSerial(count);
    for (uint32_t i = 0; i != count; ++i)
      channel->serial(&worker, elements, i);
    return;
  }
  Batches &batches = worker.batches;
  if (CHAN_UNLIKELY(!mayBatch(worker, channel))) {
    Batch batch = {};
    batch.elements = elements;
    batch.results = results;
    enqueue(worker, batch, 0, count);
    worker.yieldTo(static_cast<Level *>(worker.level)->next());
    return;
  }

  const chan_batch_form *child = form->callee->batch;
  uint32_t room = roomFor(worker, form);
  size_t block =
      align(CHAN_BLOCK_HEADER + size_t(room) * form->callee->element_size);
  size_t childResults = align(size_t(room) * child->result_size);
  size_t groups = (count + form->lanes - 1) / form->lanes;
  size_t locals = align(groups * form->lanes * form->local_size);
  bool inOrder = form->receivers == UINT32_MAX;
  size_t marks =
      groups * (form->phase_count - 1 + (inOrder ? 2 * form->sites : 0)) * 8;
  // One record may be written in vain.
  size_t records = inOrder ? 0 : (size_t(room) + 1) * sizeof(chan_spawned);
  size_t destinations = inOrder ? 0 : size_t(room) * sizeof(void *);
  // Memory is aligned to 16 bytes.
  size_t bytes =
      48 + block + childResults + locals + marks + records + destinations;

  Batches::Memory &memory = batches.memory[batches.depth];
  if (memory.bytes < bytes) {
    if (memory.begin)
      worker.memory.release(memory.begin, memory.bytes);
    memory.bytes = Memory::roundUp(bytes);
    memory.begin = worker.allocate(memory.bytes, channel,
                                   static_cast<Level *>(worker.level));
  }
  char *at =
      reinterpret_cast<char *>(align(reinterpret_cast<size_t>(memory.begin)));

  Batch batch = {};
  batch.elements = elements;
  batch.results = results;
  batch.children = reinterpret_cast<chan_block *>(at);
  *batch.children = {form->callee, 0, room, nullptr, 0};
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
  batch.channel = channel;
  batch.level = worker.level;
  batch.end = count;
  batch.outer = batches.innermost;
  batches.innermost = &batch;
  ++batches.depth;
  Statistics::countBatch(count);
  runSlices(worker, batch);
  batches.innermost = batch.outer;
  if (CHAN_UNLIKELY(batch.isShared))
    worker.yieldTo(static_cast<Level *>(worker.level)->next());
  --batches.depth;
}

} // namespace

bool mayBatch(const Worker &worker, const chan_channel *channel) {
  return channel->batch && worker.batches.depth < Batches::kMostDepth - 1 &&
         !worker.stack.isDeepForClones();
}

void runBatch(Worker &worker, chan_block *block, uint32_t begin, uint32_t end) {
  const chan_channel *channel = block->channel;
  const chan_batch_form *form = channel->batch;
  Batches &batches = worker.batches;
  uint32_t room = roomFor(worker, form);
  size_t blockBytes =
      align(CHAN_BLOCK_HEADER + size_t(room) * channel->element_size);
  // Whole groups of lanes are written.
  size_t bytes = blockBytes + size_t(room) * form->result_size;
  char *memory = static_cast<char *>(
      worker.allocate(bytes, channel, static_cast<Level *>(worker.level)));
  auto *elements = new (memory) chan_block{channel, 0, room, nullptr, 0};
  char *results = memory + blockBytes;
  for (uint32_t count; begin != end; begin += count) {
    count = end - begin < room ? end - begin : room;
    for (uint32_t i = 0; i != channel->field_count; ++i)
      memcpy(field(elements, i, 0), field(block, i, begin),
             size_t(channel->fields[i].size) * count);
    Batch *outer = batches.innermost;
    run(worker, elements, count, results, 0);
    CHAN_ASSERT(batches.innermost == outer, "batches end inside out");
    (void)outer;
    if (form->result_field == UINT32_MAX)
      continue;
    auto **places =
        static_cast<void **>(field(block, form->result_field, begin));
    for (uint32_t i = 0; i != count; ++i)
      if (places[i])
        memcpy(places[i], results + size_t(form->result_size) * i,
               form->result_size);
  }
  worker.memory.release(memory, bytes);
}

} // namespace chan

void chan_batch_flush(chan_worker *worker, chan_batch *batch) {
  chan::runChildren(chan::self(worker), *static_cast<chan::Batch *>(batch));
}
