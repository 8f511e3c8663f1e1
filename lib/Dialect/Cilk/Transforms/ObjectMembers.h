//===- ObjectMembers.h - Each member of an object by itself -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   struct s {              char column[20];
//     char column[20];  ->  int row;
//     int row;
//   } next;
//
// Lanes have the parts of an array side by side (chan-simd's Interleaving),
// where all are of one size; so each member of an object becomes an array, and
// those of one part variables, which become values.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_OBJECTMEMBERS_H
#define CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_OBJECTMEMBERS_H

#include "SmallArrays.h"

#include "cilk2chan/Support/TypeLayout.h"

#include "mlir/Interfaces/MemorySlotInterfaces.h"

namespace cilk2chan {

/// Makes an array in the entry of the function that `builder` inserts into.
mlir::LLVM::AllocaOp createArray(mlir::OpBuilder &builder, mlir::Location loc,
                                 uint64_t parts, uint64_t part,
                                 uint64_t alignment = 1);

/// The address of a part, which is of `part` bytes, in an array or a variable.
mlir::Value addressOf(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value array, uint64_t part, uint64_t number);

/// Where the members of an object are that is in one place.
llvm::SmallVector<mlir::Value>
membersAt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value object,
          llvm::ArrayRef<SmallArrays::Member> members);

/// The objects, and parameters, of a copy of a function whose members are
/// arrays of their own.
class ObjectMembers {
public:
  /// `arrays` is of the function itself; so are the objects that members are
  /// asked for.
  ObjectMembers(const SmallArrays &arrays, mlir::OpBuilder &builder,
                mlir::Location loc)
      : arrays(arrays), builder(builder), loc(loc) {}

  /// Makes an array for each member, or a variable.
  llvm::SmallVector<mlir::Value>
  create(llvm::ArrayRef<SmallArrays::Member> members, uint64_t alignment = 1);

  /// Has what is accessed of `object`, which is `copy` in the copy, accessed in
  /// the arrays of its members.  Operations that copy or pass it stay as they
  /// are.
  void replace(mlir::Value object, mlir::Value copy,
               llvm::ArrayRef<SmallArrays::Member> members,
               llvm::ArrayRef<mlir::Value> its);

  /// The arrays of the members of `object`; none if it is in one place.
  llvm::SmallVector<mlir::Value> of(mlir::Value object) const {
    return divided.lookup(object);
  }

  /// Copies, or sets, one part after the other what `op` does, which is
  /// `original` in the function itself.
  void moveParts(mlir::Operation *op, mlir::Operation *original);

  /// Has variables become values in `function`, which is the copy.
  void promote(mlir::LLVM::LLVMFuncOp function, const TypeLayout &layout);

private:
  mlir::Value placeIn(uint64_t offset,
                      llvm::ArrayRef<SmallArrays::Member> members,
                      llvm::ArrayRef<mlir::Value> its);
  void redirect(mlir::Value copy, mlir::Value address,
                const SmallArrays::Place &place,
                llvm::ArrayRef<SmallArrays::Member> members,
                llvm::ArrayRef<mlir::Value> its);
  mlir::Value placeBehind(mlir::Operation *op, mlir::Operation *original,
                          unsigned operand, uint64_t offset);
  void moveMembers(mlir::Operation *op, mlir::Operation *original);
  void moveInLoop(mlir::Operation *op, uint64_t part);
  void movePart(mlir::Location loc, mlir::Operation *op, uint64_t part,
                mlir::Value index);

  const SmallArrays &arrays;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> divided;
  /// Members of one part.
  llvm::SmallVector<mlir::LLVM::AllocaOp> variables;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_OBJECTMEMBERS_H
