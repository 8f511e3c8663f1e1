//===- Channel.h - The lock-free channel between workers --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SharedChannel is the array-based queue of Orr et al., "Fine-grain Task
// Aggregation and Coordination on GPUs", ISCA 2014, section 3.2 and Figures 4
// and 5: many producers, many consumers, elements of one fixed size.
//
// Protocol
//   producer   i = talloc(n)    reserves n adjacent elements with one CAS
//              data(i + k)      is filled in place, 0 <= k < n
//              enq(i, n)        makes them visible
//   consumer   i = tryDeq(...) or deqN(...)   takes ready elements in the order
//                               in which they became visible
//              data(i)          is read in place
//              tfree(i)         gives the room back
//
//   available --talloc--> reserved --enq--> ready --deq--> dispatched
//       ^                                                      |
//       +------- head passes it ------- done <-----tfree-------+
//
// Layout, for capacity C (a power of two) and groups of G elements
//
//                 head                              tail
//   data array     |done|dispatched|ready|reserved|  |        C elements
//   done counts    | 3/G |   G/G   |   1/G  |                 C/G counts
//                     head          tail    reserveTail
//   control array      | i | j | k |  | - | x |               2C entries
//
// A control entry holds the offset of an element in the data array. It also
// holds the lap of its position, which tells a written entry from last lap's.
//
// Callers: every member function but the constructor and the
// destructor may be called from any thread at any time. enq(i, n) may be called
// once, by the thread that got i from talloc(n). tfree(i) may be called once,
// by the thread that got i from a dequeue.
//
// Invariants
//   C1  head <= tail <= head + C in the data array, and
//       head <= tail <= reserveTail in the control array.  All five are 64-bit
//       and only grow: no ABA, and no wrap-around within a machine's life.
//   C2  Elements are freed in the order of their allocation, a group at a time:
//       the data head passes a group when its done count says that all G
//       elements of this lap are done.  Counts are never reset: the group of
//       lap k is done at (k + 1) * G.
//   C3  A control entry is overwritten only after its element was freed.  At
//       most C - 1 elements allocated before a live element can become visible
//       after it, and C - 1 allocated after it. So 2C entries suffice. This is
//       why the paper makes the control array twice as long as the data array.
//   C4  The control tail never passes an entry that is not written.
//   C5  When no enq is under way, the control tail equals reserveTail.
//   C6  The elements of one talloc are adjacent in memory.  Where they would
//       wrap, the rest of the array is skipped: reserved and at once done.
//
// Non-blocking, and where the paper's claim holds.  "Wavefront 1 can make its
// elements visible before wavefront 0 even though it reserved space after
// wavefront 0" is true of the data array: no thread waits for a reserved
// element. The control array is published in order, and the paper's producer
// waits between its reserveTail and its tail for those before it.  Here it does
// not wait: it leaves. The producer that writes the entry at the tail moves the
// tail past all entries that were written meanwhile. So every operation is
// lock-free. A producer may be stopped between those two steps, a few
// instructions of enq. That stops no other thread, but hides the elements
// enqueued after its own until it goes on. Likewise an element that is not
// freed keeps those allocated after it from being reused (C2).
//
// Errors: "full" and "empty" are values. Without memory the constructor ends
// the process with a message, or leaves a channel that is not valid(), as its
// caller asks. Nothing here needs the C++ runtime library.
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_CHANNEL_H
#define CHAN_SRC_CHANNEL_H

#include "Support.h"

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>

namespace chan {

/// Result of an attempt to dequeue.
enum class DeqStatus : uint8_t {
  taken,   ///< the caller owns the element until it calls tfree
  empty,   ///< no element is ready
  lost,    ///< another consumer took the element meanwhile: try again
  refused, ///< the predicate does not want the front element
};

/// An attempt to dequeue: `index` is meaningful when it was taken.
struct DeqResult {
  DeqStatus status;
  uint64_t index;

  explicit operator bool() const { return status == DeqStatus::taken; }
};

/// The states of ISCA'14 section 3.2.1.
enum class ElementState : uint8_t {
  available,  ///< vacant
  reserved,   ///< a producer fills it; hidden from consumers
  ready,      ///< visible
  dispatched, ///< a consumer works on it
  done,       ///< waits for those allocated earlier
};

class SharedChannel {
public:
  /// Elements that share a done count in the paper's Table 2.
  static constexpr uint32_t defaultGroup = 64;

#ifdef NDEBUG
  static constexpr bool tracksByDefault = false;
#else
  static constexpr bool tracksByDefault = true;
#endif

  /// What the constructor does if there is no memory.
  enum class Exhausted : uint8_t { fail, leaveInvalid };

  /// A channel of `width` elements (at least 1; rounded up to a power of two,
  /// at most 2^31) of `elementSize` bytes each, the first aligned as by malloc.
  /// `group` elements share a done count; it is rounded down to a power of two
  /// and to an eighth of the width, at least one.  With `tracked`, every
  /// element's state is recorded and every transition asserted.
  SharedChannel(size_t elementSize, uint32_t width,
                uint32_t group = defaultGroup, bool tracked = tracksByDefault,
                Exhausted exhausted = Exhausted::fail);

  SharedChannel(const SharedChannel &) = delete;
  SharedChannel &operator=(const SharedChannel &) = delete;

  /// False if there was no memory: then nothing else may be called.
  bool valid() const { return memory; }

  /// The number of elements there is room for.
  uint32_t capacity() const { return mask + 1; }

  /// Bytes from one element to the next.
  size_t elementSize() const { return stride; }

  /// Elements that share a done count.
  uint32_t group() const { return 1u << groupShift; }

  /// Reserves `n` adjacent elements (0 < n) and returns the index of the first;
  /// nothing if there is no room now, always so for n > capacity().  This is
  /// the reservation of Figure 5: the prefix sum over a wavefront is the
  /// caller's `n`, and its leader's CAS is the one in here.
  std::optional<uint64_t> talloc(uint32_t n = 1);

  /// The element at `index`.
  void *data(uint64_t index) const { return elements.get() + index * stride; }

  /// Makes the `n` elements from `index`, all of one talloc, visible.
  void enq(uint64_t index, uint32_t n = 1);

  /// Takes the front ready element if `wanted(const void *element)` holds.
  /// While `wanted` looks, another consumer may take and free the element, and
  /// a producer may refill it. The result is then dropped (lost). So `wanted`
  /// must read with atomic loads what producers write with atomic stores. It
  /// must follow no pointer that becomes invalid with the element.
  template <typename Predicate> DeqResult tryDeq(Predicate &&wanted);

  /// Takes the front ready element.  Never returns refused.
  DeqResult tryDeq() {
    return tryDeq([](const void *) { return true; });
  }

  /// Takes up to `max` ready elements with one CAS, writes their indices to
  /// `indices` and returns how many.  Zero means that none was ready.
  uint32_t deqN(uint64_t *indices, uint32_t max);

  /// Gives the room of the `n` dispatched elements from `index` back.
  void tfree(uint64_t index, uint32_t n = 1);

  /// How many elements are ready. Exact while no other thread uses the channel;
  /// otherwise it was true a moment ago.
  uint64_t ready() const;

  /// How many elements have been allocated and are not reusable yet, skipped
  /// ones included.  As exact as ready().
  uint64_t occupied() const;

  /// The state of an element.  REQUIRES: tracked.
  ElementState state(uint64_t index) const;

private:
  struct FreeDeleter {
    void operator()(void *memory) const { std::free(memory); }
  };
  template <typename T> using Array = std::unique_ptr<T[], FreeDeleter>;

  /// Done counts are a cache line apart: consumers of different groups do not
  /// write the same line.
  static constexpr size_t doneStride = cacheLineSize / sizeof(uint64_t);

  /// The value of a written control entry at `position`.  Tags are taken modulo
  /// 2^32: an entry is at most one lap behind (C3), so neighbours suffice.
  uint64_t entryFor(uint64_t position, uint64_t offset) const {
    return ((position >> controlShift) + 1) << 32 | offset;
  }
  bool isWritten(uint64_t entry, uint64_t position) const {
    return entry >> 32 == (entryFor(position, 0) >> 32);
  }
  std::atomic_ref<uint64_t> entryAt(uint64_t position) const {
    return std::atomic_ref<uint64_t>(control[position & controlMask]);
  }
  std::atomic_ref<uint64_t> doneAt(uint64_t offset) const {
    return std::atomic_ref<uint64_t>(done[(offset >> groupShift) * doneStride]);
  }

  template <typename T>
  void allocate(Array<T> &array, size_t count, size_t size);
  void publish();
  void markDone(uint64_t offset, uint32_t n);
  bool reclaim();
  void move(uint64_t offset, uint32_t n, ElementState from, ElementState to) {
    if (states)
      track(offset, n, from, to);
  }
  void track(uint64_t offset, uint32_t n, ElementState from, ElementState to);

  // Set by the constructor, read by all threads.
  bool memory = true;
  size_t stride;
  uint32_t mask;
  uint32_t controlMask;
  uint32_t controlShift;
  uint32_t groupShift;
  Array<std::byte> elements;
  Array<uint64_t> control;
  Array<uint64_t> done;
  Array<uint8_t> states; // null unless tracked; `done` also when available

  // The ends of the data array. Producers write the tail; the consumer that
  // completes a group writes the head.
  alignas(cacheLineSize) std::atomic<uint64_t> dataTail{0};
  alignas(cacheLineSize) std::atomic<uint64_t> dataHead{0};
  // The ends of the control array. Producers write the two tails, consumers the
  // head.
  alignas(cacheLineSize) std::atomic<uint64_t> reserveTail{0};
  alignas(cacheLineSize) std::atomic<uint64_t> controlTail{0};
  alignas(cacheLineSize) std::atomic<uint64_t> controlHead{0};
};

template <typename Predicate>
DeqResult SharedChannel::tryDeq(Predicate &&wanted) {
  // acquire: pairs with the CAS below, so that the tail read next is not older
  // than the head.
  uint64_t head = controlHead.load(std::memory_order_acquire);
  // acquires from publish the entry and the element. seq_cst, for consumers
  // that sleep: a consumer announces its sleep with seq_cst and then finds
  // nothing here. A producer that looks for announcements after its enq then
  // sees that consumer.
  uint64_t tail = controlTail.load(std::memory_order_seq_cst);
  if (head == tail)
    return {DeqStatus::empty, 0};
  // relaxed: ordered by the tail. If the CAS succeeds, no consumer had taken
  // this element, so by C3 the entry was the one of this lap.
  uint64_t offset =
      static_cast<uint32_t>(entryAt(head).load(std::memory_order_relaxed));
  bool take = wanted(static_cast<const void *>(data(offset)));
  if (!take) {
    // relaxed: a refusal is a hint, and was true a moment ago in any case.
    bool stale = controlHead.load(std::memory_order_relaxed) != head;
    return {stale ? DeqStatus::lost : DeqStatus::refused, 0};
  }
  // release: pairs with the acquire of the head above.  Ownership of the
  // element needs no order of its own: C3 and the done count guard its reuse.
  if (!controlHead.compare_exchange_strong(
          head, head + 1, std::memory_order_release, std::memory_order_relaxed))
    return {DeqStatus::lost, 0};
  move(offset, 1, ElementState::ready, ElementState::dispatched);
  return {DeqStatus::taken, offset};
}

} // namespace chan

#endif // CHAN_SRC_CHANNEL_H
