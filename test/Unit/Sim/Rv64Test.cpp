//===- Rv64Test.cpp - The instructions of the aggregator ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's assembler has made the words (firmware/Instructions.S), and the host computes
// what they must do.
//
//===----------------------------------------------------------------------===//

#include "AggregatorHarness.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

using namespace chansim;
using namespace chansim::aggregator;

extern "C" uint64_t programOnHost(uint64_t which, uint64_t *data,
                                  uint64_t count);

namespace {

using Value = uint64_t;

constexpr Value kValues[] = {0,
                             1,
                             2,
                             7,
                             45,
                             0x7fffffff,
                             0x80000000,
                             0xffffffff,
                             0x100000000,
                             0x123456789abcdef0,
                             0x7fffffffffffffff,
                             0x8000000000000000,
                             0x8000000000000001,
                             0xfffffffffffffff9,
                             0xffffffff80000000,
                             0xffffffffffffffff};

int64_t s(Value value) { return static_cast<int64_t>(value); }
uint32_t w(Value value) { return static_cast<uint32_t>(value); }
int32_t sw32(Value value) { return static_cast<int32_t>(value); }
/// A word in a register.
Value x(uint32_t value) {
  return static_cast<Value>(static_cast<int64_t>(static_cast<int32_t>(value)));
}

/// A program without time.
struct Runner {
  explicit Runner(Firmware loaded) : firmware(std::move(loaded)) {
    for (const Region &region : firmware.regions())
      regions.add(region);
    regions.add(
        {AggregatorHarness::address(cells), sizeof(cells), true, "channels"});
    hart.emplace(firmware, regions, device);
  }
  Runner() : Runner(Firmware::load(firmwareInstructions())) {}

  Value run(std::vector<Value> arguments, uint64_t most = 100000000) {
    hart->reset(arguments);
    executed = hart->run(most);
    return hart->reg(kA0);
  }
  Value operator()(const std::string &name, Value a, Value b = 0) {
    std::optional<uint64_t> function = firmware.symbol("op_" + name);
    EXPECT_TRUE(function) << name;
    return function ? run({*function, a, b}) : 0;
  }
  Value cell(size_t index = 0) const {
    return AggregatorHarness::address(&cells[index]);
  }
  std::string errorOf(std::vector<Value> arguments) {
    try {
      run(std::move(arguments));
    } catch (const std::runtime_error &error) {
      return error.what();
    }
    return "";
  }
  std::string error(const std::string &name, Value a = 0, Value b = 0) {
    return errorOf({*firmware.symbol("op_" + name), a, b});
  }

  Firmware firmware;
  Regions regions;
  TestDevice device;
  std::optional<Hart> hart;
  uint64_t executed = 0;
  alignas(8) Value cells[4] = {};
};

using Binary = std::function<Value(Value, Value)>;

void check(const std::vector<std::pair<const char *, Binary>> &expected) {
  Runner run;
  for (const auto &[name, function] : expected)
    for (Value a : kValues)
      for (Value b : kValues)
        ASSERT_EQ(run(name, a, b), function(a, b))
            << name << " " << std::hex << a << " " << b;
}

TEST(Rv64, InstructionsOfTwoRegisters) {
  check({{"add", [](Value a, Value b) { return a + b; }},
         {"sub", [](Value a, Value b) { return a - b; }},
         {"sll", [](Value a, Value b) { return a << (b % 64); }},
         {"slt", [](Value a, Value b) { return Value(s(a) < s(b)); }},
         {"sltu", [](Value a, Value b) { return Value(a < b); }},
         {"xor", [](Value a, Value b) { return a ^ b; }},
         {"srl", [](Value a, Value b) { return a >> (b % 64); }},
         {"sra", [](Value a, Value b) { return Value(s(a) >> (b % 64)); }},
         {"or", [](Value a, Value b) { return a | b; }},
         {"and", [](Value a, Value b) { return a & b; }},
         {"addw", [](Value a, Value b) { return x(w(a) + w(b)); }},
         {"subw", [](Value a, Value b) { return x(w(a) - w(b)); }},
         {"sllw", [](Value a, Value b) { return x(w(a) << (b % 32)); }},
         {"srlw", [](Value a, Value b) { return x(w(a) >> (b % 32)); }},
         {"sraw",
          [](Value a, Value b) { return x(w(Value(sw32(a) >> (b % 32)))); }}});
}

/// The upper half of a product, by halves of the factors.
Value high(Value a, Value b) {
  Value low = Value(w(a)) * w(b), cross = (a >> 32) * w(b) + (low >> 32);
  Value other = w(a) * (b >> 32) + w(cross);
  return (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
}

TEST(Rv64, Products) {
  check({{"mul", [](Value a, Value b) { return a * b; }},
         {"mulhu", high},
         {"mulh",
          [](Value a, Value b) {
            return high(a, b) - (s(a) < 0 ? b : 0) - (s(b) < 0 ? a : 0);
          }},
         {"mulhsu",
          [](Value a, Value b) { return high(a, b) - (s(a) < 0 ? b : 0); }},
         {"mulw", [](Value a, Value b) { return x(w(a) * w(b)); }}});
}

TEST(Rv64, DivisionByZeroAndThatWhichOverflowsGiveValues) {
  Runner run;
  const Value least = Value(1) << 63, all = ~Value(0);
  EXPECT_EQ(run("div", 5, 0), all);
  EXPECT_EQ(run("divu", 5, 0), all);
  EXPECT_EQ(run("rem", 5, 0), 5u);
  EXPECT_EQ(run("remu", 5, 0), 5u);
  EXPECT_EQ(run("div", least, all), least);
  EXPECT_EQ(run("rem", least, all), 0u);
  EXPECT_EQ(run("divw", 0x180000000, 0), all);
  EXPECT_EQ(run("divuw", 0x180000000, 0x100000000), all);
  EXPECT_EQ(run("remw", 0x180000000, 0), 0xffffffff80000000);
  EXPECT_EQ(run("remuw", 0x180000000, 0), 0xffffffff80000000);
  EXPECT_EQ(run("divw", 0x80000000, all), 0xffffffff80000000);
  EXPECT_EQ(run("remw", 0x80000000, all), 0u);
  EXPECT_EQ(run("div", Value(-7), 2), Value(-3));
  EXPECT_EQ(run("rem", Value(-7), 2), Value(-1));
}

TEST(Rv64, Quotients) {
  auto isDefined = [](auto a, auto b) {
    return b != 0 && !(a == std::numeric_limits<decltype(a)>::min() && b == -1);
  };
  Runner run;
  for (Value a : kValues)
    for (Value b : kValues) {
      if (isDefined(s(a), s(b))) {
        EXPECT_EQ(run("div", a, b), Value(s(a) / s(b)));
        EXPECT_EQ(run("rem", a, b), Value(s(a) % s(b)));
      }
      if (isDefined(sw32(a), sw32(b))) {
        EXPECT_EQ(run("divw", a, b), x(w(Value(sw32(a) / sw32(b)))));
        EXPECT_EQ(run("remw", a, b), x(w(Value(sw32(a) % sw32(b)))));
      }
      if (b != 0) {
        EXPECT_EQ(run("divu", a, b), a / b);
        EXPECT_EQ(run("remu", a, b), a % b);
      }
      if (w(b) != 0) {
        EXPECT_EQ(run("divuw", a, b), x(w(a) / w(b)));
        EXPECT_EQ(run("remuw", a, b), x(w(a) % w(b)));
      }
    }
}

TEST(Rv64, Immediates) {
  Runner run;
  for (Value a : kValues) {
    for (auto [name, immediate] : {std::pair("least", Value(-2048)),
                                   {"greatest", Value(2047)},
                                   {"minus1", Value(-1)}}) {
      auto op = [&](const char *base) {
        return run(std::string(base) + "_" + name, a);
      };
      EXPECT_EQ(op("addi"), a + immediate);
      EXPECT_EQ(op("slti"), Value(s(a) < s(immediate)));
      EXPECT_EQ(op("sltiu"), Value(a < immediate));
      EXPECT_EQ(op("xori"), a ^ immediate);
      EXPECT_EQ(op("ori"), a | immediate);
      EXPECT_EQ(op("andi"), a & immediate);
      EXPECT_EQ(op("addiw"), x(w(a + immediate)));
    }
    EXPECT_EQ(run("slli", a), a << 45);
    EXPECT_EQ(run("srli", a), a >> 45);
    EXPECT_EQ(run("srai", a), Value(s(a) >> 45));
    EXPECT_EQ(run("slliw", a), x(w(a) << 13));
    EXPECT_EQ(run("srliw", a), x(w(a) >> 13));
    EXPECT_EQ(run("srliw_zero", a), x(w(a)));
    EXPECT_EQ(run("sraiw", a), x(w(Value(sw32(a) >> 13))));
  }
  EXPECT_EQ(run("lui", 0), 0xffffffff80001000);
  EXPECT_EQ(run("auipc", 0), 0xffffffff80001000);
  EXPECT_EQ(run("zero", 3), 0u);
  EXPECT_EQ(run("fence", 3), 3u);
}

TEST(Rv64, BranchesAndLinks) {
  check({{"beq", [](Value a, Value b) { return Value(a == b); }},
         {"bne", [](Value a, Value b) { return Value(a != b); }},
         {"blt", [](Value a, Value b) { return Value(s(a) < s(b)); }},
         {"bge", [](Value a, Value b) { return Value(s(a) >= s(b)); }},
         {"bltu", [](Value a, Value b) { return Value(a < b); }},
         {"bgeu", [](Value a, Value b) { return Value(a >= b); }}});
  Runner run;
  // The link of jal is two instructions into the function, that of jalr three, of which
  // lla is two.
  EXPECT_EQ(run("jal", 0), 8u);
  EXPECT_EQ(run("jalr", 0), 12u);
}

TEST(Rv64, LoadsAndStores) {
  Runner run;
  run.cells[1] = 0x91a2b3c4d5e6f788;
  EXPECT_EQ(run("lb", 0, run.cell(2)), Value(-0x78));
  EXPECT_EQ(run("lh", 0, run.cell(2)), 0xfffffffffffff788);
  EXPECT_EQ(run("lw", 0, run.cell(2)), 0xffffffffd5e6f788);
  EXPECT_EQ(run("ld", 0, run.cell(2)), 0x91a2b3c4d5e6f788);
  EXPECT_EQ(run("lbu", 0, run.cell(2)), 0x88u);
  EXPECT_EQ(run("lhu", 0, run.cell(2)), 0xf788u);
  EXPECT_EQ(run("lwu", 0, run.cell(2)), 0xd5e6f788u);
  // Misaligned ones.
  EXPECT_EQ(run("lw", 0, run.cell(2) + 1), 0xffffffffc4d5e6f7);
  const Value value = 0x1122334455667788;
  for (auto [name, mask] : {std::pair("sb", Value(0xff)),
                            {"sh", Value(0xffff)},
                            {"sw", Value(0xffffffff)},
                            {"sd", ~Value(0)}}) {
    run.cells[1] = 0x91a2b3c4d5e6f788;
    run.cells[2] = 5;
    run(name, value, run.cell(2));
    EXPECT_EQ(run.cells[1], (0x91a2b3c4d5e6f788 & ~mask) | (value & mask));
    EXPECT_EQ(run.cells[0], 0u);
    EXPECT_EQ(run.cells[2], 5u);
  }
}

TEST(Rv64, AtomicOperations) {
  struct {
    const char *name;
    Binary value;
  } const operations[] = {
      {"swap", [](Value, Value b) { return b; }},
      {"add", [](Value a, Value b) { return a + b; }},
      {"xor", [](Value a, Value b) { return a ^ b; }},
      {"and", [](Value a, Value b) { return a & b; }},
      {"or", [](Value a, Value b) { return a | b; }},
      {"min", [](Value a, Value b) { return s(a) < s(b) ? a : b; }},
      {"max", [](Value a, Value b) { return s(a) > s(b) ? a : b; }},
      {"minu", [](Value a, Value b) { return a < b ? a : b; }},
      {"maxu", [](Value a, Value b) { return a > b ? a : b; }}};
  Runner run;
  for (const auto &[name, value] : operations)
    for (Value a : kValues)
      for (Value b : kValues) {
        run.cells[0] = a;
        std::string base = std::string("amo") + name;
        ASSERT_EQ(run(base + "_d", b, run.cell()), a);
        ASSERT_EQ(run.cells[0], value(a, b)) << base << a << " " << b;
        // Sign-extended words compare as words do, and the upper half stays.
        run.cells[0] = a;
        ASSERT_EQ(run(base + "_w", b, run.cell()), x(w(a)));
        Value half = w(value(x(w(a)), x(w(b))));
        ASSERT_EQ(run.cells[0], (a & 0xffffffff00000000) | half) << base;
      }
}

TEST(Rv64, ReservationsHoldUntilTheValueChanges) {
  Runner run;
  run.cells[0] = 0xfffffffff;
  EXPECT_EQ(run("reserve_d", 5, run.cell()), 0xfffffffffu);
  EXPECT_EQ(run.cells[0], 0x1000000004u);
  run.cells[0] = 0x5ffffffff;
  EXPECT_EQ(run("reserve_w", 1, run.cell()), ~Value(0));
  EXPECT_EQ(run.cells[0], 0x500000000u);
  for (const char *size : {"w", "d"}) {
    EXPECT_EQ(run(std::string("second_") + size, 7, run.cell()), 1u);
    EXPECT_EQ(w(run.cells[0]), 7u);
    run.cells[1] = 3;
    EXPECT_EQ(run(std::string("other_") + size, 7, run.cell()), 1u);
    EXPECT_EQ(run.cells[1], 3u);
  }
  // Another agent between LR and SC.
  for (Value change : {0, 1}) {
    run.cells[0] = 9;
    run.hart->reset({{*run.firmware.symbol("op_lr_d"), 0, run.cell()}});
    while (run.hart->step().instruction->op != Op::lrD)
      ;
    run.cells[0] += change;
    EXPECT_EQ(run.hart->step().isFailed, change == 1);
    EXPECT_EQ(run.cells[0], change == 1 ? 10u : 9u);
    EXPECT_EQ(run.hart->reg(kA0), change);
  }
}

//===----------------------------------------------------------------------===//
// Programs in C
//===----------------------------------------------------------------------===//

TEST(Rv64, ProgramsComputeWhatTheHostDoes) {
  for (uint64_t which = 0; which != 7; ++which) {
    std::vector<uint64_t> data(500);
    uint64_t state = 12345 + which;
    for (uint64_t &value : data) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      value = state ^ state >> 29;
    }
    data[17] = data[18] = 0;
    std::vector<uint64_t> onHost = data;
    Runner run(Firmware::load(firmwarePrograms()));
    run.regions.add({AggregatorHarness::address(data.data()), 8 * data.size(),
                     true, "data"});
    uint64_t result =
        run.run({which, AggregatorHarness::address(data.data()), data.size()});
    EXPECT_TRUE(run.hart->hasEnded());
    EXPECT_GT(run.executed, 1000u);
    EXPECT_EQ(result, programOnHost(which, onHost.data(), onHost.size()))
        << which;
    EXPECT_EQ(data, onHost) << which;
  }
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(Rv64, AccessesOutsideOfAllRegionsAreRefused) {
  Runner run;
  std::string error = run.error("sd", 5, 0x18);
  EXPECT_EQ(error.find("the scheduler's store of 8 bytes to 0x10 at pc 0x"), 0u)
      << error;
  EXPECT_NE(error.find(" (function `op_sd`) is outside of its memory and of "
                       "the channels"),
            std::string::npos)
      << error;
  EXPECT_EQ(run.error("lb", 5, 0x18)
                .find("the scheduler's load of 1 byte from 0x10 at pc 0x"),
            0u);
  // The last byte is beyond.
  EXPECT_NE(run.error("lh", 0, run.cell(4) + 7), "");
  EXPECT_EQ(run.error("lb", 0, run.cell(4) + 7), "");
  EXPECT_NE(run.error("amoadd_d", 0, 0x10).find("atomic operation of 8"),
            std::string::npos);
  EXPECT_NE(run.error("amoadd_d", 0, run.cell() + 4).find("is not aligned"),
            std::string::npos);
  EXPECT_NE(run.error("amoadd_d", 0, 0x1000).find("register of a device"),
            std::string::npos);
  // Below the stack there is a gap.
  uint64_t stack = run.firmware.stackTop() - Firmware::kStackBytes;
  EXPECT_EQ(run.error("sd", 0, stack + 8), "");
  EXPECT_NE(run.error("sd", 0, stack), "");
}

TEST(Rv64, CodeAndConstantsAreReadOnly) {
  Runner run;
  uint64_t code = run.firmware.codeBase();
  EXPECT_EQ(run.error("ld", 0, code + 8), "");
  EXPECT_NE(
      run.error("sd", 0, code + 8).find("is to `code`, which is read only"),
      std::string::npos);
  EXPECT_NE(run.error("amoswap_w", 0, code).find("is to `code`"),
            std::string::npos);
  run.regions.remove(AggregatorHarness::address(run.cells));
  EXPECT_NE(run.error("ld", 0, run.cell(1)), "");
  run.regions.add({run.cell(), 8, false, "constants"});
  EXPECT_EQ(run.error("ld", 0, run.cell(1)), "");
  EXPECT_NE(run.error("sd", 0, run.cell(1)).find("`constants`"),
            std::string::npos);
}

TEST(Rv64, WhatIsNoInstructionNamesItsPlace) {
  Runner run;
  for (auto [name, text] :
       {std::pair("ecall", "the scheduler's ecall at pc 0x"),
        {"ebreak", "the scheduler's ebreak at pc 0x"},
        {"illegal", "the scheduler's instruction 0xffffffff at pc 0x"}}) {
    std::string error = run.error(name);
    EXPECT_EQ(error.find(text), 0u) << error;
    EXPECT_NE(error.find("(function `op_" + std::string(name) + "`)"),
              std::string::npos)
        << error;
  }
  std::string error = run.errorOf({0x40});
  EXPECT_EQ(error.find("the scheduler went to pc 0x40, which is not in its "
                       "code, from pc 0x"),
            0u)
      << error;
  // Words of other extensions: compressed, floating point, a counter, fence.i.
  for (uint32_t word : {0x00000001u, 0x00053507u, 0xc0002573u, 0x0000100fu,
                        0x02051513u | 1u << 31, 0x4000151bu})
    EXPECT_EQ(decode(word).op, Op::illegal) << std::hex << word;
}

TEST(Rv64, RegionsDoNotOverlap) {
  Regions regions;
  regions.add({100, 10, true, "a"});
  regions.add({110, 10, true, "b"});
  regions.add({90, 10, true, "c"});
  for (uint64_t base : {85, 95, 100, 109, 119})
    EXPECT_THROW(regions.add({base, 10, true, "d"}), std::logic_error);
  EXPECT_THROW(regions.add({50, 100, true, "d"}), std::logic_error);
  EXPECT_THROW(regions.add({50, 0, true, "d"}), std::logic_error);
  EXPECT_EQ(regions.find(105, 5)->name, "a");
  EXPECT_EQ(regions.find(105, 6), nullptr);
  EXPECT_EQ(regions.find(110, 10)->name, "b");
  EXPECT_EQ(regions.find(89, 1), nullptr);
  EXPECT_EQ(regions.find(120, 1), nullptr);
  EXPECT_EQ(regions.find(~uint64_t(0), 8), nullptr);
  regions.remove(110);
  EXPECT_EQ(regions.find(110, 1), nullptr);
  EXPECT_THROW(regions.remove(110), std::logic_error);
}

TEST(Rv64, DevicesAreReadAndWrittenInOrder) {
  Runner run;
  run.device.values[0x1000] = 0xfedcba9876543210;
  EXPECT_EQ(run("lw", 0, 0x1008), 0x76543210u);
  EXPECT_EQ(run("lb", 0, 0x1008), 0x10u);
  run("sh", 0x12345, 0x1010);
  using Event = TestDevice::Event;
  EXPECT_EQ(run.device.events,
            (std::vector<Event>{{0, 0x1000, 0xfedcba9876543210, 4, false},
                                {0, 0x1000, 0xfedcba9876543210, 1, false},
                                {0, 0x1008, 0x2345, 2, true}}));
}

} // namespace
