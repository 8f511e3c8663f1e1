//===- WorkingOn.h - Which function is worked on ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If the compiler fails, its message says which function of the source it was
// working on.  A pass that goes through functions one by one says so:
//
//   for (chan::KernelOp kernel : kernels) {
//     WorkingOn function(kernel.getSymName());
//     ...
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_WORKINGON_H
#define CILK2CHAN_SUPPORT_WORKINGON_H

#include "cilk2chan/Support/FailIfTested.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

namespace cilk2chan {

/// Says, as long as it lives, that the function with that symbol, which must
/// live longer, is worked on.
class WorkingOn : public llvm::PrettyStackTraceEntry {
public:
  explicit WorkingOn(llvm::StringRef symbol) : symbol(symbol) {
    failIfTested(symbol);
  }

  void print(llvm::raw_ostream &os) const override {
    os << "Working on function '" << symbol << "'\n";
  }

private:
  llvm::StringRef symbol;
};

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_WORKINGON_H
