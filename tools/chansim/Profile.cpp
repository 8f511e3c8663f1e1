//===- Profile.cpp - Where the cycles of a run went -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profile.h"
#include "Commands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <limits>

using llvm::StringRef;

namespace chansim {
namespace {

/// As reports name refusals, of a fabric (Dataflow) or SIMT core (Code).
constexpr const char *refusalNames[Unit - FirstRefusal] = {
    "reservation",  "bank_conflict",    "no_mshr", "no_target",
    "flushing",     "no_write_back",    "result",  "collector",
    "special_unit", "load_store_queue", "fetch"};

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

} // namespace

Profile Profile::read(const std::string &file) {
  Json report = readReport(file, "chansim-lines");
  Field root(report);
  Profile profile;
  profile.program = string(root, "program");
  profile.machine = string(root, "machine");
  Field blocks = root["blocks"];
  for (uint32_t i = 0; i != blocks.size(); ++i) {
    Field block = blocks.at(i);
    readBlock(block, profile);
  }
  return profile;
}

} // namespace chansim
