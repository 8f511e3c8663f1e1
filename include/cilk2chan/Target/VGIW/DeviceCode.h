//===- DeviceCode.h - Device functions from file to program -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An object for a machine holds the host's part of the program as code, and in
// a section of its own, which the linker leaves out, the whole file as LLVM IR
// with its device functions. When a program is linked, the IR of all its
// objects becomes one configuration and the few functions that the host does
// for the kernels.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_TARGET_VGIW_DEVICECODE_H
#define CILK2CHAN_TARGET_VGIW_DEVICECODE_H

#include "cilk2chan/Conversion/DeviceChannels.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <memory>

namespace chansim {
struct Machine;
} // namespace chansim
namespace llvm {
class LLVMContext;
class Module;
class StringSaver;
} // namespace llvm
namespace mlir {
class ModuleOp;
} // namespace mlir

namespace cilk2chan {

/// The section of device IR.
inline constexpr llvm::StringLiteral DeviceSection = ".cilk2chan.device";

/// Moves the device functions of a module into its device section. What the
/// module keeps to itself gets names of its own that the device functions of a
/// program can refer to.
void embedDeviceCode(llvm::Module &module);

/// The device IR in an object file, or in one of bitcode that -flto has made,
/// if there is any: in the buffer, or in memory of `saver`.
llvm::Expected<llvm::SmallVector<llvm::StringRef, 1>>
findDeviceCode(llvm::MemoryBufferRef object, llvm::StringSaver &saver);

/// Links device IR for a machine with such channels, and optimises it: what kernels
/// call is inlined.
llvm::Expected<std::unique_ptr<llvm::Module>>
linkDeviceCode(llvm::ArrayRef<llvm::StringRef> parts,
               llvm::LLVMContext &context,
               const DeviceChannelOptions &channels);

/// What the host needs of a linked device module: the system-level operations
/// that kernels make, the configuration and the machine's description as data,
/// the addresses of the configuration's symbols, and a constructor that tells
/// the simulator.
void makeHostPart(llvm::Module &module, llvm::StringRef configuration,
                  llvm::ArrayRef<std::string> symbols, llvm::StringRef machine);

} // namespace cilk2chan

#endif // CILK2CHAN_TARGET_VGIW_DEVICECODE_H
