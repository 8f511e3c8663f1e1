//===- Moesi.h - The coherence protocol, without time -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A MOESI directory protocol with read-for-ownership (Orr et al., ISCA 2014,
// section 7).  The home (the L2 with its directory) knows for each line which cache
// owns it and which share it.  These functions say who changes to what and who sends
// what; CoherentCache and Directory add the time, and a test searches all orders of
// messages.
//
//   cache 0                home                  cache 1 (modified)
//      |------ getM -------->|                        |
//      |               (line is busy)                 |
//      |                     |------ fwdGetM -------->|
//      |<------------------ data ---------------------| (invalid)
//   (modified)               |                        |
//      |------ unblock ----->|                        |
//      |               (line is free)                 |
//
// States of a line in a cache: invalid; shared: others may have it; exclusive: no
// other has it, and the home has the same data; owned: others may share it, and the
// home's data are old; modified: no other has it, and the home's data are old.
//
// The rules:
// - A line is busy from its request until the requester's unblock.  Other requests
//   for it wait at the home.  So a cache gets no probe for a line whose request is
//   being served.
// - An owner's cache serves forwards: a getS makes modified owned, and exclusive
//   shared (the requester's unblock tells the home, which then is current).
// - A requester that still has the line gets a grant without data.  All others
//   give it up, even the owner of the dirty line: the requester has the same data.
// - A cache says by a put that it gives a line up, in every state.  Until the putAck
//   comes it keeps the line, answers probes for it, and sends no request for it.
//   A put of a cache that no longer holds the line changes nothing.
// - The home gives a line up by a recall: it is the requester, and no cache unblocks.
// - A cache that owns nothing (CombiningCache.h) reads copies that the home does not
//   remember, and has the home perform its writes and atomic operations. Before the home
//   does so, all that hold the line give it up; for a copy, the owner sends its data home.
// - Messages from one sender to one receiver about one line keep their order, with one
//   exception: a cache's answers to probes may fall behind what it sends later.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_COHERENCE_MOESI_H
#define CHANSIM_COHERENCE_MOESI_H

#include <cstdint>
#include <string_view>

namespace chansim::moesi {

/// Of a line in a cache.
enum class State : uint8_t { invalid, shared, exclusive, owned, modified };

enum class Kind : uint8_t {
  // From a cache to the home.
  getS,     ///< asks for the line, to read it
  getM,     ///< asks for the only copy, to write it
  putClean, ///< gives up a line that the home has, too
  putDirty, ///< gives up a line, with its data
  unblock,  ///< the request is done
  // From the home to a cache.
  fwdGetS, ///< send your line to the requester; it may be kept
  fwdGetM, ///< send your line to the requester, and give it up
  inv,     ///< give the line up, and send the requester an ack
  putAck,  ///< the put is done
  grant,   ///< your copy is the only one when the acks have come
  // From the home or a cache to a requester.
  data, ///< the line
  ack,  ///< a copy has been given up
  // From a cache that owns nothing to the home.
  read,   ///< asks for a copy, which the home does not remember
  write,  ///< bytes of the line
  atomic, ///< an operation on a word of the line, for the home to perform
  // From the home to such a cache.
  copy,    ///< the line
  written, ///< the home has the bytes
  result   ///< the operation has been performed
};

/// A cache by its number, or the home.
using Node = uint8_t;
inline constexpr Node kHome = 0xff;
inline constexpr Node kNobody = 0xfe;
/// Caches of a machine at most.
inline constexpr uint32_t kMostCaches = 64;

struct Message {
  uint64_t line;
  Kind kind;
  Node from, to;
  /// For whom a probe is.
  Node requester = kNobody;
  /// Of data and grants: acks that the requester waits for.
  uint8_t acks = 0;
  /// Of data, grants and unblocks: the requester's new state.
  State granted = State::invalid;
  /// Of data from an owner, and then of the unblock: the home's data are as new.
  /// Of an ack to the home: alike.
  bool isClean = false;
  /// Of writes: how many bytes.
  uint8_t bytes = 0;
  /// Of caches that own nothing: theirs, which comes back with the answer.
  uint32_t tag = 0;
  /// Of answers to those: when the home performed the request.
  uint64_t performedAt = 0;
  /// Of data from the home, for traces: the L2 did not have them.
  bool isFromDram = false;
};

inline bool carriesLine(Kind kind) {
  return kind == Kind::data || kind == Kind::putDirty || kind == Kind::copy;
}
/// Whether it is a request of a cache that owns nothing.
inline bool isDirect(Kind kind) {
  return kind == Kind::read || kind == Kind::write || kind == Kind::atomic;
}
std::string_view nameOf(State state);
std::string_view nameOf(Kind kind);

//===----------------------------------------------------------------------===//
// A cache
//===----------------------------------------------------------------------===//

/// Whether a read finds what it needs.
inline bool isReadable(State state) { return state != State::invalid; }
/// Whether a write or an atomic operation does.  It makes the state modified.
inline bool isWritable(State state) {
  return state == State::exclusive || state == State::modified;
}
/// Whether the home's data are older.
inline bool isDirty(State state) {
  return state == State::owned || state == State::modified;
}
/// How the cache gives the line up.
inline Kind putOf(State state) {
  return isDirty(state) ? Kind::putDirty : Kind::putClean;
}

/// What a cache that holds a line, or that waits for a putAck, does about a probe.
struct Reply {
  State next;
  Message message;
};
/// REQUIRES: the state is not invalid, unless it is that of a line that is being put.
/// The line that is being put is kept in its state as if it were in the cache.
Reply probe(State state, const Message &probe);

/// A request that is under way, as its cache sees it.
class Wanted {
public:
  Wanted() = default;
  /// `kind` is getS or getM.
  explicit Wanted(Kind kind) : ownKind(kind) {}

  Kind kind() const { return ownKind; }
  /// Data, a grant or an ack has come.
  void receive(const Message &message);
  bool isDone() const { return isAnswered && acksLeft == 0; }
  /// Whether the line came from another cache.
  bool isFromCache() const { return fromCache; }
  /// The state of the line when the request is done, and what then goes home.
  State granted() const { return answer; }
  Message unblock(uint64_t line, Node self) const {
    return {line, Kind::unblock, self, kHome, self, 0, answer, ownerIsClean};
  }
  /// For messages to people: acks that are not there yet; negative if acks came
  /// before the answer said how many there are.
  int missingAcks() const { return acksLeft; }
  bool hasAnswer() const { return isAnswered; }
  friend bool operator==(const Wanted &, const Wanted &) = default;

private:
  Kind ownKind = Kind::getS;
  State answer = State::invalid;
  bool isAnswered = false, fromCache = false, ownerIsClean = false;
  int8_t acksLeft = 0;
};

//===----------------------------------------------------------------------===//
// The home
//===----------------------------------------------------------------------===//

/// Who holds a line, as the home knows.
struct Holders {
  /// A bit for each cache; the owner is not among them.
  uint64_t sharers = 0;
  Node owner = kNobody;

  bool any() const { return sharers || owner != kNobody; }
  bool has(Node cache) const {
    return owner == cache || (sharers >> cache & 1);
  }
  friend bool operator==(const Holders &, const Holders &) = default;
};

/// Where a requester's line comes from.
enum class Source : uint8_t {
  home,     ///< the home's data
  owner,    ///< the owner's cache
  requester ///< it has the line
};

/// What the home does about a request, or for a recall.
struct Plan {
  Source source;
  /// The owner, if it gets a forward.
  Node owner;
  Kind forward;
  /// The caches that get an inv: a bit for each.
  uint64_t invalidated;
  /// Acks that the requester waits for.  A recall counts the owner's answer, too.
  uint8_t acks;
  State granted;
};

/// REQUIRES: `kind` is getS, and the requester does not have the line; or it is getM.
Plan plan(const Holders &holders, Kind kind, Node requester);
/// All that hold the line give it up.
Plan recall(const Holders &holders);
/// What must be done before the home performs a request of a cache that owns nothing: for
/// a read, the owner sends its data home and keeps the line as shared; for the others,
/// it is a recall.  `acks`: answers that the home waits for; 0 if nothing is to be done.
Plan planDirect(const Holders &holders, Kind kind);
/// When that has been done.
Holders afterDirect(Holders holders, Kind kind);
/// The message with which the home itself answers the requester.
/// REQUIRES: the source is not the owner.
Message answerOf(const Plan &plan, uint64_t line, Node requester);
/// The message for the owner.  REQUIRES: there is one in the plan.
Message forwardOf(const Plan &plan, uint64_t line, Node requester);
inline Message invFor(uint64_t line, Node cache, Node requester) {
  return {line, Kind::inv, kHome, cache, requester};
}

/// The requester has unblocked the line.
Holders after(Holders holders, const Message &unblock);

/// A cache has given the line up.
struct Given {
  Holders holders;
  /// Whether the home takes the put's data.
  bool takesData;
  /// Whether the cache had lost the line when the put came.
  bool isStale;
};
Given give(Holders holders, const Message &put);

} // namespace chansim::moesi

#endif // CHANSIM_COHERENCE_MOESI_H
