//===- Moesi.cpp - The coherence protocol, without time -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transitions of Moesi.h.  For example, a getM of cache 2 while cache 0 owns the
// line and cache 1 shares it: cache 0 gets fwdGetM with "one ack", cache 1 gets inv.
//
//===----------------------------------------------------------------------===//

#include "coherence/Moesi.h"

#include <bit>
#include <cassert>

namespace chansim::moesi {

std::string_view nameOf(State state) {
  static constexpr std::string_view names[] = {"invalid", "shared", "exclusive",
                                               "owned", "modified"};
  return names[static_cast<size_t>(state)];
}

std::string_view nameOf(Kind kind) {
  static constexpr std::string_view names[] = {
      "getS",    "getM",  "putClean", "putDirty", "unblock", "fwdGetS",
      "fwdGetM", "inv",   "putAck",   "grant",    "data",    "ack",
      "read",    "write", "atomic",   "copy",     "written", "result"};
  return names[static_cast<size_t>(kind)];
}

//===----------------------------------------------------------------------===//
// A cache
//===----------------------------------------------------------------------===//

Reply probe(State state, const Message &probe) {
  assert(state != State::invalid);
  const bool isClean = !isDirty(state);
  Message answer{probe.line, Kind::data, probe.to, probe.requester,
                 probe.requester};
  answer.isClean = isClean;
  switch (probe.kind) {
  case Kind::fwdGetS:
    answer.granted = State::shared;
    // The home has the data of a clean line, and keeps those that it gets.
    if (probe.requester == kHome && isClean)
      answer.kind = Kind::ack;
    return {isClean || probe.requester == kHome ? State::shared : State::owned,
            answer};
  case Kind::fwdGetM:
    // The home has the data of a clean line.
    if (probe.requester == kHome && isClean)
      answer.kind = Kind::ack;
    answer.granted = State::modified;
    answer.acks = probe.acks;
    return {State::invalid, answer};
  case Kind::inv:
    answer.kind = Kind::ack;
    answer.isClean = true;
    return {State::invalid, answer};
  default:
    assert(false && "not a probe");
    return {state, answer};
  }
}

void Wanted::receive(const Message &message) {
  if (message.kind == Kind::ack) {
    --acksLeft;
    return;
  }
  assert(!isAnswered);
  isAnswered = true;
  answer = message.granted;
  fromCache = message.from != kHome;
  ownerIsClean = fromCache && message.isClean;
  acksLeft = static_cast<int8_t>(acksLeft + message.acks);
}

//===----------------------------------------------------------------------===//
// The home
//===----------------------------------------------------------------------===//

static uint8_t count(uint64_t caches) {
  return static_cast<uint8_t>(std::popcount(caches));
}

Plan plan(const Holders &holders, Kind kind, Node requester) {
  if (kind == Kind::getS) {
    assert(!holders.has(requester));
    if (holders.owner != kNobody)
      return {Source::owner, holders.owner, Kind::fwdGetS, 0, 0, State::shared};
    return {Source::home,
            kNobody,
            Kind::fwdGetS,
            0,
            0,
            holders.sharers ? State::shared : State::exclusive};
  }
  uint64_t others = holders.sharers & ~(uint64_t(1) << requester);
  if (holders.has(requester)) {
    if (holders.owner != kNobody && holders.owner != requester)
      others |= uint64_t(1) << holders.owner;
    return {Source::requester, kNobody,        Kind::fwdGetM, others,
            count(others),     State::modified};
  }
  Source source = holders.owner == kNobody ? Source::home : Source::owner;
  return {source, holders.owner, Kind::fwdGetM,
          others, count(others), State::modified};
}

Plan recall(const Holders &holders) {
  bool isOwned = holders.owner != kNobody;
  return {isOwned ? Source::owner : Source::home,
          holders.owner,
          Kind::fwdGetM,
          holders.sharers,
          static_cast<uint8_t>(count(holders.sharers) + isOwned),
          State::invalid};
}

Plan planDirect(const Holders &holders, Kind kind) {
  if (kind != Kind::read)
    return recall(holders);
  bool isOwned = holders.owner != kNobody;
  return {isOwned ? Source::owner : Source::home,
          holders.owner,
          Kind::fwdGetS,
          0,
          isOwned,
          State::shared};
}

Holders afterDirect(Holders holders, Kind kind) {
  if (kind != Kind::read)
    return {};
  if (holders.owner != kNobody)
    holders.sharers |= uint64_t(1) << holders.owner;
  return {holders.sharers, kNobody};
}

Message answerOf(const Plan &plan, uint64_t line, Node requester) {
  assert(plan.source != Source::owner);
  Kind kind = plan.source == Source::home ? Kind::data : Kind::grant;
  return {line, kind, kHome, requester, requester, plan.acks, plan.granted};
}

Message forwardOf(const Plan &plan, uint64_t line, Node requester) {
  assert(plan.source == Source::owner);
  return {line, plan.forward, kHome, plan.owner, requester, plan.acks};
}

Holders after(Holders holders, const Message &unblock) {
  Node cache = unblock.from;
  if (unblock.granted != State::shared)
    return {0, cache};
  holders.sharers |= uint64_t(1) << cache;
  if (unblock.isClean && holders.owner != kNobody) {
    holders.sharers |= uint64_t(1) << holders.owner;
    holders.owner = kNobody;
  }
  return holders;
}

Given give(Holders holders, const Message &put) {
  if (!holders.has(put.from))
    return {holders, false, true};
  bool isOwner = holders.owner == put.from;
  if (isOwner)
    holders.owner = kNobody;
  holders.sharers &= ~(uint64_t(1) << put.from);
  return {holders, isOwner && put.kind == Kind::putDirty, false};
}

} // namespace chansim::moesi
