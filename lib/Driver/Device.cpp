//===- Device.cpp - Kernels for a machine ---------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "Machine.h"
#include "cilk2chan/Conversion/LLVMIRToVGIW.h"
#include "cilk2chan/Dialect/VGIW/Passes.h"
#include "cilk2chan/Driver/Phases.h"
#include "cilk2chan/Target/VGIW/Configuration.h"
#include "cilk2chan/Target/VGIW/DeviceCode.h"
#include "cilk2chan/Target/VGIW/KernelFloorplans.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/Module.h"

using namespace cilk2chan;
using llvm::StringRef;

llvm::Error cilk2chan::emitForMachine(llvm::ArrayRef<StringRef> parts,
                                      StringRef machineFile,
                                      const PhaseName &emission,
                                      mlir::MLIRContext &context,
                                      llvm::raw_ostream &os) {
  std::string problem;
  std::optional<chansim::Machine> machine =
      chansim::Machine::load(machineFile.str(), problem);
  if (!machine)
    return llvm::createStringError(problem);
  llvm::LLVMContext llvm;
  llvm::Expected<std::unique_ptr<llvm::Module>> device =
      linkDeviceCode(parts, llvm);
  if (!device)
    return device.takeError();
  legalizeDeviceFunctions(**device);
  mlir::OwningOpRef<mlir::ModuleOp> kernels =
      translateDeviceFunctions(**device, context);
  auto failure = [] {
    return llvm::createStringError("the kernels cannot be mapped");
  };
  if (!kernels)
    return failure();
  mlir::PassManager passes(&context);
  passes.addPass(createVGIWFitBlocks({machineFile.str(), 1}));
  if (emission.phase == Phase::Configuration)
    passes.addPass(createVGIWPlaceBlocks({machineFile.str(), 1}));
  if (failed(passes.run(*kernels)))
    return failure();
  if (emission.form == Form::SVG) {
    emitFloorplans(*kernels, *machine, os);
  } else if (emission.phase == Phase::Configuration) {
    emitConfiguration(*kernels, *machine, os);
  } else {
    kernels->print(os);
    os << '\n';
  }
  return llvm::Error::success();
}
