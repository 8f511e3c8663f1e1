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
  let summary = "Let kernels treat several elements at a time in vector registers";
  let description = [{
    A phase kernel of a batch form describes the treatment of one element. This pass
    gives some of these kernels *lanes*: such a kernel treats W elements at a time,
    one element in each lane of the vector registers.

    ```mlir
    chan.kernel @f.batch.0 consumes @f.entry frame 0 phase 0 {
      %e = chan.deq : <@f.entry>
      %n = chan.get "n" of %e : <@f.entry> -> i32
      %m = llvm.add %n, %n : i32
    // becomes
    chan.kernel @f.batch.0 consumes @f.entry frame 0 phase 0 lanes 8 {
      %e, %live = chan.deq : <@f.entry> mask vector<8xi1>
      %n = chan.get "n" of %e : <@f.entry> -> vector<8xi32>
      %m = llvm.add %n, %n : vector<8xi32>
    ```

    The pass first makes a copy of the kernel with structured control flow. Then it
    finds which values are *uniform* (the same in all lanes) and which are *varying*.

    **Control flow**

    * If lanes take different ways at a branch, a *mask* says which lanes execute a
      way. If no lane takes a way, the kernel skips the way.
    * A loop continues until all lanes have left it.

    **Memory accesses**

    * If the address is uniform, the kernel does one scalar access.
    * Local variables of a lane are on the stack or in the locals that live from phase
      to phase (`chan.local`). The copies of one variable in all lanes are side by side.
      So an access to a local variable, or to an element of a local array at a uniform
      index, is one contiguous access.
    * Other accesses gather or scatter.

    **Operations**

    * An operation that may trap or has side effects is executed only for the lanes
      of the mask.
    * Calls, also those of math functions, are executed lane by lane. Exception: with the
      option `vector-library`, lanes call the vector math functions of a library. The
      results of these functions may differ slightly.
    * If all elements of a batch combine values at one address (`chan.reduction`),
      the operation becomes `chan.reduce_shared`. The lanes are then combined in
      registers.
    * With registers of at least 256 bits, integers may get fewer bits than C gives
      them (*narrow lanes*). This applies to comparisons and to values that branches
      and loops carry. The ranges of the values decide.

    **The number of lanes.** All kernels of a C function have the same number of
    lanes. The pass computes the median width of the varying values, and divides the
    bits of a register by it. Values in a loop count several times. Addresses do not
    count. Narrower values then fill a part of a register, and wider values fill
    several registers.

    **Batch forms.** All phase kernels of a function get the same number of lanes. If
    they cannot all get lanes, the pass erases all of them, and removes the attribute
    `batch` of the stack. The pass also treats these cases:

    * Few activations of the function run at a time, and the functions that it
      spawns have lanes. Then the pass erases the phase kernels.
    * The function has a join-free reduction, and few of its trees run at a time.
      Then the pass keeps only the kernel of this reduction.
    * The kernel of a join-free reduction has a loop that spawns, and lanes leave this
      loop at different times. Then the pass makes two more kernels (`compacted`). They
      collect the iterations of many activations, so that all lanes have an
      iteration. The pass does not make them if passing an iteration from one kernel
      to the other would cost more than half of the cycles of an iteration.

    **Kernels without lanes.** A function loses its batch form in these cases:

    * The estimated gain is too small. The phase kernels of a function that spawns
      more than one child must be 1.07 times as fast as its serial clone. All others
      must be 1.25 times as fast.
    * Lanes need too many instructions. Gathers need AVX2, and scatters need AVX-512.
      On processors without them, the access of each lane is separate code.
    * The kernel has operations without a form for lanes: structs that are passed in
      memory, spawns through pointers, or inline assembly.
    * One lane might wait for another: the kernel has atomic operations (except relaxed
      loads, and updates with `chan.reduction`), calls several functions that may take
      locks, or calls one such function in a loop.
      All lanes execute each call before any lane continues. So the next lane would
      wait for a lock that an earlier lane still holds.

    The lanes of a kernel are elements of one batch. So they are tasks that may run
    in any order, or at the same time. The order of the operations of one task does
    not change.

    Remarks of the category `chan-simd` say for each phase kernel whether it has
    lanes, and why. `Tuning.h` contains all constants of the estimate.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "128",
           "Bits of the processor's vector registers">,
    Option<"lanes", "lanes", "unsigned", "0",
           "Number of lanes of all kernels, regardless of the estimate: "
           "a power of two from 2 to 64; 0: the pass chooses">,
    Option<"processor", "processor", "std::string", "",
           "Name of the processor for remarks, if the program also has kernels for other processors">,
    Option<"reasons", "reasons", "bool", "true",
           "In remarks, say why kernels have no lanes, and which branches and accesses are uniform">,
    Option<"narrow", "narrow", "bool", "true",
           "Narrow lanes: compare and carry integers in as few bits as their ranges need">,
    Option<"compact", "compact", "bool", "true",
           "Stream compaction: if lanes leave the loop of a join-free reduction at "
           "different times, fill them with iterations of other activations">,
    Option<"interleave", "interleave", "bool", "true",
           "Interleave the objects of all lanes, element by element, if all accesses allow it; "
           "if false, store the objects one after another">,
    Option<"vectorLibrary", "vector-library", "::llvm::VectorLibrary", "::llvm::VectorLibrary::NoLibrary",
           "Library of vector math functions, as -fveclib names it", [{::llvm::cl::values(
      clEnumValN(::llvm::VectorLibrary::NoLibrary, "none", "none"),
      clEnumValN(::llvm::VectorLibrary::LIBMVEC, "libmvec", "of the GNU C library"),
      clEnumValN(::llvm::VectorLibrary::SVML, "SVML", "Intel's"),
      clEnumValN(::llvm::VectorLibrary::AMDLIBM, "AMDLIBM", "AMD's"))}]>
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}

#endif // CILK2CHAN_DIALECT_CHAN_PASSES_TD
