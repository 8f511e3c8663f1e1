//===- MoesiModel.h - All orders of the protocol's messages -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One line, some caches and the home, which follow the rules of Moesi.h.  A step is a
// read, write or eviction of a cache, a recall, the home's turn to a waiter, or a
// message that is delivered; with Rules::hasDirect also the home's turn to a read or a
// write of a cache that owns nothing.  Messages keep their order between the same two, but answers to probes
// go on a way of their own.  Of data it is known only whether they are those of the
// last write.
//
//   World world(2);  world.begin(Step::write, 0);  world.settle();
//   world.caches[0].state == State::modified
//
// A World says by fault() what is wrong in it; search() goes through all that can be
// reached.
//
//===----------------------------------------------------------------------===//

#ifndef SIM_MOESIMODEL_H
#define SIM_MOESIMODEL_H

#include "coherence/Moesi.h"

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace chansim::moesi {

/// The transitions that are searched: those of Moesi.h, or broken ones.
struct Rules {
  Reply (*probe)(State, const Message &) = moesi::probe;
  Plan (*plan)(const Holders &, Kind, Node) = moesi::plan;
  Plan (*recall)(const Holders &) = moesi::recall;
  Holders (*after)(Holders, const Message &) = moesi::after;
  Given (*give)(Holders, const Message &) = moesi::give;
  Plan (*planDirect)(const Holders &, Kind) = moesi::planDirect;
  Holders (*afterDirect)(Holders, Kind) = moesi::afterDirect;
  /// Whether there are caches that own nothing, too.
  bool hasDirect = false;
};

struct Step {
  enum Kind : uint8_t {
    read,
    write,
    evict,
    recall,
    restart,
    deliver,
    copy,
    through
  };
  Kind kind;
  /// The cache, or the channel.
  uint8_t which = 0;
};

class World {
public:
  struct Packet {
    Message message;
    bool isCurrent = false;
  };
  using Packets = std::vector<Packet>;
  struct Cache {
    State state = State::invalid;
    bool isCurrent = false;
    bool isPutting = false;
    State putState = State::invalid;
    bool putIsCurrent = false;
    bool isWanting = false;
    Wanted wanted;
    bool dataAreCurrent = false;
  };

  explicit World(unsigned count, const Rules &rules = {})
      : caches(count), rules(rules), channels(2 * (count + 1) * (count + 1)) {}

  /// Whether the step is possible.
  bool can(Step step) const {
    if (step.kind == Step::recall)
      return !isBusy && waiters.empty() && holders.any();
    if (step.kind == Step::copy || step.kind == Step::through)
      return rules.hasDirect && !isBusy;
    if (step.kind == Step::restart)
      return !isBusy && !waiters.empty();
    if (step.kind == Step::deliver)
      return !channels[step.which].empty();
    const Cache &cache = caches[step.which];
    if (cache.isWanting || cache.isPutting)
      return false;
    if (step.kind == Step::read)
      return cache.state == State::invalid;
    if (step.kind == Step::write)
      return cache.state != State::modified;
    return cache.state != State::invalid;
  }
  /// Does it.  REQUIRES: can(step).
  void take(Step step) {
    switch (step.kind) {
    case Step::read:
      return want(step.which, Kind::getS);
    case Step::write:
      if (isWritable(caches[step.which].state))
        return performWrite(step.which);
      return want(step.which, Kind::getM);
    case Step::evict:
      return evict(step.which);
    case Step::recall:
      return beginRecall();
    case Step::copy:
      return beginDirect(moesi::Kind::read);
    case Step::through:
      return beginDirect(moesi::Kind::write);
    case Step::restart: {
      Packet first = waiters.front();
      waiters.erase(waiters.begin());
      return serve(first);
    }
    case Step::deliver: {
      Packet packet = channels[step.which].front();
      channels[step.which].erase(channels[step.which].begin());
      log +=
          (log.empty() ? "" : " ") + std::string(nameOf(packet.message.kind));
      return packet.message.to == kHome ? atHome(packet) : atCache(packet);
    }
    }
  }
  /// All steps that need no new access, first those of the home.
  std::vector<Step> innerSteps() const {
    std::vector<Step> steps;
    if (can({Step::restart}))
      steps.push_back({Step::restart});
    for (uint8_t channel = 0; channel != channels.size(); ++channel)
      if (can({Step::deliver, channel}))
        steps.push_back({Step::deliver, channel});
    return steps;
  }
  std::vector<Step> outerSteps() const {
    std::vector<Step> steps;
    for (uint8_t cache = 0; cache != caches.size(); ++cache)
      for (Step::Kind kind : {Step::read, Step::write, Step::evict})
        if (can({kind, cache}))
          steps.push_back({kind, cache});
    for (Step::Kind kind : {Step::recall, Step::copy, Step::through})
      if (can({kind}))
        steps.push_back({kind});
    return steps;
  }
  /// Until nothing is under way.
  void settle() {
    for (std::vector<Step> steps; !(steps = innerSteps()).empty();)
      take(steps.front());
  }
  /// Whether nothing is under way.
  bool isQuiet() const {
    return !isBusy && waiters.empty() &&
           std::all_of(channels.begin(), channels.end(),
                       [](const auto &channel) { return channel.empty(); }) &&
           std::none_of(caches.begin(), caches.end(), [](const Cache &cache) {
             return cache.isWanting || cache.isPutting;
           });
  }
  /// Puts caches and home into states that fit together.
  void set(std::vector<State> states) {
    bool isOld = false;
    for (uint8_t i = 0; i != states.size(); ++i) {
      caches[i].state = states[i];
      caches[i].isCurrent = states[i] != State::invalid;
      isOld |= isDirty(states[i]);
      if (states[i] == State::shared)
        holders.sharers |= uint64_t(1) << i;
      else if (states[i] != State::invalid)
        holders.owner = i;
    }
    homeIsCurrent = !isOld;
  }

  /// What is wrong; "" if nothing is.
  std::string fault() const {
    if (!broken.empty())
      return broken;
    unsigned readable = 0, writable = 0, owners = 0;
    for (const Cache &cache : caches) {
      readable += isReadable(cache.state);
      writable += isWritable(cache.state);
      owners += isReadable(cache.state) && cache.state != State::shared;
      if (isReadable(cache.state) && !cache.isCurrent)
        return "a cache reads old data";
    }
    if (writable && readable > 1)
      return "one cache may write and another may read";
    if (owners > 1)
      return "there are two owners";
    if (!isQuiet())
      return "";
    for (uint8_t i = 0; i != caches.size(); ++i) {
      bool isOwner = holders.owner == i, isSharer = holders.sharers >> i & 1;
      State state = caches[i].state;
      if (isSharer != (state == State::shared) ||
          isOwner != (isReadable(state) && state != State::shared))
        return "the home is wrong about a cache";
    }
    if (holders.owner == kNobody && !homeIsCurrent)
      return "the last write is lost";
    return "";
  }

  /// Equal for equal worlds.
  std::string key() const {
    std::string text;
    auto put = [&](auto value) { text += static_cast<char>(value); };
    for (const Cache &cache : caches) {
      put(static_cast<int>(cache.state) | cache.isCurrent << 3 |
          cache.isPutting << 4 | cache.isWanting << 5);
      put(static_cast<int>(cache.putState) | cache.putIsCurrent << 3 |
          cache.dataAreCurrent << 4);
      if (cache.isWanting) {
        put(cache.wanted.kind());
        put(static_cast<int>(cache.wanted.granted()) |
            cache.wanted.hasAnswer() << 3 | cache.wanted.isFromCache() << 4 |
            cache.wanted.unblock(0, 0).isClean << 5);
        put(cache.wanted.missingAcks());
      }
    }
    put(holders.owner);
    put(holders.sharers);
    put(isBusy | homeIsCurrent << 1 | answersLeft << 2);
    put(isDirect ? static_cast<int>(direct) : -1);
    auto putPackets = [&](const Packets &packets) {
      put(packets.size());
      for (const Packet &packet : packets) {
        const Message &message = packet.message;
        put(message.kind);
        put(message.from);
        put(message.requester);
        put(message.acks);
        put(static_cast<int>(message.granted) | message.isClean << 3 |
            packet.isCurrent << 4);
      }
    };
    putPackets(waiters);
    for (const auto &channel : channels)
      putPackets(channel);
    return text;
  }

  std::vector<Cache> caches;
  Holders holders;
  /// Messages that were delivered, by their names.
  std::string log;

private:
  // A cache.

  void want(uint8_t self, Kind kind) {
    Cache &cache = caches[self];
    cache.isWanting = true;
    cache.wanted = Wanted(kind);
    send({0, kind, self, kHome, self}, false);
  }
  void evict(uint8_t self) {
    Cache &cache = caches[self];
    cache.isPutting = true;
    cache.putState = cache.state;
    cache.putIsCurrent = cache.isCurrent;
    send({0, putOf(cache.state), self, kHome, self}, cache.isCurrent);
    cache.state = State::invalid;
    cache.isCurrent = false;
  }
  /// All other data are old from now on.
  void performWrite(uint8_t self) {
    makeOld();
    caches[self].state = State::modified;
    caches[self].isCurrent = true;
  }
  void makeOld() {
    homeIsCurrent = false;
    for (Cache &cache : caches)
      cache.isCurrent = cache.putIsCurrent = cache.dataAreCurrent = false;
    for (auto &channel : channels)
      for (Packet &packet : channel)
        packet.isCurrent = false;
    for (Packet &packet : waiters)
      packet.isCurrent = false;
  }
  void atCache(const Packet &packet) {
    const Message &message = packet.message;
    Cache &cache = caches[message.to];
    switch (message.kind) {
    case Kind::data:
    case Kind::grant:
    case Kind::ack:
      if (!cache.isWanting)
        return fail("an answer to a cache that asked for nothing");
      if (message.kind == Kind::grant && !isReadable(cache.state))
        return fail("a grant without data to a cache without the line");
      if (message.kind != Kind::ack) {
        if (cache.wanted.hasAnswer())
          return fail("two answers");
        cache.dataAreCurrent =
            message.kind == Kind::data ? packet.isCurrent : cache.isCurrent;
      }
      cache.wanted.receive(message);
      if (cache.wanted.isDone())
        finish(message.to);
      return;
    case Kind::putAck:
      if (!cache.isPutting)
        return fail("a putAck without a put");
      cache.isPutting = cache.putIsCurrent = false;
      cache.putState = State::invalid;
      return;
    default: {
      bool isHere = isReadable(cache.state);
      State &state = isHere ? cache.state : cache.putState;
      if (!isReadable(state))
        return fail("a probe to a cache without the line");
      Reply reply = rules.probe(state, message);
      state = reply.next;
      bool &isCurrent = isHere ? cache.isCurrent : cache.putIsCurrent;
      send(reply.message, isCurrent);
      isCurrent &= isReadable(state);
    }
    }
  }
  void finish(uint8_t self) {
    Cache &cache = caches[self];
    if (!cache.dataAreCurrent)
      fail("a request got old data");
    cache.state = cache.wanted.granted();
    cache.isCurrent = cache.dataAreCurrent;
    cache.isWanting = cache.dataAreCurrent = false;
    send(cache.wanted.unblock(0, self), false);
    if (cache.wanted.kind() == Kind::getM)
      performWrite(self);
  }

  // The home.

  void atHome(const Packet &packet) {
    const Message &message = packet.message;
    switch (message.kind) {
    case Kind::unblock:
      if (!isBusy || answersLeft)
        return fail("an unblock of no request");
      holders = rules.after(holders, message);
      isBusy = false;
      return;
    case Kind::data:
    case Kind::ack:
      if (!answersLeft)
        return fail("an answer to no recall");
      if (message.kind == Kind::data)
        homeIsCurrent = packet.isCurrent;
      if (--answersLeft == 0) {
        if (isDirect)
          return performDirect();
        holders = {};
        isBusy = false;
      }
      return;
    default:
      if (isBusy || !waiters.empty())
        waiters.push_back(packet);
      else
        serve(packet);
    }
  }
  void serve(const Packet &packet) {
    const Message &request = packet.message;
    if (request.kind != Kind::getS && request.kind != Kind::getM) {
      Given given = rules.give(holders, request);
      holders = given.holders;
      if (given.takesData)
        homeIsCurrent = packet.isCurrent;
      return send({0, Kind::putAck, kHome, request.from}, false);
    }
    if (request.kind == Kind::getS && holders.has(request.from))
      return fail("a getS of a cache that has the line");
    isBusy = true;
    Plan plan = rules.plan(holders, request.kind, request.from);
    sendProbes(plan, request.from);
    if (plan.source != Source::owner)
      send(answerOf(plan, 0, request.from), homeIsCurrent);
  }
  void beginRecall() {
    isBusy = true;
    Plan plan = rules.recall(holders);
    answersLeft = plan.acks;
    sendProbes(plan, kHome);
  }
  void beginDirect(Kind kind) {
    direct = kind;
    isDirect = isBusy = true;
    Plan plan = rules.planDirect(holders, kind);
    answersLeft = plan.acks;
    sendProbes(plan, kHome);
    if (!answersLeft)
      performDirect();
  }
  void performDirect() {
    holders = rules.afterDirect(holders, direct);
    isDirect = isBusy = false;
    if (!homeIsCurrent)
      fail("a cache that owns nothing gets old data");
    if (direct == Kind::read)
      return;
    for (const Cache &cache : caches)
      if (isReadable(cache.state))
        fail("a cache keeps a line that another one writes through");
    makeOld();
    homeIsCurrent = true;
  }
  void sendProbes(const Plan &plan, Node requester) {
    if (plan.source == Source::owner)
      send(forwardOf(plan, 0, requester), false);
    for (uint8_t cache = 0; cache != caches.size(); ++cache)
      if (plan.invalidated >> cache & 1)
        send(invFor(0, cache, requester), false);
  }

  // The network.

  size_t indexOf(Node node) const {
    return node == kHome ? caches.size() : node;
  }
  void send(const Message &message, bool isCurrent) {
    bool isAnswer = message.from != kHome &&
                    (message.kind == Kind::data || message.kind == Kind::ack);
    size_t ends = caches.size() + 1;
    size_t channel =
        (indexOf(message.from) * ends + indexOf(message.to)) * 2 + isAnswer;
    channels[channel].push_back({message, isCurrent});
  }
  void fail(const char *what) {
    if (broken.empty())
      broken = what;
  }

  Rules rules;
  bool isBusy = false, homeIsCurrent = true;
  uint8_t answersLeft = 0;
  /// Whether the home serves a request of a cache that owns nothing, and which.
  bool isDirect = false;
  Kind direct = Kind::read;
  Packets waiters;
  std::vector<Packets> channels;
  std::string broken;
};

/// What a search found.
struct Found {
  size_t worlds = 0;
  /// The first fault, with the steps to it; "" if there is none.
  std::string fault;
  /// The states of the caches in all quiet worlds.
  std::vector<std::vector<State>> quiet;
};

inline std::string describe(Step step, const World &before) {
  static constexpr const char *names[] = {"read",   "write",   "evict",
                                          "recall", "restart", "deliver",
                                          "copy",   "through"};
  std::string text = names[step.kind];
  if (step.kind == Step::deliver) {
    World after = before;
    after.log.clear();
    after.take(step);
    text += " " + after.log;
  }
  return text + " " + std::to_string(step.which);
}

/// Goes through all worlds, breadth first.  A fault is one of a world, a world in which
/// something is under way that cannot go on, or steps that go round in a circle without
/// any new access.
inline Found search(unsigned count, const Rules &rules = {},
                    size_t most = 20'000'000) {
  Found found;
  std::unordered_map<std::string, uint32_t> numbers;
  struct Edge {
    uint32_t parent;
    Step step;
  };
  std::vector<Edge> from;
  std::vector<uint32_t> innerFrom, innerTo;
  std::deque<std::pair<uint32_t, World>> toDo;
  auto pathTo = [&](uint32_t number) {
    std::vector<Step> steps;
    for (; number; number = from[number].parent)
      steps.push_back(from[number].step);
    World world(count, rules);
    std::string text;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      text += "\n  " + describe(*step, world);
      world.take(*step);
    }
    return text;
  };
  auto visit = [&](const World &world, uint32_t parent, Step step) {
    auto [entry, isNew] =
        numbers.try_emplace(world.key(), static_cast<uint32_t>(numbers.size()));
    if (!isNew)
      return entry->second;
    from.push_back({parent, step});
    std::string fault = world.fault();
    if (!fault.empty() && found.fault.empty())
      found.fault = fault + ":" + pathTo(entry->second);
    if (world.isQuiet()) {
      std::vector<State> states;
      for (const World::Cache &cache : world.caches)
        states.push_back(cache.state);
      if (std::find(found.quiet.begin(), found.quiet.end(), states) ==
          found.quiet.end())
        found.quiet.push_back(states);
    }
    toDo.emplace_back(entry->second, world);
    return entry->second;
  };
  visit(World(count, rules), 0, {});
  while (!toDo.empty() && found.fault.empty() && numbers.size() < most) {
    auto [number, world] = std::move(toDo.front());
    toDo.pop_front();
    world.log.clear();
    std::vector<Step> inner = world.innerSteps();
    if (inner.empty() && !world.isQuiet())
      found.fault = "nothing can go on:" + pathTo(number);
    for (Step step : inner) {
      World next = world;
      next.take(step);
      uint32_t to = visit(next, number, step);
      innerFrom.push_back(number);
      innerTo.push_back(to);
    }
    for (Step step : world.outerSteps()) {
      World next = world;
      next.take(step);
      visit(next, number, step);
    }
  }
  found.worlds = numbers.size();
  if (!found.fault.empty())
    return found;
  if (numbers.size() >= most) {
    found.fault = "too many worlds";
    return found;
  }
  // Takes away worlds to which no step leads that is left; a circle stays.
  std::vector<uint32_t> into(numbers.size()), first(numbers.size() + 1);
  for (uint32_t to : innerTo)
    ++into[to];
  for (uint32_t one : innerFrom)
    ++first[one + 1];
  for (size_t i = 0; i != numbers.size(); ++i)
    first[i + 1] += first[i];
  // `innerFrom` is in order: worlds are taken in the order of their numbers.
  std::vector<uint32_t> free;
  for (uint32_t i = 0; i != into.size(); ++i)
    if (!into[i])
      free.push_back(i);
  size_t taken = 0;
  for (; !free.empty(); ++taken) {
    uint32_t one = free.back();
    free.pop_back();
    for (uint32_t i = first[one]; i != first[one + 1]; ++i)
      if (--into[innerTo[i]] == 0)
        free.push_back(innerTo[i]);
  }
  if (taken != numbers.size())
    found.fault = "messages go round in a circle";
  return found;
}

} // namespace chansim::moesi

#endif // SIM_MOESIMODEL_H
