//===- Configuration.h - What the hardware is told --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_TARGET_VGIW_CONFIGURATION_H
#define CILK2CHAN_TARGET_VGIW_CONFIGURATION_H

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

/// Writes the placed kernels of a module as a configuration, in the form of
/// docs/Configuration.md. Returns the symbols whose addresses it refers to, in
/// the order of its `symbols`. REQUIRES: all kernels are in stage `placed`.
std::vector<std::string> emitConfiguration(mlir::ModuleOp module,
                                           const chansim::Machine &machine,
                                           llvm::raw_ostream &os);

/// Registers the translation `vgiw-to-configuration`.
void registerConfigurationTranslation();

} // namespace cilk2chan

#endif // CILK2CHAN_TARGET_VGIW_CONFIGURATION_H
