//===- Profile.h - Where the cycles of a run went ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file of --lines, read. It says, of each node, for how many cycles it held up
// threads: it was on their longest way through the block.  The cycles in which the
// block had the fabric are shared out among its nodes in that proportion, so that all
// lines together have all cycles.
//
// Of a machine of kind `apu`, the file also says for how many cycles wavefronts saved and
// restored their states that yielded at a node.  These are cycles of the block's, so the
// node has them as they are, and only the rest is shared out:
//
//   block: 100 cycles; yield: "yielding" 40; add: 10 cycles held up, load: 20
//   -> yield 40, add 20, load 40
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_PROFILE_H
#define CHANSIM_PROFILE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace chansim {

/// What threads were held up by. What lies from FirstRefusal to Unit is a wait for
/// something that refused them.
enum Cause {
  Memory,
  Host,
  FirstRefusal,
  Unit = FirstRefusal + 11,
  Operation,
  Links,
  Yields,
  Causes
};

struct Cost {
  double cycles = 0;
  double causes[Causes] = {};
  uint64_t firings = 0;

  void add(const Cost &other) {
    cycles += other.cycles;
    firings += other.firings;
    for (int cause = 0; cause < Causes; ++cause)
      causes[cause] += other.causes[cause];
  }
};

struct BlockRow {
  std::string name;
  uint64_t runs, threads, streaming, configuring, fetching;
};

struct Profile {
  /// Throws Refusal or Json::exception if the file cannot be read.
  static Profile read(const std::string &file);

  std::string program, machine;
  std::vector<BlockRow> blocks;
  /// By file and line; and by block and operation, of what has no line.
  std::map<std::string, std::map<uint64_t, Cost>> files;
  std::map<std::string, Cost> others;
  uint64_t cycles = 0, streaming = 0, configuring = 0, fetching = 0;
};

} // namespace chansim

#endif // CHANSIM_PROFILE_H
