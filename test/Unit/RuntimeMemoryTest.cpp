//===- RuntimeMemoryTest.cpp - Frames, arenas and memory bounds -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Level.h"
#include "Memory.h"
#include "RuntimeKernels.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <thread>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

using namespace kernels;

namespace {

[[maybe_unused]] long residentMegabytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

/// Leaves the process of a death test with its verdict.
[[maybe_unused]] void leaveWith(bool right, long limitMegabytes) {
  long used = residentMegabytes();
  if (!right)
    fprintf(stderr, "wrong answer\n");
  if (used >= limitMegabytes)
    fprintf(stderr, "%ld MB\n", used);
  std::exit(right && used < limitMegabytes ? 0 : 2);
}

using Task = Element<int *>;

/// Runs `Body` as a kernel, which stores its verdict where its element says.
template <auto Body> int runKernel() {
  static const chan_channel channel =
      makeChannel<Task, Body, CHAN_ENTRY>("test.0");
  int verdict = -1;
  Task::call(channel, &verdict);
  return verdict;
}

void useArenas(chan_worker *worker, chan_block *block, uint32_t i) {
  int *verdict = Task::get<0>(block, i);
  *verdict = 0;
  void *arena = nullptr;
  for (int round = 0; round != 3; ++round) {
    std::vector<std::pair<unsigned char *, size_t>> pieces;
    for (size_t size = 0; size < 300000; size = size * 2 + 1) {
      for (size_t alignment : {1, 8, 16, 64, 4096}) {
        auto *memory = static_cast<unsigned char *>(
            chan_arena_alloc(worker, &arena, size, alignment));
        if (reinterpret_cast<uintptr_t>(memory) % alignment)
          ++*verdict;
        memset(memory, int(pieces.size()), size);
        pieces.emplace_back(memory, size);
      }
    }
    for (size_t p = 0; p != pieces.size(); ++p)
      for (size_t byte = 0; byte != pieces[p].second; ++byte)
        if (pieces[p].first[byte] != static_cast<unsigned char>(p))
          ++*verdict;
    chan_arena_free(worker, &arena);
    if (arena)
      ++*verdict;
  }
}

void useLargeFrames(chan_worker *worker, chan_block *block, uint32_t i) {
  int *verdict = Task::get<0>(block, i);
  *verdict = 0;
  for (size_t size : {1025, 5000, 131072, 131073, 5000000}) {
    void *first = chan_frame_new(worker, CHAN_FRAME_CLASSES, size);
    void *second = chan_frame_new(worker, CHAN_FRAME_CLASSES, size);
    memset(first, 1, size);
    memset(second, 2, size);
    if (reinterpret_cast<uintptr_t>(first) % 16 ||
        reinterpret_cast<uintptr_t>(second) % 16 ||
        static_cast<char *>(first)[size - 1] != 1)
      ++*verdict;
    chan_frame_delete(worker, first, size);
    chan_frame_delete(worker, second, size);
  }
}

long pageFaults() {
  rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

void writePages(void *memory, size_t bytes) {
  for (size_t at = 0; at < bytes; at += chan::Memory::kPage)
    static_cast<volatile char *>(memory)[at] = 1;
}

/// Like tasks that have an array each, of a size known only at run time.
void useArraysInTurn(chan_worker *worker, chan_block *block, uint32_t i) {
  constexpr size_t Bytes = size_t(1) << 20;
  constexpr long Turns = 100, Pages = Bytes / chan::Memory::kPage;
  long before = pageFaults();
  for (long turn = 0; turn != Turns; ++turn) {
    void *arena = nullptr;
    writePages(chan_arena_alloc(worker, &arena, Bytes, 16), Bytes);
    chan_arena_free(worker, &arena);
  }
  *Task::get<0>(block, i) = pageFaults() - before < Turns / 4 * Pages ? 0 : 1;
}

/// A worker's memory, without the worker.
struct OwnMemory {
  void *frames[CHAN_FRAME_CLASSES] = {};
  chan::Memory memory{frames};
  ~OwnMemory() { memory.unmapAll(); }
};

/// Spawns children that are `Words` long and, after each, checks the memory
/// that all of them take. It is at most twice what is used (docs/architecture/Scheduling.md),
/// and half of what a level's 256 bytes leave for its two lists.
template <size_t Words>
void spawnAndMeasure(chan_worker *worker, chan_block *block, uint32_t i) {
  using Large = Element<std::array<long, Words>>;
  static const chan_channel channel =
      makeChannel<Large, +[](chan_worker *, chan_block *, uint32_t) {},
                  CHAN_ENTRY>("large.0");
  int *verdict = Task::get<0>(block, i);
  *verdict = 0;
  for (size_t children = 1; children <= 64; ++children) {
    Large::send(worker, channel, {});
    size_t bytes = 0;
    for (chan_block *each = worker->level->deeper->entries;
         each != chan::noBlock(); each = each->next)
      bytes += chan::blockBytes(each);
    if (bytes >
        2 * children * (Large::size + 32) + (256 - sizeof(chan::Level)) / 2)
      ++*verdict;
  }
}

#ifndef SANITIZED
/// An activation that waits for
/// a child.
void waitEntry(chan_worker *worker, chan_block *block, uint32_t i);
void waitSync(chan_worker *worker, chan_block *block, uint32_t i);
using Handle = Element<void *>;
const chan_channel Leaf =
    makeChannel<Task, +[](chan_worker *, chan_block *, uint32_t) {},
                CHAN_ENTRY>("leaf.0");
const chan_channel Wait = makeChannel<Task, waitEntry, CHAN_ENTRY>("wait.0");
const chan_channel Waited =
    makeChannel<Handle, waitSync, CHAN_CONTINUATION>("wait.1");
void waitEntry(chan_worker *worker, chan_block *, uint32_t) {
  Task::send(worker, Leaf, nullptr);
  Handle::send(worker, Waited, nullptr);
}
void waitSync(chan_worker *, chan_block *, uint32_t) {}

/// On the way up a chain of `Descent` levels, makes each of them wide.
constexpr long Descent = 1000, Breadth = 4096;
using Descend = Element<long>;
void descendEntry(chan_worker *worker, chan_block *block, uint32_t i);
void descendSync(chan_worker *worker, chan_block *block, uint32_t i);
const chan_channel DescendEntry =
    makeChannel<Descend, descendEntry, CHAN_ENTRY>("descend.0");
const chan_channel DescendSync =
    makeChannel<Handle, descendSync, CHAN_CONTINUATION>("descend.1");
void descendEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  if (long left = Descend::get<0>(block, i)) {
    Descend::send(worker, DescendEntry, left - 1);
    Handle::send(worker, DescendSync, nullptr);
  }
}
void descendSync(chan_worker *worker, chan_block *, uint32_t) {
  for (long child = 0; child != Breadth; ++child)
    Task::send(worker, Wait, nullptr);
}

void endlessEntry(chan_worker *, chan_block *, uint32_t);
const chan_channel Endless =
    makeChannel<Task, endlessEntry, CHAN_ENTRY>("endless.0", 32);
struct EndlessFrame {
  void *words[4];
};
void endlessEntry(chan_worker *worker, chan_block *, uint32_t) {
  newFrame<EndlessFrame>(worker);
  Task::send(worker, Endless, nullptr);
}

void recurseInC(chan_worker *, chan_block *, uint32_t);
const chan_channel Deep = makeChannel<Task, recurseInC, CHAN_ENTRY>("deep.0");
int growStack(int depth) {
  volatile char room[512];
  room[0] = char(depth);
  return depth < 0 ? 0 : growStack(depth + 1) + room[0];
}
void recurseInC(chan_worker *, chan_block *, uint32_t) { growStack(1); }

/// Whether the rest of the address space can be allocated, though the worker
/// keeps some of it mapped and unused.
bool fillsAddressSpace() {
  constexpr size_t Left = size_t(64) << 20, Part = size_t(1) << 20;
  constexpr size_t Parts = chan::kMostKept / Part;
  long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "r");
  if (!statm || fscanf(statm, "%ld", &pages) != 1 || fclose(statm) != 0)
    return false;
  rlimit limit;
  limit.rlim_cur = limit.rlim_max = size_t(pages) * chan::Memory::kPage + Left;
  setrlimit(RLIMIT_AS, &limit);
  OwnMemory own;
  void *parts[Parts];
  for (void *&part : parts)
    part = own.memory.allocate(Part);
  for (void *part : parts)
    own.memory.release(part, Part);
  // A large region is mapped with room to be aligned.
  return own.memory.held() == Parts * Part &&
         own.memory.allocate(Left - Parts * Part + (size_t(2) << 20));
}

using Wide = Element<std::array<long, 16>>;
constexpr long Bursts = 1000, Burst = 1000;
std::atomic<long> counted;

void count(chan_worker *, chan_block *, uint32_t) { ++counted; }
const chan_channel Counted = makeChannel<Wide, count, CHAN_ENTRY>("counted.0");

/// Spawns no faster than another worker runs the children, so that the level
/// never fills. It does not wait for a worker that gets no processor.
void spawnInBursts(chan_worker *worker, chan_block *, uint32_t) {
  using Clock = std::chrono::steady_clock;
  for (long burst = 0; burst != Bursts; ++burst) {
    for (long child = 0; child != Burst; ++child)
      Wide::send(worker, Counted, {});
    auto end = Clock::now() + std::chrono::milliseconds(1);
    while (counted < (burst - 1) * Burst && Clock::now() < end)
      ;
  }
}
#endif

} // namespace

TEST(RuntimeMemory, ArenasAlignAndKeepApart) {
  EXPECT_EQ(runKernel<useArenas>(), 0);
}

TEST(RuntimeMemory, FramesOfAnySize) {
  EXPECT_EQ(runKernel<useLargeFrames>(), 0);
}

TEST(RuntimeMemory, TheNextTaskFindsReleasedMemoryMapped) {
  EXPECT_EQ(runKernel<useArraysInTurn>(), 0);
}

TEST(RuntimeMemory, MappedFreeMemoryIsBounded) {
  OwnMemory own;
  constexpr size_t Most = chan::kMostKept;
  // Sizes at and around the limits of what stays mapped, and some between.
  for (size_t bytes :
       {chan::kLargestPooled + 1, size_t(200000), size_t(1) << 20,
        size_t(3000001), chan::kLargestKept, chan::kLargestKept + 1}) {
    std::vector<void *> all;
    for (size_t sum = 0; sum < 4 * Most; sum += bytes)
      all.push_back(own.memory.allocate(bytes));
    EXPECT_GE(own.memory.held(), 4 * Most);
    for (void *each : all)
      own.memory.release(each, bytes);
    EXPECT_LE(own.memory.held(), Most);
  }
  own.memory.unmapAll();
  EXPECT_EQ(own.memory.held(), 0u);
}

TEST(RuntimeMemory, TheMemoryUsedLastStaysMapped) {
  OwnMemory own;
  constexpr size_t Early = 200000, Late = size_t(2) << 20;
  std::vector<void *> all;
  for (size_t sum = 0; sum < 2 * chan::kMostKept; sum += Early)
    all.push_back(own.memory.allocate(Early));
  for (void *each : all)
    own.memory.release(each, Early);
  void *late = own.memory.allocate(Late);
  own.memory.release(late, Late);
  size_t held = own.memory.held();
  EXPECT_EQ(own.memory.allocate(Late), late);
  EXPECT_EQ(own.memory.held(), held);
  // The early regions that remain are the youngest ones.
  EXPECT_EQ(own.memory.allocate(Early), all.back());
  own.memory.release(all.back(), Early);
  own.memory.release(late, Late);
}

TEST(RuntimeMemory, BlocksAreNotMoreThanHalfEmpty) {
  // Each in a new thread, whose levels have no expectations.
  for (auto run :
       {runKernel<spawnAndMeasure<1>>, runKernel<spawnAndMeasure<5>>,
        runKernel<spawnAndMeasure<20>>, runKernel<spawnAndMeasure<100>>,
        runKernel<spawnAndMeasure<1000>>})
    std::thread([=] { EXPECT_EQ(run(), 0); }).join();
}

#ifndef SANITIZED
TEST(RuntimeMemoryDeathTest, SpawnLoopOfTenMillionStaysSmall) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(leaveWith(sumInLoop(10'000'000) == 49999995000000, 64),
              testing::ExitedWithCode(0), "");
}

TEST(RuntimeMemoryDeathTest, SpawnLoopStaysSmallIfThievesKeepUp) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("CHAN_WORKERS", "2", 1);
        runKernel<spawnInBursts>();
        leaveWith(counted == Bursts * Burst, 64);
      },
      testing::ExitedWithCode(0), "");
}

TEST(RuntimeMemoryDeathTest, FibAtWidth64StaysSmall) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  setenv("CHAN_WIDTH", "64", 1);
  EXPECT_EXIT(leaveWith(fib(28) == 317811, 64), testing::ExitedWithCode(0), "");
  unsetenv("CHAN_WIDTH");
}

TEST(RuntimeMemoryDeathTest, RecursionAMillionDeepFits) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(leaveWith(listLength(1'000'000) == 1'000'000, 512),
              testing::ExitedWithCode(0), "");
}

TEST(RuntimeMemoryDeathTest, LevelsThatWereWideInTurnAreSmallTogether) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("CHAN_WORKERS", "1", 1);
        Descend::call(DescendEntry, Descent);
        bool right = listLength(Descent) == Descent;
        // The bound of docs/architecture/Scheduling.md, with one element at each level and one
        // wide level.
        size_t most = (size_t(15) << 20) + 256 * Descent +
                      2 * Breadth * (Handle::size + 32);
        if (size_t mapped = chan::Memory::mostMapped(); mapped > most)
          right = !fprintf(stderr, "%zu bytes\n", mapped);
        leaveWith(right, 64);
      },
      testing::ExitedWithCode(0), "");
}

TEST(RuntimeMemoryDeathTest, ExhaustedMemoryNamesChannelLevelAndBytes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        rlimit limit;
        limit.rlim_cur = limit.rlim_max = 512u << 20;
        setrlimit(RLIMIT_AS, &limit);
        setenv("CHAN_WORKERS", "1", 1);
        Task::call(Endless, nullptr);
      },
      testing::ExitedWithCode(1),
      "cilk2chan: out of memory: channel 'endless.0', level [0-9]+: needs "
      "[0-9]+ bytes more, holding [0-9]+");
}

TEST(RuntimeMemoryDeathTest, NearALimitMappedFreeMemoryIsUnmapped) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(leaveWith(fillsAddressSpace(), 64), testing::ExitedWithCode(0),
              "");
}

TEST(RuntimeMemoryDeathTest, ExhaustedStackIsReported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("CHAN_STACK", "1M", 1);
        Task::call(Deep, nullptr);
      },
      testing::ExitedWithCode(1),
      "cilk2chan: out of memory: channel 'deep.0', level 0: needs more than "
      "the "
      "stack of 1048576 bytes");
}
#endif
