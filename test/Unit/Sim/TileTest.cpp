//===- TileTest.cpp - Whether a tile fits its kernel ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Tile.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <stdexcept>

using namespace chansim;

namespace {

struct Code : KernelCode {
  Code() {
    own.name = "k";
    own.parameters.resize(2);
  }
  const KernelHeader &header() const override { return own; }
  uint32_t tileThreads() const override { return 128; }
  uint32_t stateBytes() const override { return 0; }
  void reportBlocks(nlohmann::ordered_json &) const override {}

  KernelHeader own;
};

struct OwnTile : Tile {};

class SimTile : public testing::Test {
protected:
  std::string refusal(uint32_t threads, size_t parameters = 2) {
    OwnTile tile;
    tile.kernel = &code;
    tile.threads = threads;
    tile.parameters.resize(parameters);
    try {
      tile.check();
    } catch (const std::invalid_argument &refused) {
      return refused.what();
    }
    return "";
  }

  Code code;
};

TEST_F(SimTile, HasAsManyThreadsAsTheKernelAllows) {
  EXPECT_EQ(refusal(0), "tile of kernel 'k': has 0 threads of 1 to 128");
  EXPECT_EQ(refusal(1), "");
  EXPECT_EQ(refusal(128), "");
  EXPECT_EQ(refusal(129), "tile of kernel 'k': has 129 threads of 1 to 128");
}

TEST_F(SimTile, HasWholeWorkGroups) {
  code.own.groupThreads = 16;
  EXPECT_EQ(refusal(48), "");
  EXPECT_EQ(refusal(49), "tile of kernel 'k': has 49 threads, which are no "
                         "whole work-groups of 16");
}

TEST_F(SimTile, BindsAllParameters) {
  EXPECT_EQ(refusal(1, 1), "tile of kernel 'k': binds 1 of 2 parameters");
  EXPECT_EQ(refusal(1, 3), "tile of kernel 'k': binds 3 of 2 parameters");
}

} // namespace
