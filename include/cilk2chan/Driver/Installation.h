//===- Installation.h - Where cilk2chan's own files lie ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DRIVER_INSTALLATION_H
#define CILK2CHAN_DRIVER_INSTALLATION_H

#include <string>

namespace cilk2chan {

/// The files a compilation needs besides the user's.  A path beside the running
/// executable (bin/../lib, bin/../include) wins over the one that the build was
/// configured with, so an installed tree can be moved.
struct Installation {
  /// The running program.
  std::string executable;
  /// The clang whose toolchain, linker and headers are used.
  std::string clang;
  /// Clang's own headers and run-time libraries.
  std::string resourceDirectory;
  /// Has <cilk/cilk.h> and <chan/...>.
  std::string includeDirectory;
  /// Has libchan.a and its variants.
  std::string libraryDirectory;
  /// Has the machine files.
  std::string machineDirectory;

  /// Looks around the executable that was started as `argv0`.
  static Installation find(const char *argv0);
};

} // namespace cilk2chan

#endif // CILK2CHAN_DRIVER_INSTALLATION_H
