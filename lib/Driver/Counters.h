//===- Counters.h - Counters of profiles and coverage -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -fprofile-instr-generate a module says where something is counted by
// intrinsics, and with --coverage by metadata. Clang's back end makes counters
// of both, for the host. Kernels for a machine leave the module before:
//
//   @llvm.instrprof.increment(@__profn_fib, ...)  ->  atomicrmw add
//   @__profc_fib
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_COUNTERS_H
#define CILK2CHAN_LIB_DRIVER_COUNTERS_H

#include "clang/Basic/CodeGenOptions.h"

namespace llvm {
class Module;
} // namespace llvm

namespace cilk2chan {

/// Makes the counters that `options` ask for, in all functions of `module`, and
/// returns the options with which the back end makes no more of them. Counters
/// are atomic, as threads of a machine take turns at any instruction.
clang::CodeGenOptions makeCounters(llvm::Module &module,
                                   const clang::CodeGenOptions &options);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_COUNTERS_H
