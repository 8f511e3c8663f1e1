//===- SimtAssemblyTest.cpp - The text of kernels for SIMT cores ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/Assembly.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace chansim;
using namespace chansim::simt;

namespace {

/// Each form of the text once, as printing has it.
constexpr const char *kAllForms = R"(.kernel fib.0
  .source fib
  .consumes @"fib 0"
  .launch range
  .parameter argument 3
  .parameter field 1
  .parameter column 2 of @fib.1 + 1
  .parameter control of @fib.1
  .parameter frames 64
  .parameter level
  .parameter capture 0
  .private 48
  .registers s 4 d 3 c 2
{
  .line "a b/fib.c:3"
  mov.i64 d0, id
  mad.i64 d1, d0, 4, p1
  load.i32 s0, [d1 + 8]
  load.f64 d2, [@table - 8]
  load.i8 s1, [local + 16]
  .line ""
  store.f32 [p0], 1.5
  store.f32 [4096], 0x7fc00000
  store.f64 [d1], -1e-300
  fadd.f64 d2, d2, 2.0
  add.i8 s1, s1, -1
  xor.i1 c1, c0, 1
  mov.i64 d2, @"odd \"name\"\x01" + 24
  slt.i32 c0, s0, 2
  bra !c0, L1, reconverge L2
  bra c0, L1, reconverge L2, wait
  ballot.i64 d0, c1
  lane.i64 d1
  read_lane.i64 d2, d0, d1
L0:
  atomic_add.i32 s2, [d1], s0
  cas.i32 s3, [d1 + 4], s0, s2
  reserve.i64 d2, [p3]
  pop.i64 d2, [p4]
  push.i64 [p4], d2
  load.i64 d1, [p4 + 8], relaxed
  load.i64 d1, [p4 + 8], acquire
  load.i64 d1, [p4 + 8], acquire_release
  store.i64 [p4 + 8], d1, release
  cas.i64 d1, [p4], 1, 2, relaxed
  yield L0
  yield L0, d1
  yield L0, p3
L1:
  heap_call @f, local
  syscall @g, d2
  select.f32 s0, c0, s1, s2
  trunc.i64.i1 c1, d2
  bra.uni c1, L0
  bra L2
L2:
  exit
}

.kernel two
  .launch range
  .parameter group
  .private 0
  .group 16 1024
  .registers s 0 d 0 c 0
{
  bar
  exit
}
)";

Assembly parse(const std::string &text) {
  std::string error;
  std::optional<Assembly> parsed = Assembly::parse(text, "k.simt", error);
  EXPECT_TRUE(parsed) << error;
  return parsed.value_or(Assembly());
}

std::string problemOf(const std::string &text) {
  std::string error;
  return Assembly::parse(text, "k.simt", error) ? "" : error;
}

/// A kernel around the lines.
std::string kernel(const std::string &lines,
                   const std::string &head = ".registers s 2 d 2 c 1\n") {
  return ".kernel k\n.parameter argument 0\n" + head + "{\n" + lines + "\n}\n";
}

} // namespace

TEST(SimtAssembly, PrintingWhatWasParsedGivesTheText) {
  EXPECT_EQ(parse(kAllForms).print(), kAllForms);
}

TEST(SimtAssembly, SymbolsAreNumberedAsTheTextNamesThem) {
  std::vector<std::string> expected = {
      "fib 0", "fib.1", "table", "odd \"name\"\x01", "f", "g"};
  EXPECT_EQ(parse(kAllForms).symbols, expected);
}

TEST(SimtAssembly, BlanksCommentsAndNamesOfLabelsAreFree) {
  Assembly free = parse("// A comment.\n\n.kernel k // here\n .registers s 1 d "
                        "0 c 0\n{\n\n again:   // twice\nadd.i32 s0,s0,0x10\n"
                        "   bra again\n}");
  EXPECT_EQ(free.print(), ".kernel k\n  .launch elements\n  .private 0\n"
                          "  .registers s 1 d 0 c 0\n{\nL0:\n"
                          "  add.i32 s0, s0, 16\n  bra L0\n}\n");
}

TEST(SimtAssembly, EachInstructionOfTheListParses) {
  for (const Operation &operation : allOperations()) {
    bool isInstruction = operation.unit == UnitKind::compute ||
                         operation.unit == UnitKind::special ||
                         operation.unit == UnitKind::loadStore;
    std::string line = operation.name;
    const char *separator = " ";
    auto add = [&](const std::string &text) {
      line += separator + text;
      separator = ", ";
    };
    auto registerOf = [](unsigned bits) {
      return bits == 1 ? "c0" : bits <= 32 ? "s0" : "d0";
    };
    if (operation.resultBits)
      add(registerOf(operation.resultBits));
    if (isCall(operation))
      add("@f");
    for (unsigned i = 0; i != operation.operands; ++i)
      add(i == 0 && hasAddress(operation)
              ? std::string("[d0]")
              : registerOf(operation.operandBits(i)));
    std::string problem = problemOf(kernel(line + "\nexit"));
    EXPECT_EQ(problem.empty(), isInstruction) << line << ": " << problem;
  }
}

TEST(SimtAssembly, WhatNoCoreCouldExecuteIsRefusedWithItsPlace) {
  struct Case {
    std::string text, problem;
  };
  for (const Case &bad : std::vector<Case>{
           {"kernel k", "1:1: expected '.kernel'"},
           {".kernel k\n{\nexit\n}", "2:1: kernel 'k' has no '.registers'"},
           {".kernel k\n.launch wide\n",
            "2:1: a kernel is not launched as 'wide', but as elements, range "
            "or ranges"},
           {".kernel k\n.parameter private\n",
            "2:1: a parameter is no 'private'"},
           {".kernel k\n.parameter computed\n",
            "2:1: a parameter is no 'computed'"},
           {".kernel k\n.group 12 0\n",
            "2:1: a work-group has a power of two of threads, and not 12"},
           {".kernel k\n.group 128 0\n", "2:8: '128' is not between 0 and 64"},
           {kernel("bar\nexit"),
            "5:1: there is a 'bar' in a kernel without '.group'"},
           {kernel("bar", ".group 4 0\n.registers s 0 d 0 c 0\n"),
            "7:1: kernel 'k' does not end with 'exit', 'yield' or 'bra'"},
           {".kernel k\n.registers s 1\n",
            "2:15: expected 'd' and a number of registers"},
           {".kernel k\n.frob 1\n", "2:1: there is no '.frob'"},
           {kernel("nop\nexit"), "5:1: there is no instruction 'nop'"},
           {kernel("store.i32 [p0], 1, acquire\nexit"),
            "5:20: 'store.i32' cannot be 'acquire'"},
           {kernel("store.i32 [p0], 1, often\nexit"),
            "5:20: 'often' is no order; there are relaxed, acquire, release "
            "and "
            "acquire_release"},
           {kernel("live_load s0\nexit"),
            "5:1: there is no instruction 'live_load'"},
           {kernel("add.i32 s0, s2, 1\nexit"),
            "5:13: register s2 of a kernel with 2 registers of class s"},
           {kernel("add.i32 s0, d0, 1\nexit"),
            "5:13: 'd0' is no register of class s, which operands of type i32 "
            "have"},
           {kernel("add.i32 d0, s0, 1\nexit"),
            "5:9: 'd0' is no register of class s"},
           {kernel("add.i64 d0, p1, 1\nexit"),
            "5:13: parameter p1 of a kernel with 1"},
           {kernel("add.i8 s0, s0, 256\nexit"),
            "5:16: '256' does not fit type i8"},
           {kernel("add.i8 s0, s0, -129\nexit"),
            "5:16: '-129' does not fit type i8"},
           {kernel("fadd.f32 s0, s0, x\nexit"),
            "5:18: 'x' is no number of type f32"},
           {kernel("add.i32 s0, s0\nexit"),
            "5:15: expected ',', found the end of the line"},
           {kernel("add.i32 s0, s0, 1, 2\nexit"), "5:18: unexpected ','"},
           {kernel("load.i32 s0, d0\nexit"), "5:14: expected '[', found 'd0'"},
           {kernel("add.i32 s0, s0, id\nexit"),
            "5:17: 'id' is no operand of type i32"},
           {kernel("mov.i32 s0, @f\nexit"),
            "5:13: an address is no operand of type i32"},
           {kernel("bra L9"), "5:5: there is no label 'L9'"},
           {kernel("a:\na:\nexit"), "6:1: label 'a' is there twice"},
           {kernel("bra s0, a\na:\nexit"),
            "5:5: the condition 's0' is no register of class c"},
           {kernel("bra.uni c0, a, reconverge a\na:\nexit"),
            "5:16: a uniform branch does not reconverge"},
           {kernel("bra c0, a, reconverge a, stay\na:\nexit"),
            "5:26: expected 'wait'"},
           {kernel("yield a, s0\na:\nexit"),
            "5:10: 's0' is no register of class d, which operands of type i64 "
            "have"},
           {kernel("bra !a\na:\nexit"), "5:5: a branch without a condition is "
                                        "neither negated nor uniform"},
           {kernel("add.i32 s0, s0, 1"),
            "6:1: kernel 'k' does not end with 'exit', 'yield' or 'bra'"},
           {kernel("bra c0, a\na:\n"), "8:1: kernel 'k' does not end with "
                                       "'exit', 'yield' or 'bra'"},
           {kernel("bra a\na:"), "5:5: label 'a' has no instruction behind it"},
           {".kernel k\n.registers s 1 d 1 c 1\n{\nexit\n",
            "5:1: kernel 'k' has no '}'"},
           {".kernel \"k\n", "1:9: the '\"' has no end"}}) {
    EXPECT_EQ(problemOf(bad.text), "k.simt:" + bad.problem) << bad.text;
  }
}
