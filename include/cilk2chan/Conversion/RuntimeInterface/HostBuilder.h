//===- HostBuilder.h - Building code on the runtime's structures -*- C++
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_HOSTBUILDER_H
#define CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_HOSTBUILDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace cilk2chan {

/// A builder with the accesses and calls that the layouts and functions of
/// chan/abi.h take.
class HostBuilder : public mlir::OpBuilder {
public:
  explicit HostBuilder(mlir::ModuleOp module)
      : OpBuilder(module.getContext()), module(module),
        pointer(mlir::LLVM::LLVMPointerType::get(context)), i32(getI32Type()),
        i64(getI64Type()), nothing(mlir::LLVM::LLVMVoidType::get(context)) {}

  mlir::Value constant(mlir::Location loc, mlir::Type type, int64_t value) {
    return mlir::LLVM::ConstantOp::create(*this, loc, type,
                                          getIntegerAttr(type, value));
  }
  mlir::Value null(mlir::Location loc) {
    return mlir::LLVM::ZeroOp::create(*this, loc, pointer);
  }
  mlir::Value address(mlir::Location loc, llvm::StringRef symbol) {
    return mlir::LLVM::AddressOfOp::create(*this, loc, pointer, symbol);
  }
  /// `bytes` beyond `base`.
  mlir::Value offset(mlir::Location loc, mlir::Value base, int64_t bytes);
  /// Element `index` of an array at `base` of elements of `size` bytes.
  mlir::Value element(mlir::Location loc, mlir::Value base, uint64_t size,
                      mlir::Value index);
  mlir::Value load(mlir::Location loc, mlir::Type type, mlir::Value base,
                   int64_t bytes) {
    return mlir::LLVM::LoadOp::create(*this, loc, type,
                                      offset(loc, base, bytes));
  }
  void store(mlir::Location loc, mlir::Value value, mlir::Value base,
             int64_t bytes) {
    mlir::LLVM::StoreOp::create(*this, loc, value, offset(loc, base, bytes));
  }
  /// A vector with `value` in each of `count` lanes.
  mlir::Value splat(mlir::Location loc, mlir::Value value, unsigned count);
  mlir::Value extend(mlir::Location loc, mlir::Value value) {
    return mlir::LLVM::ZExtOp::create(*this, loc, i64, value);
  }
  void copy(mlir::Location loc, mlir::Value to, mlir::Value from,
            uint64_t bytes) {
    mlir::LLVM::MemcpyOp::create(*this, loc, to, from,
                                 constant(loc, i64, bytes),
                                 /*isVolatile=*/false);
  }
  /// Calls a function of the runtime's, which this declares if need be.
  mlir::Value call(mlir::Location loc, llvm::StringRef name, mlir::Type result,
                   mlir::ValueRange args);
  /// What follows in the block becomes a block of its own, which is returned.
  mlir::Block *splitHere() {
    return getInsertionBlock()->splitBlock(getInsertionPoint());
  }

  /// Weights of a branch, as LLVM has them for a condition that is expected.
  static constexpr std::pair<int32_t, int32_t> likely{2000, 1},
      unlikely{1, 2000};

  mlir::ModuleOp module;
  const mlir::LLVM::LLVMPointerType pointer;
  const mlir::Type i32, i64, nothing;
  mlir::SymbolTableCollection symbols;
};

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_HOSTBUILDER_H
