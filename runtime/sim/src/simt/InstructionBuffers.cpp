//===- InstructionBuffers.cpp - Instructions of wavefronts -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of Multiprocessor that brings wavefronts their instructions.  A slot has a
// buffer of fetch.buffer_lines lines: that of the next instruction, and those behind
// it, which are asked for ahead.
//
//   lines of the kernel   | 0 | 1 | 2 | 3 |
//   next instruction            ^
//   buffer of two lines       | 1 | 2 |        a branch to line 3 gives up both
//
//===----------------------------------------------------------------------===//

#include "simt/Multiprocessor.h"

#include <algorithm>

namespace chansim::simt {

/// Lines that have come.  What the buffer has given up meanwhile is left out.
bool Multiprocessor::takeInstructions() {
  std::span<const FetchUnit::Arrival> arrivals =
      fetchUnit->takeArrivals(fetchPort);
  for (const FetchUnit::Arrival &arrival : arrivals)
    for (HeldLine &line : slots[arrival.slot].lines)
      line.isThere |= line.address == arrival.line;
  return !arrivals.empty();
}

/// Buffers follow the next instructions, as soon as these are known.
void Multiprocessor::askForInstructions(uint64_t cycle) {
  asking.forEach([&](uint32_t index) {
    Slot &slot = slots[index];
    if (!slot.warp)
      asking.remove(index);
    if (!slot.warp || slot.phase != Phase::running || slot.isCalling ||
        slot.readyAt > cycle || !slot.warp->isRunning())
      return;
    asking.remove(index);
    uint64_t bytes = machine.fetch.instructionBytes;
    uint64_t base = slot.resident->codeBase;
    uint64_t last =
        base + slot.resident->tile->code().instructions().size() * bytes - 1;
    uint64_t first = fetchUnit->lineOf(base + slot.warp->next().pc * bytes);
    uint64_t lineSize = machine.fetch.l1i.lineBytes;
    uint64_t end = std::min(first + machine.fetch.bufferLines * lineSize,
                            fetchUnit->lineOf(last) + lineSize);
    std::erase_if(slot.lines, [&](const HeldLine &line) {
      return line.address < first || line.address >= end;
    });
    for (uint64_t line = first; line != end; line += lineSize) {
      bool isKnown = std::any_of(
          slot.lines.begin(), slot.lines.end(),
          [&](const HeldLine &held) { return held.address == line; });
      if (isKnown)
        continue;
      slot.lines.push_back({line, false});
      fetchUnit->request(fetchPort, index, line);
    }
  });
}

bool Multiprocessor::hasInstruction(const Slot &slot, uint32_t pc) const {
  uint64_t line = fetchUnit->lineOf(
      slot.resident->codeBase + uint64_t(pc) * machine.fetch.instructionBytes);
  return std::any_of(slot.lines.begin(), slot.lines.end(),
                     [&](const HeldLine &held) {
                       return held.address == line && held.isThere;
                     });
}

} // namespace chansim::simt
