//===- Scheduler.cpp - Compile a scheduler of the user's ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `chansim run --scheduler=mine.c PROGRAM` compiles mine.c, which defines the function
// `schedule` of chan/scheduler.h, for the aggregator's core, as CMake does with
// runtime/sim/firmware/scheduler.c, and gives the program the resulting ELF file:
//
//   mine.c, entry.c, support.c, start.S  --clang, lld-->  ELF for RV64IMA
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "cilk2chan/Driver/Installation.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

static Expected<std::string> findLinker(StringRef clang) {
  SmallString<128> real;
  if (sys::fs::real_path(clang, real))
    real = clang;
  StringRef beside = sys::path::parent_path(real);
  for (const char *name : {"ld.lld", "ld.lld-22"}) {
    if (ErrorOr<std::string> found = sys::findProgramByName(name, {beside}))
      return *found;
    if (ErrorOr<std::string> found = sys::findProgramByName(name))
      return *found;
  }
  return createStringError("--scheduler needs LLD to link a program for the "
                           "aggregator; install lld-22");
}

Expected<std::string>
chansim::compileScheduler(const std::string &file,
                          const cilk2chan::Installation &installation) {
  if (!sys::fs::exists(file))
    return createStringError("--scheduler: there is no file " + file);
  Expected<std::string> linker = findLinker(installation.clang);
  if (!linker)
    return linker.takeError();
  SmallString<128> output;
  if (std::error_code failure =
          sys::fs::createTemporaryFile(sys::path::stem(file), "elf", output))
    return createStringError("--scheduler: cannot make a temporary file: " +
                             failure.message());
  SmallString<128> firmware(
      sys::path::parent_path(installation.machineDirectory));
  sys::path::append(firmware, "firmware");
  auto source = [&](StringRef name) {
    SmallString<128> path = firmware;
    sys::path::append(path, name);
    return path.str().str();
  };
  const std::string arguments[] = {installation.clang,
                                   "--target=riscv64-unknown-elf",
                                   "-march=rv64ima",
                                   "-mabi=lp64",
                                   "-mcmodel=medany",
                                   "-std=c11",
                                   "-O2",
                                   "-ffreestanding",
                                   "-fno-builtin",
                                   "-fpie",
                                   "-Wall",
                                   "-nostdlib",
                                   "-static-pie",
                                   "--ld-path=" + *linker,
                                   "-Wl,-z,norelro",
                                   "-DCHAN_HAS_SCHEDULER",
                                   "-I" + installation.includeDirectory,
                                   file,
                                   source("entry.c"),
                                   source("support.c"),
                                   source("start.S"),
                                   "-o",
                                   output.str().str()};
  SmallVector<StringRef> words(std::begin(arguments), std::end(arguments));
  std::string problem;
  int status = sys::ExecuteAndWait(installation.clang, words, std::nullopt, {},
                                   0, 0, &problem);
  if (status == 0)
    return output.str().str();
  sys::fs::remove(output);
  return createStringError(
      "--scheduler: " + file +
      (problem.empty() ? " cannot be compiled; it must define the function "
                         "'void schedule(chan_machine *)' of chan/scheduler.h"
                       : ": " + problem));
}
