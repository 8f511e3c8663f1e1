//===- Batches.h - Phases of whole batches ------------------- -*- C++ -*--===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_CHANTOHOST_BATCHES_BATCHES_H
#define CILK2CHAN_CONVERSION_CHANTOHOST_BATCHES_BATCHES_H

#include "cilk2chan/Conversion/ChanToHost/Elements/Tallocs.h"
#include "cilk2chan/Conversion/ChanToHost/LaneElements/LaneElements.h"

namespace cilk2chan {

/// Lowers phase kernels to functions over the groups of a batch (chan/abi.h,
/// "batches"). A group has as many elements as there are lanes.
class Batches {
public:
  /// `sites` has the number of spawn sites of each entry stack with a batch.
  /// Without `gathers`, gathers of registers of 256 bits are slow.
  Batches(HostBuilder &builder, const Elements &elements, Lanes &lanes,
          llvm::StringMap<unsigned> sites, unsigned vectorBits, bool gathers)
      : builder(builder), elements(elements), lanes(lanes),
        sites(std::move(sites)), vectorBits(vectorBits), gathers(gathers) {}

  /// Replaces the kernel by its function.
  void lower(chan::KernelOp kernel);

private:
  HostBuilder &builder;
  const Elements &elements;
  Lanes &lanes;
  const llvm::StringMap<unsigned> sites;
  const unsigned vectorBits;
  const bool gathers;
};

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_CHANTOHOST_BATCHES_BATCHES_H
