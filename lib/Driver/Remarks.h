//===- Remarks.h - MLIR's remarks as clang's --------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_REMARKS_H
#define CILK2CHAN_LIB_DRIVER_REMARKS_H

namespace clang {
class CodeGenOptions;
class CodeGenerator;
class CompilerInstance;
} // namespace clang

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace cilk2chan {

/// Has what passes in `context` remark reported where -Rpass, -Rpass-missed and
/// -Rpass-analysis, which are in `options`, ask for it by the remark's category.
void reportRemarks(mlir::MLIRContext &context,
                   const clang::CodeGenOptions &options,
                   clang::CompilerInstance &instance,
                   clang::CodeGenerator &codeGen);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_REMARKS_H
