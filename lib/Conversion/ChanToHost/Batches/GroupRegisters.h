//===- GroupRegisters.h - Local objects in registers ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_GROUPREGISTERS_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_GROUPREGISTERS_H

#include "cilk2chan/Conversion/RuntimeInterface/HostBuilder.h"

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "llvm/ADT/MapVector.h"

namespace cilk2chan {

/// Those local objects of a group of lanes that a phase kernel only accesses
/// as a whole: as one vector each. From the group's beginning to its end they
/// are variables, which LLVM makes registers.
///
/// All lanes of a group are the group's own, so what a mask leaves out may be
/// written back as it was.
class GroupRegisters {
public:
  explicit GroupRegisters(HostBuilder &builder) : builder(builder) {}

  /// Finds those of a kernel with `lanes`, the body of which is `function`'s by
  /// now, and replaces the accesses.
  void find(mlir::LLVM::LLVMFuncOp function, unsigned lanes);
  /// Has them hold nothing.
  void forget(mlir::Location loc);
  /// Reads them from the locals of a group.
  void load(mlir::Location loc, mlir::Value locals);
  /// Writes those back that may have changed.
  void store(mlir::Location loc, mlir::Value locals);

private:
  struct Register {
    mlir::VectorType type;
    unsigned alignment = 0;
    bool isWritten = false;
    mlir::Value variable;
  };

  HostBuilder &builder;
  /// By the object's offset in the locals of all lanes.
  llvm::MapVector<int64_t, Register> registers;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_GROUPREGISTERS_H
