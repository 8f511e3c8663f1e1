//===- HostBuilder.cpp - Building code on the runtime's structures --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/RuntimeInterface/HostBuilder.h"

#include "cilk2chan/Support/AddBytes.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"

using namespace mlir;
using namespace cilk2chan;

Value HostBuilder::offset(Location loc, Value base, int64_t bytes) {
  if (bytes == 0)
    return base;
  return addBytes(*this, loc, base, bytes, LLVM::GEPNoWrapFlags::inbounds);
}

Value HostBuilder::element(Location loc, Value base, uint64_t size,
                           Value index) {
  auto bytes = LLVM::LLVMArrayType::get(getI8Type(), size);
  return LLVM::GEPOp::create(*this, loc, pointer, bytes, base,
                             ArrayRef<LLVM::GEPArg>{index},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value HostBuilder::splat(Location loc, Value value, unsigned count) {
  auto type = VectorType::get(count, value.getType());
  Value first = LLVM::InsertElementOp::create(
      *this, loc, LLVM::PoisonOp::create(*this, loc, type), value,
      constant(loc, i32, 0));
  return LLVM::ShuffleVectorOp::create(*this, loc, first, first,
                                       SmallVector<int32_t>(count, 0));
}

Value HostBuilder::call(Location loc, StringRef name, Type result,
                        ValueRange args) {
  LLVM::LLVMFuncOp callee = *LLVM::lookupOrCreateFn(
      *this, module, name, llvm::to_vector(args.getTypes()), result,
      /*isVarArg=*/false, /*isReserved=*/false, &symbols);
  auto op = LLVM::CallOp::create(*this, loc, callee, args);
  return op->getNumResults() ? op.getResult() : Value();
}
