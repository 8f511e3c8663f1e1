//===- KeptObjects.h - Names for objects kept for children ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An object of an inner scope whose address a spawn has is kept until a sync.
// What the front end knows of that goes through three forms:
//
//   C, annotated         LLVM IR                         MLIR
//   long x [cilk.object] lifetime.start "cilk.object"    alloca {chan.kept}
//   sync behind it       call @__cilk_sync_release()     cilk.sync
//   {chan.releases}
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_KEPTOBJECTS_H
#define CILK2CHAN_SUPPORT_KEPTOBJECTS_H

#include "llvm/ADT/StringRef.h"

namespace cilk2chan {

/// Annotation of such a local, and then attribute of the call of
/// `llvm.lifetime.start` where its declaration stands: each execution makes an
/// object.
inline constexpr llvm::StringLiteral ObjectAnnotation = "cilk.object";
/// `__cilk_sync_release()`: a sync behind which none of the objects is used
/// that have been made until then.
inline constexpr llvm::StringLiteral SyncReleaseName = "__cilk_sync_release";
/// On a `cilk.sync`: the same.
inline constexpr llvm::StringLiteral ReleasesAttribute = "chan.releases";
/// On an alloca: its object is kept until such a sync, and each execution makes
/// another one.
inline constexpr llvm::StringLiteral KeptAttribute = "chan.kept";

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_KEPTOBJECTS_H
