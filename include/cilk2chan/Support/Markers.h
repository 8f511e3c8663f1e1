//===- Markers.h - Names that the parts exchange ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The symbols by which the front end, the import, the conversions and the merge
// understand each other in LLVM IR and the llvm dialect; docs/Architecture.md
// says what each promises.  N is the number of a spawn, or of a loop, in its
// translation unit.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_MARKERS_H
#define CILK2CHAN_SUPPORT_MARKERS_H

#include "llvm/ADT/StringRef.h"

namespace cilk2chan {

/// `__cilk_sync()`: a sync.
inline constexpr llvm::StringLiteral SyncName = "__cilk_sync";
/// `int __cilk_synched()`: SYNCHED, until the front end is done.
inline constexpr llvm::StringLiteral SynchedName = "__cilk_synched";
/// `int __cilk_if_synched(int flag)`: SYNCHED in a function that spawns. The
/// flag says whether nothing was spawned since the last sync; where children
/// are called, nothing is outstanding anyway.
inline constexpr llvm::StringLiteral IfSynchedName = "__cilk_if_synched";
/// A procedure main of Cilk-5, which the main of C calls.
inline constexpr llvm::StringLiteral ProcedureMainName = "__cilk_main";
/// `__cilk_spawn.N([dst,] callee, args...)`: a spawn, in C's terms.
inline constexpr llvm::StringLiteral SpawnPrefix = "__cilk_spawn.";
/// `__cilk_child.N`: what the child of spawn N does.
inline constexpr llvm::StringLiteral ChildPrefix = "__cilk_child.";
/// `__cilk_block.N`: the body of a spawned block.
inline constexpr llvm::StringLiteral BlockPrefix = "__cilk_block.";
/// `__cilk_spawn_abi.N(callee, dst-or-null, args...)`: a spawn, arguments
/// lowered.
inline constexpr llvm::StringLiteral AbiSpawnPrefix = "__cilk_spawn_abi.";
/// `__cilk_apply.N(dst, result)`: what the child does with the result.
inline constexpr llvm::StringLiteral ApplyPrefix = "__cilk_apply.";

/// Functions of the runtime's (chan/abi.h): the view that the present strand has
/// of a reducer, and the beginning and the end of a local reducer's life.
inline constexpr llvm::StringLiteral ReducerViewName = "chan_reducer_view";
inline constexpr llvm::StringLiteral ReducerDeclareName =
    "chan_reducer_declare";
inline constexpr llvm::StringLiteral ReducerForgetName = "chan_reducer_forget";

/// The synchronisation scope of atomic updates that no code sees before a sync,
/// in any order: those of a reducer without views.
inline constexpr llvm::StringLiteral ReductionScope = "cilk-reduction";

/// `__cilk_for.N(address of the control variable, first, limit, stride, form,
/// grain, where)`: begins a cilk_for; `form` is a LoopForm.
inline constexpr llvm::StringLiteral ForPrefix = "__cilk_for.";
/// `__cilk_for_end.N()`: ends it, and is the number of its iterations.
inline constexpr llvm::StringLiteral ForEndPrefix = "__cilk_for_end.";
/// `__cilk_range_begin()`, `__cilk_range_end()`: in the innermost cilk_for, the
/// first of the iterations to run and the one behind the last.
inline constexpr llvm::StringLiteral RangeBeginName = "__cilk_range_begin";
inline constexpr llvm::StringLiteral RangeEndName = "__cilk_range_end";
/// `__cilk_grain(n)`: holds the operand of a grainsize pragma until the loop is
/// found behind it.
inline constexpr llvm::StringLiteral GrainName = "__cilk_grain";
/// `__cilk_body.N(begin, end, captures...)`: runs iterations of a cilk_for.
inline constexpr llvm::StringLiteral BodyPrefix = "__cilk_body.";
/// `__cilk_for_abi.N(body, count, grain, captures...)`: a cilk_for, its body
/// outlined; a grain of 0 or less leaves the choice to the runtime.
inline constexpr llvm::StringLiteral AbiForPrefix = "__cilk_for_abi.";
/// Function attribute of such a body: a range of no more
/// iterations is below grain.
inline constexpr llvm::StringLiteral LeastRangeAttribute = "cilk.least-range";
/// `__cilk_range.N`: what divides the iterations of a cilk_for.
inline constexpr llvm::StringLiteral RangePrefix = "__cilk_range.";

/// The table of C functions and their channels that a module registers.
inline constexpr llvm::StringLiteral ExportsName = "__chan_exports";
/// `__chan_stub.NAME`: the body for the C symbol NAME of a spawning function.
inline constexpr llvm::StringLiteral StubPrefix = "__chan_stub.";
/// `f.run(args...)`: what it calls if the runtime is to be entered.
inline constexpr llvm::StringLiteral RunSuffix = ".run";
/// `f.serial(worker, args...)`: the spawning function f as its serial elision
/// has it.
inline constexpr llvm::StringLiteral SerialSuffix = ".serial";
/// `f.serial.inlined(worker, args...)`: the same for a parallel loop where it
/// stands.
inline constexpr llvm::StringLiteral InlinedSuffix = ".inlined";
/// `f.serial.body(worker, args...)`: its outlined body, which it calls unless
/// its base-case check finds a base case.
inline constexpr llvm::StringLiteral BodySuffix = ".body";
/// `f.serial.base(worker, args...)`: its outlined base case, which it calls for
/// base cases with loops or calls.
inline constexpr llvm::StringLiteral BaseCaseSuffix = ".base";
/// `f.serial.tree(worker, args..., stack)`: begins a tree, for clones of
/// functions that have no batch form, of f, which has one.
inline constexpr llvm::StringLiteral TreeSuffix = ".tree";
/// `f.serial.check(worker, args...)`: the same, with the base-case check of f,
/// for callers that begin one small tree after another.
inline constexpr llvm::StringLiteral CheckSuffix = ".check";
/// `__chan_late.STACK(worker, [callee,] args..., [slot])`: enqueues an element
/// of an entry stack for the slow path of a serial clone.
inline constexpr llvm::StringLiteral LatePrefix = "__chan_late.";
/// `chan_late_open.near(worker)` and the like: asks the runtime for a serial
/// clone whether to promote the activation.
inline constexpr llvm::StringLiteral NearSuffix = ".near";
/// `f.strand(args..., strand)`: a spawning function of a module with reducers.
inline constexpr llvm::StringLiteral StrandSuffix = ".strand";
/// `f.child.N(args..., [callee,] strand)`: what f spawns there that is not known
/// to spawn.
inline constexpr llvm::StringLiteral ChildSuffix = ".child";
/// Function attribute of a kernel: the C function that it is a part of.
inline constexpr llvm::StringLiteral SourceAttribute = "chan.source";
/// Function attribute of a serial clone, and what else clones call: the first
/// parameter is the worker.
inline constexpr llvm::StringLiteral CloneAttribute = "chan.clone";
/// Function attribute: LLVM must not use what callers know of the arguments.
inline constexpr llvm::StringLiteral OpaqueAttribute = "chan.opaque";
/// Function attribute of a serial clone's outlined body, with the number of the
/// first parameter that the base-case check has computed; then attribute of
/// these parameters.
inline constexpr llvm::StringLiteral CheckedAttribute = "chan.checked";
/// Function attribute of a kernel that is minimally optimised: it does hardly
/// anything but move elements, which LLVM cannot make better.
inline constexpr llvm::StringLiteral MinimallyOptimizedAttribute =
    "chan.minimally-optimised";

/// Function attribute of what kernels call, for remarks: why it is not a part
/// of them.
inline constexpr llvm::StringLiteral NotInlinedAttribute = "chan.not-inlined";
/// What that is of a function of another file.
inline constexpr llvm::StringLiteral OfOtherFile = "is not in this file";
/// Marks an LLVM function that has lanes, and so is in vectors already.
inline constexpr llvm::StringLiteral LanesAttribute = "chan.lanes";
/// Function attribute: the number that `#pragma chan block` gives.
inline constexpr llvm::StringLiteral BlockAttribute = "chan.block";
// The chan dialect verifies the attributes that follow, and no other of its
// prefix is allowed (ChanDialect::verifyOperationAttribute).

/// On a module that is to be split: the width of entry stacks that no function
/// asks for another of, also of those for calls through pointers.
inline constexpr llvm::StringLiteral WidthAttribute = "chan.width";
/// On a module: it has reducers. On a function: its last parameter is a strand,
/// which the C function that it is of has not.
inline constexpr llvm::StringLiteral StrandsAttribute = "chan.strands";
/// On a function that is to be split: its entry stack, which
/// has no kernel of its own yet.
inline constexpr llvm::StringLiteral EntryAttribute = "chan.entry";
/// On a function `(iteration, count, captures...)`: a call of it with the first
/// iteration and their number runs it once for each iteration, in any order.
/// Its entry stack then holds ranges (cilk-for-to-spawn).
inline constexpr llvm::StringLiteral RangeAttribute = "chan.range";
/// On such a function: the iterations are threads of work-groups. Two numbers:
/// the threads of a group, and the bytes of memory that they share.
inline constexpr llvm::StringLiteral GroupAttribute = "chan.group";
/// `__chan_group_memory()`: in a work-group, the memory that its threads share.
inline constexpr llvm::StringLiteral GroupMemoryName = "__chan_group_memory";
/// `__chan_barrier()`: in a work-group, waits until all its threads are at a
/// barrier, at this one or at another.
inline constexpr llvm::StringLiteral BarrierName = "__chan_barrier";
/// On a conditional branch, a size guard: the first way is for activations
/// whose arrays are small (cilk-arrays-by-value), the second calls the function
/// as it was.
inline constexpr llvm::StringLiteral SizeGuardAttribute = "chan.size_guard";
/// On a function whose loops spawn what each iteration has an object for, all
/// in one place: the function that it is of, with the loops as they were.
/// cilk-arrays-by-value puts the one in the other's place if objects go by
/// value, and erases it otherwise.
inline constexpr llvm::StringLiteral DividedAttribute = "chan.divided";
/// On an object of such an iteration.
inline constexpr llvm::StringLiteral OfIterationAttribute = "chan.of_iteration";
/// On a load or a store: of a part of an array that goes by value, which it
/// would not in a serial clone.
inline constexpr llvm::StringLiteral ArrayPartAttribute = "chan.array_part";
/// On a branch of a kernel whose elements spawn: the number of the way that
/// ends before that, which the parents of these elements have ruled out.
inline constexpr llvm::StringLiteral BaseCaseArmAttribute =
    "chan.base_case_arm";
/// On an atomic update: it adds to what a whole tree of activations adds up, at
/// an address that all of them have, and that no code reads before they have
/// returned (cilk-arrays-by-value). So it makes no difference when it happens.
/// Within that pass also on a local object that children combine with.
inline constexpr llvm::StringLiteral ReductionAttribute = "chan.reduction";

/// Threads of a work-group at most: those of a word of the VGIW's control vector
/// table.
inline constexpr unsigned MaxGroupSize = 64;
/// Whether a work-group can have so many threads.
inline constexpr bool isGroupSize(int64_t threads) {
  return threads > 0 && threads <= int64_t(MaxGroupSize) &&
         (threads & (threads - 1)) == 0;
}

/// The largest number that BlockAttribute has: libchan's kMaxWidth.
inline constexpr unsigned MaxBlock = 1 << 20;

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_MARKERS_H
