//===- Tallocs.h - Elements, and how they are allocated ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_CHANTOHOST_ELEMENTS_TALLOCS_H
#define CILK2CHAN_CONVERSION_CHANTOHOST_ELEMENTS_TALLOCS_H

#include "cilk2chan/Conversion/RuntimeInterface/ElementLayout.h"
#include "cilk2chan/Conversion/RuntimeInterface/HostBuilder.h"

#include "cilk2chan/Support/TypeLayout.h"

namespace cilk2chan {

/// The channel stacks of a module and the layouts of their elements.
class Elements {
public:
  Elements(mlir::ModuleOp module, const TypeLayout &layout);

  chan::StackOp stack(llvm::StringRef name) const {
    return stacks.lookup(name);
  }
  const ElementLayout &layout(llvm::StringRef stack) const {
    return layouts.find(stack)->second;
  }
  /// Of elements of the type of `element`.
  const ElementLayout &layout(mlir::Value element) const;

  const TypeLayout &dataLayout;

private:
  llvm::StringMap<chan::StackOp> stacks;
  llvm::StringMap<ElementLayout> layouts;
};

/// Where an element lies.
struct ElementPlace {
  mlir::Value block; // the runtime's
  mlir::Value index; // in the block, i64
  mlir::Value count; // of an allocated element: its index as i32
  /// Where the values of each field begin, in the layout's order.
  llvm::SmallVector<mlir::Value> fields;
};

/// Where the values of each field begin in `block`.
llvm::SmallVector<mlir::Value> fieldsOf(const ElementLayout &layout,
                                        mlir::Value block, HostBuilder &builder,
                                        mlir::Location loc);

/// Lowers `chan.talloc`.  Room in the block that fills is found inline, except
/// where that would be much code: a kernel of many tallocs calls a function of
/// its own for it, and a talloc for a callee that is only known by its address,
/// which takes a call of the runtime's anyway, one that all kernels share.
class Tallocs {
public:
  Tallocs(HostBuilder &builder, const Elements &elements)
      : builder(builder), elements(elements) {}

  /// To be called before the first talloc of a kernel is lowered.
  void beginKernel(mlir::LLVM::LLVMFuncOp kernel,
                   llvm::ArrayRef<chan::TallocOp> tallocs);

  /// Where the runtime keeps the block that fills at a relative level.
  mlir::Value list(mlir::Location loc, unsigned level) {
    return lists[level] ? lists[level]
                        : listAt(loc, kernel.getArgument(0), level);
  }

  /// Allocates where the builder stands.  May split the block there.
  ElementPlace lower(chan::TallocOp op);

private:
  /// A block with room, and how many elements it has.
  using Room = std::pair<mlir::Value, mlir::Value>;
  mlir::Value listAt(mlir::Location loc, mlir::Value worker, unsigned level);
  Room findRoom(mlir::Location loc, mlir::Value worker, mlir::Value list,
                mlir::Value channel, unsigned level);
  mlir::LLVM::LLVMFuncOp
  createFunction(const llvm::Twine &name, unsigned level,
                 llvm::function_ref<Room(mlir::Value, mlir::Value)> body);
  mlir::LLVM::LLVMFuncOp forChannel(unsigned level);
  mlir::LLVM::LLVMFuncOp forCallee(chan::TallocOp op);
  Room findRoomFor(mlir::Value callee, mlir::Value worker, chan::StackOp stack,
                   unsigned level);

  HostBuilder &builder;
  const Elements &elements;
  /// By stack and level.
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> callees[2];

  // Of the kernel being lowered.
  mlir::LLVM::LLVMFuncOp kernel;
  bool many = false;
  mlir::LLVM::LLVMFuncOp channels[2];
  /// Where the block stands that fills, by level.
  mlir::Value lists[2];
};

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_CHANTOHOST_ELEMENTS_TALLOCS_H
