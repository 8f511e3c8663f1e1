//===- FrameLayout.h - The memory of an activation --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SPLIT_FRAMELAYOUT_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SPLIT_FRAMELAYOUT_H

#include "cilk2chan/Conversion/CilkToChan/Phases.h"

#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"

#include "cilk2chan/Support/TypeLayout.h"

#include "llvm/ADT/MapVector.h"

namespace cilk2chan {

/// What of a spawning function lives in the activation's frame, and where.
///
/// The frame holds the values that are live across a suspension, and those
/// local objects (allocas and `byval` parameters) that more than one phase uses
/// or whose address may be known to a child. Other objects stay on the stack of
/// the one kernel that uses them; so does everything in a function that is
/// never split, because its one kernel outlives its children or has none.
///
/// With `keepLocals` all local objects of a function that is split are in the
/// frame, for a debugger to find in every phase.
class FrameLayout {
public:
  FrameLayout(mlir::LLVM::LLVMFuncOp function, const Phases &phases,
              const TypeLayout &types, bool keepLocals = false);

  /// A local object: an alloca of the entry block, or a `byval` parameter.
  struct Object {
    mlir::Type type;
    uint64_t count; // array size of the alloca
    uint64_t alignment;
    bool inFrame = false;
    /// The phase that uses the object, if it is not in the frame.
    unsigned phase = 0;
  };

  /// The object that `address` is the address of, or null.
  const Object *object(mlir::Value address) const {
    auto it = objects.find(address);
    return it == objects.end() ? nullptr : &it->second;
  }
  const llvm::MapVector<mlir::Value, Object> &getObjects() const {
    return objects;
  }

  /// Whether the alloca is executed any number of times, or of a size unknown
  /// here.
  bool isDynamic(mlir::LLVM::AllocaOp alloca) const {
    return !objects.contains(alloca.getResult());
  }

  /// Fields that are not a value's or an object's.
  enum Special { Result, Arena, Objects, Pending, SpecialCount };
  bool has(Special field) const { return specials[field] >= 0; }

  /// The arena of such an alloca: that of the activation, or that of the
  /// objects that are kept until a sync.
  static Special arenaOf(mlir::LLVM::AllocaOp alloca);

  /// Whether the function needs a frame at all.
  bool needed() const { return size != 0; }
  /// In bytes.
  uint64_t getSize() const { return size; }

  /// The alignment in bytes that the field of a value has: less than its type's
  /// where that is above the frame's own.
  unsigned alignment(mlir::Value value) const {
    return fields[fieldOf.lookup(value)].alignment;
  }

  /// Bytes from the frame's address to the field of a value or an object.
  uint64_t offset(mlir::Value value) const {
    return fields[fieldOf.lookup(value)].offset;
  }
  bool keepsLocals() const { return keepLocals; }
  const TypeLayout &getTypes() const { return types; }

  /// The address of a field in `frame`, made where `builder` stands.
  mlir::Value address(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value frame, mlir::Value object) const;
  mlir::Value address(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value frame, Special field) const;

private:
  void findObjects();
  void place();
  mlir::Value fieldAddress(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value frame, unsigned field) const;

  /// In bytes.
  struct Field {
    uint64_t size, alignment;
    uint64_t offset = 0; // once placed
  };
  unsigned addField(uint64_t size, uint64_t alignment);

  mlir::LLVM::LLVMFuncOp function;
  const Phases &phases;
  const TypeLayout &types;
  const bool keepLocals;
  llvm::MapVector<mlir::Value, Object> objects;
  llvm::DenseMap<mlir::Value, unsigned> fieldOf;
  int specials[SpecialCount] = {-1, -1, -1, -1};
  llvm::SmallVector<Field> fields;
  uint64_t size = 0;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SPLIT_FRAMELAYOUT_H
