//===- LaneOrders.h - Lanes side by side, without AVX-512 -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What AVX-512 has instructions for is with AVX2 a permutation, whose order a
// table has for each mask of at most eight lanes.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_LANEELEMENTS_LANEORDERS_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_LANEELEMENTS_LANEORDERS_H

#include "cilk2chan/Conversion/RuntimeInterface/HostBuilder.h"

namespace cilk2chan {

/// How many lanes of so many bits one permutation is for.
inline unsigned lanesInOrder(unsigned bits) { return bits > 32 ? 4 : 8; }

/// Those of `all` that `mask` names side by side. Lanes are at most
/// `lanesInOrder`, of 8, 32 or 64 bits; behind them is anything.
mlir::Value compressByOrder(HostBuilder &builder, mlir::Location loc,
                            mlir::Value all, mlir::Value mask);

/// The opposite: of `all` side by side, one for each lane that `mask` names.
/// Lanes have 32 or 64 bits.
mlir::Value expandByOrder(HostBuilder &builder, mlir::Location loc,
                          mlir::Value all, mlir::Value mask);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_LANEELEMENTS_LANEORDERS_H
