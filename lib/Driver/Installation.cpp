//===- Installation.cpp - Where cilk2chan's own files lie -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Driver/Installation.h"
#include "clang/Basic/Version.inc"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace cilk2chan;
using llvm::StringRef;

/// `prefix`/`relative` if it has an entry `witness`, else `configured`.
static std::string locate(StringRef prefix, const llvm::Twine &relative,
                          StringRef witness, StringRef configured) {
  llvm::SmallString<128> directory(prefix);
  llvm::sys::path::append(directory, relative);
  llvm::SmallString<128> file(directory);
  llvm::sys::path::append(file, witness);
  return (llvm::sys::fs::exists(file) ? StringRef(directory) : configured)
      .str();
}

Installation Installation::find(const char *argv0) {
  // Any symbol of the executable will do; the address of main may not be taken.
  void *symbol = reinterpret_cast<void *>(&Installation::find);
  Installation result;
  result.executable = llvm::sys::fs::getMainExecutable(argv0, symbol);
  StringRef prefix = llvm::sys::path::parent_path(
      llvm::sys::path::parent_path(result.executable));
  result.clang = CILK2CHAN_CLANG;
  result.resourceDirectory =
      locate(prefix, "lib/clang/" CLANG_VERSION_MAJOR_STRING, "include",
             CILK2CHAN_RESOURCE_DIR);
  result.includeDirectory =
      locate(prefix, "include/cilk2chan", "chan/abi.h", CILK2CHAN_INCLUDE_DIR);
  result.libraryDirectory =
      locate(prefix, "lib", "libchan.a", CILK2CHAN_LIBRARY_DIR);
  result.machineDirectory = locate(prefix, "share/cilk2chan/machines",
                                   "micro15-vgiw.json", CILK2CHAN_MACHINE_DIR);
  return result;
}
