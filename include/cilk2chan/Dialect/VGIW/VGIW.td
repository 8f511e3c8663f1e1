//===- VGIW.td - The vgiw dialect --------------------------*- tablegen -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_VGIW_VGIW_TD
#define CILK2CHAN_DIALECT_VGIW_VGIW_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def VGIW_Dialect : Dialect {
  let name = "vgiw";
  let summary = "Vector graph instruction words: basic blocks as dataflow graphs";
  let description = [{
    This dialect represents kernels for the VGIW machine (MICRO'15 sections 2 and 3).
    The machine runs a `vgiw.kernel` for many threads at once. Each block of the
    kernel is a *graph instruction word*: a dataflow graph of nodes. Each node runs
    on one unit of the fabric. A *token* is a value of one thread on an edge of the
    graph. If operands follow the keyword `after`, the node waits for their tokens
    and ignores their values.

    The position of a block in the kernel is its ID, and also its place in the
    schedule. The entry is block 0. A branch to the same block or to an earlier block
    makes a loop.

    A kernel goes through the stages of the attribute `stage`. Each stage has more
    guarantees than the stage before. The verifier checks the guarantees of the
    kernel's stage.
  }];
  let cppNamespace = "::cilk2chan::vgiw";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// On each node of a placed kernel: its places, one a replica.
    static constexpr ::llvm::StringLiteral PlacesAttribute = "vgiw.places";
    /// On each terminator of a placed kernel: the settings of the switches.
    static constexpr ::llvm::StringLiteral SwitchesAttribute = "vgiw.switches";
    /// On a terminator: register accesses of a von Neumann machine that a thread
    /// in the block stands for.
    static constexpr ::llvm::StringLiteral RegistersAttribute =
        "vgiw.registers";
    /// On an exit to which the program never comes.
    static constexpr ::llvm::StringLiteral UnreachableAttribute =
        "vgiw.unreachable";
  }];
}

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

def VGIW_TokenType : TypeDef<VGIW_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "a control token";
  let description = [{
    A control token has no value. It says that an operation of the thread has finished.
  }];
}

/// What a token carries: at most 64 bits. Addresses are i64.
def VGIW_Word : AnyTypeOf<[I1, I8, I16, I32, I64, F32, F64]>;
def VGIW_AnyToken : AnyTypeOf<[VGIW_Word, VGIW_TokenType]>;

def VGIW_Stage : I32EnumAttr<"Stage", "stage of a kernel", [
    I32EnumAttrCase<"Graph", 0, "graph">,
    I32EnumAttrCase<"Live", 1, "live">,
    I32EnumAttrCase<"Fitted", 2, "fitted">,
    I32EnumAttrCase<"Placed", 3, "placed">]> {
  let cppNamespace = "::cilk2chan::vgiw";
}

/// "add" in the assembly, `Add` in C++.
class VGIW_Case<string name, int value>
    : I32EnumAttrCase<!strconcat(!toupper(!substr(name, 0, 1)), !substr(name, 1)),
                      value, name>;

/// Those of compute and special units in runtime/sim/src/machine/Operations.def, from which CMake
/// makes the list VGIW_Opcodes.
include "cilk2chan/Dialect/VGIW/Opcodes.td"
def VGIW_Opcode : I32EnumAttr<"Opcode", "an operation of a compute unit", VGIW_Opcodes> {
  let cppNamespace = "::cilk2chan::vgiw";
}

def VGIW_AtomicKind : I32EnumAttr<"AtomicKind", "a read-modify-write", [
    VGIW_Case<"xchg", 0>, VGIW_Case<"add", 1>, VGIW_Case<"sub", 2>,
    VGIW_Case<"and", 3>, VGIW_Case<"or", 4>, VGIW_Case<"xor", 5>,
    VGIW_Case<"smin", 6>, VGIW_Case<"smax", 7>, VGIW_Case<"umin", 8>,
    VGIW_Case<"umax", 9>, VGIW_Case<"fadd", 10>]> {
  let cppNamespace = "::cilk2chan::vgiw";
}

def VGIW_BindingKind : I32EnumAttr<"BindingKind", "kind of value of a parameter", [
    I32EnumAttrCase<"Argument", 0, "argument">,
    I32EnumAttrCase<"Field", 1, "field">,
    I32EnumAttrCase<"Column", 2, "column">,
    I32EnumAttrCase<"Control", 3, "control">,
    I32EnumAttrCase<"Frames", 4, "frames">,
    I32EnumAttrCase<"Level", 5, "level">,
    I32EnumAttrCase<"Private", 6, "private">,
    I32EnumAttrCase<"Capture", 7, "capture">,
    I32EnumAttrCase<"Group", 8, "group">,
    I32EnumAttrCase<"Computed", 9, "computed">,
    I32EnumAttrCase<"Batch", 10, "batch">]> {
  let cppNamespace = "::cilk2chan::vgiw";
}

def VGIW_Launch : I32EnumAttr<"Launch", "what the threads of a kernel stand for", [
    I32EnumAttrCase<"Elements", 0, "elements">,
    I32EnumAttrCase<"Range", 1, "range">,
    I32EnumAttrCase<"Ranges", 2, "ranges">]> {
  let cppNamespace = "::cilk2chan::vgiw";
}

def VGIW_BindingAttr : AttrDef<VGIW_Dialect, "Binding"> {
  let mnemonic = "binding";
  let summary = "the value that the dispatcher gives to a kernel parameter";
  let description = [{
    A parameter is a 64-bit word. It has the same value in all threads of a *tile*: the
    threads that a core runs together. If the kernel consumes a channel stack, the
    machine takes a *batch* of elements from a channel and divides the batch into
    tiles. Otherwise a *launch* by hand starts the kernel, with words as arguments.

    | binding | value |
    |---|---|
    | `argument n` | word n of the launch of the kernel |
    | `field n` | address of field n in thread 0's element of the consumed batch |
    | `batch n` | of kernels whose channels are arrays in memory (chan/device.h): 0 the control array that the tile's threads consume from, 1 the position of thread 0's offset in it, 2 one less than its length, 3 the channel, 4 where a thread that yields stores the channel that it waits for |
    | `capture n` | field n of the element whose iterations the tile executes |
    | `column n of "stack" + level` | address of field n in element 0 of a channel |
    | `control of "stack" + level` | address of a channel's control words |
    | `frames n` | address of the head of the free list of frames of n bytes |
    | `level` | handle of the tile's level, for calls of the runtime |
    | `private` | address of thread 0's private memory |
    | `group` | address of the memory of thread 0's work-group |
    | `computed by "operation" [operands]` | result of an operation of a compute unit |

    The operands of a computed parameter are constants and the numbers of earlier
    parameters, which have the type `index`:

    ```mlir
    // Parameter 1 is 4 times parameter 0.
    [#vgiw.binding<capture, 5>, #vgiw.binding<computed by "mul.i64" [0 : index, 4 : i64]>]
    ```

    The channel of `column` and `control` is one into which the kernel enqueues
    elements. A channel stack has one channel for each *level*, the depth in the tree of
    spawns. The number `level` in these two bindings is relative to the level of the
    consumed batch.
  }];
  let parameters = (ins EnumParameter<VGIW_BindingKind>:$kind,
                        DefaultValuedParameter<"uint64_t", "0">:$number,
                        OptionalParameter<"::mlir::StringAttr">:$stack,
                        DefaultValuedParameter<"uint64_t", "0">:$level,
                        OptionalParameter<"::mlir::StringAttr">:$operation,
                        OptionalParameter<"::mlir::ArrayAttr">:$operands);
  let builders = [AttrBuilder<(ins "BindingKind":$kind, "uint64_t":$number,
                                   CArg<"::mlir::StringAttr", "{}">:$stack,
                                   CArg<"uint64_t", "0">:$level), [{
    return $_get($_ctxt, kind, number, stack, level, ::mlir::StringAttr(), ::mlir::ArrayAttr());
  }]>];
  let assemblyFormat = [{
    `<` $kind (`,` $number^)? (`of` $stack^ (`+` $level^)?)?
    (`by` $operation^ $operands)? `>`
  }];
}

def VGIW_PlaceAttr : AttrDef<VGIW_Dialect, "Place"> {
  let mnemonic = "place";
  let summary = "the unit of a node in one replica, and the ports of its tokens";
  let description = [{
    A *replica* is one copy of a block's graph on the fabric. The unit of the node is in
    column `x` and row `y`. `in` lists the port of each operand that
    arrives as a token, in the order of the operands. `out` lists the ports by which
    the result leaves. Ports are N, NE, E, SE, S, SW, W and NW
    (docs/Configuration.md).
  }];
  let parameters = (ins "uint32_t":$x, "uint32_t":$y,
                        OptionalArrayRefParameter<"::mlir::StringAttr">:$in,
                        OptionalArrayRefParameter<"::mlir::StringAttr">:$out);
  let assemblyFormat = "`<` $x `,` $y (`in` `[` $in^ `]`)? (`out` `[` $out^ `]`)? `>`";
}

def VGIW_SwitchAttr : AttrDef<VGIW_Dialect, "Switch"> {
  let mnemonic = "switch";
  let summary = "setting of a switch: the i-th port in `from` leads to the i-th port in `to`";
  let parameters = (ins "uint32_t":$x, "uint32_t":$y,
                        ArrayRefParameter<"::mlir::StringAttr">:$from,
                        ArrayRefParameter<"::mlir::StringAttr">:$to);
  let assemblyFormat = "`<` $x `,` $y `from` `[` $from `]` `to` `[` $to `]` `>`";
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

def VGIW_NodeInterface : OpInterface<"NodeOpInterface"> {
  let description = [{
    An operation that runs on a unit of the fabric. The machine's list of operations
    (runtime/sim/src/machine/Operations.def) must contain it, and names the kind of unit.
  }];
  let cppNamespace = "::cilk2chan::vgiw";
  let methods = [
    InterfaceMethod<[{
      The operation's name in a configuration (docs/Configuration.md).
    }], "std::string", "getMachineOperation">,
  ];
  let extraSharedClassDeclaration = [{
    /// What the machine's list says of it.
    const ::chansim::Operation &getDescription() {
      return *::chansim::findOperation($_op.getMachineOperation());
    }
    ::chansim::UnitKind getUnit() { return this->getDescription().unit; }
  }];
  let verify = "return ::cilk2chan::vgiw::verifyMachineOperation($_op);";
}

def VGIW_OrderedInterface : OpInterface<"OrderedOpInterface"> {
  let description = "A node that may wait for tokens, whose values it ignores.";
  let cppNamespace = "::cilk2chan::vgiw";
  let methods = [
    InterfaceMethod<"The tokens that it waits for.", "::mlir::MutableOperandRange",
                    "getAfterMutable">,
  ];
}

def VGIW_AddressedInterface : OpInterface<"AddressedOpInterface"> {
  let description = [{
    A node whose unit computes its address: `address + index * scale + offset`. The
    scale and the offset are part of the configuration. An index of 32 bits is
    sign-extended, or zero-extended if the index is followed by `zext`. Without an
    index the scale is 1.

    A machine may have less: see `fabric.address_modes` in
    [Simulator](../Simulator.md#machine-files).
  }];
  let cppNamespace = "::cilk2chan::vgiw";
  let methods = [
    InterfaceMethod<"The base.", "::mlir::OpOperand &", "getAddressMutable">,
    InterfaceMethod<"None or one.", "::mlir::MutableOperandRange", "getIndexMutable">,
    InterfaceMethod<"A power of two.", "uint64_t", "getScale">,
    InterfaceMethod<"", "void", "setScale", (ins "uint64_t":$scale)>,
    InterfaceMethod<"In bytes.", "uint64_t", "getOffset">,
    InterfaceMethod<"", "void", "setOffset", (ins "uint64_t":$offset)>,
    InterfaceMethod<"Whether an index of 32 bits is not signed.", "bool", "getZeroExtended">,
    InterfaceMethod<"", "void", "setZeroExtended", (ins "bool":$zero)>,
  ];
  let verify = "return ::cilk2chan::vgiw::verifyAddress($_op);";
}

class VGIW_Op<string mnemonic, list<Trait> traits = []>
    : Op<VGIW_Dialect, mnemonic, traits>;

class VGIW_BodyOp<string mnemonic, list<Trait> traits = []>
    : VGIW_Op<mnemonic, !listconcat([HasParent<"KernelOp">], traits)>;

/// A node: it fires when each of its operands that is not configured has come.
class VGIW_Node<string mnemonic, list<Trait> traits = []>
    : VGIW_BodyOp<mnemonic, !listconcat([
          DeclareOpInterfaceMethods<VGIW_NodeInterface>], traits)>;

def VGIW_KernelOp : VGIW_Op<"kernel", [Symbol, IsolatedFromAbove]> {
  let summary = "a kernel whose blocks are graph instruction words";
  let description = [{
    `parameters` gives the binding of each `vgiw.parameter`. `live_values` is the
    number of live value IDs. `private_bytes` is the private memory of each thread.

    | stage | guarantees |
    |---|---|
    | `graph` | SSA values may cross blocks; block arguments are phis |
    | `live` | only live values cross blocks; each is stored on every path before it is loaded |
    | `fitted` | each node except `initiate` has one to three tokens; a path leads from each node to the terminator |
    | `placed` | each node has its places, and each edge its switch settings |

    **Launches.** `launch` says what the threads of a tile stand for, and what
    `vgiw.initiate` delivers to a thread:

    | launch | a thread stands for | `vgiw.initiate` delivers |
    |---|---|---|
    | `elements` | an element of the consumed stack | the thread's ID |
    | `range` | an iteration of one range | the number of the iteration |
    | `ranges` | an iteration of one of several ranges | the number of the range in the tile, times 2^32, plus the thread's ID |

    A stack whose elements are ranges of iterations has two kernels, with the launches
    `range` and `ranges`. On a machine that does not hold the second, there is none, and
    each range has tiles of its own. In a tile of the first kind, captured variables are
    parameters. A tile of the second kind treats short ranges together. Its threads load
    captured variables from the element of their range. The machine replaces the first
    iteration in each of these elements: with this number, plus the thread's ID, a thread
    gets its iteration.

    **Work-groups.** With `groups of` N, N consecutive threads are a work-group. N is a
    power of two up to 64, so a group lies in one word of the control vector table. A
    group has `memory` bytes of its own. The machine binds the parameter `group` so that
    the kernel adds these bytes times d / N, where d is what `vgiw.initiate` delivers
    (for launch `ranges`, the thread's ID). The terminator `vgiw.barrier` makes the
    threads of a group wait for each other.

    `vgiw.live_store` and `vgiw.live_load` pass live values. Tokens are all operands
    except constants, symbols and parameters, which are part of the configuration.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, VGIW_Stage:$stage,
                       TypedArrayAttrBase<VGIW_BindingAttr, "bindings">:$parameters,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$live_values,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$private_bytes,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$group_size,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$group_bytes,
                       OptionalAttr<StrAttr>:$consumes,
                       DefaultValuedAttr<VGIW_Launch, "::cilk2chan::vgiw::Launch::Elements">:$launch,
                       OptionalAttr<StrAttr>:$source);
  let regions = (region MinSizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name $stage (`consumes` $consumes^)? (`launch` $launch^)? (`source` $source^)?
    `parameters` $parameters (`live_values` $live_values^)?
    (`private` $private_bytes^)? (`groups` `of` $group_size^ (`memory` $group_bytes^)?)?
    attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

//===--- configured operands ----------------------------------------------===//

def VGIW_ConstantOp : VGIW_BodyOp<"constant", [
    Pure, ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant of the configuration";
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs VGIW_Word:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}

def VGIW_SymbolOp : VGIW_BodyOp<"symbol", [Pure]> {
  let summary = "the address of a symbol of the program, plus an offset in bytes";
  let arguments = (ins StrAttr:$name, DefaultValuedAttr<I64Attr, "0">:$offset);
  let results = (outs I64:$result);
  let assemblyFormat = "$name (`+` $offset^)? attr-dict";
}

def VGIW_ParameterOp : VGIW_BodyOp<"parameter", [Pure]> {
  let summary = "a parameter of the kernel, plus an offset";
  let description = [{
    If the result has less than 64 bits, it is the low bits of the parameter, and the
    offset is 0.

    ```mlir
    %array = vgiw.parameter 0 + 8 : i64
    %factor = vgiw.parameter 1 : f32
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$index,
                       DefaultValuedAttr<I64Attr, "0">:$offset);
  let results = (outs VGIW_Word:$result);
  let assemblyFormat = "$index (`+` $offset^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===--- compute ----------------------------------------------------------===//

def VGIW_ComputeOp : VGIW_Node<"compute", [Pure]> {
  let summary = "an operation of an FPU-ALU or a special compute unit";
  let arguments = (ins VGIW_Opcode:$opcode, Variadic<VGIW_Word>:$operands);
  let results = (outs VGIW_Word:$result);
  let assemblyFormat = [{
    $opcode $operands attr-dict `:` functional-type($operands, $result)
  }];
  let hasVerifier = 1;
}

//===--- memory -----------------------------------------------------------===//

/// `after`: what must be done before (loads their value, stores their token).
class VGIW_MemoryNode<string mnemonic, list<Trait> traits = []>
    : VGIW_Node<mnemonic, !listconcat([VGIW_OrderedInterface], traits)>;

/// Its operands begin with those of the address.
class VGIW_AddressedNode<string mnemonic, list<Trait> traits = []>
    : VGIW_MemoryNode<mnemonic, !listconcat([
          AttrSizedOperandSegments, VGIW_AddressedInterface], traits)> {
  dag address = (ins I64:$address, Optional<AnyTypeOf<[I32, I64]>>:$index,
                     DefaultValuedAttr<I64Attr, "1">:$scale,
                     DefaultValuedAttr<I64Attr, "0">:$offset,
                     UnitAttr:$zero_extended);
}

def VGIW_LoadOp : VGIW_AddressedNode<"load"> {
  let summary = "load a word";
  let description = [{
    ```mlir
    %a = vgiw.load %p -> f32
    %b = vgiw.load %p + 8 -> f32
    %c = vgiw.load %p[%i : i32 * 4] + 8 -> f32   // the index is sign-extended
    %d = vgiw.load %p[%i : i32 zext * 4] -> f32
    ```
  }];
  let arguments = !con(address, (ins Variadic<VGIW_AnyToken>:$after));
  let results = (outs VGIW_Word:$value);
  let builders = [OpBuilder<(ins "::mlir::Type":$value, "::mlir::Value":$address,
                                 "::mlir::ValueRange":$after), [{
    build($_builder, $_state, value, address, ::mlir::Value(), 1, 0, false, after);
  }]>];
  let assemblyFormat = [{
    custom<Address>($address, $index, type($index), $scale, $offset, $zero_extended)
    (`after` $after^ `:` type($after))? attr-dict `->` type($value)
  }];
}

def VGIW_StoreOp : VGIW_AddressedNode<"store"> {
  let summary = "store a word; the token says that the store has finished";
  let description = "Its address is that of [`vgiw.load`](#vgiwload-cilk2chanvgiwloadop).";
  let arguments = !con(address, (ins VGIW_Word:$value, Variadic<VGIW_AnyToken>:$after));
  let results = (outs VGIW_TokenType:$done);
  let builders = [OpBuilder<(ins "::mlir::Value":$address, "::mlir::Value":$value,
                                 "::mlir::ValueRange":$after), [{
    build($_builder, $_state, TokenType::get($_builder.getContext()), address,
          ::mlir::Value(), 1, 0, false, value, after);
  }]>];
  let assemblyFormat = [{
    $value `to`
    custom<Address>($address, $index, type($index), $scale, $offset, $zero_extended)
    (`after` $after^ `:` type($after))? attr-dict `:` type($value)
  }];
}

// AllTypesMatch would count operands as if there were an index.
def VGIW_AtomicOp : VGIW_AddressedNode<"atomic", [
    InferTypeOpAdaptor]> {
  let summary = "read, modify and write a word at L2; gives the old value";
  let description = "Its address is that of [`vgiw.load`](#vgiwload-cilk2chanvgiwloadop).";
  let arguments = !con((ins VGIW_AtomicKind:$kind), address,
                       (ins VGIW_Word:$value, Variadic<VGIW_AnyToken>:$after));
  let results = (outs VGIW_Word:$old);
  let builders = [OpBuilder<(ins "AtomicKind":$kind, "::mlir::Value":$address,
                                 "::mlir::Value":$value, "::mlir::ValueRange":$after), [{
    build($_builder, $_state, value.getType(), kind, address, ::mlir::Value(), 1, 0,
          false, value, after);
  }]>];
  let assemblyFormat = [{
    $kind $value `to`
    custom<Address>($address, $index, type($index), $scale, $offset, $zero_extended)
    (`after` $after^ `:` type($after))? attr-dict `:` type($value)
  }];
}

def VGIW_CasOp : VGIW_MemoryNode<"cas", [
    AllTypesMatch<["expected", "desired", "old"]>]> {
  let summary = "compare and swap at L2; gives the old value";
  let arguments = (ins I64:$address, VGIW_Word:$expected,
                       VGIW_Word:$desired, Variadic<VGIW_AnyToken>:$after);
  let results = (outs VGIW_Word:$old);
  let assemblyFormat = [{
    $expected `,` $desired `at` $address (`after` $after^ `:` type($after))? attr-dict
    `:` type($expected)
  }];
}

def VGIW_ReserveOp : VGIW_MemoryNode<"reserve"> {
  let summary = "take a place in a channel at L2";
  let description = [{
    `control` is the address of two 64-bit words: the channel's tail and the
    channel's width. If the tail is less than the width, the result is the tail, and
    the tail in memory is incremented. Otherwise the channel is full, and the result
    is -1.
  }];
  let arguments = (ins I64:$control, Variadic<VGIW_AnyToken>:$after);
  let results = (outs I64:$place);
  let assemblyFormat = [{
    $control (`after` $after^ `:` type($after))? attr-dict
  }];
}

def VGIW_PopOp : VGIW_MemoryNode<"pop"> {
  let summary = "remove the first item of a free list at L2; null if the list is empty";
  let arguments = (ins I64:$list, Variadic<VGIW_AnyToken>:$after);
  let results = (outs I64:$item);
  let assemblyFormat = [{
    $list (`after` $after^ `:` type($after))? attr-dict
  }];
}

def VGIW_PushOp : VGIW_MemoryNode<"push"> {
  let summary = "insert an item at the front of a free list at L2";
  let arguments = (ins I64:$list, I64:$item,
                       Variadic<VGIW_AnyToken>:$after);
  let results = (outs VGIW_TokenType:$done);
  let assemblyFormat = [{
    $item `on` $list (`after` $after^ `:` type($after))? attr-dict
  }];
}

def VGIW_HeapCallOp : VGIW_MemoryNode<"heap_call"> {
  let summary = "call an allocation function of the program";
  let description = [{
    As `vgiw.syscall`, for a `thunk` that only allocates memory or frees it. The machine
    needs no host for that.
  }];
  let arguments = (ins StrAttr:$thunk, I64:$record,
                       Variadic<VGIW_AnyToken>:$after);
  let results = (outs VGIW_TokenType:$done);
  let assemblyFormat = [{
    $thunk `(` $record `)` (`after` $after^ `:` type($after))? attr-dict
  }];
}

def VGIW_SyscallOp : VGIW_MemoryNode<"syscall"> {
  let summary = "call a function of the program on the host";
  let description = [{
    The host calls `thunk`, a function `void (void *record)` of the program. `record`
    is the address of a record that contains the arguments and receives the result.
  }];
  let arguments = (ins StrAttr:$thunk, I64:$record,
                       Variadic<VGIW_AnyToken>:$after);
  let results = (outs VGIW_TokenType:$done);
  let assemblyFormat = [{
    $thunk `(` $record `)` (`after` $after^ `:` type($after))? attr-dict
  }];
}

//===--- live values ------------------------------------------------------===//

def VGIW_LiveLoadOp : VGIW_Node<"live_load"> {
  let summary = "load a live value that an earlier block of this thread has stored";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$id,
                       Optional<VGIW_AnyToken>:$thread);
  let results = (outs VGIW_Word:$value);
  let assemblyFormat = "$id (`of` $thread^ `:` type($thread))? attr-dict `->` type($value)";
}

def VGIW_LiveStoreOp : VGIW_Node<"live_store", [VGIW_OrderedInterface]> {
  let summary = "store a live value for a later block of this thread";
  let arguments = (ins VGIW_Word:$value,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$id,
                       Variadic<VGIW_AnyToken>:$after);
  let results = (outs VGIW_TokenType:$done);
  let assemblyFormat = [{
    $value `to` $id (`after` $after^ `:` type($after))? attr-dict `:` type($value)
  }];
}

//===--- control ----------------------------------------------------------===//

def VGIW_InitiateOp : VGIW_Node<"initiate"> {
  let summary = "what the thread stands for";
  let description = [{
    The thread's ID, or a number that depends on the kernel's `launch`. IDs begin with 0
    in each tile.
  }];
  let results = (outs I64:$thread);
  let assemblyFormat = "attr-dict";
}

def VGIW_SplitOp : VGIW_Node<"split", [Pure, AllTypesMatch<["value", "copy"]>]> {
  let summary = "copy a token to more nodes than its source can reach";
  let arguments = (ins VGIW_AnyToken:$value);
  let results = (outs VGIW_AnyToken:$copy);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def VGIW_JoinOp : VGIW_Node<"join", [
    Pure, VGIW_OrderedInterface, AllTypesMatch<["value", "passed"]>]> {
  let summary = "pass a token on when the other tokens have come";
  let arguments = (ins VGIW_AnyToken:$value, Variadic<VGIW_AnyToken>:$after);
  let results = (outs VGIW_AnyToken:$passed);
  let assemblyFormat = [{
    $value (`after` $after^ `:` type($after))? attr-dict `:` type($value)
  }];
}

//===--- graphs with branches ---------------------------------------------===//

def VGIW_SteerOp : VGIW_Node<"steer", [Pure, AllTypesMatch<["value", "passed"]>]> {
  let summary = "pass a token on if a condition holds, and drop it if not";
  let description = [{
    Only machines of kind `sgmf` have steers. With `unless`, the token passes if the
    condition is false.

    ```mlir
    %a = vgiw.steer %x if %c : i32
    %b = vgiw.steer %x unless %c : i32
    ```
  }];
  let arguments = (ins VGIW_AnyToken:$value, I1:$condition, UnitAttr:$unless);
  let results = (outs VGIW_AnyToken:$passed);
  let assemblyFormat = [{
    $value custom<Sense>($unless) $condition attr-dict `:` type($value)
  }];
}

def VGIW_MergeOp : VGIW_Node<"merge", [Pure]> {
  let summary = "pass on each token that comes, from one of several sources";
  let description = [{
    Only machines of kind `sgmf` have merges. In an iteration, a thread sends one of the
    tokens. A `vgiw.back` can add a source that stands after the merge.
  }];
  let arguments = (ins Variadic<VGIW_AnyToken>:$values);
  let results = (outs VGIW_AnyToken:$merged);
  let assemblyFormat = "$values attr-dict `:` type($values) `->` type($merged)";
  let hasVerifier = 1;
}

def VGIW_BackOp : VGIW_BodyOp<"back", [AllTypesMatch<["value", "merge"]>]> {
  let summary = "an edge to a merge that stands before the token's source";
  let description = [{
    This is no node. It is the edge by which the values of an iteration go to the next
    iteration of a loop.

    ```mlir
    %i = vgiw.merge %first : i64 -> i64
    %next = vgiw.compute add %i, %one : (i64, i64) -> i64
    vgiw.back %next to %i : i64
    ```
  }];
  let arguments = (ins VGIW_AnyToken:$value, VGIW_AnyToken:$merge);
  let assemblyFormat = "$value `to` $merge attr-dict `:` type($value)";
  let hasVerifier = 1;
}

class VGIW_Terminator<string mnemonic, list<Trait> traits = []>
    : VGIW_Node<mnemonic, !listconcat([Terminator, VGIW_OrderedInterface], traits)>;

def VGIW_BranchOp : VGIW_Terminator<"branch", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<BranchOpInterface>]> {
  let summary = "continue at a block";
  let arguments = (ins Variadic<AnyType>:$destOperands, Variadic<VGIW_AnyToken>:$after);
  let successors = (successor AnySuccessor:$dest);
  let assemblyFormat = [{
    $dest (`(` $destOperands^ `:` type($destOperands) `)`)?
    (`after` $after^ `:` type($after))? attr-dict
  }];
}

def VGIW_CondBranchOp : VGIW_Terminator<"cond_branch", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<BranchOpInterface>]> {
  let summary = "continue at one of two blocks";
  let arguments = (ins I1:$condition, Variadic<AnyType>:$trueOperands,
                       Variadic<AnyType>:$falseOperands,
                       Variadic<VGIW_AnyToken>:$after);
  let successors = (successor AnySuccessor:$trueDest, AnySuccessor:$falseDest);
  let assemblyFormat = [{
    $condition `,` $trueDest (`(` $trueOperands^ `:` type($trueOperands) `)`)? `,`
    $falseDest (`(` $falseOperands^ `:` type($falseOperands) `)`)?
    (`after` $after^ `:` type($after))? attr-dict
  }];
}

def VGIW_ExitOp : VGIW_Terminator<"exit"> {
  let summary = "end this thread; it has finished the kernel";
  let arguments = (ins Variadic<VGIW_AnyToken>:$after);
  let assemblyFormat = "(`after` $after^ `:` type($after))? attr-dict";
}

def VGIW_YieldOp : VGIW_Terminator<"yield", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<BranchOpInterface>]> {
  let summary = "stop this thread; later the aggregator resumes the thread at a block";
  let description = [{
    A thread yields if it finds a channel full (ISCA'14 section 6). The *aggregator*
    is the part of the machine that dispatches batches.
  }];
  let arguments = (ins Variadic<AnyType>:$destOperands, Variadic<VGIW_AnyToken>:$after);
  let successors = (successor AnySuccessor:$dest);
  let assemblyFormat = [{
    $dest (`(` $destOperands^ `:` type($destOperands) `)`)?
    (`after` $after^ `:` type($after))? attr-dict
  }];
}

def VGIW_BarrierOp : VGIW_Terminator<"barrier", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<BranchOpInterface>]> {
  let summary = "wait for the threads of the work-group; then continue at a block";
  let description = [{
    A thread waits until all threads of its group are at a barrier, at this one or at
    another. Then each of them continues at the block that its own barrier names.
  }];
  let arguments = (ins Variadic<AnyType>:$destOperands, Variadic<VGIW_AnyToken>:$after);
  let successors = (successor AnySuccessor:$dest);
  let assemblyFormat = [{
    $dest (`(` $destOperands^ `:` type($destOperands) `)`)?
    (`after` $after^ `:` type($after))? attr-dict
  }];
}

def VGIW_RestartOp : VGIW_Terminator<"restart"> {
  let summary = "stop this thread; later the aggregator lets it begin anew";
  let description = [{
    Only machines of kind `sgmf` have it, in place of `vgiw.yield`. The thread must not have
    changed anything yet.
  }];
  let arguments = (ins Variadic<VGIW_AnyToken>:$after);
  let assemblyFormat = "(`after` $after^ `:` type($after))? attr-dict";
}

#endif // CILK2CHAN_DIALECT_VGIW_VGIW_TD
