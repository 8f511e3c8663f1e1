//===- CompilationSteps.cpp - The steps of a compilation ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Driver/CompilationSteps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace cilk2chan;

static constexpr bool Emits = true, Dumps = true;

static constexpr StepName names[] = {
    {"markers", Step::Markers, Form::IR, Emits, Dumps,
     "LLVM IR, spawns and syncs as marker calls"},
    {"import", Step::Import, Form::IR, !Emits, Dumps,
     "the spawning functions in the llvm dialect"},
    {"cilk", Step::Cilk, Form::IR, Emits, Dumps,
     "spawns and syncs as operations"},
    {"mlir", Step::Chan, Form::IR, Emits, !Dumps, "the channel-flow graph"},
    {"chan", Step::Chan, Form::IR, !Emits, Dumps, "the channel-flow graph"},
    {"dot", Step::Chan, Form::Dot, Emits, !Dumps,
     "the channel-flow graph, drawn by Graphviz"},
    {"host", Step::Host, Form::IR, !Emits, Dumps,
     "the kernels in the llvm dialect"},
    {"llvm", Step::LLVM, Form::IR, Emits, Dumps,
     "the whole file as LLVM IR, unoptimised"},
    {"vgiw", Step::VGIW, Form::IR, Emits, !Dumps,
     "the kernels as graph instruction words"},
    {"config", Step::Configuration, Form::IR, Emits, !Dumps,
     "the kernels placed on a VGIW machine"},
    {"floorplan", Step::Configuration, Form::SVG, Emits, !Dumps,
     "the same, drawn as SVG"},
    {"bounds", Step::Configuration, Form::Table, Emits, !Dumps,
     "the same: instructions a cycle, and their limit"},
    {"simt", Step::SIMT, Form::IR, Emits, !Dumps,
     "the kernels as assembly of a SIMT core"},
    {"asm", Step::Backend, Form::Assembly, Emits, !Dumps, "assembly"},
    {"obj", Step::Backend, Form::Object, Emits, !Dumps, "an object file"},
};

llvm::ArrayRef<StepName> cilk2chan::stepNames() { return names; }

static const StepName *find(llvm::StringRef name, bool StepName::*usable) {
  for (const StepName &entry : names)
    if (entry.*usable && entry.name == name)
      return &entry;
  return nullptr;
}

static std::string list(llvm::StringRef separator, bool StepName::*usable) {
  llvm::SmallVector<llvm::StringRef> found;
  for (const StepName &entry : names)
    if (entry.*usable)
      found.push_back(entry.name);
  return llvm::join(found, separator);
}

const StepName *cilk2chan::findEmission(llvm::StringRef name) {
  return find(name, &StepName::emits);
}

const StepName *cilk2chan::findDump(llvm::StringRef name) {
  return find(name, &StepName::dumps);
}

std::string cilk2chan::listEmissions(llvm::StringRef separator) {
  return list(separator, &StepName::emits);
}

std::string cilk2chan::listDumps(llvm::StringRef separator) {
  return list(separator, &StepName::dumps);
}
