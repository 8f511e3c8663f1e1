//===- SessionHarness.h - A core in a session -------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SIM_SESSIONHARNESS_H
#define SIM_SESSIONHARNESS_H

#include "CoreHarness.h"
#include "session/Session.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace chansim {

inline std::string readFile(const std::string &path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline std::string shippedText() {
  return readFile(SIM_MACHINES "micro15-vgiw.json");
}

/// A folder of its own for the files of a test.
class Sessions : public testing::Test {
protected:
  Sessions() {
    std::string pattern = testing::TempDir() + "chansim-XXXXXX";
    folder = mkdtemp(pattern.data());
  }
  ~Sessions() override { std::filesystem::remove_all(folder); }

  std::string path(const char *name) const { return folder + "/" + name; }
  OrderedJson read(const char *name) const {
    return OrderedJson::parse(readFile(path(name)));
  }

  std::string folder;
};

/// A core in a session, and a kernel on it.
struct SessionHarness {
  SessionHarness(const Options &options, const std::string &text)
      : session(shippedText(), options),
        processor(session.machine(), session.engine(), session.statistics()),
        core(processor.core(0)),
        configuration(CoreHarness::parse(session.machine(), text)),
        image(configuration.kernels[0], session.machine(), {}) {
    core.record(session.recording("core 0"));
    session.add(image);
  }

  void run(uint32_t threads, std::vector<uint64_t> parameters = {}) {
    VgiwTile tile;
    tile.kernel = &image;
    tile.threads = threads;
    tile.parameters = std::move(parameters);
    core.run(tile);
  }
  uint64_t count(const char *name) { return session.statistics().value(name); }

  Session session;
  Processor processor;
  Core &core;
  Configuration configuration;
  KernelImage image;
};

/// Block 0 loads and adds; block 1 gets the sum as a live value and stores it.
inline std::string addAndStore(const Machine &machine, uint32_t replicas = 1) {
  BlockBuilder first(machine.fabric), second(machine.fabric);
  for (uint32_t i = 0; i != replicas; ++i) {
    uint32_t thread = first.initiate();
    uint32_t address =
        first.node("mad.i64", {thread, constant(8), parameter(0)});
    uint32_t loaded = first.node("load.i64", {address});
    uint32_t sum = first.node("add.i64", {loaded, constant(5)});
    first.terminate({first.liveStore(0, sum)});

    uint32_t again = second.initiate();
    uint32_t copy = second.node("split", {again});
    uint32_t sumAgain = second.liveLoad(0, copy);
    uint32_t target =
        second.node("mad.i64", {again, constant(8), parameter(1)});
    second.terminate({second.node("store.i64", {target, sumAgain})});
  }
  OrderedJson text = OrderedJson::parse(configurationText(
      machine, {first.build(0, {1}), second.build(1, {"exit"})}, 2, 1));
  OrderedJson lines = OrderedJson::array();
  for (const OrderedJson &unit : text["kernels"][0]["blocks"][0]["units"]) {
    std::string op = unit["op"];
    lines.push_back(op == "load.i64"  ? "a.c:3"
                    : op == "add.i64" ? "a.c:4"
                                      : "");
  }
  text["lines"] = OrderedJson::array(
      {OrderedJson{{"kernel", 0}, {"block", 0}, {"lines", lines}}});
  text["registers"] = {{6, 4}};
  return text.dump();
}

} // namespace chansim

#endif // SIM_SESSIONHARNESS_H
