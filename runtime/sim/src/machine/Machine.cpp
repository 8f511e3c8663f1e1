//===- Machine.cpp - The description of a simulated machine ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "machine/Json.h"
#include "machine/MachineTable.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <set>
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
    refuse(key, "is " + value.dump() + ", and must be between " +
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
  std::string names;
  for (size_t i = 0; std::string_view name : namesOf(member)) {
    if (value == name) {
      member = static_cast<E>(i);
      return;
    }
    names += (i++ ? " or " : "") + std::string(name);
  }
  refuse(key, "must be " + names + ", and is " + value.dump());
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
// What must hold between parameters
//===----------------------------------------------------------------------===//

void requirePowerOfTwo(const std::string &key, uint32_t value) {
  if (!std::has_single_bit(value))
    refuse(key, "is " + std::to_string(value) + ", which is no power of two");
}

void checkCache(const CacheParameters &cache, const std::string &prefix) {
  requirePowerOfTwo(prefix + ".line_bytes", cache.lineBytes);
  requirePowerOfTwo(prefix + ".bank_bytes", cache.bankBytes);
  uint64_t setBytes = uint64_t(cache.lineBytes) * cache.ways *
                      (cache.spansBanks() ? 1 : cache.banks);
  if (cache.bytes % setBytes)
    refuse(prefix + ".bytes",
           "is " + std::to_string(cache.bytes) +
               ", which is no multiple of line_bytes x ways" +
               (cache.spansBanks() ? "" : " x banks") + " = " +
               std::to_string(setBytes));
  if (!std::has_single_bit(cache.sets()))
    refuse(prefix + ".bytes", "makes " + std::to_string(cache.sets()) +
                                  " sets" +
                                  (cache.spansBanks() ? "" : " a bank") +
                                  ", which is no power of two");
}

void checkFabric(const Fabric &fabric, bool hasLiveValues) {
  std::array<uint32_t, kUnitKinds> counts = fabric.countUnits();
  for (unsigned kind = 0; kind != kUnitKinds; ++kind)
    if (!counts[kind] &&
        (hasLiveValues || kind != static_cast<unsigned>(UnitKind::liveValue)))
      refuse("fabric.grid",
             std::string("has no ") +
                 std::string(unitName(static_cast<UnitKind>(kind))) +
                 " (letter " + unitLetter(static_cast<UnitKind>(kind)) + ")");
  if (counts[static_cast<unsigned>(UnitKind::control)] < 2)
    refuse("fabric.grid",
           "has one CVU; a block needs two: initiator and terminator");
  if (!fabric.folded)
    return;
  if (fabric.columns < 2 || fabric.rows < 2)
    refuse("fabric.grid", "is folded and has one column or row: its units "
                          "would be their own neighbours");
  if (fabric.switchReach % fabric.columns == 0 ||
      fabric.switchReach % fabric.rows == 0)
    refuse("fabric.switch_reach",
           "is a multiple of the columns or rows of the folded grid: switches "
           "would have links to themselves");
}

/// A warp's registers are in the file while it runs.
void checkRegisters(const SimtParameters &simt) {
  uint64_t warp = uint64_t(4) * simt.lanes * simt.registers;
  if (simt.registerFile < warp)
    refuse(
        "simt.register_file",
        "is " + std::to_string(simt.registerFile) +
            " bytes, and a warp of simt.lanes = " + std::to_string(simt.lanes) +
            " with simt.registers = " + std::to_string(simt.registers) +
            " words each has " + std::to_string(warp));
}

void checkClocks(const Clocks &clocks, const ClockBindings &clockOf) {
  std::string names;
  for (const Clocks::Named &clock : clocks.list)
    names += (names.empty() ? "" : ", ") + clock.name;
  visitClockBindings(clockOf, [&](const std::string &key,
                                  const std::string &name, Range, const char *,
                                  const char *) {
    if (!clocks.find(name))
      refuse(key, "is '" + name + "', and the clocks are " + names);
  });
  if (clocks.ticksPerMicrosecond() > Clocks::kMostTicks)
    refuse("clocks", "have a least common multiple of more than 2^40 MHz, so "
                     "that time cannot be counted in parts of all cycles");
}

void check(const Machine &machine) {
  const bool isVgiw = machine.kind == MachineKind::vgiw;
  checkClocks(machine.clocks, machine.clockOf);
  if (hasFabric(machine.kind))
    checkFabric(machine.fabric, isVgiw);
  else
    checkRegisters(machine.simt);
  // Entries that units free by themselves need graphs without rings.
  if (machine.kind == MachineKind::sgmf &&
      machine.fabric.channelRelease == ChannelRelease::window)
    refuse("fabric.channel_release", "is window, which graphs with loops do "
                                     "not allow; use terminator");
  if (machine.l2.spansBanks())
    refuse("l2.bank_bytes", "is less than a line, which is what an L2 bank "
                            "delivers");
  checkCache(machine.l1, "l1");
  if (isVgiw)
    checkCache(machine.lvc, "lvc");
  checkCache(machine.l2, "l2");
  uint32_t line = machine.l2.lineBytes;
  for (auto [cache, key] : {std::pair(&machine.l1, "l1.line_bytes"),
                            std::pair(&machine.lvc, "lvc.line_bytes")})
    if (cache->lineBytes != line && (isVgiw || cache != &machine.lvc))
      refuse(key, "is " + std::to_string(cache->lineBytes) +
                      ", and l2.line_bytes is " + std::to_string(line));

  for (auto [cache, key] : {std::pair(&machine.l1, "l1.write_policy"),
                            std::pair(&machine.lvc, "lvc.write_policy")})
    if (cache->writePolicy != WritePolicy::fetch && line > kMaskBytes)
      refuse(key,
             "is " +
                 std::string(namesOf(cache->writePolicy)[static_cast<size_t>(
                     cache->writePolicy)]) +
                 ", which has masks for lines of " +
                 std::to_string(kMaskBytes) +
                 " bytes at most, and a line has " + std::to_string(line) +
                 "; use fetch");

  if (isVgiw && machine.lvc.writePolicy == WritePolicy::through)
    refuse("lvc.write_policy", "is through, and the L2 has no live values; use "
                               "fetch or validate");

  for (auto [value, key] :
       {std::pair(machine.memory.frameBytes, "memory.frame_bytes"),
        std::pair(machine.dram.rowBytes, "dram.row_bytes"),
        std::pair(machine.dram.interleaveBytes, "dram.interleave_bytes")}) {
    requirePowerOfTwo(key, value);
    if (value < line)
      refuse(key, "is " + std::to_string(value) +
                      ", which is less than a line of " + std::to_string(line));
  }
  if (line % machine.dram.burstBytes)
    refuse("dram.burst_bytes",
           "does not divide a line of " + std::to_string(line) + " bytes");
  if (machine.dram.banks % machine.dram.bankGroups)
    refuse("dram.bank_groups", "is " + std::to_string(machine.dram.bankGroups) +
                                   ", which does not divide dram.banks = " +
                                   std::to_string(machine.dram.banks));
  if (isVgiw && machine.control.cvtBits % 64)
    refuse("control.cvt_bits", "is no multiple of 64, the size of its words");
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
  if (!value)
    refuse(key, "is missing");
  return *value;
}

/// Of a machine of which the kind and the names of clocks are known.
std::set<std::string> allKeys(const Machine &machine) {
  std::set<std::string> keys = {"name", "kind"};
  if (hasFabric(machine.kind))
    keys.insert("fabric.grid");
  for (const ParameterText &parameter : listParameters(machine))
    keys.insert(parameter.key);
  return keys;
}

[[noreturn]] void refuseUnknown(const std::string &key, MachineKind kind) {
  refuse(key, "is no parameter of a machine of kind '" +
                  std::string(nameOf(kind)) + "'");
}

/// Whether the key is one of these, or leads to one.
bool leadsTo(const std::set<std::string> &keys, const std::string &key) {
  auto next = keys.lower_bound(key + ".");
  return keys.contains(key) ||
         (next != keys.end() && next->starts_with(key + "."));
}

/// Refuses a key of the file that is neither a parameter nor leads to one.
void checkKeys(const Json &node, const std::string &path, MachineKind kind,
               const std::set<std::string> &keys) {
  for (auto it = node.begin(); it != node.end(); ++it) {
    std::string key = path.empty() ? it.key() : path + "." + it.key();
    if (keys.contains(key))
      continue;
    if (!leadsTo(keys, key))
      refuseUnknown(key, kind);
    if (!it->is_object())
      refuse(key, std::string("must be an object, and is ") + jsonType(*it));
    checkKeys(*it, key, kind, keys);
  }
}

Machine build(const Json &root) {
  if (!root.is_object())
    refuse("(file)", "must be an object");
  Machine machine{};
  assign(machine.kind, get(root, "kind"), "kind", Range{});
  assignClockNames(machine.clocks, get(root, "clocks"));
  checkKeys(root, "", machine.kind, allKeys(machine));
  assign(machine.name, get(root, "name"), "name", Range{});
  if (hasFabric(machine.kind))
    assignGrid(machine.fabric, get(root, "fabric.grid"));
  visitParameters(machine, [&](const std::string &key, auto &member,
                               Range range, const char *, const char *) {
    assign(member, get(root, key), key, range);
  });
  check(machine);
  return machine;
}

void assignOne(Machine &machine, const Override &override) {
  Json value = Json::parse(override.value, nullptr, false);
  if (value.is_discarded())
    value = override.value;
  if (override.key == "name")
    return assign(machine.name, value, "name", Range{});
  if (override.key == "kind")
    refuse("kind", "cannot be overridden: it says what else the file has");
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
    refuseUnknown(override.key, machine.kind);
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

/// Whose file it is, and what is wrong with it.
struct FileRefusal {
  std::string file, key, reason;
};

/// Takes out of the base what is no parameter of the machine.
void keepParameters(Json &node, const std::string &path,
                    const std::set<std::string> &keys) {
  for (auto it = node.begin(); it != node.end();) {
    std::string key = path.empty() ? it.key() : path + "." + it.key();
    if (!leadsTo(keys, key)) {
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
  if (!fs::is_regular_file(path))
    refuse("base", "is '" + name + "', and there is no file " + path +
                       "; give the base's path");
  for (const std::string &file : chain)
    if (fs::exists(file) && fs::equivalent(file, path))
      refuse("base", "is '" + name + "', which leads back to " + file);

  Json tree = readTree(path, chain);
  Machine machine{};
  if (root.contains("kind"))
    tree["kind"] = root["kind"];
  assign(machine.kind, tree["kind"], "kind", Range{});
  assignClockNames(machine.clocks, tree["clocks"]);
  keepParameters(tree, "", allKeys(machine));
  tree.erase("name");
  mergeInto(tree, root);
  return tree;
}

/// The tree of a base, which is a machine.
Json readTree(const std::string &file, std::vector<std::string> &chain) {
  chain.push_back(file);
  try {
    std::optional<std::string> text = readText(file);
    if (!text)
      refuse("(file)", "cannot be read");
    Json tree = withBase(parseJson(*text), chain);
    build(tree);
    chain.pop_back();
    return tree;
  } catch (const Refusal &refusal) {
    throw FileRefusal{file, refusal.key, refusal.reason};
  } catch (const Json::exception &exception) {
    throw FileRefusal{file, "(file)",
                      std::string("is no JSON: ") + exception.what()};
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
    error = file + ": " + refusal.key + ": " + refusal.reason;
  } catch (const FileRefusal &refusal) {
    error = refusal.file + ": " + refusal.key + ": " + refusal.reason;
  } catch (const Json::exception &exception) {
    error = file + ": (file): is no JSON: " + exception.what();
  }
  return std::nullopt;
}

std::optional<std::string> readFile(const std::string &path,
                                    std::string &error) {
  std::optional<std::string> text = readText(path);
  if (!text)
    error = path + ": (file): cannot be read";
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
  std::string names;
  for (MachineKind kind : kinds)
    names += (names.empty() ? "'" : " or '") + std::string(nameOf(kind)) + "'";
  error = path + ": kind: is '" + std::string(nameOf(machine->kind)) +
          "', and must be " + names + " for this target";
  return std::nullopt;
}

bool Machine::set(std::span<const Override> overrides, std::string &error) {
  try {
    Machine changed = *this;
    for (const Override &override : overrides)
      assignOne(changed, override);
    check(changed);
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
