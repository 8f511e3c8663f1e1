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

def ChanEntryStacks : Pass<"chan-entry-stacks", "::mlir::ModuleOp"> {
  let summary = "Declare the entry stack of each spawning function";
  let description = [{
    The passes that follow it (`chan-serial-clones`, `chan-batch-forms`, `cilk-to-chan`) each
    give a spawning function another form, and note that form at the function's entry stack. So the entry stacks
    come first. The function names its stack in the attribute `chan.entry`. Such a stack may be without a
    consumer: the verifier accepts that as long as a function names it.

    The pass refuses what cannot be split: variadic functions, exceptions, computed gotos, `musttail`
    calls, and values across a sync that have no known size. The passes behind it rely on that.

    A remark (category `chan-call`) stands at each plain call of a spawning function in another: the caller waits for it.

    ```mlir
    llvm.func @f(%n: i32) { ... cilk.spawn ... }
    // becomes
    llvm.func @f(%n: i32) attributes {chan.entry = @f.entry} { ... cilk.spawn ... }
    chan.stack entry @f.entry(a0: i32) function @f : !llvm.func<void (i32)>
    ```
  }];
  let options = [
    Option<"width", "width", "unsigned", "0",
           "The width of entry stacks of functions that ask for none by the attribute chan.block; 0: none">
  ];
  let dependentDialects = ["::cilk2chan::chan::ChanDialect"];
}

def ChanKeptObjects : Pass<"chan-kept-objects", "::mlir::ModuleOp"> {
  let summary = "Make an object of each execution of a declaration that a child has the address of";
  let description = [{
    In C, a local variable of a loop's body is another object in each iteration. A child that has the address
    of such an object may run after the iteration. Therefore this pass puts an `alloca` with the attribute `chan.kept`
    where the declaration stands. The object is kept until a sync that has the attribute `chan.releases`.

    Objects that no child knows stay as they are. So do those that control comes to once. No lifetime's start is left.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ChanSerialClones : Pass<"chan-serial-clones", "::mlir::ModuleOp"> {
  let summary = "Copy spawning functions as functions that call their children";
  let description = [{
    Each function `f` is copied as `f.serial(worker, args...)`, the `serial` of its entry stack. In the copy a spawn is a
    call of the child's clone, and a sync does nothing. Where a worker wants work, or the stack runs out,
    the activation is promoted: either it starts again as a kernel, or control goes on in a second copy of
    the body (the slow path), whose spawns enqueue elements.

    Callers inline the base-case check of a clone (`if (n < 2) return n`). The rest is the outlined body, `f.serial.body`.

    The pass runs behind `chan-entry-stacks` and `chan-kept-objects`, and before `cilk-to-chan`, which removes
    the bodies. It reads the bodies as they are: a clone keeps scopes and syncs that kernels do without.
    The inlined base-case check is no pass of its own: it is where polls stand, and both are decided from one analysis of the clone.

    A remark (category `chan-serial`) tells of each function whether it has a clone, or why not.
  }];
  let options = [
    Option<"countTasks", "count-tasks", "bool", "false",
           "Have the clones count the activations that are no base cases">
  ];
  let dependentDialects = ["::cilk2chan::chan::ChanDialect"];
}

def ChanBatchForms : Pass<"chan-batch-forms", "::mlir::ModuleOp"> {
  let summary = "Split functions into phase kernels for batches of activations";
  let description = [{
    A function that syncs outside of loops, and spawns one function of which the same holds, is split into
    phase kernels (`chan.kernel` with `phase`), the `batch` of its entry stack. They have
    neither frames nor slots for results: what lives across the sync is at the activation's own index.

    The function itself stays as it is, for `cilk-to-chan`: the pass works on a copy of its body.
    It runs behind `chan-serial-clones`, which marks calls of bodies of loops `noinline` in the function,
    and the phase kernels have the same calls.

    Four parts of the work have an option of their own, but are no passes:

    * base-case hoisting into the parent (`hoist`, `BaseCaseHoisting.cpp`),
    * the join-free reduction (`reductions`, `Reductions.cpp`),
    * uniform parameters (`uniform`, `UniformParameters.cpp`),
    * positional results (`positional`).

    Each decides what `PhaseBuilder` writes at a spawn: whether the parent computes the child's base case, whether the result
    is read back or combined, and from which values an argument is computed. The decisions depend on one another, and on
    the phases, sites and objects of all functions of a recursion (`Candidate`). Between passes all of that would have to be attributes of each spawn,
    alloca and block, which would be verified against the same analysis that makes them; and each pass would
    have to prepare the bodies again. What can be told from the stacks alone is a pass: `chan-prefetch-pointers`.

    Remarks (category `chan-batch`) say what keeps a function from having a batch form, and whether its activations wait for their children
    (`reduction`). They say of each spawn whether parents evaluate its child's base cases (`hoist`), and whether its result is found by its place (`positional`).
  }];
  let options = [
    Option<"longLoops", "long-loops", "bool", "true",
           "Also functions with loops that do not spawn, which may be long">,
    Option<"hoist", "hoist", "bool", "true",
           "Have parents evaluate base cases of their children, where that is little: these are no elements of batches">,
    Option<"reductions", "reductions", "bool", "true",
           "Also make a kernel that waits for no child, where results of children are only combined">,
    Option<"uniform", "uniform", "bool", "true",
           "Keep once for a batch what all its elements have the same of; else only addresses of shared reduction variables">,
    Option<"positional", "positional", "bool", "true",
           "Have phase kernels find results by their place among the children where they can; else each site has a result handler">
  ];
  let dependentDialects = ["::cilk2chan::chan::ChanDialect"];
}

def ChanPrefetchPointers : Pass<"chan-prefetch-pointers", "::mlir::ModuleOp"> {
  let summary = "Find the pointers that a batch prefetches";
  let description = [{
    Where a parent has loaded a pointer from memory, and the child begins by accessing what it points to, as in a
    linked structure, the field of the child's stack is one of those that a batch prefetches (`prefetched`).

    The pass runs behind `chan-batch-forms`, since only batches prefetch, and since a pointer that all elements of a batch share
    (`uniform`) needs no prefetching. It runs before `cilk-to-chan`, which removes the bodies that it reads.

    A remark (category `chan-batch`) names each parameter.
  }];
  let dependentDialects = ["::cilk2chan::chan::ChanDialect"];
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

    The pass runs behind `chan-entry-stacks`, whose stacks the kernels consume, and behind all passes that
    give spawning functions other forms: it removes the bodies.

    Debug records have no say in how a function is split. They go into the kernels in which what they
    speak of is at hand.
  }];
  let options = [
    Option<"keepLocals", "keep-locals", "bool", "false",
           "Have all local objects in the frame, for a debugger to find in every kernel">
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

def VerifyStage : Pass<"verify-stage", "::mlir::ModuleOp"> {
  let summary = "Check what a stage promises";
  let description = [{
    Stands at the end of each stage of a compilation (`cilk2chan/Pipelines/Pipelines.h`), and changes nothing. An
    operation that the stage was to lower, and that is left, is an error. With `invariants`, the verifiers of all operations
    run as well: for a graph of kernels these prove for every path what the runtime does not check.
  }];
  let options = [
    ListOption<"gone", "gone", "std::string",
               "Dialects and operations of which the stage leaves nothing">,
    Option<"markers", "markers", "bool", "false",
           "The stage leaves no calls of the front end's markers">,
    Option<"invariants", "invariants", "bool", "false",
           "Run the verifiers of all operations">
  ];
}

#endif // CILK2CHAN_CONVERSION_PASSES_TD
