//===- RoutesTest.cpp - Links and graphs of configurations ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConfigurationHarness.h"

#include <sstream>

using namespace chansim;

namespace {

//===----------------------------------------------------------------------===//
// Links: a block that is easy to see
//===----------------------------------------------------------------------===//

/// initiator (3,0) -> switch (3,0) -> mov (4,1); mov -> terminator (3,1).
class Links : public Configurations {
protected:
  Links() {
    OrderedJson block = OrderedJson::parse(R"({
      "id": 0, "replicas": 1, "successors": ["exit"],
      "units": [
        {"at": [3,0], "op": "initiate", "in": [], "out": ["SE"]},
        {"at": [4,1], "op": "mov.i64", "in": ["NW"], "out": ["W"]},
        {"at": [3,1], "op": "terminate", "in": ["E"], "out": []}],
      "switches": [{"at": [3,0], "map": [["NW","SE"]]}]})");
    text = configurationText(machine, {block});
  }
  std::string unit(size_t index, const char *key, OrderedJson value) {
    return unitRefusal(index,
                       [&](OrderedJson &changed) { changed[key] = value; });
  }
  /// A switch's map: "NW SE, N E".
  static OrderedJson pairs(const std::string &text) {
    OrderedJson list = OrderedJson::array();
    std::istringstream stream(text);
    for (std::string pair; std::getline(stream, pair, ',');) {
      OrderedJson ports = OrderedJson::array();
      std::istringstream words(pair);
      for (std::string port; words >> port;)
        ports.push_back(port);
      list.push_back(ports);
    }
    return list;
  }
  std::string map(const std::string &text) {
    return blockRefusal(
        [&](OrderedJson &block) { block["switches"][0]["map"] = pairs(text); });
  }
  const std::string block = "kernels[0].blocks[0]";
};

TEST_F(Links, AreFollowedThroughSwitches) {
  std::string error;
  auto parsed = Configuration::parse(text, "f", machine, error);
  ASSERT_TRUE(parsed) << error;
  const std::vector<Edge> &edges = parsed->kernels[0].blocks[0].edges;
  ASSERT_EQ(edges.size(), 2u);
  EXPECT_EQ(edges[0].hops, 2u);
  EXPECT_EQ(edges[0].target, 1u);
  EXPECT_EQ(edges[1].hops, 1u);
}

TEST_F(Links, CarryOneNet) {
  expectMessage(map("NW SE, N SE"), block + ".switches[0].map[1][1]",
                "drives already");
  expectMessage(map("NW SE, NW E"), block + ".switches[0].map[1][0]",
                "do not copy");
  expectMessage(unit(1, "out", {"W", "W"}), block + ".units[1].out[1]",
                "carries one net");
}

TEST_F(Links, LeadSomewhere) {
  expectMessage(unit(0, "out", {"SW"}), block + ".units[0].out[0]",
                "switch (2,0), which sends nothing on from 'NE'");
  expectMessage(map("NW N"), block + ".units[0].out[0]",
                "switch (3,7), which sends nothing on from 'S'");
  expectMessage(map("NW NE"), block + ".units[0].out[0]",
                "unit (4,0), which does nothing");
  expectMessage(unit(1, "out", {"NW"}), block + ".units[1].out[0]",
                "switch (3,0), which sends nothing on from 'SE'");
  expectMessage(unit(0, "out", {"SE", "S"}), block + ".units[0].out[1]",
                "terminate at (3,1), which takes nothing from 'N'");
}

TEST_F(Links, DoNotLeaveAGridThatIsNotFolded) {
  machine.fabric.folded = false;
  OrderedJson root = OrderedJson::parse(text);
  root["fabric"] = machine.fabric.hash();
  text = root.dump();
  expectMessage(unit(0, "out", {"N"}), block + ".units[0].out[0]",
                "leads out of the grid");
  expectMessage(map("NW N"), block + ".units[0].out[0]",
                "switch (3,0), which sends it out of the grid by 'N'");
}

TEST_F(Links, AreDriven) {
  expectMessage(unit(2, "in", {"E", "W"}), block + ".units[2].in[1]",
                "nothing drives");
  expectMessage(map("NW SE, S E"), block + ".switches[0].map[1][0]",
                "nothing drives");
}

TEST_F(Links, Switches) {
  auto change = [&](const char *key, OrderedJson value) {
    return blockRefusal(
        [&](OrderedJson &root) { root["switches"][0][key] = value; });
  };
  expectMessage(change("at", {3, 9}), block + ".switches[0].at[1]",
                "between 0 and 8");
  expectMessage(map("NW"), block + ".switches[0].map[0]", "[from, to]");
  expectMessage(map("NW up"), block + ".switches[0].map[0][1]", "no port");
  expectMessage(change("speed", 1), block + ".switches[0].speed", "is no key");
  expectMessage(blockRefusal([](OrderedJson &root) {
                  root["switches"].push_back(root["switches"][0]);
                }),
                block + ".switches[1].at", "where switches[0] is");
}

TEST_F(Links, FanOut) {
  expectMessage(unit(1, "out", {"W", "N", "E", "S", "NW"}),
                block + ".units[1].out", "fabric.max_fanout");
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// A graph that routes and is wrong all the same.
class Graphs : public Configurations {
protected:
  Graphs() : graph(machine.fabric) {}
  std::string refused() {
    text = configurationText(machine, {graph.build(0, {"exit"})});
    return refusal([](OrderedJson &) {});
  }
  BlockBuilder graph;
  const std::string units = "kernels[0].blocks[0].units";
};

TEST_F(Graphs, EveryNodeLeadsToTheTerminator) {
  uint32_t thread = graph.initiate();
  graph.node("mov.i64", {thread});
  graph.terminate({thread});
  expectMessage(refused(), units + "[1]", "leads nowhere");
}

TEST_F(Graphs, TerminatorsHaveNoResult) {
  graph.terminate({graph.initiate()});
  graph.node("join", {1});
  graph.node("join", {2});
  expectMessage(refused(), units + "[1].out[0]", "of a terminator");
}

TEST_F(Graphs, TokensInARing) {
  uint32_t thread = graph.initiate();
  graph.node("add.i64", {thread, 2});
  graph.node("mov.i64", {1});
  graph.terminate({2});
  expectMessage(refused(), units + "[1]", "waits for itself");
}

TEST_F(Graphs, AReplicaHasOneInitiator) {
  uint32_t first = graph.initiate(), second = graph.initiate();
  graph.terminate({first, second});
  expectMessage(refused(), units + "[1]", "one initiator");
}

TEST_F(Graphs, AReplicaHasOneTerminator) {
  uint32_t thread = graph.initiate();
  graph.terminate({thread});
  graph.terminate({thread});
  expectMessage(refused(), units + "[2]", "one terminator");
}

TEST_F(Graphs, OnlyAChoiceHasACondition) {
  graph.terminate({constant(1), graph.initiate()});
  expectMessage(refused(), units + "[1].in[0]", "is no token");
}

/// A replica that adds `number`, and passes the sum on `more` times.
void addReplica(BlockBuilder &graph, uint64_t number, unsigned more = 0) {
  uint32_t value = graph.node("add.i64", {graph.initiate(), constant(number)});
  for (unsigned i = 0; i != more; ++i)
    value = graph.node("mov.i64", {value});
  graph.terminate({value});
}

TEST_F(Graphs, ReplicasAreAlike) {
  addReplica(graph, 1);
  addReplica(graph, 2);
  expectMessage(refused(), units + "[4]", "differs from units[1]");
}

TEST_F(Graphs, ReplicasAreOfOneSize) {
  addReplica(graph, 1);
  addReplica(graph, 1, 1);
  expectMessage(refused(), units, "are 4 in replica 1 and 3 in replica 0");
}

TEST_F(Graphs, ReplicasAreJoinedAlike) {
  for (bool swaps : {false, true}) {
    uint32_t thread = graph.initiate();
    uint32_t a = graph.node("mov.i64", {thread});
    uint32_t b = graph.node("mov.i64", {thread});
    graph.terminate({graph.node("sub.i64", {swaps ? b : a, swaps ? a : b})});
  }
  expectMessage(refused(), units + "[8]", "differs from units[3]");
}

TEST_F(Graphs, ABlockHasUnits) {
  text = configurationText(machine, {graph.build(0, {"exit"})});
  expectMessage(refusal([](OrderedJson &root) {
                  root["kernels"][0]["blocks"][0]["replicas"] = 1;
                }),
                "kernels[0].blocks[0].replicas", "units make 0");
}

} // namespace
