//===- Firmware.cpp - The aggregator's program in memory ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An ELF file begins with a header, which says where two tables are: segments (what to
// load) and sections (of which only the symbol table is of interest).  The dynamic
// segment says where the relocations are.
//
//===----------------------------------------------------------------------===//

#include "aggregator/Firmware.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <elf.h>
#include <new>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace chansim::aggregator {

namespace {

uint64_t roundUp(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Larger programs and stacks are mistakes.
constexpr uint64_t kMostBytes = uint64_t(1) << 30;

} // namespace

void Firmware::allocate(uint64_t imageBytes, uint64_t stackBytes) {
  uint64_t image = roundUp(imageBytes, kPage);
  uint64_t stack = roundUp(stackBytes, kPage);
  uint64_t bytes = image + kPage + stack;
  memory.reset(static_cast<std::byte *>(std::aligned_alloc(kPage, bytes)));
  if (!memory)
    throw std::bad_alloc();
  std::memset(memory.get(), 0, bytes);
  ownStackTop = base() + bytes;
  ownRegions.push_back(
      {ownStackTop - stack, stack, /*writable=*/true, "stack", /*isOwn=*/true});
}

//===----------------------------------------------------------------------===//
// ELF files
//===----------------------------------------------------------------------===//

class ElfReader {
public:
  ElfReader(std::span<const std::byte> file, std::string name)
      : file(file), name(std::move(name)) {}

  Firmware read(uint64_t stackBytes);

private:
  [[noreturn]] void refuse(const std::string &why) const {
    throw std::runtime_error("the firmware `" + name + "` " + why);
  }
  void need(uint64_t offset, uint64_t bytes, const char *what) const {
    if (offset > file.size() || bytes > file.size() - offset)
      refuse("is truncated: its " + std::string(what) + " is at bytes " +
             hex(offset) + " to " + hex(offset + bytes) + ", and it has " +
             hex(file.size()));
  }
  /// Something of the file, which may be misaligned there.
  template <class T> T at(uint64_t offset, const char *what) const {
    need(offset, sizeof(T), what);
    T value;
    std::memcpy(&value, file.data() + offset, sizeof(T));
    return value;
  }
  /// Something of the loaded image, at an address of the file.
  template <class T> T loaded(uint64_t address, const char *what) const {
    T value;
    std::memcpy(&value, place(address, sizeof(T), what), sizeof(T));
    return value;
  }
  std::byte *place(uint64_t address, uint64_t bytes, const char *what) const {
    if (address < lowest || address > highest || bytes > highest - address)
      refuse("has a " + std::string(what) + " at " + hex(address) +
             ", which is outside of its segments");
    return result.memory.get() + (address - lowest);
  }
  uint64_t moved(uint64_t address) const {
    return address - lowest + result.base();
  }

  void checkHeader() const;
  void loadSegments(uint64_t stackBytes);
  void addRegion(const Elf64_Phdr &segment);
  void relocate();
  void relocate(const Elf64_Rela &relocation, uint64_t symbolTable);
  void readSymbols();
  void readSymbols(const Elf64_Shdr &table, const Elf64_Shdr &strings);

  const std::span<const std::byte> file;
  const std::string name;
  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> segments;
  /// Addresses of the file.
  uint64_t lowest = ~uint64_t(0), highest = 0;
  Firmware result;
};

Firmware ElfReader::read(uint64_t stackBytes) {
  result.ownName = name;
  header = at<Elf64_Ehdr>(0, "header");
  checkHeader();
  for (uint64_t index = 0; index != header.e_phnum; ++index)
    segments.push_back(at<Elf64_Phdr>(
        header.e_phoff + index * sizeof(Elf64_Phdr), "table of segments"));
  loadSegments(stackBytes);
  relocate();
  readSymbols();
  std::optional<uint64_t> start = result.symbol("_start");
  if (header.e_entry == 0 || (start && *start != moved(header.e_entry)))
    refuse("has no entry `_start`");
  result.ownEntry = moved(header.e_entry);
  if (result.ownEntry - result.ownCodeBase >= result.ownCodeBytes)
    refuse("has its entry at " + hex(header.e_entry) + ", which is not code");
  return std::move(result);
}

void ElfReader::checkHeader() const {
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    refuse("is not an ELF file");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB)
    refuse("is not an ELF file of 64 bits in little-endian order");
  if (header.e_machine != EM_RISCV)
    refuse("is for machine " + std::to_string(header.e_machine) +
           ", not for RISC-V (" + std::to_string(EM_RISCV) + ")");
  if (header.e_type != ET_DYN)
    refuse("is not position independent: link it with -static-pie");
  constexpr uint32_t kCompressed = 1, kFloats = 6;
  if (header.e_flags & (kCompressed | kFloats))
    refuse("has compressed instructions or passes floating-point registers: "
           "compile it with -march=rv64ima -mabi=lp64");
  if (header.e_phentsize != sizeof(Elf64_Phdr) && header.e_phnum != 0)
    refuse("has segments in a form that is not known");
}

void ElfReader::loadSegments(uint64_t stackBytes) {
  for (const Elf64_Phdr &segment : segments) {
    if (segment.p_type == PT_INTERP)
      refuse("needs a dynamic linker: link it with -static-pie");
    if (segment.p_type != PT_LOAD)
      continue;
    need(segment.p_offset, segment.p_filesz, "segment");
    if (segment.p_filesz > segment.p_memsz || segment.p_memsz > kMostBytes ||
        segment.p_vaddr > ~uint64_t(0) - kMostBytes)
      refuse("has a segment at " + hex(segment.p_vaddr) +
             " whose sizes are wrong");
    lowest =
        std::min(lowest, segment.p_vaddr / Firmware::kPage * Firmware::kPage);
    highest = std::max(highest, segment.p_vaddr + segment.p_memsz);
  }
  if (lowest >= highest)
    refuse("has nothing to load");
  if (highest - lowest > kMostBytes)
    refuse("has " + hex(highest - lowest) +
           " bytes from its first to its last address");
  result.linkedBase = lowest;
  result.allocate(highest - lowest, stackBytes);
  for (const Elf64_Phdr &segment : segments)
    if (segment.p_type == PT_LOAD && segment.p_memsz != 0) {
      if (segment.p_filesz)
        std::memcpy(place(segment.p_vaddr, segment.p_memsz, "segment"),
                    file.data() + segment.p_offset, segment.p_filesz);
      addRegion(segment);
    }
  if (result.ownCodeBytes == 0)
    refuse("has no code");
}

void ElfReader::addRegion(const Elf64_Phdr &segment) {
  bool isCode = segment.p_flags & PF_X, isWritable = segment.p_flags & PF_W;
  if (isCode && (isWritable || result.ownCodeBytes))
    refuse("has several segments of code, or code that can be written");
  uint64_t address = moved(segment.p_vaddr);
  if (isCode) {
    if (segment.p_vaddr % 4)
      refuse("has code that is not aligned");
    result.ownCodeBase = address;
    result.ownCodeBytes = segment.p_memsz / 4 * 4;
  }
  result.ownRegions.push_back({address, segment.p_memsz, isWritable,
                               isCode       ? "code"
                               : isWritable ? "data"
                                            : "constants",
                               /*isOwn=*/true});
}

//===----------------------------------------------------------------------===//
// Relocations
//===----------------------------------------------------------------------===//

void ElfReader::relocate() {
  auto dynamic =
      std::ranges::find(segments, Elf64_Word(PT_DYNAMIC), &Elf64_Phdr::p_type);
  if (dynamic == segments.end())
    return;
  uint64_t table = 0, bytes = 0, symbolTable = 0;
  for (uint64_t offset = 0; offset + sizeof(Elf64_Dyn) <= dynamic->p_memsz;
       offset += sizeof(Elf64_Dyn)) {
    auto entry = loaded<Elf64_Dyn>(dynamic->p_vaddr + offset, "dynamic entry");
    if (entry.d_tag == DT_NULL)
      break;
    switch (entry.d_tag) {
    case DT_RELA:
      table = entry.d_un.d_ptr;
      break;
    case DT_RELASZ:
      bytes = entry.d_un.d_val;
      break;
    case DT_SYMTAB:
      symbolTable = entry.d_un.d_ptr;
      break;
    case DT_NEEDED:
      refuse("needs a shared library");
    case DT_REL:
    case DT_RELR:
    case DT_JMPREL:
      refuse("has relocations in a form that is not supported");
    default:
      break;
    }
  }
  for (uint64_t offset = 0; offset < bytes; offset += sizeof(Elf64_Rela))
    relocate(loaded<Elf64_Rela>(table + offset, "relocation"), symbolTable);
}

void ElfReader::relocate(const Elf64_Rela &relocation, uint64_t symbolTable) {
  uint64_t value = 0;
  uint64_t type = ELF64_R_TYPE(relocation.r_info);
  auto addend = static_cast<uint64_t>(relocation.r_addend);
  switch (type) {
  case R_RISCV_NONE:
    return;
  case R_RISCV_RELATIVE:
    value = moved(addend);
    break;
  case R_RISCV_64: {
    auto symbol = loaded<Elf64_Sym>(
        symbolTable + ELF64_R_SYM(relocation.r_info) * sizeof(Elf64_Sym),
        "symbol of a relocation");
    if (symbol.st_shndx == SHN_UNDEF &&
        ELF64_ST_BIND(symbol.st_info) != STB_WEAK)
      refuse("refers to a symbol that it does not have at " +
             hex(relocation.r_offset));
    value = symbol.st_shndx == SHN_UNDEF ? addend
            : symbol.st_shndx == SHN_ABS ? symbol.st_value + addend
                                         : moved(symbol.st_value) + addend;
    break;
  }
  default:
    refuse("has a relocation of type " + std::to_string(type) + " at " +
           hex(relocation.r_offset) + ", which is not supported");
  }
  std::memcpy(place(relocation.r_offset, sizeof(value), "relocation"), &value,
              sizeof(value));
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// A file without sections has no names, and messages neither.
void ElfReader::readSymbols() {
  auto section = [&](uint64_t index) {
    return at<Elf64_Shdr>(header.e_shoff + index * sizeof(Elf64_Shdr),
                          "table of sections");
  };
  if (header.e_shoff == 0)
    return;
  for (uint64_t index = 0; index != header.e_shnum; ++index) {
    Elf64_Shdr table = section(index);
    if (table.sh_type != SHT_SYMTAB)
      continue;
    if (table.sh_link >= header.e_shnum)
      refuse("has a symbol table without names");
    readSymbols(table, section(table.sh_link));
  }
  std::ranges::sort(result.symbols, [](const auto &left, const auto &right) {
    return std::tie(left.address, left.name) <
           std::tie(right.address, right.name);
  });
}

void ElfReader::readSymbols(const Elf64_Shdr &table,
                            const Elf64_Shdr &strings) {
  need(strings.sh_offset, strings.sh_size, "table of names");
  std::string_view names(reinterpret_cast<const char *>(file.data()) +
                             strings.sh_offset,
                         strings.sh_size);
  for (uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= table.sh_size;
       offset += sizeof(Elf64_Sym)) {
    auto symbol = at<Elf64_Sym>(table.sh_offset + offset, "symbol table");
    unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE ||
        type > STT_FUNC || symbol.st_name >= names.size())
      continue;
    std::string_view text = names.substr(symbol.st_name);
    text = text.substr(0, text.find('\0'));
    // `$x` and the like say what is code.
    if (text.empty() || text[0] == '$' || text[0] == '.')
      continue;
    uint64_t address = moved(symbol.st_value);
    bool isCode = address - result.ownCodeBase < result.ownCodeBytes;
    result.symbols.push_back({address, std::string(text), isCode});
  }
}

//===----------------------------------------------------------------------===//
// Firmware
//===----------------------------------------------------------------------===//

Firmware Firmware::load(std::span<const std::byte> elf, std::string name,
                        uint64_t stackBytes) {
  return ElfReader(elf, std::move(name)).read(stackBytes);
}

Firmware Firmware::ofCode(std::span<const uint32_t> words, std::string name,
                          uint64_t stackBytes) {
  Firmware result;
  result.ownName = std::move(name);
  uint64_t code = roundUp(words.size_bytes(), kPage);
  result.allocate(code + kPage, stackBytes);
  if (!words.empty())
    std::memcpy(result.memory.get(), words.data(), words.size_bytes());
  result.ownEntry = result.ownCodeBase = result.base();
  result.ownCodeBytes = words.size_bytes();
  if (!words.empty())
    result.ownRegions.push_back({result.base(), words.size_bytes(),
                                 /*writable=*/false, "code", /*isOwn=*/true});
  uint64_t data = result.base() + code;
  result.ownRegions.push_back(
      {data, kPage, /*writable=*/true, "data", /*isOwn=*/true});
  result.symbols = {{result.ownEntry, "_start", true}, {data, "data", false}};
  return result;
}

std::optional<uint64_t> Firmware::symbol(std::string_view name) const {
  auto found = std::ranges::find(symbols, name, &Symbol::name);
  return found == symbols.end() ? std::nullopt : std::optional(found->address);
}

std::string_view Firmware::function(uint64_t pc) const {
  if (pc - ownCodeBase >= ownCodeBytes)
    return {};
  auto next = std::ranges::upper_bound(symbols, pc, {}, &Symbol::address);
  while (next != symbols.begin())
    if ((--next)->isFunction)
      return next->name;
  return {};
}

std::string hex(uint64_t value, unsigned digits) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%0*" PRIx64, static_cast<int>(digits),
                value);
  return text;
}

std::string Firmware::describe(uint64_t pc) const {
  // What is far from the image was never in the file.
  uint64_t offset = pc - base();
  std::string text =
      "pc " + hex(offset < ownStackTop - base() ? offset + linkedBase : pc);
  if (std::string_view name = function(pc); !name.empty())
    text.append(" (function `").append(name).append("`)");
  return text;
}

} // namespace chansim::aggregator
