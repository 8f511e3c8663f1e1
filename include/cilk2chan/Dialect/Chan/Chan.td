//===- Chan.td - The graph of channels and kernels ---------*- tablegen -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_CHAN_TD
#define CILK2CHAN_DIALECT_CHAN_CHAN_TD

include "cilk2chan/Dialect/Chan/ChanBase.td"

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
    descendants do, by calling what they spawn. A back end may use it in place of the kernels:

    * With `counted`, it counts the activations for the runtime (`clone_tasks` in `chan/abi.h`).
    * With `late_promoting`, an activation, or what it spawns, polls in front of each spawn, and not once.

    With `calls_in_loops`, activations call functions that spawn, in loops.

    `batch` names phase kernels, the first of them for the activations' beginning. A back end may use them in place
    of the kernels for many elements together, which it keeps where they are until the last phase is over. It runs the
    children of a run of elements as a batch of their own. [Why batches have operations of their
    own](ChanBatchRationale.md) says how the kernels work together. Their stack says:

    * `result_handlers` N: the last N kernels (but that of `join_free`) handle results, one for each spawn site. After P phases, the kernel P + I
      runs for the activations whose children of site I are done, in the order in which each has spawned its children.
      Without it, results are positional: a later phase finds each at its site (`chan.child`), so no path comes to a site twice.
    * `uniform`: all elements of a batch have the same values in these fields. The phase kernels see to it that children do, too.
    * `prefetched`: these fields are pointers that mostly come out of memory, and the activation begins with what they
      point to. A back end may prefetch that.
    * `join_free`: an activation's result is the combination of its own part and its children's results, each once, and
      it does nothing else with these. Then the last kernel does all that an activation does, and waits for no child: it
      contributes parts to the reduction of a whole batch (`chan.reduce_result`). Where few trees of activations are there at a
      time, it may be the only kernel, and each tree is a batch.

    With `other_batch`, the stack has a batch form on other processors.

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
                       UnitAttr:$late_promoting,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$batch,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$result_handlers,
                       OptionalAttr<StrArrayAttr>:$uniform,
                       OptionalAttr<StrArrayAttr>:$prefetched,
                       OptionalAttr<Chan_Combination>:$join_free,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntPositive]>>:$width,
                       UnitAttr:$calls_in_loops,
                       UnitAttr:$other_batch);
  let assemblyFormat = [{
    $kind $sym_name `` custom<Fields>($field_names, $field_types)
    (`interposable` $interposable^)? (`function` $function^)? (`serial` $serial^ (`counted` $counted^)? (`late_promoting` $late_promoting^)?)?
    (`calls_in_loops` $calls_in_loops^)?
    (`batch` $batch^ (`result_handlers` $result_handlers^)? (`uniform` $uniform^)? (`prefetched` $prefetched^)? (`join_free` $join_free^)?)?
    (`other_batch` $other_batch^)? (`width` $width^)? (`:` $signature^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type of the field called `name`, or null.
    ::mlir::Type getFieldType(::llvm::StringRef name);
    /// Whether a batch has the same of it in all elements.
    bool isUniform(::llvm::StringRef field);
    /// How many of the kernels of `batch` are for phases, and not for results.
    unsigned getPhaseCount() {
      return getBatch()->size() - getResultHandlers().value_or(0) - getJoinFree().has_value();
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

    A kernel with lanes for a join-free reduction may be `compacted` into two others, which together do the same. They are
    used where lanes leave its loop one after another: the first does what an activation does up to an iteration
    (`chan.iteration_enq`). The second does one iteration (`chan.iteration_deq`) and, if there is no further one, what comes after.
    They have the number of its phase and are none of their stack's batch. Activations that are in an iteration together have done
    equally many, unless the kernel has `lane_refill`: then lanes that leave the loop may begin other activations before the rest go on.

    `base_cases_hoisted` says of a phase kernel that parents evaluate the base cases among their children: all elements spawn, but for the first of a
    recursion. `hoists_base_cases` says that this kernel has done so for all that it spawns. With `without_lanes`, `chan-simd`
    leaves the kernel as it is, since its function may not use all of the processor's instructions.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$consumes,
                       FlatSymbolRefArrayAttr:$produces, I32ArrayAttr:$levels,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$frame_size,
                       OptionalAttr<ConfinedAttr<I32Attr,
                         [IntPositivePowerOf2, IntMinValue<2>, IntMaxValue<64>]>>:$lanes,
                       OptionalAttr<FlatSymbolRefAttr>:$source,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$phase,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$compacted,
                       UnitAttr:$lane_refill,
                       UnitAttr:$base_cases_hoisted,
                       UnitAttr:$hoists_base_cases,
                       UnitAttr:$without_lanes);
  let regions = (region MinSizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `consumes` $consumes `` custom<Edges>($produces, $levels)
    `frame` $frame_size (`phase` $phase^)? (`lanes` $lanes^)? (`compacted` $compacted^)? (`lane_refill` $lane_refill^)?
    (`base_cases_hoisted` $base_cases_hoisted^)? (`hoists_base_cases` $hoists_base_cases^)?
    (`without_lanes` $without_lanes^)? (`source` $source^)?
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
    In a phase kernel, `site` is the number by which a later phase finds the child's result (`chan.child`), and
    `destination` what a result handler finds by `chan.destination`. In a lane kernel it is a vector, or one address from which
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

def Chan_DoneOp : Chan_BodyOp<"done", [Terminator]> {
  let summary = "this kernel instance has finished";
  let assemblyFormat = "attr-dict";
}

include "cilk2chan/Dialect/Chan/ChanBatchOps.td"

#endif // CILK2CHAN_DIALECT_CHAN_CHAN_TD
