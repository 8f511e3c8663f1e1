//===- Dot.h - A picture of the channel-flow graph --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_TARGET_DOT_H
#define CILK2CHAN_TARGET_DOT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace llvm {
class raw_ostream;
}

namespace cilk2chan {

/// The name that the program gives a parameter of a function; empty if it is
/// not known.
using ParameterNames =
    llvm::function_ref<std::string(llvm::StringRef function, unsigned number)>;

/// Writes the channel-flow graph of `module` (chan dialect) to `os` in the
/// language of Graphviz, drawn as ISCA'14 Figures 11 and 12 are: kernel nodes
/// are circles, channel stacks dashed boxes, the host a box; an edge into a
/// stack carries the relative level. Kernels have the lines of their code, and
/// there is a legend.
void emitDot(mlir::ModuleOp module, ParameterNames nameOf,
             llvm::raw_ostream &os);

} // namespace cilk2chan

#endif // CILK2CHAN_TARGET_DOT_H
