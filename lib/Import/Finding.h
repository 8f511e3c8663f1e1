//===- Finding.h - What the import makes remarks on -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_FINDING_H
#define CILK2CHAN_LIB_IMPORT_FINDING_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Module.h"

#include <string>

namespace cilk2chan {

/// What the import has done to the program that a remark is to say: where, as
/// far as debug information says, and what.
struct Finding {
  llvm::DebugLoc location;
  std::string what;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_FINDING_H
