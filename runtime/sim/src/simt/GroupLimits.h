//===- GroupLimits.h - Which work-groups a core can hold --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler asks this when the machine is known, and the simulator when it reads a
// program.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_GROUPLIMITS_H
#define CHANSIM_SIMT_GROUPLIMITS_H

#include "machine/Machine.h"

#include <algorithm>
#include <bit>
#include <string>

namespace chansim::simt {

/// Of a kernel: the threads of a work-group, the bytes that they share, and the words of
/// 32 bits that a thread's registers are.
struct GroupNeeds {
  uint32_t threads;
  uint64_t bytes;
  uint32_t registerWords;
};

/// Warps of the kernel that a core holds at once: as many as have room for their
/// registers.
inline uint32_t mostWarps(uint32_t registerWords,
                          const SimtParameters &parameters) {
  if (!parameters.isTimed)
    return parameters.warps;
  uint32_t words = std::max(registerWords, 1u);
  return std::clamp(parameters.registerFile / (4 * words * parameters.lanes),
                    1u, parameters.warps);
}

/// Groups that share a warp.
inline uint32_t groupsOfWarp(const GroupNeeds &kernel,
                             const SimtParameters &parameters) {
  return std::max(parameters.lanes / kernel.threads, 1u);
}

/// Groups for whose memory the scratchpad has room; 0 if that memory is behind L1,
/// because it has not even room for those of a warp.  REQUIRES: kernel.bytes != 0.
inline uint64_t groupsInScratchpad(const GroupNeeds &kernel,
                                   const SimtParameters &parameters) {
  uint64_t places = parameters.scratchpadBytes / kernel.bytes;
  return places < groupsOfWarp(kernel, parameters) ? 0 : places;
}

/// Why a core cannot run the groups, with the key, its value and what is needed; empty
/// if it can.
inline std::string groupProblem(const GroupNeeds &kernel,
                                const SimtParameters &parameters) {
  std::string lanes = std::to_string(parameters.lanes);
  if (!std::has_single_bit(parameters.lanes))
    return "it has work-groups, and simt.lanes is " + lanes +
           ", which is no power of two";
  uint32_t warps = std::max(kernel.threads / parameters.lanes, 1u);
  uint32_t most = mostWarps(kernel.registerWords, parameters);
  if (warps <= most)
    return "";
  std::string text = "its work-groups have " + std::to_string(kernel.threads) +
                     " threads, or " + std::to_string(warps) +
                     " warps of simt.lanes " + lanes +
                     ", which a core holds together; ";
  if (parameters.warps < warps)
    return text + "simt.warps is " + std::to_string(parameters.warps);
  return text + "simt.register_file is " +
         std::to_string(parameters.registerFile) +
         ", and their registers are " +
         std::to_string(uint64_t(4) * kernel.registerWords * parameters.lanes *
                        warps) +
         " bytes";
}

/// Why the memory of the groups is not in the scratchpad of a core that has one; empty
/// if it is.
inline std::string scratchpadProblem(const GroupNeeds &kernel,
                                     const SimtParameters &parameters) {
  if (!parameters.isTimed || !parameters.scratchpadBytes || !kernel.bytes ||
      groupsInScratchpad(kernel, parameters))
    return "";
  uint32_t groups = groupsOfWarp(kernel, parameters);
  std::string text = std::to_string(kernel.bytes) + " bytes";
  if (groups > 1)
    text = "those of the " + std::to_string(groups) +
           " work-groups of a warp take " +
           std::to_string(groups * kernel.bytes) + " bytes";
  else
    text = "those of a work-group take " + text;
  return text + ", and simt.scratchpad_bytes is " +
         std::to_string(parameters.scratchpadBytes);
}

} // namespace chansim::simt

#endif // CHANSIM_SIMT_GROUPLIMITS_H
