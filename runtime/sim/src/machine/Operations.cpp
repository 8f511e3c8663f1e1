//===- Operations.cpp - What the units of the fabric do -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "machine/Operations.h"
#include "machine/Evaluation.h"

#include <algorithm>
#include <array>

namespace chansim {
namespace {

constexpr std::array<std::string_view, 8> kTypeNames = {
    "", "i1", "i8", "i16", "i32", "i64", "f32", "f64"};
constexpr std::array<uint8_t, 8> kTypeBits = {64, 1, 8, 16, 32, 64, 32, 64};

bool isFloat(Type type) { return type >= Type::f32; }

Action actionOf(std::string_view name, UnitKind unit) {
  switch (unit) {
  case UnitKind::loadStore:
    return name == "load"        ? Action::load
           : name == "store"     ? Action::store
           : name == "heap_call" ? Action::heapCall
           : name == "syscall"   ? Action::syscall
                                 : Action::atomic;
  case UnitKind::liveValue:
    return name == "live_load" ? Action::liveLoad : Action::liveStore;
  case UnitKind::control:
    return name == "initiate"    ? Action::initiate
           : name == "terminate" ? Action::terminate
                                 : Action::steer;
  case UnitKind::splitJoin:
    return name == "merge" ? Action::merge : Action::compute;
  default:
    return name == "ballot"      ? Action::ballot
           : name == "lane"      ? Action::lane
           : name == "read_lane" ? Action::readLane
                                 : Action::compute;
  }
}

class TableBuilder {
public:
  void add(std::string_view name, UnitKind unit, unsigned operands,
           CycleClass cycles, Type type, Type result, Evaluate evaluate,
           bool compares = false) {
    Operation operation;
    operation.name = name;
    for (Type suffix : {type, result})
      if (suffix != Type::none)
        operation.name += "." + std::string(typeName(suffix));
    operation.unit = unit;
    operation.operands = static_cast<uint8_t>(operands);
    operation.cycles = cycles;
    operation.action = actionOf(name, unit);
    operation.type = type;
    operation.result = result;
    operation.evaluate = evaluate;
    operation.bytes = (bitsOf(type) + 7) / 8;
    if (name == "reserve") // tail and width
      operation.bytes = 16;
    bool isSilent = type == Type::none || name == "store" || name == "push";
    operation.resultBits = isSilent ? 0
                           : compares
                               ? 1
                               : bitsOf(result != Type::none ? result : type);
    table.push_back(std::move(operation));
  }

  std::vector<Operation> take() {
    std::sort(
        table.begin(), table.end(),
        [](const Operation &a, const Operation &b) { return a.name < b.name; });
    return std::move(table);
  }

private:
  std::vector<Operation> table;
};

/// Of operations without a type that compute: they pass on operand 0.
Word evaluateFirst(Word a, Word, Word) { return a; }

enum class Width : uint8_t { narrower, wider, any };
constexpr bool allows(Width width, Type from, Type to) {
  return width == Width::any || (width == Width::wider ? from < to : from > to);
}

#define EACH_FLOATS(M, ...) M(f32, __VA_ARGS__) M(f64, __VA_ARGS__)
#define EACH_LONG(M, ...) M(i64, __VA_ARGS__)
#define EACH_SWAPPABLE(M, ...)                                                 \
  M(i16, __VA_ARGS__) M(i32, __VA_ARGS__) EACH_LONG(M, __VA_ARGS__)
#define EACH_BYTES(M, ...) M(i8, __VA_ARGS__) EACH_SWAPPABLE(M, __VA_ARGS__)
#define EACH_BITS(M, ...) M(i1, __VA_ARGS__) EACH_BYTES(M, __VA_ARGS__)
#define EACH_STORED(M, ...)                                                    \
  EACH_BYTES(M, __VA_ARGS__) EACH_FLOATS(M, __VA_ARGS__)
#define EACH_WORDS(M, ...) EACH_BITS(M, __VA_ARGS__) EACH_FLOATS(M, __VA_ARGS__)
/// The same lists once more: a macro does not expand within itself.
#define TO_FLOATS(M, ...) M(f32, __VA_ARGS__) M(f64, __VA_ARGS__)
#define TO_BITS(M, ...)                                                        \
  M(i1, __VA_ARGS__)                                                           \
  M(i8, __VA_ARGS__)                                                           \
  M(i16, __VA_ARGS__) M(i32, __VA_ARGS__) M(i64, __VA_ARGS__)

std::vector<Operation> buildTable() {
  TableBuilder builder;
#define PLAIN(NAME, UNIT, OPERANDS, CYCLES)                                    \
  builder.add(#NAME, UnitKind::UNIT, OPERANDS, CycleClass::CYCLES, Type::none, \
              Type::none,                                                      \
              CycleClass::CYCLES == CycleClass::pass ? evaluateFirst           \
                                                     : nullptr);
#define ADD_TYPED(T, NAME, UNIT, OPERANDS, CYCLES)                             \
  builder.add(#NAME, UnitKind::UNIT, OPERANDS, CycleClass::CYCLES, Type::T,    \
              Type::none, WordsOf<Type::T>::evaluate_##NAME);
#define TYPED(NAME, UNIT, OPERANDS, CYCLES, TYPES)                             \
  EACH_##TYPES(ADD_TYPED, NAME, UNIT, OPERANDS, CYCLES)
#define ADD_COMPARISON(T, NAME)                                                \
  builder.add(#NAME, UnitKind::compute, 2, CycleClass::add, Type::T,           \
              Type::none, WordsOf<Type::T>::evaluate_##NAME,                   \
              /*compares=*/true);
#define COMPARISON(NAME, TYPES) EACH_##TYPES(ADD_COMPARISON, NAME)
#define ADD_CONVERSION(T, F, NAME, CYCLES, WIDTH)                              \
  if constexpr (allows(Width::WIDTH, Type::F, Type::T))                        \
    builder.add(#NAME, UnitKind::compute, 1, CycleClass::CYCLES, Type::F,      \
                Type::T, ConversionsOf<Type::F, Type::T>::evaluate_##NAME);
#define CONVERT_FROM(F, NAME, CYCLES, TO, WIDTH)                               \
  TO_##TO(ADD_CONVERSION, F, NAME, CYCLES, WIDTH)
#define CONVERSION(NAME, CYCLES, FROM, TO, WIDTH)                              \
  EACH_##FROM(CONVERT_FROM, NAME, CYCLES, TO, WIDTH)
#define OF_LANES(NAME, OPERANDS)                                               \
  builder.add(#NAME, UnitKind::compute, OPERANDS, CycleClass::add, Type::i64,  \
              Type::none, nullptr);
#include "machine/Operations.def"
  return builder.take();
}

} // namespace

unsigned bitsOf(Type type) { return kTypeBits[static_cast<size_t>(type)]; }

std::string_view typeName(Type type) {
  return kTypeNames[static_cast<size_t>(type)];
}

bool Operation::hasAddressModes() const {
  return action == Action::load || action == Action::store ||
         (action == Action::atomic && name.starts_with("atomic_"));
}

unsigned Operation::operandBits(unsigned index) const {
  if (index >= operands || (unit == UnitKind::loadStore && index == 0))
    return 64;
  if ((cycles == CycleClass::word && index == 0) ||
      (action == Action::steer && index == 1) || action == Action::ballot)
    return 1;
  return bitsOf(type);
}

Arithmetic Operation::arithmetic() const {
  bool isDouble = type == Type::f64 || result == Type::f64;
  bool isAnyFloat = isFloat(type) || isFloat(result);
  auto choose = [&](Arithmetic ofInt, Arithmetic ofFloat, Arithmetic ofDouble) {
    return isDouble ? ofDouble : isAnyFloat ? ofFloat : ofInt;
  };
  switch (cycles) {
  case CycleClass::add:
    return choose(Arithmetic::intAdd, Arithmetic::floatAdd,
                  Arithmetic::doubleAdd);
  case CycleClass::mul:
    return choose(Arithmetic::intMul, Arithmetic::floatMul,
                  Arithmetic::doubleMul);
  case CycleClass::div:
    return choose(Arithmetic::intDiv, Arithmetic::floatDiv,
                  Arithmetic::doubleDiv);
  case CycleClass::word:
    return Arithmetic::intAdd;
  default:
    return Arithmetic::none;
  }
}

uint32_t Operation::latency(const OperationCycles &machine) const {
  switch (cycles) {
  case CycleClass::pass:
    return machine.splitJoin;
  case CycleClass::initiate:
    return machine.initiate;
  case CycleClass::terminate:
    return machine.terminate;
  default:
    break;
  }
  const uint32_t latencies[kArithmetic] = {0,
                                           machine.intAdd,
                                           machine.intMul,
                                           machine.intDiv,
                                           machine.floatAdd,
                                           machine.floatMul,
                                           machine.floatDiv,
                                           machine.doubleAdd,
                                           machine.doubleMul,
                                           machine.doubleDiv};
  return latencies[static_cast<size_t>(arithmetic())];
}

const std::vector<Operation> &allOperations() {
  // Never destroyed: reports are written while the process ends.
  static const std::vector<Operation> &table =
      *new std::vector<Operation>(buildTable());
  return table;
}

const Operation *findOperation(std::string_view name) {
  const std::vector<Operation> &table = allOperations();
  auto it =
      std::lower_bound(table.begin(), table.end(), name,
                       [](const Operation &operation, std::string_view wanted) {
                         return operation.name < wanted;
                       });
  return it != table.end() && it->name == name ? &*it : nullptr;
}

} // namespace chansim
