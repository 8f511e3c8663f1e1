//===- SerialLowering.h - The body of one serial clone ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_SERIALLOWERING_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_SERIALLOWERING_H

#include "SerialClones.h"
#include "SlowPath.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"

namespace cilk2chan {

/// Lowers the spawns, syncs and calls of one clone.
class SerialClones::Lowering {
public:
  /// `function`: the clone, or a part of it; `counts`: the part in which
  /// activations are counted.
  Lowering(SerialClones &clones, const Clone &clone,
           mlir::LLVM::LLVMFuncOp function, bool counts)
      : clones(clones), function(function),
        original(clones.symbols.lookup<mlir::LLVM::LLVMFuncOp>(clone.source)),
        hasLoops(clone.isInlined || !isLoop(clone.source)), counts(counts),
        source(clone.part), builder(function.getContext()),
        pointer(mlir::LLVM::LLVMPointerType::get(function.getContext())),
        i64(builder.getI64Type()),
        nothing(mlir::LLVM::LLVMVoidType::get(function.getContext())),
        worker(function.getArgument(0)) {}

  void run();
  /// The same for a range of a parallel loop with this body.
  void runAsRange(mlir::LLVM::LLVMFuncOp body);

private:
  bool isSite(cilk::CallOp call);
  /// Puts the records of variables back, which had no say in how paths divide.
  void describe(const DebugVariables &debug, const SlowPath *slow);
  /// What a poll may find.
  enum class Reason { StackRunsOut, WorkRequested };
  std::pair<mlir::Value, mlir::Block *> poll(mlir::Operation *site,
                                             llvm::StringRef runtimeCall,
                                             llvm::ArrayRef<Reason> reasons);
  void restartIfPromoted(mlir::Operation *before);
  void countTask(mlir::Operation *before);
  void enterSlowPathIfPromoted(PollPoint point, SlowPath &slow);
  void addSlowPath(const DebugVariables &debug);

  bool isStoredDirectly(cilk::SpawnOp spawn);
  void lowerFast(cilk::SpawnOp spawn);
  void lowerFast(cilk::CallOp call, bool inSlowPath = false);
  void callIfNotRequested(cilk::SpawnOp spawn);
  void lowerSlow(cilk::SpawnOp spawn);
  void lowerSlow(mlir::LLVM::AllocaOp alloca);
  mlir::LLVM::CallOp
  createCall(mlir::Location loc, mlir::LLVM::LLVMFunctionType signature,
             mlir::FlatSymbolRefAttr callee, mlir::Value target,
             mlir::LLVM::LLVMFuncOp clone, mlir::ValueRange args,
             mlir::ArrayAttr attributes);

  mlir::Value constant(mlir::Location loc, int64_t value) {
    return mlir::LLVM::ConstantOp::create(builder, loc, i64,
                                          builder.getI64IntegerAttr(value));
  }
  mlir::Value makeLocal(mlir::Location loc, mlir::Type type,
                        uint64_t alignment = 0);
  mlir::Value callRuntime(mlir::Location loc, llvm::StringRef name,
                          mlir::Type result, mlir::ValueRange args);
  mlir::LLVM::LLVMFuncOp near(llvm::StringRef runtimeCall);
  void countIfPredictedSmall(mlir::LLVM::LLVMFuncOp near, mlir::Block *pass);
  mlir::LLVM::LLVMFuncOp addFunction(llvm::StringRef name,
                                     mlir::LLVM::LLVMFunctionType type);
  mlir::Value loadLate(mlir::Location loc) {
    return mlir::LLVM::LoadOp::create(builder, loc, pointer, late);
  }

  SerialClones &clones;
  /// What is lowered, and what it is a clone of.
  mlir::LLVM::LLVMFuncOp function, original;
  /// Whether it has the loops in it to itself: else other iterations of an
  /// outer one may run at the same time.
  bool hasLoops;
  bool counts;
  /// The C function that both are a part of.
  llvm::StringRef source;
  mlir::OpBuilder builder;
  const mlir::LLVM::LLVMPointerType pointer;
  const mlir::Type i64, nothing;
  mlir::Value worker;
  /// Where the slow path keeps its chan_late.
  mlir::Value late;
  llvm::SmallVector<mlir::Operation *> sites;
  /// Spawns whose struct is stored where it belongs on the fast path.
  llvm::SmallPtrSet<mlir::Operation *, 4> direct;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_SERIALLOWERING_H
