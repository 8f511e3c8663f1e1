//===- Opcodes.h - Operations as cases of an enum ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read before runtime/sim/src/machine/Operations.def by the preprocessor alone, whose
// output is a TableGen list (CMakeLists.txt).
//
//===----------------------------------------------------------------------===//

#define OPCODE_compute(NAME) VGIW_Case<#NAME, __COUNTER__>,
#define OPCODE_special(NAME) OPCODE_compute(NAME)
#define OPCODE_loadStore(NAME)
#define TYPED(NAME, UNIT, OPERANDS, CYCLES, TYPES) OPCODE_##UNIT(NAME)
#define COMPARISON(NAME, TYPES) OPCODE_compute(NAME)
#define CONVERSION(NAME, CYCLES, FROM, TO, WIDTH) OPCODE_compute(NAME)
#define OF_LANES(NAME, OPERANDS) OPCODE_compute(NAME)
