//===- NamesInC.h - What symbols are in C -----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_NAMESINC_H
#define CILK2CHAN_SUPPORT_NAMESINC_H

#include "cilk2chan/Support/Markers.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

namespace cilk2chan {

/// The function that `symbol` is or belongs to, if that has no name in C; else
/// empty: `__cilk_body.3` of `__cilk_body.3.batch.0`.
inline llvm::StringRef functionWithoutName(llvm::StringRef symbol) {
  for (llvm::StringRef prefix :
       {llvm::StringRef(RangePrefix), llvm::StringRef(BodyPrefix),
        llvm::StringRef(BlockPrefix)})
    if (symbol.starts_with(prefix))
      return symbol.take_front(
          symbol.find_first_not_of("0123456789", prefix.size()));
  return {};
}

/// What to call a function, or a kernel of one, in a remark: by its name if it
/// has one in C, else for what it is there.
inline std::string describeInC(llvm::StringRef symbol) {
  llvm::StringRef function = functionWithoutName(symbol);
  if (function.empty())
    return ("'" + symbol + "'").str();
  llvm::StringRef what = function.starts_with(RangePrefix) ? "the cilk_for"
                         : function.starts_with(BodyPrefix)
                             ? "the body of the cilk_for"
                             : "the spawned block";
  symbol = symbol.drop_front(function.size());
  return symbol.consume_front(".") ? ("'" + symbol + "' of " + what).str()
                                   : what.str();
}

/// What to call a kernel for a machine in an error: "'f'", or "part 2 of 'f'" of a
/// function that is divided at its syncs, or "the cilk_for in 'f'". `source` is the
/// function in C; nothing of a kernel by hand.
inline std::string describeKernel(llvm::StringRef symbol,
                                  std::optional<llvm::StringRef> source) {
  if (!source)
    return ("kernel '" + symbol + "'").str();
  // A link may have made it known to the whole program.
  symbol = symbol.split(".device.").first;
  symbol.consume_back(".ranges");
  std::string text = ("'" + *source + "'").str();
  llvm::StringRef unnamed = functionWithoutName(symbol);
  if (!unnamed.empty())
    text = describeInC(unnamed) + " in " + text;
  unsigned number = 0;
  if (symbol.drop_front(unnamed.size())
          .rsplit('.')
          .second.getAsInteger(10, number) ||
      number == 0)
    return text;
  return "part " + std::to_string(number + 1) + " of " + text;
}

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_NAMESINC_H
