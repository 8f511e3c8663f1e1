//===- MachineTest.cpp - Machine files and what is refused ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "machine/NearNames.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace chansim;

namespace {

std::string readFile(const std::string &path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The message about the shipped file with `from` replaced by `to`.
std::string refusalOf(const std::string &from, const std::string &to) {
  std::string text = readFile(SIM_MACHINES "micro15-vgiw.json");
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  std::string error;
  EXPECT_FALSE(Machine::parse(text, "m.json", error)) << to;
  return error;
}

TEST(SimMachine, TheShippedMachineIsThePapers) {
  Machine machine = shippedMachine();
  EXPECT_EQ(machine.name, "micro15-vgiw");
  EXPECT_EQ(machine.fabric.size(), 108u);
  EXPECT_EQ(machine.fabric.countUnits(),
            (std::array<uint32_t, kUnitKinds>{32, 12, 16, 16, 16, 16}));
  EXPECT_EQ(machine.control.reconfigurationCycles(), 34u);
  EXPECT_EQ(machine.l1.sets(), 128u);
  EXPECT_EQ(machine.lvc.sets(), 128u);
  EXPECT_EQ(machine.l2.sets(), 64u);
  for (uint32_t i = 0; i != machine.fabric.size(); ++i) {
    Place at = machine.fabric.place(i);
    UnitKind kind = machine.fabric.kind(at);
    bool isOnPerimeter = at.x == 0 || at.y == 0 || at.x == 11 || at.y == 8;
    if (kind == UnitKind::loadStore || kind == UnitKind::liveValue)
      EXPECT_TRUE(isOnPerimeter) << at.x << "," << at.y;
  }
}

TEST(SimMachine, AFileThatIsNotThereOrNoJsonIsRefused) {
  std::string error;
  EXPECT_FALSE(Machine::load("/nowhere/m.json", error));
  EXPECT_EQ(error, "/nowhere/m.json: cannot be read");
  EXPECT_FALSE(Machine::load(SIM_MACHINES, error)); // a directory
  EXPECT_TRUE(error.ends_with(": cannot be read")) << error;
  EXPECT_FALSE(
      Machine::parse("{\n  \"name\": \"m\",\n  kind: 1\n}", "m.json", error));
  EXPECT_TRUE(error.starts_with("m.json:3:3: is no JSON: syntax error while "
                                "parsing object key - "))
      << error;
  EXPECT_FALSE(Machine::parse("", "m.json", error));
  EXPECT_TRUE(error.starts_with("m.json:1:1: is no JSON: ")) << error;
  EXPECT_FALSE(Machine::parse("{\"cores\": 1e999}", "m.json", error));
  EXPECT_EQ(error, "m.json: is no JSON: number overflow parsing '1e999'");
  EXPECT_FALSE(Machine::parse("[]", "m.json", error));
  EXPECT_EQ(error, "m.json: must be an object");
}

TEST(SimMachine, UnknownMissingAndDoubledKeysAreRefused) {
  EXPECT_EQ(
      refusalOf("\"folded\": true,", "\"folded\": true, \"wide\": 1,"),
      "m.json: fabric.wide: is no parameter of a machine of kind 'vgiw'; "
      "section fabric has grid, folded, switch_reach, max_fanout, replicas, "
      "token_buffer_entries, channel_release, reservation_entries, "
      "hop_cycles, address_modes");
  EXPECT_EQ(refusalOf("\"cvt_banks\": 8,", ""),
            "m.json: control.cvt_banks: is missing");
  EXPECT_EQ(refusalOf("\"name\": \"micro15-vgiw\",", ""),
            "m.json: name: is missing");
  EXPECT_EQ(
      refusalOf("\"cvt_banks\": 8,", "\"cvt_banks\": 8, \"cvt_banks\": 9,"),
      "m.json: cvt_banks: stands twice in one object");
  EXPECT_EQ(
      refusalOf("\"watchdog\": { \"cycles\": 100000 }", "\"watchdog\": 3"),
      "m.json: watchdog: must be an object, and is an integer");
}

/// What stands behind "is no ... of a machine of kind 'vgiw'".
std::string meant(const std::string &from, const std::string &to) {
  std::string error = refusalOf(from, to);
  const std::string kind = "kind 'vgiw'";
  size_t at = error.find(kind);
  EXPECT_NE(at, error.npos) << error;
  return error.substr(at + kind.size());
}

TEST(SimMachine, NearKeysAreSuggested) {
  EXPECT_EQ(refusalOf("\"cvt_banks\": 8", "\"ctv_banks\": 8"),
            "m.json: control.ctv_banks: is no parameter of a machine of kind "
            "'vgiw'; did you mean control.cvt_banks?");
  EXPECT_EQ(
      refusalOf("\"memory\": {", "\"memroy\": {"),
      "m.json: memroy: is no section of a machine of kind 'vgiw'; did you "
      "mean memory?");
  EXPECT_EQ(
      refusalOf("\"horowitz\": {", "\"horowits\": {"),
      "m.json: energy.horowits: is no section of a machine of kind 'vgiw'; "
      "did you mean energy.horowitz?");
  // Without its section, or in another one.
  EXPECT_EQ(meant("\"cores\": 1,", "\"ways\": 1,"),
            "; did you mean l1.ways, lvc.ways or l2.ways?");
  EXPECT_EQ(meant("\"cvt_banks\": 8", "\"fifo_size\": 8"),
            "; section control has cvt_bits, tile_limit, cvt_banks, "
            "configuration_passes, pass_cycles, reset_cycles, fifo_entries, "
            "stored_configurations, "
            "fetch_cycles, batch_cycles");
  EXPECT_EQ(meant("\"cvt_banks\": 8", "\"link_bytes\": 8"),
            "; did you mean memory.link_bytes?");
  EXPECT_EQ(meant("\"cores\": 1,", "\"core\": 1,"), "; did you mean cores?");
  EXPECT_EQ(meant("\"cores\": 1,", "\"bass\": \"b\","), "; did you mean base?");
  EXPECT_EQ(
      meant("\"cores\": 1,", "\"gpu\": {},"),
      "; kind 'vgiw' has name, kind, base, cores, clocks, clock_of, fabric, "
      "operations, control, host, l1, lvc, l2, memory, aggregator, dram, "
      "energy, watchdog");
}

TEST(SimMachine, EditsBetweenWords) {
  for (auto [a, b, edits] :
       {std::tuple("", "", 0u), std::tuple("", "abc", 3u),
        std::tuple("ways", "ways", 0u), std::tuple("wayz", "ways", 1u),
        std::tuple("way", "ways", 1u), std::tuple("wyas", "ways", 1u),
        std::tuple("hits", "ways", 3u), std::tuple("lvc", "l2", 2u)}) {
    EXPECT_EQ(editDistance(a, b), edits) << a << " " << b;
    EXPECT_EQ(editDistance(b, a), edits) << a << " " << b;
  }
  const std::vector<std::string> names = {"a.one", "b.one", "c.one", "d.one"};
  EXPECT_EQ(didYouMean("one", names), ""); // says nothing
  EXPECT_EQ(didYouMean("c.oen", names), "; did you mean c.one?");
  EXPECT_EQ(didYouMean("", names), "");
  EXPECT_EQ(didYouMean("a.one.two", names), "");
  EXPECT_EQ(didYouMean("x", {}), "");
}

TEST(SimMachine, TheKindSaysWhichSectionsThereAre) {
  const std::string kind = "\"kind\": \"vgiw\",";
  EXPECT_EQ(refusalOf(kind, ""), "m.json: kind: is missing");
  EXPECT_EQ(refusalOf(kind, "\"kidn\": \"vgiw\","),
            "m.json: kind: is missing; is it misspelt as kidn?");
  EXPECT_EQ(refusalOf(kind, "\"kind\": \"cpu\","),
            "m.json: kind: must be one of vgiw, simt, sgmf, apu, and is "
            "\"cpu\"");
  EXPECT_EQ(
      refusalOf(kind, "\"kind\": \"simt\","),
      "m.json: control: is no section of a machine of kind 'simt', but of "
      "'vgiw' and 'sgmf'; kind 'simt' has name, kind, base, cores, clocks, "
      "clock_of, simt, operations, host, l1, l2, memory, aggregator, dram, "
      "energy, watchdog");
  EXPECT_EQ(
      refusalOf(kind, kind + "\"simt\": {},"),
      "m.json: simt: is no section of a machine of kind 'vgiw', but of "
      "'simt' and 'apu'; kind 'vgiw' has name, kind, base, cores, clocks, "
      "clock_of, "
      "fabric, operations, control, host, l1, lvc, l2, memory, aggregator, "
      "dram, energy, watchdog");
  EXPECT_EQ(
      refusalOf(kind, kind + "\"yield\": {},"),
      "m.json: yield: is no section of a machine of kind 'vgiw', but of 'apu'; "
      "kind 'vgiw' has name, kind, base, cores, clocks, clock_of, fabric, "
      "operations, control, host, l1, lvc, l2, memory, aggregator, dram, "
      "energy, watchdog");
  std::string error;
  std::optional<Machine> fermi =
      Machine::load(SIM_MACHINES "micro15-fermi.json", error);
  ASSERT_TRUE(fermi) << error;
  EXPECT_EQ(fermi->kind, MachineKind::simt);
  EXPECT_TRUE(fermi->set("simt.warps", "8", error)) << error;
  EXPECT_EQ(fermi->simt.warps, 8u);
  EXPECT_FALSE(fermi->set("fabric.grid", "[]", error));
  EXPECT_TRUE(error.starts_with("fabric.grid: is no parameter of a machine of "
                                "kind 'simt', but of 'vgiw' and 'sgmf'; "))
      << error;
  for (const char *key : {"kind", "base"}) {
    EXPECT_FALSE(fermi->set(key, "vgiw", error));
    EXPECT_EQ(error, std::string(key) +
                         ": cannot be overridden: it says what else the file "
                         "has; give another machine");
  }
}

TEST(SimMachine, AMachineForAnotherTargetIsRefused) {
  std::string error;
  EXPECT_FALSE(
      Machine::load(SIM_MACHINES "micro15-fermi.json", kFabricKinds, error));
  EXPECT_EQ(error,
            SIM_MACHINES "micro15-fermi.json: kind: must be one of vgiw, sgmf "
                         "for this target, and is \"simt\"; give a machine of "
                         "this kind, or another target");
  EXPECT_FALSE(
      Machine::load(SIM_MACHINES "micro15-sgmf.json", kSimtKinds, error));
  EXPECT_EQ(error,
            SIM_MACHINES "micro15-sgmf.json: kind: must be one of simt, apu "
                         "for this target, and is \"sgmf\"; give a machine of "
                         "this kind, or another target");
  EXPECT_TRUE(Machine::load(SIM_MACHINES "isca14-apu.json", kSimtKinds, error))
      << error;
}

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

TEST(SimMachine, PartsHaveClocksByName) {
  const std::string l2 = "\"l2\": \"l2\",";
  EXPECT_EQ(refusalOf(l2, "\"l2\": \"l3\","),
            "m.json: clock_of.l2: is 'l3', and the clocks are core, dram, "
            "interconnect, l2");
  EXPECT_EQ(refusalOf(l2, ""), "m.json: clock_of.l2: is missing");
  EXPECT_EQ(refusalOf(l2, "\"l2\": 700,"),
            "m.json: clock_of.l2: must be a string that is not empty");
  EXPECT_EQ(refusalOf(l2, l2 + "\"l4\": \"core\","),
            "m.json: clock_of.l4: is no parameter of a machine of kind 'vgiw'; "
            "did you mean clock_of.l2?");
  EXPECT_EQ(refusalOf("\"core\": 1400,", "\"Core\": 1400,"),
            "m.json: clocks: has the name 'Core'; a name is of small letters, "
            "digits and _");
  EXPECT_EQ(refusalOf("\"core\": 1400,", "\"core\": 0,"),
            "m.json: clocks.core: is 0, and must be between 1 and 100000");
  std::string error;
  Machine machine = shippedMachine({{"clock_of.l2", "dram"}});
  EXPECT_EQ(Engine(machine).clock(machine.clockOf.l2).period(), 50u);
  EXPECT_FALSE(machine.set("clock_of.dram", "ddr", error));
  EXPECT_EQ(error, "clock_of.dram: is 'ddr', and the clocks are core, dram, "
                   "interconnect, l2");
  EXPECT_FALSE(machine.set("clocks.ddr", "800", error));
  EXPECT_EQ(error, "clocks.ddr: is no parameter of a machine of kind 'vgiw'; "
                   "section clocks has core, dram, interconnect, l2");
}

TEST(SimMachine, AClockOfNoPartIsRefused) {
  EXPECT_EQ(
      refusalOf("\"core\": 1400,", "\"core\": 1400, \"l3\": 700,"),
      "m.json: clocks.l3: is the clock of no part; name it in clock_of, or "
      "leave it out");
  EXPECT_EQ(
      refusalOf("\"l2\": \"l2\",", "\"l2\": \"core\","),
      "m.json: clocks.l2: is the clock of no part; name it in clock_of, or "
      "leave it out");
  // A part may get another clock, but the old one cannot be set then.
  std::string error;
  Machine machine = shippedMachine({{"clock_of.l2", "core"}});
  EXPECT_FALSE(machine.set("clocks.l2", "350", error));
  EXPECT_EQ(error,
            "clocks.l2: is the clock of no part; name it in clock_of, or "
            "leave it out");
  EXPECT_TRUE(machine.set("clock_of.l2=l2,clocks.l2=350", error)) << error;
}

TEST(SimMachine, ClocksThatHaveNoCommonTickAreRefused) {
  // Without common factors, or nearly so.
  Machine machine = shippedMachine();
  std::string error;
  EXPECT_FALSE(machine.set("clocks.core=99991,clocks.dram=99989,"
                           "clocks.interconnect=99971,clocks.l2=99961",
                           error));
  EXPECT_TRUE(error.starts_with("clocks: have a least common multiple of more "
                                "than 2^40 MHz"))
      << error;
  // 2^16 x 3^10 x 7^3 is more than 2^40, and 2^16 x 3^10 x 5^3 is less.
  EXPECT_FALSE(machine.set("clocks.core=65536,clocks.dram=59049,clocks.l2=343,"
                           "clocks.interconnect=1",
                           error));
  EXPECT_TRUE(machine.set("clocks.core=65536,clocks.dram=59049,clocks.l2=125,"
                          "clocks.interconnect=1",
                          error))
      << error;
  EXPECT_EQ(machine.clocks.ticksPerMicrosecond(), 65536ull * 59049 * 125);
}

TEST(SimMachine, CyclesOfOneClockAreSoManyOfAnother) {
  Machine machine = shippedMachine();
  EXPECT_EQ(machine.clocks.convert(120, "l2", "core"), 240u);
  EXPECT_EQ(machine.clocks.convert(1, "core", "l2"), 0u);
  EXPECT_EQ(machine.clocks.convert(3, "core", "dram"), 1u);
  EXPECT_EQ(machine.clocks.convert(4'000'000'000, "dram", "core"),
            6'060'606'060u);
}

//===----------------------------------------------------------------------===//
// Bases
//===----------------------------------------------------------------------===//

/// A folder of machine files.
class SimBase : public testing::Test {
protected:
  SimBase() : folder(testing::TempDir() + "bases") {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    for (const char *name : {"micro15-vgiw", "micro15-fermi"})
      write(name, readFile(SIM_MACHINES + std::string(name) + ".json"));
  }
  void write(const std::string &name, const std::string &text) {
    std::ofstream(folder + "/" + name + ".json") << text;
  }
  std::optional<Machine> load(const std::string &text) {
    error.clear();
    write("m", text);
    return Machine::load(folder + "/m.json", error);
  }
  std::string refusal(const std::string &text) {
    EXPECT_FALSE(load(text));
    return error.substr(error.find("bases/") + 6);
  }

  const std::string folder;
  std::string error;
};

TEST_F(SimBase, AFileSaysOnlyWhatDiffers) {
  auto machine = load(R"({"name": "m", "base": "micro15-vgiw", "cores": 3,
                          "l1": {"bytes": 32768}, "clocks": {"fast": 2800},
                          "clock_of": {"l2": "fast"},
                          "fabric": {"grid": ["ASL", "VJC", "CAA"]}})");
  ASSERT_TRUE(machine) << error;
  EXPECT_EQ(machine->name, "m");
  EXPECT_EQ(machine->kind, MachineKind::vgiw);
  EXPECT_EQ(machine->cores, 3u);
  EXPECT_EQ(machine->l1.bytes, 32768u);
  EXPECT_EQ(machine->l1.ways, 4u);
  EXPECT_EQ(machine->fabric.size(), 9u);
  EXPECT_EQ(machine->clocks.rate("fast"), 2800u);
  EXPECT_EQ(machine->clocks.rate("core"), 1400u);
  // The whole text is the same machine, and needs no other file.
  std::optional<std::string> whole =
      Machine::wholeText(folder + "/m.json", error);
  ASSERT_TRUE(whole) << error;
  auto again = Machine::parse(*whole, "/nowhere/m.json", error);
  ASSERT_TRUE(again) << error;
  EXPECT_EQ(again->fabric.hash(), machine->fabric.hash());
  std::string texts[2];
  for (int i : {0, 1})
    for (const ParameterText &one : listParameters(i ? *again : *machine))
      texts[i] += one.key + "=" + one.value + "\n";
  EXPECT_EQ(texts[0], texts[1]);
}

TEST_F(SimBase, AnotherKindHasOnlyItsParametersOfTheBase) {
  auto machine =
      load(R"({"name": "m", "kind": "sgmf", "base": "micro15-vgiw"})");
  ASSERT_TRUE(machine) << error;
  EXPECT_EQ(machine->kind, MachineKind::sgmf);
  EXPECT_EQ(machine->lvc.bytes, 0u);
  // What the file itself says is checked.
  EXPECT_EQ(
      refusal(R"({"name": "m", "kind": "sgmf", "base": "micro15-vgiw",
                        "lvc": {"bytes": 65536}})"),
      "m.json: lvc: is no section of a machine of kind 'sgmf', but of "
      "'vgiw'; kind 'sgmf' has name, kind, base, cores, clocks, clock_of, "
      "fabric, operations, control, host, l1, l2, memory, aggregator, dram, "
      "energy, watchdog");
  EXPECT_EQ(refusal(R"({"name": "m", "kind": "simt", "base": "micro15-vgiw"})"),
            "m.json: simt.lanes: is missing");
  EXPECT_EQ(refusal(R"({"name": "m", "kind": "cpu", "base": "micro15-vgiw"})"),
            "m.json: kind: must be one of vgiw, simt, sgmf, apu, and is "
            "\"cpu\"");
}

TEST_F(SimBase, ABaseMayHaveABaseButNotItself) {
  write("b", R"({"name": "b", "base": "micro15-fermi", "cores": 2})");
  auto machine = load(R"({"name": "m", "base": "b.json"})");
  ASSERT_TRUE(machine) << error;
  EXPECT_EQ(machine->kind, MachineKind::simt);
  EXPECT_EQ(machine->cores, 2u);
  const std::string m = folder + "/m.json", b = folder + "/b.json",
                    c = folder + "/c.json";
  write("b", R"({"name": "b", "base": "c"})");
  write("c", R"({"name": "c", "base": "./m.json"})");
  EXPECT_EQ(refusal(R"({"name": "m", "base": "b"})"),
            "c.json: base: leads back to this file, in the circle " + m +
                " -> " + b + " -> " + c + " -> " + m +
                "; leave out one of these bases");
  EXPECT_EQ(refusal(R"({"name": "m", "base": "m"})"),
            "m.json: base: is the file itself; name another file");
}

TEST_F(SimBase, AClockOfTheBaseMayBecomeUnused) {
  auto machine =
      load(R"({"name": "m", "base": "micro15-vgiw", "clocks": {"slow": 350},
               "clock_of": {"l2": "slow"}})");
  ASSERT_TRUE(machine) << error;
  EXPECT_FALSE(machine->clocks.find("l2"));
  EXPECT_EQ(machine->clocks.rate("slow"), 350u);
  std::optional<std::string> whole =
      Machine::wholeText(folder + "/m.json", error);
  ASSERT_TRUE(whole) << error;
  EXPECT_TRUE(Machine::parse(*whole, "whole.json", error)) << error;
  // What the file itself names is not.
  EXPECT_EQ(
      refusal(R"({"name": "m", "base": "micro15-vgiw",
                        "clocks": {"slow": 350}})"),
      "m.json: clocks.slow: is the clock of no part; name it in clock_of, "
      "or leave it out");
  EXPECT_EQ(
      refusal(R"({"name": "m", "base": "micro15-vgiw",
                        "clocks": {"l2": 350}, "clock_of": {"l2": "core"}})"),
      "m.json: clocks.l2: is the clock of no part; name it in clock_of, or "
      "leave it out");
}

TEST_F(SimBase, WhatIsNoBaseIsRefused) {
  EXPECT_EQ(refusal(R"({"name": "m", "base": "micro16"})"),
            "m.json: base: is 'micro16', and there is no file " + folder +
                "/micro16.json; give the base's path");
  EXPECT_EQ(refusal(R"({"name": "m", "base": "micro15-femri"})"),
            "m.json: base: is 'micro15-femri', and there is no file " + folder +
                "/micro15-femri.json; did you mean micro15-fermi?");
  EXPECT_EQ(refusal(R"({"name": "m", "base": 3})"),
            "m.json: base: must be a string that is not empty");
  EXPECT_EQ(refusal(R"({"base": "micro15-vgiw"})"), "m.json: name: is missing");
  // What is wrong with a base is said of its file.
  write("b", R"({"name": "b", "base": "micro15-vgiw", "cores": 0})");
  const std::string usedBy = "; this file is the base of " + folder + "/m.json";
  EXPECT_EQ(refusal(R"({"name": "m", "base": "b", "cores": 1})"),
            "b.json: cores: is 0, and must be between 1 and 64" + usedBy);
  write("c", R"({"name": "c", "base": "b"})");
  EXPECT_EQ(
      refusal(R"({"name": "m", "base": "c", "cores": 1})"),
      "b.json: cores: is 0, and must be between 1 and 64; this file is the "
      "base of " +
          folder + "/c.json, which is the base of " + folder + "/m.json");
  write("b", "{\n");
  std::string text = refusal(R"({"name": "m", "base": "b"})");
  EXPECT_TRUE(text.starts_with("b.json:2:1: is no JSON: ")) << text;
  EXPECT_TRUE(text.ends_with(usedBy)) << text;
}

TEST(SimMachine, ValuesOfTheWrongTypeOrRangeAreRefused) {
  EXPECT_EQ(refusalOf("\"cvt_banks\": 8", "\"cvt_banks\": 8.5"),
            "m.json: control.cvt_banks: must be an integer, and is the "
            "fraction 8.5");
  EXPECT_EQ(refusalOf("\"cvt_banks\": 8", "\"cvt_banks\": 1e1"),
            "m.json: control.cvt_banks: must be an integer, and is the "
            "number 10.0, with a point or an exponent");
  EXPECT_EQ(
      refusalOf("\"cvt_banks\": 8", "\"cvt_banks\": 99999999999999999999"),
      "m.json: control.cvt_banks: must be an integer, and is the "
      "number 1e+20, which is beyond 64 bits");
  EXPECT_EQ(refusalOf("\"cvt_banks\": 8", "\"cvt_banks\": []"),
            "m.json: control.cvt_banks: must be an integer, and is an array");
  EXPECT_EQ(
      refusalOf("\"cvt_banks\": 8", "\"cvt_banks\": \"8\""),
      "m.json: control.cvt_banks: must be an integer, and is the text '8'");
  EXPECT_EQ(refusalOf("\"cvt_banks\": 8", "\"cvt_banks\": 0"),
            "m.json: control.cvt_banks: is 0, and must be between 1 and 1024");
  EXPECT_EQ(refusalOf("\"cvt_banks\": 8", "\"cvt_banks\": -1"),
            "m.json: control.cvt_banks: is -1, and must be between 1 and 1024");
  EXPECT_EQ(refusalOf("\"cvt_banks\": 8", "\"cvt_banks\": 4294967304"),
            "m.json: control.cvt_banks: is 4294967304, and must be between 1 "
            "and 1024");
  EXPECT_EQ(refusalOf("\"folded\": true", "\"folded\": 1"),
            "m.json: fabric.folded: must be true or false, and is an integer");
  EXPECT_EQ(
      refusalOf("\"address_modes\": \"offset\"", "\"address_modes\": 1"),
      "m.json: fabric.address_modes: must be one of plain, offset, scaled, "
      "and is 1");
  EXPECT_EQ(refusalOf("\"micro15-vgiw\"", "\"\""),
            "m.json: name: must be a string that is not empty");
}

TEST(SimMachine, GridsThatAreNoneAreRefused) {
  EXPECT_EQ(refusalOf("\"VJACASJACAJL\"", "\"VJACASJACAJ\""),
            "m.json: fabric.grid[1]: has 11 units, and row 0 has 12");
  EXPECT_EQ(refusalOf("\"VJACASJACAJL\"", "5"),
            "m.json: fabric.grid[1]: must be a string, and is an integer");
  EXPECT_EQ(refusalOf("\"VJACASJACAJL\"", "\"VJACASXACAJL\""),
            "m.json: fabric.grid[1]: letter 7 is 'X'; a unit is A (FPU-ALU), S "
            "(SCU), L (LDST), V (LVU), J (SJU) or C (CVU)");
  EXPECT_EQ(refusalOf("\"VJACASJACAJL\"", "\"VJACAS\u00c4ACAJL\""),
            "m.json: fabric.grid[1]: letter 7 is not ASCII; a unit is A "
            "(FPU-ALU), S (SCU), L (LDST), V (LVU), J (SJU) or C (CVU)");
  std::string error;
  Machine machine = shippedMachine();
  EXPECT_FALSE(machine.set("fabric.grid", "[]", error));
  EXPECT_FALSE(machine.set("fabric.grid", "[\"\"]", error));
  EXPECT_EQ(error, "fabric.grid[0]: has 0 units, and row 0 has 0");
  EXPECT_FALSE(machine.set("fabric.grid", R"(["ALV","JCC"])", error));
  EXPECT_EQ(error, "fabric.grid: has no SCU (letter S)");
  EXPECT_FALSE(machine.set("fabric.grid", R"(["ASL","VJC"])", error));
  EXPECT_EQ(error, "fabric.grid: has one CVU; a block needs two: initiator and "
                   "terminator");
  EXPECT_FALSE(machine.set("fabric.grid", R"(["ASLVJCC"])", error));
  EXPECT_EQ(error, "fabric.grid: is folded and has one column or row: its "
                   "units would be their own neighbours");
  EXPECT_FALSE(machine.set("fabric.switch_reach", "12", error));
  EXPECT_TRUE(error.starts_with("fabric.switch_reach: is a multiple")) << error;
}

TEST(SimMachine, CachesAndDramThatCannotBeBuiltAreRefused) {
  Machine machine = shippedMachine();
  std::string error;
  auto refusal = [&](const char *key, const char *value) {
    EXPECT_FALSE(machine.set(key, value, error)) << key << value;
    return error;
  };
  EXPECT_EQ(refusal("l1.ways", "3"),
            "l1.bytes: is 65536, which is no multiple of line_bytes x ways = "
            "384");
  EXPECT_EQ(refusal("l2.bytes", "1228800"),
            "l2.bytes: makes 100 sets a bank, which is no power of two");
  EXPECT_EQ(refusal("l1.bytes", "98304"),
            "l1.bytes: makes 192 sets, which is no power of two");
  EXPECT_EQ(refusal("lvc.bank_bytes", "12"),
            "lvc.bank_bytes: is 12, which is no power of two; the nearest are "
            "8 and 16");
  EXPECT_EQ(refusal("l1.line_bytes", "96"),
            "l1.line_bytes: is 96, which is no power of two; the nearest are "
            "64 and 128");
  EXPECT_EQ(refusal("l1.line_bytes", "64"),
            "l1.line_bytes: is 64, and l2.line_bytes is 128");
  EXPECT_TRUE(refusal("l2.bank_bytes", "64").starts_with("l2.bank_bytes: is "));
  EXPECT_EQ(refusal("memory.frame_bytes", "5000"),
            "memory.frame_bytes: is 5000, which is no power of two; the "
            "nearest are 4096 and 8192");
  EXPECT_EQ(refusal("memory.frame_bytes", "64"),
            "memory.frame_bytes: is 64, which is less than a line of 128");
  EXPECT_EQ(refusal("dram.interleave_bytes", "64"),
            "dram.interleave_bytes: is 64, which is less than a line of 128");
  EXPECT_EQ(refusal("dram.burst_bytes", "48"),
            "dram.burst_bytes: does not divide a line of 128 bytes");
  EXPECT_EQ(refusal("l1.write_policy", "\"never\""),
            "l1.write_policy: must be one of fetch, validate, through, and is "
            "\"never\"");
  EXPECT_EQ(refusal("memory.write_back_entries", "1"),
            "memory.write_back_entries: is 1, and must be between 2 and 4096");
  EXPECT_EQ(refusal("dram.bank_groups", "3"),
            "dram.bank_groups: is 3, which does not divide dram.banks = 16");
  EXPECT_EQ(refusal("control.cvt_bits", "100"),
            "control.cvt_bits: is no multiple of 64, the size of its words");
  EXPECT_EQ(refusal("fabric.channel_release", "unit"),
            "fabric.channel_release: must be one of terminator, window, and is "
            "\"unit\"");
  // Not UTF-8.
  EXPECT_EQ(refusal("fabric.channel_release", "\xff"),
            "fabric.channel_release: must be one of terminator, window, and is "
            "\"\xEF\xBF\xBD\"");
}

TEST(SimMachine, OverridesAreCheckedTogether) {
  Machine machine = shippedMachine();
  std::string error;
  ASSERT_TRUE(machine.set("l1.hit_cycles", "20", error)) << error;
  EXPECT_EQ(machine.l1.hitCycles, 20u);
  ASSERT_TRUE(machine.set("name", "mine", error)) << error;
  EXPECT_EQ(machine.name, "mine");
  ASSERT_TRUE(machine.set("fabric.folded", "false", error)) << error;
  EXPECT_FALSE(machine.fabric.folded);

  EXPECT_FALSE(machine.set("l1.hits", "20", error));
  const std::string members =
      "; section l1 has bytes, line_bytes, ways, banks, "
      "bank_bytes, hit_cycles, mshrs, mshr_targets, "
      "write_policy";
  EXPECT_EQ(error,
            "l1.hits: is no parameter of a machine of kind 'vgiw'" + members);
  EXPECT_FALSE(machine.set("l1", "20", error));
  EXPECT_EQ(error, "l1: is a section and no parameter" + members);
  EXPECT_FALSE(machine.set("l1.hit_cycles", "soon", error));
  EXPECT_EQ(error, "l1.hit_cycles: must be an integer, and is the text 'soon'");
  EXPECT_FALSE(machine.set("l1.hit_cycles", "", error));

  // None alone would do; and if one is refused none is done.
  std::vector<Override> lines = {{"l1.line_bytes", "64"},
                                 {"lvc.line_bytes", "64"},
                                 {"l2.line_bytes", "64"},
                                 {"l2.bank_bytes", "64"}};
  ASSERT_TRUE(machine.set(lines, error)) << error;
  EXPECT_EQ(machine.l2.sets(), 128u);
  lines = {{"l1.line_bytes", "256"},
           {"lvc.line_bytes", "256"},
           {"l2.line_bytes", "256"},
           {"l2.bank_bytes", "256"},
           {"lvc.write_policy", "validate"}};
  EXPECT_FALSE(machine.set(lines, error));
  EXPECT_EQ(error,
            "lvc.write_policy: is validate, which has masks for lines of "
            "128 bytes at most, and a line has 256; use fetch");
  lines = {{"l1.hit_cycles", "9"}, {"l1.ways", "0"}};
  EXPECT_FALSE(machine.set(lines, error));
  EXPECT_EQ(machine.l1.hitCycles, 20u);
}

TEST(SimMachine, TheHashNamesWhatAConfigurationDependsOn) {
  Machine machine = shippedMachine();
  // Stable: configurations carry it.
  EXPECT_EQ(machine.fabric.hash(), shippedMachine().fabric.hash());
  EXPECT_EQ(machine.fabric.hash().size(), 16u);
  EXPECT_TRUE(
      machine.fabric.description().starts_with("grid 12 9\nLVLCVLVLCVLV\n"));
  for (auto [key, value] : {std::pair("fabric.switch_reach", "3"),
                            std::pair("fabric.folded", "false"),
                            std::pair("fabric.max_fanout", "3"),
                            std::pair("fabric.grid", R"(["ASL","VJC","CAA"])")})
    EXPECT_NE(shippedMachine({{key, value}}).fabric.hash(),
              machine.fabric.hash())
        << key;
  EXPECT_EQ(
      shippedMachine({{"fabric.token_buffer_entries", "8"}}).fabric.hash(),
      machine.fabric.hash());
}

/// | `key` | value | unit | description |
void expectTable(const Machine &machine, const std::string &prefix,
                 const char *document) {
  std::string wanted;
  for (const ParameterText &parameter : listParameters(machine))
    if (parameter.key.starts_with(prefix))
      wanted += "| `" + parameter.key + "` | " + parameter.value + " | " +
                parameter.unit + " | " + parameter.description + " |\n";
  std::string text = readFile(std::string(SIM_DOCS) + document);
  EXPECT_NE(text.find(wanted), std::string::npos)
      << document << " must contain this table:\n"
      << wanted;
  EXPECT_NE(wanted, "") << prefix;
}

TEST(SimMachine, TheDocumentListsEveryParameterAsItIs) {
  expectTable(shippedMachine(), "", "Simulator.md");
  std::string error;
  std::optional<Machine> fermi =
      Machine::load(SIM_MACHINES "micro15-fermi.json", error);
  ASSERT_TRUE(fermi) << error;
  expectTable(*fermi, "simt.", "SIMT.md");
  std::optional<Machine> apu =
      Machine::load(SIM_MACHINES "isca14-apu.json", error);
  ASSERT_TRUE(apu) << error;
  for (const char *section :
       {"cores", "clocks.", "clock_of.", "simt.", "fetch.", "l1.", "l1i.",
        "l2.", "memory.", "dram.", "channel.", "yield.", "aggregator."})
    expectTable(*apu, section, "APU.md");
}

TEST(SimMachine, DescriptionsNameOnlyWhatTheKindHas) {
  // Words of other kinds.
  const std::vector<const char *> vgiwOnly = {"LVC", "LVU", "CVT", "block"},
                                  fabricOnly = {"LDST", "SJU",   "grid",
                                                "unit", "token", "replica"};
  for (auto [name, kind] : {std::pair("micro15-sgmf", MachineKind::sgmf),
                            std::pair("micro15-fermi", MachineKind::simt),
                            std::pair("simt-functional", MachineKind::simt),
                            std::pair("isca14-apu", MachineKind::apu)}) {
    std::string error;
    std::optional<Machine> machine =
        Machine::load(SIM_MACHINES + std::string(name) + ".json", error);
    ASSERT_TRUE(machine) << error;
    EXPECT_EQ(machine->kind, kind);
    for (const ParameterText &parameter : listParameters(*machine)) {
      auto lacks = [&](const char *word) {
        EXPECT_EQ(parameter.description.find(word), std::string::npos)
            << name << ": " << parameter.key << ": " << parameter.description;
      };
      std::ranges::for_each(vgiwOnly, lacks);
      if (kind != MachineKind::sgmf && parameter.key != "memory.frame_bytes")
        std::ranges::for_each(fabricOnly, lacks);
    }
  }
}

} // namespace
