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
    (`chan.kernel`). First a copy of the kernel gets structured control flow. Then its values are divided
    into those that are the same in all lanes and those that are not:

    * A choice that lanes make differently becomes masks. An arm that no lane takes is skipped. A loop that lanes
      leave at different times runs while any lane is in it.
    * An access at an address that is the same in all lanes is that of a scalar. An access to the lanes' own
      variables is contiguous: on the stack, to locals of phases, and to their arrays at an index that is the same. Other accesses gather and scatter.
    * A recursive function may pass on the same to all its children (a table, a depth). Then a whole level has the same of it.
      Where that helps, there is a form of the kernel for lanes that share it. Lanes that do not share it go through a
      second form, or through the first one group after another.
    * An operation that could trap, or be seen, is done only for lanes that would have done it.
    * What has no vector form runs lane by lane: calls, frames, C's `alloca`, math functions. With `vector-library`, lanes call
      the vector functions of a library, whose results may differ.
    * What a whole batch combines at one address (`chan.reduction`) becomes `chan.reduce_shared`: lanes and groups combine in registers.
    * Integers that C has promoted are compared, and carried through choices and loops, in as few bits as their ranges need
      (with registers of 256 bits and more, where more lanes are no more code).

    All phase kernels of a function get equally many lanes, or are erased with the `batch` of their stack. They are also erased if few activations of the
    function are there at a time and the functions that it spawns have lanes. Where few trees of a function with a join-free reduction are there at a time, only
    the kernel of that reduction stays. With registers of 256 bits and more, that kernel is also `compacted` if lanes leave a loop of it
    that spawns at different times: two more kernels then do an iteration for as many activations at a time as there are lanes.

    All kernels of a C function have the same number of lanes. It is how many values of the median width a vector register has. Only values that
    vary count, those in a loop several times, and addresses not at all. Narrower values then fill a part of a register, wider ones several.

    A kernel stays scalar in these cases:

    * It can only find a few elements at a time: no loop and no recursion with more than one child spawns them, as far as the module tells.
    * Lanes are not estimated to be 1.07 times as fast as one element after another, or 1.25 times where there may be few elements. A batch is compared with
      its serial clone, which has values as wide as C and its objects in the cache.
    * Lanes need too many instructions. Without AVX2 (gathers) or AVX-512 (scatters), each lane's access is code of its own.
    * It has operations without a form for lanes: structs passed in memory, spawns through pointers, inline assembly.
    * Lanes could wait for each other: atomic operations, a second call that may take locks, or one in a loop. Lanes go through the code together,
      so none has unlocked what it locked when the next comes to the lock.

    The lanes of a kernel are elements of one batch, and so tasks that may run in any order and together. What one does keeps its order.
    Remarks of the category `chan-simd` say what became of each kernel and why. `Tuning.h` has all constants of the estimate.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "128", "Bits of the processor's vector registers">,
    Option<"lanes", "lanes", "unsigned", "0", "Lanes of all kernels, whether it pays or not; a power of two from 2 to 64">,
    Option<"processor", "processor", "std::string", "", "Name of the processor for remarks, if there are kernels for other processors too">,
    Option<"reasons", "reasons", "bool", "true", "Say why kernels have no lanes, and what lanes do together">,
    Option<"phasesOnly", "phases-only", "bool", "false", "Leave kernels as they are that are not phases of batches">,
    Option<"narrow", "narrow", "bool", "true", "Have lanes compare and carry values of as few bits as these need">,
    Option<"compact", "compact", "bool", "true", "Stream compaction: fill lanes with iterations of many activations where lanes leave the loop of a join-free reduction one after another">,
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
