//===- Hart.cpp - Executes the aggregator's program -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "aggregator/Hart.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace chansim::aggregator {

namespace {

using Wide = __int128;
using UnsignedWide = unsigned __int128;

int64_t asSigned(uint64_t value) { return static_cast<int64_t>(value); }

/// The lower 32 bits, sign-extended: what instructions of words leave.
uint64_t word(uint64_t value) {
  return static_cast<uint64_t>(
      static_cast<int64_t>(static_cast<int32_t>(value)));
}

/// A division by zero gives all ones, and one that overflows the dividend; neither is
/// an error.
template <class T> T quotient(T a, T b) {
  if (b == 0)
    return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>)
    if (a == std::numeric_limits<T>::min() && b == -1)
      return a;
  return static_cast<T>(a / b);
}

template <class T> T remainder(T a, T b) {
  if (b == 0)
    return a;
  if constexpr (std::is_signed_v<T>)
    if (b == -1)
      return 0;
  return static_cast<T>(a % b);
}

template <class T> T get(uint64_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void *>(address), sizeof(T));
  return value;
}

template <class T> void put(uint64_t address, T value) {
  std::memcpy(reinterpret_cast<void *>(address), &value, sizeof(T));
}

/// As it is in a register: signed types are sign-extended.
template <class T> uint64_t extended(T value) {
  if constexpr (std::is_signed_v<T>)
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  else
    return value;
}

} // namespace

Hart::Hart(const Firmware &firmware, const Regions &regions, Device &device)
    : firmware(firmware), regions(regions), device(device),
      codeBase(firmware.codeBase()), codeBytes(firmware.codeBytes()) {
  for (uint64_t offset = 0; offset < codeBytes; offset += 4)
    code.push_back(decode(get<uint32_t>(codeBase + offset)));
}

void Hart::reset(std::span<const uint64_t> arguments) {
  if (arguments.size() > 8)
    throw std::logic_error("the aggregator's program has eight arguments at "
                           "most");
  x.fill(0);
  x[kRa] = kReturnAddress;
  x[kSp] = firmware.stackTop();
  std::ranges::copy(arguments, x.begin() + kA0);
  ownPc = firmware.entry();
  reservation = {};
}

const Executed &Hart::step() {
  const Instruction *instruction = at(ownPc);
  if (!instruction) [[unlikely]]
    throw std::runtime_error(
        "the " + firmware.name() + " went to " + firmware.describe(ownPc) +
        ", which is not in its code, from " + firmware.describe(done.pc));
  done = {instruction, ownPc, ownPc + 4, 0, 0, false, false, false, false};
  execute(*instruction);
  x[0] = 0;
  ownPc = done.next;
  return done;
}

uint64_t Hart::run(uint64_t most) {
  uint64_t count = 0;
  for (; count != most && !hasEnded(); ++count) {
    step();
    if (done.isDevice && done.instruction->group == Group::store)
      device.write(done.address, done.value, done.instruction->bytes);
  }
  return count;
}

bool Hart::readsDevice() const {
  const Instruction *instruction = at(ownPc);
  if (!instruction || instruction->group != Group::load)
    return false;
  uint64_t address = x[instruction->rs1] + extended(instruction->immediate);
  return !regions.find(address, instruction->bytes) && device.owns(address);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Of an instruction with an immediate operand.
static uint64_t computeImmediate(Op op, uint64_t a, uint64_t value) {
  auto word32 = [](uint64_t bits) { return static_cast<uint32_t>(bits); };
  auto signed32 = [](uint64_t bits) { return static_cast<int32_t>(bits); };
  switch (op) {
  case Op::addi:
    return a + value;
  case Op::slti:
    return asSigned(a) < asSigned(value);
  case Op::sltiu:
    return a < value;
  case Op::xori:
    return a ^ value;
  case Op::ori:
    return a | value;
  case Op::andi:
    return a & value;
  case Op::slli:
    return a << value;
  case Op::srli:
    return a >> value;
  case Op::srai:
    return extended(asSigned(a) >> value);
  case Op::addiw:
    return word(a + value);
  case Op::slliw:
    return word(a << value);
  case Op::srliw:
    return word(word32(a) >> value);
  case Op::sraiw:
    return extended(signed32(a) >> value);
  default:
    return value; // lui
  }
}

/// Of an instruction with two registers.
static uint64_t computeRegisters(Op op, uint64_t a, uint64_t b) {
  auto word32 = [](uint64_t bits) { return static_cast<uint32_t>(bits); };
  auto signed32 = [](uint64_t bits) { return static_cast<int32_t>(bits); };
  switch (op) {
  case Op::add:
    return a + b;
  case Op::sub:
    return a - b;
  case Op::sll:
    return a << (b & 63);
  case Op::slt:
    return asSigned(a) < asSigned(b);
  case Op::sltu:
    return a < b;
  case Op::xor_:
    return a ^ b;
  case Op::srl:
    return a >> (b & 63);
  case Op::sra:
    return extended(asSigned(a) >> (b & 63));
  case Op::or_:
    return a | b;
  case Op::and_:
    return a & b;
  case Op::addw:
    return word(a + b);
  case Op::subw:
    return word(a - b);
  case Op::sllw:
    return word(a << (b & 31));
  case Op::srlw:
    return word(word32(a) >> (b & 31));
  case Op::sraw:
    return extended(signed32(a) >> (b & 31));
  default:
    return 0; // pause
  }
}

static uint64_t multiplyOrDivide(Op op, uint64_t a, uint64_t b) {
  auto word32 = [](uint64_t bits) { return static_cast<uint32_t>(bits); };
  auto signed32 = [](uint64_t bits) { return static_cast<int32_t>(bits); };
  switch (op) {
  case Op::mul:
    return a * b;
  case Op::mulh:
    return static_cast<uint64_t>((Wide(asSigned(a)) * asSigned(b)) >> 64);
  case Op::mulhsu:
    // |b| < 2^64 and |a| <= 2^63: the product fits.
    return static_cast<uint64_t>((Wide(asSigned(a)) * Wide(UnsignedWide(b))) >>
                                 64);
  case Op::mulhu:
    return static_cast<uint64_t>((UnsignedWide(a) * b) >> 64);
  case Op::div:
    return extended(quotient(asSigned(a), asSigned(b)));
  case Op::divu:
    return quotient(a, b);
  case Op::rem:
    return extended(remainder(asSigned(a), asSigned(b)));
  case Op::remu:
    return remainder(a, b);
  case Op::mulw:
    return word(a * b);
  case Op::divw:
    return extended(quotient(signed32(a), signed32(b)));
  case Op::divuw:
    return word(quotient(word32(a), word32(b)));
  case Op::remw:
    return extended(remainder(signed32(a), signed32(b)));
  case Op::remuw:
    return word(remainder(word32(a), word32(b)));
  default:
    return 0;
  }
}

static bool isTaken(Op op, uint64_t a, uint64_t b) {
  switch (op) {
  case Op::beq:
    return a == b;
  case Op::bne:
    return a != b;
  case Op::blt:
    return asSigned(a) < asSigned(b);
  case Op::bge:
    return asSigned(a) >= asSigned(b);
  case Op::bltu:
    return a < b;
  case Op::bgeu:
    return a >= b;
  default:
    return false;
  }
}

void Hart::executeAlu(const Instruction &instruction) {
  const uint64_t a = x[instruction.rs1];
  const uint64_t value = extended(instruction.immediate);
  uint64_t &d = x[instruction.rd];
  if (instruction.op == Op::auipc)
    d = done.pc + value;
  else if (instruction.op < Op::add)
    d = computeImmediate(instruction.op, a, value);
  else if (instruction.op != Op::pause)
    d = computeRegisters(instruction.op, a, x[instruction.rs2]);
}

void Hart::executeLoad(const Instruction &instruction) {
  switch (instruction.op) {
  case Op::lb:
    return load<int8_t>(instruction);
  case Op::lh:
    return load<int16_t>(instruction);
  case Op::lw:
    return load<int32_t>(instruction);
  case Op::ld:
    return load<uint64_t>(instruction);
  case Op::lbu:
    return load<uint8_t>(instruction);
  case Op::lhu:
    return load<uint16_t>(instruction);
  default:
    return load<uint32_t>(instruction); // lwu
  }
}

void Hart::executeStore(const Instruction &instruction) {
  switch (instruction.op) {
  case Op::sb:
    return store<uint8_t>(instruction);
  case Op::sh:
    return store<uint16_t>(instruction);
  case Op::sw:
    return store<uint32_t>(instruction);
  default:
    return store<uint64_t>(instruction); // sd
  }
}

void Hart::executeAtomic(const Instruction &instruction) {
  switch (instruction.op) {
#define AMO(name, expression)                                                  \
  case Op::amo##name##W:                                                       \
    atomic<uint32_t>(instruction, [](auto old, auto operand) {                 \
      using Signed [[maybe_unused]] = int32_t;                                 \
      return expression;                                                       \
    });                                                                        \
    return;                                                                    \
  case Op::amo##name##D:                                                       \
    atomic<uint64_t>(instruction, [](auto old, auto operand) {                 \
      using Signed [[maybe_unused]] = int64_t;                                 \
      return expression;                                                       \
    });                                                                        \
    return;
    AMO(swap, ((void)old, operand))
    AMO(add, old + operand)
    AMO(xor, old ^ operand)
    AMO(and, old & operand)
    AMO(or, old | operand)
    AMO(min, Signed(old) < Signed(operand) ? old : operand)
    AMO(max, Signed(old) > Signed(operand) ? old : operand)
    AMO(minu, std::min(old, operand))
    AMO(maxu, std::max(old, operand))
#undef AMO
  case Op::lrW:
    return loadReserved<int32_t>(instruction);
  case Op::lrD:
    return loadReserved<int64_t>(instruction);
  case Op::scW:
    return storeConditional<int32_t>(instruction);
  default:
    return storeConditional<int64_t>(instruction); // sc.d
  }
}

void Hart::execute(const Instruction &instruction) {
  const uint64_t a = x[instruction.rs1], b = x[instruction.rs2];
  const uint64_t value = extended(instruction.immediate);
  switch (instruction.group) {
  case Group::alu:
    return executeAlu(instruction);
  case Group::multiply:
  case Group::divide:
    x[instruction.rd] = multiplyOrDivide(instruction.op, a, b);
    return;
  case Group::branch:
    done.isTaken = isTaken(instruction.op, a, b);
    if (done.isTaken)
      done.next = done.pc + value;
    return;
  case Group::jump:
  case Group::jumpRegister:
    x[instruction.rd] = done.pc + 4;
    done.isTaken = true;
    done.next = instruction.group == Group::jump ? done.pc + value
                                                 : (a + value) & ~uint64_t(1);
    return;
  case Group::load:
    return executeLoad(instruction);
  case Group::store:
    return executeStore(instruction);
  case Group::loadReserved:
  case Group::storeConditional:
  case Group::atomic:
    return executeAtomic(instruction);
  case Group::fence:
    return;
  case Group::trap:
    trap(instruction);
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

template <class T> void Hart::load(const Instruction &instruction) {
  uint64_t address = x[instruction.rs1] + extended(instruction.immediate);
  done.address = address;
  if (regions.find(address, sizeof(T))) [[likely]] {
    x[instruction.rd] = extended(get<T>(address));
    return;
  }
  if (!device.owns(address))
    refuse("load", instruction, "is outside of its memory and of the channels");
  done.isDevice = true;
  x[instruction.rd] = extended(static_cast<T>(device.read(address, sizeof(T))));
}

template <class T> void Hart::store(const Instruction &instruction) {
  uint64_t address = x[instruction.rs1] + extended(instruction.immediate);
  auto value = static_cast<T>(x[instruction.rs2]);
  done.address = address;
  done.value = value;
  if (const Region *region = regions.find(address, sizeof(T))) [[likely]] {
    if (!region->writable) [[unlikely]]
      refuse("store", instruction,
             "is to `" + region->name + "`, which is read only");
    put(address, value);
    done.isShared = !region->isOwn;
    return;
  }
  if (!device.owns(address))
    refuse("store", instruction,
           "is outside of its memory and of the channels");
  done.isDevice = true;
}

const Region *Hart::atomicRegion(const Instruction &instruction, bool writes) {
  uint64_t address = done.address = x[instruction.rs1];
  const char *what = "atomic operation";
  if (address % instruction.bytes)
    refuse(what, instruction, "is not aligned");
  const Region *region = regions.find(address, instruction.bytes);
  if (!region)
    refuse(what, instruction,
           device.owns(address)
               ? "is to a register of a device, which has none"
               : "is outside of its memory and of the channels");
  if (writes && !region->writable)
    refuse(what, instruction,
           "is to `" + region->name + "`, which is read only");
  return region;
}

template <class T> void Hart::loadReserved(const Instruction &instruction) {
  atomicRegion(instruction, /*writes=*/false);
  uint64_t value = extended(get<T>(done.address));
  reservation = {done.address, value, sizeof(T)};
  x[instruction.rd] = value;
}

template <class T> void Hart::storeConditional(const Instruction &instruction) {
  const Region *region = atomicRegion(instruction, /*writes=*/true);
  done.isFailed = reservation.bytes != sizeof(T) ||
                  reservation.address != done.address ||
                  extended(get<T>(done.address)) != reservation.value;
  reservation = {};
  if (!done.isFailed) {
    put(done.address, static_cast<T>(x[instruction.rs2]));
    done.isShared = !region->isOwn;
  }
  x[instruction.rd] = done.isFailed;
}

template <class T, class Function>
void Hart::atomic(const Instruction &instruction, Function &&function) {
  const Region *region = atomicRegion(instruction, /*writes=*/true);
  T old = get<T>(done.address);
  T value = function(old, static_cast<T>(x[instruction.rs2]));
  put(done.address, value);
  done.isShared = !region->isOwn && value != old;
  x[instruction.rd] = extended(static_cast<std::make_signed_t<T>>(old));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

void Hart::refuse(const char *what, const Instruction &instruction,
                  const std::string &why) const {
  throw std::runtime_error(
      whose() + what + " of " + std::to_string(instruction.bytes) +
      (instruction.bytes == 1 ? " byte " : " bytes ") +
      (instruction.group == Group::load ? "from " : "to ") + hex(done.address) +
      " at " + firmware.describe(done.pc) + " " + why);
}

void Hart::trap(const Instruction &instruction) const {
  std::string where = " at " + firmware.describe(done.pc);
  if (instruction.op == Op::illegal)
    throw std::runtime_error(
        whose() + "instruction " +
        hex(static_cast<uint32_t>(instruction.immediate), 8) + where +
        " is not one of RV64IMA");
  throw std::runtime_error(whose() + std::string(mnemonic(instruction.op)) +
                           where + " has nothing that it could call");
}

} // namespace chansim::aggregator
