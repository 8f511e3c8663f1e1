//===- DeviceLink.h - The link of a program for a machine -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_DEVICELINK_H
#define CILK2CHAN_LIB_DRIVER_DEVICELINK_H

#include "machine/Machine.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cilk2chan {

/// The first argument of a device link. Link jobs become
/// `cilk2chan DeviceLinkMode KIND MACHINE [-mllvm OPTION]... LINKER ARGUMENT...`
inline constexpr llvm::StringLiteral DeviceLinkMode = "-device-link";

/// The parts of such a command.
struct DeviceLinkCommand {
  /// `arguments` are those behind DeviceLinkMode.
  explicit DeviceLinkCommand(llvm::ArrayRef<const char *> arguments);

  /// Of the machine.
  chansim::MachineKind kind;
  llvm::StringRef machine, linker;
  llvm::SmallVector<std::string> llvmOptions;
  llvm::ArrayRef<const char *> linkerArguments;
};

/// Makes one configuration of the device code in the objects that the linker is
/// given, an object of that, and runs the linker with it. Returns the exit
/// status.
int runDeviceLink(const DeviceLinkCommand &command);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_DEVICELINK_H
