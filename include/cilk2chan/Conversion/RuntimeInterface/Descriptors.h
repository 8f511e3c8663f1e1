//===- Descriptors.h - Channel stacks as data -------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_DESCRIPTORS_H
#define CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_DESCRIPTORS_H

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/TypeLayout.h"

namespace cilk2chan {

/// What the host's processor must have: `chan_module`.
struct HostRequirement {
  std::string processor, features;
};

/// Emits the `chan_channel` of each stack and registers the entry stacks of C
/// functions with the runtime when the object is loaded. Where the kernels do
/// not run on the host the descriptors have none: a simulator knows them by the
/// address of their channel.
void emitDescriptors(mlir::ModuleOp module, const TypeLayout &layout,
                     bool onHost, const HostRequirement &requirement = {});

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_DESCRIPTORS_H
