//===- Passes.h - The passes of the simt dialect ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_SIMT_PASSES_H
#define CILK2CHAN_DIALECT_SIMT_PASSES_H

#include "cilk2chan/Dialect/SIMT/SIMT.h"
#include "mlir/Pass/Pass.h"

namespace cilk2chan {

#define GEN_PASS_DECL
#include "cilk2chan/Dialect/SIMT/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "cilk2chan/Dialect/SIMT/Passes.h.inc"

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_SIMT_PASSES_H
