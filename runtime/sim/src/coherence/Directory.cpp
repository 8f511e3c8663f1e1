//===- Directory.cpp - The L2 with the directory --------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transaction of a miss that replaces a line which caches hold:
//
//   lookup ---> read from DRAM ------------+
//          \--> recall of the old line --> way is free --> answer --> unblock
//
//===----------------------------------------------------------------------===//

#include "coherence/Directory.h"
#include "results/Statistics.h"

#include <algorithm>
#include <cassert>
#include <cinttypes>
#include <utility>

namespace chansim {

using moesi::Kind;
using moesi::Message;

Directory::Directory(const Machine &machine, Engine &engine, FlatDram &dram,
                     Statistics &statistics)
    : engine(engine), clock(engine.clock(machine.clockOf.l2)), dram(dram),
      ownNetwork(machine, engine, *this),
      hitTicks(clock.ticks(machine.l2.hitCycles)),
      lineBytes(machine.l2.lineBytes), mshrs(machine.l2.mshrs),
      mshrTargets(machine.l2.mshrTargets), tags(machine.l2), lines(tags.size()),
      banks(machine.l2.banks) {
  engine.add(*this, clock);
  dram.setConsumer(*this);
  statistics.addAll(
      "",
      {{"l2.accesses", "accesses", "requests for lines, and lines put back",
        counters.accesses},
       {"l2.reads", "accesses", "of these, requests for lines", counters.reads},
       {"l2.writes", "accesses", "of these, dirty lines put back",
        counters.writes},
       {"l2.hits", "accesses", "requests that found their line in the L2",
        counters.hits},
       {"l2.misses", "accesses", "requests that asked DRAM for their line",
        counters.misses}});
  statistics.addRatio("l2.hit_rate", "hits/request", "hits of all requests",
                      counters.hits, counters.reads);
  statistics.addAll(
      "",
      {{"l2.write_backs", "lines", "dirty lines sent to DRAM",
        counters.writeBacks},
       {"l2.blocked_cycles", "cycles",
        "cycles of banks whose oldest request could not go on",
        counters.blockedCycles},
       {"directory.get_s", "requests", "requests for lines to be read",
        counters.getS},
       {"directory.get_m", "requests", "requests for lines to be written",
        counters.getM},
       {"directory.upgrades", "requests",
        "of these, from caches that had the line", counters.upgrades},
       {"directory.exclusives", "requests",
        "lines to be read that no other cache had", counters.exclusives},
       {"directory.forwards", "messages", "requests that an owner answered",
        counters.forwards},
       {"directory.invalidations", "messages",
        "sharers that were to give a line up for a writer",
        counters.invalidations},
       {"directory.recalls", "lines",
        "lines that the L2 replaced while caches held them", counters.recalls},
       {"directory.dirty_recalls", "lines", "of these, with newer data",
        counters.dirtyRecalls},
       {"directory.puts_clean", "messages", "clean lines that caches gave up",
        counters.cleanPuts},
       {"directory.puts_dirty", "messages", "dirty lines that caches gave up",
        counters.dirtyPuts},
       {"directory.puts_stale", "messages",
        "of both, lines that the cache had lost meanwhile", counters.stalePuts},
       {"directory.waits", "requests", "requests that met a busy line",
        counters.waits},
       {"directory.wait_cycles", "cycles", "cycles for which they waited",
        counters.waitCycles}});
  if (machine.memory.protocol == CoherenceProtocol::writeCombining)
    addDirectCounters(statistics);
}

void Directory::addDirectCounters(Statistics &statistics) {
  statistics.addAll(
      "",
      {{"directory.copies", "requests", "lines read by caches that own nothing",
        counters.copies},
       {"directory.full_writes", "requests", "whole lines written through",
        counters.fullWrites},
       {"directory.partial_writes", "requests",
        "parts of lines written through", counters.partialWrites},
       {"directory.written_bytes", "bytes", "bytes of both",
        counters.writtenBytes},
       {"directory.atomics", "requests", "atomic operations in the L2",
        counters.atomics},
       {"directory.clears", "requests",
        "of writes and atomic operations, those before which caches gave the "
        "line "
        "up",
        counters.clears},
       {"directory.downgrades", "requests",
        "of lines read, those before which a cache gave up to own the line",
        counters.downgrades}});
}

moesi::Node Directory::connect(Receiver &cache, const std::string &label) {
  if (labels.size() == moesi::kMostCaches)
    throw std::length_error("a directory knows " +
                            std::to_string(moesi::kMostCaches) + " caches");
  labels.push_back(label);
  return ownNetwork.connect(cache);
}

const std::string &Directory::labelOf(moesi::Node node) const {
  static const std::string home = "home";
  return node == moesi::kHome ? home : labels[node];
}

moesi::Holders Directory::holdersOf(uint64_t line) const {
  uint32_t way = tags.wayOf(line);
  return way == TagArray::kAbsent ? moesi::Holders() : lines[way].holders;
}

void Directory::arrive(const Message &message, Tick at) {
  bool isRequest = message.kind == Kind::getS || message.kind == Kind::getM ||
                   message.kind == Kind::putClean ||
                   message.kind == Kind::putDirty ||
                   moesi::isDirect(message.kind);
  if (isRequest) {
    bankOf(message.line).requests.add(message, at);
    ++queued;
  } else {
    replies.add(message, at);
  }
  engine.wakeAt(*this, at);
}

//===----------------------------------------------------------------------===//
// A cycle
//
//   1. Unblocks and answers to recalls end transactions, or take them further.
//   2. Lines come from DRAM, and their requests are answered.
//   3. Each bank serves one request.
//   4. What is due goes to DRAM and on the links.
//   5. The directory sleeps until the next of these things.
//===----------------------------------------------------------------------===//

Activity Directory::tick() {
  // 1.
  takeReplies();
  // 2.
  takeLines();
  // 3.
  for (Bank &bank : banks)
    serve(bank);
  // 4.
  drain();
  // 5.
  if (Tick next = nextWork(); next != kNever)
    engine.wakeAt(*this, next);
  return Activity::asleep;
}

void Directory::takeReplies() {
  while (replies.isDue(engine.now())) {
    Message reply = replies.take().message;
    Bank &bank = bankOf(reply.line);
    uint32_t way = tags.wayOf(reply.line);
    assert(way != TagArray::kAbsent);
    uint32_t number = lines[way].transaction;
    assert(number != kNone);
    Transaction &transaction = transactions[number];
    if (reply.kind == Kind::unblock) {
      assert(transaction.stage == Stage::serving);
      lines[way].holders = moesi::after(lines[way].holders, reply);
      end(bank, number);
      continue;
    }
    assert((transaction.stage == Stage::recalling ||
            transaction.stage == Stage::clearing) &&
           transaction.answersLeft);
    transaction.isDirty |= reply.kind == Kind::data;
    if (--transaction.answersLeft)
      continue;
    if (transaction.stage == Stage::recalling) {
      recalled(bank, number);
      continue;
    }
    lines[way].isDirty |= transaction.isDirty;
    lines[way].holders =
        moesi::afterDirect(lines[way].holders, transaction.request.kind);
    perform(bank, transaction.request, way, engine.now());
    end(bank, number);
  }
}

void Directory::takeLines() {
  for (uint64_t line; dram.receive(line);) {
    Bank &bank = bankOf(line);
    uint32_t number = transactionOf(bank, line, tags.wayOf(line));
    assert(number != kNone && transactions[number].stage == Stage::fetching);
    transactions[number].hasData = true;
    if (transactions[number].way != TagArray::kAbsent)
      respond(bank, number, engine.now());
  }
}

void Directory::drain() {
  Tick now = engine.now();
  while (!toDram.empty() && toDram.front().at <= now && !dram.isFull()) {
    dram.send(toDram.front().line, toDram.front().isWrite);
    toDram.pop();
  }
  for (Bank &bank : banks)
    bank.link.drain(ownNetwork, now);
}

Tick Directory::nextWork() const {
  const Tick nextCycle = engine.now() + clock.period();
  Tick next = std::min(replies.nextDue(), dram.nextArrival());
  if (!toDram.empty())
    next = std::min(next, toDram.front().at > engine.now() ? toDram.front().at
                                                           : dram.roomAt());
  for (const Bank &bank : banks) {
    next = std::min(next, bank.link.nextDue());
    if (!bank.restarts.empty())
      next = std::min(next, nextCycle);
    else if (!bank.isBlocked && bank.requests.size())
      next = std::min(next, std::max(bank.requests.nextDue(), nextCycle));
  }
  return next;
}

//===----------------------------------------------------------------------===//
// Lookups
//===----------------------------------------------------------------------===//

void Directory::serve(Bank &bank) {
  if (!bank.restarts.empty()) {
    uint32_t number = bank.restarts.front();
    bank.restarts.pop();
    resume(bank, number);
    return;
  }
  if (bank.isBlocked || !bank.requests.isDue(engine.now()))
    return;
  if (lookUp(bank, bank.requests.front().message)) {
    bank.requests.take();
    --queued;
    return;
  }
  bank.isBlocked = true;
  bank.blockedSince = engine.now();
}

/// False if the request must stay.
bool Directory::lookUp(Bank &bank, const Message &request) {
  uint32_t way = tags.wayOf(request.line);
  uint32_t busy = transactionOf(bank, request.line, way);
  if (busy != kNone) {
    if (transactions[busy].waiters.size() == mshrTargets)
      return false;
    transactions[busy].waiters.push({request, engine.now()});
    ++counters.waits;
    return true;
  }
  if (request.kind == Kind::putClean || request.kind == Kind::putDirty) {
    answerPut(bank, request);
    return true;
  }
  if (moesi::isDirect(request.kind) && way != TagArray::kAbsent &&
      !moesi::planDirect(lines[way].holders, request.kind).acks) {
    countRequest(request);
    counters.hits += request.kind != Kind::write;
    perform(bank, request, way, engine.now() + hitTicks);
    return true;
  }
  if (bank.transactions == mshrs)
    return false;
  if (way == TagArray::kAbsent && victimFor(request.line) == TagArray::kAbsent)
    return false;
  uint32_t number = allocate(request.line);
  ++bank.transactions;
  start(bank, number, request, way);
  return true;
}

/// The first waiter of a line that is free again.
void Directory::resume(Bank &bank, uint32_t number) {
  Waiter waiter = transactions[number].waiters.front();
  uint32_t way = transactions[number].way;
  bool isPut = waiter.request.kind == Kind::putClean ||
               waiter.request.kind == Kind::putDirty;
  if (!isPut && way == TagArray::kAbsent &&
      victimFor(waiter.request.line) == TagArray::kAbsent) {
    bank.stuck.push_back(number);
    return;
  }
  transactions[number].waiters.pop();
  counters.waitCycles += clock.cycle(engine.now() - waiter.since);
  if (isPut) {
    answerPut(bank, waiter.request);
    end(bank, number);
  } else {
    start(bank, number, waiter.request, way);
  }
  // There is room for a waiter more.
  relieve(bank);
}

void Directory::answerPut(Bank &bank, const Message &put) {
  bool isDirty = put.kind == Kind::putDirty;
  ++(isDirty ? counters.dirtyPuts : counters.cleanPuts);
  counters.accesses += isDirty;
  counters.writes += isDirty;
  uint32_t way = tags.wayOf(put.line);
  moesi::Given given{{}, false, true};
  if (way != TagArray::kAbsent) {
    given = moesi::give(lines[way].holders, put);
    lines[way].holders = given.holders;
  }
  counters.stalePuts += given.isStale;
  if (given.takesData) {
    lines[way].isDirty = true;
    tags.touch(way);
  }
  bank.link.post({put.line, Kind::putAck, moesi::kHome, put.from},
                 engine.now() + hitTicks);
}

/// The line is free for the request.  REQUIRES: if there is no way, that there is a
/// victim.
void Directory::start(Bank &bank, uint32_t number, const Message &request,
                      uint32_t way) {
  countRequest(request);
  transactions[number].request = request;
  if (way == TagArray::kAbsent) {
    fetch(bank, number, victimFor(request.line));
    return;
  }
  counters.hits += request.kind != Kind::write;
  tags.touch(way);
  lines[way].transaction = number;
  transactions[number].way = way;
  respond(bank, number, engine.now() + hitTicks);
}

void Directory::countRequest(const Message &request) {
  ++counters.accesses;
  switch (request.kind) {
  case Kind::getS:
    ++counters.getS;
    break;
  case Kind::getM:
    ++counters.getM;
    break;
  case Kind::read:
    ++counters.copies;
    break;
  case Kind::atomic:
    ++counters.atomics;
    break;
  default:
    ++counters.writes;
    ++(request.bytes == lineBytes ? counters.fullWrites
                                  : counters.partialWrites);
    counters.writtenBytes += request.bytes;
    return;
  }
  ++counters.reads;
}

/// A request of a cache that owns nothing has its effect.
void Directory::perform(Bank &bank, const Message &request, uint32_t way,
                        Tick leaves, bool hasComeFromDram) {
  tags.touch(way);
  Message answer{request.line, Kind::copy, moesi::kHome, request.from};
  if (request.kind != Kind::read) {
    lines[way].isDirty = true;
    answer.kind = request.kind == Kind::write ? Kind::written : Kind::result;
  }
  answer.isFromDram = hasComeFromDram;
  answer.tag = request.tag;
  answer.performedAt = engine.now();
  bank.link.post(answer, leaves);
  if (onDirect)
    onDirect(answer);
}

/// Alike, when those that are in the way have given up what they must.
void Directory::respondDirect(Bank &bank, uint32_t number, Tick leaves) {
  Transaction &transaction = transactions[number];
  const Message request = transaction.request;
  uint32_t way = transaction.way;
  moesi::Plan plan = moesi::planDirect(lines[way].holders, request.kind);
  if (!plan.acks) {
    perform(bank, request, way, leaves, transaction.hasData);
    return end(bank, number);
  }
  transaction.stage = Stage::clearing;
  transaction.answersLeft = plan.acks;
  transaction.isDirty = false;
  if (plan.source == moesi::Source::owner)
    bank.link.post(moesi::forwardOf(plan, request.line, moesi::kHome), leaves);
  sendInvs(bank, plan, request.line, moesi::kHome, leaves);
  ++(request.kind == Kind::read ? counters.downgrades : counters.clears);
}

/// Tells all whom the request concerns, and waits for the requester.
void Directory::respond(Bank &bank, uint32_t number, Tick leaves) {
  Transaction &transaction = transactions[number];
  if (moesi::isDirect(transaction.request.kind))
    return respondDirect(bank, number, leaves);
  transaction.stage = Stage::serving;
  moesi::Node requester = transaction.request.from;
  uint64_t line = transaction.line;
  moesi::Plan plan = moesi::plan(lines[transaction.way].holders,
                                 transaction.request.kind, requester);
  // The longest way first.
  bool isForwarded = plan.source == moesi::Source::owner;
  if (isForwarded)
    bank.link.post(moesi::forwardOf(plan, line, requester), leaves);
  sendInvs(bank, plan, line, requester, leaves);
  if (!isForwarded) {
    Message answer = moesi::answerOf(plan, line, requester);
    answer.isFromDram = std::exchange(transaction.hasData, false);
    bank.link.post(answer, leaves);
  }
  counters.forwards += isForwarded;
  counters.invalidations += std::popcount(plan.invalidated);
  counters.upgrades += plan.source == moesi::Source::requester;
  counters.exclusives += plan.granted == moesi::State::exclusive;
}

void Directory::sendInvs(Bank &bank, const moesi::Plan &plan, uint64_t line,
                         moesi::Node requester, Tick leaves) {
  for (uint64_t left = plan.invalidated; left; left &= left - 1)
    bank.link.post(
        moesi::invFor(line, static_cast<moesi::Node>(std::countr_zero(left)),
                      requester),
        leaves);
}

//===----------------------------------------------------------------------===//
// Misses and recalls
//===----------------------------------------------------------------------===//

void Directory::fetch(Bank &bank, uint32_t number, uint32_t victim) {
  Transaction &transaction = transactions[number];
  transaction.stage = Stage::fetching;
  // What is written as a whole needs no data.
  transaction.hasData = transaction.request.kind == Kind::write &&
                        transaction.request.bytes == lineBytes;
  if (!transaction.hasData) {
    ++counters.misses;
    askDram(transaction.line, /*isWrite=*/false, engine.now() + hitTicks);
  }
  if (lines[victim].holders.any()) {
    if (std::find(bank.homeless.begin(), bank.homeless.end(), number) ==
        bank.homeless.end())
      bank.homeless.push_back(number);
    recall(bank, victim, number);
    return;
  }
  if (lines[victim].isDirty)
    askDram(tags.lineAt(victim), /*isWrite=*/true, engine.now() + hitTicks);
  install(bank, number, victim);
  if (transaction.hasData)
    respond(bank, number, engine.now() + hitTicks);
}

void Directory::recall(Bank &bank, uint32_t victim, uint32_t beneficiary) {
  uint64_t line = tags.lineAt(victim);
  uint32_t number = allocate(line);
  Transaction &transaction = transactions[number];
  moesi::Plan plan = moesi::recall(lines[victim].holders);
  transaction.stage = Stage::recalling;
  transaction.way = victim;
  transaction.beneficiary = beneficiary;
  transaction.answersLeft = plan.acks;
  transaction.isDirty = lines[victim].isDirty;
  lines[victim].transaction = number;
  Tick leaves = engine.now() + hitTicks;
  if (plan.source == moesi::Source::owner)
    bank.link.post(moesi::forwardOf(plan, line, moesi::kHome), leaves);
  sendInvs(bank, plan, line, moesi::kHome, leaves);
  ++counters.recalls;
}

/// No cache holds the line any more: its way goes to the one that waits for it.
void Directory::recalled(Bank &bank, uint32_t number) {
  Transaction &transaction = transactions[number];
  uint32_t way = transaction.way, beneficiary = transaction.beneficiary;
  if (transaction.isDirty)
    askDram(transaction.line, /*isWrite=*/true, engine.now());
  counters.dirtyRecalls += transaction.isDirty;
  install(bank, beneficiary, way);
  transaction.way = TagArray::kAbsent;
  if (transaction.waiters.empty()) {
    release(number);
  } else {
    // Those that waited come like any others, but none that comes later may pass
    // them.
    transaction.stage = Stage::restarting;
    ++bank.transactions;
    bank.homeless.push_back(number);
    bank.restarts.push(number);
  }
  if (transactions[beneficiary].hasData)
    respond(bank, beneficiary, engine.now());
}

/// The way is the transaction's line's.
void Directory::install(Bank &bank, uint32_t number, uint32_t way) {
  tags.put(way, transactions[number].line);
  lines[way] = {{}, number, false};
  transactions[number].way = way;
  std::erase(bank.homeless, number);
}

//===----------------------------------------------------------------------===//
// Transactions
//===----------------------------------------------------------------------===//

/// That which makes the line busy, or kNone.
uint32_t Directory::transactionOf(const Bank &bank, uint64_t line,
                                  uint32_t way) const {
  if (way != TagArray::kAbsent)
    return lines[way].transaction;
  for (uint32_t number : bank.homeless)
    if (transactions[number].line == line)
      return number;
  return kNone;
}

uint32_t Directory::victimFor(uint64_t line) const {
  return tags.leastRecent(
      line, [this](uint32_t way) { return lines[way].transaction == kNone; });
}

uint32_t Directory::allocate(uint64_t line) {
  ++underWay;
  if (freeTransactions.empty()) {
    freeTransactions.push_back(static_cast<uint32_t>(transactions.size()));
    transactions.emplace_back();
  }
  uint32_t number = freeTransactions.back();
  freeTransactions.pop_back();
  transactions[number].line = line;
  transactions[number].way = TagArray::kAbsent;
  return number;
}

void Directory::release(uint32_t number) {
  --underWay;
  transactions[number].stage = Stage::free;
  freeTransactions.push_back(number);
}

/// The line is free: for the first that waits, or for all.
void Directory::end(Bank &bank, uint32_t number) {
  Transaction &transaction = transactions[number];
  if (!transaction.waiters.empty()) {
    transaction.stage = Stage::restarting;
    bank.restarts.push(number);
    return;
  }
  if (transaction.way != TagArray::kAbsent)
    lines[transaction.way].transaction = kNone;
  else
    std::erase(bank.homeless, number);
  release(number);
  --bank.transactions;
  relieve(bank);
}

/// Something that requests may have waited for is free.
void Directory::relieve(Bank &bank) {
  if (bank.isBlocked) {
    counters.blockedCycles += clock.cycle(engine.now() - bank.blockedSince);
    bank.isBlocked = false;
  }
  for (uint32_t number : bank.stuck)
    bank.restarts.push(number);
  bank.stuck.clear();
}

void Directory::askDram(uint64_t line, bool isWrite, Tick at) {
  counters.writeBacks += isWrite;
  toDram.insert(
      {line, isWrite, at},
      [](const DramRequest &a, const DramRequest &b) { return a.at < b.at; });
}

void Directory::explain(std::string &text) const {
  for (const Transaction &transaction : transactions) {
    if (transaction.stage == Stage::free)
      continue;
    char line[32];
    std::snprintf(line, sizeof line, "0x%" PRIx64, transaction.line);
    text += "  L2: line " + std::string(line) + ": ";
    switch (transaction.stage) {
    case Stage::fetching:
      text += std::string(moesi::nameOf(transaction.request.kind)) + " of " +
              labelOf(transaction.request.from) + " waits for " +
              (transaction.hasData ? "a recall" : "DRAM");
      break;
    case Stage::serving:
      text += std::string(moesi::nameOf(transaction.request.kind)) + " of " +
              labelOf(transaction.request.from) + " waits for its unblock";
      break;
    case Stage::clearing:
      text += std::string(moesi::nameOf(transaction.request.kind)) + " of " +
              labelOf(transaction.request.from) + " waits for " +
              std::to_string(transaction.answersLeft) +
              " caches to give the line up";
      break;
    case Stage::recalling:
      text += "a recall waits for " + std::to_string(transaction.answersLeft) +
              " answers";
      break;
    default:
      text += "the next request waits for its turn";
    }
    if (size_t count = transaction.waiters.size())
      text += "; " + std::to_string(count) + " wait, first " +
              labelOf(transaction.waiters.front().request.from);
    text += "\n";
  }
  for (size_t i = 0; i != banks.size(); ++i)
    if (size_t count = banks[i].requests.size())
      text += "  requests to L2 bank " + std::to_string(i) + ": " +
              std::to_string(count) + (banks[i].isBlocked ? ", blocked" : "") +
              "\n";
}

} // namespace chansim
