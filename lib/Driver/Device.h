//===- Device.h - Kernels on a machine --------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_DEVICE_H
#define CILK2CHAN_LIB_DRIVER_DEVICE_H

#include "cilk2chan/Driver/CompilationSteps.h"
#include "machine/Machine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace cilk2chan {

/// The kernels of a program, mapped to a machine as far as asked for.
struct MappedKernels {
  chansim::Machine machine;
  std::unique_ptr<llvm::LLVMContext> llvmContext;
  /// The program's device IR, without what the host does not need.
  std::unique_ptr<llvm::Module> module;
  mlir::OwningOpRef<mlir::ModuleOp> kernels;
};

/// Links device IR and maps its kernels to the machine that a file describes:
/// up to `last`, Step::VGIW or Step::Configuration, or for a SIMT core Step::SIMT.
/// Diagnostics of the kernels go to the context.  `dumps`: the passes that --dump-after names.
llvm::Expected<MappedKernels>
mapKernels(llvm::ArrayRef<llvm::StringRef> parts, llvm::StringRef machineFile,
           Step last, mlir::MLIRContext &context,
           llvm::ArrayRef<std::string> dumps = {});

/// Writes what --emit asks for a machine: the kernels, the configuration or
/// its picture.
llvm::Error emitForMachine(llvm::ArrayRef<llvm::StringRef> parts,
                           llvm::StringRef machineFile,
                           const StepName &emission, mlir::MLIRContext &context,
                           llvm::raw_ostream &os,
                           llvm::ArrayRef<std::string> dumps);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_DEVICE_H
