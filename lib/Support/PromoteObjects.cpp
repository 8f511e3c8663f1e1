//===- PromoteObjects.cpp - Objects on the stack become values ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Support/PromoteObjects.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/MemorySlotInterfaces.h"
#include "mlir/Transforms/Mem2Reg.h"
#include "mlir/Transforms/SROA.h"

using namespace mlir;
using namespace cilk2chan;

/// Whether MLIR lays out as LLVM does all types by which what is at `address`
/// is accessed.
static bool isAccessKnown(Value address, const TypeLayout &layout,
                          const DataLayout &theirs) {
  return llvm::all_of(address.getUsers(), [&](Operation *user) {
    if (auto gep = dyn_cast<LLVM::GEPOp>(user))
      return layout.isKnownToMLIR(gep.getElemType(), theirs) &&
             isAccessKnown(gep, layout, theirs);
    if (auto load = dyn_cast<LLVM::LoadOp>(user))
      return layout.isKnownToMLIR(load.getType(), theirs);
    if (auto store = dyn_cast<LLVM::StoreOp>(user))
      return layout.isKnownToMLIR(store.getValue().getType(), theirs);
    return true; // Neither pass looks at the type of anything else.
  });
}

template <typename Interface>
static SmallVector<Interface> knownOf(ArrayRef<LLVM::AllocaOp> objects,
                                      const TypeLayout &layout,
                                      const DataLayout &theirs) {
  SmallVector<Interface> known;
  for (LLVM::AllocaOp object : objects)
    if (layout.isKnownToMLIR(object.getElemType(), theirs) &&
        isAccessKnown(object, layout, theirs))
      known.push_back(object);
  return known;
}

LogicalResult cilk2chan::promoteObjects(ArrayRef<LLVM::AllocaOp> objects,
                                        Operation *within, OpBuilder &builder,
                                        const TypeLayout &layout) {
  if (objects.empty())
    return failure();
  DataLayout theirs = DataLayout::closest(within);
  DominanceInfo dominance(within);
  return tryToPromoteMemorySlots(
      knownOf<PromotableAllocationOpInterface>(objects, layout, theirs),
      builder, theirs, dominance);
}

void cilk2chan::divideObjects(ArrayRef<LLVM::AllocaOp> objects,
                              OpBuilder &builder, const TypeLayout &layout) {
  if (objects.empty())
    return;
  DataLayout theirs = DataLayout::closest(objects.front());
  (void)tryToDestructureMemorySlots(
      knownOf<DestructurableAllocationOpInterface>(objects, layout, theirs),
      builder, theirs);
}
