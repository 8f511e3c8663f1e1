//===- DataflowReport.cpp - What the fabric did, and waits for ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fabric/Dataflow.h"
#include "fabric/Routes.h"

#include <algorithm>
#include <utility>

namespace chansim {

void Dataflow::account() {
  if (!image)
    return;
  for (uint32_t index = 0; index != image->nodes.size(); ++index) {
    const ImageNode &node = image->nodes[index];
    uint64_t fired = std::exchange(firings[index], 0);
    image->firings[index] += fired;
    const Operation &operation = *image->block->units[node.unit].operation;
    counters.firings[static_cast<size_t>(operation.unit)] += fired;
    arithmetic.count(operation, fired);
    uint64_t dropped = std::exchange(drops[index], 0);
    counters.dropped += dropped;
    fired -= dropped;
    counters.tokens += fired * (node.lastEdge - node.firstEdge);
    for (uint32_t edge = node.firstEdge; edge != node.lastEdge; ++edge) {
      counters.hops += fired * (image->edges[edge].delay / hopCycles);
      counters.pitches += fired * image->edges[edge].pitches;
    }
  }
}

std::string Dataflow::describe(uint32_t node) const {
  const Unit &unit = image->block->units[image->nodes[node].unit];
  return unit.operation->name + " at " + placeText(unit.at) +
         (unit.line.empty() ? "" : " (" + unit.line + ")");
}

/// Which operands of a thread a node waits for; false if it waits for none.
bool Dataflow::explainEntry(uint32_t node, uint32_t channel,
                            std::string &text) const {
  const ImageNode &decoded = image->nodes[node];
  uint8_t have = arrived[entry(node, channel)];
  if (!have)
    return false;
  text += "  " + describe(node) + ": thread " +
          std::to_string(threadOf(decoded, channel));
  if (have == decoded.allTokens) {
    if (isWindow && isWaiting[entry(node, channel)])
      text += " waits for a free entry at a consumer\n";
    else
      text += " is ready\n";
    return true;
  }
  text += " waits for";
  const Unit &unit = image->block->units[decoded.unit];
  uint32_t token = 0;
  for (uint32_t input = 0; input != unit.inputs.size(); ++input) {
    if (unit.inputs[input].kind != Input::Kind::token)
      continue;
    if (!(have >> token++ & 1)) {
      text += " in[" + std::to_string(input) + "]";
      for (uint32_t source = 0; source != image->nodes.size(); ++source)
        for (const Edge &edge : image->block->edges)
          if (edge.source == image->nodes[source].unit &&
              edge.target == decoded.unit && edge.input == input)
            text += " from " + describe(source);
    }
  }
  text += "\n";
  return true;
}

void Dataflow::explain(std::string &text) const {
  if (!image)
    return;
  constexpr uint32_t most = 20;
  uint32_t lines = 0;
  for (uint32_t node = 0; node != image->nodes.size(); ++node) {
    if (nodes[node].inFlight) {
      text += "  " + describe(node) + ": " +
              std::to_string(nodes[node].inFlight) +
              " accesses wait for the memory\n";
      ++lines;
    }
    for (uint32_t channel = 0; channel != channels; ++channel) {
      std::string line;
      if (explainEntry(node, channel, line) && lines++ < most)
        text += line;
    }
  }
  if (lines > most)
    text += "  and " + std::to_string(lines - most) + " more\n";
  const std::vector<Initiator> &initiators = scheduler.initiators();
  for (uint32_t replica = 0; replica != initiators.size(); ++replica) {
    if (initiators[replica].hasThread() && isFull(replica))
      text += "  " + describe(image->replicas[replica].initiator) +
              ": waits for one of " + std::to_string(channels) +
              " virtual channels\n";
  }
}

} // namespace chansim
