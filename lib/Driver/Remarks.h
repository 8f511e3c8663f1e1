//===- Remarks.h - MLIR's places and remarks as clang's ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_REMARKS_H
#define CILK2CHAN_LIB_DRIVER_REMARKS_H

#include "mlir/IR/Location.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class CodeGenOptions;
class CodeGenerator;
class CompilerInstance;
} // namespace clang

namespace cilk2chan {

/// Where in C a location of an operation is; invalid if it says nothing of
/// that.
clang::SourceLocation locate(clang::CompilerInstance &instance,
                             clang::CodeGenerator &codeGen,
                             mlir::Location location);

/// Has what passes in `context` remark reported where -Rpass, -Rpass-missed and
/// -Rpass-analysis, which are in `options`, ask for it by the remark's
/// category.
void reportRemarks(mlir::MLIRContext &context,
                   const clang::CodeGenOptions &options,
                   clang::CompilerInstance &instance,
                   clang::CodeGenerator &codeGen);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_REMARKS_H
