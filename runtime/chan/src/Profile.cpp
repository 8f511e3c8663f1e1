//===- Profile.cpp - Counters and events of a worker ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profile.h"

#include <new>
#include <stdlib.h>
#include <string.h>

namespace chan {
namespace {

uint32_t hash(const chan_channel *channel, Form form, uint32_t level) {
  uint64_t key = reinterpret_cast<uintptr_t>(channel) ^
                 (uint64_t(level) << 40) ^ (uint64_t(form.kind) << 56) ^
                 (uint64_t(form.number) << 32);
  return static_cast<uint32_t>(key * 0x9e3779b97f4a7c15u >> 32);
}

} // namespace

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void Profile::grow() {
  uint32_t size = tableSize ? 2 * tableSize : 64;
  auto **larger = static_cast<Row **>(calloc(size, sizeof(Row *)));
  if (!larger)
    outOfMemory();
  for (Row *row = rows(); row; row = row->next) {
    uint32_t at = hash(row->channel, row->form, row->level);
    while (larger[at & (size - 1)])
      ++at;
    larger[at & (size - 1)] = row;
  }
  free(table);
  table = larger;
  tableSize = size;
}

Row *Profile::row(const chan_channel *channel, Form form, uint32_t level) {
  if (level > kDeepLevel)
    level = kDeepLevel;
  if (2 * rowCount >= tableSize)
    grow();
  uint32_t at = hash(channel, form, level);
  for (; Row *known = table[at & (tableSize - 1)]; ++at)
    // After a library was closed, the channel of another one may have the same
    // address.
    if (known->channel == channel && known->form == form &&
        known->level == level && strcmp(known->name, channel->name) == 0)
      return known;
  void *space = calloc(1, sizeof(Row));
  char *name = strdup(channel->name);
  if (!space || !name)
    outOfMemory();
  auto *row = new (space) Row;
  row->channel = channel;
  row->name = name;
  row->form = form;
  row->level = level;
  row->elementSize = channel->element_size;
  row->isEntry = channel->kind == CHAN_ENTRY;
  row->next = rows();
  firstRow.store(row, std::memory_order_release); // shows the row
  table[at & (tableSize - 1)] = row;
  ++rowCount;
  return row;
}

//===----------------------------------------------------------------------===//
// Spans
//===----------------------------------------------------------------------===//

void Span::begin(Worker &owner, const chan_channel *channel, Form form,
                 uint32_t level, uint32_t elements) {
  worker = &owner;
  outer = profile->innermost;
  profile->innermost = this;
  row = profile->row(channel, form, level);
  row->elements += elements;
  row->calls += 1;
  if (form.kind == Form::clone && !(channel->flags & CHAN_CLONE_COUNTS))
    row->uncounted += elements;
  if (form.kind == Form::kernel && channel->lanes > 1)
    row->lanes +=
        (elements + channel->lanes - 1) / channel->lanes * channel->lanes;
  ticksInside = tasksInside = 0;
  tasksBefore = owner.clone_tasks;
  began = ticks();
  event = profile->events
              ? profile->events->begin(Event::call, began, row, 0, elements)
              : nullptr;
}

void Span::end() {
  uint64_t now = ticks();
  uint64_t passed = now - began, tasks = worker->clone_tasks - tasksBefore;
  row->ticks += passed - ticksInside;
  // Only clones increment it.
  row->tasks += tasks - tasksInside;
  if (event)
    event->ended.store(now, std::memory_order_relaxed);
  if (outer) {
    outer->ticksInside += passed;
    outer->tasksInside += tasks;
  }
  profile->innermost = outer;
  profile = nullptr;
}

void Span::addGroups(uint64_t elements, uint64_t lanes) {
  row->elements += elements;
  row->lanes += lanes;
  if (event)
    event->elements += static_cast<uint32_t>(elements);
}

} // namespace chan
