//===- TypesInC.h - What types are in C -------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_TYPESINC_H
#define CILK2CHAN_SUPPORT_TYPESINC_H

#include "mlir/IR/Types.h"
#include <string>

namespace cilk2chan {

/// What a C programmer calls a value of `type`, with its article: a
/// 'double', a struct, an integer of 24 bits.
std::string describeInC(mlir::Type type);

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_TYPESINC_H
