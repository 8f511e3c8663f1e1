//===- Markers.h - Names that the parts exchange ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The symbols by which the front end, the import, the conversions and the merge
// understand each other in LLVM IR and the llvm dialect; docs/Architecture.md
// says what each promises.  N is the number of a spawn in its translation unit.
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

/// `__chan_stub.NAME`: the body for the C symbol NAME of a spawning function.
inline constexpr llvm::StringLiteral StubPrefix = "__chan_stub.";
/// Function attribute of a kernel: the C function that it is a part of.
inline constexpr llvm::StringLiteral SourceAttribute = "chan.source";

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_MARKERS_H
