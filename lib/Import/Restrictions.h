//===- Restrictions.h - What cannot be split --------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_RESTRICTIONS_H
#define CILK2CHAN_LIB_IMPORT_RESTRICTIONS_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace cilk2chan {

/// Something that keeps a function from being split into kernels.
struct Restriction {
  const llvm::Instruction *where; ///< null if it is the function as a whole
  llvm::StringRef what;           ///< completes "'f' uses ..."
};

/// The first one in `function`, if any: what is tied to one stack frame, and
/// what the llvm dialect cannot express.
std::optional<Restriction> findRestriction(const llvm::Function &function);

/// Where clang's CodeGen says that `instruction` is, in the raw encoding of
/// clang::SourceLocation; 0 if it does not say.
unsigned encodedLocationOf(const llvm::Instruction &instruction);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_RESTRICTIONS_H
