//===- LaneAccesses.h - Gathers that the processor lacks --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_CHANTOHOST_LANEELEMENTS_LANEACCESSES_H
#define CILK2CHAN_CONVERSION_CHANTOHOST_LANEELEMENTS_LANEACCESSES_H

#include "cilk2chan/Conversion/RuntimeInterface/HostBuilder.h"

#include "cilk2chan/Dialect/Chan/Chan.h"

namespace cilk2chan {

/// Whether the accesses of the kernel's function are to be watched.
bool isSanitized(chan::KernelOp kernel);

/// Replaces the gathers and scatters of `function` for which registers of
/// `vectorBits` have no instruction, or of 256 bits one that is slow (without
/// `gathers`), by an access for each lane. LLVM would
/// branch around those of lanes that take no part; here they access a spare
/// word of the C stack. Gathers of less than words become those of words,
/// which read what stands beside, unless accesses are to be `exact`: if a
/// sanitizer will look at them.
void expandLaneAccesses(mlir::LLVM::LLVMFuncOp function, HostBuilder &builder,
                        unsigned vectorBits, bool gathers, bool exact);

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_CHANTOHOST_LANEELEMENTS_LANEACCESSES_H
