//===- Switch.S - Calls a function on another stack -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// void chan_switch_stack(void *top, void (*function)(void *), void *argument)
//
// Nests like a call: the frame pointer leads back to the caller's stack. So
// debuggers and unwinders see through it, and a shadow stack stays balanced. An
// unwinder that passes it calls chan_unwind_task first (Unwind.cpp), because a
// task ends that way.
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)
        .text
        .globl  chan_switch_stack
        .hidden chan_switch_stack
        .type   chan_switch_stack, @function
chan_switch_stack:
        .cfi_startproc
        .cfi_personality 0x1b, chan_unwind_task // relative, of 4 bytes
#if defined(__CET__)
        endbr64
#endif
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        movq    %rdi, %rsp
        movq    %rdx, %rdi
        callq   *%rsi
        movq    %rbp, %rsp
        popq    %rbp
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   chan_switch_stack, .-chan_switch_stack
#elif defined(__aarch64__)
        .text
        .globl  chan_switch_stack
        .hidden chan_switch_stack
        .type   chan_switch_stack, %function
chan_switch_stack:
        .cfi_startproc
        .cfi_personality 0x1b, chan_unwind_task // relative, of 4 bytes
        hint    #34
        stp     x29, x30, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        mov     x29, sp
        .cfi_def_cfa x29, 16
        mov     sp, x0
        mov     x0, x2
        blr     x1
        mov     sp, x29
        .cfi_def_cfa sp, 16
        ldp     x29, x30, [sp], #16
        .cfi_def_cfa_offset 0
        .cfi_restore x29
        .cfi_restore x30
        ret
        .cfi_endproc
        .size   chan_switch_stack, .-chan_switch_stack
#else
#error "libchan knows no stack switch for this processor"
#endif
        .section .note.GNU-stack,"",%progbits
