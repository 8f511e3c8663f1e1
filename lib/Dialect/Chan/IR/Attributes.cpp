//===- Attributes.cpp - Attributes on operations of other dialects --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an attribute of the dialect's may stand on what it is not an operation
// of, and with what value:
//
//   llvm.func @f(...) attributes {chan.entry = @f.entry}
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/KeptObjects.h"
#include "cilk2chan/Support/Markers.h"

using namespace mlir;
using namespace cilk2chan::chan;

/// Where an attribute may stand, in words, and whether it does; what its value
/// is to be, in words, and whether it is.
namespace {
struct AttributeRule {
  StringRef name, place;
  bool (*isPlace)(Operation *);
  StringRef value;
  bool (*isValue)(Operation *, Attribute);
};
} // namespace

static bool isUnit(Operation *, Attribute value) {
  return isa<UnitAttr>(value);
}

static bool isLocalObject(Operation *op) { return isa<LLVM::AllocaOp>(op); }

/// The number of one of the ways that control may take.
static bool isWayOf(Operation *op, Attribute value) {
  auto number = dyn_cast<IntegerAttr>(value);
  return number && number.getType().isInteger(32) && number.getInt() >= 0 &&
         number.getInt() <
             std::max(op->getNumSuccessors(), op->getNumRegions());
}

static bool isOwnEntryStack(Operation *op, Attribute value) {
  auto name = dyn_cast<FlatSymbolRefAttr>(value);
  auto stack =
      name ? SymbolTable::lookupNearestSymbolFrom<StackOp>(op, name) : nullptr;
  return stack && stack.getKind() == StackKind::Entry &&
         stack.getSignature() == cast<LLVM::LLVMFuncOp>(op).getFunctionType();
}

static bool isRangeFunction(Operation *op) {
  auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
  if (!function || function.isExternal())
    return false;
  auto type = function.getFunctionType();
  return isa<LLVM::LLVMVoidType>(type.getReturnType()) &&
         type.getNumParams() >= 2 && type.getParamType(0).isInteger(64) &&
         type.getParamType(1).isInteger(64);
}

static bool isGroupShape(Operation *, Attribute value) {
  auto shape = dyn_cast<DenseI64ArrayAttr>(value);
  return shape && shape.size() == 2 && cilk2chan::isGroupSize(shape[0]) &&
         shape[1] >= 0;
}

static const AttributeRule rules[] = {
    {cilk2chan::WidthAttribute, "a module",
     [](Operation *op) { return isa<ModuleOp>(op); }, "a positive i32",
     [](Operation *, Attribute value) {
       auto width = dyn_cast<IntegerAttr>(value);
       return width && width.getType().isInteger(32) && width.getInt() > 0;
     }},
    {cilk2chan::StrandsAttribute, "a module or a function",
     [](Operation *op) { return isa<ModuleOp, LLVM::LLVMFuncOp>(op); },
     "a unit", isUnit},
    {cilk2chan::EntryAttribute, "a function with a body",
     [](Operation *op) {
       auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
       return function && !function.isExternal();
     },
     "the symbol of an entry stack of the function's type", isOwnEntryStack},
    {cilk2chan::RangeAttribute,
     "a function with a body that takes an iteration and their number, both "
     "i64, and returns nothing",
     isRangeFunction, "a unit", isUnit},
    {cilk2chan::GroupAttribute, "a function with the attribute 'chan.range'",
     [](Operation *op) { return op->hasAttr(cilk2chan::RangeAttribute); },
     "an array of two i64: the threads of a group, a power of two up to 64, "
     "and the bytes that they share",
     isGroupShape},
    {cilk2chan::SizeGuardAttribute, "a conditional branch",
     [](Operation *op) { return isa<LLVM::CondBrOp>(op); }, "a unit", isUnit},
    {cilk2chan::DividedAttribute, "a function",
     [](Operation *op) { return isa<LLVM::LLVMFuncOp>(op); },
     "the symbol of a function",
     [](Operation *, Attribute value) {
       return isa<FlatSymbolRefAttr>(value);
     }},
    {cilk2chan::SourceAttribute, "a function",
     [](Operation *op) { return isa<LLVM::LLVMFuncOp>(op); },
     "the symbol of a function",
     [](Operation *, Attribute value) {
       return isa<FlatSymbolRefAttr>(value);
     }},
    {cilk2chan::OfIterationAttribute, "an llvm.alloca", isLocalObject, "a unit",
     isUnit},
    {cilk2chan::KeptAttribute, "an llvm.alloca", isLocalObject, "a unit",
     isUnit},
    {cilk2chan::ArrayPartAttribute, "a load or a store",
     [](Operation *op) { return isa<LLVM::LoadOp, LLVM::StoreOp>(op); },
     "a unit", isUnit},
    {cilk2chan::ReductionAttribute, "an llvm.atomicrmw or an llvm.alloca",
     [](Operation *op) { return isa<LLVM::AtomicRMWOp, LLVM::AllocaOp>(op); },
     "a unit", isUnit},
    {cilk2chan::ReleasesAttribute, "a cilk.sync",
     [](Operation *op) { return op->getName().getStringRef() == "cilk.sync"; },
     "a unit", isUnit},
    {cilk2chan::BaseCaseArmAttribute, "an operation with several ways",
     [](Operation *op) {
       return op->getNumSuccessors() > 1 || op->getNumRegions() > 1;
     },
     "the number of one of these as an i32", isWayOf},
    {StrideAttribute, "a chan.enq or a chan.destination",
     [](Operation *op) { return isa<EnqOp, DestinationOp>(op); },
     "a positive i64",
     [](Operation *, Attribute value) {
       auto bytes = dyn_cast<IntegerAttr>(value);
       return bytes && bytes.getType().isInteger(64) && bytes.getInt() > 0;
     }},
};

LogicalResult ChanDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  const auto *rule = llvm::find_if(
      rules, [&](const AttributeRule &rule) { return rule.name == name; });
  if (rule == std::end(rules))
    return op->emitError("'")
           << name << "' is no attribute of the chan dialect";
  if (!rule->isPlace(op))
    return op->emitError("'")
           << name << "' stands on " << rule->place << " only";
  if (!rule->isValue(op, attribute.getValue()))
    return op->emitError("'") << name << "' is " << rule->value << ", not "
                              << attribute.getValue();
  return success();
}
