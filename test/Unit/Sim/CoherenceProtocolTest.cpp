//===- CoherenceProtocolTest.cpp - The MOESI protocol, without time -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of what each access leads to in each pair of states, and a search through all
// orders of messages.
//
//===----------------------------------------------------------------------===//

#include "MoesiModel.h"

#include <gtest/gtest.h>

#include <bit>

using namespace chansim::moesi;

namespace {

constexpr State I = State::invalid, S = State::shared, E = State::exclusive,
                O = State::owned, M = State::modified;

using Pair = std::pair<State, State>;

struct Row {
  Pair before;
  Step::Kind step; ///< of the first cache
  Pair after;
  const char *messages;
};

/// Pairs of states that two caches may have.
const Pair kAllowed[] = {{I, I}, {S, I}, {I, S}, {S, S}, {E, I}, {I, E},
                         {M, I}, {I, M}, {O, I}, {I, O}, {O, S}, {S, O}};

const Row kTable[] = {
    // Reads.
    {{I, I}, Step::read, {E, I}, "getS data unblock"},
    {{I, S}, Step::read, {S, S}, "getS data unblock"},
    {{I, E}, Step::read, {S, S}, "getS fwdGetS data unblock"},
    {{I, O}, Step::read, {S, O}, "getS fwdGetS data unblock"},
    {{I, M}, Step::read, {S, O}, "getS fwdGetS data unblock"},
    // Writes without a copy.
    {{I, I}, Step::write, {M, I}, "getM data unblock"},
    {{I, S}, Step::write, {M, I}, "getM inv ack data unblock"},
    {{I, E}, Step::write, {M, I}, "getM fwdGetM data unblock"},
    {{I, O}, Step::write, {M, I}, "getM fwdGetM data unblock"},
    {{I, M}, Step::write, {M, I}, "getM fwdGetM data unblock"},
    // Writes with a copy.
    {{S, I}, Step::write, {M, I}, "getM grant unblock"},
    {{S, S}, Step::write, {M, I}, "getM inv ack grant unblock"},
    {{S, O}, Step::write, {M, I}, "getM inv ack grant unblock"},
    {{O, I}, Step::write, {M, I}, "getM grant unblock"},
    {{O, S}, Step::write, {M, I}, "getM inv ack grant unblock"},
    {{E, I}, Step::write, {M, I}, ""},
    // Evictions.
    {{S, I}, Step::evict, {I, I}, "putClean putAck"},
    {{S, S}, Step::evict, {I, S}, "putClean putAck"},
    {{S, O}, Step::evict, {I, O}, "putClean putAck"},
    {{E, I}, Step::evict, {I, I}, "putClean putAck"},
    {{O, I}, Step::evict, {I, I}, "putDirty putAck"},
    {{O, S}, Step::evict, {I, S}, "putDirty putAck"},
    {{M, I}, Step::evict, {I, I}, "putDirty putAck"},
    // Recalls.
    {{S, I}, Step::recall, {I, I}, "inv ack"},
    {{I, S}, Step::recall, {I, I}, "inv ack"},
    {{S, S}, Step::recall, {I, I}, "inv ack inv ack"},
    {{E, I}, Step::recall, {I, I}, "fwdGetM ack"},
    {{I, E}, Step::recall, {I, I}, "fwdGetM ack"},
    {{M, I}, Step::recall, {I, I}, "fwdGetM data"},
    {{I, M}, Step::recall, {I, I}, "fwdGetM data"},
    {{O, I}, Step::recall, {I, I}, "fwdGetM data"},
    {{I, O}, Step::recall, {I, I}, "fwdGetM data"},
    {{O, S}, Step::recall, {I, I}, "fwdGetM data inv ack"},
    {{S, O}, Step::recall, {I, I}, "inv ack fwdGetM data"},
};

std::string textOf(Pair pair) {
  return std::string(nameOf(pair.first)) + ", " +
         std::string(nameOf(pair.second));
}

TEST(SimMoesi, EachAccessLeadsFromPairToPairByItsMessages) {
  unsigned rows = 0;
  for (const Row &row : kTable) {
    World world(2);
    world.set({row.before.first, row.before.second});
    ASSERT_EQ(world.fault(), "") << textOf(row.before);
    ASSERT_TRUE(world.can({row.step, 0})) << textOf(row.before);
    world.take({row.step, 0});
    world.settle();
    Pair after{world.caches[0].state, world.caches[1].state};
    EXPECT_EQ(textOf(after), textOf(row.after)) << textOf(row.before);
    // Of messages that may pass one another, the order does not matter.
    auto sorted = [](const std::string &names) {
      std::vector<std::string> words(1);
      for (char c : names)
        if (c == ' ')
          words.emplace_back();
        else
          words.back() += c;
      std::sort(words.begin(), words.end());
      return words;
    };
    EXPECT_EQ(sorted(world.log), sorted(row.messages)) << textOf(row.before);
    EXPECT_EQ(world.fault(), "") << textOf(row.before);
    EXPECT_TRUE(world.isQuiet());
    ++rows;
  }
  // The table has all that is possible.
  unsigned possible = 0;
  for (Pair pair : kAllowed) {
    World world(2);
    world.set({pair.first, pair.second});
    for (Step::Kind kind : {Step::read, Step::write, Step::evict, Step::recall})
      possible += world.can({kind, 0});
  }
  EXPECT_EQ(rows, possible);
}

TEST(SimMoesi, NoOtherPairsOccur) {
  for (State a : {I, S, E, O, M})
    for (State b : {I, S, E, O, M}) {
      World world(2);
      world.set({a, b});
      bool isAllowed = std::find(std::begin(kAllowed), std::end(kAllowed),
                                 Pair{a, b}) != std::end(kAllowed);
      EXPECT_EQ(world.fault().empty(), isAllowed) << textOf({a, b});
    }
  Found found = search(2);
  ASSERT_EQ(found.fault, "");
  EXPECT_EQ(found.quiet.size(), std::size(kAllowed));
}

TEST(SimMoesi, AllOrdersOfMessagesOfThreeCachesAreCoherent) {
  Found found = search(3);
  EXPECT_EQ(found.fault, "");
  std::printf("%zu worlds, %zu of them quiet\n", found.worlds,
              found.quiet.size());
}

// Their requests are served between those of the others.
TEST(SimMoesi, CachesThatOwnNothingSeeAndMakeTheLastWrite) {
  Rules rules;
  rules.hasDirect = true;
  for (unsigned caches : {1u, 2u, 3u}) {
    Found found = search(caches, rules);
    EXPECT_EQ(found.fault, "");
    std::printf("%u caches: %zu worlds, %zu of them quiet\n", caches,
                found.worlds, found.quiet.size());
  }
}

//===----------------------------------------------------------------------===//
// The search finds what is wrong
//===----------------------------------------------------------------------===//

void expectFault(const char *what, const Rules &rules) {
  Found found = search(2, rules);
  if (found.fault.empty())
    found = search(3, rules);
  EXPECT_NE(found.fault, "") << what;
}

TEST(SimMoesi, TheSearchFindsBrokenTransitions) {
  Rules rules;
  rules.probe = [](State state, const Message &message) {
    Reply reply = probe(state, message);
    if (state == M && message.kind == Kind::fwdGetS)
      reply.next = M;
    return reply;
  };
  expectFault("an owner goes on writing", rules);

  rules = {};
  rules.probe = [](State state, const Message &message) {
    Reply reply = probe(state, message);
    if (state == M && message.kind == Kind::fwdGetS) {
      reply.next = S;
      reply.message.isClean = true;
    }
    return reply;
  };
  expectFault("a dirty line is taken for a clean one", rules);

  rules = {};
  rules.probe = [](State state, const Message &message) {
    Reply reply = probe(state, message);
    if (message.kind == Kind::inv)
      reply.next = state;
    return reply;
  };
  expectFault("a sharer keeps its line", rules);

  rules = {};
  rules.plan = [](const Holders &holders, Kind kind, Node requester) {
    Plan result = plan(holders, kind, requester);
    if (kind == Kind::getM && holders.owner != kNobody)
      result.acks = 0;
    return result;
  };
  expectFault("a writer does not wait for acks", rules);

  rules = {};
  rules.plan = [](const Holders &holders, Kind kind, Node requester) {
    Plan result = plan(holders, kind, requester);
    if (result.source == Source::home)
      result.granted = kind == Kind::getS ? E : M;
    return result;
  };
  expectFault("a line that is shared is granted as exclusive", rules);
}

TEST(SimMoesi, TheSearchFindsBrokenTransitionsForCachesThatOwnNothing) {
  Rules rules;
  rules.hasDirect = true;
  rules.probe = [](State state, const Message &message) {
    Reply reply = probe(state, message);
    if (state == M && message.kind == Kind::fwdGetS)
      reply.next = O;
    return reply;
  };
  expectFault("an owner thinks that it still owns what the home has", rules);

  rules = {};
  rules.hasDirect = true;
  rules.planDirect = [](const Holders &holders, Kind kind) {
    Plan result = planDirect(holders, kind);
    if (kind == Kind::read)
      result.acks = 0;
    return result;
  };
  expectFault("a copy does not wait for the owner", rules);

  rules = {};
  rules.hasDirect = true;
  rules.planDirect = [](const Holders &holders, Kind kind) {
    Plan result = planDirect(holders, kind);
    result.acks -= static_cast<uint8_t>(std::popcount(result.invalidated));
    result.invalidated = 0;
    return result;
  };
  expectFault("sharers keep a line that is written through", rules);

  rules = {};
  rules.plan = [](const Holders &holders, Kind kind, Node requester) {
    Plan result = plan(holders, kind, requester);
    if (kind == Kind::getM && result.source == Source::home)
      result.source = Source::requester;
    return result;
  };
  expectFault("a grant without data to a cache without the line", rules);

  rules = {};
  rules.give = [](Holders holders, const Message &put) {
    Given given = give(holders, put);
    given.takesData |= put.kind == Kind::putDirty;
    return given;
  };
  expectFault("the home takes the data of a put that is too late", rules);

  rules = {};
  rules.give = [](Holders holders, const Message &put) {
    Given given = give(holders, put);
    if (given.isStale)
      given.holders = {};
    return given;
  };
  expectFault("a put that is too late makes the home forget holders", rules);

  rules = {};
  rules.after = [](Holders holders, const Message &unblock) {
    Holders result = after(holders, unblock);
    if (unblock.granted == S && holders.owner != kNobody) {
      result.sharers |= uint64_t(1) << holders.owner;
      result.owner = kNobody;
    }
    return result;
  };
  expectFault("the home forgets the owner of a dirty line", rules);

  rules = {};
  rules.recall = [](const Holders &holders) {
    Plan result = recall(holders);
    if (holders.owner != kNobody)
      result.invalidated = 0, result.acks = 1;
    return result;
  };
  expectFault("a recall forgets the sharers of an owned line", rules);
}

} // namespace
