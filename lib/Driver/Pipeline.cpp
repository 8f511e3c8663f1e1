//===- Pipeline.cpp - From markers to code --------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"
#include "cilk2chan/Driver/Options.h"
#include "cilk2chan/Target/Host.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/IR/Module.h"

using namespace cilk2chan;

namespace {

class Pipeline {
public:
  Pipeline(clang::CompilerInstance &instance, const CompileOptions &options)
      : instance(instance), options(options) {}

  /// Prints `ir` if --dump-after or --emit names `phase`.  Returns whether the
  /// compilation ends here.
  bool leave(Phase phase, llvm::function_ref<void(llvm::raw_ostream &)> print);

  const CompileOptions &getOptions() const { return options; }

private:
  clang::CompilerInstance &instance;
  const CompileOptions &options;
};

} // namespace

bool Pipeline::leave(Phase phase,
                     llvm::function_ref<void(llvm::raw_ostream &)> print) {
  if (options.dumpsAfter(phase))
    print(llvm::errs());
  const PhaseName *emission = options.emission;
  if (!emission || emission->phase != phase)
    return false;
  if (auto output = instance.createDefaultOutputFile(/*Binary=*/false))
    print(*output);
  return true;
}

void cilk2chan::runPipeline(clang::CompilerInstance &instance,
                            const clang::CodeGenOptions &backend,
                            const CompileOptions &options,
                            std::unique_ptr<llvm::Module> module) {
  Pipeline pipeline(instance, options);
  auto printModule = [&](llvm::raw_ostream &os) { module->print(os, nullptr); };
  if (pipeline.leave(Phase::Markers, printModule))
    return;
  if (pipeline.leave(Phase::LLVM, printModule))
    return;
  emitForHost(instance, backend, *module);
}
