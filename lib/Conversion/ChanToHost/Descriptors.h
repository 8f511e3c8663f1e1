//===- Descriptors.h - Channel stacks as data -------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_DESCRIPTORS_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_DESCRIPTORS_H

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/TypeLayout.h"

namespace cilk2chan {

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

/// What the host's processor must have: `chan_module`.
struct HostRequirement {
  std::string processor, features;
};

/// Emits the `chan_channel` of each stack and registers the entry stacks of C
/// functions with the runtime when the object is loaded. Where the kernels do
/// not run on the host the descriptors have none: a simulator knows them by the
/// address of their channel.
void emitDescriptors(mlir::ModuleOp module, const TypeLayout &layout,
                     bool onHost, const HostRequirement &requirement = {});

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_DESCRIPTORS_H
