//===- FirmwareTest.cpp - ELF files for the aggregator --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Damages a good file in one place each:
//
//   File file;  file.header().e_machine = EM_X86_64;  file.error() == "... machine 62 ..."
//
//===----------------------------------------------------------------------===//

#include "AggregatorHarness.h"

#include <gtest/gtest.h>

#include <cstring>
#include <elf.h>

using namespace chansim;
using namespace chansim::aggregator;

namespace {

struct File {
  File() {
    std::span<const std::byte> good = firmwarePrograms();
    bytes.assign(good.begin(), good.end());
  }
  template <class T> T *at(uint64_t offset) {
    return reinterpret_cast<T *>(bytes.data() + offset);
  }
  Elf64_Ehdr &header() { return *at<Elf64_Ehdr>(0); }
  std::span<Elf64_Phdr> segments() {
    return {at<Elf64_Phdr>(header().e_phoff), header().e_phnum};
  }
  Elf64_Phdr &segment(uint32_t type, uint32_t flags = 0) {
    for (Elf64_Phdr &segment : segments())
      if (segment.p_type == type && (segment.p_flags & flags) == flags)
        return segment;
    ADD_FAILURE() << "no such segment";
    return segments()[0];
  }
  /// The first segment is at address 0 and offset 0, and has the relocations.
  Elf64_Rela &relocation() {
    auto *entry = at<Elf64_Dyn>(segment(PT_DYNAMIC).p_offset);
    while (entry->d_tag != DT_RELA)
      ++entry;
    return *at<Elf64_Rela>(entry->d_un.d_ptr);
  }
  std::string error() const {
    try {
      Firmware::load(bytes, "test");
    } catch (const std::runtime_error &error) {
      return error.what();
    }
    return "";
  }

  std::vector<std::byte> bytes;
};

/// EXPECTs that the message begins so.
void expectBegin(const std::string &text, const std::string &begin) {
  EXPECT_EQ(text.substr(0, begin.size()), begin) << text;
}

TEST(Firmware, IsPlacedAtPages) {
  Firmware firmware = Firmware::load(File().bytes, "test", 5000);
  EXPECT_EQ(firmware.name(), "test");
  EXPECT_EQ(firmware.stackTop() % Firmware::kPage, 0u);
  EXPECT_EQ(firmware.entry(), firmware.symbol("_start"));
  EXPECT_EQ(firmware.function(*firmware.symbol("main") + 4), "main");
  EXPECT_EQ(firmware.function(firmware.stackTop()), "");
  EXPECT_FALSE(firmware.symbol("nobody"));
  // As llvm-objdump says it: below 16 MB, the low bits being those in memory.
  std::string text = firmware.describe(*firmware.symbol("main"));
  uint64_t address = std::strtoull(text.c_str() + 3, nullptr, 16);
  EXPECT_LT(address, 1u << 24);
  EXPECT_EQ(address % Firmware::kPage,
            *firmware.symbol("main") % Firmware::kPage);
  EXPECT_NE(text.find(" (function `main`)"), std::string::npos);
  uint64_t stack = 0, code = 0, data = 0;
  for (const Region &region : firmware.regions()) {
    EXPECT_TRUE(region.isOwn);
    stack += region.name == "stack" ? region.bytes : 0;
    code += region.name == "code" && !region.writable;
    data += region.name == "data" && region.writable;
  }
  EXPECT_EQ(stack, 8192u);
  EXPECT_EQ(code, 1u);
  EXPECT_EQ(data, 1u);
}

TEST(Firmware, RefusesWhatIsNotForIt) {
  File file;
  file.header().e_machine = EM_X86_64;
  EXPECT_EQ(file.error(),
            "the firmware `test` is for machine 62, not for RISC-V (243)");
  file = {};
  file.header().e_ident[EI_CLASS] = ELFCLASS32;
  expectBegin(file.error(),
              "the firmware `test` is not an ELF file of 64 bits");
  file = {};
  file.header().e_ident[0] = 0;
  EXPECT_EQ(file.error(), "the firmware `test` is not an ELF file");
  file = {};
  file.header().e_type = ET_EXEC;
  expectBegin(file.error(), "the firmware `test` is not position independent");
  file = {};
  file.header().e_flags |= 1;
  expectBegin(file.error(), "the firmware `test` has compressed instructions");
  file = {};
  file.header().e_entry = 0;
  EXPECT_EQ(file.error(), "the firmware `test` has no entry `_start`");
  file = {};
  file.header().e_entry += 4;
  EXPECT_EQ(file.error(), "the firmware `test` has no entry `_start`");
  file = {};
  file.segment(PT_GNU_STACK).p_type = PT_INTERP;
  expectBegin(file.error(), "the firmware `test` needs a dynamic linker");
}

TEST(Firmware, RefusesTruncatedFiles) {
  const size_t whole = File().bytes.size();
  std::set<std::string> errors;
  // Whatever is missing, there is an error, and nothing is read beyond the end.
  for (size_t bytes = 0; bytes < whole; bytes += 61) {
    File file;
    file.bytes.resize(bytes);
    std::string error = file.error();
    expectBegin(error, "the firmware `test` is truncated: its ");
    errors.insert(error.substr(0, error.find(" is at")));
  }
  EXPECT_GE(errors.size(), 4u); // header, both tables, segment
}

TEST(Firmware, RefusesSegmentsThatAreWrong) {
  File file;
  file.segment(PT_LOAD, PF_X).p_flags |= PF_W;
  expectBegin(file.error(), "the firmware `test` has several segments of code");
  file = {};
  file.segment(PT_LOAD, PF_X).p_flags &= ~uint32_t(PF_X);
  expectBegin(file.error(), "the firmware `test` has no code");
  file = {};
  file.segment(PT_LOAD, PF_X).p_memsz = 4;
  expectBegin(file.error(), "the firmware `test` has a segment at ");
  file = {};
  file.segment(PT_LOAD, PF_W).p_memsz = uint64_t(1) << 40;
  expectBegin(file.error(), "the firmware `test` has a segment at ");
  file = {};
  file.segment(PT_DYNAMIC).p_vaddr = 0x7fffffff0000;
  expectBegin(file.error(), "the firmware `test` has a dynamic entry at ");
}

TEST(Firmware, RefusesRelocationsThatAreNotSupported) {
  File file;
  EXPECT_EQ(file.error(), "");
  EXPECT_EQ(ELF64_R_TYPE(file.relocation().r_info), R_RISCV_RELATIVE);
  file.relocation().r_info = ELF64_R_INFO(0, R_RISCV_TLS_TPREL64);
  expectBegin(file.error(),
              "the firmware `test` has a relocation of type 11 at ");
  file = {};
  file.relocation().r_offset = 0x7fffffff0000;
  expectBegin(file.error(), "the firmware `test` has a relocation at ");
  // Symbol 0 is undefined.
  file = {};
  file.relocation().r_info = ELF64_R_INFO(0, R_RISCV_64);
  expectBegin(file.error(),
              "the firmware `test` refers to a symbol that it does "
              "not have at ");
}

TEST(Firmware, SymbolsAreRelocated) {
  // Symbol 0 becomes one that is defined.
  File file;
  auto *entry = file.at<Elf64_Dyn>(file.segment(PT_DYNAMIC).p_offset);
  while (entry->d_tag != DT_SYMTAB)
    ++entry;
  auto *symbol = file.at<Elf64_Sym>(entry->d_un.d_ptr);
  symbol->st_shndx = 1;
  symbol->st_value = file.header().e_entry;
  Elf64_Rela &relocation = file.relocation();
  relocation.r_info = ELF64_R_INFO(0, R_RISCV_64);
  relocation.r_addend = 8;
  uint64_t place = relocation.r_offset;
  Firmware firmware = Firmware::load(file.bytes, "test");
  uint64_t value;
  std::memcpy(&value,
              reinterpret_cast<const void *>(firmware.entry() -
                                             file.header().e_entry + place),
              sizeof(value));
  EXPECT_EQ(value, firmware.entry() + 8);
}

} // namespace
