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

def CilkSpawnIterations : Pass<"cilk-spawn-iterations", "::mlir::ModuleOp"> {
  let summary = "Spawn the iterations of parallel loops in recursion one by one";
  let description = [{
    Where each iteration of a `cilk.for` ends with a call, or with the store of its result, and what it calls may
    call the loop's function again, a loop of `cilk.spawn` comes in place of the `cilk.for`, and a `cilk.sync` behind it: then the
    recursion is of one function. What is computed of a result before it is stored is computed by a second loop, behind the
    sync, if that finds the same iterations and places without memory; else, or if it is of another type, as the result
    comes, if it is of nothing but the result. Locals that only the loop's body had by address
    become values. Not so if an iteration has a call of another function, or a loop that is not known to be short, if the
    function spawns otherwise, which the sync would wait for, or if the loop has a grain, unless it has at most 64
    iterations, and more than that. A remark (category `chan-iterations`) stands at each such loop, and says why if it is left.

    Iterations may pass a small object of their own, or one of a size known at run time, to what they call if that can go by value, which `cilk-arrays-by-value`
    finds out: the loop comes in place in a copy of the function, `f.iterations`, then, where all iterations have the object in
    one place, and that pass puts the copy in the function's place, or erases it.
  }];
  let options = [
    Option<"objects", "objects", "bool", "true",
           "Also where an iteration passes an object of its own; REQUIRES: cilk-arrays-by-value comes behind">
  ];
  let dependentDialects = ["::cilk2chan::cilk::CilkDialect"];
}

def CilkForToSpawn : Pass<"cilk-for-to-spawn", "::mlir::ModuleOp"> {
  let summary = "Divide the iterations of parallel loops among spawns";
  let description = [{
    Each `cilk.for` becomes a `cilk.call` of a function `__cilk_range.N` of its own: it
    runs the body on a range that is not longer than the grain, and otherwise
    spawns itself on up to 16 parts of the range, which are multiples of the grain. So
    `n` iterations take about `n / grain` elements, on as many levels as that number
    has hexadecimal digits. Where the loop has no grain, it is 1 if the body is a
    spawning function, and `chan_grain` says at run time what it is otherwise.
  }];
  let dependentDialects = ["::cilk2chan::cilk::CilkDialect"];
}

def CilkHeapToStack : Pass<"cilk-heap-to-stack", "::mlir::ModuleOp"> {
  let summary = "Make local objects of memory that is freed again";
  let description = [{
    In functions that spawn, memory of up to 256 bytes from `malloc` or `calloc`, of a constant size, that
    the same function frees on every way to its return, and before it allocates there again, is a local object, if its address is used for
    nothing but accesses, here and in spawning functions that are passed it. Ways on which the address is
    null are none. Arrays of results and objects of iterations are what other passes know then. A remark (category `chan-arrays`)
    stands at each call. Functions of the program's own that have these names are left alone.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CilkCombineResults : Pass<"cilk-combine-results", "::mlir::ModuleOp"> {
  let summary = "Combine children's results as they come, not in a loop after the sync";
  let description = [{
    Where an array has nothing but children's results, each at the count of the loop that spawns or at the number of the child
    (`results[n++] = cilk_spawn ...`), and a loop over all its elements does nothing but change each by the same
    constants (`-result`) and combine them (`+`, `*`, `&`, `|`, `^`, the maximum or minimum of integers), each child's result is combined with one variable instead,
    by the `apply` function of its spawn. The array and the loop go. Where elements may have been cleared that no
    child is spawned for, that is so of plain `+`, `|` and `^`. A remark (category `chan-arrays`) stands at each such spawn.
  }];
}

def CilkArraysByValue : Pass<"cilk-arrays-by-value", "::mlir::ModuleOp"> {
  let summary = "Have children do by value what they do at addresses";
  let description = [{
    For lanes, which have arrays of their own side by side and would gather from those of others. A
    function that spawns nothing but itself, and gives its children local arrays that they only read,
    spawns a copy of itself, `f.values`, that takes an array's *parts* (what is loaded and stored, all of one size) as
    parameters behind all others. Its arrays of a size that is known at run time have 16 parts from then on. Where that is
    too small, before the function has had an effect, it calls what it was, `f.whole`, with the same arguments.

    The copy also combines *totals* in one place. Where each child leaves something at an address of its own, a local variable or an element of
    an array, that its parent does nothing with but combine it (`+`, `&`, `|`, `^`, maximum or minimum of integers) with what
    it leaves itself where it was told to, then activations of `f.values` combine what they have by themselves with what is at the one address
    that their root has for all (`llvm.atomicrmw` with `chan.reduction`, in whatever order), and have nothing to do with what
    their children leave. For that it loads once what is at a fixed offset from a parameter, if the function writes to nothing but its own memory.

    The members of an object may differ in the size of their parts, if each is accessed by its own name; a member of one
    part is a value.

    Functions are left alone whose arrays are known elsewhere, are accessed by parts of several sizes in one member, or have
    more than 64 bytes; and those that would have no batch form for other reasons. A remark (category `chan-arrays`) tells of the others.

    A copy `f.iterations` that `cilk-spawn-iterations` has made is rewritten in the place of `f`, if the objects of its iterations are among
    those arrays: then `f.whole` is what `f` was, with loops that divide their iterations. Else the copy is erased.
  }];
  let options = [
    Option<"longLoops", "long-loops", "bool", "true",
           "Also functions with loops that do not spawn, which may be long">
  ];
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
