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
  let summary = "Raise the marker calls of the front end to operations of cilk";
  let description = [{
    The front end marks spawns, syncs and parallel loops by calls of functions
    that do not exist. This pass replaces these calls:

    | call | operation |
    |---|---|
    | `__cilk_spawn_abi.N` | `cilk.spawn` |
    | `__cilk_for_abi.N` | `cilk.for` |
    | `__cilk_sync`, `__cilk_sync_release` | `cilk.sync` |
    | `__cilk_if_synched` | `cilk.synched` |

    If this module defines the callee of a plain call, the call becomes a `cilk.call`.
    The module defines only the functions that the import from LLVM IR has chosen for
    splitting.

    A call stays a plain call if the caller may hold a lock at the call. The pass
    knows the lock functions of Cilk-5, POSIX, C11 and OpenMP. For other functions,
    the attribute `cilk.lock` of the declaration says what a call does to a lock.
  }];
  let dependentDialects = ["::cilk2chan::cilk::CilkDialect"];
}

def ChanEntryStacks : Pass<"chan-entry-stacks", "::mlir::ModuleOp"> {
  let summary = "Declare the entry stack of each spawning function";
  let description = [{
    An *entry stack* holds the activations of one function that have not started.
    This pass declares the entry stack of each spawning function. The attribute
    `chan.entry` of the function names the stack:

    ```mlir
    llvm.func @f(%n: i32) { ... cilk.spawn ... }
    // becomes
    llvm.func @f(%n: i32) attributes {chan.entry = @f.entry} { ... cilk.spawn ... }
    chan.stack entry @f.entry(a0: i32) function @f : !llvm.func<void (i32)>
    ```

    The next passes (`chan-serial-clones`, `chan-batch-forms`, `cilk-to-chan`) make
    other forms of the function. They record these forms at the entry stack. The
    stack has no consumer until `cilk-to-chan` makes one. The verifier accepts a
    stack without a consumer if a function names the stack.

    The pass reports an error for functions that the next passes cannot split:

    * variadic functions;
    * functions with exceptions, computed gotos or `musttail` calls;
    * functions with a parameter, a result, a local or a value across a sync that has
      no known size.

    If a spawning function calls another one without `cilk_spawn`, the caller waits
    for this call. If a spawn would be faster, a remark of the category `chan-call`
    says so.
  }];
  let options = [
    Option<"width", "width", "unsigned", "0",
           "Width of entry stacks whose functions have no attribute chan.block; 0: the runtime decides">
  ];
  let dependentDialects = ["::cilk2chan::chan::ChanDialect"];
}

def ChanKeptObjects : Pass<"chan-kept-objects", "::mlir::ModuleOp"> {
  let summary = "Give each execution of a declaration its own object if a child has its address";
  let description = [{
    In C, each iteration of a loop has its own object for a local variable of the
    loop's body. If a child has the address of this object, the child may use the
    object after the iteration has ended.

    This pass puts an `alloca` with the attribute `chan.kept` at the place of the
    declaration. So each iteration makes a new object. The object lives until the
    next sync with the attribute `chan.releases`.

    The pass does not change an object if no child has its address, or if control
    reaches its declaration only once. It removes all `llvm.intr.lifetime.start`
    operations.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ChanSerialClones : Pass<"chan-serial-clones", "::mlir::ModuleOp"> {
  let summary = "Copy spawning functions as functions that call their children";
  let description = [{
    A *serial clone* is a copy of a spawning function that calls its children
    instead of spawning them. The clone of `f` is
    `f.serial(worker, args...)`. The attribute `serial` of the entry stack of `f`
    names the clone.

    * In the clone, a spawn is a call of the clone of the child. A sync does nothing.
    * The clone polls. If another worker is idle, or if the stack of the thread is
      almost full, the runtime *promotes* the activation.
    * A promoted activation either starts again as a kernel, or it continues in the
      *slow path*. The slow path is a second copy of the body. Its spawns enqueue
      elements.
    * A *base-case check* is a test at the beginning of the function, such as
      `if (n < 2) return n`. The pass inlines the check into callers. The rest of
      the function is the *outlined body*, `f.serial.body`.

    The pass runs after `chan-entry-stacks` and `chan-kept-objects`. It runs before
    `cilk-to-chan`, which removes the bodies of the functions.

    No separate pass inlines the base-case check, for this reason: the place of the
    poll depends on the check. One analysis of the clone finds the check and the place.

    For each function, a remark of the category `chan-serial` says whether the
    function has a clone. If it has none, the remark gives the reason.
  }];
  let options = [
    Option<"countTasks", "count-tasks", "bool", "false",
           "In clones, count the activations that are not base cases">
  ];
  let dependentDialects = ["::cilk2chan::chan::ChanDialect"];
}

def ChanBatchForms : Pass<"chan-batch-forms", "::mlir::ModuleOp"> {
  let summary = "Make phase kernels that run batches of activations";
  let description = [{
    A *batch* is a set of activations of one function that run together. A
    *suspension* is a sync that may wait, or a call of a spawning function. A *phase*
    is the code between two suspensions. In the *batch form* of a function, one kernel
    runs one phase for all activations of a batch (`chan.kernel` with `phase`). The
    attribute `batch` of the entry stack lists these phase kernels.

    Phase kernels need no memory for single activations: no frames, and no slots for
    results. If a value lives across a sync, it is in an array. The index in the array
    is the index of the activation.

    A function gets a batch form only if

    * all its suspensions are outside of loops,
    * all its spawns and calls of spawning functions are of one function, which also
      gets a batch form, and
    * it has no *long loop*: a loop that does not spawn and may run long. The option
      `long-loops` permits long loops.

    Remarks name the other obstacles.

    The pass works on a copy of the body. The original function stays unchanged for
    `cilk-to-chan`. The pass runs after `chan-serial-clones`, because that pass
    marks calls of loop bodies `noinline` and the phase kernels need the same marks.

    Four parts of the pass have their own option:

    | option | part | file |
    |---|---|---|
    | `hoist` | base-case hoisting: the parent evaluates base cases of its children | `BaseCaseHoisting.cpp` |
    | `reductions` | join-free reductions: if a tree only combines results, no activation waits for a child | `Reductions.cpp` |
    | `uniform` | uniform parameters: one value for the whole batch | `UniformParameters.cpp` |
    | `positional` | positional results: the parent finds a child's result by the order of the spawns | `PhaseBuilder.cpp` |

    These parts are not separate passes, for two reasons:

    * Their decisions depend on each other, and on the phases, spawn sites and
      objects of all functions of a recursion (the class `Candidate`). Separate
      passes would have to store all of this as attributes.
    * Each separate pass would have to prepare the bodies again.

    `chan-prefetch-pointers` is a separate pass, because it needs only the stacks
    and the bodies.

    Remarks of the category `chan-batch` give

    * for each function without a batch form, the reason;
    * for each function with a batch form, whether its activations wait for their
      children (the remark `reduction`: if it passed, they need not wait);
    * for each spawn, whether the parent evaluates base cases of the child
      (`hoist`), and whether the child's result is positional (`positional`).
  }];
  let options = [
    Option<"longLoops", "long-loops", "bool", "true",
           "Also make batch forms of functions with long loops, which do not spawn and may run long">,
    Option<"hoist", "hoist", "bool", "true",
           "Base-case hoisting: parents evaluate cheap base cases of their children">,
    Option<"reductions", "reductions", "bool", "true",
           "Join-free reductions: also make a kernel that waits for no child">,
    Option<"uniform", "uniform", "bool", "true",
           "Keep a parameter once for each batch if all elements have the same value; "
           "if false, do so only for addresses of shared reduction variables">,
    Option<"positional", "positional", "bool", "true",
           "Find results by their position where possible; if false, each spawn site has a result handler">
  ];
  let dependentDialects = ["::cilk2chan::chan::ChanDialect"];
}

def ChanPrefetchPointers : Pass<"chan-prefetch-pointers", "::mlir::ModuleOp"> {
  let summary = "Find the pointers that a batch prefetches";
  let description = [{
    A program may walk through a linked structure, such as a tree. Then a parent
    loads a pointer from memory and passes the pointer to a child. The child begins
    with an access to the memory that the pointer points to.

    This pass finds the child's parameters that receive such pointers. Each parameter
    is a field of the child's entry stack. The attribute `prefetched` of this stack
    lists the fields. A batch prefetches the memory behind these pointers.

    The pass runs after `chan-batch-forms`, for two reasons: only batches prefetch,
    and a pointer that a whole batch shares (`uniform`) needs no prefetch. The pass
    runs before `cilk-to-chan`, which removes the bodies of the functions.

    A remark of the category `chan-batch` names each parameter.
  }];
  let dependentDialects = ["::cilk2chan::chan::ChanDialect"];
}

def CilkToChan : Pass<"cilk-to-chan", "::mlir::ModuleOp"> {
  let summary = "Split spawning functions at their syncs into kernels";
  let description = [{
    This pass splits each spawning function at its suspensions (ISCA'14 section
    5.2). A *suspension* is a sync that may wait, or a call of a spawning function.

    * The code from the beginning to the first suspensions becomes the entry kernel.
    * The code after each suspension becomes another kernel.
    * Channel stacks join the kernels.

    A value moves to the activation's *frame* if it is live across a suspension. A
    local object moves to the frame if it is used across a suspension, or if a child
    may have its address. The C function stays as a declaration.

    A sync makes no kernel in two cases:

    * The sync has nothing to wait for.
    * The function returns nothing, and has nothing to do after the sync.

    A weak function `f` is spawned and called through the address of `f`, because
    another definition may replace `f`. The import from LLVM IR may have given this
    module's definition the name `f.weak`. Then a call compares the address of `f` with
    the address of `f.weak`. If both are equal, the code calls `f.weak` directly.

    The pass runs after `chan-entry-stacks`, because the kernels consume the entry
    stacks. It also runs after all passes that make other forms of spawning
    functions, because it removes the bodies.

    Debug records do not influence how a function is split. A debug record goes into
    each kernel in which its value is available.
  }];
  let options = [
    Option<"keepLocals", "keep-locals", "bool", "false",
           "Keep all local objects in the frame, so that a debugger finds them in every kernel">
  ];
  let dependentDialects = ["::cilk2chan::chan::ChanDialect"];
}

def ChanToHost : Pass<"chan-to-host", "::mlir::ModuleOp"> {
  let summary = "Lower kernels to functions that the runtime libchan calls";
  let description = [{
    * A kernel becomes a function. Its arguments say which elements of a block the
      function treats. A *block* stores elements of one channel as a structure of
      arrays.
    * A channel stack becomes its *descriptor*: a constant that describes the stack
      to the runtime.
    * Each C function with an entry stack gets a stub, `__chan_stub.NAME`. The stub
      enters the runtime with one element.

    `chan/abi.h` defines the layouts of blocks and descriptors.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "128",
           "Bits of the processor's vector registers, for kernels with lanes">,
    Option<"gathers", "gathers", "bool", "true",
           "Use AVX2's gather instructions; if false, load the lanes one after another">,
    Option<"processor", "processor", "std::string", "",
           "Name of the processor that the program needs; the program checks it at the start">,
    Option<"features", "features", "std::string", "",
           "Features of this processor that not all processors have, separated by commas">,
    Option<"leaveTrees", "leave-trees", "bool", "true",
           "If a function has no batch form, let its serial clone ask the runtime whether a "
           "called tree of activations runs as a batch">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ChanToVGIW : Pass<"chan-to-vgiw", "::mlir::ModuleOp"> {
  let summary = "Lower kernels to functions for threads of a VGIW machine";
  let description = [{
    A kernel becomes a function for one element. The machine runs the function as a
    thread, for each element of a batch (`cilk2chan/Conversion/LLVMIRToVGIW.h`). The
    machine's aggregator gives each parameter of the function its value:

    * the addresses of the fields of the batch's elements;
    * the addresses of the channels into which the kernel enqueues elements. A *level*
      is a depth in the tree of spawns. Continuations go to the batch's level, and
      children go one level deeper.

    `chan.talloc` reserves a place in a channel. If the channel of a child is full,
    the thread yields. When the thread is resumed, it tries again. A *continuation* is
    the rest of an activation after a sync. The channel of a continuation is never
    full, because the aggregator makes enough room.

    `chan.enq` waits for the stores to the element. Then it counts the element as
    ready.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def VGIWToSIMT : Pass<"vgiw-to-simt", "::mlir::ModuleOp"> {
  let summary = "Turn kernels into instructions of a SIMT core";
  let description = [{
    A `vgiw.kernel` in the stage `graph` becomes a `simt.kernel`. Each node becomes an
    instruction. Tokens are left out: program order is the order of memory operations.

    An address becomes a register plus a constant. The address of private memory becomes
    the operand `simt.local`, so its parameter is gone.
  }];
  let dependentDialects = ["::cilk2chan::simt::SIMTDialect"];
}

def VerifyStage : Pass<"verify-stage", "::mlir::ModuleOp"> {
  let summary = "Check the guarantees of a stage";
  let description = [{
    This pass runs at the end of each stage of a compilation
    (`cilk2chan/Pipelines/Pipelines.h`). It changes nothing.

    * The option `gone` lists dialects and operations. If one of these operations is
      left, the pass reports an error.
    * With the option `invariants`, the pass runs the verifiers of all operations.
      For a graph of kernels, the verifiers examine every path through a kernel. They
      prove properties that the runtime relies on and does not check.
  }];
  let options = [
    ListOption<"gone", "gone", "std::string",
               "Dialects and operations that the stage must remove">,
    Option<"markers", "markers", "bool", "false",
           "Also report calls of the front end's markers">,
    Option<"invariants", "invariants", "bool", "false",
           "Run the verifiers of all operations">
  ];
}

#endif // CILK2CHAN_CONVERSION_PASSES_TD
