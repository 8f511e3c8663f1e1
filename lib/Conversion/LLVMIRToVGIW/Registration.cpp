//===- Registration.cpp - The translation for cilk2chan-translate ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"
#include "cilk2chan/Dialect/VGIW/VGIW.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"

using namespace cilk2chan;

static mlir::OwningOpRef<mlir::Operation *>
translate(llvm::SourceMgr &sources, mlir::MLIRContext *context,
          DeviceKind device) {
  llvm::LLVMContext llvm;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseIR(
      *sources.getMemoryBuffer(sources.getMainFileID()), problem, llvm);
  if (!module) {
    problem.print("cilk2chan-translate", llvm::errs());
    return nullptr;
  }
  legalizeDeviceFunctions(*module, device);
  return translateDeviceFunctions(*module, *context);
}

void cilk2chan::registerDeviceTranslation() {
  auto registerDialects = [](mlir::DialectRegistry &registry) {
    registry.insert<vgiw::VGIWDialect>();
  };
  static mlir::TranslateToMLIRRegistration toVGIW(
      "device-to-vgiw", "device functions in LLVM IR to the vgiw dialect",
      [](llvm::SourceMgr &sources, mlir::MLIRContext *context) {
        return translate(sources, context, DeviceKind::VGIW);
      },
      registerDialects);
  static mlir::TranslateToMLIRRegistration toSIMT(
      "device-to-simt",
      "device functions in LLVM IR, legalized for a SIMT core, to the vgiw "
      "dialect",
      [](llvm::SourceMgr &sources, mlir::MLIRContext *context) {
        return translate(sources, context, DeviceKind::SIMT);
      },
      registerDialects);
}
