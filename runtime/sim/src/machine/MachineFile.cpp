//===- MachineFile.cpp - Reading the description of a machine -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "machine/Json.h"
#include "machine/MachineChecks.h"
#include "machine/MachineKeys.h"
#include "machine/MachineTable.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace chansim {
namespace {

void assign(uint32_t &member, const Json &value, const std::string &key,
            Range range) {
  if (!value.is_number_integer())
    refuse(key, std::string("must be an integer, and is ") + jsonType(value));
  bool fits = value.is_number_unsigned() &&
              value.get<uint64_t>() >= range.least &&
              value.get<uint64_t>() <= range.greatest;
  if (!fits)
    refuse(key, "is " + jsonText(value) + ", and must be between " +
                    std::to_string(range.least) + " and " +
                    std::to_string(range.greatest));
  member = value.get<uint32_t>();
}

void assign(bool &member, const Json &value, const std::string &key, Range) {
  if (!value.is_boolean())
    refuse(key,
           std::string("must be true or false, and is ") + jsonType(value));
  member = value.get<bool>();
}

void assign(std::string &member, const Json &value, const std::string &key,
            Range) {
  if (!value.is_string() || value.get_ref<const std::string &>().empty())
    refuse(key, "must be a string that is not empty");
  member = value.get<std::string>();
}

template <class E>
  requires std::is_enum_v<E>
void assign(E &member, const Json &value, const std::string &key, Range) {
  std::vector<std::string> names;
  for (std::string_view name : namesOf(member)) {
    if (value == name) {
      member = static_cast<E>(names.size());
      return;
    }
    names.emplace_back(name);
  }
  refuse(key, "must be one of " + joinNames(names, ", ") + ", and is " +
                  jsonText(value));
}

/// The names of clocks, each with a rate that is assigned later.
void assignClockNames(Clocks &clocks, const Json &value) {
  if (!value.is_object() || value.empty())
    refuse("clocks", "must be an object of names and their MHz");
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (it.key().empty() ||
        it.key().find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") !=
            std::string::npos)
      refuse("clocks", "has the name '" + it.key() +
                           "'; a name is of small letters, digits and _");
    clocks.list.push_back({it.key(), 0});
  }
}

void assignGrid(Fabric &fabric, const Json &value) {
  const std::string key = "fabric.grid";
  if (!value.is_array() || value.empty())
    refuse(key, "must be an array of rows, each a string of unit letters");
  fabric.rows = static_cast<uint32_t>(value.size());
  fabric.columns = 0;
  fabric.units.clear();
  for (uint32_t y = 0; y != fabric.rows; ++y) {
    std::string row = key + "[" + std::to_string(y) + "]";
    if (!value[y].is_string())
      refuse(row,
             std::string("must be a string, and is ") + jsonType(value[y]));
    const std::string &letters = value[y].get_ref<const std::string &>();
    for (size_t x = 0; x != letters.size(); ++x) {
      std::optional<UnitKind> kind = parseUnit(letters[x]);
      if (!kind) {
        unsigned char c = static_cast<unsigned char>(letters[x]);
        refuse(row, "letter " + std::to_string(x + 1) + " is " +
                        (c < 0x80 ? "'" + std::string(1, letters[x]) + "'"
                                  : "not ASCII") +
                        "; a unit is A (FPU-ALU), S (SCU), L (LDST), V (LVU), "
                        "J (SJU) or C (CVU)");
      }
      fabric.units.push_back(*kind);
    }
    if (y == 0)
      fabric.columns = static_cast<uint32_t>(letters.size());
    if (letters.empty() || letters.size() != fabric.columns)
      refuse(row, "has " + std::to_string(letters.size()) +
                      " units, and row 0 has " +
                      std::to_string(fabric.columns));
  }
  if (fabric.columns > 1024 || fabric.rows > 1024)
    refuse(key, "has more than 1024 columns or rows");
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// The value of "l1.ways" in the file's tree.  Nothing if it is not there.
const Json *find(const Json &root, const std::string &key) {
  const Json *node = &root;
  std::istringstream path(key);
  for (std::string part; std::getline(path, part, '.');) {
    if (!node->is_object())
      return nullptr;
    auto it = node->find(part);
    if (it == node->end())
      return nullptr;
    node = &*it;
  }
  return node;
}

const Json &get(const Json &root, const std::string &key) {
  const Json *value = find(root, key);
  if (value)
    return *value;
  // Keys that are needed first may be misspelt.
  std::vector<std::string> names;
  for (auto it = root.begin(); it != root.end(); ++it)
    names.push_back(it.key());
  std::vector<std::string> near = nearNames(key, names);
  refuse(key, near.empty()
                  ? "is missing"
                  : "is missing; is it misspelt as " + near.front() + "?");
}

/// Refuses a key of the file that is neither a parameter nor leads to one.
void checkKeys(const Json &node, const std::string &path,
               const MachineKeys &keys) {
  for (auto it = node.begin(); it != node.end(); ++it) {
    std::string key = path.empty() ? it.key() : path + "." + it.key();
    if (keys.hasParameter(key))
      continue;
    if (!keys.hasSection(key))
      keys.refuse(key, it->is_object());
    if (!it->is_object())
      refuse(key, std::string("must be an object, and is ") + jsonType(*it));
    checkKeys(*it, key, keys);
  }
}

void checkThatClocksAreUsed(const Machine &machine) {
  for (const Clocks::Named &clock : machine.clocks.list)
    if (!isUsed(machine, clock.name))
      refuseUnusedClock(clock.name);
}

Machine build(const Json &root) {
  if (!root.is_object())
    refuse("", "must be an object");
  Machine machine{};
  assign(machine.kind, get(root, "kind"), "kind", Range{});
  assignClockNames(machine.clocks, get(root, "clocks"));
  checkKeys(root, "", MachineKeys(machine));
  assign(machine.name, get(root, "name"), "name", Range{});
  if (hasFabric(machine.kind))
    assignGrid(machine.fabric, get(root, "fabric.grid"));
  visitParameters(machine, [&](const std::string &key, auto &member,
                               Range range, const char *, const char *) {
    assign(member, get(root, key), key, range);
  });
  checkMachine(machine);
  checkThatClocksAreUsed(machine);
  return machine;
}

void assignOne(Machine &machine, const Override &override) {
  Json value = Json::parse(override.value, nullptr, false);
  if (value.is_discarded())
    value = override.value;
  if (override.key == "name")
    return assign(machine.name, value, "name", Range{});
  if (override.key == "kind" || override.key == "base")
    refuse(override.key,
           "cannot be overridden: it says what else the file has; "
           "give another machine");
  if (override.key == "fabric.grid" && hasFabric(machine.kind))
    return assignGrid(machine.fabric, value);
  bool isKnown = false;
  visitParameters(machine, [&](const std::string &key, auto &member,
                               Range range, const char *, const char *) {
    if (key != override.key)
      return;
    assign(member, value, key, range);
    isKnown = true;
  });
  if (!isKnown)
    MachineKeys(machine).refuse(override.key, /*isSection=*/false);
}

//===----------------------------------------------------------------------===//
// A file and its base
//
//   mine.json --base--> micro15-vgiw.json
//
// A base is a machine file of its own.  The file has what the base has, but for its
// name and for what it says itself; if its kind differs, only what a machine of its
// kind has.
//===----------------------------------------------------------------------===//

/// The whole message about a base.
struct BaseRefusal {
  std::string message;
};

/// Takes out of the base what is no parameter of the machine.
void keepParameters(Json &node, const std::string &path,
                    const MachineKeys &keys) {
  for (auto it = node.begin(); it != node.end();) {
    std::string key = path.empty() ? it.key() : path + "." + it.key();
    if (!keys.has(key)) {
      it = node.erase(it);
      continue;
    }
    if (it->is_object())
      keepParameters(*it, key, keys);
    ++it;
  }
}

/// Objects are merged; any other value of `over` replaces that of `tree`.
void mergeInto(Json &tree, const Json &over) {
  for (auto it = over.begin(); it != over.end(); ++it) {
    Json &value = tree[it.key()];
    if (value.is_object() && it->is_object())
      mergeInto(value, *it);
    else
      value = *it;
  }
}

std::string &machineDirectory() {
  static std::string directory;
  return directory;
}

/// The file of a base, which may be named as the installed ones are.
std::string findBase(const std::string &name, const std::string &file) {
  namespace fs = std::filesystem;
  std::string beside = fs::path(file).parent_path().string();
  std::string path = findMachineFile(name, beside.empty() ? "." : beside);
  if (fs::path(path).is_relative() && name == path)
    path = (fs::path(beside) / path).string();
  if (!fs::is_regular_file(path) && !machineDirectory().empty())
    if (std::string installed = findMachineFile(name, machineDirectory());
        installed != name && fs::is_regular_file(installed))
      return installed;
  return path;
}

/// The last file of the chain names `first` as its base, which is in the chain.
[[noreturn]] void refuseCircle(const std::vector<std::string> &chain,
                               const std::string &first) {
  std::string text = chain.back() + ": base: ";
  if (chain.back() == first)
    throw BaseRefusal{text + "is the file itself; name another file"};
  text += "leads back to this file, in the circle ";
  for (auto it = std::ranges::find(chain, first); it != chain.end(); ++it)
    text += *it + " -> ";
  throw BaseRefusal{text + first + "; leave out one of these bases"};
}

/// Takes out of the tree the clocks of the base that no part has any more.  What the
/// file itself names stays, to be refused.
void dropUnusedClocks(Json &tree, const Json &root) {
  auto own = root.find("clocks");
  std::vector<std::string> names;
  if (!tree["clocks"].is_object() || !tree["clock_of"].is_object())
    return; // also to be refused
  for (const Json &name : tree["clock_of"])
    if (name.is_string())
      names.push_back(name);
  for (auto it = tree["clocks"].begin(); it != tree["clocks"].end();) {
    bool isOwn = own != root.end() && own->contains(it.key());
    bool isUsed = std::ranges::find(names, it.key()) != names.end();
    it = isOwn || isUsed ? std::next(it) : tree["clocks"].erase(it);
  }
}

Json readTree(const std::string &file, std::vector<std::string> &chain);

/// A file's tree with that of its base; `chain` has the files that led to it, itself
/// the last.
Json withBase(Json root, std::vector<std::string> &chain) {
  if (!root.is_object() || !root.contains("base"))
    return root;
  const Json given = root["base"];
  root.erase("base");
  std::string name;
  assign(name, given, "base", Range{});
  namespace fs = std::filesystem;
  std::string path = findBase(name, chain.back());
  if (!fs::is_regular_file(path)) {
    std::vector<std::string> names =
        listMachines(fs::path(path).parent_path().string());
    std::ranges::copy(listMachines(machineDirectory()),
                      std::back_inserter(names));
    std::string meant = didYouMean(name, names);
    refuse("base", "is '" + name + "', and there is no file " + path +
                       (meant.empty() ? "; give the base's path" : meant));
  }
  for (const std::string &file : chain)
    if (fs::exists(file) && fs::equivalent(file, path))
      refuseCircle(chain, file);

  Json tree = readTree(path, chain);
  Machine machine{};
  if (root.contains("kind"))
    tree["kind"] = root["kind"];
  assign(machine.kind, tree["kind"], "kind", Range{});
  assignClockNames(machine.clocks, tree["clocks"]);
  keepParameters(tree, "", MachineKeys(machine));
  tree.erase("name");
  mergeInto(tree, root);
  dropUnusedClocks(tree, root);
  return tree;
}

/// The tree of a base, which is a machine.
Json readTree(const std::string &file, std::vector<std::string> &chain) {
  chain.push_back(file);
  try {
    std::optional<std::string> text = readText(file);
    if (!text)
      refuse("", "cannot be read");
    Json tree = withBase(parseJson(*text), chain);
    build(tree);
    chain.pop_back();
    return tree;
  } catch (const Refusal &refusal) {
    std::string message = refusal.message(file);
    for (size_t i = chain.size() - 1; i--;)
      message += (i + 2 == chain.size() ? "; this file is the base of "
                                        : ", which is the base of ") +
                 chain[i];
    throw BaseRefusal{message};
  }
}

/// What `read` makes of the tree of a text and its base; nothing, and a message, if
/// the file is refused.
template <class Read>
auto readMachine(std::string_view text, const std::string &file,
                 std::string &error, Read &&read)
    -> std::optional<decltype(read(Json()))> {
  try {
    std::vector<std::string> chain = {file};
    return read(withBase(parseJson(text), chain));
  } catch (const Refusal &refusal) {
    error = refusal.message(file);
  } catch (const BaseRefusal &refusal) {
    error = refusal.message;
  }
  return std::nullopt;
}

std::optional<std::string> readFile(const std::string &path,
                                    std::string &error) {
  std::optional<std::string> text = readText(path);
  if (!text)
    error = path + ": cannot be read";
  return text;
}

} // namespace

void setMachineDirectory(std::string directory) {
  machineDirectory() = std::move(directory);
}

std::optional<Machine> Machine::parse(std::string_view text,
                                      const std::string &file,
                                      std::string &error) {
  return readMachine(text, file, error, build);
}

std::optional<Machine> Machine::load(const std::string &path,
                                     std::string &error) {
  std::optional<std::string> text = readFile(path, error);
  return text ? parse(*text, path, error) : std::nullopt;
}

std::optional<std::string> Machine::wholeText(const std::string &path,
                                              std::string &error) {
  std::optional<std::string> text = readFile(path, error);
  if (!text)
    return std::nullopt;
  return readMachine(*text, path, error, [](const Json &tree) {
    build(tree);
    return tree.dump(1) + "\n";
  });
}

std::optional<Machine> Machine::load(const std::string &path,
                                     std::span<const MachineKind> kinds,
                                     std::string &error) {
  std::optional<Machine> machine = load(path, error);
  if (!machine || std::ranges::find(kinds, machine->kind) != kinds.end())
    return machine;
  std::vector<std::string> names;
  for (MachineKind kind : kinds)
    names.emplace_back(nameOf(kind));
  error = path + ": kind: must be " + (names.size() == 1 ? "" : "one of ") +
          joinNames(names, ", ") + " for this target, and is \"" +
          std::string(nameOf(machine->kind)) +
          "\"; give a machine of this kind, or another target";
  return std::nullopt;
}

bool Machine::set(std::span<const Override> overrides, std::string &error) {
  try {
    Machine changed = *this;
    for (const Override &override : overrides)
      assignOne(changed, override);
    checkMachine(changed);
    // The machine may keep a clock that it no longer uses, but that has no rate to
    // be set.
    for (const Override &override : overrides)
      if (override.key.starts_with("clocks.") &&
          !isUsed(changed, override.key.substr(7)))
        refuseUnusedClock(override.key.substr(7));
    *this = std::move(changed);
    return true;
  } catch (const Refusal &refusal) {
    error = refusal.key + ": " + refusal.reason;
  }
  return false;
}

bool Machine::set(std::string_view text, std::string &error) {
  std::vector<Override> overrides;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    int depth = 0;
    for (bool isQuoted = false; end != text.size(); ++end) {
      char c = text[end];
      if (c == '"')
        isQuoted = !isQuoted;
      depth += isQuoted ? 0 : (c == '[') - (c == ']');
      if (c == ',' && !isQuoted && depth <= 0)
        break;
    }
    std::string_view one = text.substr(begin, end - begin);
    size_t equals = one.find('=');
    if (equals == 0 || equals == one.npos) {
      error = "'" + std::string(one) + "' is not of the form KEY=VALUE";
      return false;
    }
    overrides.push_back({std::string(one.substr(0, equals)),
                         std::string(one.substr(equals + 1))});
    begin = end + 1;
  }
  return set(overrides, error);
}

std::string findMachineFile(const std::string &given,
                            const std::string &directory) {
  if (given.find('/') != given.npos || given.ends_with(".json"))
    return given;
  return directory + "/" + (given.empty() ? "micro15-vgiw" : given) + ".json";
}

std::vector<std::string> listMachines(const std::string &directory) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto &entry : std::filesystem::directory_iterator(directory, none))
    if (entry.path().extension() == ".json")
      names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<ParameterText> listParameters(const Machine &machine) {
  std::vector<ParameterText> list;
  visitParameters(machine, [&](const std::string &key, const auto &member,
                               Range, const char *unit, const char *what) {
    std::string value;
    if constexpr (std::is_same_v<std::decay_t<decltype(member)>, bool>)
      value = member ? "true" : "false";
    else if constexpr (std::is_same_v<std::decay_t<decltype(member)>,
                                      std::string>)
      value = '"' + member + '"';
    else if constexpr (std::is_enum_v<std::decay_t<decltype(member)>>)
      value =
          '"' + std::string(namesOf(member)[static_cast<size_t>(member)]) + '"';
    else
      value = std::to_string(member);
    list.push_back({key, value, unit, what});
  });
  return list;
}

} // namespace chansim
