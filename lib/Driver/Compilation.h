//===- Compilation.h - From markers to code ---------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_COMPILATION_H
#define CILK2CHAN_LIB_DRIVER_COMPILATION_H

#include <memory>

namespace clang {
class CodeGenOptions;
class CodeGenerator;
class CompilerInstance;
} // namespace clang
namespace llvm {
class Module;
} // namespace llvm

namespace cilk2chan {

struct CompileOptions;

/// Takes `module`, the front end's LLVM IR with markers, through the steps as
/// far as `options` asks, and writes the result to the output file of
/// `instance`.  `codeGen` made it and
/// still knows its functions' declarations; `backend` says how to optimise and
/// emit.  Errors go to the
/// diagnostics of `instance`, which then erases the output.
void runPipeline(clang::CompilerInstance &instance,
                 clang::CodeGenerator &codeGen,
                 const clang::CodeGenOptions &backend,
                 const CompileOptions &options,
                 std::unique_ptr<llvm::Module> module);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_COMPILATION_H
