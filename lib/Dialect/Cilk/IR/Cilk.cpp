//===- Cilk.cpp - The cilk dialect ----------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/ApplyFunction.h"
#include "cilk2chan/Support/StorableType.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace cilk2chan::cilk;
using cilk2chan::isStorable;

#include "cilk2chan/Dialect/Cilk/CilkDialect.cpp.inc"

#define GET_OP_CLASSES
#include "cilk2chan/Dialect/Cilk/Cilk.cpp.inc"

void CilkDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "cilk2chan/Dialect/Cilk/Cilk.cpp.inc"
      >();
}

bool cilk2chan::cilk::isSpawning(LLVM::LLVMFuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa_and_present<CilkDialect>(op->getDialect()) &&
                       !isa<SynchedOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Checks operands against the lowered signature of the call they are for, and
/// that a channel's element can hold what goes in and comes out.
static LogicalResult verifyArguments(Operation *op, LLVM::LLVMFunctionType type,
                                     ValueRange args, ArrayAttr argAttrs) {
  Type result = type.getReturnType();
  if (!isa<LLVM::LLVMVoidType>(result) && !isStorable(result))
    return op->emitOpError("has a result of a type without a known size, ")
           << result;
  for (auto [index, arg] : llvm::enumerate(args))
    if (!isStorable(arg.getType()))
      return op->emitOpError("argument #")
             << index << " is of a type without a known size, "
             << arg.getType();
  unsigned count = type.getNumParams();
  if (args.size() < count || (args.size() > count && !type.isVarArg()))
    return op->emitOpError("has ")
           << args.size() << " arguments, but its signature takes " << count;
  for (auto [index, param] : llvm::enumerate(type.getParams()))
    if (args[index].getType() != param)
      return op->emitOpError("argument #")
             << index << " is of type " << args[index].getType()
             << ", but its signature says " << param;
  if (argAttrs && argAttrs.size() != args.size())
    return op->emitOpError("has ")
           << argAttrs.size() << " argument attributes for " << args.size()
           << " arguments";
  return success();
}

/// Checks that `symbol` names a function.
static LogicalResult verifyFunction(Operation *op, FlatSymbolRefAttr symbol,
                                    SymbolTableCollection &tables) {
  if (symbol && !tables.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(op, symbol))
    return op->emitOpError("'")
           << symbol.getValue() << "' does not name a function";
  return success();
}

LogicalResult SpawnOp::verify() {
  if (bool(getCalleeAttr()) == bool(getTarget()))
    return emitOpError("needs either a callee or a target");
  if (getApplyAttr() && !getDestination())
    return emitOpError("has an apply function but no destination");
  if (getStructResult() && getDestination() && !getApplyAttr())
    return emitOpError("returns a struct through memory and needs an apply "
                       "function for its destination");
  if (isa<LLVM::LLVMVoidType>(getSignature().getReturnType()) &&
      getDestination() && !getStructResult())
    return emitOpError("has a destination, but its callee returns nothing");
  if (getStructResult() && !isStorable(getStructResult()))
    return emitOpError("has a result of a type without a known size, ")
           << getStructResult();
  return verifyArguments(*this, getSignature(), getArgs(), getArgAttrsAttr());
}

LogicalResult SpawnOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (failed(verifyFunction(*this, getCalleeAttr(), tables)))
    return failure();
  return cilk2chan::verifyApplyFunction(*this, getApplyAttr(), tables);
}

Type SpawnOp::getStructResult() {
  if (!getArgAttrsAttr() || getArgAttrsAttr().empty())
    return {};
  auto attrs = cast<DictionaryAttr>(getArgAttrsAttr()[0]);
  auto type = attrs.getAs<TypeAttr>(LLVM::LLVMDialect::getStructRetAttrName());
  return type ? type.getValue() : Type();
}

LogicalResult CallOp::verify() {
  Type result = getSignature().getReturnType();
  if (isa<LLVM::LLVMVoidType>(result)
          ? bool(getResult())
          : !getResult() || getResult().getType() != result)
    return emitOpError("result does not match the signature's ") << result;
  return verifyArguments(*this, getSignature(), getArgs(), getArgAttrsAttr());
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (failed(verifyFunction(*this, getCalleeAttr(), tables)))
    return failure();
  auto callee =
      tables.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(*this, getCalleeAttr());
  if (callee.getFunctionType() != getSignature())
    return emitOpError("has a signature other than that of '")
           << getCallee() << "', " << callee.getFunctionType();
  return success();
}

LogicalResult ForOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto body =
      tables.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(*this, getBodyAttr());
  if (!body)
    return verifyFunction(*this, getBodyAttr(), tables);
  Type i64 = IntegerType::get(getContext(), 64);
  SmallVector<Type> params = {i64, i64};
  llvm::append_range(params, getCaptures().getTypes());
  auto expected = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(getContext()), params);
  if (body.getFunctionType() != expected)
    return emitOpError("needs a body of type ")
           << expected << ", but '" << getBody() << "' is of type "
           << body.getFunctionType();
  return success();
}
