//===- FailIfTested.h - Internal errors for tests ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What happens when the compiler fails is tested by having it fail:
//
//   CILK2CHAN_FAIL_IN=chan-to-host         segmentation fault, in that pass
//   CILK2CHAN_FAIL_IN=fib:fatal            LLVM's fatal error, when a pass
//                                          comes to that function
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_FAILIFTESTED_H
#define CILK2CHAN_SUPPORT_FAILIFTESTED_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

#include <cassert>
#include <csignal>
#include <cstdlib>

namespace cilk2chan {

[[gnu::noinline]] inline int overflowStack(int depth) {
  volatile char frame[1 << 12];
  frame[depth % sizeof frame] = 1;
  return depth < 0 ? 0 : overflowStack(depth + 1) + frame[0];
}

/// Fails if `place`, a pass or a function, is where the environment says.
inline void failIfTested(llvm::StringRef place) {
  const char *tested = std::getenv("CILK2CHAN_FAIL_IN");
  if (!tested)
    return;
  auto [name, how] = llvm::StringRef(tested).split(':');
  if (name != place)
    return;
  assert(how != "assert" && "tested");
  if (how == "stack")
    overflowStack(0);
  if (how == "memory")
    llvm::report_bad_alloc_error("tested");
  if (how == "fatal")
    llvm::report_fatal_error("tested");
  std::raise(how == "abort" ? SIGABRT : SIGSEGV);
}

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_FAILIFTESTED_H
