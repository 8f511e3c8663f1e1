//===- Passes.td - Fitting kernels to the fabric -----------*- tablegen -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_VGIW_PASSES_TD
#define CILK2CHAN_DIALECT_VGIW_PASSES_TD

include "mlir/Pass/PassBase.td"

def VGIWComputeParameters : Pass<"vgiw-compute-parameters", "::cilk2chan::vgiw::KernelOp"> {
  let summary = "Compute once for a tile what all its threads share";
  let description = [{
    A node of a compute unit whose operands are parameters and constants has the same
    result in all threads of a tile. This pass replaces the node by a parameter with the
    binding `computed`. The machine computes it when it binds the parameters of a tile,
    so no thread does. The parameter needs no unit and no live value, and a load/store
    unit can add it to an address.

    In a sum of several words, the pass adds those that the threads share first.

    The pass leaves addresses of symbols, because only the linker knows them. It leaves
    divisions, because the threads might not execute them.
  }];
}

def VGIWFoldAddresses : Pass<"vgiw-fold-addresses", "::mlir::ModuleOp"> {
  let summary = "Let load/store units compute addresses";
  let description = [{
    The unit of a load, a store or an atomic operation computes its address from a
    base, an index and an offset. This pass folds nodes that compute addresses into
    these operations. The machine's parameter `fabric.address_modes` says what may be
    folded:

    | `address_modes` | address |
    |---|---|
    | `plain` | a token, or a word of the configuration |
    | `offset` | at most one token, plus words of the configuration |
    | `scaled` | a base plus an index times a power of two, plus an offset |

    Words of the configuration are constants, parameters and symbols. With `scaled`,
    base and index may both be tokens, and the index may be an extended word of 32
    bits.

    The pass folds a node only if no other node needs the result. An operation waits
    for at most three tokens (MICRO'15 section 3.5). If an address of two tokens
    leaves no room for a token of the order of memory operations, the pass does not
    fold. If several sums have the same product, the product becomes a node of its
    own, and each operation adds its own word.
  }];
  let options = [
    Option<"machine", "machine", "std::string", "",
           "The machine file">
  ];
}

def VGIWScheduleBlocks : Pass<"vgiw-schedule-blocks", "::cilk2chan::vgiw::KernelOp"> {
  let summary = "Put blocks into the order in which the machine runs them";
  let description = [{
    The ID of a block is its position in the kernel. The machine always runs the
    block with the smallest ID for which threads wait (MICRO'15 section 3.1). So
    this pass puts the blocks of a loop next to each other, and the blocks that
    follow the loop after them. Threads that leave the loop early then wait for the
    other threads.

    Blocks that contain only an exit or a yield come last. The machine does not
    execute them as blocks.
  }];
}

def VGIWAllocateLiveValues : Pass<"vgiw-allocate-live-values", "::cilk2chan::vgiw::KernelOp"> {
  let summary = "Pass values from block to block by live value IDs";
  let description = [{
    A *live value* is a value that one block leaves for another block, for each
    thread. The live value cache stores live values by their IDs. This pass replaces
    values that cross blocks by stores and loads of live values:

    * If other blocks use a value, its block stores the value at the end. Each block
      that uses the value loads it.
    * Each predecessor of a block stores the values of the block's arguments.
    * If a value is cheap, the blocks compute it again instead. Cheap values are
      constants, parameters, the thread's ID, and operations on only these.

    Two values may have the same ID if they are never both live at the end of a
    block. The pass assigns IDs by greedy colouring, in the order of the blocks. If
    possible, a block argument gets the ID of a value that a predecessor passes.

    One case needs a copy: a branch passes a new value for a block argument to one
    successor, and another successor still needs the old value. An example is the
    counter of a loop that is used after the loop. Then the block of the argument
    stores a copy of the old value for the later blocks.
  }];
}

def VGIWSplitMoves : Pass<"vgiw-split-moves", "::cilk2chan::vgiw::KernelOp"> {
  let summary = "Distribute moves of live values over several blocks";
  let description = [{
    A *move* loads a live value from one ID and stores it to another ID. A block may
    have more moves than the fabric has units for live values. Then this pass leaves
    as many moves in the block as fit, and inserts blocks after it for the other
    moves. If moves form a cycle, the pass uses one more ID to break the cycle.
  }];
  let options = [
    Option<"units", "units", "unsigned", "16",
           "Number of live values that a block may load and store">
  ];
}

def VGIWInsertJoins : Pass<"vgiw-insert-joins", "::cilk2chan::vgiw::KernelOp"> {
  let summary = "Let each node wait for at most three tokens";
  let description = [{
    A *token* is a value of one thread on an edge of the dataflow graph. A unit can
    wait for at most three tokens (MICRO'15 section 3.5). This pass changes each
    block in three ways:

    * If a node waits for more than three tokens, join nodes combine some of them.
    * If a node waits for no token, the pass makes it wait for the
    thread's ID.
    * If no path leads from a node to the terminator, the pass adds an edge. So a
      thread leaves the block only after all its nodes have finished.
  }];
}

def VGIWInsertSplits : Pass<"vgiw-insert-splits", "::cilk2chan::vgiw::KernelOp"> {
  let summary = "Copy tokens that go to more nodes than a unit can reach";
  let description = [{
    The result of a unit leaves through at most `fanout` ports (MICRO'15 section
    3.5). If more nodes use the result, split nodes copy it. The splits form a tree.
  }];
  let options = [
    Option<"fanout", "fanout", "unsigned", "4",
           "Number of nodes that a unit's result can reach">
  ];
}

def VGIWSingleGraph : Pass<"vgiw-single-graph", "::cilk2chan::vgiw::KernelOp"> {
  let summary = "Make one graph of all blocks of a kernel";
  let description = [{
    A machine of kind `sgmf` has no block scheduler: a whole kernel is one graph. This pass
    takes a kernel from the stage `graph` to the stage `live`, with one block and no live
    values:

    * Where a thread goes one of two ways, a *steer* passes each value that one way needs.
    * Where two ways meet, a *merge* passes on the value that comes.
    * A loop is an edge back to a merge (`vgiw.back`).
    * If a value is needed where a thread comes exactly as often, it goes there directly.

    Conditions wait until all nodes of their block have fired. So no iteration of a loop
    overlaps the next one of the same thread.

    The pass refuses a kernel whose loops have several entries or no end. A thread that finds
    a channel full begins anew later (`vgiw.restart`). If such a thread may have changed
    memory before, the pass refuses the kernel.
  }];
}

def VGIWFitBlocks : Pass<"vgiw-fit-blocks", "::mlir::ModuleOp"> {
  let summary = "Divide blocks that are too large for the fabric";
  let description = [{
    This pass takes kernels from the stage `graph` to the stage `fitted`. It runs
    `vgiw-schedule-blocks`, `vgiw-allocate-live-values`, `vgiw-split-moves`,
    `vgiw-insert-joins` and `vgiw-insert-splits`, in this order.

    Then the pass checks whether each block fits. A block does not fit if it has more
    nodes of a kind than the machine has units, or if its tokens cannot be routed. If a
    block does not fit, the pass returns to the original form of the kernel. It cuts
    the block into two blocks at a place where few values cross. Then it runs the five
    passes again.

    On a machine of kind `sgmf`, the pass runs `vgiw-single-graph`, `vgiw-insert-joins` and
    `vgiw-insert-splits`. It refuses kernels that do not fit, and reports all of them. A
    kernel of launch `ranges` that does not fit is left out.

    After this pass, `vgiw-place-blocks` with the same `seed` can place at least one
    replica of each block.
  }];
  let options = [
    Option<"machine", "machine", "std::string", "",
           "The machine file">,
    Option<"seed", "seed", "uint64_t", "1",
           "Seed of the random numbers for simulated annealing">
  ];
}

def VGIWPlaceBlocks : Pass<"vgiw-place-blocks", "::mlir::ModuleOp"> {
  let summary = "Place blocks on the fabric and route their tokens";
  let description = [{
    This pass takes kernels from the stage `fitted` to the stage `placed`. Simulated
    annealing chooses a unit for each node. Negotiated congestion then chooses a way
    through the switches for each edge. Each block gets as many replicas as fit. The
    same input and the same seed give the same result.
  }];
  let options = [
    Option<"machine", "machine", "std::string", "",
           "The machine file">,
    Option<"seed", "seed", "uint64_t", "1",
           "Seed of the random numbers for simulated annealing">
  ];
}

def VGIWCheckPlacement : Pass<"vgiw-check-placement", "::mlir::ModuleOp"> {
  let summary = "Check the placement and the routes of blocks";
  let description = [{
    This pass follows each token of each block through the units and switches, by
    their settings. It compares the connections that it finds with the edges of the
    block. It shares no code with placement and routing.
  }];
  let options = [
    Option<"machine", "machine", "std::string", "",
           "The machine file">
  ];
}

#endif // CILK2CHAN_DIALECT_VGIW_PASSES_TD
