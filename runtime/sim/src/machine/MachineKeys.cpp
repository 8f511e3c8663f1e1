//===- MachineKeys.cpp - Which keys a machine file has --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "machine/MachineKeys.h"
#include "machine/Json.h"
#include "machine/NearNames.h"

namespace chansim {

MachineKeys::MachineKeys(const Machine &machine)
    : machine(machine), keys{"name", "kind", "base"} {
  for (const ParameterText &parameter : listParameters(machine)) {
    if (hasFabric(machine.kind) && parameter.key == "fabric.folded")
      keys.push_back("fabric.grid");
    keys.push_back(parameter.key);
  }
}

bool MachineKeys::hasParameter(const std::string &key) const {
  return std::ranges::find(keys, key) != keys.end();
}

bool MachineKeys::hasSection(const std::string &key) const {
  return std::ranges::any_of(keys, [&](const std::string &other) {
    return other.starts_with(key + ".");
  });
}

std::vector<std::string> MachineKeys::sections() const {
  std::vector<std::string> list;
  for (const std::string &key : keys)
    for (size_t dot = key.find('.'); dot != key.npos;
         dot = key.find('.', dot + 1))
      if (std::string section = key.substr(0, dot);
          std::ranges::find(list, section) == list.end())
        list.push_back(section);
  return list;
}

/// Names of what is directly in a section, or in the file if it is empty.
std::vector<std::string>
MachineKeys::membersOf(const std::string &section) const {
  const std::string prefix = section.empty() ? "" : section + ".";
  std::vector<std::string> list;
  for (const std::string &key : keys) {
    if (!key.starts_with(prefix))
      continue;
    std::string rest = key.substr(prefix.size());
    std::string name = rest.substr(0, rest.find('.'));
    if (std::ranges::find(list, name) == list.end())
      list.push_back(name);
  }
  return list;
}

/// What there is in the innermost section of the key that exists.
std::string MachineKeys::describeMembers(const std::string &key) const {
  std::string section = key;
  while (!section.empty() && !hasSection(section))
    section.resize(section.find('.') == section.npos ? 0 : section.rfind('.'));
  return (section.empty()
              ? "; kind '" + std::string(nameOf(machine.kind)) + "' has "
              : "; section " + section + " has ") +
         joinNames(membersOf(section), ", ");
}

void MachineKeys::refuse(const std::string &key, bool isSection) const {
  if (hasSection(key))
    chansim::refuse(key,
                    "is a section and no parameter" + describeMembers(key));
  std::vector<std::string> kinds;
  for (size_t i = 0; i != namesOf(MachineKind()).size(); ++i) {
    Machine other{};
    other.kind = static_cast<MachineKind>(i);
    other.clocks = machine.clocks;
    MachineKeys theirs(other);
    if (!theirs.has(key))
      continue;
    isSection = theirs.hasSection(key);
    kinds.push_back("'" + std::string(nameOf(other.kind)) + "'");
  }
  std::string reason =
      std::string("is no ") + (isSection ? "section" : "parameter") +
      " of a machine of kind '" + std::string(nameOf(machine.kind)) + "'";
  if (!kinds.empty())
    chansim::refuse(key, reason + ", but of " + joinNames(kinds, " and ") +
                             describeMembers(key));
  std::string meant = didYouMean(key, isSection ? sections() : keys);
  chansim::refuse(key, reason + (meant.empty() ? describeMembers(key) : meant));
}

} // namespace chansim
