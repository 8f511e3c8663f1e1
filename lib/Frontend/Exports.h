//===- Exports.h - Procedures that C calls by EXPORT ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_EXPORTS_H
#define CILK2CHAN_LIB_FRONTEND_EXPORTS_H

#include "ChildBuilder.h"

namespace cilk2chan {

/// Whether `function` is the declaration of what C calls in Cilk-5 for a
/// procedure P: `R EXPORT(P)(CilkContext *, T...)`, which is mt_P.
bool isExport(const clang::FunctionDecl *function);

/// Gives it a body, a call of P.  False, with an error, if P is declared with
/// another type.
bool defineExport(clang::FunctionDecl *function, ChildBuilder &builder);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_EXPORTS_H
