//===- Tunable.h - Constants that measurements have chosen ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_TUNABLE_H
#define CILK2CHAN_SUPPORT_TUNABLE_H

#include "llvm/Support/CommandLine.h"

namespace cilk2chan {

/// A constant of a heuristic.
///
/// The `Tuning.h` of each library has its constants, with unit, reason and
/// evidence. For an experiment, `-mllvm -NAME=VALUE` changes one; so does
/// `-NAME=VALUE` in cilk2chan-opt. These options are hidden: what programs need
/// is an option of the driver.
template <typename T> class Tunable : public llvm::cl::opt<T> {
public:
  Tunable(llvm::StringRef name, T value, llvm::StringRef description)
      : llvm::cl::opt<T>(name, llvm::cl::Hidden, llvm::cl::init(value),
                         llvm::cl::desc(description)) {}
};

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_TUNABLE_H
