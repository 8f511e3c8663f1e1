//===- Annotate.cpp - Where the cycles of a run went ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The report says, of each node, for how many cycles it held up threads: it was
// on their longest way through the block.  The cycles in which the block had
// the fabric are shared out among its nodes in that proportion, so that all
// lines together have all cycles.
//
// Of a machine of kind `apu`, the report also says for how many cycles wavefronts saved and
// restored their states that yielded at a node.  These are cycles of the block's, so the
// node has them as they are, and only the rest is shared out:
//
//   block: 100 cycles; yield: "yielding" 40; add: 10 cycles held up, load: 20
//   -> yield 40, add 20, load 40
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <limits>
#include <map>

using llvm::StringRef;
using namespace chansim;

namespace {

/// What threads were held up by.
enum Cause {
  Memory,
  Host,
  FirstRefusal,
  Unit = FirstRefusal + 11,
  Operation,
  Links,
  Yields,
  Causes
};
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
/// As reports name refusals, of a fabric (Dataflow) or SIMT core (Code).
constexpr const char *refusalNames[Unit - FirstRefusal] = {
    "reservation",  "bank_conflict",    "no_mshr", "no_target",
    "flushing",     "no_write_back",    "result",  "collector",
    "special_unit", "load_store_queue", "fetch"};

/// Of tables that the source does not bound.
constexpr size_t mostRows = 20;

struct Cost {
  double cycles = 0;
  double causes[Causes] = {};
  uint64_t firings = 0;

  void add(const Cost &other) {
    cycles += other.cycles;
    firings += other.firings;
    for (int cause = 0; cause < Causes; ++cause)
      causes[cause] += other.causes[cause];
  }
};

struct BlockRow {
  std::string name;
  uint64_t runs, threads, streaming, configuring, fetching;
};

/// A report, read.
struct Profile {
  std::vector<BlockRow> blocks;
  /// By file and line; and by block and operation, of what has no line.
  std::map<std::string, std::map<uint64_t, Cost>> files;
  std::map<std::string, Cost> others;
  uint64_t cycles = 0, streaming = 0, configuring = 0, fetching = 0;
};

uint64_t number(const Field &object, std::string_view key) {
  Field field = object[key];
  return field.number(0, std::numeric_limits<uint64_t>::max());
}
std::string string(const Field &object, std::string_view key) {
  Field field = object[key];
  return std::string(field.string());
}
/// How often a node was refused for a reason; counts of 0 are left out.
double refusals(const Field &node, std::string_view reason) {
  Field counts = node["refusals"];
  if (!counts.json().is_object())
    counts.mustBe("an object");
  return counts.find(reason) ? static_cast<double>(number(counts, reason)) : 0;
}

/// Whose the time of an operation is.
Cause ownerOf(StringRef operation) {
  StringRef name = operation.split('.').first;
  if (name == "syscall")
    return Host;
  bool accesses =
      name.starts_with("atomic_") ||
      llvm::is_contained({"load", "store", "cas", "reserve", "pop", "push",
                          "heap_call", "live_load", "live_store"},
                         name);
  return accesses ? Memory : Operation;
}

/// Waiting is put down to what refused the access, as often as it did.
void readCauses(const Field &node, Cause owner, double *causes) {
  causes[owner] = static_cast<double>(number(node, "working"));
  causes[Links] = static_cast<double>(number(node, "moving"));
  double queued = static_cast<double>(number(node, "queued"));
  double all = 0;
  for (const char *name : refusalNames)
    all += refusals(node, name);
  if (!all)
    causes[Unit] = queued;
  for (int i = 0; all && i < Unit - FirstRefusal; ++i)
    causes[FirstRefusal + i] = queued * refusals(node, refusalNames[i]) / all;
}

void readBlock(const Field &block, Profile &profile) {
  BlockRow row{string(block, "kernel") + ":" +
                   std::to_string(number(block, "block")),
               number(block, "runs"),
               number(block, "threads"),
               number(block, "streaming"),
               number(block, "configuring"),
               number(block, "fetching")};
  profile.streaming += row.streaming;
  profile.configuring += row.configuring;
  profile.fetching += row.fetching;
  profile.cycles += row.streaming + row.configuring + row.fetching;

  struct Node {
    std::string line, operation;
    Cost cost;
  };
  std::vector<Node> nodes;
  double all = 0;
  uint64_t yielding = 0;
  Field list = block["nodes"];
  for (uint32_t i = 0; i != list.size(); ++i) {
    Field field = list.at(i);
    Node node{string(field, "line"), string(field, "op"), {}};
    node.cost.firings = number(field, "firings");
    readCauses(field, ownerOf(node.operation), node.cost.causes);
    for (double cause : node.cost.causes)
      all += cause;
    if (field.find("yielding")) {
      uint64_t cycles = number(field, "yielding");
      yielding += cycles;
      node.cost.causes[Yields] = static_cast<double>(cycles);
    }
    nodes.push_back(std::move(node));
  }
  uint64_t rest = row.streaming - std::min(yielding, row.streaming);
  for (Node &node : nodes) {
    for (int cause = 0; cause != Causes; ++cause) {
      double &cycles = node.cost.causes[cause];
      if (cause != Yields)
        cycles *= all ? static_cast<double>(rest) / all : 0;
      node.cost.cycles += cycles;
    }
    auto [file, line] = StringRef(node.line).rsplit(':');
    // What a compiler adds has line 0 (DWARF, section 6.2.2).
    uint64_t number = 0;
    if (!line.getAsInteger(10, number) && number != 0)
      profile.files[file.str()][number].add(node.cost);
    else
      profile.others[row.name + "  " + node.operation].add(node.cost);
  }
  profile.blocks.push_back(std::move(row));
}

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
  std::string title;
  if (llvm::Error failure = forReport(file, [&] {
        Json report = readReport(file, "chansim-lines");
        Field root(report);
        Field blocks = root["blocks"];
        for (uint32_t i = 0; i != blocks.size(); ++i) {
          Field block = blocks.at(i);
          readBlock(block, profile);
        }
        title = string(root, "program") + " on " + string(root, "machine");
      }))
    return failure;

  os << llvm::formatv("{0}: {1} cycles with a tile, {2} of them streaming "
                      "threads, {3} configuring, {4} fetching "
                      "configurations\n\n",
                      title, profile.cycles, profile.streaming,
                      profile.configuring, profile.fetching);
  Printer printer(profile, directories, os);
  printer.printBlocks();
  for (const auto &[name, lines] : profile.files)
    printer.printFile(name, lines);
  printer.printOthers();
  return llvm::Error::success();
}
