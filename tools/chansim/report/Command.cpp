//===- Command.cpp - chansim report ---------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `chansim report -o fib.html ./fib 15` is
//
//   chansim run --stats=a.json --timeline=b.json --lines=c.json ./fib 15
//
// with a, b and c in a temporary folder, and then the page that is made of them.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Parts.h"

#include "session/Options.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <optional>
#include <sys/wait.h>

using namespace llvm;

namespace chansim {
namespace {

/// The file of the page.  It has its name when it is complete.
class PageFile {
public:
  ~PageFile() {
    if (temporary)
      consumeError(temporary->discard());
  }

  /// Before the run, so that it is not for nothing.
  Error open(const std::string &name) {
    path = name;
    sys::fs::file_status status;
    sys::fs::status(path, status);
    if (sys::fs::is_directory(status))
      return problem("is a folder");
    // Such as /dev/stdout.
    if (sys::fs::exists(status) && !sys::fs::is_regular_file(status))
      return Error::success();
    Expected<sys::fs::TempFile> file =
        sys::fs::TempFile::create(path + ".%%%%%%.part", 0666);
    if (!file)
      return problem(toString(file.takeError()));
    temporary.emplace(std::move(*file));
    // A page of an earlier run must not be taken for this one's.
    if (std::error_code failure = sys::fs::remove(path))
      return problem(failure.message());
    return Error::success();
  }

  Error write(StringRef text) {
    std::error_code failure;
    if (temporary) {
      raw_fd_ostream stream(temporary->FD, /*shouldClose=*/false);
      failure = writeTo(stream, text);
    } else {
      raw_fd_ostream stream(path, failure);
      if (!failure)
        failure = writeTo(stream, text);
    }
    if (failure)
      return problem(failure.message());
    if (!temporary)
      return Error::success();
    Error kept = temporary->keep(path);
    temporary.reset();
    return kept ? problem(toString(std::move(kept))) : Error::success();
  }

private:
  static std::error_code writeTo(raw_fd_ostream &stream, StringRef text) {
    stream << text;
    stream.flush();
    std::error_code failure = stream.error();
    stream.clear_error();
    return failure;
  }
  Error problem(const Twine &why) const {
    return createStringError("-o: cannot write " + path + ": " + why);
  }

  std::string path;
  std::optional<sys::fs::TempFile> temporary;
};

/// A temporary folder.
struct Folder {
  ~Folder() {
    if (!path.empty())
      sys::fs::remove_directories(path);
  }
  std::string file(StringRef name) const {
    SmallString<128> full(path);
    sys::path::append(full, name);
    return full.str().str();
  }
  SmallString<128> path;
};

/// Runs the program, and writes the page.  Its status is that of waitpid().
Expected<int> runAndDraw(RunRequest request, const std::string &output) {
  PageFile page;
  if (Error failure = page.open(output))
    return std::move(failure);
  Folder folder;
  if (std::error_code failure =
          sys::fs::createUniqueDirectory("chansim-report", folder.path))
    return createStringError("cannot make a temporary folder: " +
                             failure.message());
  const std::string statistics = folder.file("stats.json");
  const std::string timeline = folder.file("timeline.json");
  const std::string lines = folder.file("lines.json");
  request.others.clear(); // what follows has a message of its own
  request.variables.emplace_back(variable::statistics, statistics);
  request.variables.emplace_back(variable::timeline, timeline);
  request.variables.emplace_back(variable::lines, lines);
  Expected<int> status = waitForProgram(request);
  if (!status)
    return status;
  const std::string &program = request.command[0];
  for (const std::string &file : {statistics, timeline, lines}) {
    if (sys::fs::exists(file))
      continue;
    std::string why = "the program failed before there was anything to report";
    if (WIFSIGNALED(*status))
      why = "a signal ended it";
    else if (*status == 0)
      why = "it called no kernel, ended by '_exit' or 'exec', or was not "
            "compiled with 'cilk2chan --target=vgiw' or '--target=simt'";
    reportProblem("there is no page: " + program + ": " + why);
    return *status ? *status : 1 << 8;
  }
  report::RunData run;
  if (Error failure = forReport(statistics, [&] {
        run = report::RunData::read(statistics, timeline, lines);
      }))
    return std::move(failure);
  if (Error failure = page.write(report::makePage(run, request.command)))
    return std::move(failure);
  return status;
}

} // namespace

Expected<int> reportRun(const RunRequest &request, const std::string &output) {
  if (output.empty())
    return createStringError(
        "report needs a file for the page, such as 'chansim "
        "report -o page.html " +
        request.command[0] + "'");
  return runAndDraw(request, output);
}

} // namespace chansim
