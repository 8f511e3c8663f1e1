//===- Chan.td - The chan dialect --------------------------*- tablegen -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_CHAN_TD
#define CILK2CHAN_DIALECT_CHAN_CHAN_TD

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
  // chan.entry: on a function that is still to be split, its entry stack.
  let hasOperationAttrVerify = 1;
}

/// A node of the graph.
class Chan_NodeOp<string mnemonic, list<Trait> traits>
    : Op<Chan_Dialect, mnemonic,
         !listconcat([HasParent<"::mlir::ModuleOp">], traits)>;

/// An op of a kernel's body.
class Chan_BodyOp<string mnemonic, list<Trait> traits = []>
    : Op<Chan_Dialect, mnemonic,
         !listconcat([HasParent<"KernelOp">], traits)>;

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

def Chan_StackOp : Chan_NodeOp<"stack", [
    Symbol, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a channel-stack node";
  let description = [{
    A stack of channels, one per level, of elements with the given fields
    (ISCA'14 section 5.2). An `entry` element is an activation that has not
    started; a `continuation` element one that waits for its children.

    `function` names the C function whose activations the elements of an entry
    stack are; `signature` is its lowered type. The fields are then the parameters, `a0`, `a1`, ... (of the
    pointee's type where a parameter is passed by value in memory), and `ret`, the address for
    the result if there is one. A stack without a function serves spawns of functions that are not
    known to spawn: its field `callee` points to them.

    Each stack has exactly one consumer. An entry stack that a function names in its attribute `chan.entry` may be without: the
    function is still to be split (`cilk-to-chan`).

    `interposable` says that another definition may take the function's place when the
    program is linked (C's weak functions): the function's address does not then lead to this stack.

    `serial` names a function `(worker, parameters...)` that does all that an activation and its
    descendants do, by calling what they spawn; a back end may use it in place of the kernels. With `counted`, it counts
    the activations for the runtime (`clone_tasks` in `chan/abi.h`). With `patient`, an activation, or what
    it spawns, is asked in front of each spawn whether to go on, and not once.

    `batch` names phase kernels, the first of them for the activations' beginning. A back end may use them in place
    of the kernels for many elements together: it keeps these where they are until the last phase is over, runs the
    children of a run of elements as a batch of their own, and has their results where `chan.child` finds them: each at
    its site, in a phase after the one that spawned it. With `receivers` N, as is needed where a path may come to a site
    twice, it is the last N of these kernels that ask for results: that of number P + I after P phases runs for the
    activations whose children of site I are done, in the order in which each has spawned its children. All elements
    that a batch begins with have the same in the fields `uniform`; the phase kernels see to it that children have, too.
    The fields `chased` are pointers that mostly come out of memory, and that an activation begins by going through: a
    back end may fetch ahead what they point to.

    With `accumulates`, an activation's result is the combination of what it has by itself and of its children's results,
    each once, and it does nothing else with these. The last kernel of `batch` then does all that an activation does
    between its children, to be used where the combination of all results of a batch is enough: it combines what there
    is (`chan.accumulate`), and asks for no result. Where trees of activations are few at a time it may be the only one:
    then each tree is a batch.

    `width` is the most elements of an entry channel that wait at one level, and so of its blocks; without it that is left to
    the runtime.

    ```mlir
    chan.stack entry @fib.0(a0: i32, ret: !llvm.ptr) function @fib : !llvm.func<i32 (i32)>
    chan.stack continuation @fib.1(frame: !llvm.ptr)
    ```
  }];
  let arguments = (ins Chan_StackKind:$kind, SymbolNameAttr:$sym_name,
                       StrArrayAttr:$field_names, TypeArrayAttr:$field_types,
                       OptionalAttr<FlatSymbolRefAttr>:$function,
                       OptionalAttr<Chan_Signature>:$signature,
                       UnitAttr:$interposable,
                       OptionalAttr<FlatSymbolRefAttr>:$serial,
                       UnitAttr:$counted,
                       UnitAttr:$patient,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$batch,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$receivers,
                       OptionalAttr<StrArrayAttr>:$uniform,
                       OptionalAttr<StrArrayAttr>:$chased,
                       OptionalAttr<Chan_Combination>:$accumulates,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntPositive]>>:$width);
  let assemblyFormat = [{
    $kind $sym_name `` custom<Fields>($field_names, $field_types)
    (`interposable` $interposable^)? (`function` $function^)? (`serial` $serial^ (`counted` $counted^)? (`patient` $patient^)?)?
    (`batch` $batch^ (`receivers` $receivers^)? (`uniform` $uniform^)? (`chased` $chased^)? (`accumulates` $accumulates^)?)? (`width` $width^)? (`:` $signature^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type of the field called `name`, or null.
    ::mlir::Type getFieldType(::llvm::StringRef name);
    /// Whether a batch has the same of it in all elements.
    bool isUniform(::llvm::StringRef field);
    /// How many of the kernels of `batch` are for phases, and not for results.
    unsigned getPhaseCount() {
      return getBatch()->size() - getReceivers().value_or(0) - getAccumulates().has_value();
    }
  }];
}

def Chan_KernelOp : Chan_NodeOp<"kernel", [
    Symbol, IsolatedFromAbove,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a kernel node";
  let description = [{
    What a C function does between two syncs, for one element of the stack it
    consumes. `produces` lists the stacks it enqueues into, with the relative level.
    `frame_size` is the size in bytes of the activation's frame, zero if it has
    none. `source` names the C function it was split from.

    The body begins with the one `chan.deq`. On every path each allocated element
    is enqueued once, and the dequeued one freed once. Objects on the C stack
    (`llvm.alloca`) are of constant size and in the first block, because one set of them may
    serve many elements. A path ends in `chan.done` or, where control never arrives, in
    `llvm.unreachable`.

    With `lanes` W, a power of two from 2 to 64, the body is for W elements at a time (`chan-simd` makes it so).
    `chan.deq` then also yields the mask of the elements that there are, `chan.get` and `chan.set` have vectors of W
    values (phase kernels, but one of a uniform field), and `chan.talloc` and `chan.deliver` take a mask. The other ops are for one lane, which the body selects.

    ```mlir
    chan.kernel @f.1 consumes @f.after1 frame 64 lanes 8 source @f {
      %e, %live = chan.deq : <@f.after1> mask vector<8xi1>
      %frames = chan.get "frame" of %e : <@f.after1> -> vector<8x!llvm.ptr>
    ```

    With `phase` N, the kernel is the N-th of an entry stack's `batch`: N is 0 for what an activation does first, and
    else what `chan.pend` has said. It consumes elements of that stack in every phase. `frame_size` is then that of
    the activation's locals (`chan.local`), which the back end allocates. Spawn sites are numbered (`chan.enq`).

    A phase kernel with lanes that accumulates may be `compacted` into two others, which together do the same and are used
    where lanes leave its loop one after another: the first does what an activation does up to an iteration
    (`chan.requeue`), the second one iteration (`chan.resume`) and, if there is no further one, what comes after.
    They have the number of its phase and are none of their stack's batch. All that are in an iteration have done as many;
    not so if the kernel is `refilled`: then lanes that leave the loop may begin other activations before the rest go on.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$consumes,
                       FlatSymbolRefArrayAttr:$produces, I32ArrayAttr:$levels,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$frame_size,
                       OptionalAttr<ConfinedAttr<I32Attr,
                         [IntPositivePowerOf2, IntMinValue<2>, IntMaxValue<64>]>>:$lanes,
                       OptionalAttr<FlatSymbolRefAttr>:$source,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$phase,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$compacted,
                       UnitAttr:$refilled);
  let regions = (region MinSizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `consumes` $consumes `` custom<Edges>($produces, $levels)
    `frame` $frame_size (`phase` $phase^)? (`lanes` $lanes^)? (`compacted` $compacted^)? (`refilled` $refilled^)?
    (`source` $source^)?
    attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

class Chan_FieldOp<string mnemonic> : Chan_BodyOp<mnemonic, [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]>;

def Chan_DeqOp : Chan_BodyOp<"deq"> {
  let summary = "the element that this kernel instance consumes";
  let description = [{
    In a lane kernel, an element per lane; `mask` says which there are, and is never all false.
  }];
  let results = (outs Chan_ElementType:$element, Optional<Chan_Mask>:$mask);
  let assemblyFormat = "attr-dict `:` type($element) (`mask` type($mask)^)?";
}

def Chan_TfreeOp : Chan_BodyOp<"tfree"> {
  let summary = "free the dequeued element; its fields have been read";
  let arguments = (ins Chan_ElementType:$element);
  let assemblyFormat = "$element attr-dict `:` type($element)";
}

def Chan_TallocOp : Chan_BodyOp<"talloc", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "allocate an element, `level` levels deeper than this one";
  let description = [{
    With `for`, allocates in the entry stack of the function that `target` points
    to, if it is a spawning function of the stack's signature; otherwise in the
    stack of the result type, whose field `callee` is then set to it. The stack's other fields
    are those of every entry stack of that signature.

    A full channel makes the kernel yield (ISCA'14 section 6): everything deeper is drained
    before control continues.

    With `mask`, in a lane kernel, allocates an element for each lane of the mask, of which there is at least one; the
    fields are set and the elements enqueued in the same block.
  }];
  let arguments = (ins I32Attr:$level, Optional<Chan_Pointer>:$target,
                       Optional<Chan_Mask>:$mask);
  let results = (outs Chan_ElementType:$element);
  let assemblyFormat = [{
    `+` $level (`for` $target^)? attr-dict `:` type($element)
    (`mask` $mask^ `:` type($mask))?
  }];
  let hasVerifier = 1;
}

def Chan_EnqOp : Chan_FieldOp<"enq"> {
  let summary = "make an allocated element visible; all its fields are set";
  let description = [{
    In a phase kernel, `site` is the number by which a later phase asks for the child's result (`chan.child`), and
    `destination` what a receiver finds by `chan.destination`. In a lane kernel it is a vector, or one address from which
    on the lanes' destinations, present or not, are side by side.
  }];
  let arguments = (ins Chan_ElementType:$element,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$site,
                       Optional<AnyType>:$destination);
  let assemblyFormat = [{
    $element (`site` $site^)? (`to` $destination^)? attr-dict `:` type($element)
    (`,` type($destination)^)?
  }];
}

def Chan_GetOp : Chan_FieldOp<"get"> {
  let summary = "read a field of the dequeued element";
  let arguments = (ins Chan_ElementType:$element, StrAttr:$field);
  let results = (outs AnyType:$value);
  let assemblyFormat = [{
    $field `of` $element attr-dict `:` type($element) `->` type($value)
  }];
}

def Chan_SetOp : Chan_FieldOp<"set"> {
  let summary = "write a field of an allocated element";
  let arguments = (ins AnyType:$value, Chan_ElementType:$element, StrAttr:$field);
  let assemblyFormat = [{
    $field `of` $element `to` $value attr-dict `:` type($element) `,` type($value)
  }];
}

def Chan_CopyInOp : Chan_FieldOp<"copy_in"> {
  let summary = "copy memory into an aggregate field of an allocated element";
  let arguments = (ins Chan_Pointer:$source, Chan_ElementType:$element,
                       StrAttr:$field);
  let assemblyFormat = [{
    $field `of` $element `from` $source attr-dict `:` type($element)
  }];
}

def Chan_CopyOutOp : Chan_FieldOp<"copy_out"> {
  let summary = "copy an aggregate field of the dequeued element to memory";
  let arguments = (ins Chan_ElementType:$element, StrAttr:$field,
                       Chan_Pointer:$destination);
  let assemblyFormat = [{
    $field `of` $element `to` $destination attr-dict `:` type($element)
  }];
}

def Chan_DeliverOp : Chan_BodyOp<"deliver"> {
  let summary = "hand the activation's result to its parent";
  let description = [{
    `slot` is the `ret` field of the entry element: where the parent wants the
    result, or null where it does not. How it gets there is the back end's choice; it is there when the
    parent's continuation runs.

    With `mask`, in a lane kernel, `value` and `slot` are vectors, and the lanes of the mask deliver.
  }];
  let arguments = (ins AnyType:$value, AnyType:$slot, Optional<Chan_Mask>:$mask);
  let assemblyFormat = [{
    $value `to` $slot (`mask` $mask^)? attr-dict `:`
    custom<DeliverTypes>(ref($mask), type($value), type($slot), type($mask))
  }];
  let hasVerifier = 1;
}

def Chan_FrameOp : Chan_BodyOp<"frame"> {
  let summary = "allocate the activation's frame";
  let description = [{
    `size` bytes, 16-byte aligned, whose address is stable until `chan.frame_free`. Executed at most
    once per activation, in its entry kernel: there is one, outside loops.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$size);
  let results = (outs Chan_Pointer:$frame);
  let assemblyFormat = "$size attr-dict";
  let hasVerifier = 1;
}

def Chan_FrameFreeOp : Chan_BodyOp<"frame_free"> {
  let summary = "free the activation's frame; the activation returns";
  let arguments = (ins Chan_Pointer:$frame,
                       ConfinedAttr<I64Attr, [IntPositive]>:$size);
  let assemblyFormat = "$frame `,` $size attr-dict";
  let hasVerifier = 1;
}

def Chan_AllocaOp : Chan_BodyOp<"alloca"> {
  let summary = "memory that lives as long as the activation";
  let description = [{
    C's `alloca` and variable-length arrays. `arena` is the address of a
    null-initialised word of the frame; `size` is in bytes.
  }];
  let arguments = (ins Chan_Pointer:$arena, AnySignlessInteger:$size,
                       ConfinedAttr<I64Attr, [IntPositivePowerOf2]>:$alignment);
  let results = (outs Chan_Pointer:$memory);
  let assemblyFormat = "$size `in` $arena `align` $alignment attr-dict `:` type($size)";
}

def Chan_AllocaFreeOp : Chan_BodyOp<"alloca_free"> {
  let summary = "free all that was allocated in an arena";
  let arguments = (ins Chan_Pointer:$arena);
  let assemblyFormat = "$arena attr-dict";
}

def Chan_DeferOp : Chan_BodyOp<"defer", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a result slot whose value is assigned at the sync";
  let description = [{
    Returns memory of `size` bytes, aligned to `alignment`, a power of two, for a child's result and appends
    `apply(destination, that memory)` to the pending assignments of this
    activation, which `chan.apply` performs in order. Without `apply` the result is
    dropped. `pending` is the address of the frame's list: four null-initialised words.
  }];
  let arguments = (ins Chan_Pointer:$pending,
                       OptionalAttr<FlatSymbolRefAttr>:$apply,
                       Chan_Pointer:$destination,
                       ConfinedAttr<I64Attr, [IntPositive]>:$size,
                       ConfinedAttr<I64Attr, [IntPositivePowerOf2]>:$alignment);
  let results = (outs Chan_Pointer:$slot);
  let assemblyFormat = [{
    $size `align` $alignment `in` $pending (`apply` $apply^)? `to` $destination
    attr-dict
  }];
}

def Chan_ApplyOp : Chan_BodyOp<"apply"> {
  let summary = "perform the pending assignments, in spawn order";
  let arguments = (ins Chan_Pointer:$pending);
  let assemblyFormat = "$pending attr-dict";
}

//===----------------------------------------------------------------------===//
// Phases of a batch
//===----------------------------------------------------------------------===//

def Chan_LocalOp : Chan_BodyOp<"local", [Pure]> {
  let summary = "an object of the activation that outlives its phases";
  let description = [{
    `size` bytes at `offset` of the activation's locals. Where they lie in memory is the back end's choice: activations
    that are treated together may have the same local side by side. One that is `exposed` may also be accessed by way of
    pointers that this phase or another has left somewhere.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$offset,
                       ConfinedAttr<I64Attr, [IntPositive]>:$size,
                       UnitAttr:$exposed);
  let results = (outs Chan_Pointer:$address);
  let assemblyFormat = "$offset `size` $size (`exposed` $exposed^)? attr-dict";
  let hasVerifier = 1;
}

def Chan_PendOp : Chan_BodyOp<"pend"> {
  let summary = "the activation goes on in another phase when its children are done";
  let description = [{With `mask`, in a lane kernel, those of its lanes do.}];
  let arguments = (ins ConfinedAttr<I32Attr, [IntPositive]>:$phase, Optional<Chan_Mask>:$mask);
  let assemblyFormat = "$phase (`mask` $mask^ `:` type($mask))? attr-dict";
  let hasVerifier = 1;
}

def Chan_ResultOp : Chan_BodyOp<"result"> {
  let summary = "the activation's result, in a phase kernel";
  let description = [{With `mask`, in a lane kernel, `value` is a vector, and these lanes have results.}];
  let arguments = (ins AnyType:$value, Optional<Chan_Mask>:$mask);
  let assemblyFormat = "$value (`mask` $mask^)? attr-dict `:` type($value) (`,` type($mask)^)?";
  let hasVerifier = 1;
}

def Chan_AccumulateOp : Chan_BodyOp<"accumulate"> {
  let summary = "a part of the combination of all results of a batch";
  let description = [{With `mask`, in a lane kernel, these lanes have parts: `value` is a vector of them, or what each has.}];
  let arguments = (ins AnyTypeOf<[AnySignlessInteger, VectorOfAnyRankOf<[AnySignlessInteger]>]>:$value,
                       Optional<Chan_Mask>:$mask);
  let assemblyFormat = "$value (`mask` $mask^)? attr-dict `:` type($value) (`,` type($mask)^)?";
}

def Chan_ReduceOp : Chan_BodyOp<"reduce"> {
  let summary = "a part of what a batch combines in memory";
  let description = [{
    In a lane phase kernel: these lanes' parts, a vector of them or what each has, are combined with what is at `address`, by
    others at the same time as well. All lanes have the same address, and nobody looks there before all elements of the batch have returned.
  }];
  let arguments = (ins Chan_Combination:$combination,
                       AnyTypeOf<[AnySignlessInteger, VectorOfAnyRankOf<[AnySignlessInteger]>]>:$value,
                       LLVM_AnyPointer:$address, Chan_Mask:$mask);
  let assemblyFormat = "$combination $value `to` $address `mask` $mask attr-dict `:` type($value) `,` type($address) `,` type($mask)";
}

def Chan_RequeueOp : Chan_BodyOp<"requeue", [AttrSizedOperandSegments]> {
  let summary = "the activation goes on with an iteration of its loop";
  let description = [{
    In the kernels that another is compacted into. The second of them finds `values` by `chan.resume`, with those of other activations that
    have done as many iterations. With `mask`, in a lane kernel, that is so for these lanes; a value is then a vector, or
    what all activations have the same of.
  }];
  let arguments = (ins Variadic<AnyType>:$values, Optional<Chan_Mask>:$mask);
  let assemblyFormat = "($values^ `:` type($values))? (`mask` $mask^ `:` type($mask))? attr-dict";
  let hasVerifier = 1;
}

def Chan_ResumeOp : Chan_BodyOp<"resume"> {
  let summary = "what the activation has been requeued with";
  let description = [{The lanes are those that `chan.deq` says there are, of any elements.}];
  let results = (outs Variadic<AnyType>:$values);
  let assemblyFormat = "(`:` type($values)^)? attr-dict";
  let hasVerifier = 1;
}

def Chan_TripOp : Chan_BodyOp<"trip"> {
  let summary = "an iteration of the loop of a kernel that there is a compacted form of";
  let description = [{With `mask`, in a lane kernel, these lanes are in it. By how many they are on average the back end chooses the form.}];
  let arguments = (ins Optional<Chan_Mask>:$mask);
  let assemblyFormat = "(`mask` $mask^ `:` type($mask))? attr-dict";
  let hasVerifier = 1;
}

def Chan_ChildOp : Chan_BodyOp<"child"> {
  let summary = "the result of the child that was spawned at a site";
  let description = [{
    `spawned` says whether there is such a child; if not, `value` is poison. In a lane kernel both are vectors.
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntNonNegative]>:$site);
  let results = (outs AnyType:$spawned, AnyType:$value);
  let assemblyFormat = "$site attr-dict `:` type($spawned) `,` type($value)";
  let hasVerifier = 1;
}

def Chan_DestinationOp : Chan_BodyOp<"destination"> {
  let summary = "where the parent wants the result of the child that is received";
  let description = [{
    What the child's `chan.enq` has said. In a lane kernel a vector, or the first lane's, if all are side by side.
  }];
  let results = (outs AnyType:$destination);
  let assemblyFormat = "attr-dict `:` type($destination)";
  let hasVerifier = 1;
}

def Chan_TestedOp : Chan_BodyOp<"tested"> {
  let summary = "whether no element of the batch ends before it spawns";
  let description = [{
    In a lane phase kernel: the parents of all have found out, and enqueued no others. Branches say by the attribute
    `chan.ends` which of their ways such elements do not take.
  }];
  let results = (outs I1:$tested);
  let assemblyFormat = "attr-dict `:` type($tested)";
  let hasVerifier = 1;
}

def Chan_DoneOp : Chan_BodyOp<"done", [Terminator]> {
  let summary = "this kernel instance has finished";
  let assemblyFormat = "attr-dict";
}

#endif // CILK2CHAN_DIALECT_CHAN_CHAN_TD
