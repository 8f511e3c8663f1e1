//===- LaneLosses.cpp - By what lanes lose --------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneCost.h"

using namespace mlir;
using namespace cilk2chan;

void LaneLosses::add(LaneLoss cause, double cycles, Operation *place) {
  if (cycles <= 0)
    return;
  Sum &sum = sums[cause];
  sum.cycles += cycles;
  if (cycles > sum.most) {
    sum.most = cycles;
    sum.place = place->getLoc();
  }
}

void LaneLosses::add(const LaneLosses &others) {
  for (auto &[cause, other] : others.sums) {
    Sum &sum = sums[cause];
    sum.cycles += other.cycles;
    if (other.most > sum.most) {
      sum.most = other.most;
      sum.place = other.place;
    }
  }
}

static StringRef describe(LaneLoss cause) {
  switch (cause) {
  case LaneLoss::Accesses:
    return "accesses to memory at addresses of their own";
  case LaneLoss::Calls:
    return "what they do one after the other";
  case LaneLoss::Choices:
    return "branches, of which they run all that one of them takes";
  case LaneLoss::Loops:
    return "loops, in which they wait for the one that stays longest";
  case LaneLoss::Elements:
    return "what activations pass on and keep in memory";
  case LaneLoss::Operations:
    return "operations that have no instruction for vectors";
  }
  llvm_unreachable("no other causes");
}

std::string LaneLosses::describe() const {
  auto most = llvm::max_element(sums, [](const auto &a, const auto &b) {
    return a.second.cycles < b.second.cycles;
  });
  if (most == sums.end())
    return {};
  std::string text = "they lose most by " + ::describe(most->first).str();
  // That of activations' memory says nothing.
  LocationAttr place = most->second.place;
  auto line = place.findInstanceOf<FileLineColLoc>();
  if (line && line.getLine() && most->first != LaneLoss::Elements)
    text += ", as in line " + std::to_string(line.getLine());
  return text;
}
