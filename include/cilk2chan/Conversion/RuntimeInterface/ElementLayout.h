//===- ElementLayout.h - Where the fields of elements lie -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_ELEMENTLAYOUT_H
#define CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_ELEMENTLAYOUT_H

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/TypeLayout.h"

namespace cilk2chan {

/// The type that a field of type `type` has in memory: a truth value is a byte.
mlir::Type inMemory(mlir::Type type);

/// Where the fields of a stack's elements lie in a block, in bytes:
/// `chan_field` of chan/abi.h.  Two entry stacks of one signature agree on all
/// fields but `callee`.
class ElementLayout {
public:
  ElementLayout(chan::StackOp stack, const TypeLayout &layout);

  struct Field {
    llvm::StringRef name;
    mlir::Type type;
    uint64_t offset, size, alignment;
  };
  const Field &field(llvm::StringRef name) const;
  /// Of a field in `getFields`.
  unsigned index(const Field &field) const { return &field - fields.data(); }
  llvm::ArrayRef<Field> getFields() const { return fields; }
  /// Bytes per element.
  uint64_t getSize() const { return size; }

private:
  llvm::SmallVector<Field> fields;
  uint64_t size = 0;
};

/// Equal for equal element layouts and results: `chan_export::signature`.
uint64_t signatureHash(chan::StackOp stack, const TypeLayout &layout);

/// The number of spawn sites of each entry stack that has a batch.
llvm::StringMap<unsigned> countSites(mlir::ModuleOp module);

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_ELEMENTLAYOUT_H
