//===- RemarkPlaces.cpp - What remarks call things, and where -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Analysis/RemarkPlaces.h"
#include "cilk2chan/Dialect/Cilk/Analysis/SpawningFunctions.h"

#include "cilk2chan/Support/NamesInC.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace cilk2chan;

bool cilk2chan::hasPlace(Operation *op) {
  auto line = op->getLoc()->findInstanceOf<FileLineColLoc>();
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  return line && line.getLine() != 0 &&
         !(function && op->getLoc() == function.getLoc());
}

std::string cilk2chan::describe(LLVM::LLVMFuncOp function) {
  return describeInC(function.getName());
}

/// What of another function spawns or calls this one; null if nothing does.
static Operation *findUser(LLVM::LLVMFuncOp function) {
  auto uses = SymbolTable::getSymbolUses(function.getNameAttr(),
                                         function->getParentOfType<ModuleOp>());
  if (uses)
    for (SymbolTable::SymbolUse use : *uses) {
      Operation *user = use.getUser();
      auto parent = user->getParentOfType<LLVM::LLVMFuncOp>();
      if (parent && parent != function && hasPlace(user))
        return user;
    }
  return nullptr;
}

std::pair<Location, remark::RemarkOpts>
cilk2chan::placeRemark(Operation *op, remark::RemarkOpts options) {
  auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
  if (!function && hasPlace(op))
    return {op->getLoc(), options};
  if (!function)
    function = op->getParentOfType<LLVM::LLVMFuncOp>();
  if (!functionWithoutName(function.getName()).empty())
    if (Operation *user = findUser(function))
      return {user->getLoc(), options};
  return {function.getLoc(), options.function(sourceOf(function).getValue())};
}
