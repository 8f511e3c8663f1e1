//===- OperationsTest.cpp - Operations against C++'s own ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "machine/Operations.h"
#include "Harness.h"

#include <gtest/gtest.h>

#include <bit>
#include <bitset>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <sstream>

using namespace chansim;

namespace {

uint64_t evaluate(const std::string &name, uint64_t a, uint64_t b = 0,
                  uint64_t c = 0) {
  const Operation *operation = findOperation(name);
  if (!operation || !operation->evaluate) {
    ADD_FAILURE() << "no operation " << name;
    return 0;
  }
  return operation->evaluate(a, b, c);
}

/// Random words of a type, and those at its edges.
template <class T> std::vector<T> samples() {
  std::mt19937_64 random(7);
  std::vector<T> values = {0, 1, static_cast<T>(~T(0)),
                           std::numeric_limits<std::make_signed_t<T>>::max(),
                           static_cast<T>(T(1) << (sizeof(T) * 8 - 1))};
  for (int i = 0; i != 40; ++i)
    values.push_back(static_cast<T>(random() >> random() % 64));
  return values;
}

template <class T> std::string suffix() {
  return ".i" + std::to_string(sizeof(T) * 8);
}

template <class T> class Integers : public testing::Test {};
using IntegerTypes = testing::Types<uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(Integers, IntegerTypes);

TYPED_TEST(Integers, TwoOperands) {
  using T = TypeParam;
  using S = std::make_signed_t<T>;
  constexpr unsigned bits = sizeof(T) * 8;
  using Reference = std::function<T(T, T)>;
  auto sign = [](T a) { return static_cast<S>(a); };
  std::vector<std::pair<std::string, Reference>> references = {
      {"add", [](T a, T b) { return static_cast<T>(a + b); }},
      {"sub", [](T a, T b) { return static_cast<T>(a - b); }},
      {"mul", [](T a, T b) { return static_cast<T>(uint64_t(a) * b); }},
      {"and", [](T a, T b) { return static_cast<T>(a & b); }},
      {"or", [](T a, T b) { return static_cast<T>(a | b); }},
      {"xor", [](T a, T b) { return static_cast<T>(a ^ b); }},
      {"eq", [](T a, T b) { return a == b; }},
      {"ne", [](T a, T b) { return a != b; }},
      {"ult", [](T a, T b) { return a < b; }},
      {"ule", [](T a, T b) { return a <= b; }},
      {"ugt", [](T a, T b) { return a > b; }},
      {"uge", [](T a, T b) { return a >= b; }},
      {"slt", [=](T a, T b) { return sign(a) < sign(b); }},
      {"sle", [=](T a, T b) { return sign(a) <= sign(b); }},
      {"sgt", [=](T a, T b) { return sign(a) > sign(b); }},
      {"sge", [=](T a, T b) { return sign(a) >= sign(b); }},
      {"umin", [](T a, T b) { return std::min(a, b); }},
      {"umax", [](T a, T b) { return std::max(a, b); }},
      {"smin", [=](T a, T b) { return sign(a) < sign(b) ? a : b; }},
      {"smax", [=](T a, T b) { return sign(a) > sign(b) ? a : b; }}};
  for (const auto &[name, reference] : references)
    for (T a : samples<T>())
      for (T b : samples<T>())
        ASSERT_EQ(evaluate(name + suffix<T>(), a, b), reference(a, b))
            << name << " " << +a << " " << +b;
  for (T a : samples<T>())
    for (T b : samples<T>()) {
      if (b) {
        EXPECT_EQ(evaluate("udiv" + suffix<T>(), a, b), T(a / b));
        EXPECT_EQ(evaluate("urem" + suffix<T>(), a, b), T(a % b));
      }
      if (b && !(b == T(~T(0)) && a == T(T(1) << (bits - 1)))) {
        EXPECT_EQ(evaluate("sdiv" + suffix<T>(), a, b), T(sign(a) / sign(b)));
        EXPECT_EQ(evaluate("srem" + suffix<T>(), a, b), T(sign(a) % sign(b)));
      }
      unsigned shift = static_cast<unsigned>(b % bits);
      EXPECT_EQ(evaluate("shl" + suffix<T>(), a, shift),
                T(uint64_t(a) << shift));
      EXPECT_EQ(evaluate("lshr" + suffix<T>(), a, shift), T(a >> shift));
      EXPECT_EQ(evaluate("ashr" + suffix<T>(), a, shift), T(sign(a) >> shift));
    }
}

TYPED_TEST(Integers, OneOrThreeOperands) {
  using T = TypeParam;
  constexpr unsigned bits = sizeof(T) * 8;
  auto name = [](const char *op) { return op + suffix<T>(); };
  for (T a : samples<T>()) {
    std::bitset<bits> set(a);
    EXPECT_EQ(evaluate(name("mov"), a), a);
    EXPECT_EQ(evaluate(name("ctpop"), a), set.count());
    EXPECT_EQ(evaluate(name("ctlz"), a), std::countl_zero(a));
    EXPECT_EQ(evaluate(name("cttz"), a), std::countr_zero(a));
    T reversed = 0;
    for (unsigned i = 0; i != bits; ++i)
      if (set[i])
        reversed |= T(T(1) << (bits - 1 - i));
    EXPECT_EQ(evaluate(name("bitreverse"), a), reversed);
    if constexpr (bits > 8) {
      T swapped = 0;
      for (unsigned i = 0; i != bits / 8; ++i)
        swapped |= T(T(a >> 8 * i & 0xff) << (bits - 8 - 8 * i));
      EXPECT_EQ(evaluate(name("bswap"), a), swapped);
    }
    for (T b : samples<T>()) {
      EXPECT_EQ(evaluate(name("mad"), a, b, 77), T(uint64_t(a) * b + 77));
      EXPECT_EQ(evaluate(name("select"), 1, a, b), a);
      EXPECT_EQ(evaluate(name("select"), 0, a, b), b);
      for (unsigned shift : {0u, 1u, 7u, bits - 1, bits, bits + 3}) {
        unsigned by = shift % bits;
        T left = by ? T(T(a << by) | T(b >> (bits - by))) : a;
        T right = by ? T(T(a << (bits - by)) | T(b >> by)) : b;
        EXPECT_EQ(evaluate(name("fshl"), a, b, T(shift)), left);
        EXPECT_EQ(evaluate(name("fshr"), a, b, T(shift)), right);
      }
    }
  }
}

TYPED_TEST(Integers, PoisonIsDeterministicAndFits) {
  using T = TypeParam;
  constexpr unsigned bits = sizeof(T) * 8;
  T all = static_cast<T>(~T(0)), least = static_cast<T>(T(1) << (bits - 1));
  auto name = [](const char *op) { return op + suffix<T>(); };
  EXPECT_EQ(evaluate(name("shl"), 5, bits), 0u);
  EXPECT_EQ(evaluate(name("lshr"), 5, bits), 0u);
  EXPECT_EQ(evaluate(name("ashr"), least, bits), all);
  EXPECT_EQ(evaluate(name("udiv"), 5, 0), all);
  EXPECT_EQ(evaluate(name("sdiv"), 5, 0), all);
  EXPECT_EQ(evaluate(name("urem"), 5, 0), 5u);
  EXPECT_EQ(evaluate(name("srem"), 5, 0), 5u);
  EXPECT_EQ(evaluate(name("sdiv"), least, all), least);
  EXPECT_EQ(evaluate(name("srem"), least, all), 0u);
}

TYPED_TEST(Integers, Memory) {
  using T = TypeParam;
  using S = std::make_signed_t<T>;
  auto name = [](const char *op) { return op + suffix<T>(); };
  // Misaligned, with neighbours that must stay.
  unsigned char room[sizeof(T) + 2];
  uint64_t address = reinterpret_cast<uint64_t>(room + 1);
  auto value = [&] {
    T now;
    std::memcpy(&now, room + 1, sizeof now);
    return now;
  };
  struct Case {
    const char *op;
    std::function<T(T, T)> reference;
  };
  std::vector<Case> cases = {
      {"atomic_xchg", [](T, T b) { return b; }},
      {"atomic_add", [](T a, T b) { return T(a + b); }},
      {"atomic_sub", [](T a, T b) { return T(a - b); }},
      {"atomic_and", [](T a, T b) { return T(a & b); }},
      {"atomic_or", [](T a, T b) { return T(a | b); }},
      {"atomic_xor", [](T a, T b) { return T(a ^ b); }},
      {"atomic_umin", [](T a, T b) { return std::min(a, b); }},
      {"atomic_umax", [](T a, T b) { return std::max(a, b); }},
      {"atomic_smin", [](T a, T b) { return T(std::min(S(a), S(b))); }},
      {"atomic_smax", [](T a, T b) { return T(std::max(S(a), S(b))); }}};
  for (T a : samples<T>())
    for (T b : samples<T>()) {
      std::memset(room, 0x5a, sizeof room);
      EXPECT_EQ(evaluate(name("store"), address, a), 0u);
      EXPECT_EQ(evaluate(name("load"), address), a);
      for (const Case &one : cases) {
        evaluate(name("store"), address, a);
        EXPECT_EQ(evaluate(name(one.op), address, b), a) << one.op;
        EXPECT_EQ(value(), one.reference(a, b)) << one.op;
      }
      evaluate(name("store"), address, a);
      EXPECT_EQ(evaluate(name("cas"), address, b, 9), a);
      EXPECT_EQ(value(), a == b ? T(9) : a);
      EXPECT_EQ(room[0], 0x5a);
      EXPECT_EQ(room[sizeof(T) + 1], 0x5a);
    }
}

TEST(Operations, OneBit) {
  for (uint64_t a : {0, 1})
    for (uint64_t b : {0, 1}) {
      EXPECT_EQ(evaluate("add.i1", a, b), a ^ b);
      EXPECT_EQ(evaluate("sub.i1", a, b), a ^ b);
      EXPECT_EQ(evaluate("mul.i1", a, b), a & b);
      EXPECT_EQ(evaluate("xor.i1", a, b), a ^ b);
      // 1 is -1 when it has a sign.
      EXPECT_EQ(evaluate("slt.i1", a, b), uint64_t(a > b));
      EXPECT_EQ(evaluate("ult.i1", a, b), uint64_t(a < b));
      EXPECT_EQ(evaluate("smin.i1", a, b), a | b);
      EXPECT_EQ(evaluate("select.i1", a, b, 1 - b), a ? b : 1 - b);
    }
  EXPECT_EQ(evaluate("ctlz.i1", 0), 1u);
  EXPECT_EQ(evaluate("cttz.i1", 0), 1u);
  unsigned char byte = 0xff;
  EXPECT_EQ(evaluate("load.i1", reinterpret_cast<uint64_t>(&byte)), 1u);
}

TEST(Operations, Channels) {
  uint64_t control[] = {5, 6};
  uint64_t address = reinterpret_cast<uint64_t>(control);
  EXPECT_EQ(evaluate("reserve.i64", address), 5u);
  EXPECT_EQ(evaluate("reserve.i64", address), ~uint64_t(0));
  EXPECT_EQ(control[0], 6u);
  EXPECT_EQ(findOperation("reserve.i64")->bytes, 16u);

  uint64_t first[] = {0, 1}, second[] = {0, 2}, head = 0;
  uint64_t list = reinterpret_cast<uint64_t>(&head);
  auto item = [](uint64_t *object) {
    return reinterpret_cast<uint64_t>(object);
  };
  EXPECT_EQ(evaluate("pop.i64", list), 0u);
  EXPECT_EQ(evaluate("push.i64", list, item(first)), 0u);
  EXPECT_EQ(evaluate("push.i64", list, item(second)), 0u);
  EXPECT_EQ(evaluate("pop.i64", list), item(second));
  EXPECT_EQ(evaluate("pop.i64", list), item(first));
  EXPECT_EQ(evaluate("pop.i64", list), 0u);
}

TEST(Operations, IntegerConversions) {
  EXPECT_EQ(evaluate("trunc.i64.i8", 0x1ff), 0xffu);
  EXPECT_EQ(evaluate("trunc.i8.i1", 0xfe), 0u);
  EXPECT_EQ(evaluate("zext.i8.i64", 0xff), 0xffu);
  EXPECT_EQ(evaluate("sext.i8.i64", 0xff), ~uint64_t(0));
  EXPECT_EQ(evaluate("sext.i1.i32", 1), 0xffffffffu);
  EXPECT_EQ(evaluate("sext.i16.i32", 0x7fff), 0x7fffu);
  for (const char *name : {"trunc.i8.i64", "zext.i64.i8", "sext.i8.i8",
                           "fpext.f64.f32", "fptrunc.f32.f64"})
    EXPECT_EQ(findOperation(name), nullptr) << name;
}

template <class F> struct FloatTraits;
template <> struct FloatTraits<float> {
  using Bits = uint32_t;
  static constexpr const char *suffix = ".f32";
};
template <> struct FloatTraits<double> {
  using Bits = uint64_t;
  static constexpr const char *suffix = ".f64";
};

template <class F> class Floats : public testing::Test {
protected:
  static uint64_t word(F a) {
    return std::bit_cast<typename FloatTraits<F>::Bits>(a);
  }
  static F number(uint64_t a) {
    return std::bit_cast<F>(static_cast<typename FloatTraits<F>::Bits>(a));
  }
  /// The same number, or both none.
  static bool same(F a, F b) {
    return (std::isnan(a) && std::isnan(b)) || word(a) == word(b);
  }
  static std::vector<F> samples() {
    using Limits = std::numeric_limits<F>;
    std::vector<F> values = {F(0),
                             F(-0.0),
                             F(1),
                             F(-1.5),
                             F(2.5),
                             F(-0.5),
                             Limits::max(),
                             Limits::lowest(),
                             Limits::min(),
                             Limits::denorm_min(),
                             Limits::infinity(),
                             -Limits::infinity(),
                             Limits::quiet_NaN()};
    std::mt19937_64 random(11);
    for (int i = 0; i != 40; ++i)
      values.push_back(number(random()));
    for (int i = 0; i != 20; ++i)
      values.push_back(F(static_cast<int64_t>(random() % 20000) - 10000) / 8);
    return values;
  }
};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Floats, FloatTypes);

TYPED_TEST(Floats, Arithmetic) {
  using F = TypeParam;
  std::string suffix = FloatTraits<F>::suffix;
  std::vector<std::pair<std::string, std::function<F(F, F)>>> references = {
      {"fadd", [](F a, F b) { return a + b; }},
      {"fsub", [](F a, F b) { return a - b; }},
      {"fmul", [](F a, F b) { return a * b; }},
      {"fdiv", [](F a, F b) { return a / b; }},
      {"fcopysign", [](F a, F b) { return std::copysign(a, b); }},
      {"fminnum", [](F a, F b) { return std::fmin(a, b); }},
      {"fmaxnum", [](F a, F b) { return std::fmax(a, b); }},
      {"fsqrt", [](F a, F) { return std::sqrt(a); }},
      {"fneg", [](F a, F) { return -a; }},
      {"fabs", [](F a, F) { return std::fabs(a); }},
      {"ffloor", [](F a, F) { return std::floor(a); }},
      {"fceil", [](F a, F) { return std::ceil(a); }},
      {"ftrunc", [](F a, F) { return std::trunc(a); }},
      {"frint", [](F a, F) { return std::rint(a); }},
      {"fround", [](F a, F) { return std::round(a); }},
      {"mov", [](F a, F) { return a; }},
      {"fma", [](F a, F b) { return std::fma(a, b, F(3)); }}};
  for (const auto &[name, reference] : references)
    for (F a : this->samples())
      for (F b : this->samples()) {
        F result = this->number(evaluate(name + suffix, this->word(a),
                                         this->word(b), this->word(F(3))));
        ASSERT_TRUE(this->same(result, reference(a, b)))
            << name << " " << a << " " << b << " gives " << result;
      }
}

TYPED_TEST(Floats, Comparisons) {
  using F = TypeParam;
  for (F a : this->samples())
    for (F b : this->samples()) {
      bool unordered = std::isnan(a) || std::isnan(b);
      std::vector<std::pair<std::string, bool>> expected = {
          {"eq", a == b}, {"gt", a > b},  {"ge", a >= b},
          {"lt", a < b},  {"le", a <= b}, {"ne", !unordered && a != b}};
      for (const auto &[name, ordered] : expected) {
        auto compare = [&](const std::string &kind) {
          return evaluate("f" + kind + name + FloatTraits<F>::suffix,
                          this->word(a), this->word(b));
        };
        EXPECT_EQ(compare("o"), ordered) << name << " " << a << " " << b;
        EXPECT_EQ(compare("u"), ordered || unordered)
            << name << " " << a << " " << b;
      }
      std::string suffix = FloatTraits<F>::suffix;
      EXPECT_EQ(evaluate("ford" + suffix, this->word(a), this->word(b)),
                !unordered);
      EXPECT_EQ(evaluate("funo" + suffix, this->word(a), this->word(b)),
                unordered);
    }
}

TYPED_TEST(Floats, Conversions) {
  using F = TypeParam;
  std::string suffix = FloatTraits<F>::suffix;
  auto from = [&](const char *op, F a, const char *to) {
    return evaluate(op + suffix + to, this->word(a));
  };
  EXPECT_EQ(from("fptosi", F(-2.75), ".i8"), 0xfeu);
  EXPECT_EQ(from("fptosi", F(-2.75), ".i64"), ~uint64_t(1));
  EXPECT_EQ(from("fptosi", F(-128.5), ".i8"), 0x80u);
  EXPECT_EQ(from("fptosi", F(127.5), ".i8"), 0x7fu);
  EXPECT_EQ(from("fptoui", F(255.5), ".i8"), 0xffu);
  EXPECT_EQ(from("fptoui", F(-0.5), ".i32"), 0u);
  EXPECT_EQ(from("fptoui", std::ldexp(F(1), 63), ".i64"), uint64_t(1) << 63);
  // Poison, which saturates.
  EXPECT_EQ(from("fptosi", F(1e9), ".i8"), 0x7fu);
  EXPECT_EQ(from("fptosi", F(-1e9), ".i8"), 0x80u);
  EXPECT_EQ(from("fptoui", F(1e30), ".i64"), ~uint64_t(0));
  EXPECT_EQ(from("fptoui", F(-1e30), ".i64"), 0u);
  EXPECT_EQ(from("fptosi", std::numeric_limits<F>::quiet_NaN(), ".i32"), 0u);

  for (uint64_t a : samples<uint64_t>()) {
    EXPECT_EQ(evaluate("sitofp.i64" + suffix, a),
              this->word(static_cast<F>(static_cast<int64_t>(a))));
    EXPECT_EQ(evaluate("uitofp.i64" + suffix, a),
              this->word(static_cast<F>(a)));
    EXPECT_EQ(evaluate("sitofp.i8" + suffix, a & 0xff),
              this->word(static_cast<F>(static_cast<int8_t>(a))));
  }
  EXPECT_EQ(evaluate("sitofp.i1" + suffix, 1), this->word(F(-1)));
}

TYPED_TEST(Floats, Memory) {
  using F = TypeParam;
  std::string suffix = FloatTraits<F>::suffix;
  F there = F(1.5);
  uint64_t address = reinterpret_cast<uint64_t>(&there);
  EXPECT_EQ(evaluate("atomic_fadd" + suffix, address, this->word(F(2))),
            this->word(F(1.5)));
  EXPECT_EQ(there, F(3.5));
  EXPECT_EQ(evaluate("load" + suffix, address), this->word(F(3.5)));
  evaluate("store" + suffix, address, this->word(F(-4)));
  EXPECT_EQ(there, F(-4));
}

TEST(Operations, FloatConversions) {
  auto f32 = [](float a) { return std::bit_cast<uint32_t>(a); };
  auto f64 = [](double a) { return std::bit_cast<uint64_t>(a); };
  EXPECT_EQ(evaluate("fpext.f32.f64", f32(0.1f)), f64(double(0.1f)));
  EXPECT_EQ(evaluate("fptrunc.f64.f32", f64(0.1)), f32(0.1f));
}

TEST(Operations, NamesAreSortedAndDiffer) {
  std::set<std::string> names;
  for (const Operation &operation : allOperations()) {
    EXPECT_TRUE(names.insert(operation.name).second) << operation.name;
    EXPECT_EQ(findOperation(operation.name), &operation);
    bool needsMore = operation.action == Action::initiate ||
                     operation.action == Action::terminate ||
                     operation.unit == UnitKind::liveValue ||
                     operation.action == Action::heapCall ||
                     operation.action == Action::syscall ||
                     isOfLanes(operation.action);
    EXPECT_EQ(operation.evaluate == nullptr, needsMore) << operation.name;
  }
  EXPECT_EQ(findOperation("add"), nullptr);
  EXPECT_EQ(findOperation("add.f32"), nullptr);
  EXPECT_EQ(findOperation(""), nullptr);
}

TEST(Operations, Latencies) {
  OperationCycles cycles = shippedMachine().operations;
  auto latency = [&](const char *name) {
    return findOperation(name)->latency(cycles);
  };
  EXPECT_EQ(latency("add.i8"), 4u);
  EXPECT_EQ(latency("mad.i64"), 5u);
  EXPECT_EQ(latency("sdiv.i32"), 145u);
  EXPECT_EQ(latency("fadd.f32"), 4u);
  EXPECT_EQ(latency("fma.f32"), 5u);
  EXPECT_EQ(latency("fsqrt.f32"), 39u);
  EXPECT_EQ(latency("folt.f64"), 8u);
  EXPECT_EQ(latency("fdiv.f64"), 330u);
  EXPECT_EQ(latency("sitofp.i32.f64"), 8u);
  EXPECT_EQ(latency("fptrunc.f64.f32"), 8u);
  EXPECT_EQ(latency("select.f64"), 4u);
  EXPECT_EQ(latency("mov.f64"), 1u);
  EXPECT_EQ(latency("join"), 1u);
  EXPECT_EQ(latency("load.i8"), 0u);
}

TEST(Operations, BitsOfOperands) {
  auto bits = [](const char *name, unsigned index) {
    return findOperation(name)->operandBits(index);
  };
  EXPECT_EQ(bits("add.i8", 1), 8u);
  EXPECT_EQ(bits("add.i8", 2), 64u); // a control token
  EXPECT_EQ(bits("select.f32", 0), 1u);
  EXPECT_EQ(bits("select.f32", 1), 32u);
  EXPECT_EQ(bits("store.i16", 0), 64u);
  EXPECT_EQ(bits("store.i16", 1), 16u);
  EXPECT_EQ(bits("zext.i8.i64", 0), 8u);
  EXPECT_EQ(bits("live_store", 0), 64u);
}

/// The table of docs/Configuration.md, a row an operation with all its types.
std::string documentedTable() {
  std::map<std::string, std::pair<std::string, std::string>> rows;
  for (const Operation &operation : allOperations()) {
    if (isOfLanes(operation.action))
      continue; // docs/SIMT.md has it
    size_t dot = operation.name.find('.');
    std::string name = operation.name.substr(0, dot);
    auto &[front, types] = rows[name];
    front = "| `" + name + "` | " + unitLetter(operation.unit) + " | " +
            std::to_string(operation.operands) + " |";
    if (dot != std::string::npos)
      types += " " + operation.name.substr(dot + 1);
  }
  std::string table;
  for (const auto &[name, row] : rows)
    table += row.first + row.second + " |\n";
  return table;
}

TEST(Operations, AreDocumented) {
  std::ifstream stream(SIM_DOCS "Configuration.md");
  std::ostringstream text;
  text << stream.rdbuf();
  std::string table = documentedTable();
  EXPECT_NE(text.str().find(table), std::string::npos)
      << "docs/Configuration.md does not have this table:\n"
      << table;
}

} // namespace

TEST(Operations, EachSaysTheBitsOfItsResult) {
  auto bits = [](const char *name) {
    return chansim::findOperation(name)->resultBits;
  };
  EXPECT_EQ(bits("add.i8"), 8u);
  EXPECT_EQ(bits("slt.i64"), 1u);
  EXPECT_EQ(bits("foeq.f64"), 1u);
  EXPECT_EQ(bits("trunc.i64.i1"), 1u);
  EXPECT_EQ(bits("fpext.f32.f64"), 64u);
  EXPECT_EQ(bits("fptosi.f64.i16"), 16u);
  EXPECT_EQ(bits("load.f32"), 32u);
  EXPECT_EQ(bits("cas.i16"), 16u);
  EXPECT_EQ(bits("reserve.i64"), 64u);
  EXPECT_EQ(bits("store.i32"), 0u);
  EXPECT_EQ(bits("push.i64"), 0u);
  EXPECT_EQ(bits("syscall"), 0u);
}
