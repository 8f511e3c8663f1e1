//===- Phases.cpp - The phases of a compilation ---------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Driver/Phases.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace cilk2chan;

static constexpr bool Emits = true, Dumps = true;

static constexpr PhaseName names[] = {
    {"markers", Phase::Markers, Form::IR, Emits, Dumps,
     "LLVM IR, spawns and syncs as marker calls"},
    {"import", Phase::Import, Form::IR, !Emits, Dumps,
     "the spawning functions in the llvm dialect"},
    {"cilk", Phase::Cilk, Form::IR, Emits, Dumps,
     "spawns and syncs as operations"},
    {"mlir", Phase::Chan, Form::IR, Emits, !Dumps, "the channel-flow graph"},
    {"chan", Phase::Chan, Form::IR, !Emits, Dumps, "the channel-flow graph"},
    {"dot", Phase::Chan, Form::Dot, Emits, !Dumps,
     "the channel-flow graph, drawn by Graphviz"},
    {"host", Phase::Host, Form::IR, !Emits, Dumps,
     "the kernels in the llvm dialect"},
    {"llvm", Phase::LLVM, Form::IR, Emits, Dumps,
     "the whole file as LLVM IR, unoptimised"},
    {"vgiw", Phase::VGIW, Form::IR, Emits, !Dumps,
     "the kernels as graph instruction words"},
    {"config", Phase::Configuration, Form::IR, Emits, !Dumps,
     "the kernels placed on a VGIW machine"},
    {"floorplan", Phase::Configuration, Form::SVG, Emits, !Dumps,
     "the same, drawn as SVG"},
    {"asm", Phase::Backend, Form::Assembly, Emits, !Dumps, "assembly"},
    {"obj", Phase::Backend, Form::Object, Emits, !Dumps, "an object file"},
};

llvm::ArrayRef<PhaseName> cilk2chan::phaseNames() { return names; }

static const PhaseName *find(llvm::StringRef name, bool PhaseName::*usable) {
  for (const PhaseName &entry : names)
    if (entry.*usable && entry.name == name)
      return &entry;
  return nullptr;
}

static std::string list(llvm::StringRef separator, bool PhaseName::*usable) {
  llvm::SmallVector<llvm::StringRef> found;
  for (const PhaseName &entry : names)
    if (entry.*usable)
      found.push_back(entry.name);
  return llvm::join(found, separator);
}

const PhaseName *cilk2chan::findEmission(llvm::StringRef name) {
  return find(name, &PhaseName::emits);
}

const PhaseName *cilk2chan::findDump(llvm::StringRef name) {
  return find(name, &PhaseName::dumps);
}

std::string cilk2chan::listEmissions(llvm::StringRef separator) {
  return list(separator, &PhaseName::emits);
}

std::string cilk2chan::listDumps(llvm::StringRef separator) {
  return list(separator, &PhaseName::dumps);
}
