//===- Printer.cpp - Assembly of a SIMT core as text ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/Assembly.h"
#include "simt/Names.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <map>

namespace chansim::simt {
namespace {

template <class Number> std::string shortest(Number number) {
  char text[64];
  auto end = std::to_chars(text, text + sizeof text, number).ptr;
  std::string result(text, end);
  return result.find_first_of(".e") == std::string::npos ? result + ".0"
                                                         : result;
}

std::string hexadecimal(uint64_t bits) {
  char text[32];
  auto end = std::to_chars(text, text + sizeof text, bits, 16).ptr;
  return "0x" + std::string(text, end);
}

/// Integers are signed; what is no finite number is its bits.
std::string constantText(uint64_t bits, Type type) {
  if (type == Type::f32) {
    float number = std::bit_cast<float>(static_cast<uint32_t>(bits));
    return std::isfinite(number) ? shortest(number) : hexadecimal(bits);
  }
  if (type == Type::f64) {
    double number = std::bit_cast<double>(bits);
    return std::isfinite(number) ? shortest(number) : hexadecimal(bits);
  }
  if (type == Type::i1)
    return bits ? "1" : "0";
  unsigned unused = 64 - bitsOf(type);
  return std::to_string(static_cast<int64_t>(bits << unused) >> unused);
}

/// " + 8", " - 8", or nothing.
std::string added(int64_t offset) {
  if (offset == 0)
    return "";
  uint64_t size = offset < 0 ? -static_cast<uint64_t>(offset)
                             : static_cast<uint64_t>(offset);
  return (offset < 0 ? " - " : " + ") + std::to_string(size);
}

class Printer {
public:
  explicit Printer(const Assembly &assembly) : assembly(assembly) {}

  std::string print() {
    for (const Kernel &kernel : assembly.kernels) {
      if (!text.empty())
        text += '\n';
      printHead(kernel);
      printBody(kernel);
    }
    return std::move(text);
  }

private:
  std::string symbol(uint32_t number) const {
    return '@' + nameText(assembly.symbols[number]);
  }
  void printHead(const Kernel &kernel);
  void printParameter(const Parameter &parameter);
  void printBody(const Kernel &kernel);
  std::string operandText(const Operand &operand, Type type,
                          int64_t offset = 0) const;
  std::string operationText(const Instruction &instruction) const;
  std::string branchText(const Instruction &instruction) const;

  const Assembly &assembly;
  std::string text;
  /// Of a kernel: its labels, by place.
  std::map<uint32_t, uint32_t> labels;
};

void Printer::printParameter(const Parameter &parameter) {
  text += "  .parameter " + std::string(parameterKindName(parameter.kind));
  if (hasNumber(parameter.kind))
    text += ' ' + std::to_string(parameter.number);
  if (hasStack(parameter.kind)) {
    text += " of " + symbol(parameter.stack);
    if (parameter.level)
      text += " + " + std::to_string(parameter.level);
  }
  text += '\n';
}

void Printer::printHead(const Kernel &kernel) {
  text += ".kernel " + nameText(kernel.name) + '\n';
  if (!kernel.source.empty())
    text += "  .source " + nameText(kernel.source) + '\n';
  if (kernel.consumes)
    text += "  .consumes " + symbol(*kernel.consumes) + '\n';
  text += "  .launch " + std::string(launchName(kernel.launch)) + '\n';
  for (const Parameter &parameter : kernel.parameters)
    printParameter(parameter);
  text += "  .private " + std::to_string(kernel.privateBytes) + '\n';
  if (kernel.groupThreads)
    text += "  .group " + std::to_string(kernel.groupThreads) + ' ' +
            std::to_string(kernel.groupBytes) + '\n';
  text += "  .registers s " + std::to_string(kernel.registers[0]) + " d " +
          std::to_string(kernel.registers[1]) + " c " +
          std::to_string(kernel.registers[2]) + '\n';
}

std::string Printer::operandText(const Operand &operand, Type type,
                                 int64_t offset) const {
  switch (operand.kind) {
  case Operand::Kind::reg:
    return className(classOfBits(bitsOf(type))) +
           std::to_string(operand.number) + added(offset);
  case Operand::Kind::constant:
    return constantText(operand.value + static_cast<uint64_t>(offset), type);
  case Operand::Kind::parameter:
    return 'p' + std::to_string(operand.number) + added(offset);
  case Operand::Kind::symbol:
    return symbol(operand.number) +
           added(static_cast<int64_t>(operand.value) + offset);
  case Operand::Kind::id:
    return "id" + added(offset);
  case Operand::Kind::local:
    return "local" + added(offset);
  }
  return "";
}

std::string Printer::operationText(const Instruction &instruction) const {
  const Operation &operation = *instruction.operation;
  std::string line = operation.name;
  bool isFirst = true;
  auto add = [&](const std::string &operand) {
    line += (isFirst ? " " : ", ") + operand;
    isFirst = false;
  };
  if (instruction.result != kNone)
    add(className(classOfBits(operation.resultBits)) +
        std::to_string(instruction.result));
  if (isCall(operation))
    add(symbol(instruction.callee));
  for (unsigned i = 0; i != operation.operands; ++i) {
    Type type = operandType(operation, i);
    if (i == 0 && hasAddress(operation))
      add('[' + operandText(instruction.operands[0], type, instruction.offset) +
          ']');
    else
      add(operandText(instruction.operands[i], type));
  }
  if (instruction.order != defaultOrder(operation))
    line += ", " + std::string(kOrders[static_cast<size_t>(instruction.order)]);
  return line;
}

std::string Printer::branchText(const Instruction &instruction) const {
  auto label = [&](uint32_t place) {
    return 'L' + std::to_string(labels.at(place));
  };
  std::string line = instruction.isUniform ? "bra.uni " : "bra ";
  if (instruction.isConditional)
    line += (instruction.isNegated ? "!" : "") +
            operandText(instruction.operands[0], Type::i1) + ", ";
  line += label(instruction.target);
  if (instruction.reconvergence != kNone)
    line += ", reconverge " + label(instruction.reconvergence) +
            (instruction.isPatient ? ", wait" : "");
  return line;
}

void Printer::printBody(const Kernel &kernel) {
  labels.clear();
  for (const Instruction &instruction : kernel.instructions)
    for (uint32_t place : {instruction.target, instruction.reconvergence})
      if (place != kNone)
        labels[place] = 0;
  uint32_t count = 0;
  for (auto &[place, number] : labels)
    number = count++;

  text += "{\n";
  uint32_t line = kNone;
  for (uint32_t place = 0; place != kernel.instructions.size(); ++place) {
    const Instruction &instruction = kernel.instructions[place];
    if (auto label = labels.find(place); label != labels.end())
      text += 'L' + std::to_string(label->second) + ":\n";
    if (instruction.line != line) {
      line = instruction.line;
      text += "  .line " +
              quoted(line == kNone ? std::string() : kernel.lines[line]) + '\n';
    }
    text += "  ";
    switch (instruction.kind) {
    case Instruction::Kind::operation:
      text += operationText(instruction);
      break;
    case Instruction::Kind::branch:
      text += branchText(instruction);
      break;
    case Instruction::Kind::yield:
      text += "yield L" + std::to_string(labels.at(instruction.target));
      if (instruction.operands[0] != Operand())
        text += ", " + operandText(instruction.operands[0], Type::i64);
      break;
    case Instruction::Kind::exit:
      text += "exit";
      break;
    case Instruction::Kind::bar:
      text += "bar";
      break;
    }
    text += '\n';
  }
  text += "}\n";
}

} // namespace

std::string Assembly::print() const { return Printer(*this).print(); }

} // namespace chansim::simt
