//===- Firmware.h - The aggregator's program in memory ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads an ELF64 executable for RISC-V, as sim_add_firmware (CMakeLists.txt) makes it:
// position independent (-static-pie), with one segment of code.
//
//   page   page              page             page
//   |      code ...          data, bss ...    -      stack |
//   `- headers, read only                     `- a gap that the program may not access
//
// All of it begins at a page, so that which addresses share a line or a set of a cache
// does not depend on where the host has put it.  Messages name addresses as they are in
// the ELF file, which is what llvm-objdump prints.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_AGGREGATOR_FIRMWARE_H
#define CHANSIM_AGGREGATOR_FIRMWARE_H

#include "aggregator/Regions.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace chansim::aggregator {

/// "0x1268", with so many digits at least.
std::string hex(uint64_t value, unsigned digits = 1);

class Firmware {
public:
  static constexpr uint64_t kPage = 4096;
  static constexpr uint64_t kStackBytes = 65536;

  /// Loads the bytes of an ELF file; they are not needed afterwards.  `name` is what
  /// messages call the program.  The stack's size is rounded up to pages.  Throws
  /// std::runtime_error, such as "the firmware `scheduler` is for machine 62, not for
  /// RISC-V (243)".
  static Firmware load(std::span<const std::byte> elf,
                       std::string name = "scheduler",
                       uint64_t stackBytes = kStackBytes);
  /// A program of these instructions, which begins with the first one; it has a page of
  /// data, whose address symbol("data") is.
  static Firmware ofCode(std::span<const uint32_t> words,
                         std::string name = "scheduler",
                         uint64_t stackBytes = kStackBytes);

  const std::string &name() const { return ownName; }
  /// Where it begins: `_start`.
  uint64_t entry() const { return ownEntry; }
  /// Above the highest byte of the stack; a multiple of the page.
  uint64_t stackTop() const { return ownStackTop; }
  uint64_t codeBase() const { return ownCodeBase; }
  uint64_t codeBytes() const { return ownCodeBytes; }
  /// Its memory.
  const std::vector<Region> &regions() const { return ownRegions; }

  /// The address of a function or object, if there is one of that name.
  std::optional<uint64_t> symbol(std::string_view name) const;
  /// The name of the function at an address; "" if that is not known.
  std::string_view function(uint64_t pc) const;
  /// "pc 0x1268 (function `poll`)", the address being that in the file.
  std::string describe(uint64_t pc) const;

private:
  friend class ElfReader;
  struct Free {
    void operator()(std::byte *memory) const { std::free(memory); }
  };
  struct Symbol {
    /// In memory.
    uint64_t address;
    std::string name;
    bool isFunction;
  };

  Firmware() = default;
  /// Allocates the image, the gap and the stack, all zero.
  void allocate(uint64_t imageBytes, uint64_t stackBytes);
  uint64_t base() const { return reinterpret_cast<uint64_t>(memory.get()); }

  std::string ownName;
  std::unique_ptr<std::byte, Free> memory;
  /// What the base is in the file.
  uint64_t linkedBase = 0;
  uint64_t ownEntry = 0, ownStackTop = 0, ownCodeBase = 0, ownCodeBytes = 0;
  std::vector<Region> ownRegions;
  /// By address.
  std::vector<Symbol> symbols;
};

} // namespace chansim::aggregator

#endif // CHANSIM_AGGREGATOR_FIRMWARE_H
