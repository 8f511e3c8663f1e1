//===- Chan.cpp - The chan dialect ----------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/ApplyFunction.h"
#include "cilk2chan/Support/KeptObjects.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/StorableType.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cilk2chan::chan;

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// `(name: type, ...)`
static ParseResult parseFields(OpAsmParser &parser, ArrayAttr &names,
                               ArrayAttr &types) {
  SmallVector<Attribute> nameList, typeList;
  auto parseField = [&]() -> ParseResult {
    std::string name;
    Type type;
    if (parser.parseKeywordOrString(&name) || parser.parseColonType(type))
      return failure();
    nameList.push_back(parser.getBuilder().getStringAttr(name));
    typeList.push_back(TypeAttr::get(type));
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseField))
    return failure();
  names = parser.getBuilder().getArrayAttr(nameList);
  types = parser.getBuilder().getArrayAttr(typeList);
  return success();
}

static void printFields(OpAsmPrinter &printer, Operation *, ArrayAttr names,
                        ArrayAttr types) {
  printer << "(";
  llvm::interleaveComma(llvm::zip(names, types), printer, [&](auto field) {
    printer.printKeywordOrString(
        cast<StringAttr>(std::get<0>(field)).getValue());
    printer << ": " << cast<TypeAttr>(std::get<1>(field)).getValue();
  });
  printer << ")";
}

/// `produces [@stack + level, ...]`, or nothing.
static ParseResult parseEdges(OpAsmParser &parser, ArrayAttr &produces,
                              ArrayAttr &levels) {
  Builder &builder = parser.getBuilder();
  SmallVector<Attribute> stacks, relative;
  auto parseEdge = [&]() -> ParseResult {
    FlatSymbolRefAttr stack;
    int32_t level;
    if (parser.parseAttribute(stack) || parser.parsePlus() ||
        parser.parseInteger(level))
      return failure();
    stacks.push_back(stack);
    relative.push_back(builder.getI32IntegerAttr(level));
    return success();
  };
  if (succeeded(parser.parseOptionalKeyword("produces")) &&
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseEdge))
    return failure();
  produces = builder.getArrayAttr(stacks);
  levels = builder.getArrayAttr(relative);
  return success();
}

static void printEdges(OpAsmPrinter &printer, Operation *, ArrayAttr produces,
                       ArrayAttr levels) {
  if (produces.empty())
    return;
  printer << " produces [";
  llvm::interleaveComma(llvm::zip(produces, levels), printer, [&](auto edge) {
    printer << std::get<0>(edge) << " + "
            << cast<IntegerAttr>(std::get<1>(edge)).getInt();
  });
  printer << "]";
}

#include "cilk2chan/Dialect/Chan/ChanDialect.cpp.inc"
#include "cilk2chan/Dialect/Chan/ChanEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "cilk2chan/Dialect/Chan/ChanTypes.cpp.inc"

#define GET_OP_CLASSES
#include "cilk2chan/Dialect/Chan/Chan.cpp.inc"

void ChanDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "cilk2chan/Dialect/Chan/ChanTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "cilk2chan/Dialect/Chan/Chan.cpp.inc"
      >();
}

llvm::APInt cilk2chan::chan::identityOf(Combination combination,
                                        unsigned width) {
  switch (combination) {
  case Combination::Sum:
  case Combination::Or:
  case Combination::ExclusiveOr:
  case Combination::UnsignedMaximum:
    return llvm::APInt::getZero(width);
  case Combination::Product:
    return llvm::APInt(width, 1);
  case Combination::And:
  case Combination::UnsignedMinimum:
    return llvm::APInt::getAllOnes(width);
  case Combination::SignedMaximum:
    return llvm::APInt::getSignedMinValue(width);
  case Combination::SignedMinimum:
    return llvm::APInt::getSignedMaxValue(width);
  }
  llvm_unreachable("unknown combination");
}

std::optional<LLVM::AtomicBinOp>
cilk2chan::chan::updateBy(Combination combination) {
  switch (combination) {
  case Combination::Sum:
    return LLVM::AtomicBinOp::add;
  case Combination::And:
    return LLVM::AtomicBinOp::_and;
  case Combination::Or:
    return LLVM::AtomicBinOp::_or;
  case Combination::ExclusiveOr:
    return LLVM::AtomicBinOp::_xor;
  case Combination::SignedMaximum:
    return LLVM::AtomicBinOp::max;
  case Combination::SignedMinimum:
    return LLVM::AtomicBinOp::min;
  case Combination::UnsignedMaximum:
    return LLVM::AtomicBinOp::umax;
  case Combination::UnsignedMinimum:
    return LLVM::AtomicBinOp::umin;
  case Combination::Product:
    return {};
  }
  llvm_unreachable("unknown combination");
}

std::optional<Combination>
cilk2chan::chan::combinationOf(LLVM::AtomicBinOp update) {
  for (unsigned i = 1; i <= getMaxEnumValForCombination(); ++i)
    if (auto combination = *symbolizeCombination(i);
        updateBy(combination) == update)
      return combination;
  return {};
}

LLVM::AtomicRMWOp cilk2chan::chan::reductionOf(Operation *op) {
  auto update = dyn_cast<LLVM::AtomicRMWOp>(op);
  return update && update->hasAttr(ReductionAttribute) ? update : nullptr;
}

LLVM::AtomicRMWOp cilk2chan::chan::createReduction(OpBuilder &builder,
                                                   Location loc,
                                                   LLVM::AtomicBinOp by,
                                                   Value address, Value value) {
  // What the other updates left is read after a sync, which orders it.
  auto update = LLVM::AtomicRMWOp::create(builder, loc, by, address, value,
                                          LLVM::AtomicOrdering::monotonic);
  update->setAttr(ReductionAttribute, builder.getUnitAttr());
  return update;
}

Value cilk2chan::chan::maskOf(Value element) {
  if (auto deq = element.getDefiningOp<DeqOp>())
    return deq.getMask();
  if (auto talloc = element.getDefiningOp<TallocOp>())
    return talloc.getMask();
  return {};
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

LogicalResult StackOp::verify() {
  if (getFieldNames().size() != getFieldTypes().size())
    return emitOpError("has ") << getFieldNames().size() << " field names and "
                               << getFieldTypes().size() << " field types";
  llvm::StringSet<> seen;
  for (auto name : getFieldNames().getAsRange<StringAttr>())
    if (!seen.insert(name.getValue()).second)
      return emitOpError("has two fields called '") << name.getValue() << "'";
  if (getKind() == StackKind::Continuation && getFunction())
    return emitOpError("holds continuations and cannot stand for a function");
  if (getKind() == StackKind::Continuation && getWidth())
    return emitOpError("holds continuations, of which there are as many as "
                       "have started, whatever its width");
  for (Type type : getFieldTypes().getAsValueRange<TypeAttr>())
    if (!isStorable(type))
      return emitOpError("has a field of a type without a known size, ")
             << type;
  if (getInterposable() && !getFunction())
    return emitOpError("is interposable but stands for no function");
  if (getSerial() && getInterposable())
    return emitOpError("is interposable and cannot have a serial clone");
  if (getSerial() && !getSignature())
    return emitOpError("names a serial clone but no signature");
  if (getKind() == StackKind::Continuation &&
      (getCallsInLoops() || getOtherBatch()))
    return emitOpError("holds continuations, so nothing is said of calls in "
                       "loops or of batches");
  if (getOtherBatch() && getBatch())
    return emitOpError("has a batch form, so it is not one on other processors "
                       "only");
  if (getRanges()) {
    auto isNumber = [&](unsigned field) {
      return getFieldTypes().size() > field &&
             cast<TypeAttr>(getFieldTypes()[field]).getValue().isInteger(64);
    };
    if (getKind() != StackKind::Entry || !isNumber(0) || !isNumber(1))
      return emitOpError("holds ranges, so it is an entry stack whose first "
                         "two fields, the first iteration and the number of "
                         "iterations, are i64");
    if (getFunction() || getSerial() || getBatch() || getInterposable())
      return emitOpError("holds ranges, so it stands for no function, and has "
                         "neither a serial clone nor a batch form");
  }
  if (std::optional<uint64_t> threads = getGroupSize()) {
    if (!getRanges())
      return emitOpError("has work-groups, so it holds ranges");
    if (!cilk2chan::isGroupSize(int64_t(*threads)))
      return emitOpError("has work-groups of ")
             << *threads << " threads; a group has a power of two of them, at "
             << "most " << cilk2chan::MaxGroupSize;
  }
  if (!getFunction())
    return success();
  if (!getSignature())
    return emitOpError("names a function but not its signature");

  // The fields are the parameters and where the result goes.
  auto checkField = [&](const Twine &name, Type type) -> LogicalResult {
    Type field = getFieldType(name.str());
    // C passes no scalar of a register's size in memory.
    auto isWide = [](Type type) {
      auto integer = dyn_cast<IntegerType>(type);
      return (integer && integer.getWidth() > 64) ||
             isa<LLVM::LLVMStructType, LLVM::LLVMArrayType, VectorType>(type);
    };
    bool byValue = isa<LLVM::LLVMPointerType>(type) && field && isWide(field);
    if (field && (field == type || byValue))
      return success();
    return emitOpError("needs a field '") << name << "' of type " << type;
  };
  unsigned count = 0;
  for (Type type : getSignature()->getParams())
    if (failed(checkField(parameterField(count++), type)))
      return failure();
  if (!isa<LLVM::LLVMVoidType>(getSignature()->getReturnType())) {
    if (failed(
            checkField(ResultField, LLVM::LLVMPointerType::get(getContext()))))
      return failure();
    ++count;
  }
  if (getFieldNames().size() != count)
    return emitOpError("has ") << getFieldNames().size()
                               << " fields, but its signature makes " << count;
  return success();
}

Type StackOp::getFieldType(StringRef name) {
  for (auto [field, type] : llvm::zip(getFieldNames(), getFieldTypes()))
    if (cast<StringAttr>(field).getValue() == name)
      return cast<TypeAttr>(type).getValue();
  return {};
}

LogicalResult TallocOp::verify() {
  if (getLevel() > 1)
    return emitOpError("allocates ")
           << getLevel()
           << " levels deeper; a child stands one level deeper, a "
           << "continuation none";
  if (getTarget() && getLevel() != 1)
    return emitOpError("spawns through a pointer, so its level must be +1");
  if (getTarget() && getMask())
    return emitOpError("spawns through a pointer, so it has no mask");
  return success();
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// The stack of an element, or null after an error at `op`.
static StackOp lookupStack(Operation *op, FlatSymbolRefAttr symbol,
                           SymbolTableCollection &tables) {
  auto stack = tables.lookupNearestSymbolFrom<StackOp>(op, symbol);
  if (!stack)
    op->emitOpError("'") << symbol.getValue()
                         << "' does not name a channel stack";
  return stack;
}

bool StackOp::isUniform(StringRef field) {
  return getUniform() &&
         llvm::is_contained(*getUniform(),
                            StringAttr::get(getContext(), field));
}

/// Checks that the element's stack has the field, of type `type` unless null.
/// With a mask there are as many values as it has lanes.
static LogicalResult verifyField(Operation *op, ElementType element,
                                 StringRef field, Type type, Value mask,
                                 SymbolTableCollection &tables) {
  StackOp stack = lookupStack(op, element.getStack(), tables);
  if (!stack)
    return failure();
  Type declared = stack.getFieldType(field);
  if (!declared)
    return (op->emitOpError("names no field of '")
            << stack.getSymName() << "': '" << field << "'")
               .attachNote(stack.getLoc())
           << "the stack is declared here";
  if (mask && !stack.isUniform(field))
    declared = VectorType::isValidElementType(declared)
                   ? cast<VectorType>(mask.getType()).clone(declared)
                   : Type();
  if (!declared)
    return op->emitOpError("cannot have field '") << field << "' in lanes";
  if (type && type != declared)
    return op->emitOpError("uses type ")
           << type << " for field '" << field << "' of type " << declared;
  return success();
}

LogicalResult GetOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyField(*this, getElement().getType(), getField(),
                     getValue().getType(), maskOf(getElement()), tables);
}

LogicalResult
RangeIterationOp::verifySymbolUses(SymbolTableCollection &tables) {
  StackOp stack = lookupStack(*this, getElement().getType().getStack(), tables);
  if (!stack)
    return failure();
  if (!stack.getRanges())
    return emitOpError("is of an element of '")
           << stack.getSymName() << "', which does not hold ranges";
  if (!getElement().getDefiningOp<DeqOp>())
    return emitOpError("is of an element that has not been dequeued");
  return success();
}

LogicalResult SetOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyField(*this, getElement().getType(), getField(),
                     getValue().getType(), maskOf(getElement()), tables);
}

LogicalResult CopyInOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyField(*this, getElement().getType(), getField(), {}, {}, tables);
}

LogicalResult CopyOutOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyField(*this, getElement().getType(), getField(), {}, {}, tables);
}

LogicalResult DeferOp::verifySymbolUses(SymbolTableCollection &tables) {
  return cilk2chan::verifyApplyFunction(*this, getApplyAttr(), tables);
}

LogicalResult TallocOp::verifySymbolUses(SymbolTableCollection &tables) {
  StackOp stack = lookupStack(*this, getElement().getType().getStack(), tables);
  if (!stack)
    return failure();
  if (getTarget() && (stack.getFunction() || !stack.getSignature() ||
                      !stack.getFieldType(CalleeField)))
    return emitOpError("spawns through a pointer, so '")
           << stack.getSymName()
           << "' must have a signature and a field 'callee', but no function";
  return success();
}

/// Whether the stack's kernels are still to be made of a function.
static bool isToBeSplit(StackOp stack) {
  auto functions =
      stack->getParentOp()->getRegion(0).getOps<LLVM::LLVMFuncOp>();
  return llvm::any_of(functions, [&](LLVM::LLVMFuncOp function) {
    auto entry =
        function->getAttrOfType<FlatSymbolRefAttr>(cilk2chan::EntryAttribute);
    return entry && entry.getAttr() == stack.getSymNameAttr();
  });
}

LogicalResult StackOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (getFunctionAttr() && !tables.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
                               *this, getFunctionAttr()))
    return emitOpError("'") << *getFunction() << "' does not name a function";
  if (getSerialAttr()) {
    auto clone = tables.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
        *this, getSerialAttr());
    if (!clone)
      return emitOpError("'") << *getSerial() << "' does not name a function";
    SmallVector<Type> parameters = {LLVM::LLVMPointerType::get(getContext())};
    llvm::append_range(parameters, getSignature()->getParams());
    auto expected = LLVM::LLVMFunctionType::get(getSignature()->getReturnType(),
                                                parameters);
    if (clone.getFunctionType() != expected)
      return emitOpError("has a serial clone of type ")
             << clone.getFunctionType() << "; expected the worker's address "
             << "before the parameters, " << expected;
  }
  auto kernels = getOperation()->getParentOp()->getRegion(0).getOps<KernelOp>();
  if (llvm::none_of(kernels,
                    [&](KernelOp kernel) {
                      return kernel.getConsumes() == getSymName() &&
                             !kernel.getPhase();
                    }) &&
      !isToBeSplit(*this))
    return emitOpError("has no consumer");
  for (ArrayAttr names : {getUniformAttr(), getPrefetchedAttr()}) {
    if (!names)
      continue;
    for (StringRef field : names.getAsValueRange<StringAttr>())
      if (!getFieldType(field))
        return emitOpError("names no field of its own: '") << field << "'";
  }
  if (getPrefetched())
    for (StringRef field : getPrefetched()->getAsValueRange<StringAttr>())
      if (isUniform(field) || !isa<LLVM::LLVMPointerType>(getFieldType(field)))
        return emitOpError("prefetches '")
               << field << "', which is no pointer that elements have each";
  unsigned handlers = getResultHandlers().value_or(0);
  unsigned others = handlers + getJoinFree().has_value();
  if (getBatch() && others >= getBatch()->size() + (getJoinFree() && !handlers))
    return emitOpError("has ")
           << others
           << " kernels that handle results or reduce them join-free among "
           << getBatch()->size()
           << " kernels of its batch; the first is for the beginning";
  if (getBatch())
    for (auto [index, symbol] : llvm::enumerate(*getBatch())) {
      auto kernel = tables.lookupNearestSymbolFrom<KernelOp>(
          *this, cast<FlatSymbolRefAttr>(symbol));
      if (!kernel || kernel.getConsumes() != getSymName() ||
          kernel.getPhase() != index)
        return emitOpError("'")
               << cast<FlatSymbolRefAttr>(symbol).getValue()
               << "' does not name the kernel of its phase " << index;
    }
  return success();
}

/// Both kernels are for the same lanes of the same phase, and pass on values of
/// the same types.
static LogicalResult verifyCompacted(KernelOp kernel, bool isJoinFree,
                                     SymbolTableCollection &tables) {
  if (!isJoinFree || !kernel.getLanes() || kernel.getCompacted()->size() != 2)
    return kernel.emitOpError(
        "is compacted, so it must be for a join-free reduction, have lanes, "
        "and name two kernels");
  KernelOp parts[2];
  for (auto [part, symbol] : llvm::zip(parts, *kernel.getCompacted())) {
    part = tables.lookupNearestSymbolFrom<KernelOp>(
        kernel, cast<FlatSymbolRefAttr>(symbol));
    if (!part || part.getConsumes() != kernel.getConsumes() ||
        part.getPhase() != kernel.getPhase() ||
        part.getLanes() != kernel.getLanes())
      return kernel.emitOpError("'")
             << cast<FlatSymbolRefAttr>(symbol).getValue()
             << "' does not name a kernel of as many lanes for the same phase";
  }
  auto dequeues = llvm::to_vector(parts[1].getBody().getOps<IterationDeqOp>());
  if (dequeues.size() != 1)
    return parts[1].emitOpError("has ")
           << dequeues.size() << " chan.iteration_deq; it needs one";
  for (KernelOp part : parts) {
    auto enqueues = part.getBody().getOps<IterationEnqOp>();
    if (!enqueues.empty() && !llvm::hasSingleElement(enqueues))
      return part.emitOpError("has more than one chan.iteration_enq");
    for (IterationEnqOp enqueue : enqueues)
      if (enqueue.getValues().getTypes() != dequeues[0].getValues().getTypes())
        return enqueue.emitOpError(
            "passes on other types than chan.iteration_deq expects");
  }
  return success();
}

LogicalResult KernelOp::verifySymbolUses(SymbolTableCollection &tables) {
  StackOp consumed = lookupStack(*this, getConsumesAttr(), tables);
  if (!consumed)
    return failure();
  if (getProduces().size() != getLevels().size())
    return emitOpError("has ") << getProduces().size() << " edges and "
                               << getLevels().size() << " levels";
  for (auto [stack, level] : llvm::zip(getProduces(), getLevels())) {
    StackOp produced =
        lookupStack(*this, cast<FlatSymbolRefAttr>(stack), tables);
    if (!produced)
      return failure();
    bool deeper = cast<IntegerAttr>(level).getInt() == 1;
    if (deeper != (produced.getKind() == StackKind::Entry))
      return emitOpError("enqueues into ")
             << stringifyStackKind(produced.getKind()) << " stack '"
             << produced.getSymName() << "' at +"
             << cast<IntegerAttr>(level).getInt()
             << "; children go to +1, continuations to +0";
  }
  if (consumed.getRanges() && (!getProduces().empty() || getFrameSize()))
    return emitOpError(
        "consumes ranges, so it spawns nothing and has no frame");
  if (getSourceAttr() &&
      !tables.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(*this, getSourceAttr()))
    return emitOpError("'") << *getSource() << "' does not name a function";
  bool isJoinFree = consumed.getJoinFree() && getPhase() &&
                    *getPhase() + 1 == consumed.getBatch()->size();
  if ((getBaseCasesHoisted() || getHoistsBaseCases()) && !getPhase())
    return emitOpError("is no phase of a batch, so it hoists no base cases and "
                       "has no elements whose parents do");
  if (getLanes() && !getPhase())
    return emitOpError("has lanes, but is no phase of a batch");
  if (getLaneRefill() && !getCompacted())
    return emitOpError("has lane refill, so it must be compacted");
  if (getCompacted() && failed(verifyCompacted(*this, isJoinFree, tables)))
    return failure();
  for (Block &block : getBody()) {
    for (auto part : block.getOps<ReduceSharedOp>()) {
      auto get = part.getAddress().getDefiningOp<GetOp>();
      if (!getPhase() || !get || !consumed.isUniform(get.getField()))
        return part.emitOpError("has an address that is no field of a batch "
                                "that all elements have the same of");
    }
    for (auto part : block.getOps<ReduceResultOp>())
      if (!isJoinFree)
        return part.emitOpError("is not in the kernel for the join-free "
                                "reduction, the last of its stack's batch");
  }
  if (consumed.getKind() == StackKind::Continuation)
    for (Block &block : getBody())
      for (auto frame : block.getOps<FrameOp>())
        return frame.emitOpError(
            "is not in an entry kernel: the activation has "
            "its frame already");
  for (auto other :
       getOperation()->getParentOp()->getRegion(0).getOps<KernelOp>())
    if (other != *this && !other.getPhase() && !getPhase() &&
        other.getConsumes() == getConsumes())
      return (emitOpError("consumes '")
              << getConsumes() << "', which has a consumer already")
                 .attachNote(other.getLoc())
             << "the other consumer is here";
  return success();
}
