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
  let summary = "a channel stack, a node of the graph";
  let description = [{
    A channel stack has a channel of elements for each level (ISCA'14 section 5.2).
    All elements have the given fields. An element of an `entry` stack is an
    activation that has not started. An element of a `continuation` stack is an
    activation that waits for its children.

    ```mlir
    chan.stack entry @fib.0(a0: i32, ret: !llvm.ptr) function @fib : !llvm.func<i32 (i32)>
    chan.stack continuation @fib.1(frame: !llvm.ptr)
    ```

    Each stack has exactly one consumer. Exception: before `cilk-to-chan`, an entry
    stack has no consumer if the attribute `chan.entry` of a function names it.

    **The function of an entry stack**

    * `function` names the C function whose activations are the elements.
      `signature` is the lowered type of this function.
    * The fields are the parameters `a0`, `a1`, ..., and `ret`. If a parameter is
      passed by value in memory, its field has the type of the value, not of the
      pointer. `ret` is the address for the result. It is absent if the function
      returns nothing.
    * An entry stack without a function is for spawns of functions that are not known
      to spawn. Its field `callee` is the address of the function.
    * `interposable` means that another definition may replace the function when the
      program is linked (a weak function in C). Then the runtime does not find this stack
      by the address of the function.
    * `width` is the greatest number of elements that wait in a channel of the stack
      at one level. It is also the capacity of a *block*, in which the runtime stores
      elements of one channel. Without `width`, the runtime chooses the number.

    **Ranges.** With `ranges`, each element stands for a range of iterations of a
    parallel loop. The first two fields are the first iteration and the number of
    iterations. The other fields are the captured variables, which all iterations share.
    The consumer is run once for each iteration, in any order, and `chan.range_iteration` gives
    the number of the iteration. Each iteration may be run by a thread of its own. An
    iteration spawns nothing.

    ```mlir
    chan.stack entry @loop.entry ranges (a0: i64, a1: i64, a2: !llvm.ptr)
    ```

    **Work-groups.** With `groups of` N, N consecutive iterations of a range are the
    threads of a *work-group*, a power of two up to 64. The number of iterations is a
    multiple of N. The threads of a group share `memory` bytes. They may wait for each
    other: the function `__chan_barrier` returns when all of them have called it.
    `__chan_group_memory` returns the address of the shared memory.

    ```mlir
    chan.stack entry @tiles.entry ranges groups of 16 memory 1024 (a0: i64, a1: i64)
    ```

    **The serial clone.** `serial` names a function `(worker, parameters...)`. It
    executes an activation and all its descendants by calls. A back end may use it
    instead of the kernels. These attributes describe the clone:

    * `counted`: the clone counts activations for the runtime (`clone_tasks` in
      `chan/abi.h`).
    * `late_promoting`: the clone, or a clone that it calls, polls before each spawn.
      Other clones poll only once.

    `calls_in_loops` means that the function calls spawning functions in loops.

    **The batch form.** `batch` names phase kernels, which treat many elements
    together. A back end may use them instead of the kernels. The elements stay at
    their place until the last phase has ended. The children of a batch run as a
    batch of their own. [Why batches have operations of their
    own](ChanBatchRationale.md) describes how the kernels work together. The first
    kernel of the list is the one in which activations begin. These attributes
    describe the batch form:

    * `result_handlers` N: there are N result handlers, one for each spawn site. They
      follow the P phase kernels in the list, before the kernel of `join_free`. The kernel
      P + I runs when the children of site I have finished. It treats the results of
      each activation in the order of the spawns. Without `result_handlers`, results
      are *positional*: a later phase finds each result by its site (`chan.child`).
      Then no path may spawn twice at one site.
    * `uniform`: all elements of a batch have the same values in these fields. The
      phase kernels guarantee this for children.
    * `prefetched`: these fields are pointers that parents usually load from memory.
      The activation begins with an access to the memory behind the pointer. A back
      end may prefetch this memory.
    * `join_free`: the result of an activation is a combination of a value of its own
      with each child's result. Each child's result enters the combination once, and has
      no other use. The last kernel of the list then executes whole activations, and
      waits for no child. It adds the activations' own values to one reduction for the
      whole batch (`chan.reduce_result`). If the compiler expects few trees
      of the function at a time, it may leave only this kernel in the list. Then each tree is a batch.

    `other_batch` means that the stack has a batch form on other processors, but not
    on this one.
  }];
  let arguments = (ins Chan_StackKind:$kind, SymbolNameAttr:$sym_name,
                       StrArrayAttr:$field_names, TypeArrayAttr:$field_types,
                       OptionalAttr<FlatSymbolRefAttr>:$function,
                       OptionalAttr<Chan_Signature>:$signature,
                       UnitAttr:$ranges,
                       OptionalAttr<I64Attr>:$group_size,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$group_bytes,
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
    $kind $sym_name (`ranges` $ranges^)?
    (`groups` `of` $group_size^ (`memory` $group_bytes^)?)? `` custom<Fields>($field_names, $field_types)
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
  let summary = "a kernel, a node of the graph";
  let description = [{
    A kernel is the code of a C function between two suspensions, for one element of
    the stack that it consumes. A *suspension* is a sync that may wait, or a call of a
    spawning function.

    * `produces` lists the stacks into which the kernel enqueues elements, each with
      its relative level.
    * `frame_size` is the size of the activation's frame in bytes. It is 0 if the
      activation has no frame.
    * `source` names the C function from which the kernel was made.

    The verifier checks these properties of the body:

    * The body begins with the only `chan.deq`.
    * Each path enqueues each allocated element once, and frees the dequeued element
      once.
    * Objects on the C stack (`llvm.alloca`) have a constant size and are in the
      first basic block. So one set of objects serves many elements.
    * A path ends in `chan.done`. If control never reaches the end of a path, the
      path ends in `llvm.unreachable`.

    **Kernels with lanes.** `lanes` W means that the body treats W elements at a
    time. W is a power of two from 2 to 64. Only phase kernels (below) have lanes. The
    pass `chan-simd` makes such kernels.

    * `chan.deq` also returns a mask. It says which of the W elements exist.
    * `chan.get` and `chan.set` have vectors of W values. Exception: a uniform field
      is one value.
    * `chan.child` and `chan.destination` also have vectors.
    * `chan.talloc`, `chan.result` and all other operations with an operand `mask` treat
      the lanes of the mask.
    * `chan.enq` treats the lanes for which `chan.talloc` has allocated the element.
    * LLVM's operations on vectors treat all lanes. LLVM's operations on scalars treat a
      uniform value, or one lane that the body selects.

    ```mlir
    chan.kernel @f.batch.0 consumes @f.entry frame 0 phase 0 lanes 8 source @f {
      %e, %live = chan.deq : <@f.entry> mask vector<8xi1>
      %n = chan.get "n" of %e : <@f.entry> -> vector<8xi32>
    ```

    **Phase kernels.** `phase` N means that the kernel is number N of the `batch` of
    its entry stack. In phase 0, activations begin. `chan.pend` gives the number of
    an activation's next phase. All phases consume elements of the entry stack.
    `frame_size` is the size of the activation's locals (`chan.local`), for which the
    back end allocates memory. Spawn sites have numbers (`chan.enq`).

    * `base_cases_hoisted`: parents evaluate the base cases of their children. So all
      elements spawn, except that the root of a recursion may be a base case.
    * `hoists_base_cases`: this kernel evaluates the base cases of all its children.
    * `without_lanes`: `chan-simd` gives the kernel no lanes, because its function may
      not use all instructions of the processor.

    **Compacted kernels.** A kernel with lanes for a join-free reduction may have the
    attribute `compacted`. It names two kernels that together do the work of this
    kernel. At run time, the code of the back end chooses for each batch. It uses the two
    kernels if lanes leave the loop of this kernel at different times.

    * The first kernel executes an activation up to its first iteration
      (`chan.iteration_enq`).
    * The second kernel executes one iteration (`chan.iteration_deq`). If the loop
      ends, it also executes the code after the loop.
    * Both have the phase number of this kernel. They are not in the `batch` of the
      stack.
    * Activations whose iterations run together have done the same number of
      iterations. Exception: with `lane_refill`, lanes that leave the loop may begin
      other activations while the other lanes continue.
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
  let summary = "the element that this execution of the kernel consumes";
  let description = [{
    A kernel with lanes gets one element for each lane. `mask` says which elements
    exist. At least one exists.
  }];
  let results = (outs Chan_ElementType:$element, Optional<Chan_Mask>:$mask);
  let assemblyFormat = "attr-dict `:` type($element) (`mask` type($mask)^)?";
}

def Chan_RangeIterationOp : Chan_FieldOp<"range_iteration"> {
  let summary = "the iteration that this run of the kernel executes";
  let description = [{
    `element` is the dequeued element, of a stack of `ranges`. The kernel is run once
    for each iteration of the element's range. The result is a number from the first
    field on, of as many numbers as the second field says.

    ```mlir
    chan.kernel @loop.0 consumes @loop.entry frame 0 {
      %range = chan.deq : <@loop.entry>
      %i = chan.range_iteration %range : <@loop.entry>
      %a = chan.get "a2" of %range : <@loop.entry> -> !llvm.ptr
    ```
  }];
  let arguments = (ins Chan_ElementType:$element);
  let results = (outs I64:$iteration);
  let assemblyFormat = "$element attr-dict `:` type($element)";
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
    The element is in the stack of the result type. Exception: with `for`, `target`
    points to a function. If this function is a spawning function of the stack's
    signature, the element is in the entry stack of this function. Otherwise the
    element is in the stack of the result type, and its field `callee` is set to
    `target`. Apart from `callee`, this stack has the same fields as each entry stack of
    this signature.

    If the channel is full, the kernel yields (ISCA'14 section 6): elements of the deeper
    levels run until the channel has room.

    With `mask`, in a kernel with lanes, the operation allocates an element for each
    lane of the mask. At least one lane is in the mask. The fields must be set, and
    the elements must be enqueued, in the basic block of `chan.talloc`.
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
  let summary = "make an allocated element visible to its consumer";
  let description = [{
    All fields of the element must be set. In phase kernels, the operation says
    how the parent finds the result of the child:

    * `site` is the number of the spawn site. A later phase finds the child's result
      by this number (`chan.child`).
    * `destination` is the address that a result handler gets from
      `chan.destination`. In a kernel with lanes, it is a vector of addresses or one
      address. One address means that the destinations of all lanes are adjacent from
      this address on, including those of lanes outside of the mask.
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
    `slot` is the field `ret` of the entry element. It is the address at which the
    parent expects the result. It is null if the parent does not use the result. The
    back end chooses how the result reaches the parent. The result is at this address
    when the parent's continuation runs.
  }];
  let arguments = (ins AnyType:$value, Chan_Pointer:$slot);
  let assemblyFormat = "$value `to` $slot attr-dict `:` type($value)";
}

def Chan_FrameOp : Chan_BodyOp<"frame"> {
  let summary = "allocate the activation's frame";
  let description = [{
    The frame has `size` bytes and is aligned to 16 bytes. Its address does not
    change until `chan.frame_free`. The entry kernel contains at most one such
    operation, outside of loops. So an activation has at most one frame.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$size);
  let results = (outs Chan_Pointer:$frame);
  let assemblyFormat = "$size attr-dict";
  let hasVerifier = 1;
}

def Chan_FrameFreeOp : Chan_BodyOp<"frame_free"> {
  let summary = "free the frame of an activation that returns";
  let arguments = (ins Chan_Pointer:$frame,
                       ConfinedAttr<I64Attr, [IntPositive]>:$size);
  let assemblyFormat = "$frame `,` $size attr-dict";
  let hasVerifier = 1;
}

def Chan_AllocaOp : Chan_BodyOp<"alloca"> {
  let summary = "allocate memory that lives as long as the activation";
  let description = [{
    This operation implements C's `alloca` and variable-length arrays. `arena` is the
    address of a word in the frame. This word is null at first. `size` is in bytes.
  }];
  let arguments = (ins Chan_Pointer:$arena, AnySignlessInteger:$size,
                       ConfinedAttr<I64Attr, [IntPositivePowerOf2]>:$alignment);
  let results = (outs Chan_Pointer:$memory);
  let assemblyFormat = "$size `in` $arena `align` $alignment attr-dict `:` type($size)";
}

def Chan_AllocaFreeOp : Chan_BodyOp<"alloca_free"> {
  let summary = "free all memory of an arena";
  let arguments = (ins Chan_Pointer:$arena);
  let assemblyFormat = "$arena attr-dict";
}

def Chan_DeferOp : Chan_BodyOp<"defer", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "allocate a result slot for a deferred assignment";
  let description = [{
    `slot` is the address of new memory for a child's result. The memory has `size`
    bytes and the alignment `alignment`, a power of two. The operation also appends
    `apply(destination, slot)` to the pending assignments of this activation.
    `chan.apply` executes these assignments in order. Without `apply`, the child's
    result is dropped. `pending` is the address of the list of assignments. The list
    consists of four words in the frame. These words are null at first.
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
  let summary = "execute the pending assignments, in the order of the spawns";
  let arguments = (ins Chan_Pointer:$pending);
  let assemblyFormat = "$pending attr-dict";
}

def Chan_DoneOp : Chan_BodyOp<"done", [Terminator]> {
  let summary = "end this execution of the kernel";
  let assemblyFormat = "attr-dict";
}

include "cilk2chan/Dialect/Chan/ChanBatchOps.td"

#endif // CILK2CHAN_DIALECT_CHAN_CHAN_TD
