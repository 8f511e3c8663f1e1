//===- TypesInC.cpp - What types are in C ---------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Support/TypesInC.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

static std::string describe(IntegerType type) {
  switch (unsigned bits = type.getWidth()) {
  case 1:
    return "a truth value";
  case 128:
    return "an '__int128'";
  default:
    return "an integer of " + std::to_string(bits) + " bits";
  }
}

static std::string describe(VectorType type) {
  std::string elements = cilk2chan::describeInC(type.getElementType());
  return type.isScalable()
             ? "a vector of a size known at run time"
             : "a vector of " + std::to_string(type.getNumElements()) +
                   " elements, each " + elements;
}

std::string cilk2chan::describeInC(Type type) {
  return llvm::TypeSwitch<Type, std::string>(type)
      .Case<IntegerType, VectorType>([](auto type) { return describe(type); })
      .Case([](Float16Type) { return "a '_Float16'"; })
      .Case([](BFloat16Type) { return "a '__bf16'"; })
      .Case([](Float32Type) { return "a 'float'"; })
      .Case([](Float64Type) { return "a 'double'"; })
      .Case([](Float80Type) { return "a 'long double'"; })
      .Case([](Float128Type) { return "a '__float128'"; })
      .Case([](LLVM::LLVMStructType) { return "a struct"; })
      .Case([](LLVM::LLVMArrayType) { return "an array"; })
      .Case([](LLVM::LLVMPointerType pointer) {
        return pointer.getAddressSpace() == 0
                   ? "a pointer"
                   : "a pointer to another address space";
      })
      .Default([](Type other) { // None that comes from C.
        std::string text;
        llvm::raw_string_ostream(text) << "a value of type '" << other << "'";
        return text;
      });
}
