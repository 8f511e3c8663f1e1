//===- Passes.td - From fork-join to the host --------------*- tablegen -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_PASSES_TD
#define CILK2CHAN_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def LLVMToCilk : Pass<"llvm-to-cilk", "::mlir::ModuleOp"> {
  let summary = "Raise the front end's marker calls to spawns, syncs and calls";
  let description = [{
    Turns calls of `__cilk_spawn_abi.N` into `cilk.spawn`, of `__cilk_for_abi.N` into
    `cilk.for`, of `__cilk_sync` into `cilk.sync`, and calls between functions that are
    defined here into `cilk.call`: the import has chosen those that are to be split. A
    call at which a lock may be held (those of Cilk-5, POSIX, C11 and OpenMP are known,
    and declarations with the attribute `cilk.lock`) stays a call of the C symbol.
  }];
  let dependentDialects = ["::cilk2chan::cilk::CilkDialect"];
}

def CilkToChan : Pass<"cilk-to-chan", "::mlir::ModuleOp"> {
  let summary = "Split spawning functions at their syncs into kernels";
  let description = [{
    Each spawning function becomes an entry kernel and one kernel per sync or call of
    a spawning function, joined by channel stacks (ISCA'14 section 5.2). What lives across a
    sync, and what a child may hold the address of, moves to the activation's frame. The C
    function stays as a declaration.

    Syncs with nothing to wait for make no kernel, nor do those after which a function that
    returns nothing has nothing more to do. Functions that are weak are spawned and called through
    their address, unless the import has given their definition a name.

    With `serial-clones`, each function `f` is also copied as `f.serial(worker, args...)`, the `serial` of its
    entry stack, which calls its children. Where the runtime answers that somebody wants work
    or that the stack is running out, control goes on in a second copy of the body, whose spawns enqueue elements. A remark
    (category `chan-serial`) tells of each function whether it has a clone, or why not.

    With `batch-forms`, a function that syncs outside of loops, and spawns one function of which the same holds, is also split into
    phase kernels (`chan.kernel`), the `batch` of its entry stack. They have
    neither frames nor slots for results: what lives across the sync is at the activation's own index. Remarks
    (category `chan-batch`) say what keeps a function from that, whether its activations wait for their children (`accumulate`), and of each
    spawn whether parents do its child's leaves (`peel`) and find its result by its place (`order`).

    A remark (category `chan-call`) stands at each plain call of a spawning function in another: the caller waits for it.

    Debug records have no say in how a function is split. They go into the kernels in which what they
    speak of is at hand.
  }];
  let options = [
    Option<"keepLocals", "keep-locals", "bool", "false",
           "Have all local objects in the frame, for a debugger to find in every kernel">,
    Option<"serialClones", "serial-clones", "bool", "false",
           "Copy each function as one that calls its children">,
    Option<"countClones", "count-clones", "bool", "false",
           "Have those copies count the activations that do not end in their guard">,
    Option<"batchForms", "batch-forms", "bool", "false",
           "Also make phase kernels, for the activations of a batch together">,
    Option<"longLoops", "long-loops", "bool", "true",
           "Also of functions with loops that do not spawn, which may be long">,
    Option<"peel", "peel", "bool", "true",
           "Have parents do what a child does before it spawns, where that is little: leaves are no elements of batches">,
    Option<"accumulate", "accumulate", "bool", "true",
           "With phase kernels, also make one that waits for no child, where results of children are only combined">,
    Option<"prefetch", "prefetch", "bool", "true",
           "Have phase kernels fetch ahead what pointers out of memory point to">,
    Option<"uniform", "uniform", "bool", "true",
           "Have once for a batch what all its elements have the same of; else only addresses of totals">,
    Option<"order", "order", "bool", "true",
           "Have phase kernels find results by their place among the children where they can; else each is received by itself">,
    Option<"width", "width", "unsigned", "0",
           "The width of entry stacks of functions that ask for none by the attribute chan.block; 0: none">
  ];
  let dependentDialects = ["::cilk2chan::chan::ChanDialect"];
}

def ChanToHost : Pass<"chan-to-host", "::mlir::ModuleOp"> {
  let summary = "Lower kernels to batch functions that run on libchan";
  let description = [{
    A kernel becomes a function over a run of elements of a block; a channel
    stack its descriptor; and every C function of an entry stack gets a stub `__chan_stub.NAME`
    that enters the runtime. The layouts are those of `chan/abi.h`.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "128", "Bits of the processor's vector registers, for kernels with lanes">,
    Option<"gathers", "gathers", "bool", "true", "AVX2's instruction that loads from many places is faster than one load after the other">,
    Option<"processor", "processor", "std::string", "", "Name of the processor that the program is for, which it checks when it starts">,
    Option<"features", "features", "std::string", "", "What that has more than all, with commas between them">,
    Option<"leaveTrees", "leave-trees", "bool", "true", "Serial clones of functions without batches have the runtime begin trees of others, as batches if they are large">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ChanToVGIW : Pass<"chan-to-vgiw", "::mlir::ModuleOp"> {
  let summary = "Lower kernels to device functions of a VGIW machine";
  let description = [{
    A kernel becomes a function for one element, which a machine runs once per thread of
    a batch (`cilk2chan/Conversion/LLVMIRToVGIW.h`). Its parameters are what the
    dispatcher knows of the batch: where the fields of its elements lie, and
    where the channels are that it enqueues into, at its own level and one deeper.

    `talloc` takes a place in a channel; where a child's channel is full the thread yields and tries
    again when it is resumed. A continuation's channel always has room: the
    dispatcher sees to it. `enq` counts the element as done when its stores are.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // CILK2CHAN_CONVERSION_PASSES_TD
