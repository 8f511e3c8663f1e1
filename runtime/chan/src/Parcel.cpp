//===- Parcel.cpp - A block on its way to another worker ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parcel.h"
#include "Worker.h"

#include <new>
#include <pthread.h>
#include <stdlib.h>

namespace chan {
namespace {
constexpr size_t kPerSlab = 63;
struct Slab {
  Slab *next;
  Parcel parcels[kPerSlab];
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
Parcel *freeParcels = nullptr;
Slab *slabs = nullptr;
} // namespace

Parcel *Parcel::make() {
  pthread_mutex_lock(&lock);
  if (!freeParcels) {
    if (void *space = malloc(sizeof(Slab))) {
      slabs = new (space) Slab{slabs, {}};
      for (Parcel &parcel : slabs->parcels) {
        parcel.next = freeParcels;
        freeParcels = &parcel;
      }
    }
  }
  Parcel *parcel = freeParcels;
  if (parcel)
    freeParcels = parcel->next;
  pthread_mutex_unlock(&lock);
  if (!parcel)
    return nullptr;
  // relaxed: the outbox publishes it.
  parcel->state.store(queued, std::memory_order_relaxed);
  parcel->references.store(2, std::memory_order_relaxed);
  return parcel;
}

void Parcel::beginFork() { pthread_mutex_lock(&lock); }
void Parcel::endFork() { pthread_mutex_unlock(&lock); }

void Parcel::freeAll() {
  while (slabs) {
    Slab *slab = slabs;
    slabs = slab->next;
    free(slab);
  }
  freeParcels = nullptr;
}

void Parcel::freeBlock(Worker &owner) {
  if (bytes)
    owner.memory.release(block, bytes);
  else
    free(block);
}

void Parcel::drop() {
  // acq_rel: who recycles it comes after whatever the other did with it.
  if (references.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  pthread_mutex_lock(&lock);
  next = freeParcels;
  freeParcels = this;
  pthread_mutex_unlock(&lock);
}

} // namespace chan
