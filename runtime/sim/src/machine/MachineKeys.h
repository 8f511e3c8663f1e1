//===- MachineKeys.h - Which keys a machine file has ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_MACHINEKEYS_H
#define CHANSIM_MACHINEKEYS_H

#include "machine/Machine.h"

namespace chansim {

/// The keys of a machine's parameters: "l1.ways".  They are in sections: "l1".
class MachineKeys {
public:
  /// REQUIRES: the kind and the names of clocks are known.
  explicit MachineKeys(const Machine &machine);

  bool hasParameter(const std::string &key) const;
  bool hasSection(const std::string &key) const;
  bool has(const std::string &key) const {
    return hasParameter(key) || hasSection(key);
  }

  /// Refuses a key that is not here.  The message has near keys, or those that
  /// there are.  `isSection`: in the file, the key has an object.
  [[noreturn]] void refuse(const std::string &key, bool isSection) const;

private:
  std::vector<std::string> sections() const;
  std::vector<std::string> membersOf(const std::string &section) const;
  std::string describeMembers(const std::string &key) const;

  const Machine &machine;
  /// In the order of the documentation.
  std::vector<std::string> keys;
};

} // namespace chansim

#endif // CHANSIM_MACHINEKEYS_H
