//===- PhaseBuilder.h - One phase of activations in place -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_PHASEBUILDER_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_PHASEBUILDER_H

#include "cilk2chan/Conversion/CilkToChan/Phases.h"
#include "cilk2chan/Conversion/CilkToChan/Stacks.h"
#include "cilk2chan/Dialect/Cilk/Analysis/BaseCase.h"

#include "cilk2chan/Support/TypeLayout.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

namespace cilk2chan {

/// A place where a function spawns, or calls a spawning function.
struct Site {
  mlir::Operation *op;
  /// The callee's base case, if it is hoisted into the parent.
  std::optional<BaseCase> hoisted = {};
  /// Whether the parent then assigns the result at once.  Otherwise later
  /// phases compute it again.
  bool assignsEarly = false;
  /// Whether the result goes to a place that is known when the child is
  /// spawned.
  bool hasDestination = false;
  cilk::SpawnOp spawn() const { return mlir::dyn_cast<cilk::SpawnOp>(op); }
  cilk::CallOp call() const { return mlir::dyn_cast<cilk::CallOp>(op); }
  llvm::StringRef callee() const {
    auto child = spawn();
    return child ? *child.getCallee()
                 : mlir::cast<cilk::CallOp>(op).getCallee();
  }
  mlir::ValueRange args() const {
    auto child = spawn();
    return child ? child.getArgs() : mlir::cast<cilk::CallOp>(op).getArgs();
  }
};

/// A function that can have phase kernels as far as is known.
struct Candidate {
  mlir::LLVM::LLVMFuncOp function;
  const Phases *phases;
  /// In the order in which control comes to them.
  llvm::SmallVector<Site> sites;
  /// Local objects, by whether they are in the locals.
  llvm::MapVector<mlir::Value, bool> objects;
  /// Whether results are positional: the last phases find each at its place
  /// among the children, as control comes to each site once, and no later phase
  /// spawns.
  bool isPositional = true;
  /// Why they are not.
  llvm::StringRef whyNotPositional = {};
  /// The parameters that a whole batch has the same of, and those of the
  /// function that is spawned.
  llvm::SmallBitVector uniform = {}, uniformOfChild = {};
  /// Whether a batch may have the same, too, of what is loaded in the first
  /// phase, which spawns alone; and whether that stores only to its own
  /// objects.
  bool loadsUniform = false, storesNothing = false;
  /// That of the function that is spawned.
  std::optional<BaseCase> childBaseCase = {};
  /// The join-free reduction, if the function's result is one: how it is
  /// combined of what an activation has itself and of what its children return.
  /// Then the operations that do so.
  std::optional<chan::Combination> reduction = {};
  llvm::SmallPtrSet<mlir::Operation *, 4> combining = {};

  /// Whether a whole batch has the same of it: a uniform parameter, or what is
  /// loaded from an address computed of them.
  bool isUniform(mlir::Value value) const;
};

/// The local object whose address, or that of a part of which, a spawn has for
/// its result; null if that is not known.
mlir::LLVM::AllocaOp destinationObject(mlir::Value destination);

/// Whether anything but spawns that deliver there uses the object in `blocks`.
bool isUsedIn(mlir::Value address,
              const llvm::SetVector<mlir::Block *> &blocks);

/// Whether a child, or another function, may know the object's address.
bool isKnownElsewhere(mlir::Value address);

/// What lies at the activation's own index.
class Locals {
public:
  Locals(const Candidate &candidate, const TypeLayout &layout);
  uint64_t getSize() const { return size; }
  bool contains(mlir::Value value) const { return fields.contains(value); }
  mlir::Value address(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value) const {
    auto [offset, bytes, alignment] = fields.lookup(value);
    bool exposed =
        value.getDefiningOp<mlir::LLVM::AllocaOp>() && isKnownElsewhere(value);
    return chan::LocalOp::create(
        builder, loc, mlir::LLVM::LLVMPointerType::get(builder.getContext()),
        offset, bytes, exposed);
  }

private:
  struct Field {
    uint64_t offset = 0, size = 0, alignment = 1;
  };
  llvm::MapVector<mlir::Value, Field> fields;
  uint64_t size = 0;
};

/// Clones the blocks of one phase into a kernel.
class PhaseBuilder {
public:
  PhaseBuilder(const Candidate &candidate, const Locals &locals, Stacks &stacks,
               const TypeLayout &layout)
      : candidate(candidate), locals(locals), stacks(stacks), layout(layout),
        function(candidate.function), builder(function.getContext()),
        pointer(mlir::LLVM::LLVMPointerType::get(function.getContext())) {}

  chan::KernelOp build(unsigned index);
  /// Builds the result handler of a site, the kernel that takes the results of
  /// its children.
  chan::KernelOp buildResultHandler(unsigned site);
  /// Builds the kernel that needs no results of children.
  /// REQUIRES: the candidate has a reduction.
  chan::KernelOp buildReduction(unsigned number);

private:
  bool areAllHoisted();
  bool isHoistedItself();
  void markEnding(mlir::Operation *op, mlir::Operation *copy);
  void createKernel(const llvm::Twine &name, unsigned number, bool spawns);
  chan::DeqOp createDeq(mlir::Location loc);
  bool isNothing(mlir::Value value);
  mlir::Value withoutNothing(mlir::Value value);
  void reduceEarly();
  void finish();
  /// Whether a phase after the first computes arguments of children.
  bool needsArguments() const {
    return candidate.isPositional &&
           llvm::any_of(candidate.sites, [](const Site &s) {
             return s.hoisted && !s.assignsEarly;
           });
  }
  bool isKept(mlir::Value value) const;
  void cloneBlocks();
  void createEntry();
  void takeResult(unsigned number, const Site &site);
  void deliver(mlir::Location loc, const Site &site, mlir::Value value);
  void assign(mlir::Location loc, const Site &site, mlir::Value value);
  void clone(mlir::Operation &op);
  void enqueue(mlir::Operation *op);
  void buildIf(mlir::Location loc, mlir::Value condition, bool outcome,
               llvm::function_ref<void()> body);
  mlir::Type resultType();
  mlir::Value identity(mlir::Location loc, mlir::Type type);
  void spawn(unsigned number, const Site &site, mlir::ValueRange args);
  llvm::SmallVector<mlir::Value> computeArgs(const Site &site);
  void suspend(mlir::Operation *suspension);

  const Candidate &candidate;
  const Locals &locals;
  Stacks &stacks;
  const TypeLayout &layout;
  mlir::LLVM::LLVMFuncOp function;
  mlir::OpBuilder builder;
  mlir::LLVM::LLVMPointerType pointer;

  const Phase *phase = nullptr;
  /// Whether it is the kernel of the reduction that is built.
  bool reduces = false;
  chan::KernelOp kernel;
  mlir::IRMapping mapping;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_PHASEBUILDER_H
