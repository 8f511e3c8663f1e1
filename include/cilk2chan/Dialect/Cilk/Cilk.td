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
    This dialect represents spawns, syncs, parallel loops and calls of spawning
    functions. Its operations are in the bodies of `llvm.func` operations. A
    function that contains such an operation is a *spawning function*. The pass
    `cilk-to-chan` splits spawning functions into kernels.

    A spawn has no results, so no SSA value flows from a spawned child to its parent. The result
    of a child goes to memory. It is there when control passes the next sync.
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
    This operation calls a function with `args` in a child of this activation. The
    function is `callee`, or the function that `target` points to.

    The next `cilk.sync` stores the child's result:

    * With `destination`, the sync stores the result at this address.
    * With `destination` and `apply`, the sync calls
      `apply(destination, address of the result)`. It does so in the order of the
      spawns.
    * Without `destination`, the result is dropped.

    `signature` and `arg_attrs` are the type and the argument attributes of the
    call, after C's parameter lowering. If the first parameter is `sret`, its operand
    is not used. The result is then passed to `apply`.

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
    Control passes the sync only after all children of this activation have finished
    and all their results are in memory. The sync does not need to wait for children of
    other activations. An implementation may wait for them, too.
  }];
  let assemblyFormat = "attr-dict";
}

def Cilk_SynchedOp : Cilk_Op<"synched", [Pure]> {
  let summary = "whether all children of this activation are known to have finished";
  let description = [{
    `flag` is 1 if the activation has spawned no child since its beginning or since
    its last `cilk.sync`. If `flag` is 1, the result is 1. If `flag` is 0, the result
    is 0 or 1. If an implementation has executed the spawns as plain calls, the
    children have finished. Then the implementation may return 1.

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
    This operation is a plain C call of a spawning function of this module. It has
    the effect of a spawn and a wait for this child alone. The caller is split at the
    call. So the caller keeps nothing on the C stack during the call.

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
    This operation runs the iterations from 0 to `count - 1`, and waits for them.
    `count` is unsigned. `body(begin, end, captures...)` runs the iterations from
    `begin` to `end - 1` in order, and waits for the children that they spawn. The
    implementation divides the iterations into ranges, and calls `body` for each
    range. These calls may run in parallel.

    * A range has at most `grain` iterations.
    * Without `grain`, or if `grain` is not positive, the implementation chooses the
      length of ranges.
    * If there is no `grain`, `least` is the least length that the implementation may
      choose. If such a loop has at most `least` iterations, one call of `body` runs
      all of them.

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
