//===- Multiprocessor.h - A timed SIMT core ---------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The core of Fermi, with which VGIW is compared (VGIW, section 4):
//
//   resident warps --> schedulers --> operand collectors --> lanes    --> registers
//      ^                   |          (RegisterBanks)        special      written
//      |                scoreboard                           load/store
//   next warp of                                               |
//   the tile                                     Coalescer --> L1 (MemoryPort)
//
// * A scheduler issues one instruction of its warps in `issue_cycles`: of the warp
//   that it served last, or else of the oldest that is ready.
// * A warp is ready if its next instruction neither reads nor writes a register whose
//   result is under way.
// * An instruction has its effect when it is issued; its result can be read when it
//   has gone through the pipeline.  A system call has its effect when the host has
//   done it.
// * Stores are posted: nothing waits for them.
// * At a barrier, a warp issues nothing until the instruction of the last thread of its
//   work-group has gone through the pipeline (WorkGroups.h).
//
// The numbers are SimtParameters.
//
// On machines of kind `apu` (ISCA 2014) it is a compute unit.  A tile is a wavefront,
// which has a warp slot, and the core runs as many tiles as it has slots, of different
// kernels:
//
//   slot        0     1     2     3     4   ...  39
//   scheduler   0     1     2     3     0   ...   3      (a SIMD unit each)
//   tile        A     B     -     C     D
//
// * A new tile gets a slot of the scheduler that has the fewest wavefronts.
// * Instructions come from a cache that all cores share (FetchUnit.h).
// * A wavefront yields as a whole: its state is stored, line by line, and loaded before
//   it goes on (ContextSaves.cpp).
// * An atomic operation has its effect when its line is there, lane by lane, and a
//   wavefront that waits for one begins no other access to memory.
// * A tile ends when its stores are done.
// * If L1 combines stores, what has an order waits for the accesses before it, and a
//   wavefront begins with an acquire and ends with a fence (CombiningCache.h).
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_MULTIPROCESSOR_H
#define CHANSIM_SIMT_MULTIPROCESSOR_H

#include "core/Core.h"
#include "core/Host.h"
#include "engine/Engine.h"
#include "engine/Fifo.h"
#include "memory/MemoryPort.h"
#include "results/Energy.h"
#include "simt/Coalescer.h"
#include "simt/FetchUnit.h"
#include "simt/Liveness.h"
#include "simt/RegisterBanks.h"
#include "simt/SimtTile.h"
#include "simt/SlotSet.h"
#include "simt/Warp.h"

#include <functional>
#include <memory>
#include <unordered_map>

namespace chansim::simt {

class Multiprocessor final : public Core, Component {
public:
  /// Adds itself to the engine, after the memory, whose consumer it becomes.
  /// `fetchUnit` brings the instructions, and was added before; if it is null, they
  /// are always there.
  Multiprocessor(const Machine &machine, Engine &engine, MemoryPort &memory,
                 Host &host, Statistics &statistics, uint32_t number,
                 FetchUnit *fetchUnit = nullptr);
  ~Multiprocessor() override;

  /// The trace has the tiles.
  void record(const Recording &recording) override;
  void addCounters(Statistics &statistics,
                   const std::string &prefix) const override;

  std::unique_ptr<Tile> makeTile() const override {
    return std::make_unique<SimtTile>();
  }
  uint32_t tilesAtOnce() const override {
    return static_cast<uint32_t>(residents.size());
  }
  bool canStart() const override {
    return tiles != residents.size() && !memory.isFlushing();
  }
  void start(Tile &tile) override;
  /// Begins to make L1 forget its lines.
  void flush() override;
  bool isIdle() const override { return !tiles && !memory.isFlushing(); }
  uint32_t tilesNow() const override { return tiles; }

private:
  /// Why a scheduler issued nothing.
  enum class Stall : uint8_t {
    none,
    noWarp,
    barrier,
    result,
    collector,
    special,
    loadStore,
    fetch
  };
  static constexpr size_t kStalls = 8;
  /// With the completion of turns of the scratchpad.
  static constexpr uint32_t kScratchpadTag = ~uint32_t(0);
  enum class Unit : uint8_t { lanes, doubleLanes, special, loadStore, control };

  /// Of an instruction: what it needs, found once.
  struct Timing {
    Unit unit;
    Arithmetic arithmetic;
    uint32_t latency;
    /// Bytes of an access.
    uint32_t bytes;
    /// Rows of the register file that are read and written.
    std::vector<uint16_t> sources, results;
    /// Registers (rows of Code.h) that it reads or writes.
    std::vector<uint16_t> registers;
  };
  /// A tile on the core.
  struct Resident {
    SimtTile *tile = nullptr;
    WarpContext context;
    const std::vector<Timing> *timings = nullptr;
    std::vector<SimtTile::Beginning> beginnings;
    /// Warps of it that have begun, that are in slots, and that may be.
    size_t begun = 0;
    uint32_t warps = 0, most = 0;
    /// Whether the memory of its work-groups is in the scratchpad.
    bool hasScratchpad = false;
    uint64_t begin = 0;
    /// The address of its first instruction.
    uint64_t codeBase = 0;

    /// Its private memory; null if it has none.
    const PrivateWindow *window() const {
      return tile->privateMemory ? &*tile->privateMemory : nullptr;
    }
  };
  /// What a warp does beside executing instructions.
  enum class Phase : uint8_t {
    running,
    leaving, ///< it has yielded, and waits for what is under way
    saving,
    recording,  ///< its restart is written into the channel of restarts
    publishing, ///< that channel's control_tail is moved
    returning,  ///< its state is still to be loaded
    restoring
  };
  /// A line of instructions that a slot holds or has asked for.
  struct HeldLine {
    uint64_t address;
    bool isThere;
  };
  struct Slot {
    // First, what is looked at in each cycle.
    std::unique_ptr<Warp> warp;
    Resident *resident = nullptr;
    /// Results, accesses and calls under way.
    uint32_t underWay = 0;
    /// Not before this cycle.
    uint64_t readyAt = 0;
    /// Whether the host does calls of its.
    bool isCalling = false;
    Phase phase = Phase::running;
    /// By row of Code.h: results under way.
    std::vector<uint8_t> pending;
    /// Since when it leaves or returns.
    uint64_t movesSince = 0;
    /// Instructions with atomic operations that are to have their effect, and others
    /// for which all later accesses wait.
    uint32_t atomics = 0;
    /// Where L1 combines stores: loads and stores under way, and whether it has stored
    /// something that others need not see yet.
    uint32_t accesses = 0;
    bool hasStored = false;
    std::vector<HeldLine> lines;
    /// Since when all its lanes that have not ended are at barriers.
    uint64_t blockedSince = 0;

    bool isBlocked() const { return !warp->isRunning() && !warp->isDone(); }
  };
  struct Scheduler {
    /// Slots with warps: the oldest first, or in their order if each has its turn.
    std::vector<uint32_t> order;
    uint32_t last = kNone;
    uint64_t freeAt = 0;
    Stall stall = Stall::noWarp;
    /// While it issues nothing: the next instruction of the oldest warp that is
    /// not at a barrier, or kNone.
    uint32_t stalledAt = kNone;
    Code *stalledCode = nullptr;
  };
  struct Result {
    uint64_t cycle, sequence;
    uint32_t slot;
    const Timing *timing;
    uint32_t row;
    /// As a heap has it.
    friend bool operator<(const Result &a, const Result &b) {
      return std::pair(a.cycle, a.sequence) > std::pair(b.cycle, b.sequence);
    }
  };
  /// An instruction in the load/store unit, or whose accesses are under way.
  struct MemoryInstruction {
    uint32_t slot, row;
    Resident *resident;
    /// Null if it moves the state of a wavefront that has yielded.
    const Timing *timing;
    const CodeInstruction *instruction;
    Access access;
    Order order;
    bool isPosted;
    /// Whether the wavefront's later accesses wait for it; and whether lanes load what is
    /// there when all lines have come.
    bool blocks, loadsLate;
    std::vector<LineAccess> lines;
    /// Of atomic operations, one for each lane.
    std::vector<uint64_t> addresses;
    /// Alike, those that have no effect yet: of `addresses`, and in the scratchpad.
    std::vector<Warp::Collected> collected, collectedHere;
    /// Turns of the scratchpad, which come first.
    uint32_t turns = 0;
    size_t next = 0;
    /// Accesses that have not been completed.
    uint32_t left = 0;

    size_t accesses() const {
      return access == Access::atomic  ? addresses.size()
             : access == Access::fence ? 1
                                       : lines.size();
    }
  };
  struct Call {
    Host::Call made;
    uint32_t slot;
  };

  Activity tick() override;
  void explain(std::string &text) const override;

  bool takeResults(uint64_t cycle);
  bool takeCompletions(uint64_t cycle);
  bool finishCalls(uint64_t cycle);
  void finishAccess(uint32_t instruction, uint32_t tag, uint64_t cycle);
  bool mustRelease(uint32_t slot, const CodeInstruction &instruction);
  void addFence(uint32_t slot);
  void finishFence(uint32_t slot, uint64_t cycle);
  uint32_t addMemoryInstruction(uint32_t slot);
  void divideAddresses(MemoryInstruction &entry);
  bool advanceLoadStore(uint64_t cycle);
  void useScratchpad(uint32_t instruction, uint64_t cycle);
  void leaveLoadStore(uint32_t instruction);
  bool issue(uint64_t cycle);
  Stall check(uint32_t slot, uint64_t cycle);
  void issueFrom(uint32_t slot, uint64_t cycle);
  void countLanes(uint32_t lanes);
  void enterLoadStore(uint32_t slot, const Warp::Executed &executed,
                      const Timing &timing);
  void addResult(uint64_t cycle, uint32_t slot, const Timing &timing,
                 uint32_t row);
  void deliver(uint32_t slot, const Timing &timing, uint32_t row,
               uint64_t cycle);
  void release(uint32_t slot, const Warp::Executed &executed, uint64_t cycle,
               uint64_t done);
  bool evict(uint64_t cycle);
  void vacate(uint32_t slot);
  uint32_t residentWarps(Resident &resident);
  bool takesScratchpad(SimtTile &tile);
  void fill(Resident &resident);
  uint32_t wavefrontSlot() const;
  void takeSlot(uint32_t slot, Resident &resident, std::unique_ptr<Warp> warp);
  void beginWarp(uint32_t slot, Resident &resident);
  void retire(uint32_t slot);
  void finishTile(Resident &resident, uint64_t cycle);
  bool moveContexts();
  uint64_t bytesToSave(const SimtTile &tile, const Warp &warp);
  /// Bytes of memory.
  struct ByteRange {
    uint64_t begin, bytes;
  };
  void moveContext(uint32_t slot, bool isSaving);
  void writeRestart(uint32_t slot);
  void move(uint32_t slot, Access access,
            std::initializer_list<ByteRange> ranges);
  void finishContext(uint32_t slot, uint64_t cycle);
  void noteMove(const Slot &slot, bool isBack, uint64_t cycle);
  bool takeInstructions();
  void askForInstructions(uint64_t cycle);
  bool hasInstruction(const Slot &slot, uint32_t pc) const;
  /// The warp's number for the banks of registers.
  uint32_t bankOf(uint32_t slot) const {
    return isApu ? slot : slots[slot].warp->number;
  }
  uint64_t wakeCycle(uint64_t cycle) const;
  void countStalls(uint64_t cycles);
  void countStall(const Scheduler &scheduler, uint64_t cycles);

  const std::vector<Timing> &timingsOf(const Code &code);
  Timing timingOf(const Kernel &kernel, const Instruction &instruction) const;

  void addApuCounters(Statistics &statistics);

  const Machine machine;
  MemoryPort &memory;
  Host &host;
  FetchUnit *const fetchUnit;
  const bool isApu;
  /// Whether L1 combines stores.
  const bool isCombining;
  const SimtParameters parameters;
  const OperationCycles operations;
  const uint32_t lineBytes;
  const bool hostAllocates;

  /// One, or one for each slot.
  std::vector<Resident> residents;
  /// Residents that there are.
  uint32_t tiles = 0;
  std::unordered_map<const Code *, std::vector<Timing>> known;
  std::vector<Slot> slots;
  /// Whose next instruction waits for a result.
  SlotSet waiting;
  /// Whose next instruction has changed, and whose lines are still to be asked for.
  SlotSet asking;
  /// Whose wavefronts leave or return.
  SlotSet moving;
  std::vector<Scheduler> schedulers;
  RegisterBanks banks;
  /// The number of this core for `fetchUnit`.
  uint32_t fetchPort = 0;
  /// Of kind `apu`: bytes of the scratchpad that tiles have, also those that have
  /// yielded.
  uint64_t scratchpadUsed = 0;
  /// A heap.
  std::vector<Result> results;
  uint64_t sequence = 0;

  /// Numbers of `instructions`; those that are free.
  Fifo<uint32_t> loadStore;
  std::vector<MemoryInstruction> instructions;
  std::vector<uint32_t> freeInstructions;
  uint64_t loadStoreFreeAt = 0;
  bool isRefused = false;
  uint64_t doubleFreeAt = 0, specialFreeAt = 0;
  Fifo<Call> calls;
  /// Of the lanes of the instruction that is issued: those to the scratchpad, and
  /// others.
  std::vector<uint64_t> scratchpadAddresses, addresses;
  /// Instructions whose words come from the scratchpad, and when.
  Fifo<std::pair<uint64_t, uint32_t>> scratchpad;

  Trace *trace = nullptr;
  /// By resident.
  std::vector<Trace::Track> tracks;
  /// Of kind `apu`: states that are saved and restored.
  std::unique_ptr<TraceLanes> moves;
  std::function<std::string(uint64_t, bool)> waitOf;
  /// Since when the core has tiles, or none.
  uint64_t since = 0;
  uint64_t lastTick = 0;
  ArithmeticCounts arithmetic;
  /// Of kernels whose wavefronts have yielded, with yield.live_only.
  std::unordered_map<const Code *, Liveness> liveness;
  struct {
    uint64_t tiles = 0, threads = 0, busyCycles = 0;
    uint64_t instructions = 0, laneOperations = 0, separations = 0;
    uint64_t memoryInstructions = 0, lines = 0, atomics = 0;
    uint64_t calls = 0, heapCalls = 0;
    uint64_t stalls[kStalls] = {};
    uint64_t barriers = 0, barrierCycles = 0;
    uint64_t scratchpadInstructions = 0, scratchpadTurns = 0;
    // Of kind `apu`.
    uint64_t wavefronts = 0, yields = 0, savedBytes = 0, restoredBytes = 0,
             emptyCycles = 0;
    /// Instructions, by the quarter in which their number of lanes is; and those of
    /// all lanes.
    uint64_t quarters[4] = {};
    uint64_t ofAllLanes = 0;
  } counters;
};

} // namespace chansim::simt

#endif // CHANSIM_SIMT_MULTIPROCESSOR_H
