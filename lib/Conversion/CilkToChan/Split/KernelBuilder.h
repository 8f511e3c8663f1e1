//===- KernelBuilder.h - One phase becomes one kernel -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SPLIT_KERNELBUILDER_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SPLIT_KERNELBUILDER_H

#include "FrameLayout.h"
#include "cilk2chan/Conversion/CilkToChan/Phases.h"
#include "cilk2chan/Conversion/CilkToChan/Stacks.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"

#include "mlir/IR/IRMapping.h"

namespace cilk2chan {

/// Clones the blocks of one phase into a kernel.
class KernelBuilder {
public:
  KernelBuilder(mlir::LLVM::LLVMFuncOp function, const Phases &phases,
                const FrameLayout &layout, const DebugVariables &debug,
                Stacks &stacks)
      : function(function), phases(phases), layout(layout), debug(debug),
        stacks(stacks), builder(function.getContext()),
        pointer(mlir::LLVM::LLVMPointerType::get(function.getContext())) {}

  /// Builds the kernel of phase `index` in front of the function.
  chan::KernelOp build(unsigned index);

private:
  bool isEntry() const { return !phase->after; }
  void createEntry();
  void createVariables();
  void cloneBlock(mlir::Block *block);
  void mapOperands(mlir::Operation &op);
  void clone(mlir::Operation &op);
  void storeVariable(mlir::Value original);
  mlir::Value loadFromFrame(mlir::Value original, mlir::Location loc);
  void storeInFrame(mlir::Value original, mlir::Value current,
                    mlir::Location loc);
  void lowerSpawn(cilk::SpawnOp spawn);
  void lowerCall(cilk::CallOp call);
  void lowerAlloca(mlir::LLVM::AllocaOp alloca);
  void finishSync(cilk::SyncOp sync);
  void suspend(mlir::Operation *suspension);
  void lowerReturn(mlir::LLVM::ReturnOp op);
  void fillElement(chan::TallocOp element, chan::StackOp stack,
                   mlir::ValueRange args, mlir::Value slot, mlir::Location loc);
  // KernelFinishing.cpp
  void sinkFrame();
  void declareEdges();
  // KernelDebugInfo.cpp
  void findScopes();
  bool isInScope(const DebugRecord &record) const {
    auto scope = record.variable.getScope();
    return mlir::isa<mlir::LLVM::DISubprogramAttr>(scope) ||
           scopes.contains(scope);
  }
  void describeFrame();
  void describeLiveIn();
  void describe(const DebugRecord &record);
  void forgetLostValues();

  mlir::Value null(mlir::Location loc);
  chan::TallocOp talloc(mlir::Location loc, chan::StackOp stack, unsigned level,
                        mlir::Value target = {});

  mlir::LLVM::LLVMFuncOp function;
  const Phases &phases;
  const FrameLayout &layout;
  const DebugVariables &debug;
  Stacks &stacks;
  mlir::OpBuilder builder;
  mlir::LLVM::LLVMPointerType pointer;

  // State of the kernel being built.
  const Phase *phase = nullptr;
  chan::KernelOp kernel;
  chan::DeqOp deq;
  mlir::IRMapping mapping;
  mlir::Value frame;
  mlir::Value resultSlot;
  llvm::DenseMap<mlir::Value, mlir::Value> variables;
  llvm::SmallVector<mlir::Operation *> frees;
  /// Those that the phase's code is in, besides the whole function.
  llvm::DenseSet<mlir::Attribute> scopes;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SPLIT_KERNELBUILDER_H
