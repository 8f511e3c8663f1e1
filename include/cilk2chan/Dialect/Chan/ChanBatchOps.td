//===- ChanBatchOps.td - What kernels of batches do --------*- tablegen -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/Dialects/ChanBatchRationale.md says why these operations stand apart.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_CHANBATCHOPS_TD
#define CILK2CHAN_DIALECT_CHAN_CHANBATCHOPS_TD

include "cilk2chan/Dialect/Chan/ChanBase.td"

/// An op of the kernel of a phase.
class Chan_PhaseOp<string mnemonic, list<Trait> traits = []>
    : Chan_BodyOp<mnemonic, traits> {
  let opDocGroup = Chan_BatchOps;
  let hasVerifier = 1;
}

/// Integers: one, or a vector with one for each lane.
def Chan_Integers : AnyTypeOf<[AnySignlessInteger, VectorOfAnyRankOf<[AnySignlessInteger]>]>;

def Chan_LocalOp : Chan_PhaseOp<"local", [Pure]> {
  let summary = "an object of the activation that lives until its last phase";
  let description = [{
    The object has `size` bytes. It is at `offset` in the activation's locals. The
    back end chooses the place in memory. The same local of different activations may
    be side by side. `exposed` means that code may access the local through a pointer
    that an earlier phase has stored.

    ```mlir
    %sum = chan.local 8 size 4
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$offset,
                       ConfinedAttr<I64Attr, [IntPositive]>:$size,
                       UnitAttr:$exposed);
  let results = (outs Chan_Pointer:$address);
  let assemblyFormat = "$offset `size` $size (`exposed` $exposed^)? attr-dict";
}

def Chan_PendOp : Chan_PhaseOp<"pend"> {
  let summary = "continue the activation in another phase when its children have finished";
  let description = [{
    With `mask`, in a kernel with lanes, only the lanes of the mask continue.

    ```mlir
    chan.pend 1 mask %spawned : vector<8xi1>
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntPositive]>:$phase, Optional<Chan_Mask>:$mask);
  let assemblyFormat = "$phase (`mask` $mask^ `:` type($mask))? attr-dict";
}

def Chan_ResultOp : Chan_PhaseOp<"result"> {
  let summary = "set the result of the activation, in a phase kernel";
  let description = [{
    With `mask`, in a kernel with lanes, `value` is a vector. Only the lanes of the
    mask have results.

    ```mlir
    chan.result %sum mask %live : vector<8xi32>, vector<8xi1>
    ```
  }];
  let arguments = (ins AnyType:$value, Optional<Chan_Mask>:$mask);
  let assemblyFormat = "$value (`mask` $mask^)? attr-dict `:` type($value) (`,` type($mask)^)?";
}

def Chan_ChildOp : Chan_PhaseOp<"child"> {
  let summary = "the result of the child that the activation has spawned at a site";
  let description = [{
    `spawned` says whether there is such a child. If there is none, `value` is
    poison. In a kernel with lanes, both are vectors.

    ```mlir
    %there, %left = chan.child 0 : vector<8xi1>, vector<8xi32>
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntNonNegative]>:$site);
  let results = (outs AnyType:$spawned, AnyType:$value);
  let assemblyFormat = "$site attr-dict `:` type($spawned) `,` type($value)";
}

def Chan_DestinationOp : Chan_PhaseOp<"destination"> {
  let summary = "the address at which the parent expects the result, in a result handler";
  let description = [{
    The parent has given this address to `chan.enq`. In a kernel with lanes, the
    result is a vector of addresses. If the destinations of all lanes are adjacent,
    the result is the first address only.

    ```mlir
    %to = chan.destination : vector<8x!llvm.ptr>
    ```
  }];
  let results = (outs AnyType:$destination);
  let assemblyFormat = "attr-dict `:` type($destination)";
}

def Chan_ReduceResultOp : Chan_PhaseOp<"reduce_result"> {
  let summary = "add a part to the join-free reduction of all results of a batch";
  let description = [{
    Only the kernel for the join-free reduction has this operation. This kernel is the
    last one in the list `batch` of its stack. A *part* is the value that one activation
    contributes to the reduction.

    With `mask`, in a kernel with lanes, the lanes of the mask have parts. `value` is
    a vector of parts, or one part that all these lanes have.

    ```mlir
    chan.reduce_result %one mask %ends : i32, vector<8xi1>
    ```
  }];
  let arguments = (ins Chan_Integers:$value, Optional<Chan_Mask>:$mask);
  let assemblyFormat = "$value (`mask` $mask^)? attr-dict `:` type($value) (`,` type($mask)^)?";
  let hasVerifier = 0;
}

def Chan_ReduceSharedOp : Chan_PhaseOp<"reduce_shared"> {
  let summary = "add a part to a shared reduction variable";
  let description = [{
    Only phase kernels with lanes have this operation. It combines the parts of the
    lanes with the variable at `address`. `value` is a vector of parts, or one part
    that all lanes of the mask have.

    All lanes have the same address. Other workers may combine with the variable at
    the same time. No code reads the variable before all elements of the batch have
    returned.

    ```mlir
    chan.reduce_shared sum %found to %total mask %live : vector<8xi64>, !llvm.ptr, vector<8xi1>
    ```
  }];
  let arguments = (ins Chan_Combination:$combination, Chan_Integers:$value,
                       LLVM_AnyPointer:$address, Chan_Mask:$mask);
  let assemblyFormat = "$combination $value `to` $address `mask` $mask attr-dict `:` type($value) `,` type($address) `,` type($mask)";
  let hasVerifier = 0;
}

def Chan_BaseCasesHoistedOp : Chan_PhaseOp<"base_cases_hoisted"> {
  let summary = "whether parents have evaluated the base cases of all elements of this batch";
  let description = [{
    Only phase kernels with lanes have this operation. If the result is true, no
    element of the batch is a base case, so each element spawns. The branch to the base
    case has the attribute `chan.base_case_arm`. The value of the attribute is the
    number of the successor that leads to the base case.

    ```mlir
    %all = chan.base_cases_hoisted
    ```
  }];
  let results = (outs I1:$hoisted);
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Stream compaction of iterations
//===----------------------------------------------------------------------===//

def Chan_IterationEnqOp : Chan_PhaseOp<"iteration_enq", [AttrSizedOperandSegments]> {
  let summary = "continue the activation with an iteration of its loop";
  let description = [{
    This operation is only in the two compacted kernels (`compacted` of
    [`chan.kernel`](#chankernel-cilk2chanchankernelop)). It enqueues `values`. The
    second compacted kernel receives them by `chan.iteration_deq`, together with values
    of other activations.

    With `mask`, in a kernel with lanes, only the lanes of the mask continue. Each
    value is a vector, or one value that all activations share.

    ```mlir
    chan.iteration_enq %node, %depth : vector<8x!llvm.ptr>, i32 mask %more : vector<8xi1>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values, Optional<Chan_Mask>:$mask);
  let assemblyFormat = "($values^ `:` type($values))? (`mask` $mask^ `:` type($mask))? attr-dict";
}

def Chan_IterationDeqOp : Chan_PhaseOp<"iteration_deq"> {
  let summary = "the values with which the activation continues";
  let description = [{
    This operation is only in the second compacted kernel (`compacted` of
    [`chan.kernel`](#chankernel-cilk2chanchankernelop)). It receives the values of
    `chan.iteration_enq`. The mask of `chan.deq` says which lanes have values. The lanes
    may belong to any elements of the batch.

    ```mlir
    %node, %depth = chan.iteration_deq : vector<8x!llvm.ptr>, i32
    ```
  }];
  let results = (outs Variadic<AnyType>:$values);
  let assemblyFormat = "(`:` type($values)^)? attr-dict";
}

def Chan_IterationOp : Chan_PhaseOp<"iteration"> {
  let summary = "mark an iteration of the loop of a compacted kernel";
  let description = [{
    With `mask`, in a kernel with lanes, only the lanes of the mask are in the
    iteration. At run time, the code of the back end counts how many lanes are in an
    iteration on average. By this number, the code chooses between a kernel and the two
    compacted kernels that do the same work.

    ```mlir
    chan.iteration mask %present : vector<8xi1>
    ```
  }];
  let arguments = (ins Optional<Chan_Mask>:$mask);
  let assemblyFormat = "(`mask` $mask^ `:` type($mask))? attr-dict";
}

#endif // CILK2CHAN_DIALECT_CHAN_CHANBATCHOPS_TD
