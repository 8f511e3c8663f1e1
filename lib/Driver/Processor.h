//===- Processor.h - What code for the host may use -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's and LLVM's answers to what vector registers and instructions a
// compilation, or one function of it, may use:
//
//   -march=native                       what this processor has
//   (nothing)                           SSE2; kernels with lanes for
//                                       x86-64-v3 and v4 are added
//   -mno-fma, target("no-avx2")         no kernel that LLVM would have use it
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_PROCESSOR_H
#define CILK2CHAN_LIB_DRIVER_PROCESSOR_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace cilk2chan {

/// What the processor that a compilation is for has.
class Processor {
public:
  explicit Processor(clang::CompilerInstance &instance) : instance(instance) {}

  /// Bits of the vector registers that code for the host may use.
  unsigned vectorBits() const;
  /// Whether its loads from many places are fast, as LLVM knows of it.
  bool gathers() const;
  /// What code for the host may use that not all processors have.
  std::string hostFeatures() const;

  /// Has no kernels of `graph` have lanes whose functions are not to use all
  /// that the processor has, or that `version`, if that is given, has.
  void restrictLanes(mlir::ModuleOp graph, llvm::StringRef version = {}) const;

private:
  clang::CompilerInstance &instance;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_PROCESSOR_H
