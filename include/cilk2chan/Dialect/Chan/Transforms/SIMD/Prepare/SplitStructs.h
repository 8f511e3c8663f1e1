//===- SplitStructs.h - Structs in registers as their members ---*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_PREPARE_SPLITSTRUCTS_H
#define CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_PREPARE_SPLITSTRUCTS_H

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/TypeLayout.h"

namespace cilk2chan {

/// Has `kernel` load, store and deliver the members of structs one by one, and
/// use them where it extracts them from structs that it has put together. What
/// comes in a struct in another way, from a call or by a block's argument,
/// stays.
void splitStructs(chan::KernelOp kernel, const TypeLayout &layout);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_PREPARE_SPLITSTRUCTS_H
