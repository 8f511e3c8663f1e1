//===- ImageReport.cpp - Where the time of a kernel's blocks went ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fabric/Image.h"

#include <nlohmann/json.hpp>

#include <map>

namespace chansim {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// Of all nodes of a block that do the same for the same line.
struct NodeGroup {
  uint32_t units = 0;
  uint64_t firings = 0;
  NodeTimes times;
  Refusals refusals{};
};

OrderedJson reportNodes(const BlockImage &block) {
  std::map<std::pair<std::string, std::string>, NodeGroup> groups;
  for (size_t index = 0; index != block.nodes.size(); ++index) {
    const Unit &unit = block.block->units[block.nodes[index].unit];
    NodeGroup &group = groups[{unit.line, unit.operation->name}];
    ++group.units;
    group.firings += block.firings[index];
    for (size_t reason = 0; reason != group.refusals.size(); ++reason)
      group.refusals[reason] += block.refusals[index][reason];
    if (block.times.empty())
      continue;
    group.times.queued += block.times[index].queued;
    group.times.working += block.times[index].working;
    group.times.moving += block.times[index].moving;
  }
  OrderedJson list = OrderedJson::array();
  for (const auto &[key, group] : groups) {
    OrderedJson refusals = OrderedJson::object();
    static constexpr const char *reasons[] = {"reservation", "bank_conflict",
                                              "no_mshr",     "no_target",
                                              "flushing",    "no_write_back"};
    for (size_t reason = 0; reason != group.refusals.size(); ++reason)
      if (group.refusals[reason])
        refusals[reasons[reason]] = group.refusals[reason];
    list.push_back({{"line", key.first},
                    {"op", key.second},
                    {"units", group.units},
                    {"firings", group.firings},
                    {"queued", group.times.queued},
                    {"working", group.times.working},
                    {"moving", group.times.moving},
                    {"refusals", std::move(refusals)}});
  }
  return list;
}

} // namespace

void KernelImage::reportBlocks(OrderedJson &list) const {
  for (size_t id = 0; id != blocks.size(); ++id) {
    const BlockImage &block = blocks[id];
    if (!block.counters.runs)
      continue;
    list.push_back({{"kernel", source->name},
                    {"source", source->source},
                    {"block", id},
                    {"runs", block.counters.runs},
                    {"threads", block.counters.threads},
                    {"fetching", block.counters.fetching},
                    {"configuring", block.counters.configuring},
                    {"streaming", block.counters.streaming},
                    {"nodes", reportNodes(block)}});
  }
}

} // namespace chansim
