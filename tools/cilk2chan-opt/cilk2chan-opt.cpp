//===- cilk2chan-opt.cpp - Run the passes one at a time -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::LLVM::LLVMDialect, mlir::DLTIDialect,
                  cilk2chan::cilk::CilkDialect, cilk2chan::chan::ChanDialect>();
  cilk2chan::registerConversionPasses();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "cilk2chan pass driver\n", registry));
}
