//===- BelowGrainLoops.h - Loops too short to divide ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_IMPORT_LIGHTLOOPS_H
#define CILK2CHAN_LIB_FRONTEND_IMPORT_LIGHTLOOPS_H

#include "Finding.h"

#include "llvm/IR/PassManager.h"

namespace cilk2chan {

/// Makes parallel loops serial that take about a microsecond at most, as often
/// as they run: of a constant number of iterations, of which the cost is known,
/// since there are neither loops but such nor unknown calls in them, and
/// without a grain size that the program chooses.  A function that has no
/// others spawns nothing, and is what it is in the serial elision.
///
/// The bodies of loops, and what has loops, will be in SSA form.
llvm::SmallVector<Finding>
serializeLightLoops(llvm::Module &module,
                    llvm::FunctionAnalysisManager &analyses);

/// Marks the outlined bodies of parallel loops of whose iterations the cost is
/// known, since there are neither loops nor unknown calls in them, with
/// LeastRangeAttribute: so many take about a microsecond, less than it takes to
/// give them away.
///
/// The bodies will be in SSA form.
void markLightLoops(llvm::Module &module,
                    llvm::FunctionAnalysisManager &analyses);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_IMPORT_LIGHTLOOPS_H
