//===- DirectoryClient.cpp - What caches at the directory share -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For example, what a hit does (hit_cycles = 4):
//
//   cycle 0   tryAccess: count, enter
//         4   the cache's tick: completions, and the consumer is woken
//
//===----------------------------------------------------------------------===//

#include "coherence/DirectoryClient.h"

#include <cassert>
#include <cinttypes>

namespace chansim {

DirectoryClient::DirectoryClient(const CacheParameters &parameters,
                                 const std::string &label, Clock clock,
                                 Engine &engine, Directory &directory,
                                 FrameTable &frames,
                                 [[maybe_unused]] const Machine &machine)
    : engine(engine), network(directory.network()), label(label),
      parameters(parameters), period(clock.period()),
      hitTicks(clock.ticks(parameters.hitCycles)),
      map(frames, static_cast<uint32_t>(network.size())),
      self(directory.connect(*this, label)), tags(parameters),
      bankFree(parameters.banks),
      mshrCount((parameters.spansBanks() ? 1 : parameters.banks) *
                parameters.mshrs) {
  assert(parameters.lineBytes == machine.l2.lineBytes);
  for (uint32_t i = mshrCount; i--;)
    freeMshrs.push_back(i);
  engine.add(*this, clock);
}

void DirectoryClient::count(Access access) {
  ++counters.accesses;
  ++(access == Access::read    ? counters.reads
     : access == Access::write ? counters.writes
                               : counters.atomics);
}

void DirectoryClient::enter(Target target, Tick at, Tick readAt) {
  if (target.requester == kPosted)
    return;
  pipe.insert({at, target, readAt},
              [](const Due &a, const Due &b) { return a.at < b.at; });
  engine.wakeAt(*this, at);
}

uint32_t DirectoryClient::takeMshr() {
  uint32_t number = freeMshrs.back();
  freeMshrs.pop_back();
  return number;
}

void DirectoryClient::countRefusals(Via, Taken why, uint64_t cycles) {
  if (why == Taken::noMshr)
    counters.noMshr += cycles;
  else if (why == Taken::noTarget)
    counters.noTarget += cycles;
  else if (why == Taken::noWriteBack)
    counters.noPut += cycles;
}

uint64_t DirectoryClient::place(uint64_t address, uint32_t bytes,
                                const PrivateWindow *window) const {
  Request request{};
  request.address = address;
  request.bytes = bytes;
  map.place(request, window);
  return request.address;
}

uint64_t DirectoryClient::lineOf(uint64_t address) {
  return tags.lineOf(map.physical(place(address, 1, nullptr), Via::l1));
}

void DirectoryClient::post(const moesi::Message &message, Tick leaves) {
  link.post(message, leaves);
  if (leaves <= engine.now())
    // All that was due before has gone.
    link.drain(network, engine.now());
  else
    engine.wakeAt(*this, leaves);
}

void DirectoryClient::arrive(const moesi::Message &message, Tick at) {
  inbox.add(message, at);
  engine.wakeAt(*this, at);
}

void DirectoryClient::roomHasCome() {
  if (isRefusing)
    engine.wake(*consumer);
  isRefusing = false;
}

std::string DirectoryClient::hex(uint64_t line) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%" PRIx64, line);
  return text;
}

void DirectoryClient::record(Trace &trace) {
  lanes = std::make_unique<TraceLanes>(trace, label + " misses");
}

void DirectoryClient::trace(const char *answer, uint64_t since, uint64_t line,
                            std::string_view request, uint64_t accesses) {
  if (lanes)
    lanes->span(answer, since, engine.coreCycle(),
                {{"line", 0, hex(line)},
                 {"request", 0, std::string(request)},
                 {"accesses", accesses}});
}

} // namespace chansim
