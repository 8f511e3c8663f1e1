//===- Netlists.h - Fitted blocks as netlists -------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_VGIW_NETLISTS_H
#define CILK2CHAN_DIALECT_VGIW_NETLISTS_H

#include "cilk2chan/Dialect/VGIW/VGIW.h"
#include "cilk2chan/PlaceAndRoute/Netlist.h"
#include "machine/Machine.h"
#include "mlir/IR/BuiltinOps.h"

namespace cilk2chan::vgiw {

/// The nodes of a block, in its order.
llvm::SmallVector<mlir::Operation *> nodesOf(mlir::Block &block);

/// The nodes of a fitted block with the latencies of a machine whose caches
/// hit, and their edges in the order of their token operands.
pnr::Netlist makeNetlist(llvm::ArrayRef<mlir::Operation *> nodes,
                         const chansim::Machine &machine);

/// The machine that a pass over `module` is for; none after an error there.
std::optional<chansim::Machine> loadMachine(mlir::ModuleOp module,
                                            llvm::StringRef file);

} // namespace cilk2chan::vgiw

#endif // CILK2CHAN_DIALECT_VGIW_NETLISTS_H
