//===- Assembly.h - Kernels as the assembly of a SIMT core ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_TARGET_SIMT_ASSEMBLY_H
#define CILK2CHAN_TARGET_SIMT_ASSEMBLY_H

#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace chansim {
struct Machine;
} // namespace chansim
namespace mlir {
class ModuleOp;
} // namespace mlir

namespace cilk2chan {

/// Writes the kernels of a module in the form of docs/SIMT.md. Returns the symbols
/// whose addresses the text refers to, in the order in which it names them.
/// REQUIRES: all kernels have registers.
std::vector<std::string> emitAssembly(mlir::ModuleOp module,
                                      llvm::raw_ostream &os);

/// Whether cores of the machine can run the work-groups of all kernels; if not, says
/// why. Warns of groups whose memory is not in the scratchpad. REQUIRES: all kernels
/// have registers.
llvm::LogicalResult checkGroups(mlir::ModuleOp module,
                                const chansim::Machine &machine);

/// Registers the translation `simt-to-assembly`.
void registerAssemblyTranslation();

} // namespace cilk2chan

#endif // CILK2CHAN_TARGET_SIMT_ASSEMBLY_H
