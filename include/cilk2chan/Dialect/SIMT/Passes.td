//===- Passes.td - From instructions to registers ----------*- tablegen -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_SIMT_PASSES_TD
#define CILK2CHAN_DIALECT_SIMT_PASSES_TD

include "mlir/Pass/PassBase.td"

def SIMTUniformity : Pass<"simt-uniformity", "::cilk2chan::simt::KernelOp"> {
  let summary = "Find what all threads of a warp have in common";
  let description = [{
    A value is *uniform* if all threads of a warp that compute it together get the same
    result. This pass marks uniform instructions, and branches whose threads all go to the
    same block. All other values are *divergent*:

    * the delivered word, the address of private memory, and results of instructions that
      access memory;
    * results of instructions with a divergent operand;
    * arguments of blocks between a divergent branch and the block at which its threads
      meet again, which is its immediate post-dominator, and the arguments of that block;
    * values of a loop that threads leave at different times, where the values are used
      behind the loop.

    A thread that yields is resumed together with other threads, which may have yielded in
    another iteration. So a yield counts as a divergent branch whose threads never meet.
  }];
}

def SIMTRegalloc : Pass<"simt-regalloc", "::cilk2chan::simt::KernelOp"> {
  let summary = "Give each value a register";
  let description = [{
    A linear scan (Poletto and Sarkar, 1999) over the classes s, d and c. The interval of a
    value goes from its definition to its last use in the order of the blocks. It covers
    each block through which the value is live.

    * Block arguments become moves at the ends of the predecessors. The moves of a branch
      happen at once: if they form a cycle, exclusive ors exchange the registers. A
      conditional branch with operands gets a block for its moves.
    * A thread has `registers` words of 32 bits for the classes s and d. If a kernel wants
      more, both classes get fewer, in proportion. Then values with the farthest ends go to
      the thread's private memory: a store behind the definition, and a load before each use.
      If all operands of a value's instruction need no register, it is computed again instead.
    * The pass fails if the operands of one instruction need more registers than there are.
  }];
  let options = [
    Option<"registers", "registers", "unsigned", "63",
           "Registers of a thread at most, in words of 32 bits: one for s, two for d">,
    Option<"machine", "machine", "std::string", "",
           "The machine file that has this limit, for messages">
  ];
}

def SIMTReconverge : Pass<"simt-reconverge", "::cilk2chan::simt::KernelOp"> {
  let summary = "Say where the threads of a branch meet again";
  let description = [{
    The reconvergence point of a divergent branch is its immediate post-dominator: the first
    block through which all ways from the branch to the end of the kernel go. This pass
    writes the position of this block into the branch. So it runs after all passes that
    insert or move blocks.

    Ways that end in an unreachable exit do not count, nor do ways that have no end. If no
    block is on all other ways, the branch has no reconvergence point. Then its threads run
    apart until they end.
  }];
}

#endif // CILK2CHAN_DIALECT_SIMT_PASSES_TD
