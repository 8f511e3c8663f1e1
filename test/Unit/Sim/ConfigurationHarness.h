//===- ConfigurationHarness.h - A configuration and changes --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SIM_CONFIGURATIONHARNESS_H
#define SIM_CONFIGURATIONHARNESS_H

#include "CoreHarness.h"

#include <gtest/gtest.h>

#include <functional>

namespace chansim {

/// Units of blocks[0] of the valid configuration.
enum Node : size_t { initiator, copy, sum, loaded, kept, called, ended };

class Configurations : public testing::Test {
protected:
  Configurations() : machine(shippedMachine()) {
    BlockBuilder first(machine.fabric);
    uint32_t thread = first.initiate();
    uint32_t twice = first.node("split", {thread});
    uint32_t address =
        first.node("mad.i64", {twice, constant(8), parameter(0)});
    uint32_t value = first.node("load.i8", {address});
    uint32_t stored = first.liveStore(1, value);
    uint32_t done = first.call(1, twice);
    uint32_t end = first.terminate({value, stored, done});
    EXPECT_EQ(end, ended);

    BlockBuilder second(machine.fabric);
    uint32_t other = second.liveLoad(1, second.initiate());
    second.terminate({second.node("store.i8", {symbol(0, 16), other})});

    BlockBuilder third(machine.fabric);
    for (int replica = 0; replica != 2; ++replica)
      third.terminate({third.initiate()});
    text = configurationText(machine,
                             {first.build(0, {1, {{"yield", 2}}}),
                              second.build(1, {2}), third.build(2, {"exit"})},
                             1, 2, {"table", "thunk"});
  }

  /// What is said of the valid configuration after a change.
  std::string refusal(const std::function<void(OrderedJson &)> &change) {
    OrderedJson root = OrderedJson::parse(text);
    change(root);
    std::string error;
    EXPECT_FALSE(Configuration::parse(root.dump(), "f", machine, error));
    return error;
  }
  /// As refusal(), of a change to a unit of block 0.
  std::string unitRefusal(size_t unit,
                          const std::function<void(OrderedJson &)> &change) {
    return refusal([&](OrderedJson &root) {
      change(root["kernels"][0]["blocks"][0]["units"][unit]);
    });
  }
  std::string blockRefusal(const std::function<void(OrderedJson &)> &change) {
    return refusal(
        [&](OrderedJson &root) { change(root["kernels"][0]["blocks"][0]); });
  }

  Machine machine;
  std::string text;
};

inline void expectMessage(const std::string &error, const std::string &field,
                          const std::string &reason) {
  EXPECT_EQ(error.substr(0, 3 + field.size() + 2), "f: " + field + ": ")
      << error;
  EXPECT_NE(error.find(reason), std::string::npos) << error;
}

} // namespace chansim

#endif // SIM_CONFIGURATIONHARNESS_H
