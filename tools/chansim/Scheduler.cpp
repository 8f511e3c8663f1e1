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
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace chansim;

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

CompiledScheduler::~CompiledScheduler() {
  if (!folder.empty())
    sys::fs::remove_directories(folder);
}

std::string CompiledScheduler::inFolder(StringRef name) const {
  SmallString<128> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

Error CompiledScheduler::checkSource() const {
  auto problem = [&](const Twine &what) {
    return createStringError("--scheduler: " + what +
                             "; give a C file, as in --scheduler=mine.c");
  };
  if (!sys::fs::exists(source))
    return problem("there is no file " + source);
  if (sys::fs::is_directory(source))
    return problem(source + " is a directory");
  return Error::success();
}

/// What a compiler that failed tells about the reason.
static std::string reasonOf(StringRef messages) {
  // LLD's words.
  if (messages.contains("undefined symbol: schedule\n"))
    return "; it must define the function 'void schedule(chan_machine *)' of "
           "chan/scheduler.h";
  return "; a scheduler is freestanding C for RV64IMA: it has no C library and "
         "no floating point";
}

Error CompiledScheduler::runCompiler(ArrayRef<StringRef> arguments) const {
  std::string problem;
  const std::string output = inFolder("messages");
  std::optional<StringRef> redirects[] = {std::nullopt, std::nullopt, output};
  int status = sys::ExecuteAndWait(arguments[0], arguments, std::nullopt,
                                   redirects, 0, 0, &problem);
  std::string messages;
  if (auto buffer = MemoryBuffer::getFile(output))
    messages = (*buffer)->getBuffer().str();
  errs() << messages;
  if (status == 0)
    return Error::success();
  return createStringError("--scheduler: " + source +
                           (problem.empty()
                                ? " cannot be compiled" + reasonOf(messages)
                                : ": " + problem));
}

Error CompiledScheduler::compile(const cilk2chan::Installation &installation) {
  if (Error problem = checkSource())
    return problem;
  Expected<std::string> linker = findLinker(installation.clang);
  if (!linker)
    return linker.takeError();
  SmallString<128> made;
  if (std::error_code failure =
          sys::fs::createUniqueDirectory("chansim-scheduler", made))
    return createStringError("--scheduler: cannot make a temporary folder: " +
                             failure.message());
  folder = made.str().str();
  elf = inFolder(sys::path::filename(source).str() + ".elf");
  SmallString<128> firmware(
      sys::path::parent_path(installation.machineDirectory));
  sys::path::append(firmware, "firmware");
  auto support = [&](StringRef name) {
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
                                   source,
                                   support("entry.c"),
                                   support("support.c"),
                                   support("start.S"),
                                   "-o",
                                   elf};
  return runCompiler(
      SmallVector<StringRef>(std::begin(arguments), std::end(arguments)));
}
