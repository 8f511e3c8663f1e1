//===- Modules.cpp - From functions to entry channels ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Processor.h"
#include "Support.h"
#include "chan/abi.h"

#include <atomic>
#include <new>
#include <pthread.h>
#include <stdlib.h>

namespace chan {
namespace {

/// An open-addressing hash table, immutable once it is published.
struct Table {
  /// Superseded tables. They live until exit, since a reader may still use one.
  Table *older;
  size_t mask;
  const chan_export *slots[1];
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
chan_module *modules = nullptr;
Table *retired = nullptr;
/// Null when modules have been added or removed since the last table was built.
/// So a program of many objects registers all of them and builds one table.
std::atomic<Table *> published{nullptr};

size_t hash(void (*function)(void)) {
  auto key = reinterpret_cast<uintptr_t>(function);
  return static_cast<size_t>((key >> 4) * 0x9e3779b97f4a7c15u >> 20);
}

void invalidate() {
  // relaxed: the lock orders the writers.
  if (Table *table = published.load(std::memory_order_relaxed)) {
    table->older = retired;
    retired = table;
    // relaxed: a reader that still sees the old table reads what was true.
    published.store(nullptr, std::memory_order_relaxed);
  }
}

Table *build() {
  size_t count = 0;
  for (chan_module *module = modules; module; module = module->next)
    count += module->export_count;
  size_t slots = 8;
  while (slots < 2 * count)
    slots *= 2;
  size_t bytes = sizeof(Table) + (slots - 1) * sizeof(const chan_export *);
  auto *table = static_cast<Table *>(calloc(1, bytes));
  if (!table) {
    // Released first, since the end of the process takes the lock again.
    pthread_mutex_unlock(&lock);
    (Message() << "out of memory: needs " << uint64_t(bytes)
               << " bytes more for the table of spawning functions")
        .print();
    fail();
  }
  table->mask = slots - 1;
  for (chan_module *module = modules; module; module = module->next) {
    for (uint32_t i = 0; i != module->export_count; ++i) {
      const chan_export *exported = &module->exports[i];
      size_t slot = hash(exported->function) & table->mask;
      while (table->slots[slot] &&
             table->slots[slot]->function != exported->function)
        slot = (slot + 1) & table->mask;
      table->slots[slot] = exported;
    }
  }
  return table;
}

Table *current() {
  // acquire: with the release in here, the table's slots are visible.
  Table *table = published.load(std::memory_order_acquire);
  if (table)
    return table;
  pthread_mutex_lock(&lock);
  table = published.load(std::memory_order_relaxed); // the lock orders it
  if (!table) {
    table = build();
    published.store(table, std::memory_order_release); // see above
  }
  pthread_mutex_unlock(&lock);
  return table;
}

__attribute__((destructor)) void freeTables() {
  pthread_mutex_lock(&lock);
  invalidate();
  while (retired) {
    Table *table = retired;
    retired = table->older;
    free(table);
  }
  pthread_mutex_unlock(&lock);
}

} // namespace
} // namespace chan

using namespace chan;

void chan_register(chan_module *module) {
  if (module->abi_version != CHAN_ABI_VERSION) {
    (Message() << "an object was compiled for version "
               << uint64_t(module->abi_version)
               << " of the runtime's interface, this is version "
               << uint64_t(CHAN_ABI_VERSION))
        .print();
    fail();
  }
  if (module->features)
    checkProcessor(module->processor, module->features);
  pthread_mutex_lock(&lock);
  module->next = modules;
  modules = module;
  invalidate();
  pthread_mutex_unlock(&lock);
}

void chan_unregister(chan_module *module) {
  pthread_mutex_lock(&lock);
  for (chan_module **link = &modules; *link; link = &(*link)->next) {
    if (*link == module) {
      *link = module->next;
      break;
    }
  }
  invalidate();
  pthread_mutex_unlock(&lock);
}

static const chan_channel *resolve(void (*function)(void), uint64_t signature,
                                   bool onDevice,
                                   const chan_channel *otherwise) {
  const Table *table = current();
  size_t slot = hash(function) & table->mask;
  while (const chan_export *exported = table->slots[slot]) {
    if (exported->function == function)
      return exported->signature == signature &&
                     !exported->channel->kernel == onDevice
                 ? exported->channel
                 : otherwise;
    slot = (slot + 1) & table->mask;
  }
  return otherwise;
}

const chan_channel *chan_resolve(void (*function)(void), uint64_t signature,
                                 const chan_channel *otherwise) {
  return resolve(function, signature, /*onDevice=*/false, otherwise);
}

const chan_channel *chan_resolve_device(void (*function)(void),
                                        uint64_t signature,
                                        const chan_channel *otherwise) {
  return resolve(function, signature, /*onDevice=*/true, otherwise);
}
