//===- VerifyStage.cpp - Check what a stage promises ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands at the end of a stage and changes nothing.  It fails where an
// operation is left that the stage was to lower, as with gone=cilk:
//
//   llvm.func @f() {
//     cilk.sync        // error: 'cilk.sync' op is left at the end of a stage
//     llvm.return
//   }
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Support/Markers.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

namespace cilk2chan {
#define GEN_PASS_DEF_VERIFYSTAGE
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

/// Whether an operation is a call of one of the front end's markers.
static bool isMarkerCall(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  auto callee = call ? call.getCallee() : std::nullopt;
  return callee && (callee->starts_with(AbiSpawnPrefix) ||
                    callee->starts_with(AbiForPrefix) || *callee == SyncName);
}

/// Runs MLIR's verifier.  What it finds is never the user's fault: so each
/// message is about an operation.
static LogicalResult verifyInvariants(ModuleOp module) {
  std::string reason = "it is not valid";
  Location place = module.getLoc();
  bool isFirst = true;
  {
    ScopedDiagnosticHandler handler(
        module.getContext(), [&](Diagnostic &diagnostic) {
          if (isFirst &&
              diagnostic.getSeverity() == DiagnosticSeverity::Error) {
            reason = diagnostic.str();
            place = diagnostic.getLocation();
            isFirst = false;
          }
          return success();
        });
    if (succeeded(verify(module)))
      return success();
  }
  bool isAboutOperation = StringRef(reason).starts_with("'");
  return emitError(place) << (isAboutOperation ? "" : "'builtin.module' op: ")
                          << reason;
}

namespace {
struct VerifyStage : public cilk2chan::impl::VerifyStageBase<VerifyStage> {
  using VerifyStageBase::VerifyStageBase;

  void runOnOperation() override {
    WalkResult result = getOperation().walk([&](Operation *op) {
      if (!isLeftBehind(op))
        return WalkResult::advance();
      op->emitOpError("is left at the end of a stage that lowers it");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted() ||
        (invariants && failed(verifyInvariants(getOperation()))))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  bool isLeftBehind(Operation *op) const {
    StringRef name = op->getName().getStringRef();
    return llvm::any_of(gone,
                        [&](StringRef one) {
                          return name == one ||
                                 op->getName().getDialectNamespace() == one;
                        }) ||
           (markers && isMarkerCall(op));
  }
};
} // namespace
