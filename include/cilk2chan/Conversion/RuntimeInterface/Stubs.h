//===- Stubs.h - C symbols that enter the runtime ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_STUBS_H
#define CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_STUBS_H

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/TypeLayout.h"

namespace cilk2chan {

/// Gives the C function of each entry stack a stub `__chan_stub.NAME`, which
/// becomes its body: one element on the C stack, run to the end.
void createStubs(mlir::ModuleOp module, const TypeLayout &layout);

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_STUBS_H
