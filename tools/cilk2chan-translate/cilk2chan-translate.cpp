//===- cilk2chan-translate.cpp - Into and out of MLIR ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"
#include "cilk2chan/Target/SIMT/Assembly.h"
#include "cilk2chan/Target/VGIW/Configuration.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  cilk2chan::registerDeviceTranslation();
  cilk2chan::registerConfigurationTranslation();
  cilk2chan::registerAssemblyTranslation();
  return failed(
      mlir::mlirTranslateMain(argc, argv, "cilk2chan translation driver"));
}
