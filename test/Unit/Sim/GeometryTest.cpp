//===- GeometryTest.cpp - Units, switches and links of a fabric -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include <gtest/gtest.h>

using namespace chansim;

namespace {

constexpr Site unit(uint16_t x, uint16_t y) { return {{x, y}, false}; }
constexpr Site crossing(uint16_t x, uint16_t y) { return {{x, y}, true}; }

TEST(SimGeometry, LinksLeadWhereTheDesignSays) {
  Fabric fabric = shippedMachine().fabric;
  EXPECT_EQ(fabric.across(unit(5, 4), Port::N), unit(5, 3));
  EXPECT_EQ(fabric.across(unit(5, 4), Port::E), unit(6, 4));
  EXPECT_EQ(fabric.across(unit(5, 4), Port::SE), crossing(5, 4));
  EXPECT_EQ(fabric.across(unit(5, 4), Port::SW), crossing(4, 4));
  EXPECT_EQ(fabric.across(unit(5, 4), Port::NE), crossing(5, 3));
  EXPECT_EQ(fabric.across(unit(5, 4), Port::NW), crossing(4, 3));
  EXPECT_EQ(fabric.across(crossing(5, 4), Port::NW), unit(5, 4));
  EXPECT_EQ(fabric.across(crossing(5, 4), Port::NE), unit(6, 4));
  EXPECT_EQ(fabric.across(crossing(5, 4), Port::SW), unit(5, 5));
  EXPECT_EQ(fabric.across(crossing(5, 4), Port::SE), unit(6, 5));
  EXPECT_EQ(fabric.across(crossing(5, 4), Port::W), crossing(3, 4));
  EXPECT_EQ(fabric.across(crossing(5, 4), Port::S), crossing(5, 6));
  // Around the edges.
  EXPECT_EQ(fabric.across(unit(0, 0), Port::NW), crossing(11, 8));
  EXPECT_EQ(fabric.across(unit(0, 0), Port::N), unit(0, 8));
  EXPECT_EQ(fabric.across(crossing(11, 8), Port::SE), unit(0, 0));
  EXPECT_EQ(fabric.across(crossing(11, 8), Port::E), crossing(1, 8));
}

TEST(SimGeometry, EveryLinkIsEnteredByTheReversePort) {
  for (const char *folded : {"true", "false"})
    for (const char *reach : {"1", "2", "5"}) {
      Fabric fabric = shippedMachine({{"fabric.folded", folded},
                                      {"fabric.switch_reach", reach}})
                          .fabric;
      unsigned links = 0;
      for (uint32_t i = 0; i != 2 * fabric.size(); ++i)
        for (unsigned p = 0; p != kPorts; ++p) {
          Site from{fabric.place(i / 2), i % 2 != 0};
          Port port = static_cast<Port>(p);
          std::optional<Site> to = fabric.across(from, port);
          if (!to)
            continue;
          ++links;
          EXPECT_TRUE(fabric.contains(to->at));
          EXPECT_NE(*to, from);
          EXPECT_EQ(fabric.across(*to, reverse(port)), from);
        }
      if (fabric.folded)
        EXPECT_EQ(links, 2 * 108u * 8);
      else
        EXPECT_LT(links, 2 * 108u * 8);
    }
}

TEST(SimGeometry, AGridThatIsNotFoldedEndsAtItsEdges) {
  Fabric fabric = shippedMachine({{"fabric.folded", "false"}}).fabric;
  EXPECT_EQ(fabric.across(unit(0, 0), Port::N), std::nullopt);
  EXPECT_EQ(fabric.across(unit(0, 0), Port::NE), std::nullopt);
  EXPECT_EQ(fabric.across(unit(0, 0), Port::SE), crossing(0, 0));
  EXPECT_EQ(fabric.across(unit(11, 8), Port::SE), crossing(11, 8));
  EXPECT_EQ(fabric.across(crossing(11, 8), Port::SE), std::nullopt);
  EXPECT_EQ(fabric.across(crossing(10, 0), Port::E), std::nullopt);
  EXPECT_EQ(fabric.across(crossing(9, 0), Port::E), crossing(11, 0));
}

TEST(SimGeometry, NamesOfPortsAndUnitsAreRead) {
  for (unsigned p = 0; p != kPorts; ++p)
    EXPECT_EQ(parsePort(portName(static_cast<Port>(p))), static_cast<Port>(p));
  EXPECT_EQ(parsePort("NNE"), std::nullopt);
  EXPECT_EQ(portName(reverse(Port::NE)), "SW");
  for (unsigned k = 0; k != kUnitKinds; ++k)
    EXPECT_EQ(parseUnit(unitLetter(static_cast<UnitKind>(k))),
              static_cast<UnitKind>(k));
  EXPECT_EQ(parseUnit('a'), std::nullopt);
}

} // namespace
