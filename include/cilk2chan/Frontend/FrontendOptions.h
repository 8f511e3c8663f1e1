//===- FrontendOptions.h - What the command line says of C ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_FRONTEND_FRONTENDOPTIONS_H
#define CILK2CHAN_FRONTEND_FRONTENDOPTIONS_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>

namespace cilk2chan {

/// What the command line says about the language.
struct FrontendOptions {
  /// Recognise the bare words `spawn`, `sync` and `cilk` too, where the context
  /// allows nothing else.  In .cilk files and after `#pragma lang -C` they are
  /// keywords anyway; `cilk_spawn` and its like are always known.
  bool keywords = true;
  /// Compile the serial elision: spawns are calls, syncs are nothing.  What
  /// would be refused otherwise still is.
  bool serialize = false;

  /// A warning of the language, such as -Wcilk-serial.
  struct Warning {
    llvm::StringLiteral name; ///< What follows -W.
    bool enabled = true;
    /// What -W[no-]error=<name> says; else -Werror counts.
    std::optional<bool> isError = std::nullopt;

    /// Whether what follows a -W stands for this warning too.
    bool isMeantBy(llvm::StringRef flag) const {
      return flag == name || flag == "cilk" || flag == "everything";
    }
  };

  /// All of them; -Wcilk stands for all.  -w, -Werror and -W[no-]everything
  /// apply to them as to any other, and so do the pragmas.
  struct Warnings {
    Warning returnSpawn{"cilk-return"};   ///< A spawn as a return's operand.
    Warning earlyRead{"cilk-early-read"}; ///< A result used before its sync.
    Warning serial{"cilk-serial"};     ///< A function's only spawn is synced at
                                       ///< once.
    Warning lock{"cilk-lock"};         ///< A spawn or sync with a lock held.
    Warning lifetime{"cilk-lifetime"}; ///< An object that a spawn outlives.
    Warning loop{"cilk-loop"}; ///< A loop's limit or control variable missed.

    std::array<const Warning *, 6> all() const {
      return {&returnSpawn, &earlyRead, &serial, &lock, &lifetime, &loop};
    }
  } warnings;

  /// Takes one of the flags above, such as "-Wno-cilk-serial".  Returns whether
  /// it is one; -W[no-]everything is Clang's as well.
  bool parseWarningFlag(llvm::StringRef flag);
};

} // namespace cilk2chan

#endif // CILK2CHAN_FRONTEND_FRONTENDOPTIONS_H
