//===- SIMT.cpp - The simt dialect ----------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/SIMT/SIMT.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cilk2chan::simt;

#include "cilk2chan/Dialect/SIMT/SIMTDialect.cpp.inc"
#include "cilk2chan/Dialect/SIMT/SIMTEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "cilk2chan/Dialect/SIMT/SIMTTypes.cpp.inc"

#define GET_OP_CLASSES
#include "cilk2chan/Dialect/SIMT/SIMT.cpp.inc"

void SIMTDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "cilk2chan/Dialect/SIMT/SIMTTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "cilk2chan/Dialect/SIMT/SIMT.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

RegisterClass cilk2chan::simt::classOfBits(unsigned bits) {
  return bits == 1    ? RegisterClass::C
         : bits <= 32 ? RegisterClass::S
                      : RegisterClass::D;
}

RegisterClass cilk2chan::simt::classOf(Value value) {
  return cast<RegisterType>(value.getType()).getKind();
}

std::optional<unsigned> cilk2chan::simt::registerOf(Value value) {
  return cast<RegisterType>(value.getType()).getNumber();
}

StringRef cilk2chan::simt::wordOf(RegisterClass kind) {
  switch (kind) {
  case RegisterClass::S:
    return "i32";
  case RegisterClass::D:
    return "i64";
  case RegisterClass::C:
    return "i1";
  }
  llvm_unreachable("no such class");
}

bool cilk2chan::simt::isImmediate(Value value) {
  return isa_and_nonnull<ConstantOp, SymbolOp, ParameterOp, IdOp, LocalOp>(
      value.getDefiningOp());
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

const chansim::Operation &InstOp::getDescription() {
  return *chansim::findOperation(getOpcode().str());
}

void InstOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // A load may be one that the program wants to see done (volatile).
  const chansim::Operation *known = chansim::findOperation(getOpcode().str());
  if (known && known->action == chansim::Action::compute)
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult InstOp::verify() {
  using chansim::UnitKind;
  const chansim::Operation *known = chansim::findOperation(getOpcode().str());
  bool isInstruction = known && (known->unit == UnitKind::compute ||
                                 known->unit == UnitKind::special ||
                                 known->unit == UnitKind::loadStore);
  if (!isInstruction)
    return emitOpError("is '") << getOpcode() << "', which no core does";
  if (getOperands().size() != known->operands)
    return emitOpError("'")
           << getOpcode() << "' has " << unsigned(known->operands)
           << " operands, not " << getOperands().size();
  for (auto [index, operand] : llvm::enumerate(getOperands())) {
    RegisterClass right = classOfBits(known->operandBits(index));
    if (classOf(operand) != right)
      return emitOpError("'")
             << getOpcode() << "' has operand " << index + 1 << " in class "
             << stringifyRegisterClass(classOf(operand)) << ", not "
             << stringifyRegisterClass(right);
  }
  if (bool(getResult()) != (known->resultBits != 0))
    return emitOpError("'") << getOpcode() << "' has "
                            << (known->resultBits ? "a" : "no") << " result";
  if (getResult() && classOf(getResult()) != classOfBits(known->resultBits))
    return emitOpError("'")
           << getOpcode() << "' has a result of class "
           << stringifyRegisterClass(classOfBits(known->resultBits));
  if (getOffset() && !accessesMemory())
    return emitOpError("has an offset, and no address");
  bool calls = known->action == chansim::Action::syscall ||
               known->action == chansim::Action::heapCall;
  if (bool(getCallee()) != calls)
    return emitOpError("'")
           << getOpcode() << "' names "
           << (calls ? "the function that it calls" : "no function");
  return success();
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

LogicalResult CondBraOp::verify() {
  if (classOf(getCondition()) != RegisterClass::C)
    return emitOpError("has a condition that is not of class c");
  size_t blocks = llvm::range_size(*(*this)->getBlock()->getParent());
  if (getReconverge() && *getReconverge() >= blocks)
    return emitOpError("reconverges at block ")
           << *getReconverge() << " of a kernel with " << blocks;
  return success();
}

SuccessorOperands BraOp::getSuccessorOperands(unsigned) {
  return SuccessorOperands(getDestOperandsMutable());
}

SuccessorOperands YieldOp::getSuccessorOperands(unsigned) {
  return SuccessorOperands(getDestOperandsMutable());
}

SuccessorOperands BarOp::getSuccessorOperands(unsigned) {
  return SuccessorOperands(getDestOperandsMutable());
}

SuccessorOperands CondBraOp::getSuccessorOperands(unsigned index) {
  return SuccessorOperands(index == 0 ? getTrueOperandsMutable()
                                      : getFalseOperandsMutable());
}
