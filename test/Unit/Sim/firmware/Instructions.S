# Instructions.S - Part of cilk2chan, under the Apache License v2.0 with LLVM
# Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A function for each instruction of RV64IMA, for Rv64Test.cpp: op_add(a, b) is a + b.
# main(function, a, b) calls one.

  .text
  .globl main
main:
  mv t0, a0
  mv a0, a1
  mv a1, a2
  jr t0

  .macro function name
  .globl op_\name
op_\name:
  .endm

  # Two registers.
  .irp op, add, sub, sll, slt, sltu, xor, srl, sra, or, and, addw, subw, sllw, srlw, sraw, \
    mul, mulh, mulhsu, mulhu, div, divu, rem, remu, mulw, divw, divuw, remw, remuw
  function \op
  \op a0, a0, a1
  ret
  .endr

  # A register and an immediate: the least, the greatest and another one.
  .irp op, addi, slti, sltiu, xori, ori, andi, addiw
  function \op\()_least
  \op a0, a0, -2048
  ret
  function \op\()_greatest
  \op a0, a0, 2047
  ret
  function \op\()_minus1
  \op a0, a0, -1
  ret
  .endr
  .irp op, slli, srli, srai
  function \op
  \op a0, a0, 45
  ret
  .endr
  .irp op, slliw, srliw, sraiw
  function \op
  \op a0, a0, 13
  ret
  .endr

  function srliw_zero
  srliw a0, a0, 0
  ret

  # Upper immediates; a0 of auipc is relative to its own address.
  function lui
  lui a0, 0x80001
  ret
  function auipc
  auipc a0, 0x80001
  lla a1, op_auipc
  sub a0, a0, a1
  ret

  # 1 if the branch is taken.
  .irp op, beq, bne, blt, bge, bltu, bgeu
  function \op
  \op a0, a1, 1f
  li a0, 0
  ret
1:
  li a0, 1
  ret
  .endr

  # From and to the address in a1, at an offset.
  .irp op, lb, lh, lw, ld, lbu, lhu, lwu
  function \op
  \op a0, -8(a1)
  ret
  .endr
  .irp op, sb, sh, sw, sd
  function \op
  \op a0, -8(a1)
  ret
  .endr

  # Atomic operations on the cell at the address in a1.
  .irp op, swap, add, xor, and, or, min, max, minu, maxu
  function amo\op\()_w
  amo\op\().w a0, a0, (a1)
  ret
  function amo\op\()_d
  amo\op\().d.aqrl a0, a0, (a1)
  ret
  .endr
  .irp size, w, d
  # Adds a0, as compilers do; the result is what was there.
  function reserve_\size
1:
  lr.\size\().aq t0, (a1)
  add t1, t0, a0
  sc.\size\().rl t2, t1, (a1)
  bnez t2, 1b
  mv a0, t0
  ret
  # A second SC, which must fail: the result is 1, and the cell has a0.
  function second_\size
  lr.\size t0, (a1)
  sc.\size t1, a0, (a1)
  bnez t1, 1f
  sc.\size a0, zero, (a1)
  ret
1:
  li a0, -1
  ret
  # SC to another address than LR: the result is 1.
  function other_\size
  lr.\size t0, (a1)
  addi a1, a1, 8
  sc.\size a0, a0, (a1)
  ret
  # Only one half, so that a test can do something in between.
  function lr_\size
  lr.\size a0, (a1)
  sc.\size a0, a0, (a1)
  ret
  .endr

  # Links: 4 less than the address behind the jump, relative to the function.
  function jal
  mv t1, ra
  jal t0, 1f
1:
  lla a0, op_jal
  sub a0, t0, a0
  mv ra, t1
  ret
  # The lowest bit of the target is ignored, and the link may be the base.
  function jalr
  lla t0, 1f
  jalr t0, 1(t0)
  li a0, 1
  ret
1:
  lla a0, op_jalr
  sub a0, t0, a0
  ret

  function zero
  li zero, 5
  mv a0, zero
  ret
  function fence
  fence
  fence r, rw
  fence.tso
  .insn 4, 0x0100000f    # pause
  ret
  function ecall
  ecall
  ret
  function ebreak
  ebreak
  function illegal
  .word 0xffffffff
