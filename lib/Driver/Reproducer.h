//===- Reproducer.h - What shows an internal error again --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a compilation, three files, below the directory for temporary files or
// that of -fcrash-diagnostics-dir:
//
//   f-1c0e5f.c    the source, preprocessed
//   f-1c0e5f.sh   the command, for that source beside it
//   f-1c0e5f.ir   what the steps before the error made of it
//
// Of a link by lld, a script and the archive of all inputs that lld makes.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_REPRODUCER_H
#define CILK2CHAN_LIB_DRIVER_REPRODUCER_H

namespace clang::driver {
class Command;
class Compilation;
} // namespace clang::driver

namespace cilk2chan {

/// Writes the reproducer of `job`, which has failed by an internal error, and
/// prints a note that says where it is.
void writeReproducer(const clang::driver::Compilation &compilation,
                     const clang::driver::Command &job);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_REPRODUCER_H
