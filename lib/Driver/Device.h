//===- Device.h - Kernels for a machine -------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_DEVICE_H
#define CILK2CHAN_LIB_DRIVER_DEVICE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace cilk2chan {

struct PhaseName;

/// Maps the kernels in the device IR of some objects (bitcode, as
/// cilk2chan/Target/VGIW/DeviceCode.h has it) onto a machine, and prints what
/// `emission` names: the kernels, the configuration or its picture. What cannot
/// be mapped is reported to `context`, at its place in the source.
llvm::Error emitForMachine(llvm::ArrayRef<llvm::StringRef> parts,
                           llvm::StringRef machineFile,
                           const PhaseName &emission,
                           mlir::MLIRContext &context, llvm::raw_ostream &os);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_DEVICE_H
