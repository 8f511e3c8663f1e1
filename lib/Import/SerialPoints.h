//===- SerialPoints.h - Where nothing runs in parallel ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   int main() {
//     count = 0;          serial
//     cilk_spawn f(1);
//     g();                f runs beside it; so g may run in parallel
//     cilk_sync;
//     print(count);       serial
//   }
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_SERIALPOINTS_H
#define CILK2CHAN_LIB_IMPORT_SERIALPOINTS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"

namespace cilk2chan {

/// REQUIRES: the module is as the front end made it, with markers.
class SerialPoints {
public:
  explicit SerialPoints(llvm::Module &module);

  /// Whether no child of this activation is outstanding, and it is in no
  /// parallel loop.
  bool isSerial(llvm::Instruction *instruction);
  /// Whether something may run beside an activation of the function. Only of
  /// main, and of functions that no other file knows, that may be excluded.
  bool mayRunInParallel(llvm::Function *function);

private:
  /// What is outstanding where a block begins.
  struct State {
    bool hasChildren = false;
    /// How many parallel loops are around.
    unsigned loops = 0;
    bool isSerial() const { return !hasChildren && !loops; }
  };
  using States = llvm::DenseMap<llvm::BasicBlock *, State>;

  static void step(State &state, const llvm::Instruction &instruction);
  const States &statesOf(llvm::Function &function);
  void findParallel();
  void addParallel(llvm::Function *function);

  llvm::Module &module;
  llvm::DenseMap<llvm::Function *, States> states;
  llvm::SetVector<llvm::Function *> parallel;
  bool isFound = false;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_SERIALPOINTS_H
