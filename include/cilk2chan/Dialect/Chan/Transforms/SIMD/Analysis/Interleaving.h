//===- Interleaving.h - Objects of lanes, part by part ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_INTERLEAVING_H
#define CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_INTERLEAVING_H

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/TypeLayout.h"

namespace cilk2chan {

/// The objects on the C stack, and locals of phases, of which lanes' copies may
/// be interleaved: first the first part of each, then the second part of each,
/// and so on. What all lanes access at the same index is then side by side.
/// Those are objects whose address goes nowhere but into accesses of one size,
/// the parts' size, and into what fills many parts, the same in all lanes.  The
/// results of children may be such accesses.
class Interleaving {
public:
  /// `kernels` are all that access the same locals.
  Interleaving(llvm::ArrayRef<chan::KernelOp> kernels,
               const TypeLayout &layout);

  /// Bytes of the parts of the object that `address` leads into; 0 if its
  /// copies are not interleaved, or it is none.
  int64_t partSize(mlir::Value address) const { return parts.lookup(address); }

private:
  /// `objects` are addresses of one object.
  void consider(llvm::ArrayRef<mlir::Value> objects);
  bool isWhole(mlir::LLVM::GEPOp op, uint64_t part) const;
  bool hasPartsOnly(mlir::Type type, uint64_t part) const;

  const TypeLayout &layout;
  llvm::DenseMap<mlir::Value, int64_t> parts;
  /// Where receivers have the results, by site.
  llvm::DenseMap<uint32_t, chan::DestinationOp> destinations;
};

/// So many bytes, from an address on, that are the same whoever writes them: a
/// constant, or what an initialiser says.
struct Fill {
  mlir::Value address;
  uint64_t bytes;
};
/// What `op` fills; none if it does something else.
std::optional<Fill> fillOf(mlir::Operation *op);

/// What a receiver accesses where its results go; null if it is not one type,
/// or if it does anything else with the address.
mlir::Type receivedType(chan::DestinationOp destination);

/// `type` with `lanes` of each of its values in place of one.
mlir::Type interleave(mlir::Type type, unsigned lanes);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_INTERLEAVING_H
