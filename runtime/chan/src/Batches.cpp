//===- Batches.cpp - Batches that a worker has begun ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batches.h"

#include <string.h>

namespace chan {

void complete(chan_block *block, const chan_batch_form *form, uint32_t begin,
              uint32_t end, void *results) {
  forEachField(form->uniform, [&](uint32_t number) {
    const void *first = fieldOf(block, number, 0);
    for (uint32_t i = begin; i != end; ++i)
      memmove(fieldOf(block, number, i), first,
              block->channel->fields[number].size);
  });
  if (form->result_field == UINT32_MAX)
    return;
  auto **places =
      static_cast<void **>(fieldOf(block, form->result_field, begin));
  for (uint32_t i = begin; i != end; ++i)
    *places++ = static_cast<char *>(results) + size_t(form->result_size) * i;
}

Batch *outermostUnbegun(Batches &batches) {
  Batch *innermost = batches.innermost, *found = nullptr;
  if (!innermost)
    return nullptr;
  // The innermost batch keeps an element as long as it is the innermost.
  uint32_t exhausted = innermost->number;
  for (Batch *batch = innermost; batch && batch->number >= batches.exhausted;
       batch = batch->outer) {
    bool gives = batch->unbegun() > (batch == innermost);
    if (gives)
      found = batch;
    if (gives || batch->isBeginning)
      exhausted = batch->number;
  }
  batches.exhausted = exhausted;
  return found;
}

void completeUnbegun(Batch &batch, uint32_t count) {
  complete(batch.elements, batch.form, batch.end - count, batch.end,
           batch.results);
}

} // namespace chan
