//===- Code.h - Kernels as a core executes them -----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel of an assembly with its symbols resolved.  Registers of all classes are
// rows of words, one word for each thread of a tile:
//
//     row 0 .. s-1          registers of class s
//     row s .. s+d-1        registers of class d
//     row s+d .. s+d+c-1    registers of class c
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_CODE_H
#define CHANSIM_SIMT_CODE_H

#include "machine/Machine.h"
#include "simt/Assembly.h"

#include <span>

namespace chansim::simt {

struct CodeOperand {
  Operand::Kind kind;
  /// A register's row, or a parameter's number.
  uint32_t number;
  /// Of a constant, or a symbol: the word.  Of a parameter: the bits that count.
  uint64_t word;
};

struct CodeInstruction {
  Instruction::Kind kind;
  Action action;
  Order order;
  /// Operands that there are.
  uint8_t operands;
  bool isConditional, isNegated, isPatient;
  /// Of a branch: whether it goes back to try again what only others can change. The
  /// instructions from its target to it have an access with an order, and no plain
  /// store and no call.
  bool isWaiting;
  Evaluate evaluate;
  /// A row, or kNone.
  uint32_t result;
  std::array<CodeOperand, 3> operand;
  /// Added to operand 0.
  uint64_t offset;
  uint32_t target, reconvergence;
  /// Of a call: the address of the function.
  uint64_t callee;
};

/// Threads of a tile at most: of a timed core a launch, whose warps take their turns;
/// else as many as are resident.
uint32_t tileThreads(const SimtParameters &parameters);
/// Of a machine: on kind `apu`, a tile is a wavefront.
uint32_t tileThreads(const Machine &machine);

/// Of kind `apu`: bytes that a wavefront of the kernel stores when it yields, and loads
/// when it goes on (ISCA 2014, section 7): those of its registers for all lanes, and
/// yield.base_bytes.
uint64_t contextBytes(const Kernel &kernel, const Machine &machine);

class Code final : public KernelCode {
public:
  /// Why a scheduler issues nothing although a warp has a next instruction, as
  /// reports name it: a register waits for a result, no operand collector is free,
  /// the units for divisions or f64 are occupied, the load/store unit's queue is
  /// full, or the instruction has not come.
  static constexpr std::array<const char *, 5> kStalls = {
      "result", "collector", "special_unit", "load_store_queue", "fetch"};

  /// `symbols` are the addresses of Assembly::symbols; `kernel` must live as long
  /// as this. `threads`: of a tile at most. `issueCycles`: of an instruction of a
  /// warp, 0 if the core is not timed.
  Code(const Kernel &kernel, std::span<const uint64_t> symbols,
       uint32_t threads, uint32_t issueCycles = 0);

  const Kernel &kernel() const { return *source; }
  const KernelHeader &header() const override { return *source; }
  uint32_t tileThreads() const override { return threads; }
  /// Registers are the core's own.
  uint32_t stateBytes() const override { return 0; }
  /// A kernel is one block. An instruction works while it is issued, or for a cycle
  /// each time if the core is not timed, and is queued while it is the next one of
  /// the oldest warp of a scheduler that issues nothing.  The refusals say why, in
  /// cycles.
  void reportBlocks(nlohmann::ordered_json &blocks) const override;

  const std::vector<CodeInstruction> &instructions() const { return decoded; }
  /// Registers of a thread, of all classes.
  uint32_t rows() const { return rowCount; }

  /// Since the beginning: tiles, their threads, and of each instruction, how often
  /// a warp executed it.  Of a timed core also the cycles of the tiles, and of each
  /// instruction the cycles in which a scheduler waited with it, by kStalls.
  struct {
    uint64_t runs = 0, threads = 0, cycles = 0;
    std::vector<uint64_t> executed;
    std::vector<std::array<uint64_t, kStalls.size()>> stalled;
    /// Alike, the cycles in which states of wavefronts were saved and restored that
    /// yielded there.
    std::vector<uint64_t> moved;
  } counters;

private:
  uint32_t rowOf(RegisterClass kind, uint32_t number) const {
    return firstRow[static_cast<size_t>(kind)] + number;
  }
  CodeOperand decode(const Operand &operand, Type type,
                     std::span<const uint64_t> symbols) const;
  bool isWaiting(size_t branch) const;
  CodeInstruction decode(const Instruction &instruction,
                         std::span<const uint64_t> symbols) const;

  const Kernel *source;
  std::array<uint32_t, kRegisterClasses> firstRow;
  uint32_t rowCount, threads, issueCycles;
  std::vector<CodeInstruction> decoded;
};

} // namespace chansim::simt

#endif // CHANSIM_SIMT_CODE_H
