//===- Attributes.h - What stays true of converted functions ----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_ATTRIBUTES_H
#define CILK2CHAN_LIB_IMPORT_ATTRIBUTES_H

namespace llvm {
class Function;
} // namespace llvm

namespace cilk2chan {

/// Removes from `function` and its calls what is no longer true once it is
/// split: a kernel touches the runtime's memory, waits, frees and recurses, and
/// its callees outlive its stack frame.
void stripUntrueAttributes(llvm::Function &function);

/// Deletes lifetime markers: an object lives until its activation returns,
/// which may be kernels later.
void removeLifetimeMarkers(llvm::Function &function);

/// Removes what C's attributes `error` and `warning` leave on `part` of their
/// function: they are about the calls that the program has.
void removeCallMessages(llvm::Function &part);

/// Gives `kernel` the attributes of `source` that say how to generate code
/// (target features, sanitizers, unwind tables, stack protection, ...).
void copyCodeGenAttributes(const llvm::Function &source,
                           llvm::Function &kernel);

/// Whether C lets the module have another copy of `function`, as far as its
/// attributes and its name say.
bool mayBeCopied(const llvm::Function &function);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_ATTRIBUTES_H
