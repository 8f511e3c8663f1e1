//===- Parser.cpp - Reads the assembly of a SIMT core ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/Assembly.h"
#include "simt/Names.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <unordered_map>

namespace chansim::simt {
namespace {

struct Position {
  uint32_t line, column;
};

/// Thrown, and caught by Assembly::parse.
struct Problem {
  Position at;
  std::string reason;
};

[[noreturn]] void refuse(Position at, std::string reason) {
  throw Problem{at, std::move(reason)};
}

/// The text, word by word.  A line ends at a newline or at "//".
class Reader {
public:
  explicit Reader(std::string_view text) : text(text) {}

  Position position() {
    skipBlanks();
    return {line, static_cast<uint32_t>(place - lineBegin + 1)};
  }
  bool isAtEnd() const { return place == text.size(); }
  bool isAtLineEnd() {
    skipBlanks();
    return isAtEnd() || text[place] == '\n';
  }
  /// Goes on to the next line that is not empty.
  void nextLine() {
    if (!isAtLineEnd())
      refuse(position(), "unexpected '" + rest() + "'");
    while (!isAtEnd() && isAtLineEnd() && !isAtEnd()) {
      ++place;
      ++line;
      lineBegin = place;
    }
    skipBlanks();
  }
  bool take(char c) {
    skipBlanks();
    if (isAtEnd() || text[place] != c)
      return false;
    ++place;
    return true;
  }
  void expect(char c) {
    if (!take(c))
      refuse(position(), std::string("expected '") + c + "'" + found());
  }
  /// Letters, digits, '_', '.' and '$'; may be empty.
  std::string_view word() {
    skipBlanks();
    size_t begin = place;
    while (!isAtEnd() && isNameCharacter(text[place]))
      ++place;
    return text.substr(begin, place - begin);
  }
  std::string_view expectWord(const char *what) {
    Position at = position();
    std::string_view result = word();
    if (result.empty())
      refuse(at, std::string("expected ") + what + found());
    return result;
  }
  /// Of a name or a quoted text.
  std::string name(const char *what);
  /// An integer or another number, with its sign.
  std::string number() {
    std::string result(take('-') ? "-" : "");
    result += word();
    // The sign of an exponent.
    if (!isAtEnd() && (text[place] == '-' || text[place] == '+') &&
        (result.ends_with('e') || result.ends_with('E')) &&
        !result.starts_with("0x")) {
      result += text[place++];
      result += word();
    }
    return result;
  }
  std::string found() {
    return isAtLineEnd() ? ", found the end of the line"
                         : ", found '" + rest() + "'";
  }

private:
  void skipBlanks() {
    while (!isAtEnd() &&
           (text[place] == ' ' || text[place] == '\t' || text[place] == '\r'))
      ++place;
    if (text.substr(place).starts_with("//"))
      place = std::min(text.find('\n', place), text.size());
  }
  /// What stands there, up to a blank.
  std::string rest() {
    size_t end = text.find_first_of(" \t\r\n,", place + 1);
    return std::string(text.substr(place, end - place));
  }

  std::string_view text;
  size_t place = 0, lineBegin = 0;
  uint32_t line = 1;
};

std::string Reader::name(const char *what) {
  Position at = position();
  if (!take('"'))
    return std::string(expectWord(what));
  std::string result;
  for (;;) {
    if (isAtEnd() || text[place] == '\n')
      refuse(at, "the '\"' has no end");
    char c = text[place++];
    if (c == '"')
      return result;
    if (c == '\\') {
      if (place + 2 < text.size() && text[place] == 'x') {
        unsigned byte = 0;
        const char *digits = text.data() + place + 1;
        if (std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2)
          refuse(at, "'\\x' is followed by two digits");
        place += 3;
        result += static_cast<char>(byte);
        continue;
      }
      if (isAtEnd())
        continue;
      c = text[place++];
    }
    result += c;
  }
}

/// Of an integer, or of a number of the type.
uint64_t constantBits(const std::string &text, Type type, Position at) {
  auto wrong = [&](const std::string &why) -> uint64_t {
    refuse(at, "'" + text + "' " + why);
  };
  const char *begin = text.data(), *end = begin + text.size();
  unsigned bits = bitsOf(type);
  bool isFloat = type == Type::f32 || type == Type::f64;
  bool isHexadecimal = text.starts_with("0x");
  auto isWhole = [&](std::from_chars_result result) {
    return result.ptr == end && result.ec == std::errc();
  };
  if (isFloat && !isHexadecimal) {
    float single = 0;
    double number = 0;
    if (!isWhole(type == Type::f32 ? std::from_chars(begin, end, single)
                                   : std::from_chars(begin, end, number)))
      return wrong("is no number of type " + std::string(typeName(type)));
    return type == Type::f32 ? std::bit_cast<uint32_t>(single)
                             : std::bit_cast<uint64_t>(number);
  }
  bool isNegative = text.starts_with("-");
  uint64_t magnitude = 0;
  const char *digits = begin + (isNegative ? 1 : isHexadecimal ? 2 : 0);
  if (!isWhole(
          std::from_chars(digits, end, magnitude, isHexadecimal ? 16 : 10)))
    return wrong("is no integer of 64 bits");
  uint64_t mask = ~uint64_t(0) >> (64 - bits);
  uint64_t most = isNegative ? mask / 2 + 1 : mask;
  if (magnitude > most)
    return wrong("does not fit type " + std::string(typeName(type)));
  return (isNegative ? 0 - magnitude : magnitude) & mask;
}

class Parser {
public:
  explicit Parser(std::string_view text) : reader(text) {}

  Assembly parse();

private:
  /// A label that an instruction names.
  struct Reference {
    std::string label;
    Position at;
    size_t instruction;
    uint32_t Instruction::*place;
  };

  void parseKernel();
  void parseHeadLine(std::string_view directive, Position at);
  void parseParameter(Position at);
  void parseRegisters();
  void parseGroup(Position at);
  void parseBody();
  void parseLine();
  void parseInstruction();
  void parseOperation(const Operation &operation);
  void parseOrder(const Operation &operation);
  void parseBranch(bool isUniform);
  void parseTarget(uint32_t Instruction::*place);
  Operand parseOperand(Type type);
  void parseAddress(const Operation &operation);
  uint32_t parseRegister(RegisterClass wanted);
  uint32_t parseSymbol();
  int64_t parseAdded();
  uint64_t parseCount(const char *what, uint64_t most);
  void checkRegister(RegisterClass kind, uint64_t number, Position at);
  void resolve();

  Reader reader;
  Assembly assembly;
  std::unordered_map<std::string, uint32_t> symbols;
  // Of a kernel.
  Kernel *kernel = nullptr;
  Instruction *instruction = nullptr;
  std::map<std::string, uint32_t> labels;
  std::vector<Reference> references;
  std::map<std::string, uint32_t> lines;
  uint32_t line = kNone;
  bool hasRegisters = false;
};

Assembly Parser::parse() {
  if (reader.isAtLineEnd())
    reader.nextLine();
  while (!reader.isAtEnd())
    parseKernel();
  return std::move(assembly);
}

uint64_t Parser::parseCount(const char *what, uint64_t most) {
  Position at = reader.position();
  std::string text = reader.number();
  if (text.empty())
    refuse(at, std::string("expected ") + what + reader.found());
  uint64_t value = constantBits(text, Type::i64, at);
  if (value > most)
    refuse(at, "'" + text + "' is not between 0 and " + std::to_string(most));
  return value;
}

uint32_t Parser::parseSymbol() {
  reader.expect('@');
  std::string name = reader.name("the name of a symbol");
  auto [known, isNew] =
      symbols.try_emplace(name, static_cast<uint32_t>(assembly.symbols.size()));
  if (isNew)
    assembly.symbols.push_back(name);
  return known->second;
}

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

void Parser::parseParameter(Position at) {
  std::string_view name = reader.expectWord("the kind of a parameter");
  auto found = std::find(kParameterKinds.begin(), kParameterKinds.end(), name);
  auto kind = static_cast<Parameter::Kind>(found - kParameterKinds.begin());
  if (found == kParameterKinds.end() || !isOfText(kind))
    refuse(at, "a parameter is no '" + std::string(name) + "'");
  Parameter parameter{kind, 0, 0, 0};
  if (hasNumber(kind))
    parameter.number = parseCount("a number", ~uint64_t(0));
  if (hasStack(kind)) {
    if (reader.word() != "of")
      refuse(reader.position(), "expected 'of'" + reader.found());
    parameter.stack = parseSymbol();
    if (reader.take('+'))
      parameter.level = parseCount("a level", 1u << 16);
  }
  kernel->parameters.push_back(parameter);
}

void Parser::parseRegisters() {
  // A thread's registers are at most so many: for each a label in the file.
  constexpr uint64_t most = 1 << 16;
  for (unsigned kind = 0; kind != kRegisterClasses; ++kind) {
    std::string name = className(static_cast<RegisterClass>(kind));
    Position at = reader.position();
    if (reader.word() != name)
      refuse(at, "expected '" + name + "' and a number of registers");
    kernel->registers[kind] =
        static_cast<uint32_t>(parseCount("a number of registers", most));
  }
  hasRegisters = true;
}

void Parser::parseGroup(Position at) {
  uint64_t threads = parseCount("a number of threads", kMaxGroupThreads);
  if (!std::has_single_bit(threads))
    refuse(at, "a work-group has a power of two of threads, and not " +
                   std::to_string(threads));
  kernel->groupThreads = static_cast<uint32_t>(threads);
  kernel->groupBytes = parseCount("a number of bytes", 1u << 30);
}

void Parser::parseHeadLine(std::string_view directive, Position at) {
  if (directive == ".source") {
    kernel->source = reader.name("a name");
  } else if (directive == ".consumes") {
    kernel->consumes = parseSymbol();
  } else if (directive == ".launch") {
    std::string_view name = reader.expectWord("a launch");
    auto found = std::find(kLaunches.begin(), kLaunches.end(), name);
    if (found == kLaunches.end())
      refuse(at, "a kernel is not launched as '" + std::string(name) +
                     "', but as elements, range or ranges");
    kernel->launch = static_cast<LaunchKind>(found - kLaunches.begin());
  } else if (directive == ".parameter") {
    parseParameter(at);
  } else if (directive == ".private") {
    kernel->privateBytes = parseCount("a number of bytes", 1u << 30);
  } else if (directive == ".group") {
    parseGroup(at);
  } else if (directive == ".registers") {
    parseRegisters();
  } else {
    refuse(at, "there is no '" + std::string(directive) + "'");
  }
}

void Parser::parseKernel() {
  Position at = reader.position();
  if (reader.word() != ".kernel")
    refuse(at, "expected '.kernel'");
  kernel = &assembly.kernels.emplace_back();
  kernel->name = reader.name("the name of the kernel");
  hasRegisters = false;
  for (;;) {
    reader.nextLine();
    at = reader.position();
    if (reader.take('{'))
      break;
    parseHeadLine(reader.expectWord("a directive or '{'"), at);
  }
  if (!hasRegisters)
    refuse(at, "kernel '" + kernel->name + "' has no '.registers'");
  parseBody();
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void Parser::parseBody() {
  labels.clear();
  references.clear();
  lines.clear();
  line = kNone;
  for (;;) {
    reader.nextLine();
    Position at = reader.position();
    if (reader.isAtEnd())
      refuse(at, "kernel '" + kernel->name + "' has no '}'");
    if (reader.take('}')) {
      bool isClosed =
          !kernel->instructions.empty() && kernel->instructions.back().isLast();
      if (!isClosed)
        refuse(at, "kernel '" + kernel->name +
                       "' does not end with 'exit', 'yield' or 'bra'");
      break;
    }
    parseInstruction();
  }
  resolve();
  reader.nextLine();
}

void Parser::parseLine() {
  std::string text = reader.name("a place in the source");
  if (text.empty()) {
    line = kNone;
    return;
  }
  auto [known, isNew] =
      lines.try_emplace(text, static_cast<uint32_t>(kernel->lines.size()));
  if (isNew)
    kernel->lines.push_back(text);
  line = known->second;
}

void Parser::parseInstruction() {
  Position at = reader.position();
  std::string name(reader.expectWord("an instruction"));
  if (reader.take(':')) {
    auto place = static_cast<uint32_t>(kernel->instructions.size());
    if (!labels.try_emplace(name, place).second)
      refuse(at, "label '" + name + "' is there twice");
    return;
  }
  if (name == ".line")
    return parseLine();
  instruction = &kernel->instructions.emplace_back();
  instruction->line = line;
  if (name == "bra" || name == "bra.uni")
    return parseBranch(name == "bra.uni");
  if (name == "yield") {
    instruction->kind = Instruction::Kind::yield;
    parseTarget(&Instruction::target);
    if (reader.take(','))
      instruction->operands[0] = parseOperand(Type::i64);
    return;
  }
  if (name == "bar") {
    instruction->kind = Instruction::Kind::bar;
    if (!kernel->groupThreads)
      refuse(at, "there is a 'bar' in a kernel without '.group'");
    return;
  }
  if (name == "exit")
    return;
  const Operation *operation = findOperation(name);
  bool isInstruction = operation && (operation->unit == UnitKind::compute ||
                                     operation->unit == UnitKind::special ||
                                     operation->unit == UnitKind::loadStore);
  if (!isInstruction)
    refuse(at, "there is no instruction '" + name + "'");
  parseOperation(*operation);
}

void Parser::parseTarget(uint32_t Instruction::*place) {
  Position at = reader.position();
  std::string label(reader.expectWord("a label"));
  references.push_back({label, at, kernel->instructions.size() - 1, place});
}

void Parser::parseBranch(bool isUniform) {
  instruction->kind = Instruction::Kind::branch;
  instruction->isUniform = isUniform;
  Position at = reader.position();
  instruction->isNegated = reader.take('!');
  // A register and not a label if something follows.
  parseTarget(&Instruction::target);
  bool isConditional = reader.take(',');
  if (!isConditional) {
    if (instruction->isNegated || isUniform)
      refuse(at, "a branch without a condition is neither negated nor uniform");
    return;
  }
  Reference condition = references.back();
  references.pop_back();
  const std::string &name = condition.label;
  bool isRegister = name.size() > 1 && name[0] == 'c';
  bool isConstant = name == "0" || name == "1";
  instruction->isConditional = true;
  Operand &operand = instruction->operands[0];
  if (isConstant) {
    operand = {Operand::Kind::constant, 0, name == "1"};
  } else if (isRegister) {
    uint64_t number = constantBits(name.substr(1), Type::i64, condition.at);
    checkRegister(RegisterClass::c, number, condition.at);
    operand = {Operand::Kind::reg, static_cast<uint32_t>(number), 0};
  } else {
    refuse(condition.at, "the condition '" + name +
                             "' is no register of "
                             "class c");
  }
  parseTarget(&Instruction::target);
  if (!reader.take(','))
    return;
  at = reader.position();
  if (reader.word() != "reconverge")
    refuse(at, "expected 'reconverge'");
  if (isUniform)
    refuse(at, "a uniform branch does not reconverge");
  parseTarget(&Instruction::reconvergence);
  if (!reader.take(','))
    return;
  at = reader.position();
  if (reader.word() != "wait")
    refuse(at, "expected 'wait'");
  instruction->isPatient = true;
}

void Parser::checkRegister(RegisterClass kind, uint64_t number, Position at) {
  uint32_t count = kernel->registers[static_cast<size_t>(kind)];
  if (number >= count)
    refuse(at, "register " + className(kind) + std::to_string(number) +
                   " of a kernel with " + std::to_string(count) +
                   " registers of class " + className(kind));
}

uint32_t Parser::parseRegister(RegisterClass wanted) {
  Position at = reader.position();
  std::string name(reader.expectWord("a register"));
  if (name.substr(0, 1) != className(wanted) || name.size() < 2)
    refuse(at, "'" + name + "' is no register of class " + className(wanted));
  uint64_t number = constantBits(name.substr(1), Type::i64, at);
  checkRegister(wanted, number, at);
  return static_cast<uint32_t>(number);
}

/// " + 8", " - 8", or nothing.
int64_t Parser::parseAdded() {
  bool isNegative = reader.take('-');
  if (!isNegative && !reader.take('+'))
    return 0;
  uint64_t number = parseCount("an offset", ~uint64_t(0) >> 1);
  return static_cast<int64_t>(isNegative ? 0 - number : number);
}

Operand Parser::parseOperand(Type type) {
  Position at = reader.position();
  if (reader.take('@')) {
    std::string name = reader.name("the name of a symbol");
    if (bitsOf(type) != 64)
      refuse(at,
             "an address is no operand of type " + std::string(typeName(type)));
    auto [known, isNew] = symbols.try_emplace(
        name, static_cast<uint32_t>(assembly.symbols.size()));
    if (isNew)
      assembly.symbols.push_back(name);
    return {Operand::Kind::symbol, known->second,
            static_cast<uint64_t>(parseAdded())};
  }
  std::string word = reader.number();
  if (word.empty())
    refuse(at, "expected an operand" + reader.found());
  auto isNumbered = [&](char letter) {
    return word.size() > 1 && word[0] == letter &&
           std::all_of(word.begin() + 1, word.end(),
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  if (word == "id" || word == "local") {
    if (bitsOf(type) != 64)
      refuse(at, "'" + word + "' is no operand of type " +
                     std::string(typeName(type)));
    return {word == "id" ? Operand::Kind::id : Operand::Kind::local, 0, 0};
  }
  if (isNumbered('p')) {
    uint64_t number = constantBits(word.substr(1), Type::i64, at);
    if (number >= kernel->parameters.size())
      refuse(at, "parameter " + word + " of a kernel with " +
                     std::to_string(kernel->parameters.size()));
    return {Operand::Kind::parameter, static_cast<uint32_t>(number), 0};
  }
  for (char letter : {'s', 'd', 'c'}) {
    if (!isNumbered(letter))
      continue;
    RegisterClass wanted = classOfBits(bitsOf(type));
    if (className(wanted)[0] != letter)
      refuse(at, "'" + word + "' is no register of class " + className(wanted) +
                     ", which operands of type " + std::string(typeName(type)) +
                     " have");
    uint64_t number = constantBits(word.substr(1), Type::i64, at);
    checkRegister(wanted, number, at);
    return {Operand::Kind::reg, static_cast<uint32_t>(number), 0};
  }
  return {Operand::Kind::constant, 0, constantBits(word, type, at)};
}

void Parser::parseAddress(const Operation &operation) {
  reader.expect('[');
  Operand &base = instruction->operands[0];
  base = parseOperand(operandType(operation, 0));
  instruction->offset = parseAdded();
  reader.expect(']');
}

void Parser::parseOperation(const Operation &operation) {
  instruction->kind = Instruction::Kind::operation;
  instruction->operation = &operation;
  bool isFirst = true;
  auto separate = [&] {
    if (!isFirst)
      reader.expect(',');
    isFirst = false;
  };
  if (operation.resultBits) {
    separate();
    instruction->result = parseRegister(classOfBits(operation.resultBits));
  }
  if (isCall(operation)) {
    separate();
    instruction->callee = parseSymbol();
  }
  for (unsigned i = 0; i != operation.operands; ++i) {
    separate();
    if (i == 0 && hasAddress(operation))
      parseAddress(operation);
    else
      instruction->operands[i] = parseOperand(operandType(operation, i));
  }
  instruction->order = defaultOrder(operation);
  if (operation.unit == UnitKind::loadStore && reader.take(','))
    parseOrder(operation);
}

void Parser::parseOrder(const Operation &operation) {
  Position at = reader.position();
  std::string name(reader.expectWord("an order"));
  std::optional<Order> order = orderNamed(name);
  if (!order)
    refuse(at, "'" + name +
                   "' is no order; there are relaxed, acquire, release and "
                   "acquire_release");
  if (!hasOrder(operation, *order))
    refuse(at,
           "'" + std::string(operation.name) + "' cannot be '" + name + "'");
  instruction->order = *order;
}

void Parser::resolve() {
  for (const Reference &reference : references) {
    auto found = labels.find(reference.label);
    if (found == labels.end())
      refuse(reference.at, "there is no label '" + reference.label + "'");
    if (found->second == kernel->instructions.size())
      refuse(reference.at,
             "label '" + reference.label + "' has no instruction behind it");
    kernel->instructions[reference.instruction].*reference.place =
        found->second;
  }
}

} // namespace

std::optional<Assembly> Assembly::parse(std::string_view text,
                                        const std::string &file,
                                        std::string &error) {
  try {
    return Parser(text).parse();
  } catch (const Problem &problem) {
    error = file + ":" + std::to_string(problem.at.line) + ":" +
            std::to_string(problem.at.column) + ": " + problem.reason;
    return std::nullopt;
  }
}

} // namespace chansim::simt
