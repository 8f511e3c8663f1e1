//===- LoopBodies.h - Outlined loops and their markers ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop's body and the marker that stands for the loop, which passes what the
// body captures.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_LOOPBODIES_H
#define CILK2CHAN_LIB_IMPORT_LOOPBODIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace llvm {
class CallInst;
class Function;
class Module;
class Type;
class Value;
} // namespace llvm

namespace cilk2chan {

/// Where a body's captures begin: behind the range.
inline constexpr unsigned FirstCapture = 2;

/// The marker's operand that is the body's parameter of that number: the
/// marker's first ones are the body, the number of iterations and the grain.
inline unsigned operandOf(unsigned parameter) { return parameter + 1; }

/// The marker of the loop whose body `function` is; null if it is none, or has
/// other callers.
llvm::CallInst *markerOf(llvm::Function &function);

/// The number of the loop whose body or marker has that name: less than those
/// of the loops around it.
std::optional<unsigned> numberOf(llvm::StringRef name);

/// The bodies of `module` that have a marker, inner loops first.
llvm::SmallVector<llvm::Function *> bodiesOf(llvm::Module &module);

/// A function in the place of `body`, which loses its blocks, name and metadata
/// to it, with parameters of `types`.  The first are the body's and take their
/// uses and attributes, but for those that `becomesAnother`.  The marker is as
/// it was.
llvm::Function *
withParameters(llvm::Function &body, llvm::ArrayRef<llvm::Type *> types,
               llvm::function_ref<bool(unsigned)> becomesAnother);

/// The same without the parameters of these numbers, in ascending order, which
/// have no uses.  The marker, and `body`, are replaced.
llvm::Function *withoutParameters(llvm::Function &body, llvm::CallInst &marker,
                                  llvm::ArrayRef<unsigned> numbers);

/// Replaces `marker` by one with `operands`.
void changeOperands(llvm::CallInst *marker,
                    llvm::ArrayRef<llvm::Value *> operands);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_LOOPBODIES_H
