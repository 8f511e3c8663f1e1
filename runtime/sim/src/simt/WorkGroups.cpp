//===- WorkGroups.cpp - Threads that wait for each other ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/WorkGroups.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace chansim::simt {

void WorkGroups::begin(const Tile &begun, const Kernel &of,
                       uint32_t warpLanes) {
  tile = &begun;
  kernel = &of;
  size = kernel->groupThreads;
  lanes = warpLanes;
  groups.clear();
  if (!size)
    return;
  groups.assign(tile->threads / size, Group{});
}

void WorkGroups::resume() {
  for (Group &group : groups)
    group.yielded = 0;
}

uint32_t WorkGroups::warpsTogether() const {
  return groups.empty() ? 1 : std::max(size / lanes, 1u);
}

std::pair<uint32_t, uint32_t> WorkGroups::groupsOf(uint32_t warp) const {
  uint32_t first = warp * lanes / size;
  if (size >= lanes)
    return {first, first + 1};
  return {first,
          std::min(first + lanes / size, static_cast<uint32_t>(groups.size()))};
}

/// In each of its warps, or in the warp in which it is.
LaneMask WorkGroups::lanesOf(uint32_t group) const {
  uint32_t count = std::min(size, lanes);
  uint32_t first = size >= lanes ? 0 : group * size % lanes;
  return (~LaneMask(0) >> (kMostLanes - count)) << first;
}

bool WorkGroups::hasYielded(uint32_t warp) const {
  auto [first, behind] = groupsOf(warp);
  return std::any_of(groups.begin() + first, groups.begin() + behind,
                     [](const Group &group) { return group.yielded != 0; });
}

void WorkGroups::release(uint32_t group) {
  groups[group].waiting = 0;
  ++barriers;
  uint32_t first = group * size / lanes;
  for (uint32_t warp = first; warp != first + std::max(size / lanes, 1u);
       ++warp) {
    if (!released.empty() && released.back().warp == warp)
      released.back().lanes |= lanesOf(group);
    else
      released.push_back({warp, lanesOf(group)});
  }
}

void WorkGroups::check(uint32_t number) const {
  const Group &group = groups[number];
  if (!group.waiting || !group.ended || group.waiting + group.ended != size)
    return;
  uint32_t line = kernel->instructions[group.barrier].line;
  tile->refuseRace(number, group.waiting,
                   line == kNone ? "" : kernel->lines[line]);
}

const std::vector<WorkGroups::Released> &
WorkGroups::note(uint32_t warp, const Warp::Executed &executed) {
  using Kind = Instruction::Kind;
  released.clear();
  Kind kind = executed.instruction->kind;
  if (groups.empty() ||
      (kind != Kind::bar && kind != Kind::exit && kind != Kind::yield))
    return released;
  auto [first, behind] = groupsOf(warp);
  for (uint32_t number = first; number != behind; ++number) {
    Group &group = groups[number];
    auto count =
        static_cast<uint32_t>(std::popcount(executed.lanes & lanesOf(number)));
    (kind == Kind::bar    ? group.waiting
     : kind == Kind::exit ? group.ended
                          : group.yielded) += count;
    if (kind == Kind::bar && count)
      group.barrier = executed.pc;
    check(number);
    if (group.waiting == size)
      release(number);
  }
  return released;
}

} // namespace chansim::simt
