//===- Liveness.h - Registers that are still read ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register is live at an instruction if a thread that goes on there may read it
// before it writes it:
//
//        yield again, p0          live at `again`: s1, as s0 is written first
//   again:
//        add.i32 s0, s1, 1
//        store.i32 [p0], s0
//
// A wavefront that yields need keep no other registers (Orr et al., ISCA 2014, section
// 7: "a more sophisticated implementation would avoid saving dead registers").
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_LIVENESS_H
#define CHANSIM_SIMT_LIVENESS_H

#include "simt/Code.h"

#include <span>
#include <vector>

namespace chansim::simt {

class Liveness {
public:
  explicit Liveness(const Code &code);

  /// Bits of a lane's registers that are live at one of these instructions at least.
  uint64_t bitsAt(std::span<const uint32_t> places) const;

private:
  /// A bit for each row of registers.
  using Rows = std::vector<bool>;

  const Kernel &kernel;
  /// By instruction.
  std::vector<Rows> live;
};

} // namespace chansim::simt

#endif // CHANSIM_SIMT_LIVENESS_H
