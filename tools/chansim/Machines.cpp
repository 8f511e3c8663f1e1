//===- Machines.cpp - Parameters of machines ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "machine/Machine.h"
#include "llvm/ADT/StringExtras.h"

llvm::Error chansim::printParameters(const std::string &machineFile,
                                     const std::string &overrides,
                                     llvm::raw_ostream &os) {
  std::string problem;
  std::optional<Machine> machine = Machine::load(machineFile, problem);
  if (!machine)
    return llvm::createStringError(problem);
  if (!machine->set(overrides, problem))
    return llvm::createStringError("--set: " + problem);
  for (const ParameterText &parameter : listParameters(*machine))
    os << llvm::left_justify(parameter.key, 30) << ' '
       << llvm::right_justify(parameter.value, 9) << ' '
       << llvm::left_justify(parameter.unit, 14) << ' ' << parameter.description
       << '\n';
  return llvm::Error::success();
}
