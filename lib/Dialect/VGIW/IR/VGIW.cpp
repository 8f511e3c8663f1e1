//===- VGIW.cpp - The vgiw dialect ----------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/VGIW/VGIW.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cilk2chan::vgiw;

#include "cilk2chan/Dialect/VGIW/VGIWDialect.cpp.inc"
#include "cilk2chan/Dialect/VGIW/VGIWEnums.cpp.inc"
#include "cilk2chan/Dialect/VGIW/VGIWInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "cilk2chan/Dialect/VGIW/VGIWTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "cilk2chan/Dialect/VGIW/VGIWAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "cilk2chan/Dialect/VGIW/VGIW.cpp.inc"

void VGIWDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "cilk2chan/Dialect/VGIW/VGIWTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "cilk2chan/Dialect/VGIW/VGIWAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "cilk2chan/Dialect/VGIW/VGIW.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Words and tokens
//===----------------------------------------------------------------------===//

bool cilk2chan::vgiw::isConfigured(Value value) {
  return isa_and_nonnull<ConstantOp, SymbolOp, ParameterOp>(
      value.getDefiningOp());
}

SmallVector<OpOperand *> cilk2chan::vgiw::tokenOperands(Operation *node) {
  SmallVector<OpOperand *> tokens;
  for (OpOperand &operand : node->getOpOperands())
    if (!isConfigured(operand.get()))
      tokens.push_back(&operand);
  return tokens;
}

void cilk2chan::vgiw::addAfter(Operation *node, ValueRange tokens) {
  cast<OrderedOpInterface>(node).getAfterMutable().append(tokens);
}

bool cilk2chan::vgiw::isMarker(Block &block) {
  return llvm::hasSingleElement(block) && block.getNumArguments() == 0 &&
         isa<ExitOp, YieldOp>(block.front()) &&
         block.front().getNumOperands() == 0;
}

unsigned cilk2chan::vgiw::operandCount(Opcode opcode) {
  switch (opcode) {
  case Opcode::Mov:
  case Opcode::Trunc:
  case Opcode::Zext:
  case Opcode::Sext:
  case Opcode::Ctpop:
  case Opcode::Ctlz:
  case Opcode::Cttz:
  case Opcode::Bswap:
  case Opcode::Bitreverse:
  case Opcode::Fneg:
  case Opcode::Fabs:
  case Opcode::Fptosi:
  case Opcode::Fptoui:
  case Opcode::Sitofp:
  case Opcode::Uitofp:
  case Opcode::Fpext:
  case Opcode::Fptrunc:
  case Opcode::Ffloor:
  case Opcode::Fceil:
  case Opcode::Ftrunc:
  case Opcode::Frint:
  case Opcode::Fround:
  case Opcode::Fsqrt:
    return 1;
  case Opcode::Mad:
  case Opcode::Fma:
  case Opcode::Select:
  case Opcode::Fshl:
  case Opcode::Fshr:
    return 3;
  default:
    return 2;
  }
}

bool cilk2chan::vgiw::isComparison(Opcode opcode) {
  return (opcode >= Opcode::Eq && opcode <= Opcode::Uge) ||
         (opcode >= Opcode::Foeq && opcode <= Opcode::Funo);
}

static bool isConversion(Opcode opcode) {
  return (opcode >= Opcode::Trunc && opcode <= Opcode::Sext) ||
         (opcode >= Opcode::Fptosi && opcode <= Opcode::Fptrunc);
}

std::string cilk2chan::vgiw::typeSuffix(Type type) {
  return (type.isInteger() ? "i" : "f") +
         std::to_string(type.getIntOrFloatBitWidth());
}

unsigned cilk2chan::vgiw::sizeInBytes(Type type) {
  return (type.getIntOrFloatBitWidth() + 7) / 8;
}

//===----------------------------------------------------------------------===//
// Configured operands
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

//===----------------------------------------------------------------------===//
// Compute
//===----------------------------------------------------------------------===//

LogicalResult ComputeOp::verify() {
  unsigned count = operandCount(getOpcode());
  if (getOperands().size() != count)
    return emitOpError("'") << stringifyOpcode(getOpcode()) << "' has " << count
                            << " operands, not " << getOperands().size();
  Type result = getResult().getType();
  auto bits = [](Type type) -> unsigned { return 8 * sizeInBytes(type); };
  if (isConversion(getOpcode()) || getOpcode() == Opcode::Mov) {
    if (getOpcode() == Opcode::Mov &&
        bits(result) != bits(getOperands()[0].getType()))
      return emitOpError("moves a word to one of another size");
    return success();
  }
  ValueRange same = getOperands();
  if (getOpcode() == Opcode::Select) {
    if (!same.front().getType().isInteger(1))
      return emitOpError("selects by a word that is no i1");
    same = same.drop_front();
  }
  for (Value operand : same)
    if (operand.getType() != same.front().getType())
      return emitOpError("has operands of types ")
             << same.front().getType() << " and " << operand.getType();
  bool right = isComparison(getOpcode()) ? result.isInteger(1)
                                         : result == same.front().getType();
  if (!right)
    return emitOpError("has operands of type ")
           << same.front().getType() << " and a result of type " << result;
  return success();
}

Unit ComputeOp::getUnit() {
  return getOpcode() >= Opcode::Udiv ? Unit::Special : Unit::Compute;
}

std::string ComputeOp::getMachineOperation() {
  std::string name = stringifyOpcode(getOpcode()).str();
  std::string from = typeSuffix(getOperands().back().getType());
  name += "." + from;
  if (isConversion(getOpcode()))
    name += "." + typeSuffix(getResult().getType());
  return name;
}

//===----------------------------------------------------------------------===//
// The other nodes
//===----------------------------------------------------------------------===//

#define NODE(OP, UNIT, NAME)                                                   \
  Unit OP::getUnit() { return Unit::UNIT; }                                    \
  std::string OP::getMachineOperation() { return NAME; }

NODE(LoadOp, Memory, "load." + typeSuffix(getValue().getType()))
NODE(StoreOp, Memory, "store." + typeSuffix(getValue().getType()))
NODE(AtomicOp, Memory,
     ("atomic_" + stringifyAtomicKind(getKind()) + "." +
      typeSuffix(getValue().getType()))
         .str())
NODE(CasOp, Memory, "cas." + typeSuffix(getDesired().getType()))
NODE(ReserveOp, Memory, "reserve.i64")
NODE(PopOp, Memory, "pop.i64")
NODE(PushOp, Memory, "push.i64")
NODE(SyscallOp, Memory, "syscall")
NODE(LiveLoadOp, LiveValue, "live_load")
NODE(LiveStoreOp, LiveValue, "live_store")
NODE(InitiateOp, Control, "initiate")
NODE(SplitOp, SplitJoin, "split")
NODE(JoinOp, SplitJoin, "join")
NODE(BranchOp, Control, "terminate")
NODE(CondBranchOp, Control, "terminate")
NODE(ExitOp, Control, "terminate")
NODE(YieldOp, Control, "terminate")
#undef NODE

SuccessorOperands BranchOp::getSuccessorOperands(unsigned) {
  return SuccessorOperands(getDestOperandsMutable());
}

SuccessorOperands YieldOp::getSuccessorOperands(unsigned) {
  return SuccessorOperands(getDestOperandsMutable());
}

SuccessorOperands CondBranchOp::getSuccessorOperands(unsigned index) {
  return SuccessorOperands(index == 0 ? getTrueOperandsMutable()
                                      : getFalseOperandsMutable());
}
