//===- Link.cpp - Linking with the runtime --------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Link.h"
#include "DeviceLink.h"
#include "cilk2chan/Driver/Installation.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/SanitizerArgs.h"
#include "clang/Driver/Tool.h"
#include "clang/Driver/ToolChain.h"
#include "clang/Options/Options.h"
#include "llvm/Support/Path.h"

using namespace cilk2chan;
using namespace clang::options;

/// Empty if there is none.
static llvm::StringRef runtimeName(const clang::driver::SanitizerArgs &args,
                                   bool shared) {
  if (args.needsTsanRt())
    return shared ? "" : "libchan-tsan.a";
  if (args.needsAsanRt())
    return shared ? "" : "libchan-asan.a";
  // UBSan alone has no run-time state that the library must share.
  return shared ? "libchan.so" : "libchan.a";
}

bool cilk2chan::linkRuntime(clang::driver::Compilation &compilation,
                            const Installation &installation, bool shared,
                            clang::DiagnosticsEngine &diagnostics) {
  const llvm::opt::ArgList &args = compilation.getArgs();
  if (args.hasArg(OPT_nostdlib, OPT_nodefaultlibs, OPT_r))
    return true;

  for (clang::driver::Command &job : compilation.getJobs()) {
    if (!job.getCreator().isLinkJob())
      continue;
    const clang::driver::ToolChain &toolChain = job.getCreator().getToolChain();
    llvm::StringRef name =
        runtimeName(toolChain.getSanitizerArgs(args), shared);
    if (name.empty()) {
      diagnostics.Report(diagnostics.getCustomDiagID(
          clang::DiagnosticsEngine::Error,
          "'-shared-libchan' cannot be used with a sanitizer; the runtimes "
          "for those are static"));
      return false;
    }
    llvm::SmallString<128> library(installation.libraryDirectory);
    llvm::sys::path::append(library, name);

    // A linker that reads archives once must see the runtime after all that may
    // call it, and before the standard libraries that it calls.
    llvm::opt::ArgStringList arguments = job.getArguments();
    auto position = llvm::find_if(arguments, [](llvm::StringRef argument) {
      return argument == "-lgcc" || argument == "-lc";
    });
    // Programs that spawn nothing need no runtime, and only graphs built by
    // hand use the C++ library.
    const char *added[] = {
        "--push-state", "--as-needed", args.MakeArgString(library),
        "-lstdc++",     "--pop-state", "-lpthread"};
    arguments.insert(position, std::begin(added), std::end(added));
    job.replaceArguments(std::move(arguments));
  }
  return true;
}

void cilk2chan::linkSimulator(clang::driver::Compilation &compilation,
                              const Installation &installation,
                              chansim::MachineKind kind,
                              llvm::StringRef machine) {
  const llvm::opt::ArgList &args = compilation.getArgs();
  if (args.hasArg(OPT_nostdlib, OPT_nodefaultlibs, OPT_r))
    return;
  for (clang::driver::Command &job : compilation.getJobs()) {
    if (!job.getCreator().isLinkJob())
      continue;
    llvm::opt::ArgStringList arguments = {
        args.MakeArgString(DeviceLinkMode),
        args.MakeArgString(chansim::nameOf(kind)), args.MakeArgString(machine)};
    for (const std::string &option : args.getAllArgValues(OPT_mllvm))
      arguments.append({"-mllvm", args.MakeArgString(option)});
    arguments.push_back(job.getExecutable());
    llvm::append_range(arguments, job.getArguments());
    auto library = [&](llvm::StringRef name) {
      llvm::SmallString<128> path(installation.libraryDirectory);
      llvm::sys::path::append(path, name);
      return args.MakeArgString(path);
    };
    // Before the runtime and the C++ library, which it calls.
    const char *added[] = {library("libchansim.a"), library("libchanmachine.a"),
                           "-lm"};
    arguments.insert(llvm::find(arguments, llvm::StringRef("--push-state")),
                     std::begin(added), std::end(added));
    job.replaceArguments(std::move(arguments));
    job.replaceExecutable(installation.executable.c_str());
  }
}
