//===- Rv64.h - Instructions of the aggregator's processor ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes the words of a RISC-V program: RV64I, M and A, without compressed
// instructions.  Hart.h executes them.  For example:
//
//   Instruction add = decode(0x00c58533);     // add a0, a1, a2
//   add.op == Op::add, add.rd == 10, add.rs1 == 11, add.rs2 == 12
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_AGGREGATOR_RV64_H
#define CHANSIM_AGGREGATOR_RV64_H

#include <cstdint>
#include <string_view>

namespace chansim::aggregator {

enum class Op : uint8_t {
#define RV64_OP(name, mnemonic, group, bytes) name,
#include "aggregator/Rv64.def"
};

/// What an instruction is for the timing.
enum class Group : uint8_t {
  alu,
  multiply,
  divide,
  branch,       ///< conditional
  jump,         ///< jal
  jumpRegister, ///< jalr
  load,
  store,
  loadReserved,
  storeConditional,
  atomic, ///< AMOs
  fence,
  trap ///< ends the program with an error
};

/// The registers of the calling convention that are of interest here.
inline constexpr unsigned kRa = 1, kSp = 2, kT0 = 5, kA0 = 10;

struct Instruction {
  /// Sign-extended; of an illegal instruction, the word; of a fence, the bits of its
  /// predecessors (IORW) above those of its successors.
  int32_t immediate = 0;
  Op op = Op::illegal;
  Group group = Group::trap;
  /// 0 if the instruction does not have that register.
  uint8_t rd = 0, rs1 = 0, rs2 = 0;
  /// Of memory.
  uint8_t bytes = 0;
  /// Of atomic operations: the bit `aq`.
  bool acquires = false;

  bool isMemory() const {
    return group >= Group::load && group <= Group::atomic;
  }
  /// LR, SC and AMO.
  bool isAtomic() const {
    return group >= Group::loadReserved && group <= Group::atomic;
  }
  bool isControl() const {
    return group >= Group::branch && group <= Group::jumpRegister;
  }
  /// Whether it leaves its return address behind, or jumps to one, after the hints of
  /// the specification (x1 and x5 are links).
  bool isCall() const {
    return (group == Group::jump || group == Group::jumpRegister) &&
           (rd == kRa || rd == kT0);
  }
  bool isReturn() const {
    return group == Group::jumpRegister && (rs1 == kRa || rs1 == kT0) &&
           rs1 != rd;
  }
  /// Whether a fence orders stores before it.
  bool fencesStores() const { return immediate & 0x50; }
};

/// What the word says; `Op::illegal` if it is not one of RV64IMA.
Instruction decode(uint32_t word);

/// "amoadd.d"
std::string_view mnemonic(Op op);

} // namespace chansim::aggregator

#endif // CHANSIM_AGGREGATOR_RV64_H
