//===- GrainPragma.h - #pragma cilk grainsize -------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_GRAINPRAGMA_H
#define CILK2CHAN_LIB_FRONTEND_GRAINPRAGMA_H

namespace clang {
class Preprocessor;
}

namespace cilk2chan {

class Keywords;

/// Has `#pragma cilk grainsize` and `#pragma grainsize`, followed by an
/// expression, also behind `=`, handed to Keywords::grain.
void addGrainPragmas(clang::Preprocessor &preprocessor, Keywords &keywords);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_GRAINPRAGMA_H
