//===- Passes.td - Fitting kernels to the fabric -----------*- tablegen -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_VGIW_PASSES_TD
#define CILK2CHAN_DIALECT_VGIW_PASSES_TD

include "mlir/Pass/PassBase.td"

def VGIWScheduleBlocks : Pass<"vgiw-schedule-blocks", "::cilk2chan::vgiw::KernelOp"> {
  let summary = "Put blocks into the order in which they are to run";
  let description = [{
    The position of a block is its ID, and the machine runs the block with the
    smallest ID that has threads (MICRO'15 section 3.1). So a loop's blocks stand together
    after what leads to them, and what follows the loop after them: threads
    that leave early wait for the others. What is no word, an exit or a yield alone, comes last.
  }];
}

def VGIWAllocateLiveValues : Pass<"vgiw-allocate-live-values", "::cilk2chan::vgiw::KernelOp"> {
  let summary = "Carry values from block to block by live value IDs";
  let description = [{
    A value that another block uses is stored in the live value cache at the end of the block that
    makes it and loaded where it is used; a block argument is stored by each
    predecessor. Two values that are never live at the end of the same
    block may have the same ID: a colouring by liveness, greedy in schedule order, that prefers to give
    a block argument the ID of what flows into it. Where a branch passes an argument another value and
    the old one lives on beyond its other way, as that of a loop's counter behind the loop, the
    argument's block stores a copy for those that still need it.

    What is cheaper to make again than to load, constants and parameters, the
    thread's ID, and an operation on only these, is made again.
  }];
}

def VGIWSplitMoves : Pass<"vgiw-split-moves", "::cilk2chan::vgiw::KernelOp"> {
  let summary = "Pass live values on in several blocks";
  let description = [{
    A block that has too few units for its live values, some of which it only moves from one ID to
    another, does what moves fit; further blocks behind it do the others. A cycle of moves goes through
    an ID of its own.
  }];
  let options = [
    Option<"units", "units", "unsigned", "16", "How many live values a block may load and store">
  ];
}

def VGIWInsertJoins : Pass<"vgiw-insert-joins", "::cilk2chan::vgiw::KernelOp"> {
  let summary = "Bring the tokens that a node waits for down to three";
  let description = [{
    Lets every node lead to the terminator, so that a thread's end is the end of all that it
    does in the block; gives the thread's ID to nodes that would wait for
    nothing; and joins tokens where a node waits for more than an entry of its
    token buffer holds (MICRO'15 section 3.5).
  }];
}

def VGIWInsertSplits : Pass<"vgiw-insert-splits", "::cilk2chan::vgiw::KernelOp"> {
  let summary = "Copy tokens to more nodes than a unit reaches";
  let options = [
    Option<"fanout", "fanout", "unsigned", "4", "How many nodes a unit's result reaches">
  ];
}

def VGIWFitBlocks : Pass<"vgiw-fit-blocks", "::mlir::ModuleOp"> {
  let summary = "Divide blocks that are too large for the fabric";
  let description = [{
    Takes kernels from stage `graph` to `fitted`: runs the passes above and, where a
    block has more nodes of a kind than the machine has units or cannot be routed, cuts it
    in two in its original form, where few values cross, and begins again. With the same
    `seed`, `vgiw-place-blocks` finds room for one replica at least of each block.
  }];
  let options = [
    Option<"machine", "machine", "std::string", "", "The machine file">,
    Option<"seed", "seed", "uint64_t", "1", "Of the annealing">
  ];
}

def VGIWPlaceBlocks : Pass<"vgiw-place-blocks", "::mlir::ModuleOp"> {
  let summary = "Place blocks on the fabric and route their tokens";
  let description = [{
    Takes kernels from stage `fitted` to `placed`: simulated annealing and routing by
    negotiated congestion, with as many replicas of each block as fit. The same input and seed give
    the same result.
  }];
  let options = [
    Option<"machine", "machine", "std::string", "", "The machine file">,
    Option<"seed", "seed", "uint64_t", "1", "Of the annealing">
  ];
}

def VGIWCheckPlacement : Pass<"vgiw-check-placement", "::mlir::ModuleOp"> {
  let summary = "Check that blocks lie on the fabric as they should";
  let description = [{
    Follows each token of each block through the units and switches, as they are set, and compares what
    that connects with the block. Shares nothing with placement and routing.
  }];
  let options = [
    Option<"machine", "machine", "std::string", "", "The machine file">
  ];
}

#endif // CILK2CHAN_DIALECT_VGIW_PASSES_TD
