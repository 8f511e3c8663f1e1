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
  let summary = "The channel-flow graph: channel stacks, and the kernels between them";
  let description = [{
    This dialect represents the graph of ISCA'14 sections 4 and 5. A module contains
    channel-stack nodes (`chan.stack`) and kernel nodes (`chan.kernel`). It also
    contains the functions and variables that the kernels use, as `llvm` symbols. A
    kernel consumes the elements of one stack. Its `produces` edges name the stacks
    into which it enqueues elements, with a level for each.

    Levels are relative: a kernel at level d allocates children at level d + 1, and
    its own continuation at level d + 0. A continuation runs when all deeper levels
    are empty. So its children have finished, and no counter is necessary.
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
    These operations are the nodes of the graph, and the actions of a kernel on
    elements, frames and results (ISCA'14 Table 1). [Why there is a chan
    dialect](ChanRationale.md) gives the reasons for them.
  }];
}

def Chan_BatchOps : OpDocGroup {
  let summary = "Operations of batches";
  let description = [{
    These operations occur only in kernels of a batch form. Such kernels treat many
    activations together, phase by phase. [Why batches have operations of their
    own](ChanBatchRationale.md) gives the reasons for them.
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

/// The active lanes of a kernel with lanes.
def Chan_Mask : VectorOfRankAndType<[1], [I1]>;

def Chan_Signature : TypeAttrBase<"::mlir::LLVM::LLVMFunctionType",
                                  "function type">;

def Chan_ElementType : TypeDef<Chan_Dialect, "Element"> {
  let mnemonic = "element";
  let summary = "an element of a channel stack";
  let description = [{
    A handle of one element. A kernel uses it to write an element, between
    `chan.talloc` and `chan.enq`, or to read an element, between `chan.deq` and
    `chan.tfree`. Elements may move in memory. So only the kernel that has the handle
    may use it, and no address within an element may be kept.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$stack);
  let assemblyFormat = "`<` $stack `>`";
}

def Chan_StackKind : I32EnumAttr<"StackKind", "kind of the elements of a stack", [
    I32EnumAttrCase<"Entry", 0, "entry">,
    I32EnumAttrCase<"Continuation", 1, "continuation">]> {
  let cppNamespace = "::cilk2chan::chan";
}

def Chan_Combination : I32EnumAttr<"Combination", "operation that combines results, in any order", [
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
