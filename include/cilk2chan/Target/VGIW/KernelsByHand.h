//===- KernelsByHand.h - Kernels that C programs write ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A C function becomes a kernel of a simulated machine by CHAN_KERNEL of chan/kernel.h:
//
//   CHAN_KERNEL(fib, "field 0; control fib 0; column 0 fib 0")
//   void FibKernel(uint64_t thread, FibObj *from, void *to, FibObj *fields) { ... }
//
// The front end makes an annotation of it. From here on, the function is a device function
// like those that chan-to-vgiw makes.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_TARGET_VGIW_KERNELSBYHAND_H
#define CILK2CHAN_TARGET_VGIW_KERNELSBYHAND_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace cilk2chan {

/// Makes kernels of the functions with such an annotation. What is wrong with a function
/// is told to `refuse`. Without a machine, each of them is.
void markKernelsByHand(
    llvm::Module &module, bool hasMachine,
    llvm::function_ref<void(llvm::Function &, const std::string &)> refuse);

} // namespace cilk2chan

#endif // CILK2CHAN_TARGET_VGIW_KERNELSBYHAND_H
