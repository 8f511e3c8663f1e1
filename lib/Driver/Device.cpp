//===- Device.cpp - Kernels for a machine ---------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "PassTrace.h"

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"
#include "cilk2chan/Pipelines/Pipelines.h"
#include "cilk2chan/Target/SIMT/Assembly.h"
#include "cilk2chan/Target/VGIW/Configuration.h"
#include "cilk2chan/Target/VGIW/DeviceCode.h"
#include "cilk2chan/Target/VGIW/KernelFloorplans.h"
#include "cilk2chan/Target/VGIW/StaticBounds.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/Module.h"

using namespace cilk2chan;
using llvm::StringRef;

/// How kernels of the machine use channels.
static DeviceChannelOptions channelsOf(const chansim::Machine &machine) {
  DeviceChannelOptions options;
  if (machine.kind != chansim::MachineKind::apu)
    return options;
  const chansim::ChannelParameters &channel = machine.channel;
  options.channels = channel.lowering == chansim::ChannelLowering::baseline
                         ? DeviceChannels::Baseline
                         : DeviceChannels::Leader;
  options.structures = channel.layout == chansim::ChannelLayout::structures;
  options.elementAlignment = channel.elementAlignment(machine.l1.lineBytes);
  return options;
}

llvm::Expected<MappedKernels>
cilk2chan::mapKernels(llvm::ArrayRef<StringRef> parts, StringRef machineFile,
                      Step last, mlir::MLIRContext &context,
                      llvm::ArrayRef<std::string> dumps) {
  const bool isSIMT = last == Step::SIMT;
  std::string problem;
  std::optional<chansim::Machine> machine = chansim::Machine::load(
      machineFile.str(),
      isSIMT ? std::span<const chansim::MachineKind>(chansim::kSimtKinds)
             : chansim::kFabricKinds,
      problem);
  if (!machine)
    return llvm::createStringError(problem);
  MappedKernels result;
  result.machine = std::move(*machine);
  result.llvmContext = std::make_unique<llvm::LLVMContext>();
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      linkDeviceCode(parts, *result.llvmContext, channelsOf(result.machine));
  if (!module)
    return module.takeError();
  result.module = std::move(*module);
  legalizeDeviceFunctions(*result.module,
                          isSIMT ? DeviceKind::SIMT
                          : result.machine.kind == chansim::MachineKind::sgmf
                              ? DeviceKind::SGMF
                              : DeviceKind::VGIW);
  result.kernels = translateDeviceFunctions(*result.module, context);
  mlir::PassManager passes(&context);
  if (isSIMT) {
    MapToSIMTOptions stage;
    stage.registers = result.machine.simt.registers;
    stage.machine = machineFile.str();
    populateMapToSIMTPipeline(passes, stage);
  } else {
    MapToVGIWOptions stage;
    stage.machine = machineFile.str();
    stage.place = last == Step::Configuration;
    populateMapToVGIWPipeline(passes, stage);
  }
  tracePasses(passes, dumps);
  if (!result.kernels || failed(passes.run(*result.kernels)) ||
      (isSIMT && failed(checkGroups(*result.kernels, result.machine))))
    return llvm::createStringError("the program cannot run on machine '" +
                                   result.machine.name + "'");
  return result;
}

llvm::Error cilk2chan::emitForMachine(llvm::ArrayRef<StringRef> parts,
                                      StringRef machineFile,
                                      const StepName &emission,
                                      mlir::MLIRContext &context,
                                      llvm::raw_ostream &os,
                                      llvm::ArrayRef<std::string> dumps) {
  llvm::Expected<MappedKernels> mapped =
      mapKernels(parts, machineFile, emission.step, context, dumps);
  if (!mapped)
    return mapped.takeError();
  if (emission.form == Form::SVG) {
    emitFloorplans(*mapped->kernels, mapped->machine, os);
  } else if (emission.form == Form::Table) {
    emitStaticBounds(*mapped->kernels, mapped->machine, os);
  } else if (emission.step == Step::SIMT) {
    emitAssembly(*mapped->kernels, os);
  } else if (emission.step == Step::Configuration) {
    emitConfiguration(*mapped->kernels, mapped->machine, os);
  } else {
    mapped->kernels->print(os);
    os << '\n';
  }
  return llvm::Error::success();
}
