//===- L2.cpp - The second-level cache ------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memory/L2.h"
#include "results/Statistics.h"

#include <algorithm>

namespace chansim {

static bool hasMasks(const Machine &machine) {
  return machine.l1.writePolicy != WritePolicy::fetch ||
         machine.lvc.writePolicy != WritePolicy::fetch;
}

L2::L2(const Machine &machine, Engine &engine, Dram &dram,
       Statistics &statistics)
    : engine(engine), clock(engine.clock(machine.clockOf.l2)), dram(dram),
      cache(machine.l2, "l2", hasMasks(machine), statistics),
      lineBytes(machine.l2.lineBytes), hitCycles(machine.l2.hitCycles),
      atomicCycles(machine.memory.atomicCycles), banks(machine.l2.banks) {
  engine.add(*this, clock);
  dram.setConsumer(*this);
  statistics.add("l2.atomics", "operations", "atomic operations performed",
                 counters.atomics);
  statistics.add("l2.blocked_cycles", "cycles",
                 "cycles of banks whose oldest request could not go on",
                 counters.blockedCycles);
}

uint32_t L2::connect(Component &consumer) {
  ports.push_back({&consumer, {}});
  return static_cast<uint32_t>(ports.size() - 1);
}

void L2::send(const Message &request) {
  banks[cache.bankOf(request.line)].requests.insert(
      request,
      [](const Message &a, const Message &b) { return a.ready < b.ready; });
  engine.wakeAt(*this, request.ready);
}

//===----------------------------------------------------------------------===//
// A cycle
//
//   1. Lines that have come from DRAM fill the cache, and their requests are
//      answered.
//   2. Each bank serves the oldest request that has arrived, if it can.
//   3. The L2 sleeps until a request arrives, or a bank is free for one.
//===----------------------------------------------------------------------===//

Activity L2::tick() {
  cycle = clock.cycle(engine.now());
  // 1.
  takeLines();
  // 2.
  for (Bank &bank : banks)
    serve(bank);
  // 3.
  if (Tick next = nextWork(); next != kNever)
    engine.wakeAt(*this, next);
  return Activity::asleep;
}

void L2::takeLines() {
  for (uint64_t line; dram.receive(line);) {
    Cache::Filled filled = cache.fill(line);
    writeBack(filled.writeBack);
    Bank &bank = banks[cache.bankOf(line)];
    for (const Cache::Target &target : filled.targets) {
      if (kindOf(target) == Message::Kind::atomic)
        bank.freeAt = std::max(bank.freeAt, cycle) + atomicCycles;
      respond(line, target);
    }
  }
}

void L2::serve(Bank &bank) {
  if (bank.requests.empty() || bank.requests.front().ready > engine.now() ||
      bank.freeAt > cycle)
    return;
  if (lookUp(bank, bank.requests.front()))
    bank.requests.pop();
  else
    ++counters.blockedCycles;
}

/// False if the request must stay.
bool L2::lookUp(Bank &bank, const Message &request) {
  if (request.kind == Message::Kind::writeBack) {
    if (dram.isFull(request.line))
      return false;
    writeBack(cache.writeLine(request.line, request.mask));
    bank.freeAt = cycle + 1;
    return true;
  }
  // Whatever it is, it needs the whole line.
  Cache::Found found = cache.find(request.line, lineBytes, /*isStore=*/false);
  if (found.outcome == Cache::Outcome::noMshr ||
      found.outcome == Cache::Outcome::noTarget)
    return false;
  if (found.outcome == Cache::Outcome::miss) {
    if (dram.isFull(request.line))
      return false;
    dram.send(request.line, /*isWrite=*/false);
  }
  bool isAtomic = request.kind == Message::Kind::atomic;
  counters.atomics += isAtomic;
  bank.freeAt = cycle + (isAtomic ? atomicCycles : 1);
  cache.access(found, request.line, lineBytes, isAtomic, targetOf(request));
  if (found.outcome == Cache::Outcome::hit)
    respond(request.line, targetOf(request));
  return true;
}

/// The DRAM takes as long for some bytes of a line as for all.
void L2::writeBack(const std::optional<Cache::WriteBack> &line) {
  if (line)
    dram.send(line->line, /*isWrite=*/true);
}

void L2::respond(uint64_t line, Cache::Target target) {
  // This cycle is the first of them.
  Tick ready = engine.now() + clock.ticks(hitCycles - 1);
  uint32_t index = cache.bankOf(line);
  Bank &bank = banks[index];
  Message response{line, kindOf(target), target.tag, {}, portOf(target), ready};
  response.number = responded++;
  bank.responses.push(response);
  if (bank.responses.size() == 1)
    offer(index);
}

//===----------------------------------------------------------------------===//
// The crossbar
//===----------------------------------------------------------------------===//

/// The bank's oldest response is one that its port can take.
void L2::offer(uint32_t index) {
  const Bank &bank = banks[index];
  Port &port = ports[bank.responses.front().port];
  port.banks.push_back(index);
  engine.wakeAt(*port.consumer, bank.sendsAt());
}

const Message *L2::response(uint32_t port) const {
  const Message *oldest = nullptr;
  for (uint32_t index : ports[port].banks) {
    const Bank &bank = banks[index];
    const Message &response = bank.responses.front();
    if (bank.sendsAt() <= engine.now() &&
        (!oldest || response.number < oldest->number))
      oldest = &response;
  }
  return oldest;
}

Tick L2::responseAt(uint32_t port) const {
  Tick next = kNever;
  for (uint32_t index : ports[port].banks)
    next = std::min(next, banks[index].sendsAt());
  return next;
}

void L2::take(const Message &response, Tick until) {
  uint32_t index = cache.bankOf(response.line);
  Bank &bank = banks[index];
  std::erase(ports[response.port].banks, index);
  bank.responses.pop();
  bank.linkFree = until;
  if (!bank.responses.empty())
    offer(index);
}

Tick L2::nextWork() const {
  Tick next = dram.nextArrival();
  for (const Bank &bank : banks)
    if (!bank.requests.empty())
      next = std::min(
          next, std::max({bank.requests.front().ready, clock.ticks(bank.freeAt),
                          engine.now() + clock.period()}));
  return next;
}

void L2::explain(std::string &text) const {
  for (size_t i = 0; i != banks.size(); ++i) {
    std::string name = " L2 bank " + std::to_string(i) + ": ";
    if (size_t count = banks[i].requests.size())
      text += "  requests to" + name + std::to_string(count) + "\n";
    if (size_t count = banks[i].responses.size())
      text += "  responses of" + name + std::to_string(count) + "\n";
  }
  if (uint32_t lines = cache.linesUnderWay())
    text +=
        "  lines from DRAM to L2 under way: " + std::to_string(lines) + "\n";
}

} // namespace chansim
