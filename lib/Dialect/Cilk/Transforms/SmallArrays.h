//===- SmallArrays.h - Arrays that lanes can have each their own ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_SMALLARRAYS_H
#define CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_SMALLARRAYS_H

#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/BaseOf.h"
#include "cilk2chan/Support/TypeLayout.h"

#include "mlir/IR/Dominance.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace cilk2chan {

/// Whether an object is one for each activation, and of a known size.
bool isFixed(mlir::LLVM::AllocaOp array);

/// The local arrays of a function that spawns nothing but itself: those whose
/// size is known at run time, and those that it gives its children to read.
///
/// An array is made of *parts*: what is loaded and stored. All are of one size,
/// or the array is an object of which each member is an array with parts of its
/// own size.
class SmallArrays {
public:
  /// A member of an object: parts of `size` bytes from `offset` to `end`.
  struct Member {
    uint64_t offset, end, size;
    uint64_t countParts() const { return (end - offset) / size; }
  };

  /// Nothing if the function spawns others, or if the sizes of its own arrays
  /// are not known before it has had an effect.
  static std::optional<SmallArrays> find(mlir::LLVM::LLVMFuncOp function,
                                         const TypeLayout &layout);

  mlir::LLVM::LLVMFuncOp getFunction() const { return function; }
  bool isEmpty() const { return dynamic.empty() && parameters.empty(); }
  /// Those of a size known at run time.
  llvm::ArrayRef<mlir::LLVM::AllocaOp> getDynamic() const { return dynamic; }
  /// Others of such a size. The function has no batch form with these: they may
  /// be where children leave what is only added up (SharedReductions.h), and
  /// not be there any more when that is done.
  llvm::ArrayRef<mlir::LLVM::AllocaOp> getPlaces() const { return places; }
  /// Pointer parameters that are only read, and for which each spawn gives an
  /// array.
  llvm::ArrayRef<unsigned> getParameters() const {
    return parameters.getArrayRef();
  }
  llvm::ArrayRef<cilk::SpawnOp> getSpawns() const { return spawns; }
  /// What copies memory to or from such an array, or sets it.
  llvm::ArrayRef<mlir::Operation *> getCopies() const {
    return copies.getArrayRef();
  }

  /// Whether a parameter is one of these.
  bool isByValue(unsigned parameter) const {
    return parameters.contains(parameter);
  }
  /// How many of what it is made of an array of a size known at run time may
  /// have.
  uint64_t countAllowed(mlir::LLVM::AllocaOp array) const;
  /// Bytes of a part of an array, be it a parameter or an object; 0 if it is
  /// none of these.
  uint64_t partOf(mlir::Value array) const { return parts.lookup(array); }
  /// Of an object, and of the largest that spawns give for a parameter.  All of
  /// an array is one member.
  llvm::SmallVector<Member> membersOf(mlir::LLVM::AllocaOp array) const;
  llvm::SmallVector<Member> membersOf(unsigned parameter) const;
  /// Whether an array, be it a parameter or an object, has members of its own.
  bool hasMembers(mlir::Value array) const { return members.contains(array); }
  const llvm::MapVector<mlir::Value, llvm::SmallVector<Member>> &
  getMembers() const {
    return members;
  }
  /// What an address in an object, or in a parameter's, is about.
  struct Place {
    uint64_t offset = 0, end = 0;
    /// How many indices of a `getelementptr` lead no further than there, and of
    /// which type the others begin.  Where all do, that is what it points to.
    unsigned indices = 0;
    mlir::Type type;
    /// The array that this is in; its end is 0 if there is none.
    uint64_t arrayOffset = 0, arrayEnd = 0;
  };
  /// Of an address behind `base`.  What is at an index that is known only at
  /// run time is anywhere in its array.
  std::optional<Place> placeOf(mlir::LLVM::GEPOp gep, const Place &base) const;
  /// Bytes of an address behind its base, if that is a constant.
  std::optional<uint64_t> offsetOf(mlir::Value address) const;
  /// The first of `members` that ends behind `offset`, or null.
  static const Member *memberFrom(llvm::ArrayRef<Member> members,
                                  uint64_t offset);

  /// Where sizes known at run time are all known, none of these arrays is there
  /// yet, and the function may still begin once more: in front of `check`, or,
  /// if that is null, on the way from the block `before` to the loop that
  /// begins with `header`.
  mlir::Operation *check = nullptr;
  mlir::Block *before = nullptr, *header = nullptr;

private:
  struct Uses;
  SmallArrays(mlir::LLVM::LLVMFuncOp function, const TypeLayout &layout)
      : function(function), layout(layout) {}
  bool findSpawns();
  void findArrays();
  bool findParts();
  bool findCheck();
  void findUses(mlir::Value address, Uses &uses) const;
  class Members;
  bool addUses(mlir::Value address, const Place &place, Members &found) const;
  bool findMembers(llvm::ArrayRef<mlir::Value> arrays,
                   llvm::ArrayRef<mlir::Operation *> copies);

  // LLVMFuncOp's accessors are not const.
  mutable mlir::LLVM::LLVMFuncOp function;
  const TypeLayout &layout;
  llvm::SmallVector<cilk::SpawnOp> spawns;
  llvm::SmallVector<mlir::LLVM::AllocaOp> dynamic, places;
  llvm::SetVector<unsigned> parameters;
  llvm::DenseMap<mlir::Value, uint64_t> parts;
  llvm::MapVector<mlir::Value, llvm::SmallVector<Member>> members;
  llvm::SetVector<mlir::Operation *> copies;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_SMALLARRAYS_H
