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
  let summary = "an object of the activation that outlives its phases";
  let description = [{
    `size` bytes at `offset` of the activation's locals. The back end chooses where they lie in memory: activations
    that are treated together may have the same local side by side. Pointers that a phase has left somewhere may also
    access an `exposed` local.

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
  let summary = "the activation goes on in another phase when its children are done";
  let description = [{
    With `mask`, in a lane kernel, the lanes of the mask go on.

    ```mlir
    chan.pend 1 mask %spawned : vector<8xi1>
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntPositive]>:$phase, Optional<Chan_Mask>:$mask);
  let assemblyFormat = "$phase (`mask` $mask^ `:` type($mask))? attr-dict";
}

def Chan_ResultOp : Chan_PhaseOp<"result"> {
  let summary = "the activation's result, in a phase kernel";
  let description = [{
    With `mask`, in a lane kernel, `value` is a vector, and the lanes of the mask have results.

    ```mlir
    chan.result %sum mask %live : vector<8xi32>, vector<8xi1>
    ```
  }];
  let arguments = (ins AnyType:$value, Optional<Chan_Mask>:$mask);
  let assemblyFormat = "$value (`mask` $mask^)? attr-dict `:` type($value) (`,` type($mask)^)?";
}

def Chan_ChildOp : Chan_PhaseOp<"child"> {
  let summary = "the result of the child that was spawned at a site";
  let description = [{
    `spawned` says whether there is such a child; if not, `value` is poison. In a lane kernel both are vectors.

    ```mlir
    %there, %left = chan.child 0 : vector<8xi1>, vector<8xi32>
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntNonNegative]>:$site);
  let results = (outs AnyType:$spawned, AnyType:$value);
  let assemblyFormat = "$site attr-dict `:` type($spawned) `,` type($value)";
}

def Chan_DestinationOp : Chan_PhaseOp<"destination"> {
  let summary = "where the parent wants the result that a result handler has";
  let description = [{
    The child's `chan.enq` has said it. In a lane kernel it is a vector, or the first lane's, if all are side by side.

    ```mlir
    %to = chan.destination : vector<8x!llvm.ptr>
    ```
  }];
  let results = (outs AnyType:$destination);
  let assemblyFormat = "attr-dict `:` type($destination)";
}

def Chan_ReduceResultOp : Chan_PhaseOp<"reduce_result"> {
  let summary = "a part of the join-free reduction of all results of a batch";
  let description = [{
    Only the kernel for the join-free reduction has it, the last of its stack's batch. With `mask`, in a lane kernel,
    the lanes of the mask have parts: `value` is a vector of them, or what each has.

    ```mlir
    chan.reduce_result %one mask %ends : i32, vector<8xi1>
    ```
  }];
  let arguments = (ins Chan_Integers:$value, Optional<Chan_Mask>:$mask);
  let assemblyFormat = "$value (`mask` $mask^)? attr-dict `:` type($value) (`,` type($mask)^)?";
  let hasVerifier = 0;
}

def Chan_ReduceSharedOp : Chan_PhaseOp<"reduce_shared"> {
  let summary = "a part of a shared reduction variable";
  let description = [{
    In a lane phase kernel: the parts of the lanes, a vector of them or what each has, are combined with the variable at
    `address`. Other workers may do so at the same time. All lanes have the same address, and no code reads the variable before all
    elements of the batch have returned.

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
  let summary = "whether all parents have evaluated the base cases among their children";
  let description = [{
    In a lane phase kernel: then each element of the batch spawns. The attribute `chan.base_case_arm` of a branch says
    which of its ways such elements do not take.

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
  let summary = "the activation goes on with an iteration of its loop";
  let description = [{
    In the two kernels that another is compacted into. The second of them finds `values` by `chan.iteration_deq`, with those of other
    activations. With `mask`, in a lane kernel, the lanes of the mask go on; a value is then a vector, or what all activations
    have the same of.

    ```mlir
    chan.iteration_enq %node, %depth : vector<8x!llvm.ptr>, i32 mask %more : vector<8xi1>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values, Optional<Chan_Mask>:$mask);
  let assemblyFormat = "($values^ `:` type($values))? (`mask` $mask^ `:` type($mask))? attr-dict";
}

def Chan_IterationDeqOp : Chan_PhaseOp<"iteration_deq"> {
  let summary = "what the activation goes on with";
  let description = [{
    The lanes are those of the mask of `chan.deq`; they may be of any elements of the batch.

    ```mlir
    %node, %depth = chan.iteration_deq : vector<8x!llvm.ptr>, i32
    ```
  }];
  let results = (outs Variadic<AnyType>:$values);
  let assemblyFormat = "(`:` type($values)^)? attr-dict";
}

def Chan_IterationOp : Chan_PhaseOp<"iteration"> {
  let summary = "an iteration of the loop of a kernel that is compacted";
  let description = [{
    With `mask`, in a lane kernel, the lanes of the mask are in it. From how many they are on average, the back end chooses between
    the kernel and the two that it is compacted into.

    ```mlir
    chan.iteration mask %present : vector<8xi1>
    ```
  }];
  let arguments = (ins Optional<Chan_Mask>:$mask);
  let assemblyFormat = "(`mask` $mask^ `:` type($mask))? attr-dict";
}

#endif // CILK2CHAN_DIALECT_CHAN_CHANBATCHOPS_TD
