//===- Device.h - Registers that the aggregator's program uses --*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is behind addresses that are not memory: the dispatcher, which the program
// tells which tasks to start.  A device with one register, for example:
//
//   struct Doorbell : Device {
//     bool owns(uint64_t address) const override { return address == 0x1000; }
//     uint64_t read(uint64_t, unsigned) override { return rings; }
//     void write(uint64_t, uint64_t, unsigned) override { ++rings; }
//     uint64_t rings = 0;
//   };
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_AGGREGATOR_DEVICE_H
#define CHANSIM_AGGREGATOR_DEVICE_H

#include <cstdint>

namespace chansim::aggregator {

class Device {
public:
  virtual ~Device() = default;
  /// Whether the byte at the address is of a register.  Is asked only of what is in no
  /// region of memory (Regions.h).
  virtual bool owns(uint64_t address) const = 0;
  /// Reads a register: 1, 2, 4 or 8 bytes from an address that the device owns.  Accesses
  /// come in the order of the program.
  virtual uint64_t read(uint64_t address, unsigned bytes) = 0;
  /// Writes a register; `value` has no bits beyond its bytes.
  virtual void write(uint64_t address, uint64_t value, unsigned bytes) = 0;
};

} // namespace chansim::aggregator

#endif // CHANSIM_AGGREGATOR_DEVICE_H
