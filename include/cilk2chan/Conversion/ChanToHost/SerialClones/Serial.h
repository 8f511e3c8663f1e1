//===- Serial.h - What serial clones need of the channels -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_CHANTOHOST_SERIALCLONES_SERIAL_H
#define CILK2CHAN_CONVERSION_CHANTOHOST_SERIALCLONES_SERIAL_H

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/TypeLayout.h"

namespace cilk2chan {

/// Makes these, and the bodies of the functions by which clones enqueue
/// children (LatePrefix).
void createSerialFunctions(mlir::ModuleOp module, const TypeLayout &layout);

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_CHANTOHOST_SERIALCLONES_SERIAL_H
