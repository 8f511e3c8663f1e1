//===- FloorplanTest.cpp - Pictures say what is placed and routed ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Netlists.h"

#include "cilk2chan/PlaceAndRoute/Floorplan.h"

#include "llvm/Support/raw_ostream.h"

using namespace cilk2chan::pnr;

namespace {

std::string draw(const Mapping &mapping,
                 const Resources &fabric = paperFabric(),
                 llvm::StringRef title = "a title") {
  std::string text;
  llvm::raw_string_ostream stream(text);
  emitFloorplan(mapping, fabric, title, stream);
  return text;
}

unsigned occurrences(llvm::StringRef text, llvm::StringRef part) {
  return text.count(part);
}

Mapping mapRandom(unsigned nodes) {
  return expectMapped(map(randomNetlist(2, nodes), paperFabric()),
                      paperFabric());
}

TEST(Floorplan, DrawsAllUnitsSwitchesAndEdges) {
  Mapping mapping = mapRandom(40);
  std::string text = draw(mapping);
  EXPECT_EQ(occurrences(text, "<path class=\"way\""),
            mapping.netlist.edges.size());
  // 40 used ones and one a kind in the legend.
  EXPECT_EQ(occurrences(text, "<rect class=\"unit\""),
            40u + chansim::kUnitKinds);
  EXPECT_EQ(occurrences(text, "<rect class=\"free\""), 68u);
  // 108, 12 + 9 + 1 drawn twice, two in the legend.
  EXPECT_EQ(occurrences(text, "<rect class=\"switch"), 108u + 22 + 2);
  EXPECT_EQ(occurrences(text, "<rect class=\"switch copy\""), 22u + 1);
  EXPECT_EQ(occurrences(text, "<title>"), 40 + mapping.netlist.edges.size());
}

TEST(Floorplan, SaysHowMuchIsUsed) {
  Mapping mapping = mapRandom(108);
  std::string text = draw(mapping);
  EXPECT_EQ(occurrences(text, ">A FPU-ALU: 32 of 32<"), 1u);
  EXPECT_EQ(occurrences(text, "108 nodes, " +
                                  std::to_string(mapping.netlist.edges.size()) +
                                  " edges, " +
                                  std::to_string(mapping.routing.linksUsed()) +
                                  " of 1728 links"),
            1u);
}

TEST(Floorplan, ColoursReplicas) {
  Netlist block = randomNetlist(3, KindCounts{2, 0, 1, 1, 0, 2});
  Mapping mapping =
      expectMapped(mapReplicas(block, paperFabric()), paperFabric());
  ASSERT_EQ(mapping.replicas, 8u);
  std::string text = draw(mapping);
  EXPECT_EQ(occurrences(text, ">replica 7<"), 1u);
  EXPECT_EQ(occurrences(text, "(replica 7) on "), 6u);
}

TEST(Floorplan, EscapesText) {
  Mapping mapping = mapRandom(5);
  mapping.netlist.nodes[0].op = "<op>&\"";
  std::string text = draw(mapping, paperFabric(), "a < b && c");
  EXPECT_EQ(occurrences(text, ">a &lt; b &amp;&amp; c<"), 1u);
  EXPECT_EQ(occurrences(text, "&lt;op&gt;&amp;&quot;"),
            occurrences(text, "op&gt;"));
  EXPECT_EQ(occurrences(text, "<op>"), 0u);
}

TEST(Floorplan, IsTheSameEveryTime) {
  EXPECT_EQ(draw(mapRandom(60)), draw(mapRandom(60)));
}

/// No way of an unfolded grid leaves it: all is drawn once.
TEST(Floorplan, DrawsWaysOverTheEdgeTwice) {
  chansim::Fabric open = paperFabric().geometry();
  open.folded = false;
  Resources fabric(open);
  Mapping mapping = expectMapped(map(randomNetlist(2, 20), fabric), fabric);
  EXPECT_EQ(occurrences(draw(mapping, fabric), "switch copy"), 0u);

  // From the west edge to the east edge: one link, drawn at both.
  Mapping wrapped;
  addNode(wrapped.netlist, 'L');
  addNode(wrapped.netlist, 'V');
  wrapped.netlist.edges.push_back({0, 1, 0});
  wrapped.placement = {0, 11};
  for (unsigned link : paperFabric().outgoing(0))
    if (paperFabric().links()[link].sourcePort == Port::W)
      wrapped.routing.routes.push_back({link});
  std::string text = draw(wrapped);
  llvm::StringRef path =
      llvm::StringRef(text).split("<path class=\"way\"").second;
  path = path.split("/>").first.split("<title>").first;
  EXPECT_EQ(occurrences(path, "L"),
            2 + 2 * 2u); // two lines, two heads of arrows
}

} // namespace
