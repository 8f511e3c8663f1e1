//===- MappingTest.cpp - Blocks are placed, routed and replicated ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Netlists.h"

#include <ctime>
#include <memory>
#include <thread>

using namespace cilk2chan::pnr;

namespace {

Mapping mapOnPaper(const Netlist &netlist, const MapOptions &options = {}) {
  return expectMapped(map(netlist, paperFabric(), options), paperFabric());
}

MapFailure expectFailure(const MapResult &result) {
  if (const auto *failure = std::get_if<MapFailure>(&result))
    return *failure;
  ADD_FAILURE() << "it was mapped";
  return {};
}

Netlist chain(const std::string &kinds) {
  Netlist netlist;
  for (char kind : kinds) {
    unsigned node = addNode(netlist, kind);
    if (node != 0)
      netlist.edges.push_back({node - 1, node, 0});
  }
  return netlist;
}

/// No edge shorter than the fabric allows, no route with a gap: what Legality
/// cannot see, as it never looks at routes.
void expectSound(const Mapping &mapping, const Resources &fabric) {
  std::vector<bool> taken(fabric.links().size(), false);
  for (unsigned index = 0; index != mapping.netlist.edges.size(); ++index) {
    const Edge &edge = mapping.netlist.edges[index];
    unsigned here = mapping.placement[edge.source];
    for (unsigned link : mapping.routing.routes[index]) {
      EXPECT_FALSE(taken[link]);
      taken[link] = true;
      EXPECT_EQ(fabric.links()[link].source, here);
      here = fabric.links()[link].target;
    }
    EXPECT_EQ(here, mapping.placement[edge.target]);
  }
}

TEST(Mapping, RandomNetlists) {
  for (unsigned nodes = 5; nodes <= 108; nodes += 7)
    for (unsigned seed = 0; seed != 6; ++seed) {
      SCOPED_TRACE(testing::Message() << nodes << " nodes, seed " << seed);
      expectSound(mapOnPaper(randomNetlist(seed, nodes)), paperFabric());
    }
}

TEST(Mapping, AllUnitsOfTheFabric) {
  for (unsigned seed = 0; seed != 5; ++seed) {
    Mapping mapping =
        mapOnPaper(randomNetlist(seed, portion(paperFabric(), 1)));
    EXPECT_EQ(mapping.netlist.nodes.size(), 108u);
    // Far below what a random placement takes, which is more than 4.
    EXPECT_LT(mapping.routing.linksUsed(), 2.7 * mapping.netlist.edges.size());
  }
}

TEST(Mapping, Chains) {
  std::string kinds;
  for (int times = 0; times != 14; ++times)
    kinds += "ALVJCA";
  EXPECT_EQ(mapOnPaper(chain(kinds)).routing.routes.size(), 83u);
  // Two nodes stand side by side.
  EXPECT_EQ(mapOnPaper(chain("AJ")).routing.linksUsed(), 1u);
  EXPECT_EQ(mapOnPaper(chain("A")).routing.linksUsed(), 0u);
  EXPECT_EQ(mapOnPaper(Netlist()).placement.size(), 0u);
}

TEST(Mapping, TreesOfSplitsAndSums) {
  Netlist netlist = chain("C");
  std::vector<unsigned> front(1, 0), next;
  for (char kind : {'J', 'J', 'L'}) {
    unsigned children = kind == 'L' ? 1 : 3;
    for (unsigned source : std::exchange(front, {}))
      for (unsigned child = 0; child != children; ++child) {
        front.push_back(addNode(netlist, kind));
        netlist.edges.push_back({source, front.back(), 0});
      }
  }
  while (front.size() > 1)
    for (unsigned source : std::exchange(front, {})) {
      if (front.empty() || (netlist.edges.back().operand == 2))
        front.push_back(addNode(netlist, 'A'));
      unsigned operand = 0;
      for (const Edge &edge : netlist.edges)
        operand += edge.target == front.back();
      netlist.edges.push_back({source, front.back(), operand});
    }
  EXPECT_EQ(netlist.nodes.size(), 1u + 3 + 9 + 9 + 3 + 1);
  mapOnPaper(netlist);
}

TEST(Mapping, ParallelEdgesAndFullFanOut) {
  Netlist netlist = chain("AA");
  netlist.edges.push_back({0, 1, 1});
  netlist.edges.push_back({0, 1, 2});
  netlist.edges.push_back({0, addNode(netlist, 'A'), 0});
  mapOnPaper(netlist);
}

/// With all units in use and two inputs each.
TEST(Mapping, DetoursAreFew) {
  unsigned links = 0, shortest = 0;
  for (unsigned seed = 0; seed != 8; ++seed) {
    Netlist netlist =
        randomNetlist(seed, portion(paperFabric(), 1), /*density=*/0.6);
    Mapping mapping = mapOnPaper(netlist);
    links += mapping.routing.linksUsed();
    for (const Edge &edge : netlist.edges)
      shortest += paperFabric().distance(mapping.placement[edge.source],
                                         mapping.placement[edge.target]);
  }
  EXPECT_LT(1.0 * links / shortest, 1.1);
}

TEST(Mapping, LongestWayIsLatenciesAndLinks) {
  Netlist netlist;
  addNode(netlist, 'A', 7);
  addNode(netlist, 'J', 1);
  netlist.edges.push_back({0, 1, 0});
  EXPECT_EQ(mapOnPaper(netlist).longestWay, 7 + 1 + 1u);
}

/// The edges of a slow chain stay short, though others pull at all its nodes.
TEST(Mapping, CriticalEdgesAreShort) {
  unsigned criticalLinks = 0, criticalEdges = 0, links = 0, edges = 0;
  for (unsigned seed = 0; seed != 8; ++seed) {
    Netlist netlist = randomNetlist(seed, portion(paperFabric(), 0.7),
                                    /*density=*/0.35, /*window=*/16,
                                    /*maxFanout=*/3);
    unsigned first = netlist.nodes.size();
    for (unsigned position = 0; position != 9; ++position) {
      unsigned node = addNode(netlist, "AJ"[position % 2], 400);
      netlist.edges.push_back({position, node, 1});
      if (position != 0)
        netlist.edges.push_back({node - 1, node, 0});
    }
    Mapping mapping = mapOnPaper(netlist);
    for (unsigned edge = 0; edge != netlist.edges.size(); ++edge) {
      unsigned length = mapping.routing.routes[edge].size();
      bool critical = netlist.edges[edge].source >= first;
      (critical ? criticalLinks : links) += length;
      ++(critical ? criticalEdges : edges);
    }
  }
  EXPECT_LT(1.0 * criticalLinks / criticalEdges, 1.4);
  EXPECT_GT(1.0 * links / edges, 2.0);
}

TEST(Mapping, DependsOnTheSeedAlone) {
  Netlist netlist = randomNetlist(3, 90);
  Mapping first = mapOnPaper(netlist);
  std::vector<std::unique_ptr<char[]>> ballast;
  for (unsigned times = 0; times != 4; ++times) {
    // Other addresses, another thread, and other data of the same values.
    for (unsigned size = 1; size != 400; ++size)
      ballast.push_back(std::make_unique<char[]>(size * (times + 1)));
    Mapping again;
    std::thread([&] {
      Resources fabric(paperFabric().geometry());
      again = expectMapped(map(netlist.replicated(1), fabric), fabric);
    }).join();
    EXPECT_EQ(again.placement, first.placement);
    EXPECT_EQ(again.routing.routes, first.routing.routes);
    ballast.resize(ballast.size() / 2);
  }
  EXPECT_NE(mapOnPaper(netlist, {.seed = 2}).placement, first.placement);
}

TEST(Mapping, EffortShortensWays) {
  unsigned quick = 0, thorough = 0;
  for (unsigned seed = 0; seed != 4; ++seed) {
    Netlist netlist = randomNetlist(seed, 80);
    quick += mapOnPaper(netlist).routing.linksUsed();
    thorough += mapOnPaper(netlist, {.effort = 8}).routing.linksUsed();
  }
  EXPECT_LT(thorough, quick);
}

TEST(Mapping, TooManyNodesOfAKind) {
  MapFailure failure =
      expectFailure(map(chain(std::string(13, 'S')), paperFabric()));
  EXPECT_EQ(failure.reason, MapFailure::units);
  EXPECT_EQ(failure.message, "too few units: 13 SCUs of 12");
}

TEST(Mapping, MalformedNetlists) {
  auto message = [](std::vector<Edge> edges) {
    Netlist netlist = chain("A");
    for (int times = 0; times != 6; ++times)
      addNode(netlist, 'A');
    netlist.edges = std::move(edges);
    MapFailure failure = expectFailure(map(netlist, paperFabric()));
    EXPECT_EQ(failure.reason, MapFailure::malformed);
    return failure.message;
  };
  EXPECT_EQ(message({{0, 1, 0}, {1, 2, 0}, {2, 0, 0}}),
            "a cycle, whose nodes would wait for each other");
  EXPECT_EQ(message({{1, 1, 0}}),
            "a cycle, whose nodes would wait for each other");
  EXPECT_EQ(message({{0, 1, 0}, {2, 1, 0}}), "node 1: two edges feed input 0");
  EXPECT_EQ(message({{0, 1, 3}}), "node 1 has an input 3; the last is 2");
  EXPECT_EQ(message({{0, 7, 0}}), "an edge of a node that does not exist");
  EXPECT_EQ(message({{0, 1, 0}, {0, 2, 0}, {0, 3, 0}, {0, 4, 0}, {0, 5, 0}}),
            "node 0 has more than 4 edges out of it; split it");
}

TEST(Mapping, CongestionIsReported) {
  // Every unit in use, three inputs each, from anywhere.
  Netlist netlist =
      randomNetlist(1, portion(paperFabric(), 1), /*density=*/1, 200);
  MapFailure failure = expectFailure(map(netlist, paperFabric()));
  EXPECT_EQ(failure.reason, MapFailure::congestion);
  EXPECT_FALSE(failure.congested.empty());
  EXPECT_EQ(failure.message.find("no ways for all edges: " +
                                 std::to_string(failure.congested.size()) +
                                 " links are wanted more than once"),
            0u)
      << failure.message;
}

TEST(Mapping, FabricsWithoutAWay) {
  // With a reach of 4 in 8 columns and rows, switches form classes apart.
  chansim::Fabric fabric = paperFabric().geometry();
  fabric.columns = fabric.rows = 8;
  fabric.units.resize(64);
  fabric.switchReach = 4;
  MapFailure failure = expectFailure(map(chain("AA"), Resources(fabric)));
  EXPECT_EQ(failure.reason, MapFailure::malformed);
  EXPECT_NE(failure.message.find("switch_reach"), std::string::npos);
}

TEST(Mapping, OtherFabrics) {
  chansim::Fabric fabric = paperFabric().geometry();
  for (bool folded : {false, true})
    for (unsigned reach : {1, 2})
      for (unsigned seed = 0; seed != 3; ++seed) {
        SCOPED_TRACE(testing::Message() << "folded " << folded << ", reach "
                                        << reach << ", seed " << seed);
        fabric.folded = folded;
        fabric.switchReach = reach;
        Resources resources(fabric);
        // Fewer ways, so netlists of fewer edges.
        Netlist netlist =
            randomNetlist(seed, portion(resources, 0.25), /*density=*/0.15,
                          /*window=*/16, /*maxFanout=*/2);
        expectSound(expectMapped(map(netlist, resources), resources),
                    resources);
      }
  // A grid so small that its neighbours meet on both sides.
  chansim::Fabric tiny = paperFabric().geometry();
  tiny.columns = tiny.rows = 2;
  tiny.units.assign(4, UnitKind::compute);
  Resources resources(tiny);
  expectSound(expectMapped(map(chain("AAAA"), resources), resources),
              resources);
}

TEST(Replicas, AsManyAsTheMachineAllows) {
  MapResult result = mapReplicas(chain("CAAAC"), paperFabric());
  Mapping mapping = expectMapped(result, paperFabric());
  EXPECT_EQ(mapping.replicas, 8u);
  EXPECT_EQ(mapping.netlist.nodes.size(), 40u);
  EXPECT_EQ(mapping.netlist.nodes[39].replica, 7u);
  EXPECT_EQ(mapping.netlist.nodes[39].id, 4u);
}

TEST(Replicas, AsManyAsTheUnitsSufficeFor) {
  // Three LDSTs each, of 16.
  Mapping mapping =
      expectMapped(mapReplicas(chain("CLALALC"), paperFabric()), paperFabric());
  EXPECT_EQ(mapping.replicas, 5u);
}

TEST(Replicas, AsManyAsTheLinksSufficeFor) {
  // The units of a third of the fabric, three inputs each.
  KindCounts counts = {10, 4, 5, 5, 5, 5};
  Netlist block = randomNetlist(5, counts, /*density=*/1, 200);
  MapResult result = mapReplicas(block, paperFabric(), {.attempts = 1});
  Mapping mapping = expectMapped(result, paperFabric());
  EXPECT_EQ(mapping.replicas, 2u);
}

TEST(Replicas, NoneOfWhatDoesNotFit) {
  MapFailure failure =
      expectFailure(mapReplicas(chain(std::string(17, 'L')), paperFabric()));
  EXPECT_EQ(failure.reason, MapFailure::units);
  EXPECT_EQ(failure.message, "too few units: 17 LDSTs of 16");
}

/// Run with --gtest_also_run_disabled_tests: many more random netlists.
TEST(Mapping, DISABLED_ManyRandomNetlists) {
  for (unsigned nodes = 5; nodes <= 108; ++nodes)
    for (unsigned seed = 0; seed != 40; ++seed) {
      SCOPED_TRACE(testing::Message() << nodes << " nodes, seed " << seed);
      expectSound(mapOnPaper(randomNetlist(seed, nodes)), paperFabric());
    }
}

/// Run with --gtest_also_run_disabled_tests: prints what mapping costs and how
/// often it succeeds at the first attempt.
TEST(Mapping, DISABLED_Report) {
  // Processor time, so that other programs do not count.
  auto since = [](std::clock_t start) {
    return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  const Resources &fabric = paperFabric();
  constexpr unsigned seeds = 20;
  std::printf("inputs  nodes  edges  first/all  place ms  route ms  rounds  "
              "links/edge  links used  longest way\n");
  auto row = [&](auto make) {
    double place = 0, route = 0, links = 0, nodes = 0, edges = 0, rounds = 0;
    double longest = 0;
    unsigned first = 0, all = 0;
    for (unsigned seed = 0; seed != seeds; ++seed) {
      Netlist netlist = make(seed);
      nodes += netlist.nodes.size();
      edges += netlist.edges.size();
      std::clock_t start = std::clock();
      Placement placement = cilk2chan::pnr::place(netlist, fabric, 1, 1);
      place += since(start);
      start = std::clock();
      Routing routing = cilk2chan::pnr::route(netlist, placement, fabric, 60);
      route += since(start);
      rounds += routing.iterations;
      first += routing.succeeded();
      MapResult result = map(netlist, fabric);
      if (auto *mapping = std::get_if<Mapping>(&result)) {
        ++all;
        longest += mapping->longestWay;
      }
      links += routing.linksUsed();
    }
    std::printf("%6.2f %6.0f %6.0f %5u/%-4u %9.2f %9.2f %7.1f %11.2f %11.0f "
                "%12.0f\n",
                edges / nodes, nodes / seeds, edges / seeds, first, all,
                place / seeds, route / seeds, rounds / seeds, links / edges,
                links / seeds, all ? longest / all : 0);
  };
  for (unsigned nodes : {5, 10, 20, 30, 40, 60, 80, 108})
    row([&](unsigned seed) { return randomNetlist(seed, nodes); });
  for (double density : {0.3, 0.6, 0.8, 1.0})
    for (double part : {0.5, 0.75, 0.9, 1.0})
      row([&](unsigned seed) {
        return randomNetlist(seed, portion(fabric, part), density);
      });
}

/// Hops of the longest way, in cycles: what placement and routing decide of it.
unsigned hopsOnLongestWay(Netlist netlist, const Mapping &mapping) {
  Netlist bare = netlist;
  std::vector<unsigned> none(bare.edges.size(), 0);
  return longestWay(netlist, mapping.routing, paperFabric()) -
         Timing(bare).update(none);
}

TEST(Mapping, ShortensWaysThroughSlowNodes) {
  unsigned known = 0, unknown = 0;
  for (unsigned seed = 1; seed != 21; ++seed) {
    Netlist netlist = randomNetlist(seed, 50);
    Netlist flat = netlist;
    for (Node &node : flat.nodes)
      node.latency = 1;
    known += hopsOnLongestWay(
        netlist, expectMapped(map(netlist, paperFabric()), paperFabric()));
    unknown += hopsOnLongestWay(
        netlist, expectMapped(map(flat, paperFabric()), paperFabric()));
  }
  EXPECT_LT(known * 20, unknown * 19) << known << " and " << unknown;
}

} // namespace
