//===- Beginning.h - What a function may do twice ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_BEGINNING_H
#define CILK2CHAN_SUPPORT_BEGINNING_H

#include "mlir/IR/Operation.h"

namespace cilk2chan {

/// What an activation has done before another form of its function begins from
/// the start, with the same arguments. That makes no difference if it has
/// stored what depends on these alone, or has only loaded:
///
///   *to = 0;             // may happen twice
///   *to = *from + 1;     // not if `to` is `from`
///
/// Local objects are the other form's own.
class Beginning {
public:
  /// Whether it makes no difference yet if `op` is executed as well.
  bool add(mlir::Operation *op);

private:
  bool loads = false, stores = false;
};

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_BEGINNING_H
