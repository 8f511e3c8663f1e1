//===- OptionsTest.cpp - What the environment asks of a run ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "session/Options.h"
#include "Harness.h"

#include <gtest/gtest.h>

using namespace chansim;

namespace {

Options parse(std::vector<const char *> environment) {
  environment.push_back(nullptr);
  return Options::parse(environment.data());
}

std::string refusal(const char *entry) {
  try {
    parse({entry});
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return "";
}

TEST(SimOptions, NothingIsAskedOfOthersVariables) {
  Options options = parse({"HOME=/", "CHAN_WIDTH=3", "CHANSIMULATE=1"});
  EXPECT_EQ(options.set + options.machine + options.trace + options.lines +
                options.statistics,
            "");
  EXPECT_EQ(options.summary, Options::Summary::none);
  EXPECT_EQ(options.progress, 0u);
}

TEST(SimOptions, Each) {
  Options options =
      parse({"CHANSIM_MACHINE=m.json", "CHANSIM_SET=l1.ways=8,l1.mshrs=2",
             "CHANSIM_STATS=s", "CHANSIM_TRACE=t", "CHANSIM_TRACE_CYCLES=10-20",
             "CHANSIM_LINES=l", "CHANSIM_SUMMARY=all", "CHANSIM_PROGRESS=5",
             "CHANSIM_KERNELS=k"});
  EXPECT_EQ(options.kernels, "k");
  EXPECT_EQ(options.machine, "m.json");
  EXPECT_EQ(options.set, "l1.ways=8,l1.mshrs=2");
  EXPECT_EQ(options.statistics, "s");
  EXPECT_EQ(options.trace, "t");
  EXPECT_EQ(options.traceCycles.first, 10u);
  EXPECT_EQ(options.traceCycles.last, 20u);
  EXPECT_EQ(options.lines, "l");
  EXPECT_EQ(options.summary, Options::Summary::all);
  EXPECT_EQ(options.progress, 5u);
  EXPECT_EQ(parse({"CHANSIM_SUMMARY=1"}).summary, Options::Summary::brief);
}

TEST(SimOptions, AnEmptyVariableIsAsIfThereWereNone) {
  Options options = parse({"CHANSIM_SUMMARY=", "CHANSIM_PROGRESS=",
                           "CHANSIM_TRACE_CYCLES=", "CHANSIM_STATS="});
  EXPECT_EQ(options.summary, Options::Summary::none);
  EXPECT_EQ(options.traceCycles.first, 0u);
}

TEST(SimOptions, Refusals) {
  EXPECT_EQ(refusal("CHANSIM_SUMMARY=yes"),
            "CHANSIM_SUMMARY='yes' is none of 0, 1 and all");
  for (const char *cycles : {"10", "20-10", "a-b", "-", "1-2-3", "1- 2"})
    EXPECT_EQ(refusal(("CHANSIM_TRACE_CYCLES=" + std::string(cycles)).c_str()),
              "CHANSIM_TRACE_CYCLES='" + std::string(cycles) +
                  "' is no range of cycles, such as 1000-2000");
  for (const char *seconds : {"x", "-1", "1.5", "86401"})
    EXPECT_EQ(refusal(("CHANSIM_PROGRESS=" + std::string(seconds)).c_str()),
              "CHANSIM_PROGRESS='" + std::string(seconds) +
                  "' is not a number of seconds from 0 to 86400");
  std::string unknown = refusal("CHANSIM_STAT=f");
  EXPECT_EQ(unknown, "CHANSIM_STAT is no option of the simulator; did you mean "
                     "CHANSIM_STATS?");
  EXPECT_TRUE(refusal("CHANSIM_FOO=f")
                  .starts_with("CHANSIM_FOO is no option of the simulator; "
                               "there are CHANSIM_MACHINE, "));
}

TEST(SimOptions, MessagesNameWhatTheUserGave) {
  Options options = parse({"CHANSIM_OPTIONS=CHANSIM_SET,CHANSIM_TRACE_CYCLES"});
  EXPECT_EQ(options.nameOf(variable::set), "--set");
  EXPECT_EQ(options.nameOf(variable::traceCycles), "--trace-cycles");
  EXPECT_EQ(options.nameOf(variable::machine), "CHANSIM_MACHINE");
  EXPECT_EQ(options.nameOf(variable::trace), "CHANSIM_TRACE");
  EXPECT_EQ(parse({}).nameOf(variable::set), "CHANSIM_SET");
  // In whatever order the environment has them.
  for (auto [a, b] :
       {std::pair("CHANSIM_SUMMARY=x", "CHANSIM_OPTIONS=CHANSIM_SUMMARY"),
        std::pair("CHANSIM_OPTIONS=CHANSIM_SUMMARY", "CHANSIM_SUMMARY=x")})
    try {
      parse({a, b});
      ADD_FAILURE() << "was not refused";
    } catch (const std::runtime_error &error) {
      EXPECT_STREQ(error.what(), "--summary='x' is none of 0, 1 and all");
    }
}

//===----------------------------------------------------------------------===//
// Overrides as text
//===----------------------------------------------------------------------===//

TEST(SimOptions, OverridesAreSetTogether) {
  Machine machine = shippedMachine();
  std::string error;
  ASSERT_TRUE(machine.set("l1.line_bytes=64,lvc.line_bytes=64,"
                          "l2.line_bytes=64,l2.bank_bytes=64,name=small",
                          error))
      << error;
  EXPECT_EQ(machine.l2.lineBytes, 64u);
  EXPECT_EQ(machine.name, "small");
  EXPECT_TRUE(machine.set("", error));
}

TEST(SimOptions, ACommaMayBelongToAValue) {
  Machine machine = shippedMachine();
  std::string error;
  ASSERT_TRUE(machine.set(
      R"(fabric.grid=["ASLVJ","CASLV","JCASL"],name="a,b",l1.ways=8)", error))
      << error;
  EXPECT_EQ(machine.fabric.columns, 5u);
  EXPECT_EQ(machine.name, "a,b");
  EXPECT_EQ(machine.l1.ways, 8u);
}

TEST(SimOptions, OverridesAreRefusedByName) {
  Machine machine = shippedMachine();
  auto refused = [&](std::string_view text) {
    std::string error;
    EXPECT_FALSE(machine.set(text, error)) << text;
    return error;
  };
  EXPECT_EQ(
      refused("l1.wayz=8"),
      "l1.wayz: is no parameter of a machine of kind 'vgiw'; did you mean "
      "l1.ways?");
  EXPECT_EQ(refused("l1.ways=many"),
            "l1.ways: must be an integer, and is the text 'many'");
  EXPECT_EQ(refused("l1.ways="),
            "l1.ways: must be an integer, and is an empty text");
  EXPECT_EQ(refused("l1.ways=1e1"), "l1.ways: must be an integer, and is the "
                                    "number 10.0, with a point or an exponent");
  EXPECT_EQ(refused("l1.hit_cycles=20,l1.ways=0"),
            "l1.ways: is 0, and must be between 1 and 64");
  EXPECT_EQ(refused("l1.ways"), "'l1.ways' is not of the form KEY=VALUE");
  EXPECT_EQ(refused("=3"), "'=3' is not of the form KEY=VALUE");
  EXPECT_EQ(refused("l1.hit_cycles=20,,"), "'' is not of the form KEY=VALUE");
  EXPECT_EQ(machine.l1.hitCycles, shippedMachine().l1.hitCycles);
}

TEST(SimOptions, MachinesHaveNames) {
  EXPECT_EQ(findMachineFile("micro15-vgiw", "d"), "d/micro15-vgiw.json");
  EXPECT_EQ(findMachineFile("", "d"), "d/micro15-vgiw.json");
  EXPECT_EQ(findMachineFile("mine.json", "d"), "mine.json");
  EXPECT_EQ(findMachineFile("./mine", "d"), "./mine");
}

} // namespace
