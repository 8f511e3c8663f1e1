//===- Code.cpp - Kernels as a core executes them -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/Code.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace chansim::simt {

/// As many as a tile of VGIW has at most.
static constexpr uint32_t kMostLaunched = 1 << 16;

uint32_t tileThreads(const SimtParameters &parameters) {
  return parameters.isTimed ? kMostLaunched
                            : parameters.lanes * parameters.warps;
}

uint32_t tileThreads(const Machine &machine) {
  return machine.kind == MachineKind::apu ? machine.simt.lanes
                                          : tileThreads(machine.simt);
}

uint64_t contextBytes(const Kernel &kernel, const Machine &machine) {
  uint64_t bits =
      32 * kernel.registers[0] + 64 * kernel.registers[1] + kernel.registers[2];
  return machine.yield.baseBytes + bits * machine.simt.lanes / 8;
}

Code::Code(const Kernel &kernel, std::span<const uint64_t> symbols,
           uint32_t threads, uint32_t issueCycles)
    : source(&kernel), threads(threads), issueCycles(issueCycles) {
  rowCount = 0;
  for (unsigned kind = 0; kind != kRegisterClasses; ++kind) {
    firstRow[kind] = rowCount;
    rowCount += kernel.registers[kind];
  }
  decoded.reserve(kernel.instructions.size());
  for (const Instruction &instruction : kernel.instructions)
    decoded.push_back(decode(instruction, symbols));
  for (size_t index = 0; index != decoded.size(); ++index)
    decoded[index].isWaiting = isWaiting(index);
  counters.executed.resize(decoded.size());
  counters.stalled.resize(decoded.size());
  counters.moved.resize(decoded.size());
}

void Code::reportBlocks(nlohmann::ordered_json &blocks) const {
  if (!counters.runs)
    return;
  struct Group {
    uint32_t units = 0;
    uint64_t executed = 0, moved = 0;
    std::array<uint64_t, kStalls.size()> stalled{};
  };
  static constexpr std::string_view control[] = {"", "bra", "yield", "exit",
                                                 "bar"};
  std::map<std::pair<std::string, std::string>, Group> groups;
  uint64_t all = 0;
  for (size_t index = 0; index != decoded.size(); ++index) {
    const Instruction &instruction = source->instructions[index];
    std::string line =
        instruction.line == kNone ? "" : source->lines[instruction.line];
    std::string name(instruction.operation
                         ? std::string_view(instruction.operation->name)
                         : control[static_cast<size_t>(instruction.kind)]);
    Group &group = groups[{std::move(line), std::move(name)}];
    ++group.units;
    group.executed += counters.executed[index];
    group.moved += counters.moved[index];
    for (size_t reason = 0; reason != kStalls.size(); ++reason)
      group.stalled[reason] += counters.stalled[index][reason];
    all += counters.executed[index];
  }
  nlohmann::ordered_json nodes = nlohmann::ordered_json::array();
  for (const auto &[key, group] : groups) {
    uint64_t queued = 0;
    nlohmann::ordered_json refusals = nlohmann::ordered_json::object();
    for (size_t reason = 0; reason != kStalls.size(); ++reason) {
      queued += group.stalled[reason];
      if (group.stalled[reason])
        refusals[kStalls[reason]] = group.stalled[reason];
    }
    nodes.push_back({{"line", key.first},
                     {"op", key.second},
                     {"units", group.units},
                     {"firings", group.executed},
                     {"queued", queued},
                     {"working", group.executed * std::max(issueCycles, 1u)},
                     {"moving", 0},
                     {"refusals", std::move(refusals)}});
    if (group.moved)
      nodes.back()["yielding"] = group.moved;
  }
  blocks.push_back({{"kernel", source->name},
                    {"source", source->source},
                    {"block", 0},
                    {"runs", counters.runs},
                    {"threads", counters.threads},
                    {"fetching", 0},
                    {"configuring", 0},
                    {"streaming", issueCycles ? counters.cycles : all},
                    {"nodes", std::move(nodes)}});
}

CodeOperand Code::decode(const Operand &operand, Type type,
                         std::span<const uint64_t> symbols) const {
  switch (operand.kind) {
  case Operand::Kind::reg:
    return {operand.kind, rowOf(classOfBits(bitsOf(type)), operand.number), 0};
  case Operand::Kind::symbol:
    return {Operand::Kind::constant, 0,
            symbols[operand.number] + operand.value};
  case Operand::Kind::parameter:
    return {operand.kind, operand.number, ~uint64_t(0) >> (64 - bitsOf(type))};
  default:
    return {operand.kind, 0, operand.value};
  }
}

bool Code::isWaiting(size_t branch) const {
  const CodeInstruction &last = decoded[branch];
  if (last.kind != Instruction::Kind::branch || last.target > branch)
    return false;
  bool asks = false;
  for (size_t index = last.target; index != branch; ++index) {
    const CodeInstruction &instruction = decoded[index];
    if (instruction.kind != Instruction::Kind::operation)
      continue;
    bool isOrdered = instruction.order != Order::plain;
    if (instruction.callee ||
        (instruction.action == Action::store && !isOrdered))
      return false;
    asks |= isOrdered;
  }
  return asks;
}

CodeInstruction Code::decode(const Instruction &instruction,
                             std::span<const uint64_t> symbols) const {
  CodeInstruction result{};
  result.kind = instruction.kind;
  result.isConditional = instruction.isConditional;
  result.isNegated = instruction.isNegated;
  result.isPatient = instruction.isPatient;
  result.result = kNone;
  result.offset = static_cast<uint64_t>(instruction.offset);
  result.target = instruction.target;
  result.reconvergence = instruction.reconvergence;
  if (instruction.isConditional)
    result.operand[0] = decode(instruction.operands[0], Type::i1, symbols);
  if (instruction.kind == Instruction::Kind::yield)
    result.operand[0] = decode(instruction.operands[0], Type::i64, symbols);
  const Operation *operation = instruction.operation;
  if (!operation)
    return result;
  result.action = operation->action;
  result.evaluate = operation->evaluate;
  result.operands = operation->operands;
  result.order = instruction.order;
  for (unsigned i = 0; i != operation->operands; ++i)
    result.operand[i] =
        decode(instruction.operands[i], operandType(*operation, i), symbols);
  if (instruction.result != kNone)
    result.result =
        rowOf(classOfBits(operation->resultBits), instruction.result);
  if (isCall(*operation))
    result.callee = symbols[instruction.callee];
  return result;
}

} // namespace chansim::simt
