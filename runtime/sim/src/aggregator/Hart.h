//===- Hart.h - Executes the aggregator's program ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A RISC-V hardware thread of RV64IMA without time: AggregatorCore says when it takes a
// step.  Alone, it runs a program so:
//
//   Hart hart(firmware, regions, device);    // regions has those of the firmware
//   hart.reset({{argument}});                // main's
//   hart.run(1000000);                       // until main returns
//   hart.reg(kA0);                           // its value
//
// The program begins at its entry with sp at the end of its stack, ra = kReturnAddress,
// and arguments in a0 and up.  It has ended when it jumps to kReturnAddress.  There are
// no system calls, interrupts or privileged instructions.  Memory need not be aligned
// but for atomic operations.
//
// LR remembers the address and the value that it read; SC succeeds if the value is still
// there.  So it does also when others have changed the value and changed it back in
// between, when that of a real processor fails; and it never fails without a reason.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_AGGREGATOR_HART_H
#define CHANSIM_AGGREGATOR_HART_H

#include "aggregator/Device.h"
#include "aggregator/Firmware.h"
#include "aggregator/Regions.h"
#include "aggregator/Rv64.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace chansim::aggregator {

/// Where a program returns to when it ends.
inline constexpr uint64_t kReturnAddress = 0;

/// What a step did.
struct Executed {
  const Instruction *instruction;
  uint64_t pc, next;
  /// Of an access: its address, and what is written.
  uint64_t address, value;
  /// Whether the access is one to a register of the device.
  bool isDevice;
  /// Whether a branch goes elsewhere than to the next instruction.
  bool isTaken;
  /// Whether memory was written that does not belong to the program alone.
  bool isShared;
  /// Whether it is an SC that did not succeed.
  bool isFailed;
};

class Hart {
public:
  /// All must outlive it.  Decodes the code of the firmware, which does not change.
  Hart(const Firmware &firmware, const Regions &regions, Device &device);

  /// Back to the beginning; at most eight arguments.  Memory stays as it is.
  void reset(std::span<const uint64_t> arguments = {});

  /// Executes one instruction.  Writes to the device are left to the caller (see
  /// Executed); reads are done.  Throws std::runtime_error such as "the scheduler's store
  /// of 8 bytes to 0x10 at pc 0x1268 (function `poll`) is outside of its memory and of
  /// the channels".
  const Executed &step();
  /// Executes instructions until the program has ended, but so many at most, with writes
  /// to the device.  Returns how many.
  uint64_t run(uint64_t most);

  bool hasEnded() const { return ownPc == kReturnAddress; }
  uint64_t pc() const { return ownPc; }
  uint64_t reg(unsigned number) const { return x[number]; }
  void setReg(unsigned number, uint64_t value) {
    x[number] = number ? value : 0;
  }

  /// The instruction at an address; null if that is not code.
  const Instruction *at(uint64_t pc) const {
    uint64_t offset = pc - codeBase;
    return offset < codeBytes && offset % 4 == 0 ? &code[offset / 4] : nullptr;
  }
  /// Whether the next instruction reads a register of the device.
  bool readsDevice() const;

private:
  void execute(const Instruction &instruction);
  void executeAlu(const Instruction &instruction);
  void executeLoad(const Instruction &instruction);
  void executeStore(const Instruction &instruction);
  void executeAtomic(const Instruction &instruction);
  template <class T> void load(const Instruction &instruction);
  template <class T> void store(const Instruction &instruction);
  template <class T> void loadReserved(const Instruction &instruction);
  template <class T> void storeConditional(const Instruction &instruction);
  template <class T, class Function>
  void atomic(const Instruction &instruction, Function &&function);
  const Region *atomicRegion(const Instruction &instruction, bool writes);
  [[noreturn]] void trap(const Instruction &instruction) const;
  [[noreturn]] void refuse(const char *what, const Instruction &instruction,
                           const std::string &why) const;
  std::string whose() const { return "the " + firmware.name() + "'s "; }

  const Firmware &firmware;
  const Regions &regions;
  Device &device;
  const uint64_t codeBase, codeBytes;
  std::vector<Instruction> code;

  uint64_t ownPc = kReturnAddress;
  std::array<uint64_t, 32> x{};
  Executed done{};
  struct {
    uint64_t address = 0, value = 0;
    uint32_t bytes = 0;
  } reservation;
};

} // namespace chansim::aggregator

#endif // CHANSIM_AGGREGATOR_HART_H
