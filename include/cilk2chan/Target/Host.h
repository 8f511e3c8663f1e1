//===- Host.h - Code for the machine itself ---------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_TARGET_HOST_H
#define CILK2CHAN_TARGET_HOST_H

namespace clang {
class CodeGenerator;
class CodeGenOptions;
class CompilerInstance;
} // namespace clang
namespace llvm {
class Module;
} // namespace llvm

namespace cilk2chan {

/// Optimises `module` as `options` says (-O, -march, sanitizers, debug info)
/// and writes what the action of `instance` asks for (object, assembly, bitcode
/// or LLVM IR) to its output file.  What LLVM finds wrong or remarkable becomes
/// diagnostics of `instance`, placed with the help of `codeGen`, which made the
/// module; after an error it erases the output.  `module` is used up.
void emitForHost(clang::CompilerInstance &instance,
                 clang::CodeGenerator &codeGen,
                 const clang::CodeGenOptions &options, llvm::Module &module);

} // namespace cilk2chan

#endif // CILK2CHAN_TARGET_HOST_H
