//===- Rv64.cpp - Instructions of the aggregator's processor --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After the RISC-V Instruction Set Manual, volume I.  A word of the R format:
//
//   31    25 24  20 19  15 14    12 11   7 6      0
//   funct7   rs2    rs1    funct3   rd     opcode
//
//===----------------------------------------------------------------------===//

#include "aggregator/Rv64.h"

#include <iterator>

namespace chansim::aggregator {

namespace {

struct OpInfo {
  std::string_view mnemonic;
  Group group;
  uint8_t bytes;
};

constexpr OpInfo kOps[] = {
#define RV64_OP(name, mnemonic, group, bytes) {mnemonic, Group::group, bytes},
#include "aggregator/Rv64.def"
};

/// Of a word.
struct Fields {
  uint32_t word;

  uint32_t bits(unsigned high, unsigned low) const {
    return word >> low & ((uint32_t(1) << (high - low + 1)) - 1);
  }
  uint32_t opcode() const { return bits(6, 0); }
  uint8_t rd() const { return static_cast<uint8_t>(bits(11, 7)); }
  uint8_t rs1() const { return static_cast<uint8_t>(bits(19, 15)); }
  uint8_t rs2() const { return static_cast<uint8_t>(bits(24, 20)); }
  uint32_t funct3() const { return bits(14, 12); }
  uint32_t funct7() const { return bits(31, 25); }

  /// Bits of which the last is the sign.
  static int32_t extend(uint32_t value, unsigned width) {
    return static_cast<int32_t>(value << (32 - width)) >> (32 - width);
  }
  int32_t i() const { return extend(bits(31, 20), 12); }
  int32_t s() const { return extend(funct7() << 5 | bits(11, 7), 12); }
  int32_t b() const {
    return extend(bits(31, 31) << 12 | bits(7, 7) << 11 | bits(30, 25) << 5 |
                      bits(11, 8) << 1,
                  13);
  }
  int32_t u() const { return static_cast<int32_t>(word & 0xfffff000); }
  int32_t j() const {
    return extend(bits(31, 31) << 20 | bits(19, 12) << 12 | bits(20, 20) << 11 |
                      bits(30, 21) << 1,
                  21);
  }
};

constexpr Op none = Op::illegal;

Op branch(uint32_t funct3) {
  constexpr Op ops[] = {Op::beq, Op::bne, none,     none,
                        Op::blt, Op::bge, Op::bltu, Op::bgeu};
  return ops[funct3];
}

Op load(uint32_t funct3) {
  constexpr Op ops[] = {Op::lb,  Op::lh,  Op::lw,  Op::ld,
                        Op::lbu, Op::lhu, Op::lwu, none};
  return ops[funct3];
}

Op store(uint32_t funct3) {
  constexpr Op ops[] = {Op::sb, Op::sh, Op::sw, Op::sd};
  return funct3 < std::size(ops) ? ops[funct3] : none;
}

/// With an immediate; the amount of a shift has six bits.
Op immediate(const Fields &fields) {
  uint32_t high = fields.bits(31, 26);
  switch (fields.funct3()) {
  case 0:
    return Op::addi;
  case 1:
    return high == 0 ? Op::slli : none;
  case 2:
    return Op::slti;
  case 3:
    return Op::sltiu;
  case 4:
    return Op::xori;
  case 5:
    return high == 0 ? Op::srli : high == 0x10 ? Op::srai : none;
  case 6:
    return Op::ori;
  default:
    return Op::andi;
  }
}

/// Alike, of 32 bits; the amount of a shift has five.
Op immediateWord(const Fields &fields) {
  uint32_t high = fields.funct7();
  switch (fields.funct3()) {
  case 0:
    return Op::addiw;
  case 1:
    return high == 0 ? Op::slliw : none;
  case 5:
    return high == 0 ? Op::srliw : high == 0x20 ? Op::sraiw : none;
  default:
    return none;
  }
}

Op registers(const Fields &fields) {
  constexpr Op base[] = {Op::add,  Op::sll, Op::slt, Op::sltu,
                         Op::xor_, Op::srl, Op::or_, Op::and_};
  constexpr Op m[] = {Op::mul, Op::mulh, Op::mulhsu, Op::mulhu,
                      Op::div, Op::divu, Op::rem,    Op::remu};
  switch (fields.funct7()) {
  case 0:
    return base[fields.funct3()];
  case 1:
    return m[fields.funct3()];
  case 0x20:
    return fields.funct3() == 0   ? Op::sub
           : fields.funct3() == 5 ? Op::sra
                                  : none;
  default:
    return none;
  }
}

Op registersWord(const Fields &fields) {
  constexpr Op base[] = {Op::addw, Op::sllw, none, none,
                         none,     Op::srlw, none, none};
  constexpr Op m[] = {Op::mulw, none,      none,     none,
                      Op::divw, Op::divuw, Op::remw, Op::remuw};
  switch (fields.funct7()) {
  case 0:
    return base[fields.funct3()];
  case 1:
    return m[fields.funct3()];
  case 0x20:
    return fields.funct3() == 0   ? Op::subw
           : fields.funct3() == 5 ? Op::sraw
                                  : none;
  default:
    return none;
  }
}

Op atomic(const Fields &fields) {
  if (fields.funct3() != 2 && fields.funct3() != 3)
    return none;
  Op word = none;
  switch (fields.bits(31, 27)) {
  case 0x02:
    word = fields.rs2() == 0 ? Op::lrW : none;
    break;
  case 0x03:
    word = Op::scW;
    break;
  case 0x01:
    word = Op::amoswapW;
    break;
  case 0x00:
    word = Op::amoaddW;
    break;
  case 0x04:
    word = Op::amoxorW;
    break;
  case 0x0c:
    word = Op::amoandW;
    break;
  case 0x08:
    word = Op::amoorW;
    break;
  case 0x10:
    word = Op::amominW;
    break;
  case 0x14:
    word = Op::amomaxW;
    break;
  case 0x18:
    word = Op::amominuW;
    break;
  case 0x1c:
    word = Op::amomaxuW;
    break;
  default:
    break;
  }
  if (word == none || fields.funct3() == 2)
    return word;
  // Those of 64 bits are in the same order.
  constexpr auto distance =
      static_cast<uint8_t>(Op::lrD) - static_cast<uint8_t>(Op::lrW);
  return static_cast<Op>(static_cast<uint8_t>(word) + distance);
}

} // namespace

Instruction decode(uint32_t word) {
  Fields fields{word};
  Instruction result;
  auto is = [&](Op op, uint8_t rd, uint8_t rs1, uint8_t rs2, int32_t value) {
    const OpInfo &info = kOps[static_cast<size_t>(op)];
    result = {value, op,  info.group, rd,
              rs1,   rs2, info.bytes, /*acquires=*/false};
  };
  const uint8_t rd = fields.rd(), rs1 = fields.rs1(), rs2 = fields.rs2();
  switch (fields.opcode()) {
  case 0x37:
    is(Op::lui, rd, 0, 0, fields.u());
    break;
  case 0x17:
    is(Op::auipc, rd, 0, 0, fields.u());
    break;
  case 0x6f:
    is(Op::jal, rd, 0, 0, fields.j());
    break;
  case 0x67:
    if (fields.funct3() == 0)
      is(Op::jalr, rd, rs1, 0, fields.i());
    break;
  case 0x63:
    is(branch(fields.funct3()), 0, rs1, rs2, fields.b());
    break;
  case 0x03:
    is(load(fields.funct3()), rd, rs1, 0, fields.i());
    break;
  case 0x23:
    is(store(fields.funct3()), 0, rs1, rs2, fields.s());
    break;
  case 0x13: {
    Op op = immediate(fields);
    bool isShift = fields.funct3() == 1 || fields.funct3() == 5;
    is(op, rd, rs1, 0, isShift ? fields.i() & 63 : fields.i());
    break;
  }
  case 0x1b: {
    Op op = immediateWord(fields);
    is(op, rd, rs1, 0, fields.funct3() ? fields.i() & 31 : fields.i());
    break;
  }
  case 0x33:
    is(registers(fields), rd, rs1, rs2, 0);
    break;
  case 0x3b:
    is(registersWord(fields), rd, rs1, rs2, 0);
    break;
  case 0x2f:
    is(atomic(fields), rd, rs1, rs2, 0);
    result.acquires = fields.bits(26, 26);
    break;
  case 0x0f:
    if (word == 0x0100000f)
      is(Op::pause, 0, 0, 0, 0);
    else if (fields.funct3() == 0)
      is(Op::fence, 0, 0, 0, static_cast<int32_t>(fields.bits(27, 20)));
    break;
  case 0x73:
    if (word == 0x00000073)
      is(Op::ecall, 0, 0, 0, 0);
    else if (word == 0x00100073)
      is(Op::ebreak, 0, 0, 0, 0);
    break;
  default:
    break;
  }
  if (result.op == Op::illegal)
    is(Op::illegal, 0, 0, 0, static_cast<int32_t>(word));
  return result;
}

std::string_view mnemonic(Op op) {
  return kOps[static_cast<size_t>(op)].mnemonic;
}

} // namespace chansim::aggregator
