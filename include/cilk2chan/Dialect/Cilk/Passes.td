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
    spawns a copy of itself, `f.byval`, that takes an array's *parts* (what is loaded and stored, all of one size) as
    parameters behind all others. Its arrays of a size that is known at run time have 16 parts from then on. Where that is
    too small, before the function has had an effect, it calls what it was, `f.fallback`, with the same arguments.

    The copy also combines *shared reduction variables* in one place. Where each child leaves something at an address of its own, a local variable or an element of
    an array, that its parent does nothing with but combine it (`+`, `&`, `|`, `^`, maximum or minimum of integers) with what
    it leaves itself where it was told to, then activations of `f.byval` combine what they have by themselves with what is at the one address
    that their root has for all (`llvm.atomicrmw` with `chan.reduction`, in whatever order), and have nothing to do with what
    their children leave. For that it loads once what is at a fixed offset from a parameter, if the function writes to nothing but its own memory.

    The members of an object may differ in the size of their parts, if each is accessed by its own name; a member of one
    part is a value.

    Functions are left alone whose arrays are known elsewhere, are accessed by parts of several sizes in one member, or have
    more than 64 bytes; and those that would have no batch form for other reasons. A remark (category `chan-arrays`) tells of the others.

    A copy `f.iterations` that `cilk-spawn-iterations` has made is rewritten in the place of `f`, if the objects of its iterations are among
    those arrays: then `f.fallback` is what `f` was, with loops that divide their iterations. Else the copy is erased.
  }];
  let options = [
    Option<"longLoops", "long-loops", "bool", "true",
           "Also functions with loops that do not spawn, which may be long">
  ];
}

#endif // CILK2CHAN_DIALECT_CILK_PASSES_TD
