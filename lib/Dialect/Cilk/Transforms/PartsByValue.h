//===- PartsByValue.h - Tasks that take parts of arrays ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   void f(int n, const char *a) {      void f.byval(int n, i8 a0, i8 a1) {
//     char next[2];                       char a[2] = {a0, a1};
//     ...                          ->     char next[2];
//     spawn f(n - 1, next);               ...
//   }                                     spawn f.byval(n - 1, next[0], ...);
//                                       }
//
// What a pointer led to is the task's own, and lanes have it side by side.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_PARTSBYVALUE_H
#define CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_PARTSBYVALUE_H

#include "ObjectMembers.h"
#include "SharedReductions.h"

#include "cilk2chan/Support/TypeLayout.h"

#include "mlir/IR/IRMapping.h"

namespace cilk2chan {

/// Rewrites a copy of a function with small arrays.
class PartsByValue {
public:
  /// `function` is a copy of the one that `arrays` is of, to which `mapping`
  /// leads.  What it spawns is `callee`, which takes parts.  What passes
  /// addresses, as in C, is `byAddress`.
  PartsByValue(const SmallArrays &arrays, const SharedReductions &reductions,
               const TypeLayout &layout, mlir::LLVM::LLVMFuncOp function,
               const mlir::IRMapping &mapping, mlir::LLVM::LLVMFuncOp callee,
               mlir::LLVM::LLVMFuncOp byAddress)
      : arrays(arrays), reductions(reductions), layout(layout),
        original(arrays.getFunction()), function(function), mapping(mapping),
        callee(callee), byAddress(byAddress), builder(function.getContext()),
        loc(function.getLoc()), objects(arrays, builder, loc),
        fallback(byAddress) {
    builder.setInsertionPointToStart(&function.front());
  }

  /// Instead of pointers to arrays it takes their parts, behind all else.
  /// The function `name`, which is in no module yet, takes the same and runs
  /// the one that passes addresses.
  void takeParts(const std::string &name);

  /// Has all arrays of sizes that are known, and runs the one that passes
  /// addresses where they are too small, or where lanes are none.
  void run();

  mlir::LLVM::LLVMFuncOp getFallback() const { return fallback; }

private:
  mlir::Value at(mlir::Value original) const {
    return mapping.lookup(original);
  }
  mlir::Block *at(mlir::Block *original) const {
    return mapping.lookup(original);
  }
  mlir::Operation *at(mlir::Operation *original) const {
    return mapping.lookup(original);
  }
  void fill(llvm::ArrayRef<mlir::Value> arrays, unsigned parameter,
            mlir::LLVM::LLVMFuncOp of);
  void createWhole(const std::string &name);
  mlir::LLVM::CallOp call(mlir::LLVM::LLVMFuncOp fallback,
                          mlir::ValueRange args);
  void insertCheck();
  void fillTaken();
  void pass(cilk::SpawnOp spawn);

  const SmallArrays &arrays;
  const SharedReductions &reductions;
  const TypeLayout &layout;
  mlir::LLVM::LLVMFuncOp original, function;
  const mlir::IRMapping &mapping;
  mlir::LLVM::LLVMFuncOp callee, byAddress;
  mlir::OpBuilder builder;
  mlir::Location loc;
  ObjectMembers objects;
  /// Where nothing of the arrays is used yet, and where the function is sure to
  /// come to them.
  mlir::Block *fits = nullptr;
  /// Parameters whose parts it has, and the arrays of their members.
  llvm::SmallVector<std::pair<unsigned, llvm::SmallVector<mlir::Value>>> taken;
  /// What passes addresses, or what takes the same as `function` and runs it.
  mlir::LLVM::LLVMFuncOp fallback;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_PARTSBYVALUE_H
