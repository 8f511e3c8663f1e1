//===- ChanBase.td - The chan dialect and its types --------*- tablegen -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_CHANBASE_TD
#define CILK2CHAN_DIALECT_CHAN_CHANBASE_TD

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Chan_Dialect : Dialect {
  let name = "chan";
  let summary = "The channel-flow graph: channel stacks and the kernels between them";
  let description = [{
    ISCA'14 sections 4 and 5 as data. A module holds channel-stack nodes
    (`chan.stack`), kernel nodes (`chan.kernel`) and, as `llvm` symbols, whatever
    else the kernels call and touch. A kernel consumes one stack; its
    `produces` edges say into which stacks it enqueues and how much deeper.

    Levels are never computed: a kernel that runs at level d allocates at d + 1
    (a spawned child) or at d + 0 (its own continuation). A continuation may run
    once everything deeper than its level has been drained, which is what makes it follow its
    children without counting them.
  }];
  let cppNamespace = "::cilk2chan::chan";
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  // On operations of other dialects: cilk2chan/Support/Markers.h.
  let hasOperationAttrVerify = 1;
}

def Chan_GraphOps : OpDocGroup {
  let summary = "Operations of the graph";
  let description = [{
    The nodes of the graph, and what a kernel does to elements, frames and results (ISCA'14 Table 1).
    [Why there is a chan dialect](ChanRationale.md) has the reasons.
  }];
}

def Chan_BatchOps : OpDocGroup {
  let summary = "Operations of batches";
  let description = [{
    What the kernels of a batch form do besides: they treat many activations together, phase by phase.
    [Why batches have operations of their own](ChanBatchRationale.md) has the reasons.
  }];
}

/// A node of the graph.
class Chan_NodeOp<string mnemonic, list<Trait> traits>
    : Op<Chan_Dialect, mnemonic,
         !listconcat([HasParent<"::mlir::ModuleOp">], traits)> {
  let opDocGroup = Chan_GraphOps;
}

/// An op of a kernel's body.
class Chan_BodyOp<string mnemonic, list<Trait> traits = []>
    : Op<Chan_Dialect, mnemonic,
         !listconcat([HasParent<"KernelOp">], traits)> {
  let opDocGroup = Chan_GraphOps;
}

def Chan_Pointer
    : Type<CPred<"::llvm::isa<::mlir::LLVM::LLVMPointerType>($_self)">, "pointer",
           "::mlir::LLVM::LLVMPointerType">,
      BuildableType<"::mlir::LLVM::LLVMPointerType::get($_builder.getContext())">;

/// Which lanes of a lane kernel take part.
def Chan_Mask : VectorOfRankAndType<[1], [I1]>;

def Chan_Signature : TypeAttrBase<"::mlir::LLVM::LLVMFunctionType",
                                  "function type">;

def Chan_ElementType : TypeDef<Chan_Dialect, "Element"> {
  let mnemonic = "element";
  let summary = "an element of a channel stack";
  let description = [{
    A handle of one element while a kernel fills it (between `chan.talloc` and `chan.enq`) or
    reads it (between `chan.deq` and `chan.tfree`). Elements move in memory: only
    the handle's kernel may use it, and no address of an element outlives it.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$stack);
  let assemblyFormat = "`<` $stack `>`";
}

def Chan_StackKind : I32EnumAttr<"StackKind", "which side of a sync", [
    I32EnumAttrCase<"Entry", 0, "entry">,
    I32EnumAttrCase<"Continuation", 1, "continuation">]> {
  let cppNamespace = "::cilk2chan::chan";
}

def Chan_Combination : I32EnumAttr<"Combination", "what results are combined by, in any order", [
    I32EnumAttrCase<"Sum", 1, "sum">,
    I32EnumAttrCase<"Product", 2, "product">,
    I32EnumAttrCase<"And", 3, "and">,
    I32EnumAttrCase<"Or", 4, "or">,
    I32EnumAttrCase<"ExclusiveOr", 5, "xor">,
    I32EnumAttrCase<"SignedMaximum", 6, "smax">,
    I32EnumAttrCase<"SignedMinimum", 7, "smin">,
    I32EnumAttrCase<"UnsignedMaximum", 8, "umax">,
    I32EnumAttrCase<"UnsignedMinimum", 9, "umin">]> {
  let cppNamespace = "::cilk2chan::chan";
}

#endif // CILK2CHAN_DIALECT_CHAN_CHANBASE_TD
