//===- Annotate.cpp - Prints where the cycles of a run went ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile (Profile.h) as text: the blocks, and the lines of each source beside it:
//
//   cycles     %     firings  spent on                     line
//    31200  12.4        2109  memory 61 %, links 20 %        21  int x = cilk_spawn fib(n - 1);
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Profile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using llvm::StringRef;
using namespace chansim;

namespace {

constexpr const char *causeNames[Causes] = {"memory",
                                            "system calls",
                                            "reservation buffer",
                                            "bank conflicts",
                                            "full MSHRs",
                                            "targets of an MSHR",
                                            "a flush",
                                            "write-backs",
                                            "awaited operands",
                                            "no collector",
                                            "busy special units",
                                            "full load/store queue",
                                            "instruction fetch",
                                            "a busy unit",
                                            "the operation",
                                            "links",
                                            "yields"};
/// Of tables that the source does not bound.
constexpr size_t mostRows = 20;

class Printer {
public:
  Printer(const Profile &profile, llvm::ArrayRef<std::string> directories,
          llvm::raw_ostream &os)
      : profile(profile), directories(directories), os(os) {}

  void printBlocks();
  void printFile(StringRef file, const std::map<uint64_t, Cost> &lines);
  void printOthers();

private:
  void printCost(const Cost &cost);
  std::string share(double cycles) const {
    return llvm::formatv("{0:F1}", profile.cycles
                                       ? cycles * 100 / double(profile.cycles)
                                       : 0)
        .str();
  }
  std::unique_ptr<llvm::MemoryBuffer> findSource(StringRef file) const;

  const Profile &profile;
  llvm::ArrayRef<std::string> directories;
  llvm::raw_ostream &os;
};

void Printer::printBlocks() {
  std::vector<BlockRow> rows = profile.blocks;
  llvm::sort(rows, [](const BlockRow &a, const BlockRow &b) {
    return std::pair(b.streaming, a.name) < std::pair(a.streaming, b.name);
  });
  os << llvm::formatv("{0,12} {1,5} {2,9} {3,11} {4,12} {5,9}  block\n",
                      "cycles", "%", "runs", "threads", "configuring",
                      "fetching");
  for (const BlockRow &row : llvm::ArrayRef(rows).take_front(mostRows))
    os << llvm::formatv("{0,12} {1,5} {2,9} {3,11} {4,12} {5,9}  {6}\n",
                        row.streaming, share(double(row.streaming)), row.runs,
                        row.threads, row.configuring, row.fetching, row.name);
  if (rows.size() > mostRows)
    os << llvm::formatv("{0,62} and {1} more\n", "", rows.size() - mostRows);
}

/// Cycles, their share, firings, and the two things that cost most; yields are one of
/// them if they cost 5 % or more.
void Printer::printCost(const Cost &cost) {
  llvm::SmallVector<int> order;
  for (int cause = 0; cause < Causes; ++cause)
    if (cost.cycles > 0 && cost.causes[cause] >= cost.cycles / 20)
      order.push_back(cause);
  llvm::sort(order, [&](int a, int b) {
    return std::pair(cost.causes[b], a) < std::pair(cost.causes[a], b);
  });
  // Yields are rare, and what a programmer can avoid by other channels.
  auto yields = llvm::find(order, int(Yields));
  if (order.size() > 2 && yields != order.end() && yields > order.begin() + 1)
    std::swap(order[1], *yields);
  std::string causes;
  for (int cause : llvm::ArrayRef(order).take_front(2))
    causes += llvm::formatv("{0}{1} {2:F0} %", causes.empty() ? "" : ", ",
                            causeNames[cause],
                            cost.causes[cause] * 100 / cost.cycles);
  os << llvm::formatv("{0,12:F0} {1,5} {2,11}  {3,-36}", cost.cycles,
                      share(cost.cycles), cost.firings, causes);
}

std::unique_ptr<llvm::MemoryBuffer> Printer::findSource(StringRef file) const {
  auto tryPath = [](const llvm::Twine &path) {
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
    return buffer ? std::move(*buffer) : nullptr;
  };
  if (auto buffer = tryPath(file))
    return buffer;
  // What was compiled elsewhere: as much of its path as there is here.
  for (const std::string &directory : directories)
    for (StringRef rest = llvm::sys::path::relative_path(file); !rest.empty();
         rest = rest.split('/').second) {
      llvm::SmallString<128> path(directory);
      llvm::sys::path::append(path, rest);
      if (auto buffer = tryPath(path))
        return buffer;
    }
  return nullptr;
}

void Printer::printFile(StringRef file, const std::map<uint64_t, Cost> &costs) {
  std::unique_ptr<llvm::MemoryBuffer> source = findSource(file);
  os << '\n' << file;
  if (!source)
    os << " (not found: name its directory by --source)";
  os << llvm::formatv("\n{0,12} {1,5} {2,11}  {3,-36} {4,6}\n", "cycles", "%",
                      "firings", "spent on", "line");
  llvm::SmallVector<StringRef> text;
  if (source) {
    StringRef lines = source->getBuffer();
    lines.consume_back("\n");
    lines.split(text, '\n');
  }
  constexpr uint64_t context = 2; // lines before and after
  const uint64_t end = text.size();
  uint64_t last = 0; // that has been printed
  auto printLine = [&](uint64_t number) {
    if (last && number - last > 1)
      os << llvm::formatv("{0,75}\n", "...");
    if (auto cost = costs.find(number); cost != costs.end())
      printCost(cost->second);
    else
      os << llvm::formatv("{0,68}", "");
    os << llvm::formatv(" {0,6}", number);
    if (number <= end)
      os << "  " << text[number - 1].rtrim();
    os << '\n';
    last = number;
  };
  for (const auto &[number, cost] : costs) {
    uint64_t before = number > context ? number - context : 1;
    for (uint64_t i = std::max(last + 1, before); i < number && i <= end; ++i)
      printLine(i);
    printLine(number);
    auto following = costs.upper_bound(number);
    uint64_t stop = following == costs.end() ? end : following->first - 1;
    for (uint64_t i = 1; i <= context && number < stop && i <= stop - number &&
                         number < end && i <= end - number;
         ++i)
      printLine(number + i);
  }
}

void Printer::printOthers() {
  if (profile.others.empty())
    return;
  std::vector<std::pair<std::string, Cost>> rows(profile.others.begin(),
                                                 profile.others.end());
  llvm::sort(rows, [](const auto &a, const auto &b) {
    return std::pair(b.second.cycles, a.first) <
           std::pair(a.second.cycles, b.first);
  });
  os << "\nwithout a line (-g gives lines to what is in the source)\n";
  for (const auto &[name, cost] : llvm::ArrayRef(rows).take_front(mostRows)) {
    printCost(cost);
    os << ' ' << name << '\n';
  }
  if (rows.size() > mostRows)
    os << llvm::formatv("{0,68} and {1} more\n", "", rows.size() - mostRows);
}

} // namespace

llvm::Error chansim::annotateLines(const std::string &file,
                                   llvm::ArrayRef<std::string> directories,
                                   llvm::raw_ostream &os) {
  Profile profile;
  if (llvm::Error failure =
          forReport(file, [&] { profile = Profile::read(file); }))
    return failure;

  os << profile.program << " on " << profile.machine << ": " << profile.cycles
     << " cycles of tiles";
  if (profile.configuring || profile.fetching)
    os << ", " << profile.streaming << " of them streaming threads, "
       << profile.configuring << " configuring, " << profile.fetching
       << " fetching configurations";
  os << "\n\n";
  Printer printer(profile, directories, os);
  printer.printBlocks();
  for (const auto &[name, lines] : profile.files)
    printer.printFile(name, lines);
  printer.printOthers();
  return llvm::Error::success();
}
