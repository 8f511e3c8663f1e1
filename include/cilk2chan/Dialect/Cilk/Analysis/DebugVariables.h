//===- DebugVariables.h - Where the variables are ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_ANALYSIS_DEBUGVARIABLES_H
#define CILK2CHAN_DIALECT_CILK_ANALYSIS_DEBUGVARIABLES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/MapVector.h"

namespace cilk2chan {

/// Whether `op` only tells a debugger something.
inline bool isDebugRecord(mlir::Operation &op) {
  return mlir::isa<mlir::LLVM::DbgDeclareOp, mlir::LLVM::DbgValueOp,
                   mlir::LLVM::DbgLabelOp>(op);
}

/// The users of `value`, without those that only tell a debugger of it.
inline auto usersOf(mlir::Value value) {
  return llvm::make_filter_range(value.getUsers(), [](mlir::Operation *user) {
    return !isDebugRecord(*user);
  });
}

/// Erases what only tells a debugger of `value`.
inline void forgetInDebugger(mlir::Value value) {
  for (mlir::Operation *user : llvm::make_early_inc_range(value.getUsers()))
    if (isDebugRecord(*user))
      user->erase();
}

/// One dbg.declare or dbg.value.
struct DebugRecord {
  /// What it stood in front of.
  mlir::Operation *before;
  /// The variable's address, or its value.
  mlir::Value place;
  bool isAddress;
  mlir::LLVM::DILocalVariableAttr variable;
  mlir::LLVM::DIExpressionAttr expression;
  mlir::Location loc;
};

/// The records of a spawning function.  They are taken out of it before it is
/// split, so that they have no say in how, and put into the kernels again where
/// what they speak of is at hand.
class DebugVariables {
public:
  explicit DebugVariables(mlir::LLVM::LLVMFuncOp function);

  llvm::ArrayRef<DebugRecord> get() const { return records; }
  /// Those that stood in front of `op`.
  llvm::ArrayRef<DebugRecord> before(mlir::Operation *op) const;
  /// Those that hold at `op` whichever way control came.
  llvm::SmallVector<const DebugRecord *> holdingAt(mlir::Operation *op) const;

private:
  /// What each variable's last record is; null where paths disagree.
  using State = llvm::SmallMapVector<mlir::Attribute, const DebugRecord *, 4>;
  void pass(mlir::Operation *op, State &state) const;
  void findStates();

  mlir::Block *entry;
  llvm::SmallVector<DebugRecord, 0> records;
  /// At the beginning of each block that control reaches.
  llvm::DenseMap<mlir::Block *, State> states;
  /// First record and number of them.
  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, unsigned>> places;
};

/// Gives `part`, which is made of a function at `ofFunction`, a subprogram of
/// its own: LLVM allows one function each.
void giveOwnSubprogram(mlir::Operation *part, mlir::Location ofFunction);

/// Has what is in `block`, and was a part of the function at `from`, be a part
/// of that at `to`.
void moveToSubprogram(mlir::Block &block, mlir::Location from,
                      mlir::Location to);

} // namespace cilk2chan

#endif
