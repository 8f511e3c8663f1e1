//===- Passes.td - Transformations of fork-join programs ---*- tablegen -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_PASSES_TD
#define CILK2CHAN_DIALECT_CILK_PASSES_TD

include "mlir/Pass/PassBase.td"

def CilkSpawnIterations : Pass<"cilk-spawn-iterations", "::mlir::ModuleOp"> {
  let summary = "Spawn each iteration of a parallel loop in a recursion";
  let description = [{
    This pass replaces a `cilk.for` by a serial loop that spawns each iteration, and
    by a sync after the loop. In C:

    ```c
    void f(int n) {                     void f(int n) {
      cilk_for (int i = 0; i < n; i++)    for (int i = 0; i < n; i++)
        if (isFree(i))              ->      if (isFree(i))
          f(n - 1);                           cilk_spawn f(n - 1);
    }                                     cilk_sync;
                                        }
    ```

    Without this pass, `cilk-for-to-spawn` would make a function that divides the
    iterations. The recursion would then consist of several functions, and none of
    them would have a batch form. After this pass, the recursion consists of one
    function.

    The pass replaces a loop only if all these conditions hold:

    * The loop's body calls a function that may call the function of the loop again.
    * The last action of an iteration is this call, or an inner `cilk.for` that
      fulfils these conditions too. The iteration may store the result of the call,
      or a value computed from the result.
    * An iteration contains no other call, and no loop that may be long.
    * The function of the loop has no other spawns. Otherwise the new sync would wait
      for their children, too.
    * The loop has no grain. Exception: the grain may be a constant if the number of
      iterations is a constant, greater than the grain, and at most 64.

    If an iteration stores a value computed from the result, the pass needs a place
    for this computation:

    * If the same iterations and addresses can be computed again without memory
      accesses, a second loop after the sync computes the value.
    * If the value depends only on the result and on constants, an `apply` function
      computes the value when the result comes.
    * Otherwise the pass leaves the loop unchanged.

    If only the loop's body used the address of a local, the local becomes a value.

    An iteration may pass an object of its own to the call. In the new loop, all
    iterations share one object. So the children of all iterations would have the
    same address. `cilk-arrays-by-value` can pass the object by value instead. For
    loops with such objects, this pass works on a copy of the function,
    `f.iterations`. If `cilk-arrays-by-value` succeeds, it replaces `f` by the copy.
    Otherwise it erases the copy.

    If the body of a loop may call the loop's function, a remark of the category
    `chan-iterations` says whether the pass has replaced the loop. If not, the remark
    gives the reason.
  }];
  let options = [
    Option<"objects", "objects", "bool", "true",
           "Also replace loops whose iterations pass an object of their own; "
           "needs cilk-arrays-by-value afterwards">
  ];
  let dependentDialects = ["::cilk2chan::cilk::CilkDialect"];
}

def CilkForToSpawn : Pass<"cilk-for-to-spawn", "::mlir::ModuleOp"> {
  let summary = "Divide the iterations of parallel loops among spawns";
  let description = [{
    This pass makes a function `__cilk_range.N(begin, end, grain, ...)` for each
    `cilk.for`, and replaces the `cilk.for` by a `cilk.call` of this function.

    * If the range has at most `grain` iterations, the function runs the body for
      the range.
    * Otherwise the function divides the range into at most 16 parts, and spawns
      itself for each part. The length of a part is a multiple of the grain. The
      last part may be shorter.

    So `n` iterations take about `n / grain` elements. They take as many levels as
    the number `n / grain` has hexadecimal digits.

    If the loop has no grain, the pass chooses one. If the body is a spawning
    function, the grain is 1. Otherwise the runtime function `chan_grain` computes
    the grain.

    **Ranges.** With the option `ranges`, a loop whose body does not spawn becomes one
    `cilk.call` of a function `__cilk_range.N(iteration, count, ...)` with the attribute
    `chan.range`. The call passes the first iteration and the number of iterations. The
    function is run once for each iteration, in any order. In each run, its first
    parameter is the number of the iteration. The grain is not used. The function
    contains captured constants itself.

    ```mlir
    llvm.func private @__cilk_range.0(%i: i64, %count: i64, %a: !llvm.ptr)
        attributes {chan.range} {
      %behind = llvm.add %i, %one overflow<nsw, nuw> : i64
      llvm.call @__cilk_body.0(%i, %behind, %a) : (i64, i64, !llvm.ptr) -> ()
      llvm.return
    }
    ```

    **Work-groups.** With the option `groups`, a loop with inner loops may become such a
    call, too. Then each iteration is a *work-group*: up to 64 threads, which share
    memory and wait for each other at barriers. The function has the attribute
    `chan.group`, and is run once for each thread of each group.

    * All threads of a group execute the code between the inner loops. They compute
      the same values. An operation with an effect is executed by the first thread only,
      which passes the result on in the shared memory.
    * Of an inner loop with n iterations, thread t of T executes t, t + T, and so on. A
      barrier follows the loop.
    * Objects of the iteration on the stack are in the shared memory.

    These conditions must hold:

    * The body of the outer loop contains inner `cilk.for`s, and no other spawn or call
      of a spawning function. The bodies of the inner loops spawn nothing.
    * Each inner loop has at most 1024 iterations, a constant, or captures an array of the
      outer iteration.
    * The objects of an iteration have constant sizes, at most 48 KB together. Each is
      aligned to at most 128 bytes.

    If the body of a loop has inner loops, a remark of the category `chan-groups` says
    whether it has become such a call, and if not, why.
  }];
  let options = [
    Option<"ranges", "ranges", "bool", "false",
           "Make one range of a loop whose body does not spawn; for machines that "
           "launch ranges">,
    Option<"groups", "groups", "bool", "false",
           "Make work-groups of the iterations of an outer loop; needs ranges">
  ];
  let dependentDialects = ["::cilk2chan::cilk::CilkDialect"];
}

def CilkStrands : Pass<"cilk-strands", "::mlir::ModuleOp"> {
  let summary = "Tell activations their place in the serial order";
  let description = [{
    In a module with the attribute `chan.strands`, views of reducers are combined in the
    order of the serial elision. So this pass gives each spawning function one more
    parameter, the *strand* with which an activation begins, and calls the runtime at
    spawns, syncs, calls and returns:

    ```mlir
    llvm.func internal @f.strand(%n: i32, %strand: !llvm.ptr) {
      llvm.call @chan_strand_begin(%strand)
      %child = llvm.call @chan_strand_spawn(%strand)
      cilk.spawn @g.strand(%n, %child)
      llvm.call @chan_strand_resume(%strand)
      llvm.call @chan_strand_suspend()
      cilk.sync
      llvm.call @chan_strand_sync(%strand)
      llvm.call @chan_strand_end(%strand)
      llvm.return
    }
    ```

    The C symbol of `f` becomes a function that calls `f.strand` with the present strand
    of its caller. If a child is not known to spawn, the pass makes a function that
    begins a strand, calls the child, and ends the strand.
  }];
  let dependentDialects = ["::cilk2chan::cilk::CilkDialect"];
}

def CilkCombineResults : Pass<"cilk-combine-results", "::mlir::ModuleOp"> {
  let summary = "Combine results of children when they come, not in a loop after the sync";
  let description = [{
    Some programs store the results of children in an array, and combine the
    elements of the array in a loop after the sync:

    ```c
    for (int i = 0; i < n; ++i)            int all = 0;
      count[i] = cilk_spawn f(i);          for (int i = 0; i < n; ++i)
    cilk_sync;                       ->      all += cilk_spawn f(i);
    int sum = 0;                           cilk_sync;
    for (int i = 0; i < n; ++i)            int sum = all;
      sum += count[i];
    ```

    This pass removes the array and the second loop. The `apply` function of a spawn
    receives the child's result. In such a loop, the `apply` function combines each
    result with one variable when the result comes.

    These conditions must hold:

    * The function uses the array only for results of one spawn site, and to set
      elements to zero.
    * The index of an element is the counter of the loop that spawns, or the number
      of the spawn (`results[n++] = cilk_spawn ...`).
    * The second loop treats all these elements. It may change each element by
      operations with constants, such as `-result`.
    * The second loop combines the elements by `+`, `*`, `&`, `|` or `^`, or by the
      maximum or minimum of integers.
    * An element may be set to zero and get no result. Then zero must not influence the
      combination. So the second loop must combine by `+`, `|` or `^`, and must not
      change an element before it combines the element.

    A remark of the category `chan-arrays` marks each such spawn.
  }];
}

def CilkArraysByValue : Pass<"cilk-arrays-by-value", "::mlir::ModuleOp"> {
  let summary = "Pass small local arrays to children by value";
  let description = [{
    A *lane* is one element of a vector register. A kernel with lanes treats one
    activation in each lane. If each activation reads its parent's arrays, lanes
    must gather from different addresses. If each activation has arrays of its own,
    the arrays of all lanes can be side by side. Then lanes load and store whole
    registers.

    This pass considers functions that spawn only themselves, and that pass local
    arrays to children that only read them. It makes a copy `f.byval` of the
    function `f`. The copy takes the arrays by value:

    ```c
    void f(int n, const char *a) {      void f.byval(int n, char a0, char a1) {
      char next[2];                       char a[2] = {a0, a1}, next[2];
      ...                          ->     ...
      cilk_spawn f(n - 1, next);          cilk_spawn f.byval(n - 1, next[0], next[1]);
    }                                   }
    ```

    * A *part* of an array is the piece that one load or store accesses. All parts
      of an array have the same size. Each part becomes a parameter.
    * If the member of each access is known, the members of an object may have parts of
      different sizes. If a member has only one part, the member becomes a value.
    * If the size of an array is known only at run time, the array gets 16 parts. If
      16 parts are too few, `f.byval` calls `f.fallback` with the same arguments. This
      call comes before any effect of `f.byval`. `f.fallback` is the original function.

    The pass leaves a function unchanged in these cases:

    * Other code has the address of such an array.
    * One member is accessed by parts of several sizes.
    * An array has more than 64 bytes.
    * Another property of the function rules out a batch form.

    If the pass makes a copy, a remark of the category `chan-arrays` names the arrays.

    **Shared reduction variables.** A child may store a result at an address that
    its parent passes: the address of a local variable or of an element of a local
    array. The parent may use this result only in this way:

    1. The parent combines the result with a value of its own. The combination is `+`,
       `&`, `|`, `^`, or the maximum or minimum of integers.
    2. The parent stores the combined value at the address that the parent received.

    For such functions, the root of the tree of spawns has one variable for all
    activations:

    * Each activation of `f.byval` combines its own value with this variable
      (`llvm.atomicrmw` with `chan.reduction`). The order of these updates is
      arbitrary.
    * No activation uses the results of its children.
    * A load may read memory that a parameter points to, at a constant offset. If the
      function writes only to its own memory, `f.byval` executes such a load once, and
      not in each iteration of a loop.

    **Loops whose iterations pass objects.** `cilk-spawn-iterations` may have made a
    copy `f.iterations`. If this pass can pass the objects of the iterations by
    value, the rewritten copy replaces `f`. Then `f.fallback` is the original `f`,
    with loops that divide their iterations. Otherwise the pass erases the copy.
  }];
  let options = [
    Option<"longLoops", "long-loops", "bool", "true",
           "Also rewrite functions with long loops, which do not spawn and may run long">
  ];
}

#endif // CILK2CHAN_DIALECT_CILK_PASSES_TD
