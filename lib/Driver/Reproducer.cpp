//===- Reproducer.cpp - What shows an internal error again ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reproducer.h"
#include "DeviceLink.h"

#include "cilk2chan/Driver/CompilationSteps.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Job.h"
#include "clang/Driver/Tool.h"
#include "clang/Options/Options.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace cilk2chan;
using namespace clang::options;
using clang::driver::Command;
using clang::driver::Compilation;
using llvm::StringRef;

/// The job may not end a second time either.
static constexpr unsigned secondsForJob = 60;

namespace {
class Reproducer {
public:
  Reproducer(const Compilation &compilation, const Command &job)
      : compilation(compilation), job(job) {}

  void write();

private:
  bool choosePlace();
  std::string file(StringRef extension) const {
    return (place + "." + extension).str();
  }
  bool isCompilation() const {
    return !job.getArguments().empty() &&
           StringRef(job.getArguments()[0]) == "-cc1";
  }
  int rerun(llvm::ArrayRef<StringRef> first, llvm::ArrayRef<StringRef> last,
            StringRef messages = {}) const;
  bool writeSource(StringRef name) const;
  bool writeForms(StringRef name) const;
  bool writeLinkInputs(StringRef name) const;
  bool writeScript(StringRef name, StringRef source) const;

  const Compilation &compilation;
  const Command &job;
  /// The files' path but for the extension.
  llvm::SmallString<128> place;
};
} // namespace

/// False, with a note, if there is none.
bool Reproducer::choosePlace() {
  llvm::SmallString<128> pattern;
  if (const llvm::opt::Arg *directory =
          compilation.getArgs().getLastArg(OPT_fcrash_diagnostics_dir)) {
    pattern = directory->getValue();
    (void)llvm::sys::fs::create_directories(pattern);
  } else {
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, pattern);
  }
  StringRef input = isCompilation() && !job.getInputInfos().empty()
                        ? job.getInputInfos()[0].getFilename()
                        : "link";
  llvm::sys::path::append(
      pattern,
      (input == "-" ? "stdin" : llvm::sys::path::stem(input)) + "-%%%%%%.sh");
  // The script is made at once, so that the name is ours.
  int descriptor;
  if (std::error_code failure =
          llvm::sys::fs::createUniqueFile(pattern, descriptor, place)) {
    llvm::errs() << "cilk2chan: note: there is no reproducer: '" << pattern
                 << "': " << failure.message() << '\n';
    return false;
  }
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true);
  llvm::sys::path::replace_extension(place, "");
  return true;
}

/// Runs the compilation in a process of its own, with more arguments at both
/// ends.
int Reproducer::rerun(llvm::ArrayRef<StringRef> first,
                      llvm::ArrayRef<StringRef> last,
                      StringRef messages) const {
  llvm::ArrayRef<const char *> own = job.getArguments();
  llvm::SmallVector<StringRef> command = {job.getExecutable(), own.front()};
  llvm::append_range(command, first);
  llvm::append_range(command, own.drop_front());
  llvm::append_range(command, last);
  std::optional<StringRef> redirects[] = {"", "", messages};
  return llvm::sys::ExecuteAndWait(job.getExecutable(), command, std::nullopt,
                                   redirects, secondsForJob);
}

/// The preprocessed source, or, if the error is the preprocessor's, the source.
bool Reproducer::writeSource(StringRef name) const {
  if (rerun({}, {"-disable-pragma-debug-crash", "-E", "-o", name}) == 0)
    return true;
  StringRef input = job.getInputInfos()[0].getFilename();
  return input != "-" && !llvm::sys::fs::copy_file(input, name);
}

/// What the steps made, as far as the job comes.
bool Reproducer::writeForms(StringRef name) const {
  std::string dumps = "--dump-after=" + listDumps(",");
  rerun({dumps}, {"-o", "/dev/null"}, name);
  // The first is LLVM IR; an error in front of that leaves messages only.
  auto buffer = llvm::MemoryBuffer::getFile(name);
  if (buffer && (*buffer)->getBuffer().contains("; ModuleID"))
    return true;
  llvm::sys::fs::remove(name);
  return false;
}

/// lld makes an archive of what it reads, and of the command, before it works
/// on that.
bool Reproducer::writeLinkInputs(StringRef name) const {
  llvm::ArrayRef<const char *> arguments = job.getArguments();
  StringRef linker = job.getExecutable();
  if (!arguments.empty() && arguments[0] == DeviceLinkMode) {
    DeviceLinkCommand link(arguments.drop_front());
    linker = link.linker;
    arguments = link.linkerArguments;
  }
  llvm::SmallVector<StringRef> command = {linker};
  llvm::append_range(command, arguments);
  std::string option = ("--reproduce=" + name).str();
  llvm::append_values(command, StringRef("-o"), StringRef("/dev/null"),
                      StringRef(option));
  std::optional<StringRef> nowhere[] = {"", "", ""};
  llvm::sys::ExecuteAndWait(linker, command, std::nullopt, nowhere,
                            secondsForJob);
  return llvm::sys::fs::exists(name);
}

bool Reproducer::writeScript(StringRef name, StringRef source) const {
  std::error_code failure;
  llvm::raw_fd_ostream script(name, failure);
  if (failure)
    return false;
  script
      << "#!/bin/sh\n# Shows an internal error of cilk2chan " CILK2CHAN_VERSION
         " again.\n";
  clang::driver::CrashReportInfo moved(source, "");
  if (isCompilation()) {
    script << "cd \"$(dirname \"$0\")\" &&\n";
    // Where the result goes has been left out.
    job.Print(script, " -o /dev/null\n", /*Quote=*/true, &moved);
  } else {
    script << "# The inputs are in " << llvm::sys::path::filename(source)
           << ".\n";
    job.Print(script, "\n", /*Quote=*/true);
  }
  return true;
}

void Reproducer::write() {
  const llvm::opt::ArgList &arguments = compilation.getArgs();
  // -fno-crash-diagnostics is an alias of the first.
  if (arguments.getLastArgValue(OPT_gen_reproducer_eq) == "off" ||
      arguments.getLastArgValue(OPT_fcrash_diagnostics_EQ) == "off") {
    llvm::errs() << "cilk2chan: note: without '-fno-crash-diagnostics' a "
                    "reproducer would be written\n";
    return;
  }
  if (!choosePlace())
    return;
  std::string script = file("sh"), forms = file("ir");
  StringRef input = job.getInputInfos().empty()
                        ? StringRef()
                        : job.getInputInfos()[0].getFilename();
  std::string source =
      isCompilation()
          ? file(llvm::sys::path::has_extension(input)
                     ? llvm::sys::path::extension(input).drop_front()
                     : StringRef("c"))
          : file("tar");
  bool hasSource =
      isCompilation() ? writeSource(source) : writeLinkInputs(source);
  if (!writeScript(script, source))
    return;
  llvm::errs() << "cilk2chan: note: '" << script << "' reproduces it";
  if (hasSource)
    llvm::errs() << ", from '" << source << '\'';
  if (isCompilation() && writeForms(forms))
    llvm::errs() << "; '" << forms << "' has the forms before it";
  llvm::errs() << "\ncilk2chan: note: please report it, with these files";
  if (isCompilation())
    llvm::errs() << "; without optimization (-O0) or parallelism "
                    "(-fcilk-serialize) the program may compile";
  llvm::errs() << '\n';
}

void cilk2chan::writeReproducer(const Compilation &compilation,
                                const Command &job) {
  Reproducer(compilation, job).write();
}
