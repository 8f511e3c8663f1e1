//===- ResultFlow.h - Where results of children go --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_ANALYSIS_RESULTFLOW_H
#define CILK2CHAN_DIALECT_CILK_ANALYSIS_RESULTFLOW_H

#include "cilk2chan/Dialect/Cilk/Analysis/Combination.h"

#include "cilk2chan/Dialect/Cilk/Cilk.h"

#include "mlir/IR/Dominance.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace cilk2chan {

/// Follows what children yield. At each point of the function, what each of
/// those spawned so far yields is to be in one place: a value or a local
/// object, which may hold the combination of several. A place that something
/// was taken from must not be looked at again.
class ResultFlow {
public:
  /// What they return, to what `function` returns.
  ResultFlow(mlir::LLVM::LLVMFuncOp function, chan::Combination combination,
             const mlir::SymbolTable &symbols)
      : ResultFlow(function, combination, symbols,
                   function.getFunctionType().getReturnType(), {}) {}
  /// What they leave at the address that is their argument `parameter`, to
  /// operations with ReductionAttribute.
  ResultFlow(mlir::LLVM::LLVMFuncOp function, chan::Combination combination,
             const mlir::SymbolTable &symbols, mlir::Type type,
             std::optional<unsigned> parameter)
      : function(function), combination(combination), symbols(symbols),
        type(type), parameter(parameter), dominance(function) {}

  /// Whether all ends there.
  bool isConserved();
  /// The first operation where that is not so.
  mlir::Operation *getObstacle() const { return obstacle; }
  /// The operations that combine. In another order there are other intermediate
  /// results.
  llvm::ArrayRef<mlir::Operation *> getCombining() const {
    return combining.getArrayRef();
  }

private:
  struct Place {
    bool holds = false, isStale = false;
    bool operator==(const Place &) const = default;
  };
  using State = llvm::MapVector<mlir::Value, Place>;

  bool fail(mlir::Operation *op) {
    obstacle = op;
    return false;
  }
  /// Where `spawn` has the child leave it; null if it does not.
  mlir::Value placeOf(cilk::SpawnOp spawn) const {
    return parameter ? spawn.getArgs()[*parameter] : spawn.getDestination();
  }
  bool isObject(mlir::Value address);
  bool take(mlir::Value place, State &state, bool &taken);
  bool put(mlir::Value object, bool holds, State &state);
  bool combine(mlir::Operation *op, const Combined &combined, State &state);
  bool convert(mlir::Operation *op, State &state);
  bool isResult(mlir::Value value) const;
  bool assign(cilk::SpawnOp op, State &state);
  bool visit(mlir::Operation *op, State &state);
  bool leave(mlir::Operation *op, const State &state);
  bool enter(mlir::Operation *op, unsigned successor, State state);

  mlir::LLVM::LLVMFuncOp function;
  const chan::Combination combination;
  const mlir::SymbolTable &symbols;
  const mlir::Type type;
  const std::optional<unsigned> parameter;
  mlir::DominanceInfo dominance;
  /// At the beginnings of blocks.
  llvm::DenseMap<mlir::Block *, State> states;
  llvm::SetVector<mlir::Block *> work;
  mlir::Operation *obstacle = nullptr;
  llvm::SmallSetVector<mlir::Operation *, 4> combining;
};

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CILK_ANALYSIS_RESULTFLOW_H
