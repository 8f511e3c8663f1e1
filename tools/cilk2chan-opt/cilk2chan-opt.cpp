//===- cilk2chan-opt.cpp - Run the passes one at a time -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Register.h"
#include "cilk2chan/Driver/Installation.h"
#include "cilk2chan/Pipelines/Pipelines.h"
#include "machine/Machine.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

/// LLVM's shared library brings a thousand options of its back ends; --help is
/// to show those of this tool and its passes, --help-hidden shows all.
static void hideOptionsOfLLVM() {
  for (auto &entry : llvm::cl::getRegisteredOptions())
    if (entry.second->getOptionHiddenFlag() == llvm::cl::NotHidden)
      entry.second->setHiddenFlag(llvm::cl::Hidden);
}

int main(int argc, char **argv) {
  hideOptionsOfLLVM();
  // For passes that read a machine file.
  chansim::setMachineDirectory(
      cilk2chan::Installation::find(argv[0]).machineDirectory);
  mlir::DialectRegistry registry;
  cilk2chan::registerDialects(registry);
  cilk2chan::registerPassesAndPipelines();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "cilk2chan pass driver\n", registry));
}
