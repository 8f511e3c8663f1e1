//===- ObjectPlaces.cpp - Where a batch has its objects -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObjectPlaces.h"

#include "cilk2chan/Dialect/Chan/Transforms/Tuning.h"
#include "cilk2chan/Support/BaseOf.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2chan;

ObjectPlaces::ObjectPlaces(chan::KernelOp kernel, const LaneShapes &shapes,
                           const Frequencies &frequencies, unsigned vectorBits)
    : shapes(shapes), frequencies(frequencies), vectorBits(vectorBits) {
  findPositions(kernel);
  findRegisters(kernel);
}

/// The field of an element that `address` is computed from; none if it is not.
static StringRef fieldUnder(Value address) {
  auto get = baseOf(address).getDefiningOp<chan::GetOp>();
  return get ? get.getField() : StringRef();
}

void ObjectPlaces::findPositions(chan::KernelOp kernel) {
  llvm::StringSet<> others;
  kernel.walk([&](chan::SetOp set) {
    if (!isa<LLVM::LLVMPointerType>(set.getValue().getType()))
      return;
    StringRef field = set.getField();
    if (fieldUnder(set.getValue()) != field)
      others.insert(field);
    else if (set.getValue().getDefiningOp<LLVM::GEPOp>())
      positions.insert(field);
  });
  for (StringRef field : others.keys())
    positions.erase(field);
}

void ObjectPlaces::findRegisters(chan::KernelOp kernel) {
  llvm::SmallPtrSet<Value, 4> inMemory;
  kernel.walk([&](LLVM::GEPOp gep) {
    auto local = baseOf(gep).getDefiningOp<chan::LocalOp>();
    if (!local || !kernel.getPhase())
      return;
    bool isKnown = llvm::all_of(gep.getDynamicIndices(), [&](Value index) {
      return frequencies.isUnrolled(index);
    });
    bool isSmall = local.getSize() <= tuning::mostInRegisters;
    (isKnown && isSmall ? inRegisters : inMemory).insert(local);
  });
  for (Value local : inMemory)
    inRegisters.erase(local);
}

bool ObjectPlaces::isOfObjects(Value address) const {
  if (positions.contains(fieldUnder(address)))
    return false;
  // Of an array of pointers in an object, AVX2 has each lane's after another's,
  // which takes as long as waiting.
  auto isPart = [&](Value index) {
    return vectorBits >= 512 ? frequencies.isUnrolled(index)
                             : matchPattern(index, m_Constant());
  };
  while (auto gep = address.getDefiningOp<LLVM::GEPOp>()) {
    if (!llvm::all_of(gep.getDynamicIndices(), isPart))
      return false;
    address = gep.getBase();
  }
  return !shapes.isUniform(address) &&
         isa_and_present<chan::GetOp, LLVM::LoadOp>(address.getDefiningOp());
}

bool ObjectPlaces::isInRegisters(Value address) const {
  return inRegisters.contains(baseOf(address));
}
