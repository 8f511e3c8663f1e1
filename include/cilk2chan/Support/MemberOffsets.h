//===- MemberOffsets.h - Where the members of a struct lie ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_MEMBEROFFSETS_H
#define CILK2CHAN_SUPPORT_MEMBEROFFSETS_H

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/Alignment.h"

namespace cilk2chan {

/// How many bytes each member of a struct lies behind its beginning.
inline llvm::SmallVector<uint64_t>
memberOffsets(mlir::LLVM::LLVMStructType structure,
              const mlir::DataLayout &layout) {
  llvm::SmallVector<uint64_t> offsets;
  uint64_t offset = 0;
  for (mlir::Type member : structure.getBody()) {
    if (!structure.isPacked())
      offset = llvm::alignTo(offset, layout.getTypeABIAlignment(member));
    offsets.push_back(offset);
    offset += layout.getTypeSize(member).getFixedValue();
  }
  return offsets;
}

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_MEMBEROFFSETS_H
