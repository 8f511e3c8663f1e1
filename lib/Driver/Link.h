//===- Link.h - Linking with the runtime ------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_LINK_H
#define CILK2CHAN_LIB_DRIVER_LINK_H

#include "machine/Machine.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class DiagnosticsEngine;
} // namespace clang
namespace clang::driver {
class Compilation;
} // namespace clang::driver

namespace cilk2chan {

struct Installation;

/// Adds libchan, in the variant that the program's sanitizers need, and the
/// threads library to the link jobs of `compilation`, unless the user asked for
/// a link without standard libraries or for a relocatable file.  With `shared`
/// it is libchan.so.  Returns false after an error, which `diagnostics` has.
bool linkRuntime(clang::driver::Compilation &compilation,
                 const Installation &installation, bool shared,
                 clang::DiagnosticsEngine &diagnostics);

/// Lets the link jobs of a program for a machine make its configuration, and
/// adds the simulator. After linkRuntime.
void linkSimulator(clang::driver::Compilation &compilation,
                   const Installation &installation, chansim::MachineKind kind,
                   llvm::StringRef machine);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_LINK_H
