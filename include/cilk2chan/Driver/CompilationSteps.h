//===- CompilationSteps.h - The steps of a compilation ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list that --emit, --dump-after, their help and their error messages
// follow.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DRIVER_COMPILATIONSTEPS_H
#define CILK2CHAN_DRIVER_COMPILATIONSTEPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cilk2chan {

/// What a program goes through, in this order (docs/Architecture.md).
enum class Step {
  Markers,
  Import,
  Cilk,
  Chan,
  Host,
  LLVM,
  VGIW,
  Configuration,
  SIMT,
  Backend
};

/// Whether the step is for a machine other than the host.
inline bool isForMachine(Step step) {
  return step == Step::VGIW || step == Step::Configuration ||
         step == Step::SIMT;
}

/// How a step's result is written.
enum class Form { IR, Dot, SVG, Table, Assembly, Object };

/// A name that --emit or --dump-after knows.
struct StepName {
  llvm::StringLiteral name;
  Step step;
  Form form;
  bool emits;
  bool dumps;
  llvm::StringLiteral summary;
};

/// All of them, in the order of the steps.
llvm::ArrayRef<StepName> stepNames();

/// The entry that --emit=`name` means, or null.
const StepName *findEmission(llvm::StringRef name);

/// The entry that --dump-after=`name` means, or null.
const StepName *findDump(llvm::StringRef name);

/// The legal values of --emit (or of --dump-after), separated by `separator`.
std::string listEmissions(llvm::StringRef separator);
std::string listDumps(llvm::StringRef separator);

} // namespace cilk2chan

#endif // CILK2CHAN_DRIVER_COMPILATIONSTEPS_H
