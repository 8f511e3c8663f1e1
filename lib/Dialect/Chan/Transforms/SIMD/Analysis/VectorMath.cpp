//===- VectorMath.cpp - Math functions for several lanes ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/VectorMath.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"

#include "cilk2chan/Support/MathFunctions.h"

using namespace mlir;
using namespace cilk2chan;

static llvm::Triple targetOf(ModuleOp module) {
  auto name = module->getAttrOfType<StringAttr>(
      LLVM::LLVMDialect::getTargetTripleAttrName());
  return llvm::Triple(name ? name.getValue() : "");
}

VectorMath::VectorMath(ModuleOp module, llvm::VectorLibrary library,
                       unsigned vectorBits)
    : functions(targetOf(module), library), vectorBits(vectorBits) {}

/// What LLVM calls the function: a name of C's, or an intrinsic's.
static std::string nameOf(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return call.getCallee()->str();
  StringRef name = op->getName().getStringRef();
  name.consume_front(IntrinsicPrefix);
  unsigned bits = laneBits(op->getResult(0).getType());
  return ("llvm." + name + ".f" + Twine(bits)).str();
}

const llvm::VecDesc *VectorMath::find(Operation *op, unsigned lanes) const {
  if (!isMathFunction(op))
    return nullptr;
  std::string name = nameOf(op);
  const llvm::VecDesc *found = nullptr;
  unsigned width = vectorBits / laneBits(op->getResult(0).getType());
  for (; width > 1 && !(found && 2 * width <= lanes); width /= 2)
    if (auto *function = functions.getVectorMappingInfo(
            name, llvm::ElementCount::getFixed(width), /*Masked=*/false))
      found = function;
  return found;
}
