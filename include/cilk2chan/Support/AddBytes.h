//===- AddBytes.h - An address some bytes further ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   addBytes(frame, 24)       getelementptr inbounds i8, ptr %frame, i64 24
//
// A constant index of MLIR's `llvm.getelementptr` has 29 bits.  An object of
// 256 MiB is larger than that; an offset beyond it is an operand instead.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_ADDBYTES_H
#define CILK2CHAN_SUPPORT_ADDBYTES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace cilk2chan {

/// The address `bytes` beyond `base`.
inline mlir::Value
addBytes(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value base,
         int64_t bytes,
         mlir::LLVM::GEPNoWrapFlags flags = mlir::LLVM::GEPNoWrapFlags::none) {
  using namespace mlir::LLVM;
  llvm::SmallVector<GEPArg, 1> index;
  if (llvm::isInt<kGEPConstantBitWidth>(bytes))
    index.push_back(static_cast<int32_t>(bytes));
  else
    index.push_back(
        ConstantOp::create(builder, loc, builder.getI64IntegerAttr(bytes))
            .getResult());
  return GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                       index, flags);
}

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_ADDBYTES_H
