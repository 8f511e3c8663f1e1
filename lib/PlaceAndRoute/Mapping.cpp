//===- Mapping.cpp - A block on the fabric --------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/PlaceAndRoute/Mapping.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace cilk2chan::pnr;

/// "40 FPU-ALUs of 32", for the kinds of which there are too few, or "".
static std::string findShortage(const Netlist &netlist,
                                const Resources &fabric) {
  std::string text;
  for (auto [index, needed] : llvm::enumerate(netlist.demand())) {
    UnitKind kind = static_cast<UnitKind>(index);
    size_t available = fabric.units(kind).size();
    if (needed > available)
      text += (text.empty() ? "" : ", ") + std::to_string(needed) + " " +
              std::string(unitName(kind)) + "s of " + std::to_string(available);
  }
  return text;
}

static std::string describe(const Resources &fabric, unsigned vertex) {
  chansim::Site site = fabric.site(vertex);
  return std::string(site.isSwitch ? "switch" : "unit") + " (" +
         std::to_string(site.at.x) + "," + std::to_string(site.at.y) + ")";
}

static MapFailure congestion(std::vector<unsigned> links,
                             const Resources &fabric) {
  const Resources::Link &first = fabric.links()[links.front()];
  std::string message =
      "no ways for all edges: " + std::to_string(links.size()) +
      " links are wanted more than once, the first from " +
      describe(fabric, first.source) + " to " + describe(fabric, first.target);
  return {MapFailure::congestion, std::move(message), std::move(links)};
}

unsigned cilk2chan::pnr::longestWay(const Netlist &netlist,
                                    const Routing &routing,
                                    const Resources &fabric) {
  std::vector<unsigned> delays;
  for (const Route &route : routing.routes)
    delays.push_back(route.size() * fabric.geometry().hopCycles);
  return Timing(netlist).update(delays);
}

MapResult cilk2chan::pnr::map(const Netlist &netlist, const Resources &fabric,
                              const MapOptions &options) {
  if (std::string fault = findFault(netlist, fabric.geometry().maxFanout);
      !fault.empty())
    return MapFailure{MapFailure::malformed, fault};
  if (!fabric.isConnected())
    return MapFailure{MapFailure::malformed,
                      "the fabric's links do not lead from every unit to every "
                      "other; see its switch_reach"};
  if (std::string shortage = findShortage(netlist, fabric); !shortage.empty())
    return MapFailure{MapFailure::units, "too few units: " + shortage};

  std::vector<unsigned> congested;
  for (unsigned attempt = 0; attempt != std::max(options.attempts, 1u);
       ++attempt) {
    Placement placement = place(netlist, fabric, options.seed + attempt,
                                options.effort << attempt);
    Routing routing =
        route(netlist, placement, fabric, options.routingIterations);
    if (routing.succeeded()) {
      unsigned longest = longestWay(netlist, routing, fabric);
      return Mapping{1, netlist, std::move(placement), std::move(routing),
                     longest};
    }
    congested = std::move(routing.congested);
  }
  return congestion(std::move(congested), fabric);
}

MapResult cilk2chan::pnr::mapReplicas(const Netlist &block,
                                      const Resources &fabric,
                                      const MapOptions &options) {
  unsigned bound = std::max(fabric.geometry().replicas, 1u);
  for (auto [kind, needed] : llvm::enumerate(block.demand()))
    if (needed != 0)
      bound = std::min<unsigned>(
          bound, fabric.units(static_cast<UnitKind>(kind)).size() / needed);

  // Links rarely run out before units: begin with the bound, then bisect.
  MapResult best = MapFailure{};
  unsigned fits = 0, fails = bound + 1, next = std::max(bound, 1u);
  while (true) {
    MapResult result = map(block.replicated(next), fabric, options);
    if (auto *mapping = std::get_if<Mapping>(&result)) {
      mapping->replicas = fits = next;
      best = std::move(result);
    } else if (next == 1) {
      return result;
    } else {
      fails = next;
    }
    if (fits + 1 >= fails)
      return best;
    next = (fits + fails) / 2;
  }
}

Settings cilk2chan::pnr::settingsOf(const Mapping &mapping,
                                    const Resources &fabric) {
  Settings settings;
  std::vector<UnitSetting> units(mapping.netlist.nodes.size());
  std::vector<SwitchSetting> switches(fabric.numUnits());
  for (auto [node, unit] : llvm::enumerate(mapping.placement)) {
    units[node].at = fabric.site(unit).at;
    units[node].node = node;
  }
  for (auto [edge, route] :
       llvm::zip_equal(mapping.netlist.edges, mapping.routing.routes)) {
    const Resources::Link *last = nullptr;
    for (unsigned index : route) {
      const Resources::Link &link = fabric.links()[index];
      if (last)
        switches[link.source - fabric.numUnits()].map.push_back(
            {last->targetPort, link.sourcePort});
      else
        units[edge.source].out.push_back(link.sourcePort);
      last = &link;
    }
    units[edge.target].in[edge.operand] = last->targetPort;
  }
  for (UnitSetting &unit : units) {
    llvm::sort(unit.out);
    settings.units.push_back(std::move(unit));
  }
  llvm::sort(settings.units, [&](const UnitSetting &a, const UnitSetting &b) {
    return mapping.placement[a.node] < mapping.placement[b.node];
  });
  for (auto [index, set] : llvm::enumerate(switches)) {
    if (set.map.empty())
      continue;
    set.at = fabric.geometry().place(index);
    llvm::sort(set.map);
    settings.switches.push_back(std::move(set));
  }
  return settings;
}
