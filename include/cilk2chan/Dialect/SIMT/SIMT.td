//===- SIMT.td - The simt dialect --------------------------*- tablegen -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_SIMT_SIMT_TD
#define CILK2CHAN_DIALECT_SIMT_SIMT_TD

include "cilk2chan/Dialect/SIMT/SIMTEnums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def SIMT_Dialect : Dialect {
  let name = "simt";
  let summary = "Kernels as instructions of a SIMT core";
  let description = [{
    This dialect represents kernels for a SIMT core: a processor that executes each
    instruction for several threads at once. These threads are a *warp*, and the place of
    a thread in its warp is a *lane*. [SIMT](../SIMT.md) defines the instruction set.

    A value of this dialect is a register, with one word for each lane. There are three
    classes of registers:

    | class | bits of a lane | holds |
    |---|---|---|
    | `s` | 32 | i8, i16, i32, f32 |
    | `d` | 64 | i64, f64, addresses |
    | `c` | 1 | i1 |

    At first, values have a class and no register. `simt-regalloc` gives each value a
    register. The values stay in SSA form: each write of a register is a new value.

    Program order is the order of memory operations. So there are no tokens.
  }];
  let cppNamespace = "::cilk2chan::simt";
  let dependentDialects = ["::cilk2chan::vgiw::VGIWDialect"];
  let useDefaultTypePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def SIMT_RegisterType : TypeDef<SIMT_Dialect, "Register"> {
  let mnemonic = "reg";
  let summary = "a register of a class, or the class alone";
  let description = [{
    `!simt.reg<s, 3>` is the register s3. `!simt.reg<s>` is the type of a value that has
    no register: `simt-regalloc` has not run, or the value is an operand that needs none.
  }];
  let parameters = (ins EnumParameter<SIMT_RegisterClass>:$kind,
                        OptionalParameter<"std::optional<unsigned>">:$number);
  let assemblyFormat = "`<` $kind (`,` $number^)? `>`";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Those of vgiw, whose definitions are not for this dialect's files.
def SIMT_Bindings : TypedArrayAttrBase<
    Attr<CPred<"::llvm::isa<::cilk2chan::vgiw::BindingAttr>($_self)">>, "bindings">;
def SIMT_Launch : Attr<And<[StrAttr.predicate, CPred<
    "::cilk2chan::vgiw::symbolizeLaunch(::llvm::cast<::mlir::StringAttr>($_self).getValue())">]>,
    "elements, range or ranges"> {
  let storageType = "::mlir::StringAttr";
  let returnType = "::llvm::StringRef";
  let convertFromStorage = "$_self.getValue()";
}

class SIMT_Op<string mnemonic, list<Trait> traits = []>
    : Op<SIMT_Dialect, mnemonic, traits>;

class SIMT_BodyOp<string mnemonic, list<Trait> traits = []>
    : SIMT_Op<mnemonic, !listconcat([HasParent<"KernelOp">], traits)>;

def SIMT_KernelOp : SIMT_Op<"kernel", [Symbol, IsolatedFromAbove]> {
  let summary = "a kernel of instructions";
  let description = [{
    `parameters`, `consumes`, `launch` and `source` are those of
    [`vgiw.kernel`](VGIW.md#vgiwkernel-cilk2chanvgiwkernelop). A thread has `private`
    bytes of private memory. `registers` says how many registers of the classes s, d and c
    the kernel needs. It is there after `simt-regalloc`. From then on:

    * Each result of an instruction and each block argument has a register.
    * A branch passes to each block argument a value in the register of this argument.
    * A register still has a value where the value is used.

    With `groups of` N, N consecutive threads are a work-group, as in `vgiw.kernel`. A
    group has `memory` bytes of its own, and its threads wait for each other at
    `simt.bar`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       SIMT_Bindings:$parameters,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$private_bytes,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$group_size,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$group_bytes,
                       OptionalAttr<StrAttr>:$consumes,
                       SIMT_Launch:$launch,
                       OptionalAttr<StrAttr>:$source,
                       OptionalAttr<DenseI64ArrayAttr>:$registers);
  let regions = (region MinSizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name (`consumes` $consumes^)? `launch` $launch (`source` $source^)?
    `parameters` $parameters (`private` $private_bytes^)?
    (`groups` `of` $group_size^ (`memory` $group_bytes^)?)? (`registers` $registers^)?
    attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

//===--- operands that need no register -----------------------------------===//

class SIMT_OperandOp<string mnemonic>
    : SIMT_BodyOp<mnemonic, [Pure]> {
  let results = (outs SIMT_RegisterType:$result);
}

def SIMT_ConstantOp : SIMT_OperandOp<"constant"> {
  let summary = "a constant; the instruction that uses it says its type";
  let arguments = (ins I64Attr:$bits);
  let assemblyFormat = "$bits attr-dict `:` type($result)";
}

def SIMT_SymbolOp : SIMT_OperandOp<"symbol"> {
  let summary = "the address of a symbol of the program, plus an offset in bytes";
  let arguments = (ins StrAttr:$name, DefaultValuedAttr<I64Attr, "0">:$offset);
  let assemblyFormat = "$name (`+` $offset^)? attr-dict `:` type($result)";
}

def SIMT_ParameterOp : SIMT_OperandOp<"parameter"> {
  let summary = "a parameter of the kernel, or its low bits";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$index);
  let assemblyFormat = "$index attr-dict `:` type($result)";
}

def SIMT_IdOp : SIMT_OperandOp<"id"> {
  let summary = "what the thread stands for";
  let description = "What `vgiw.initiate` delivers.";
  let assemblyFormat = "attr-dict `:` type($result)";
}

def SIMT_LocalOp : SIMT_OperandOp<"local"> {
  let summary = "the address of the thread's private memory";
  let assemblyFormat = "attr-dict `:` type($result)";
}

//===--- instructions -----------------------------------------------------===//

def SIMT_InstOp : SIMT_BodyOp<"inst", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "an instruction";
  let description = [{
    `opcode` is the name of an operation in the machine's list
    (runtime/sim/src/machine/Operations.def). If the operation accesses memory, the address is the
    first operand plus `offset`. `syscall` and `heap_call` have the name of the called
    function. `uniform` says that all threads of a warp get the same result
    (`simt-uniformity`).

    ```mlir
    %a = simt.inst "load.i32"(%p) + 8 : (!simt.reg<d>) -> !simt.reg<s>
    simt.inst "syscall"(%r) calls "__vgiw_thunk.f.0" : (!simt.reg<d>) -> ()
    %c = simt.inst "slt.i32"(%a, %b) uniform : (!simt.reg<s>, !simt.reg<s>) -> !simt.reg<c>
    ```
  }];
  let arguments = (ins StrAttr:$opcode, Variadic<SIMT_RegisterType>:$operands,
                       DefaultValuedAttr<I64Attr, "0">:$offset,
                       OptionalAttr<StrAttr>:$callee, UnitAttr:$uniform);
  let results = (outs Optional<SIMT_RegisterType>:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::llvm::StringRef":$opcode,
                                 "::mlir::ValueRange":$operands,
                                 CArg<"int64_t", "0">:$offset), [{
    build($_builder, $_state, result ? ::mlir::TypeRange(result) : ::mlir::TypeRange(),
          $_builder.getStringAttr(opcode), operands, $_builder.getI64IntegerAttr(offset),
          nullptr, nullptr);
  }]>];
  let assemblyFormat = [{
    $opcode `(` $operands `)` (`+` $offset^)? (`calls` $callee^)? (`uniform` $uniform^)?
    attr-dict `:` functional-type($operands, $result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// What the machine's list says of it.
    const ::chansim::Operation &getDescription();
    /// Whether it accesses memory, or has the host do it.
    bool accessesMemory() {
      return getDescription().unit == ::chansim::UnitKind::loadStore;
    }
  }];
}

//===--- control ----------------------------------------------------------===//

class SIMT_Terminator<string mnemonic, list<Trait> traits = []>
    : SIMT_BodyOp<mnemonic, !listconcat([Terminator], traits)>;

def SIMT_BraOp : SIMT_Terminator<"bra", [
    DeclareOpInterfaceMethods<BranchOpInterface>]> {
  let summary = "continue at a block";
  let arguments = (ins Variadic<SIMT_RegisterType>:$destOperands);
  let successors = (successor AnySuccessor:$dest);
  let assemblyFormat = "$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict";
}

def SIMT_CondBraOp : SIMT_Terminator<"cond_bra", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<BranchOpInterface>]> {
  let summary = "continue at one of two blocks";
  let description = [{
    `uniform` says that all threads of a warp go to the same block. `reconverge` is the
    position of the block at which the threads wait for each other if they do not
    (`simt-reconverge`). If that block reads registers of other lanes, they `wait` there
    however long it takes.
  }];
  let arguments = (ins SIMT_RegisterType:$condition,
                       Variadic<SIMT_RegisterType>:$trueOperands,
                       Variadic<SIMT_RegisterType>:$falseOperands,
                       UnitAttr:$uniform,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$reconverge,
                       UnitAttr:$wait);
  let successors = (successor AnySuccessor:$trueDest, AnySuccessor:$falseDest);
  let assemblyFormat = [{
    $condition `:` type($condition) `,` $trueDest
    (`(` $trueOperands^ `:` type($trueOperands) `)`)? `,`
    $falseDest (`(` $falseOperands^ `:` type($falseOperands) `)`)?
    (`uniform` $uniform^)? (`reconverge` $reconverge^)? (`wait` $wait^)? attr-dict
  }];
  let hasVerifier = 1;
}

def SIMT_ExitOp : SIMT_Terminator<"exit"> {
  let summary = "end this thread";
  let description = [{
    `unreachable` says that the program never comes here, as behind a call of `abort`. Such
    an end is not a place to which other threads go on from a branch.
  }];
  let arguments = (ins UnitAttr:$unreachable);
  let assemblyFormat = "(`unreachable` $unreachable^)? attr-dict";
}

def SIMT_YieldOp : SIMT_Terminator<"yield", [
    DeclareOpInterfaceMethods<BranchOpInterface>]> {
  let summary = "stop this thread; later the aggregator resumes the thread at a block";
  let arguments = (ins Variadic<SIMT_RegisterType>:$destOperands);
  let successors = (successor AnySuccessor:$dest);
  let assemblyFormat = "$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict";
}

def SIMT_BarOp : SIMT_Terminator<"bar", [
    DeclareOpInterfaceMethods<BranchOpInterface>]> {
  let summary = "wait for the threads of the work-group; then continue at a block";
  let description = [{
    A thread waits until all threads of its group are at a `simt.bar`, at this one or at
    another.
  }];
  let arguments = (ins Variadic<SIMT_RegisterType>:$destOperands);
  let successors = (successor AnySuccessor:$dest);
  let assemblyFormat = "$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict";
}

#endif // CILK2CHAN_DIALECT_SIMT_SIMT_TD
