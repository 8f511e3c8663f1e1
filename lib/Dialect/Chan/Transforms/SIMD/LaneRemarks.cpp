//===- LaneRemarks.cpp - What is said of kernels with lanes ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneRemarks.h"

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"
#include "cilk2chan/Support/FunctionAttributes.h"
#include "cilk2chan/Support/NamesInC.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cilk2chan;

static bool hasLine(Location location) {
  auto line = location->findInstanceOf<FileLineColLoc>();
  return line && line.getLine() != 0;
}

Location cilk2chan::placeOf(chan::KernelOp kernel) {
  StringRef function = functionWithoutName(kernel.getSymName());
  auto module = kernel->getParentOfType<ModuleOp>();
  if (function.empty() || !module || !kernel.getContext()->getRemarkEngine())
    return kernel.getLoc();
  std::string stack = (function + ".entry").str();
  Location place = kernel.getLoc();
  for (auto user : module.getOps<chan::KernelOp>())
    if (functionWithoutName(user.getSymName()) != function)
      user.getBody().walk([&](chan::TallocOp talloc) {
        if (talloc.getElement().getType().getStack().getValue() != stack ||
            !hasLine(talloc.getLoc()))
          return WalkResult::advance();
        place = talloc.getLoc();
        return WalkResult::interrupt();
      });
  return place;
}

std::string cilk2chan::describe(LLVM::CallOp call, ModuleOp module) {
  if (!call.getCallee())
    return "it calls a function through a pointer";
  if (call.getCallee()->starts_with(BodyPrefix))
    return "its iterations spawn nothing, so a range of them is a serial loop, "
           "of which -Rpass=loop-vectorize and -Rpass-missed=loop-vectorize "
           "tell more";
  std::string text = "it calls " + describeInC(*call.getCallee());
  // Clang says so of what writes nothing else.
  if (call.getTBAATagsOrNull())
    return text +
           ", which may set errno; -fno-math-errno says that it need not";
  LLVM::LLVMFuncOp callee = calleeOf(call, module);
  if (auto why = callee ? functionAttribute(callee, NotInlinedAttribute)
                        : std::nullopt)
    text += ", which " + why->str();
  return text;
}

void cilk2chan::explain(chan::KernelOp kernel, chan::KernelOp lifted,
                        const LaneShapes &shapes) {
  auto say = [&](Operation *op, StringRef what) {
    // Frames, and what else C does not speak of, have no place.
    remark::analysis(hasLine(op->getLoc()) ? op->getLoc() : placeOf(kernel),
                     laneRemarks)
        << what;
  };
  auto sayOfChoice = [&](Operation *op, Value selector) {
    say(op, shapes.isUniform(selector) ? "all lanes choose the same"
                                       : "lanes choose differently");
  };
  auto sayOfAccess = [&](Operation *op, Value address, Type type) {
    say(op, shapes.isUniform(address) ? "all lanes access the same address"
            : shapes.isContiguous(address, type)
                ? "lanes access neighbouring addresses"
                : "lanes access addresses anywhere");
  };
  lifted.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      sayOfChoice(op, branch.getCondition());
    else if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
      sayOfChoice(op, choice.getArg());
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      say(op, shapes.isUniform(loop.getConditionOp().getCondition())
                  ? "all lanes leave the loop together"
                  : "lanes leave the loop one after another");
    else if (auto load = dyn_cast<LLVM::LoadOp>(op))
      sayOfAccess(op, load.getAddr(), load.getType());
    else if (auto store = dyn_cast<LLVM::StoreOp>(op))
      sayOfAccess(op, store.getAddr(), store.getValue().getType());
  });
}
