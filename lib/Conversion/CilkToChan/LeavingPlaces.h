//===- LeavingPlaces.h - Where serial clones may stop being serial -*- C++
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An activation looks at the limit before anything deeper begins: once, where
// it can still start again as a kernel, or, if it spawns in a loop, in front of
// each child, as what it has yet to spawn may be all the work there is.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_LEAVINGPLACES_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_LEAVINGPLACES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"

namespace cilk2chan {

/// Whether one of `spawns` is in a loop.
bool isAnyInLoop(llvm::ArrayRef<mlir::Operation *> spawns);

/// The last operation of `body` that is executed before all of `sites`, and
/// before which nothing has had an effect.
mlir::Operation *lastBefore(mlir::Region &body,
                            llvm::ArrayRef<mlir::Operation *> sites);

/// Those of `calls` that no other of them, and none of `spawns`, comes before
/// on every path.
llvm::SmallVector<mlir::Operation *>
notAfterOthers(llvm::ArrayRef<mlir::Operation *> calls,
               llvm::ArrayRef<mlir::Operation *> spawns);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_LEAVINGPLACES_H
