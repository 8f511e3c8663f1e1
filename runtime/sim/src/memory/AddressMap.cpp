//===- AddressMap.cpp - From addresses to simulated physical memory -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memory/AddressMap.h"

#include <algorithm>

namespace chansim {

void AddressMap::interleave(Request &request, const PrivateWindow &window) {
  uint64_t offset = request.address - window.base;
  uint64_t thread = offset / window.bytesPerThread;
  uint64_t own = offset % window.bytesPerThread;
  uint64_t granule = own / window.granule, inside = own % window.granule;
  request.address = window.base +
                    (granule * window.threads + thread) * window.granule +
                    inside;
  request.bytes = static_cast<uint32_t>(
      std::min<uint64_t>(request.bytes, window.granule - inside));
}

} // namespace chansim
