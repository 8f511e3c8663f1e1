//===- Cilk.td - The cilk dialect --------------------------*- tablegen -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_CILK_TD
#define CILK2CHAN_DIALECT_CILK_CILK_TD

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Cilk_Dialect : Dialect {
  let name = "cilk";
  let summary = "Fork-join as the C program writes it";
  let description = [{
    Spawns, syncs, parallel loops and calls of spawning functions, in the bodies
    of `llvm.func`s. A function that holds one of these is a *spawning function*;
    `cilk-to-chan` splits it into kernels.

    No SSA value flows from a child to its parent: a spawn has no results, and
    its child delivers through memory.
  }];
  let cppNamespace = "::cilk2chan::cilk";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

class Cilk_Op<string mnemonic, list<Trait> traits = []>
    : Op<Cilk_Dialect, mnemonic,
         !listconcat([HasParent<"::mlir::LLVM::LLVMFuncOp">], traits)>;

/// `!llvm.ptr` in the default address space; needs no spelling in assembly.
def Cilk_Pointer
    : Type<CPred<"::llvm::isa<::mlir::LLVM::LLVMPointerType>($_self)">, "pointer",
           "::mlir::LLVM::LLVMPointerType">,
      BuildableType<"::mlir::LLVM::LLVMPointerType::get($_builder.getContext())">;

def Cilk_Signature : TypeAttrBase<"::mlir::LLVM::LLVMFunctionType",
                                  "function type">;

def Cilk_SpawnOp : Cilk_Op<"spawn", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call a function in a child that may run in parallel";
  let description = [{
    Calls `callee` (or the function that `target` points to) with `args` in a
    child of this activation. The child's result is stored at `destination` by
    the next `cilk.sync`; with `apply`, by calling
    `apply(destination, address of the result)` in spawn order at that sync. Without a
    destination the result is dropped.

    `signature` and `arg_attrs` are those of the call after C's parameter
    lowering. Where the first parameter is `sret`, its operand is
    not used: the result goes through `apply`.

    ```mlir
    cilk.spawn @fib(%n) to %x : !llvm.func<i32 (i32)>, i32
    cilk.spawn %f(%n) to %sum apply @__cilk_apply.0 : !llvm.func<i32 (i32)>, i32
    ```
  }];
  let arguments = (ins OptionalAttr<FlatSymbolRefAttr>:$callee,
                       Optional<Cilk_Pointer>:$target,
                       Variadic<AnyType>:$args,
                       Optional<Cilk_Pointer>:$destination,
                       OptionalAttr<FlatSymbolRefAttr>:$apply,
                       Cilk_Signature:$signature,
                       OptionalAttr<DictArrayAttr>:$arg_attrs);
  let assemblyFormat = [{
    ($callee^)? ($target^)? `(` $args `)` (`to` $destination^)? (`apply` $apply^)?
    `:` $signature (`,` type($args)^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type behind an `sret` first parameter, or null.
    ::mlir::Type getStructResult();
    /// Whether the result goes to a place of the runtime's until the sync.
    bool isDeferred() { return getApplyAttr() || getStructResult(); }
  }];
}

def Cilk_SyncOp : Cilk_Op<"sync"> {
  let summary = "wait for the children of this activation";
  let description = [{
    Control passes when every child that this activation has spawned is done and its
    result is stored. Children of other activations are not waited for, though
    an implementation may.
  }];
  let assemblyFormat = "attr-dict";
}

def Cilk_SynchedOp : Cilk_Op<"synched", [Pure]> {
  let summary = "whether no child of this activation is known to be outstanding";
  let description = [{
    `flag` is 1 where control has come without a spawn since the last `cilk.sync`, or the
    activation's beginning. The result may be 1 elsewhere as well, where the
    implementation has called the children; it is the flag if nothing is known.

    ```mlir
    %s = cilk.synched %flag
    ```
  }];
  let arguments = (ins I32:$flag);
  let results = (outs I32:$result);
  let assemblyFormat = "$flag attr-dict";
}

def Cilk_CallOp : Cilk_Op<"call", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call a spawning function and wait for it";
  let description = [{
    A plain C call whose callee is known to be a spawning function of this
    module. It is a spawn and a wait for that child alone; the caller is split
    here, so that the call needs no stack.

    ```mlir
    %y = cilk.call @fib(%n) : !llvm.func<i32 (i32)>, i32 -> i32
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$args,
                       Cilk_Signature:$signature,
                       OptionalAttr<DictArrayAttr>:$arg_attrs);
  let results = (outs Optional<AnyType>:$result);
  let assemblyFormat = [{
    $callee `(` $args `)` `:` $signature (`,` type($args)^)? (`->` type($result)^)?
    attr-dict
  }];
  let hasVerifier = 1;
}

def Cilk_ForOp : Cilk_Op<"for", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run iterations in parallel and wait for them";
  let description = [{
    Runs the iterations from 0 to `count`, an unsigned number, and waits for them.
    `body(begin, end, captures...)` runs those from `begin` to `end` in order, and
    waits for what they spawn. The ranges that it is called with may run in
    parallel; none is longer than `grain`. Without a grain, or with one of 0 or
    less, the implementation chooses; none is shorter than `least` then, if that
    can be, and so few iterations are no more than a call.

    ```mlir
    cilk.for @__cilk_body.0(%a, %sum) times %n : i64, !llvm.ptr
    cilk.for @__cilk_body.1() times %n grain %g
    cilk.for @__cilk_body.2() times %n least 500
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$body, Variadic<AnyType>:$captures,
                       I64:$count, Optional<I64>:$grain,
                       OptionalAttr<I64Attr>:$least);
  let assemblyFormat = [{
    $body `(` $captures `)` `times` $count (`grain` $grain^)?
    (`least` $least^)?
    (`:` type($captures)^)? attr-dict
  }];
}

#endif // CILK2CHAN_DIALECT_CILK_CILK_TD
