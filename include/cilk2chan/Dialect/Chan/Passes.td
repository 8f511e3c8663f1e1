//===- Passes.td - Batches in lanes ------------------------*- tablegen -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_PASSES_TD
#define CILK2CHAN_DIALECT_CHAN_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChanSIMD : Pass<"chan-simd", "::mlir::ModuleOp"> {
  let summary = "Have kernels treat W elements at a time";
  let description = [{
    Gives each kernel for which that pays a number of lanes, and a body for as many elements
    (`chan.kernel`). The kernel's control flow is lifted to structured form, values are divided
    into those that are the same in all lanes and those that are not, and then:

    * A choice that lanes make differently becomes masks; an arm that nobody takes is skipped. A loop that they
      leave at different times runs while any is in it.
    * An access at an address that is the same in all lanes is that of a scalar; one to the lanes' own
      variables, on the stack or locals of phases, is contiguous, and to their arrays at an index that is the same; others gather and scatter.
    * What a recursive function passes on to all its children alike (a table, a depth) is the same in a whole level. Where that
      helps there is a form of the kernel for lanes that have the same of it. Others go through one that takes them as they are,
      if that pays, or else through the first, one group after another.
    * Nothing that could trap, or be seen, is done for a lane that would not have done it.
    * What has no vector form (calls, frames, C's `alloca`) runs lane by lane. So do math functions, unless there is a library that
      has them for vectors: its results may be others.
    * What a whole batch combines at one address (`chan.reduction`) becomes `chan.reduce`: lanes and groups do so in registers.
    * Integers that C has promoted are compared, and carried through choices and loops, in as few bits as ranges say they need
      (with registers of 256 bits and more, where more lanes are no more code).

    Phase kernels get lanes, all of a function as many, or are erased with the `batch` of their stack, as they are if few activations of the
    function are at a time and those that it spawns have lanes. Where few trees of a function that accumulates are at a time, only
    the kernel that does so stays. With registers of 256
    bits and more, one that accumulates is also `compacted` if lanes leave a loop of its that spawns at different times: then there
    are two more, which do an iteration for as many activations at a time as there are lanes.

    All kernels of a C function have the same number of lanes: as many as there are in a vector register of the
    median width of the function's values that vary, where those in a loop count several times, and addresses and what only they are
    computed from not at all. Narrower values then fill a part of a register, wider ones several.

    A kernel stays scalar if it can only find a few elements at a time: if no loop and no recursion with more than one child spawns what
    it is of, as far as the module tells, where C enters a function with one element. It does so too if lanes are estimated not to be 1.1 times as fast as one element after another (of a batch: as its serial clone, which has values as wide as C and its objects in the cache), or, whatever they take, to need too many
    instructions: without AVX2 (gathers) or AVX-512 (scatters), each lane's access is code of its own. Loops are taken to run eight times, those
    that count to a constant of at most eight to be unrolled, and what is chosen by the number of an iteration, then, to cost nothing.

    The lanes of a kernel are elements of one batch, and so tasks that may run in any order and
    together; what one does keeps its order. But lanes go through the code together: none has unlocked what it locked when the next
    comes to the lock. So kernels with other atomic operations stay scalar, and those with
    a second call that may take locks, or one in a loop. So do kernels with
    what has no lanes: structs passed in memory, spawns through pointers, inline assembly. Remarks of the category
    `chan-simd` say what became of each kernel and why.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "128", "Bits of the processor's vector registers">,
    Option<"lanes", "lanes", "unsigned", "0", "Lanes of all kernels, whether it pays or not; a power of two from 2 to 64">,
    Option<"processor", "processor", "std::string", "", "Name of the processor for remarks, if there are kernels for others too">,
    Option<"reasons", "reasons", "bool", "true", "Say why kernels have no lanes, and what lanes do together">,
    Option<"phasesOnly", "phases-only", "bool", "false", "Leave kernels as they are that are not phases of batches">,
    Option<"narrow", "narrow", "bool", "true", "Have lanes compare and carry values of as few bits as these need">,
    Option<"compact", "compact", "bool", "true", "Compact iterations of many activations, where kernels accumulate and lanes leave a loop one after another">,
    Option<"interleave", "interleave", "bool", "true", "Have the copies that lanes have of an object part by part where all access it alike; else one behind the other">,
    Option<"vectorLibrary", "vector-library", "::llvm::VectorLibrary", "::llvm::VectorLibrary::NoLibrary", "Library of math functions for vectors, as -fveclib names it", [{::llvm::cl::values(
      clEnumValN(::llvm::VectorLibrary::NoLibrary, "none", "none"),
      clEnumValN(::llvm::VectorLibrary::LIBMVEC, "libmvec", "of the GNU C library"),
      clEnumValN(::llvm::VectorLibrary::SVML, "SVML", "Intel's"),
      clEnumValN(::llvm::VectorLibrary::AMDLIBM, "AMDLIBM", "AMD's"))}]>
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}

#endif // CILK2CHAN_DIALECT_CHAN_PASSES_TD
