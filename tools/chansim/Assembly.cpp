//===- Assembly.cpp - Kernels for a SIMT core -----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "simt/Assembly.h"
#include "llvm/Support/MemoryBuffer.h"

llvm::Error chansim::printAssembly(const std::string &file,
                                   llvm::raw_ostream &os) {
  auto text = llvm::MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/true);
  if (!text)
    return llvm::createFileError(file, text.getError());
  std::string problem;
  std::optional<simt::Assembly> assembly =
      simt::Assembly::parse((*text)->getBuffer(), file, problem);
  if (!assembly)
    return llvm::createStringError(problem);
  os << assembly->print();
  return llvm::Error::success();
}
