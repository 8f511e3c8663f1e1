//===- Lanes.h - Elements of many lanes at once -----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_LANES_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_LANES_H

#include "Tallocs.h"

namespace cilk2chan {

/// A truth value is a byte in memory.
mlir::Type inMemory(mlir::Type type);

/// Lowers what a kernel with lanes does with elements.
///
/// Columns are loaded as vectors. The elements that lanes enqueue are
/// compressed in registers and stored full width, which writes beyond them into
/// places that are free; so the fast path wants room for all lanes, whatever
/// the mask. Without that the elements go to a block on the C stack first, and
/// the runtime takes them from there (`chan_enq_block`).
class Lanes {
public:
  Lanes(HostBuilder &builder, const Elements &elements, Tallocs &tallocs,
        unsigned vectorBits)
      : builder(builder), elements(elements), tallocs(tallocs),
        vectorBits(vectorBits) {}

  /// To be called after that of `Tallocs`.
  void beginKernel(mlir::LLVM::LLVMFuncOp function, unsigned count);

  /// Makes the mask of the elements from `taken` to `end`, and loads the fields
  /// that the kernel wants of them. Splits the block at the op.
  void lower(chan::DeqOp op, const ElementPlace &taken, mlir::Value end);
  /// Enqueues what `chan.talloc` and `chan.set` have said. Splits the block
  /// there.
  void lower(chan::EnqOp op);
  void lower(chan::DeliverOp op);

  mlir::Value splat(mlir::Location loc, mlir::Type type, int64_t value);
  mlir::VectorType lanesOf(mlir::Type type) const {
    return mlir::VectorType::get(count, type);
  }
  /// The mask of the first lanes, of which there are `present`, an i32.
  mlir::Value firstOf(mlir::Location loc, mlir::Value present);
  /// What lies side by side from `place` on, in the lanes of `mask`; may read
  /// as many values as there are lanes.
  mlir::Value loadUnpacked(mlir::Location loc, mlir::Type type,
                           mlir::Value place, mlir::Value mask);
  /// How many lanes `mask` names, as i32.
  mlir::Value popcount(mlir::Location loc, mlir::Value mask);
  /// Those of `all` that `mask` names side by side, in one register.
  mlir::Value compress(mlir::Location loc, mlir::Value all, mlir::Value mask);
  /// Stores those of `all` that `mask` names side by side from `index` on,
  /// where `address` says, and may write as many as there are lanes.
  void storePacked(mlir::Location loc, mlir::Value all, mlir::Value mask,
                   mlir::Value index,
                   llvm::function_ref<mlir::Value(mlir::Value)> address,
                   unsigned alignment);

private:
  mlir::Value staging(uint64_t elementSize);

  HostBuilder &builder;
  const Elements &elements;
  Tallocs &tallocs;
  const unsigned vectorBits;

  // Of the kernel being lowered.
  mlir::LLVM::LLVMFuncOp function;
  unsigned count = 0;
  mlir::LLVM::AllocaOp stagingBlock;
  uint64_t stagingElement = 0;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_LANES_H
