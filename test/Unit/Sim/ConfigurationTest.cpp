//===- ConfigurationTest.cpp - Configurations, right and wrong ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConfigurationHarness.h"

#include <fstream>
#include <sstream>

using namespace chansim;

namespace {

TEST_F(Configurations, TheValidOneIsRead) {
  std::string error;
  auto parsed = Configuration::parse(text, "f", machine, error);
  ASSERT_TRUE(parsed) << error;
  ASSERT_EQ(parsed->kernels.size(), 1u);
  const Kernel &kernel = parsed->kernels[0];
  EXPECT_EQ(parsed->symbols, (std::vector<std::string>{"table", "thunk"}));
  EXPECT_EQ(kernel.liveValues, 2u);
  ASSERT_EQ(kernel.blocks.size(), 3u);
  const Block &block = kernel.blocks[0];
  EXPECT_EQ(block.units[kept].number, 1u);
  EXPECT_EQ(block.units[called].number, 1u);
  EXPECT_EQ(block.units[sum].inputs[1].value, 8u);
  EXPECT_EQ(block.units[sum].inputs[2].kind, Input::Kind::parameter);
  EXPECT_EQ(kernel.blocks[1].units[2].operation->name, "store.i8");
  EXPECT_EQ(kernel.blocks[1].units[2].inputs[0].value, 16u);
  EXPECT_EQ(block.successors[1].kind, Successor::Kind::yield);
  EXPECT_EQ(block.successors[1].block, 2u);
  // Each edge of the builder is there.
  std::vector<std::array<uint32_t, 3>> edges;
  for (const Edge &edge : block.edges) {
    edges.push_back({edge.source, edge.target, edge.input});
    EXPECT_GE(edge.hops, 1u);
  }
  std::sort(edges.begin(), edges.end());
  std::vector<std::array<uint32_t, 3>> expected = {
      {initiator, copy, 0}, {copy, sum, 0},    {copy, called, 0},
      {sum, loaded, 0},     {loaded, kept, 0}, {loaded, ended, 0},
      {kept, ended, 1},     {called, ended, 2}};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(edges, expected);
  EXPECT_EQ(kernel.blocks[2].units[0].replica, 0u);
  EXPECT_EQ(kernel.blocks[2].units[1].replica, 0u);
  EXPECT_EQ(kernel.blocks[2].units[2].replica, 1u);
}

TEST_F(Configurations, TheDocumentsExampleRuns) {
  std::ifstream stream(SIM_DOCS "Configuration.md");
  std::ostringstream document;
  document << stream.rdbuf();
  std::string example = document.str();
  example.erase(0, example.find("```json\n") + 8);
  example.erase(example.find("```"));
  CoreHarness harness(machine, example);
  std::vector<uint64_t> out(100);
  harness.run(100, {addressOf(out.data())});
  for (uint64_t i = 0; i != 100; ++i)
    EXPECT_EQ(out[i], i);
}

TEST_F(Configurations, HopsAreLinks) {
  auto hops = [&](Place from, Place to) {
    BlockBuilder block(machine.fabric);
    block.terminate({block.initiate(from)}, to);
    std::string error;
    auto parsed = Configuration::parse(
        configurationText(machine, {block.build(0, {"exit"})}), "f", machine,
        error);
    EXPECT_TRUE(parsed) << error;
    return parsed ? parsed->kernels[0].blocks[0].edges[0].hops : 0;
  };
  EXPECT_EQ(hops({3, 0}, {3, 1}), 1u);
  EXPECT_EQ(hops({5, 4}, {6, 4}), 1u);
  // Over the edge of the folded grid.
  EXPECT_EQ(hops({3, 0}, {3, 8}), 1u);
  EXPECT_EQ(hops({0, 4}, {11, 4}), 1u);
  // By one switch, and by two that are two apart.
  EXPECT_EQ(hops({1, 3}, {0, 4}), 2u);
  EXPECT_EQ(hops({1, 3}, {1, 5}), 3u);
}

TEST_F(Configurations, ExtremesOfConstants) {
  auto value = [&](const char *op, OrderedJson number) {
    OrderedJson root = OrderedJson::parse(text);
    OrderedJson &unit = root["kernels"][0]["blocks"][0]["units"][sum];
    unit["op"] = op;
    unit["in"][1] = {{"const", number}};
    unit["in"][2] = {{"const", 0}};
    std::string error;
    auto parsed = Configuration::parse(root.dump(), "f", machine, error);
    EXPECT_TRUE(parsed) << error;
    return parsed ? parsed->kernels[0].blocks[0].units[sum].inputs[1].value : 0;
  };
  EXPECT_EQ(value("mad.i8", 255), 255u);
  EXPECT_EQ(value("mad.i8", -1), 255u);
  EXPECT_EQ(value("mad.i8", -128), 128u);
  EXPECT_EQ(value("mad.i64", ~uint64_t(0)), ~uint64_t(0));
  EXPECT_EQ(value("mad.i64", -1), ~uint64_t(0));
  EXPECT_EQ(value("fma.f32", 0x3f800000), 0x3f800000u);
  auto tooLarge = [&](OrderedJson number) {
    return unitRefusal(sum, [&](OrderedJson &unit) {
      unit["op"] = "mad.i8";
      unit["in"][1] = {{"const", number}};
    });
  };
  const char *field = "kernels[0].blocks[0].units[2].in[1].const";
  expectMessage(tooLarge(256), field, "does not fit into 8 bits");
  expectMessage(tooLarge(-129), field, "does not fit into 8 bits");
  expectMessage(tooLarge(1.5), field, "must be an integer");
}

TEST_F(Configurations, Addresses) {
  // The load's: the machine adds words of the configuration to one token.
  auto wrong = [&](OrderedJson address) {
    return unitRefusal(loaded, [&](OrderedJson &unit) {
      unit["address"] = std::move(address);
    });
  };
  auto indexed = [&](OrderedJson base, OrderedJson address) {
    return unitRefusal(loaded, [&](OrderedJson &unit) {
      OrderedJson token = unit["in"][0];
      unit["in"] = {std::move(base), std::move(token)};
      unit["address"] = std::move(address);
    });
  };
  const char *in = "kernels[0].blocks[0].units[3].in";
  const char *field = "kernels[0].blocks[0].units[3].address";
  auto at = [&](const char *key) { return std::string(field) + "." + key; };
  expectMessage(wrong({{"index", "i64"}}), in,
                "load.i8 has 2 operands, its index among them");
  expectMessage(wrong({{"index", "i32"}}), at("index"),
                "must be 'i64', 'sext.i32' or 'zext.i32'");
  expectMessage(wrong({{"scale", 2}}), at("scale"), "there is none");
  expectMessage(wrong({{"index", "i64"}, {"scale", 3}}), at("scale"),
                "is 3, which is no power of two");
  expectMessage(wrong({{"index", "i64"}, {"scale", 65536}}), at("scale"),
                "must be between 1 and 32768");
  expectMessage(wrong({{"offset", 1.5}}), at("offset"), "must be an integer");
  expectMessage(wrong({{"size", 1}}), at("size"), "is no key of this object");
  expectMessage(
      unitRefusal(sum,
                  [](OrderedJson &unit) { unit["address"] = {{"offset", 1}}; }),
      "kernels[0].blocks[0].units[2].address", "is no key of this object");

  // What needs more than the machine has.
  OrderedJson zero = {{"param", 0}};
  expectMessage(indexed(zero, {{"index", "i64"}, {"scale", 2}}), field,
                "needs the address modes 'scaled', and the machine "
                "'micro15-vgiw' has 'offset'");
  expectMessage(indexed(zero, {{"index", "sext.i32"}}), field, "'scaled'");
  machine = shippedMachine({{"fabric.address_modes", "plain"}});
  expectMessage(wrong({{"offset", 8}}), field,
                "needs the address modes 'offset'");
  expectMessage(indexed(zero, {{"index", "i64"}}), field,
                "needs the address modes 'offset'");

  // Each is read if the machine has it.
  machine = shippedMachine({{"fabric.address_modes", "scaled"}});
  OrderedJson root = OrderedJson::parse(text);
  OrderedJson &unit = root["kernels"][0]["blocks"][0]["units"][loaded];
  unit["in"] = {zero, unit["in"][0]};
  unit["address"] = {{"index", "zext.i32"}, {"scale", 4}, {"offset", -8}};
  std::string error;
  auto parsed = Configuration::parse(root.dump(), "f", machine, error);
  ASSERT_TRUE(parsed) << error;
  const AddressMode &mode = parsed->kernels[0].blocks[0].units[loaded].address;
  EXPECT_TRUE(mode.hasIndex);
  EXPECT_EQ(mode.extend, AddressMode::Extend::zero);
  EXPECT_EQ(mode.scale, 4u);
  EXPECT_EQ(mode.offset, uint64_t(-8));
}

TEST_F(Configurations, CopiesHaveTheSameAddress) {
  BlockBuilder block(machine.fabric);
  for (int replica = 0; replica != 2; ++replica) {
    uint32_t read = block.node("load.i64", {block.initiate()});
    block.address(read, {{"offset", 8 * replica}});
    block.terminate({read});
  }
  std::string error;
  EXPECT_FALSE(Configuration::parse(
      configurationText(machine, {block.build(0, {"exit"})}), "f", machine,
      error));
  expectMessage(error, "kernels[0].blocks[0].units[4]",
                "differs from units[1]");
}

TEST_F(Configurations, Lines) {
  OrderedJson root = OrderedJson::parse(text);
  root["lines"] = {{{"kernel", 0},
                    {"block", 1},
                    {"lines", {"a.c:1", "", "a.c:3", "a.c:4"}}}};
  std::string error;
  auto parsed = Configuration::parse(root.dump(), "f", machine, error);
  ASSERT_TRUE(parsed) << error;
  EXPECT_EQ(parsed->kernels[0].blocks[1].units[2].line, "a.c:3");
  EXPECT_EQ(parsed->kernels[0].blocks[0].units[2].line, "");

  auto wrong = [&](const char *key, OrderedJson value) {
    return refusal([&](OrderedJson &changed) {
      changed["lines"] = root["lines"];
      changed["lines"][0][key] = value;
    });
  };
  expectMessage(wrong("kernel", 1), "lines[0].kernel", "there are 1 kernels");
  expectMessage(wrong("block", 3), "lines[0].block", "there are 3 blocks");
  expectMessage(wrong("lines", {"a.c:1"}), "lines[0].lines", "4 units");
  expectMessage(refusal([&](OrderedJson &changed) {
                  changed["lines"] = {root["lines"][0], root["lines"][0]};
                }),
                "lines[1].block", "has its lines already");
}

TEST_F(Configurations, Registers) {
  OrderedJson root = OrderedJson::parse(text);
  root["registers"] = {{7, 0, 9}};
  std::string error;
  auto parsed = Configuration::parse(root.dump(), "f", machine, error);
  ASSERT_TRUE(parsed) << error;
  EXPECT_EQ(parsed->kernels[0].blocks[2].registerAccesses, 9u);

  auto wrong = [&](OrderedJson value) {
    return refusal([&](OrderedJson &changed) { changed["registers"] = value; });
  };
  expectMessage(wrong(OrderedJson::array()), "registers",
                "there are 1 kernels");
  expectMessage(wrong({{7, 0}}), "registers[0]", "there are 3 blocks");
  expectMessage(wrong({{7, 0, -1}}), "registers[0][2]", "");
}

TEST_F(Configurations, DamagedText) {
  auto refused = [&](std::string damaged) {
    std::string error;
    EXPECT_FALSE(Configuration::parse(damaged, "f", machine, error));
    return error;
  };
  // LINE:COLUMN.
  auto hasPlace = [](const std::string &error) {
    return error.starts_with("f:") &&
           error.substr(2).find_first_not_of("0123456789:") ==
               error.find(": is no JSON: ") - 1;
  };
  std::string half = refused(text.substr(0, text.size() / 2));
  EXPECT_TRUE(hasPlace(half)) << half;
  EXPECT_EQ(refused("").substr(0, 19), "f:1:1: is no JSON: ");
  EXPECT_EQ(refused("[\n 1,\n]").substr(0, 19), "f:3:1: is no JSON: ");
  EXPECT_EQ(refused("[]"), "f: must be an object, and is an array");
  expectMessage(refused("{\"format\": 1, \"format\": 2}"), "format", "twice");
  // Any byte changed is refused or read, and never more than that.
  for (size_t at = 0; at < text.size(); at += 3) {
    std::string damaged = text, error;
    damaged[at] = damaged[at] == '1' ? '9' : '1';
    if (!Configuration::parse(damaged, "f", machine, error))
      EXPECT_TRUE(error.starts_with("f: ") || hasPlace(error)) << error;
  }
}

TEST_F(Configurations, Header) {
  auto with = [&](const char *key, OrderedJson value) {
    return refusal([&](OrderedJson &root) { root[key] = value; });
  };
  expectMessage(with("format", "elf"), "format", "'elf'");
  expectMessage(with("version", 2), "version", "reads version 1");
  expectMessage(with("version", "1"), "version", "must be an integer");
  expectMessage(with("fabric", "0123456789abcdef"), "fabric",
                "compile for this machine");
  expectMessage(with("symbols", 3), "symbols", "must be an array");
  expectMessage(with("symbols", {1}), "symbols[0]", "must be a string");
  expectMessage(with("symbols", {""}), "symbols[0]", "is empty");
  expectMessage(with("colour", 3), "colour", "is no key");
  expectMessage(refusal([](OrderedJson &root) { root.erase("kernels"); }),
                "kernels", "is missing");
}

TEST_F(Configurations, Kernels) {
  auto with = [&](const char *key, OrderedJson value) {
    return refusal([&](OrderedJson &root) { root["kernels"][0][key] = value; });
  };
  expectMessage(with("name", ""), "kernels[0].name", "is empty");
  expectMessage(with("live_values", -1), "kernels[0].live_values", "-1");
  expectMessage(with("private_bytes", "x"), "kernels[0].private_bytes",
                "integer");
  expectMessage(with("blocks", OrderedJson::array()), "kernels[0].blocks",
                "entry");
  expectMessage(with("size", 1), "kernels[0].size", "is no key");
  expectMessage(with("consumes", 2), "kernels[0].consumes",
                "there are 2 symbols");
  auto groups = [&](uint32_t threads) {
    return refusal([&](OrderedJson &root) {
      root["kernels"][0]["launch"] = "range";
      root["kernels"][0]["consumes"] = 0;
      root["kernels"][0]["groups"] = {{"threads", threads}, {"bytes", 16}};
    });
  };
  expectMessage(groups(48), "kernels[0].groups.threads",
                "must be a power of two");
  expectMessage(groups(128), "kernels[0].groups.threads", "between 1 and 64");
  expectMessage(with("groups", {{"threads", 4}, {"bytes", 0}}),
                "kernels[0].groups", "is not launched for ranges");
  machine.control.cvtBits = 128;
  expectMessage(refusal([](OrderedJson &) {}), "kernels[0].blocks",
                "control.cvt_bits");
}

TEST_F(Configurations, Parameters) {
  auto with = [&](OrderedJson value) {
    return refusal([&](OrderedJson &root) {
      root["kernels"][0]["parameters"][0] = value;
    });
  };
  const std::string field = "kernels[0].parameters[0]";
  expectMessage(with({{"kind", "colour"}}), field + ".kind", "'colour'");
  expectMessage(with({{"kind", "field"}}), field + ".field", "is missing");
  expectMessage(with({{"kind", "column"}, {"field", 0}, {"level", 0}}),
                field + ".stack", "is missing");
  expectMessage(with({{"kind", "control"}, {"stack", 2}, {"level", 0}}),
                field + ".stack", "there are 2 symbols");
  expectMessage(with({{"kind", "frames"}, {"size", 0}}), field + ".size",
                "is 0");
  expectMessage(with({{"kind", "level"}, {"size", 8}}), field + ".size",
                "kind 'level'");
  auto computed = [&](const char *operation, OrderedJson operands) {
    return with({{"kind", "computed"},
                 {"operation", operation},
                 {"operands", std::move(operands)}});
  };
  OrderedJson one{{"const", 1}}, list = {one, one};
  expectMessage(with({{"kind", "level"}, {"operation", "add.i64"}}),
                field + ".operation", "kind 'level'");
  expectMessage(computed("sdiv.i64", list), field + ".operation",
                "no operation of compute units");
  expectMessage(computed("sext.i32.i64", list), field + ".operands",
                "has 2 elements, and the operation has 1");
  expectMessage(computed("add.i64", {one, 1}), field + ".operands[1]",
                "object");
  expectMessage(computed("add.i64", {one, {{"const", 1}, {"param", 0}}}),
                field + ".operands[1]", "must be");
  expectMessage(computed("add.i8", {one, {{"const", 300}}}),
                field + ".operands[1].const", "does not fit into 8 bits");
  expectMessage(computed("add.i64", {one, {{"param", 0}}}),
                field + ".operands[1].param", "there are 0 earlier parameters");
  for (OrderedJson right :
       {OrderedJson{{"kind", "control"}, {"stack", 1}, {"level", 1}},
        OrderedJson{
            {"kind", "computed"}, {"operation", "add.i64"}, {"operands", list}},
        OrderedJson{{"kind", "frames"}, {"size", 48}},
        OrderedJson{{"kind", "private"}}}) {
    OrderedJson root = OrderedJson::parse(text);
    root["kernels"][0]["parameters"][0] = right;
    std::string error;
    EXPECT_TRUE(Configuration::parse(root.dump(), "f", machine, error))
        << error;
  }
}

TEST_F(Configurations, Blocks) {
  auto with = [&](const char *key, OrderedJson value) {
    return blockRefusal([&](OrderedJson &block) { block[key] = value; });
  };
  const std::string field = "kernels[0].blocks[0]";
  expectMessage(with("id", 1), field + ".id", "must be 0");
  expectMessage(with("replicas", 9), field + ".replicas", "between 1 and 8");
  expectMessage(with("replicas", 2), field + ".replicas", "units make 1");
  expectMessage(with("successors", OrderedJson::array()), field + ".successors",
                "one successor or two");
  expectMessage(with("successors", {1, 1, 1}), field + ".successors",
                "has 3 elements");
  expectMessage(with("successors", {3}), field + ".successors[0]",
                "is 3, and there are 3 blocks");
  expectMessage(with("successors", {{{"yield", 7}}}),
                field + ".successors[0].yield", "is 7");
  expectMessage(with("successors", {{{"barrier", 1}}}),
                field + ".successors[0]", "has no 'groups'");
  expectMessage(with("successors", {{{"barrier", 1}, {"yield", 1}}}),
                field + ".successors[0].yield", "beside 'barrier'");
  expectMessage(with("successors", {"out"}), field + ".successors[0]", "'out'");
}

TEST_F(Configurations, Units) {
  auto with = [&](size_t unit, const char *key, OrderedJson value) {
    return unitRefusal(unit,
                       [&](OrderedJson &changed) { changed[key] = value; });
  };
  const std::string units = "kernels[0].blocks[0].units";
  expectMessage(with(sum, "op", "madd.i64"), units + "[2].op", "no operation");
  expectMessage(with(sum, "op", "udiv.i64"), units + "[2].op",
                "is of kind FPU-ALU");
  expectMessage(with(sum, "at", {12, 0}), units + "[2].at[0]",
                "between 0 and 11");
  expectMessage(with(sum, "at", {1}), units + "[2].at", "[x, y]");
  expectMessage(with(sum, "colour", 1), units + "[2].colour", "is no key");
  expectMessage(with(sum, "live", 1), units + "[2].live", "is no key");
  expectMessage(with(kept, "live", 2), units + "[4].live",
                "there are 2 live values");
  expectMessage(with(called, "call", 2), units + "[5].call",
                "there are 2 symbols");
  expectMessage(
      unitRefusal(kept, [](OrderedJson &unit) { unit.erase("live"); }),
      units + "[4].live", "is missing");
  expectMessage(blockRefusal([](OrderedJson &block) {
                  block["units"].push_back(block["units"][sum]);
                }),
                units + "[7].at", "where units[2] is");
}

TEST_F(Configurations, Inputs) {
  const std::string in = "kernels[0].blocks[0].units[2].in";
  auto with = [&](OrderedJson list) {
    return unitRefusal(sum, [&](OrderedJson &unit) { unit["in"] = list; });
  };
  OrderedJson one = {{"const", 1}};
  expectMessage(with({"N", one}), in, "has 2 inputs");
  expectMessage(with({one, one, one}), in, "no token");
  expectMessage(with({"N", "N", one}), in + "[1]", "is the link of in[0]");
  expectMessage(with({"N", "E", "S", "W"}), in + "[3]", "a token too many");
  expectMessage(with({"N", one, one, one}), in + "[3]", "is no token");
  expectMessage(with({"up", one, one}), in + "[0]", "no port");
  expectMessage(with({"N", {{"param", 1}}, one}), in + "[1].param",
                "there are 1 parameters");
  expectMessage(with({"N", {{"symbol", 2}}, one}), in + "[1].symbol",
                "there are 2 symbols");
  expectMessage(with({"N", {{"const", 1}, {"param", 0}}, one}), in + "[1]",
                "must be a port");
  expectMessage(with({"N", {{"const", 1}, {"offset", 0}}, one}),
                in + "[1].offset", "beside a constant");
  expectMessage(with({"N", 7, one}), in + "[1]", "must be an object");
  // A parameter without an offset may be a short word.
  const OrderedJson wide[] = {{{"symbol", 0}}, {{"param", 0}, {"offset", 4}}};
  for (const OrderedJson &word : wide)
    expectMessage(unitRefusal(sum,
                              [&](OrderedJson &unit) {
                                unit["op"] = "mad.i32";
                                unit["in"][1] = {{"param", 0}};
                                unit["in"][2] = word;
                              }),
                  in + "[2]", "the operand has 32");
  expectMessage(
      unitRefusal(initiator, [](OrderedJson &unit) { unit["in"] = {"N"}; }),
      "kernels[0].blocks[0].units[0].in", "has no inputs");
  expectMessage(
      unitRefusal(ended,
                  [](OrderedJson &unit) { unit["in"] = OrderedJson::array(); }),
      "kernels[0].blocks[0].units[6].in", "no token");
}

} // namespace
