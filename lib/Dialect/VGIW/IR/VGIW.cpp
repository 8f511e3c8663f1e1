//===- VGIW.cpp - The vgiw dialect ----------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/VGIW/VGIW.h"
#include "cilk2chan/Support/NamesInC.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include <array>

using namespace mlir;
using namespace cilk2chan::vgiw;

#include "cilk2chan/Dialect/VGIW/VGIWDialect.cpp.inc"
#include "cilk2chan/Dialect/VGIW/VGIWEnums.cpp.inc"
#include "cilk2chan/Dialect/VGIW/VGIWInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "cilk2chan/Dialect/VGIW/VGIWTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "cilk2chan/Dialect/VGIW/VGIWAttributes.cpp.inc"

/// `%base`, `%base + 8`, `%base[%i : i32 zext * 4] + 8`
static ParseResult
parseAddress(OpAsmParser &parser, OpAsmParser::UnresolvedOperand &address,
             std::optional<OpAsmParser::UnresolvedOperand> &index,
             Type &indexType, IntegerAttr &scale, IntegerAttr &offset,
             UnitAttr &zeroExtended) {
  Builder &builder = parser.getBuilder();
  int64_t factor = 1, added = 0;
  if (parser.parseOperand(address))
    return failure();
  if (succeeded(parser.parseOptionalLSquare())) {
    if (parser.parseOperand(index.emplace()) ||
        parser.parseColonType(indexType))
      return failure();
    if (succeeded(parser.parseOptionalKeyword("zext")))
      zeroExtended = builder.getUnitAttr();
    if (parser.parseStar() || parser.parseInteger(factor) ||
        parser.parseRSquare())
      return failure();
  }
  if (succeeded(parser.parseOptionalPlus()) && parser.parseInteger(added))
    return failure();
  scale = builder.getI64IntegerAttr(factor);
  offset = builder.getI64IntegerAttr(added);
  return success();
}

static void printAddress(OpAsmPrinter &printer, Operation *, Value address,
                         Value index, Type indexType, IntegerAttr scale,
                         IntegerAttr offset, UnitAttr zeroExtended) {
  printer << address;
  if (index)
    printer << "[" << index << " : " << indexType
            << (zeroExtended ? " zext" : "") << " * " << scale.getInt() << "]";
  if (offset.getInt())
    printer << " + " << offset.getInt();
}

/// `if`, `unless`
static ParseResult parseSense(OpAsmParser &parser, UnitAttr &unless) {
  if (succeeded(parser.parseOptionalKeyword("if")))
    return success();
  if (failed(parser.parseKeyword("unless")))
    return failure();
  unless = parser.getBuilder().getUnitAttr();
  return success();
}

static void printSense(OpAsmPrinter &printer, Operation *, UnitAttr unless) {
  printer << (unless ? "unless" : "if");
}

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
         isa<ExitOp, YieldOp, BarrierOp, RestartOp>(block.front()) &&
         block.front().getNumOperands() == 0 &&
         llvm::none_of(block.getPredecessors(), [](Block *before) {
           // Where a thread goes on there is a block.
           return isa<YieldOp, BarrierOp>(before->getTerminator());
         });
}

Location cilk2chan::vgiw::locationOf(Block &block) {
  for (Operation &op : block)
    if (op.getLoc()->findInstanceOf<FileLineColLoc>())
      return op.getLoc();
  return block.getParentOp()->getLoc();
}

InFlightDiagnostic cilk2chan::vgiw::refuse(KernelOp kernel, Location where,
                                           const Twine &reason) {
  bool hasLine = bool(where->findInstanceOf<FileLineColLoc>());
  return mlir::emitError(hasLine ? where : kernel.getLoc())
         << cilk2chan::describeKernel(kernel.getSymName(), kernel.getSource())
         << " cannot run on this machine: " << reason.str();
}

StringRef cilk2chan::vgiw::describe(chansim::UnitKind kind) {
  switch (kind) {
  case chansim::UnitKind::compute:
    return "arithmetic";
  case chansim::UnitKind::special:
    return "divisions and roots";
  case chansim::UnitKind::loadStore:
    return "loads and stores";
  case chansim::UnitKind::liveValue:
    return "variables that it keeps between its blocks";
  case chansim::UnitKind::splitJoin:
    return "copies and merges of values";
  case chansim::UnitKind::control:
    return "branches";
  }
  llvm_unreachable("no such kind");
}

namespace {
/// What the machine's list says of an operation, whatever its types.
struct Shape {
  chansim::UnitKind unit{};
  unsigned operands = 0;
  bool compares = false, converts = false;
};
} // namespace

static const Shape &shapeOf(Opcode opcode) {
  static const auto shapes = [] {
    std::array<Shape, getMaxEnumValForOpcode() + 1> list;
    auto add = [&](StringRef name, Shape shape) {
      if (std::optional<Opcode> known = symbolizeOpcode(name))
        list[unsigned(*known)] = shape;
    };
#define TYPED(NAME, UNIT, OPERANDS, CYCLES, TYPES)                             \
  add(#NAME, {chansim::UnitKind::UNIT, OPERANDS, false, false});
#define COMPARISON(NAME, TYPES)                                                \
  add(#NAME, {chansim::UnitKind::compute, 2, true, false});
#define CONVERSION(NAME, CYCLES, FROM, TO, WIDTH)                              \
  add(#NAME, {chansim::UnitKind::compute, 1, false, true});
#define OF_LANES(NAME, OPERANDS)                                               \
  add(#NAME, {chansim::UnitKind::compute, OPERANDS, false, false});
#include "machine/Operations.def"
    return list;
  }();
  return shapes[unsigned(opcode)];
}

unsigned cilk2chan::vgiw::operandCount(Opcode opcode) {
  return shapeOf(opcode).operands;
}

bool cilk2chan::vgiw::isSpecial(Opcode opcode) {
  return shapeOf(opcode).unit == chansim::UnitKind::special;
}

LogicalResult cilk2chan::vgiw::verifyMachineOperation(Operation *node) {
  std::string name = cast<NodeOpInterface>(node).getMachineOperation();
  if (chansim::findOperation(name))
    return success();
  return node->emitOpError("is '") << name << "', which no unit does";
}

LogicalResult cilk2chan::vgiw::verifyAddress(Operation *node) {
  auto addressed = cast<AddressedOpInterface>(node);
  uint64_t scale = addressed.getScale();
  MutableOperandRange index = addressed.getIndexMutable();
  if (index.empty() && (scale != 1 || addressed.getZeroExtended()))
    return node->emitOpError("scales or extends an index, and has none");
  if (!llvm::isPowerOf2_64(scale) || scale > chansim::kMaxScale)
    return node->emitOpError("scales its index by ")
           << int64_t(scale) << ", which is no power of two up to "
           << chansim::kMaxScale;
  if (!index.empty() && addressed.getZeroExtended() &&
      index[0].get().getType().isInteger(64))
    return node->emitOpError("extends an index of 64 bits");
  return success();
}

chansim::AddressModes
cilk2chan::vgiw::addressModesOf(AddressedOpInterface node) {
  using chansim::AddressModes;
  MutableOperandRange index = node.getIndexMutable();
  if (index.empty())
    return node.getOffset() ? AddressModes::offset : AddressModes::plain;
  bool bothCome = !isConfigured(node.getAddressMutable().get()) &&
                  !isConfigured(index[0].get());
  return bothCome || node.getScale() != 1 ||
                 !index[0].get().getType().isInteger(64)
             ? AddressModes::scaled
             : AddressModes::offset;
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

LogicalResult ParameterOp::verify() {
  if (getOffset() && !getType().isInteger(64))
    return emitOpError("has an offset, so it has 64 bits");
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

//===----------------------------------------------------------------------===//
// Compute
//===----------------------------------------------------------------------===//

LogicalResult ComputeOp::verify() {
  const Shape &shape = shapeOf(getOpcode());
  if (getOperands().size() != shape.operands)
    return emitOpError("'")
           << stringifyOpcode(getOpcode()) << "' has " << shape.operands
           << " operands, not " << getOperands().size();
  if (shape.converts)
    return success();
  Type result = getResult().getType();
  if (getOpcode() == Opcode::Ballot || getOpcode() == Opcode::Lane) {
    if (!result.isInteger(64))
      return emitOpError("has a result of type ") << result << ", not i64";
    if (getOpcode() == Opcode::Ballot &&
        !getOperands().front().getType().isInteger(1))
      return emitOpError("has an operand that is no i1");
    return success();
  }
  ValueRange same = getOperands();
  if (getOpcode() == Opcode::Mov) {
    if (result.getIntOrFloatBitWidth() !=
        same.front().getType().getIntOrFloatBitWidth())
      return emitOpError("moves a word to one of another size");
    return success();
  }
  if (getOpcode() == Opcode::Select) {
    if (!same.front().getType().isInteger(1))
      return emitOpError("selects by a word that is no i1");
    same = same.drop_front();
  }
  for (Value operand : same)
    if (operand.getType() != same.front().getType())
      return emitOpError("has operands of types ")
             << same.front().getType() << " and " << operand.getType();
  bool right =
      shape.compares ? result.isInteger(1) : result == same.front().getType();
  if (!right)
    return emitOpError("has operands of type ")
           << same.front().getType() << " and a result of type " << result;
  return success();
}

std::string ComputeOp::getMachineOperation() {
  std::string name = stringifyOpcode(getOpcode()).str();
  if (getOpcode() == Opcode::Ballot || getOpcode() == Opcode::Lane)
    return name + "." + typeSuffix(getResult().getType());
  if (getOperands().empty())
    return name; // Which the verifier refuses.
  name += "." + typeSuffix(getOperands().back().getType());
  if (shapeOf(getOpcode()).converts)
    name += "." + typeSuffix(getResult().getType());
  return name;
}

//===----------------------------------------------------------------------===//
// The other nodes
//===----------------------------------------------------------------------===//

#define NODE(OP, NAME)                                                         \
  std::string OP::getMachineOperation() { return NAME; }

NODE(LoadOp, "load." + typeSuffix(getValue().getType()))
NODE(StoreOp, "store." + typeSuffix(getValue().getType()))
NODE(AtomicOp, ("atomic_" + stringifyAtomicKind(getKind()) + "." +
                typeSuffix(getValue().getType()))
                   .str())
NODE(CasOp, "cas." + typeSuffix(getDesired().getType()))
NODE(ReserveOp, "reserve.i64")
NODE(PopOp, "pop.i64")
NODE(PushOp, "push.i64")
NODE(HeapCallOp, "heap_call")
NODE(SyscallOp, "syscall")
NODE(LiveLoadOp, "live_load")
NODE(LiveStoreOp, "live_store")
NODE(InitiateOp, "initiate")
NODE(SplitOp, "split")
NODE(JoinOp, "join")
NODE(SteerOp, getUnless() ? "steer_unless" : "steer_if")
NODE(MergeOp, "merge")
NODE(RestartOp, "terminate")
NODE(BranchOp, "terminate")
NODE(CondBranchOp, "terminate")
NODE(ExitOp, "terminate")
NODE(YieldOp, "terminate")
NODE(BarrierOp, "terminate")
#undef NODE

LogicalResult MergeOp::verify() {
  if (getValues().empty())
    return emitOpError("has no source");
  for (Value value : getValues())
    if (value.getType() != getType())
      return emitOpError("passes on a token of type ")
             << value.getType() << ", and its result has type " << getType();
  if (unsigned sources = sourcesOf(*this).size(); sources > MaxTokens)
    return emitOpError("has ") << sources << " sources; an entry of a token "
                               << "buffer holds " << MaxTokens;
  return success();
}

LogicalResult BackOp::verify() {
  if (!getMerge().getDefiningOp<MergeOp>())
    return emitOpError("leads to a node that is no vgiw.merge");
  return success();
}

SmallVector<OpOperand *> cilk2chan::vgiw::sourcesOf(MergeOp merge) {
  SmallVector<OpOperand *> sources = tokenOperands(merge);
  SmallVector<BackOp> backs;
  for (OpOperand &use : merge->getUses())
    if (auto back = dyn_cast<BackOp>(use.getOwner());
        back && &use == &back.getMergeMutable())
      backs.push_back(back);
  llvm::sort(backs, [](BackOp a, BackOp b) { return a->isBeforeInBlock(b); });
  for (BackOp back : backs)
    sources.push_back(&back.getValueMutable());
  return sources;
}

LogicalResult AtomicOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getValue().getType());
  return success();
}

SuccessorOperands BranchOp::getSuccessorOperands(unsigned) {
  return SuccessorOperands(getDestOperandsMutable());
}

SuccessorOperands YieldOp::getSuccessorOperands(unsigned) {
  return SuccessorOperands(getDestOperandsMutable());
}

SuccessorOperands BarrierOp::getSuccessorOperands(unsigned) {
  return SuccessorOperands(getDestOperandsMutable());
}

SuccessorOperands CondBranchOp::getSuccessorOperands(unsigned index) {
  return SuccessorOperands(index == 0 ? getTrueOperandsMutable()
                                      : getFalseOperandsMutable());
}
