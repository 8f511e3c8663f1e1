//===- Stacks.h - The channel stacks of a module ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_CILKTOCHAN_STACKS_H
#define CILK2CHAN_CONVERSION_CILKTOCHAN_STACKS_H

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Dialect/Cilk/Analysis/SpawningFunctions.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"

#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/TypeLayout.h"
#include "mlir/IR/SymbolTable.h"

namespace cilk2chan {

/// The channel stacks of a module that is being split.  What is known of them
/// is in the module: `chan-entry-stacks` gives each spawning function an entry
/// stack, and the function names it (`chan.entry`).
class Stacks {
public:
  Stacks(mlir::SymbolTable &symbols, const TypeLayout &layout);

  /// Makes the entry stack of a spawning function.  It has the width that the
  /// function asks for, or else the module (`chan.width`).
  void addEntry(mlir::LLVM::LLVMFuncOp function);
  /// Makes a continuation stack for each phase of the function but the first.
  void addContinuations(mlir::LLVM::LLVMFuncOp function, unsigned phases);

  /// Gives a kernel a name that nothing else in the module has.
  void name(chan::KernelOp kernel) { symbols.insert(kernel); }

  /// The entry stack of a spawning function; null if it is not one, or if
  /// another definition may take its place when the program is linked.
  chan::StackOp entry(llvm::StringRef function) const {
    return entries.lookup(function);
  }
  /// The entry stack of the function that `spawn` calls; null if it is not
  /// known, or of another type than its definition's.
  chan::StackOp own(cilk::SpawnOp spawn) const;
  /// The stack that phase `phase` of a spawning function consumes.
  chan::StackOp phase(llvm::StringRef function, unsigned phase) const {
    return phases.lookup(function)[phase];
  }
  /// The stack for calls like `spawn`'s of functions not known to spawn; made,
  /// with its kernel, at the first request.
  chan::StackOp forCallsLike(cilk::SpawnOp spawn);

private:
  chan::StackOp create(mlir::OpBuilder &builder, mlir::Location loc,
                       chan::StackKind kind, const llvm::Twine &name,
                       llvm::ArrayRef<mlir::NamedAttribute> fields,
                       mlir::FlatSymbolRefAttr function,
                       mlir::LLVM::LLVMFunctionType signature);
  void addFound(mlir::LLVM::LLVMFuncOp function, chan::StackOp entry);
  void addFoundCalls(chan::KernelOp kernel);
  mlir::Attribute callKey(mlir::LLVM::LLVMFunctionType signature,
                          mlir::ArrayAttr argAttrs, mlir::TypeRange argTypes,
                          mlir::LLVM::LLVMFuncOp compiledAs) const;

  mlir::ModuleOp module;
  mlir::SymbolTable &symbols;
  const TypeLayout &layout;
  llvm::StringMap<chan::StackOp> entries;
  llvm::StringMap<llvm::SmallVector<chan::StackOp>> phases;
  /// By signature, argument attributes and argument types.
  llvm::DenseMap<mlir::Attribute, chan::StackOp> calls;
};

/// The functions of `module` that `chan-entry-stacks` has declared, in their
/// order.  Fails with an error where a function spawns and has no entry stack.
llvm::FailureOr<llvm::SmallVector<mlir::LLVM::LLVMFuncOp>>
functionsToSplit(mlir::ModuleOp module);

/// What a child delivers whose spawn is deferred, and in how many bytes,
/// aligned how.  The type is null if that is nothing.
struct DeferredResult {
  mlir::Type type;
  uint64_t size, alignment;
};
DeferredResult deferredResult(cilk::SpawnOp spawn, const TypeLayout &layout);

/// The fields of an entry element: `a0`, `a1`, ... and, if there is a result,
/// `ret`.
llvm::SmallVector<mlir::NamedAttribute>
entryFields(mlir::MLIRContext *context, mlir::TypeRange arguments,
            mlir::ArrayAttr argumentAttributes, mlir::Type result,
            const TypeLayout &layout);

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_CILKTOCHAN_STACKS_H
