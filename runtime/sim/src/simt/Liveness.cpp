//===- Liveness.cpp - Registers that are still read -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/Liveness.h"

namespace chansim::simt {

/// Operands of an instruction, those of branches and yields included.
static unsigned operandCount(const CodeInstruction &instruction) {
  bool hasOne =
      instruction.isConditional || instruction.kind == Instruction::Kind::yield;
  return hasOne ? 1 : instruction.operands;
}

Liveness::Liveness(const Code &code)
    : kernel(code.kernel()), live(code.instructions().size()) {
  const std::vector<CodeInstruction> &instructions = code.instructions();
  // From the end to the beginning, again and again until nothing is added: as often
  // as loops are nested, and once more.
  Rows rows(code.rows());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t index = instructions.size(); index--;) {
      const CodeInstruction &instruction = instructions[index];
      std::fill(rows.begin(), rows.end(), false);
      auto add = [&](size_t successor) {
        for (size_t row = 0; row != live[successor].size(); ++row)
          if (live[successor][row])
            rows[row] = true;
      };
      if (instruction.target != kNone)
        add(instruction.target);
      if (!kernel.instructions[index].isLast())
        add(index + 1);
      if (instruction.result != kNone)
        rows[instruction.result] = false;
      for (unsigned i = 0; i != operandCount(instruction); ++i)
        if (instruction.operand[i].kind == Operand::Kind::reg)
          rows[instruction.operand[i].number] = true;
      if (rows != live[index]) {
        live[index] = rows;
        changed = true;
      }
    }
  }
}

uint64_t Liveness::bitsAt(std::span<const uint32_t> places) const {
  static constexpr unsigned kBits[] = {32, 64, 1};
  uint64_t bits = 0;
  uint32_t row = 0;
  for (unsigned kind = 0; kind != kRegisterClasses; ++kind)
    for (uint32_t number = 0; number != kernel.registers[kind]; ++number, ++row)
      if (std::any_of(places.begin(), places.end(),
                      [&](uint32_t place) { return live[place][row]; }))
        bits += kBits[kind];
  return bits;
}

} // namespace chansim::simt
