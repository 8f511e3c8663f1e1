//===- LaneEmitter.cpp - The body of a kernel, for W elements -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Emit/LaneEmitter.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"

#include "cilk2chan/Support/AddBytes.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace cilk2chan;

LaneEmitter::LaneEmitter(chan::KernelOp kernel, chan::KernelOp lifted,
                         const LaneShapes &shapes, unsigned lanes,
                         const TypeLayout &layout, const VectorMath &math,
                         const llvm::BitVector &varyingQueued)
    : kernel(kernel), lifted(lifted), shapes(shapes), lanes(lanes),
      layout(layout), math(math), varyingQueued(varyingQueued), builder(kernel),
      loc(kernel.getLoc()) {}

void LaneEmitter::emit() {
  Region &body = kernel.getBody();
  body.dropAllReferences();
  body.getBlocks().clear();
  builder.createBlock(&body);
  emitBlock(lifted.getBody().front());
  kernel.setLanes(lanes);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Type LaneEmitter::typeInShapeOf(Value wanted) const {
  return isUniform(wanted) ? wanted.getType() : lanesOf(wanted.getType());
}

Value LaneEmitter::integer(Type type, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, type,
                                  builder.getIntegerAttr(type, value));
}

Value LaneEmitter::splatConstant(Type type, Attribute value) {
  return LLVM::ConstantOp::create(builder, loc,
                                  DenseElementsAttr::get(lanesOf(type), value));
}

Value LaneEmitter::splat(Value value) {
  VectorType type = lanesOf(value.getType());
  Value first = LLVM::InsertElementOp::create(builder, loc, poison(type), value,
                                              integer(builder.getI32Type(), 0));
  return LLVM::ShuffleVectorOp::create(builder, loc, first, poison(type),
                                       SmallVector<int32_t>(lanes, 0));
}

Value LaneEmitter::vector(Value value) {
  LaneShape shape = shapes.of(value);
  if (shape.kind == LaneShape::Varying)
    return values.lookup(value);
  if (shape.kind == LaneShape::Strided) {
    SmallVector<int64_t> offsets;
    for (unsigned lane = 0; lane < lanes; ++lane)
      offsets.push_back(lane * shape.stride);
    Value offset = LLVM::ConstantOp::create(
        builder, loc,
        DenseIntElementsAttr::get(lanesOf(builder.getI64Type()), offsets));
    return LLVM::GEPOp::create(builder, loc, lanesOf(value.getType()),
                               builder.getI8Type(), scalar(value),
                               ArrayRef<LLVM::GEPArg>{offset});
  }
  Operation *source = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<LLVM::ConstantOp>(source))
    return splatConstant(value.getType(), constant.getValue());
  if (isa_and_nonnull<LLVM::ZeroOp>(source))
    return LLVM::ZeroOp::create(builder, loc, lanesOf(value.getType()));
  if (isa_and_nonnull<LLVM::PoisonOp>(source))
    return poison(lanesOf(value.getType()));
  return splat(scalar(value));
}

Value LaneEmitter::opposite(Value mask) {
  return LLVM::XOrOp::create(
      builder, loc, mask,
      splatConstant(builder.getI1Type(), builder.getBoolAttr(true)));
}

Value LaneEmitter::without(Value all, Value some) {
  return LLVM::AndOp::create(builder, loc, all, opposite(some));
}

Value LaneEmitter::bitsOf(Value mask) {
  return LLVM::BitcastOp::create(builder, loc, builder.getIntegerType(lanes),
                                 mask);
}

Value LaneEmitter::isAny(Value mask) {
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                              bitsOf(mask),
                              integer(builder.getIntegerType(lanes), 0));
}

Value LaneEmitter::allocate(int64_t bytes, uint64_t alignment) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(deq);
  return LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      builder.getI8Type(), integer(builder.getI64Type(), bytes), alignment);
}

Value LaneEmitter::array(Type type, unsigned number) {
  Value &known = arrays[{type, number}];
  if (!known) {
    int64_t bytes = layout.storeSize(type) * lanes;
    known = allocate(bytes, std::min<int64_t>(llvm::PowerOf2Ceil(bytes), 64));
  }
  return known;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void LaneEmitter::emit(Operation &op) {
  loc = op.getLoc();
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitIf(branch);
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    return emitSwitch(choice);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitLoop(loop);
  if (emitChannelOp(op))
    return;
  if (auto update = chan::reductionOf(&op))
    return emitReduction(update);
  if (auto object = dyn_cast<LLVM::AllocaOp>(op)) {
    uint64_t bytes = laneObjectSize(object, layout) * lanes;
    uint64_t align = alignment(object.getAlignment(), object.getElemType());
    // Registers are loaded from the parts of all lanes.
    if (int64_t part = shapes.getInterleaving().partSize(object))
      align = std::max<uint64_t>(align, std::min<int64_t>(part * lanes, 64));
    values.map(object, allocate(bytes, align));
  } else if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
    emitAddress(gep);
  } else if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    emitLoad(load);
  } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    emitStore(store);
  } else if (auto fill = fillOf(&op);
             fill && shapes.getInterleaving().partSize(fill->address)) {
    emitFill(op, *fill);
  } else if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op)) {
    // The selector of a switch.
    values.map(cast.getResult(0), values.lookup(cast.getOperand(0)));
  } else if (op.getNumResults() == 1 && isUniform(op.getResult(0))) {
    builder.clone(op, values);
  } else if (isElementwise(&op)) {
    emitElementwise(op);
  } else if (auto *function = math.find(&op, lanes)) {
    emitVectorCalls(op, *function);
  } else {
    emitByLane(op);
  }
}

/// The quotient or remainder of integers that a floating-point type holds
/// exactly, with as many bits to spare as they have: then a quotient that is no
/// integer is further from the next one than rounding, in whatever direction,
/// can take it, and truncating it gives C's.  `divisor` is no vector if all
/// lanes have the same.
Value LaneEmitter::divide(Operation &op, Value dividend, Value divisor) {
  Type integers = dividend.getType();
  bool isSigned = isa<LLVM::SDivOp, LLVM::SRemOp>(op);
  bool isNarrow = op.getOperand(0).getType().getIntOrFloatBitWidth() <= 16;
  Type single = isNarrow ? Type(builder.getF32Type()) : builder.getF64Type();
  auto convert = [&](Value value, Type floats) -> Value {
    if (isSigned)
      return LLVM::SIToFPOp::create(builder, loc, floats, value);
    return LLVM::UIToFPOp::create(builder, loc, floats, value);
  };
  Value exact = convert(dividend, lanesOf(single));
  if (isa<VectorType>(divisor.getType())) {
    exact = LLVM::FDivOp::create(builder, loc, exact,
                                 convert(divisor, lanesOf(single)));
  } else {
    // Four units in the last place more than 1: after three roundings still
    // not less than it was, and by no more than sixteen too much.
    auto constant = [&](double value) {
      return LLVM::ConstantOp::create(builder, loc, single,
                                      builder.getFloatAttr(single, value));
    };
    Value inverse = LLVM::FDivOp::create(builder, loc, constant(1),
                                         convert(divisor, single));
    Value above =
        LLVM::FMulOp::create(builder, loc, inverse,
                             constant(1 + std::ldexp(1, isNarrow ? -21 : -50)));
    exact = LLVM::FMulOp::create(builder, loc, exact, splat(above));
    divisor = splat(divisor);
  }
  Value quotient =
      isSigned ? Value(LLVM::FPToSIOp::create(builder, loc, integers, exact))
               : Value(LLVM::FPToUIOp::create(builder, loc, integers, exact));
  if (isa<LLVM::SDivOp, LLVM::UDivOp>(op))
    return quotient;
  return LLVM::SubOp::create(
      builder, loc, dividend,
      LLVM::MulOp::create(builder, loc, quotient, divisor));
}

/// What `op` divides by, where nothing may be divided by zero: in lanes that
/// are not there, and if there is none.
Value LaneEmitter::safeDivisor(Operation &op) {
  Value divisor = op.getOperand(1);
  if (!dividesInFloatingPoint(&op) || !isUniform(divisor)) {
    auto one = builder.getIntegerAttr(divisor.getType(), 1);
    return blend(mask, vector(divisor), splatConstant(divisor.getType(), one));
  }
  Value all = scalar(divisor);
  Value isZero = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                      all, integer(divisor.getType(), 0));
  return LLVM::SelectOp::create(builder, loc, isZero,
                                integer(divisor.getType(), 1), all);
}

void LaneEmitter::emitElementwise(Operation &op) {
  if (dividesInFloatingPoint(&op)) {
    Value quotient = divide(op, vector(op.getOperand(0)), safeDivisor(op));
    // In lanes that are not there it may be none of the type.
    values.map(op.getResult(0), LLVM::FreezeOp::create(builder, loc, quotient));
    return;
  }
  IRMapping operands;
  for (Value operand : op.getOperands())
    operands.map(operand, vector(operand));
  Value safe;
  if (isDivision(&op) && !isSafeDivisor(op.getOperand(1)))
    safe = safeDivisor(op);
  Operation *copy = builder.clone(op, operands);
  // Not by way of `operands`: the dividend may be the same value.
  if (safe)
    copy->setOperand(1, safe);
  copy->getResult(0).setType(lanesOf(op.getResult(0).getType()));
  values.map(op.getResult(0), copy->getResult(0));
}

/// The library's function of that name and type.
static LLVM::LLVMFuncOp declare(const llvm::VecDesc &function, Type type,
                                ModuleOp module) {
  StringRef name = function.getVectorFnName();
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto made = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
  if (auto convention = function.getCallingConv())
    made.setCConv(static_cast<LLVM::CConv>(*convention));
  auto none = LLVM::ModRefInfo::NoModRef;
  made.setMemoryEffectsAttr(builder.getAttr<LLVM::MemoryEffectsAttr>(
      none, none, none, none, none, none));
  made.setNoUnwind(true);
  made.setWillReturn(true);
  return made;
}

/// Calls `function`, which is for a number of lanes of its own, for all that
/// there are. It has some more to compute for none of which it takes too many.
void LaneEmitter::emitVectorCalls(Operation &op,
                                  const llvm::VecDesc &function) {
  int32_t width = function.getVectorizationFactor().getFixedValue();
  auto part = VectorType::get(width, op.getResult(0).getType());
  auto type = LLVM::LLVMFunctionType::get(
      part, SmallVector<Type>(op.getNumOperands(), part));
  LLVM::LLVMFuncOp callee =
      declare(function, type, kernel->getParentOfType<ModuleOp>());
  auto shuffle = [&](Value low, Value high, int32_t first, int32_t count,
                     int32_t of) {
    SmallVector<int32_t> places;
    for (int32_t i = 0; i < count; ++i)
      places.push_back((first + i) % of);
    return LLVM::ShuffleVectorOp::create(builder, loc, low, high, places);
  };
  int32_t count = lanes;
  Results operands, parts;
  for (Value operand : op.getOperands())
    operands.push_back(vector(operand));
  for (int32_t first = 0; first < count; first += width) {
    Results arguments;
    for (Value operand : operands)
      arguments.push_back(shuffle(operand, operand, first, width, count));
    auto call = LLVM::CallOp::create(builder, loc, callee, arguments);
    call.setCConv(callee.getCConv());
    parts.push_back(call.getResult());
  }
  for (; parts.size() > 1; width *= 2) {
    Results joined;
    for (size_t i = 0; i < parts.size(); i += 2)
      joined.push_back(
          shuffle(parts[i], parts[i + 1], 0, 2 * width, 2 * width));
    parts = std::move(joined);
  }
  values.map(op.getResult(0),
             shuffle(parts.front(), parts.front(), 0, count, width));
}

void LaneEmitter::emitAddress(LLVM::GEPOp op) {
  bool varies = shapes.of(op).kind == LaneShape::Varying;
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, varies && !isUniform(operand) ? vector(operand)
                                                        : scalar(operand));
  auto copy = cast<LLVM::GEPOp>(builder.clone(*op, operands));
  if (varies)
    copy.getResult().setType(lanesOf(op.getType()));
  if (shapes.getInterleaving().partSize(op))
    copy.setElemType(interleave(op.getElemType(), lanes));
  values.map(op, copy.getResult());
}

/// What a lane's access at `address` may rely on.
unsigned LaneEmitter::laneAlignment(Value address,
                                    std::optional<uint64_t> given,
                                    Type type) const {
  int64_t part = shapes.getInterleaving().partSize(address);
  unsigned whole = alignment(given, type);
  return part ? std::min<unsigned>(whole, part) : whole;
}

unsigned LaneEmitter::alignment(std::optional<uint64_t> given,
                                Type type) const {
  return given ? *given : layout.abiAlignment(type);
}

void LaneEmitter::emitLoad(LLVM::LoadOp op) {
  if (isUniform(op)) {
    builder.clone(*op, values);
    return;
  }
  if (isRelaxed(op))
    return emitByLane(*op);
  VectorType type = lanesOf(op.getType());
  std::optional<uint64_t> given = op.getAlignment();
  // What is contiguous are the lanes' own objects: they all exist.
  Value value =
      shapes.isContiguous(op.getAddr(), op.getType())
          ? Value(LLVM::LoadOp::create(builder, loc, type, scalar(op.getAddr()),
                                       alignment(given, op.getType())))
          : Value(LLVM::masked_gather::create(
                builder, loc, type, vector(op.getAddr()), mask, ValueRange(),
                builder.getI32IntegerAttr(
                    laneAlignment(op.getAddr(), given, op.getType()))));
  values.map(op, value);
}

void LaneEmitter::emitStore(LLVM::StoreOp op) {
  if (isUniform(op.getAddr()) && isUniform(op.getValue())) {
    builder.clone(*op, values);
    return;
  }
  Type type = op.getValue().getType();
  if (!hasVectorsInMemory(type))
    return emitByLane(*op);
  std::optional<uint64_t> given = op.getAlignment();
  if (shapes.isContiguous(op.getAddr(), type)) {
    storeAdjoining(vector(op.getValue()), scalar(op.getAddr()),
                   alignment(given, type));
    return;
  }
  LLVM::masked_scatter::create(
      builder, loc, vector(op.getValue()), vector(op.getAddr()), mask,
      builder.getI32IntegerAttr(laneAlignment(op.getAddr(), given, type)));
}

/// Stores what each lane has into its own object: lanes outside of the mask
/// keep what they have.
void LaneEmitter::storeAdjoining(Value value, Value to, unsigned align) {
  Value old = LLVM::LoadOp::create(builder, loc, value.getType(), to, align);
  LLVM::StoreOp::create(builder, loc, blend(mask, value, old), to, align);
}

/// Fills the lanes' copies of an object part by part.
void LaneEmitter::emitFill(Operation &op, const Fill &fill) {
  unsigned part = shapes.getInterleaving().partSize(fill.address);
  Type type = builder.getIntegerType(part * 8);
  auto at = [&](Value base, int64_t offset) -> Value {
    return addBytes(builder, loc, base, offset);
  };
  for (uint64_t offset = 0; offset < fill.bytes; offset += part) {
    Value value;
    if (auto copy = dyn_cast<LLVM::MemcpyOp>(op)) {
      value = LLVM::LoadOp::create(builder, loc, type,
                                   at(scalar(copy.getSrc()), offset),
                                   /*alignment=*/1);
    } else {
      APInt byte;
      matchPattern(cast<LLVM::MemsetOp>(op).getVal(), m_ConstantInt(&byte));
      value = LLVM::ConstantOp::create(
          builder, loc, type,
          builder.getIntegerAttr(type, APInt::getSplat(part * 8, byte)));
    }
    value = splat(value);
    if (shapes.of(fill.address).kind == LaneShape::Strided)
      storeAdjoining(value, at(scalar(fill.address), offset * lanes), part);
    else
      LLVM::masked_scatter::create(builder, loc, value,
                                   at(vector(fill.address), offset * lanes),
                                   mask, builder.getI32IntegerAttr(part));
  }
}

/// Whether all elements of a batch combine what they have at one address.
bool LaneEmitter::isOfBatch(LLVM::AtomicRMWOp op) const {
  auto get = op.getPtr().getDefiningOp<chan::GetOp>();
  if (!get || !chan::combinationOf(op.getBinOp()))
    return false;
  // Its accessors are not const.
  chan::KernelOp here = kernel;
  return SymbolTable::lookupNearestSymbolFrom<chan::StackOp>(
             here, get.getElement().getType().getStack())
      .isUniform(get.getField());
}

void LaneEmitter::emitReduction(LLVM::AtomicRMWOp op) {
  if (!isOfBatch(op))
    return emitByLane(*op);
  Value value = op.getVal();
  chan::ReduceSharedOp::create(builder, loc,
                               *chan::combinationOf(op.getBinOp()),
                               isUniform(value) ? scalar(value) : vector(value),
                               scalar(op.getPtr()), mask);
}

bool LaneEmitter::emitChannelOp(Operation &op) {
  if (auto first = dyn_cast<chan::DeqOp>(op)) {
    deq = chan::DeqOp::create(builder, loc, first.getElement().getType(),
                              lanesOf(builder.getI1Type()));
    values.map(first.getElement(), deq.getElement());
    mask = deq.getMask();
  } else if (auto get = dyn_cast<chan::GetOp>(op); get && isUniform(get)) {
    builder.clone(op, values);
  } else if (get) {
    Value all =
        chan::GetOp::create(builder, loc, lanesOf(get.getType()),
                            values.lookup(get.getElement()), get.getField());
    values.map(get, all);
  } else if (auto talloc = dyn_cast<chan::TallocOp>(op)) {
    auto elements = chan::TallocOp::create(
        builder, loc, talloc.getElement().getType(), talloc.getLevel(),
        /*target=*/Value(), mask);
    values.map(talloc.getElement(), elements.getElement());
  } else if (auto set = dyn_cast<chan::SetOp>(op)) {
    auto stack = SymbolTable::lookupNearestSymbolFrom<chan::StackOp>(
        kernel, set.getElement().getType().getStack());
    bool isOne = stack.isUniform(set.getField());
    chan::SetOp::create(builder, loc,
                        isOne ? scalar(set.getValue()) : vector(set.getValue()),
                        values.lookup(set.getElement()), set.getField());
  } else if (auto enq = dyn_cast<chan::EnqOp>(op)) {
    Value destination = enq.getDestination();
    if (destination)
      destination = enq->hasAttr(chan::StrideAttribute) ? scalar(destination)
                                                        : vector(destination);
    chan::EnqOp::create(builder, loc, values.lookup(enq.getElement()),
                        enq.getSiteAttr(), destination);
  } else if (auto destination = dyn_cast<chan::DestinationOp>(op)) {
    Type type = destination.getType();
    Value all = chan::DestinationOp::create(
        builder, loc,
        destination->hasAttr(chan::StrideAttribute) ? type
                                                    : Type(lanesOf(type)));
    values.map(destination.getDestination(), all);
  } else if (auto pend = dyn_cast<chan::PendOp>(op)) {
    chan::PendOp::create(builder, loc, pend.getPhase(), mask);
  } else if (auto result = dyn_cast<chan::ResultOp>(op)) {
    chan::ResultOp::create(builder, loc, vector(result.getValue()), mask);
  } else if (auto part = dyn_cast<chan::ReduceResultOp>(op)) {
    Value value = part.getValue();
    chan::ReduceResultOp::create(
        builder, loc, isUniform(value) ? scalar(value) : vector(value), mask);
  } else if (auto enqueued = dyn_cast<chan::IterationEnqOp>(op)) {
    Results all;
    for (auto [i, value] : llvm::enumerate(enqueued.getValues()))
      all.push_back(varyingQueued[i] ? vector(value) : scalar(value));
    chan::IterationEnqOp::create(builder, loc, all, mask);
  } else if (auto dequeued = dyn_cast<chan::IterationDeqOp>(op)) {
    SmallVector<Type> types;
    for (Value value : dequeued.getValues())
      types.push_back(typeInShapeOf(value));
    values.map(dequeued.getValues(),
               chan::IterationDeqOp::create(builder, loc, types).getValues());
  } else if (isa<chan::IterationOp>(op)) {
    chan::IterationOp::create(builder, loc, mask);
  } else if (auto child = dyn_cast<chan::ChildOp>(op)) {
    auto all = chan::ChildOp::create(builder, loc, lanesOf(builder.getI1Type()),
                                     lanesOf(child.getValue().getType()),
                                     child.getSite());
    values.map(child.getResults(), all.getResults());
  } else if (isa<chan::LocalOp>(op)) {
    builder.clone(op, values);
  } else if (isa<chan::DoneOp>(op)) {
    // Until now some lane may have had to read its element.
    chan::TfreeOp::create(builder, loc, deq.getElement());
    chan::DoneOp::create(builder, loc);
  } else {
    return isa<chan::TfreeOp>(op);
  }
  return true;
}
