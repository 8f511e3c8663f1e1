//===- ConfigurationReader.cpp - Reads and checks a configuration ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fabric/Configuration.h"
#include "fabric/Routes.h"

#include <algorithm>
#include <bit>
#include <set>

namespace chansim {
namespace {

constexpr uint64_t kMaxWord = ~uint64_t(0);
/// Of sizes and counts in a configuration.
constexpr uint64_t kMaxCount = 1 << 30;

uint32_t small(const Field &field, uint64_t least, uint64_t greatest) {
  return static_cast<uint32_t>(field.number(least, greatest));
}

/// A number less than `count`, which is how many `what` there are.
uint32_t indexOf(const Field &field, size_t count, const std::string &what) {
  uint64_t index = field.number(0, kMaxWord);
  if (index >= count)
    field.refuse("is " + std::to_string(index) + ", and there are " +
                 std::to_string(count) + " " + what);
  return static_cast<uint32_t>(index);
}

class Reader {
public:
  Reader(const Machine &machine) : machine(machine) {}
  Configuration read(const Field &root);

private:
  void checkHeader(const Field &root) const;
  Kernel readKernel(const Field &field);
  LaunchKind readLaunch(const Field &field, bool consumes) const;
  void readGroups(const Field &field, Kernel &kernel) const;
  void refuseVectors(const Field &blocks, size_t vectors) const;
  void refuseBarriers(const Field &successors, const Block &block) const;
  Parameter readParameter(const Field &field) const;
  void readComputation(const Field &field, Parameter &parameter) const;
  Block readBlock(const Field &field, uint32_t id, uint32_t blocks);
  Successor readSuccessor(const Field &field, uint32_t blocks) const;
  Unit readUnit(const Field &field, size_t successors) const;
  AddressMode readAddress(const Field &field) const;
  void checkAddress(const Field &field, const Unit &unit) const;
  void readInputs(const Field &field, Unit &unit, bool chooses) const;
  uint64_t readConstant(const Field &field, unsigned bits) const;
  Input readInput(const Field &field, const Unit &unit, uint32_t index) const;
  void readRegisters(const Field &field);
  void readLines(const Field &field);

  const Machine &machine;
  Configuration result;
  /// Of the kernel being read, as far as they are known.
  uint32_t parameters = 0, liveValues = 0;
};

void Reader::checkHeader(const Field &root) const {
  root.object({"format", "version", "machine", "fabric", "symbols", "kernels",
               "registers", "lines"});
  if (root["format"].string() != "cilk2chan-vgiw")
    root["format"].refuse("is '" + std::string(root["format"].string()) +
                          "', and must be 'cilk2chan-vgiw'");
  if (!hasFabric(machine.kind))
    root["format"].refuse("is for machines of kind 'vgiw' or 'sgmf', and '" +
                          machine.name + "' is of kind '" +
                          std::string(nameOf(machine.kind)) +
                          "'; compile for this machine: --target=simt");
  if (uint64_t version = root["version"].number(0, kMaxWord); version != 1)
    root["version"].refuse("is " + std::to_string(version) +
                           "; this simulator reads version 1");
  std::string made(root["machine"].string());
  if (root["fabric"].string() != machine.fabric.hash())
    root["fabric"].refuse("is " + std::string(root["fabric"].string()) +
                          ", of machine '" + made + "', and the fabric of '" +
                          machine.name + "' is " + machine.fabric.hash() +
                          "; compile for this machine, by --machine");
}

Configuration Reader::read(const Field &root) {
  checkHeader(root);
  Field symbols = root["symbols"];
  for (uint32_t i = 0; i != symbols.size(); ++i) {
    if (symbols.at(i).string().empty())
      symbols.at(i).refuse("is empty; a symbol has a name");
    result.symbols.emplace_back(symbols.at(i).string());
  }
  Field kernels = root["kernels"];
  for (uint32_t i = 0; i != kernels.size(); ++i) {
    Field kernel = kernels.at(i);
    result.kernels.push_back(readKernel(kernel));
  }
  if (std::optional<Field> registers = root.find("registers"))
    readRegisters(*registers);
  if (std::optional<Field> lines = root.find("lines"))
    readLines(*lines);
  return std::move(result);
}

Kernel Reader::readKernel(const Field &field) {
  field.object({"name", "source", "consumes", "launch", "parameters",
                "live_values", "private_bytes", "groups", "blocks"});
  Kernel kernel;
  kernel.name = field["name"].string();
  if (kernel.name.empty())
    field["name"].refuse("is empty");
  kernel.source = field["source"].string();
  if (Field consumes = field["consumes"]; !consumes.json().is_null())
    kernel.consumes = indexOf(consumes, result.symbols.size(), "symbols");
  if (std::optional<Field> launch = field.find("launch"))
    kernel.launch = readLaunch(*launch, kernel.consumes.has_value());
  Field list = field["parameters"];
  for (uint32_t i = 0; i != list.size(); ++i) {
    Field parameter = list.at(i);
    // Computed ones take earlier ones.
    parameters = i;
    kernel.parameters.push_back(readParameter(parameter));
  }
  parameters = list.size();
  liveValues = kernel.liveValues = small(field["live_values"], 0, kMaxCount);
  kernel.privateBytes = field["private_bytes"].number(0, kMaxCount);
  if (std::optional<Field> groups = field.find("groups"))
    readGroups(*groups, kernel);

  Field blocks = field["blocks"];
  if (!blocks.size())
    blocks.refuse("is empty; a kernel has an entry block");
  if (machine.kind == MachineKind::sgmf && blocks.size() != 1)
    blocks.refuse("has " + std::to_string(blocks.size()) +
                  " blocks; on a machine of kind 'sgmf' a kernel is one graph");
  refuseVectors(blocks, blocks.size());
  for (uint32_t id = 0; id != blocks.size(); ++id) {
    Field block = blocks.at(id);
    kernel.blocks.push_back(readBlock(block, id, blocks.size()));
    if (!kernel.groupThreads)
      refuseBarriers(block["successors"], kernel.blocks.back());
  }
  refuseVectors(blocks, kernel.vectors());
  return kernel;
}

void Reader::refuseVectors(const Field &blocks, size_t vectors) const {
  if (machine.kind == MachineKind::vgiw &&
      !tileThreads(machine.control, vectors))
    blocks.refuse("has " + std::to_string(blocks.size()) + " blocks and " +
                  std::to_string(vectors - blocks.size()) +
                  " that follow barriers; control.cvt_bits of the machine "
                  "leaves less than a word of threads for each");
}

void Reader::refuseBarriers(const Field &successors, const Block &block) const {
  for (uint32_t i = 0; i != successors.size(); ++i)
    if (block.successors[i].kind == Successor::Kind::barrier)
      successors.at(i).refuse("is a barrier, and the kernel has no 'groups'");
}

/// {"threads": n, "bytes": n}
void Reader::readGroups(const Field &field, Kernel &kernel) const {
  field.object({"threads", "bytes"});
  kernel.groupThreads = small(field["threads"], 1, kMaxGroupThreads);
  if (!std::has_single_bit(kernel.groupThreads))
    field["threads"].refuse("is " + std::to_string(kernel.groupThreads) +
                            ", and must be a power of two");
  kernel.groupBytes = field["bytes"].number(0, kMaxCount);
  if (kernel.launch == LaunchKind::elements)
    field.refuse("is given, and the kernel is not launched for ranges");
}

LaunchKind Reader::readLaunch(const Field &field, bool consumes) const {
  static constexpr std::string_view names[] = {"elements", "range", "ranges"};
  auto found = std::find(std::begin(names), std::end(names), field.string());
  if (found == std::end(names))
    field.refuse("is '" + std::string(field.string()) +
                 "', and must be 'elements', 'range' or 'ranges'");
  auto launch = static_cast<LaunchKind>(found - std::begin(names));
  if (launch != LaunchKind::elements && !consumes)
    field.refuse("is '" + std::string(field.string()) +
                 "', and the kernel consumes no stack with ranges");
  return launch;
}

void Reader::readComputation(const Field &field, Parameter &parameter) const {
  Field name = field["operation"];
  parameter.operation = findOperation(name.string());
  if (!parameter.operation || parameter.operation->unit != UnitKind::compute)
    name.refuse("is '" + std::string(name.string()) +
                "', which is no operation of compute units");
  Field operands = field["operands"];
  if (operands.size() != parameter.operation->operands)
    operands.refuse("has " + std::to_string(operands.size()) +
                    " elements, and the operation has " +
                    std::to_string(parameter.operation->operands) +
                    " operands");
  for (uint32_t i = 0; i != operands.size(); ++i) {
    Field operand = operands.at(i);
    operand.object({"const", "param"});
    if (operand.json().size() != 1)
      operand.refuse("must be {\"const\": n} or {\"param\": n}");
    if (std::optional<Field> constant = operand.find("const"))
      parameter.operands.push_back(
          {false,
           readConstant(*constant, parameter.operation->operandBits(i))});
    else
      parameter.operands.push_back(
          {true, indexOf(operand["param"], parameters, "earlier parameters")});
  }
}

Parameter Reader::readParameter(const Field &field) const {
  struct Kind {
    std::string_view name;
    Parameter::Kind kind;
    /// The key of its number; none if empty.
    std::string_view number;
    bool hasStack;
  };
  static constexpr Kind kinds[] = {
      {"argument", Parameter::Kind::argument, "argument", false},
      {"field", Parameter::Kind::field, "field", false},
      {"column", Parameter::Kind::column, "field", true},
      {"control", Parameter::Kind::control, "", true},
      {"frames", Parameter::Kind::frames, "size", false},
      {"level", Parameter::Kind::level, "", false},
      {"capture", Parameter::Kind::capture, "field", false},
      {"private", Parameter::Kind::isPrivate, "", false},
      {"computed", Parameter::Kind::computed, "", false},
      {"group", Parameter::Kind::group, "", false}};

  field.object({"kind", "argument", "field", "size", "stack", "level",
                "operation", "operands"});
  std::string_view name = field["kind"].string();
  const Kind *kind = std::find_if(
      std::begin(kinds), std::end(kinds),
      [&](const Kind &candidate) { return candidate.name == name; });
  if (kind == std::end(kinds))
    field["kind"].refuse("is '" + std::string(name) +
                         "', which is no kind of parameter");
  Parameter parameter{.kind = kind->kind};
  if (!kind->number.empty())
    parameter.number = field[kind->number].number(
        parameter.kind == Parameter::Kind::frames ? 1 : 0, kMaxWord);
  if (kind->hasStack) {
    parameter.stack = indexOf(field["stack"], result.symbols.size(), "symbols");
    parameter.level = field["level"].number(0, kMaxWord);
  }
  bool isComputed = parameter.kind == Parameter::Kind::computed;
  if (isComputed)
    readComputation(field, parameter);
  for (std::string_view key : {"argument", "field", "size", "stack", "level",
                               "operation", "operands"}) {
    bool isItsOwn = key == kind->number ||
                    (kind->hasStack && (key == "stack" || key == "level")) ||
                    (isComputed && (key == "operation" || key == "operands"));
    if (std::optional<Field> member = field.find(key); member && !isItsOwn)
      member->refuse("is no key of a parameter of kind '" + std::string(name) +
                     "'");
  }
  return parameter;
}

Block Reader::readBlock(const Field &field, uint32_t id, uint32_t blocks) {
  field.object({"id", "replicas", "successors", "units", "switches"});
  if (uint64_t given = field["id"].number(0, kMaxWord); given != id)
    field["id"].refuse("is " + std::to_string(given) + ", and must be " +
                       std::to_string(id) + ", the block's place in the list");
  Block block{};
  block.replicas = small(field["replicas"], 1, machine.fabric.replicas);
  Field successors = field["successors"];
  if (successors.size() < 1 || successors.size() > 2)
    successors.refuse("has " + std::to_string(successors.size()) +
                      " elements; a block has one successor or two");
  for (uint32_t i = 0; i != successors.size(); ++i) {
    Field successor = successors.at(i);
    block.successors.push_back(readSuccessor(successor, blocks));
  }
  Field units = field["units"];
  for (uint32_t i = 0; i != units.size(); ++i) {
    Field unit = units.at(i);
    block.units.push_back(readUnit(unit, successors.size()));
  }
  Routes(machine.fabric, block, field).trace();
  return block;
}

Successor Reader::readSuccessor(const Field &field, uint32_t blocks) const {
  if (field.json().is_string()) {
    if (field.string() != "exit")
      field.refuse("is '" + std::string(field.string()) +
                   "'; a successor is a block's ID, \"exit\", "
                   "{\"yield\": ID} or {\"barrier\": ID}");
    return {Successor::Kind::exit, 0};
  }
  if (field.json().is_object()) {
    field.object({"yield", "barrier"});
    if (std::optional<Field> barrier = field.find("barrier")) {
      if (std::optional<Field> yield = field.find("yield"))
        yield->refuse("is given beside 'barrier'");
      return {Successor::Kind::barrier, indexOf(*barrier, blocks, "blocks")};
    }
    return {Successor::Kind::yield, indexOf(field["yield"], blocks, "blocks")};
  }
  return {Successor::Kind::block, indexOf(field, blocks, "blocks")};
}

Unit Reader::readUnit(const Field &field, size_t successors) const {
  Unit unit{};
  Field at = field["at"];
  unit.at = parsePlace(at, machine.fabric);
  std::string name(field["op"].string());
  unit.operation = findOperation(name);
  if (!unit.operation)
    field["op"].refuse("is '" + name + "', which is no operation");
  if (unit.operation->isOfBranches() && machine.kind != MachineKind::sgmf)
    field["op"].refuse("is '" + name +
                       "', which only machines of kind 'sgmf' have");
  if (isOfLanes(unit.operation->action))
    field["op"].refuse("is '" + name + "', which only SIMT cores have");
  if (UnitKind kind = machine.fabric.kind(unit.at);
      kind != unit.operation->unit)
    field["op"].refuse("is '" + name + "', which " +
                       std::string(unitName(unit.operation->unit)) +
                       " units do, and at " + placeText(unit.at) +
                       " is of kind " + std::string(unitName(kind)));
  switch (unit.operation->action) {
  case Action::liveLoad:
  case Action::liveStore:
    field.object({"at", "op", "in", "out", "live"});
    unit.number = indexOf(field["live"], liveValues, "live values");
    break;
  case Action::heapCall:
  case Action::syscall:
    field.object({"at", "op", "in", "out", "call"});
    unit.number = indexOf(field["call"], result.symbols.size(), "symbols");
    break;
  default:
    if (!unit.operation->hasAddressModes()) {
      field.object({"at", "op", "in", "out"});
      break;
    }
    field.object({"at", "op", "in", "out", "address"});
    if (std::optional<Field> address = field.find("address"))
      unit.address = readAddress(*address);
  }
  bool isMerge = unit.operation->action == Action::merge;
  bool chooses = unit.operation->action == Action::terminate && successors == 2;
  readInputs(field["in"], unit, chooses);
  if (std::optional<Field> address = field.find("address"))
    checkAddress(*address, unit);
  if (isMerge && unit.tokens() != unit.inputs.size())
    field["in"].refuse("are of a merge, which takes tokens alone");
  if (chooses && unit.inputs.empty())
    field["in"].refuse("has no condition, which chooses one of two successors");

  Field out = field["out"];
  if (out.size() > machine.fabric.maxFanout)
    out.refuse("has " + std::to_string(out.size()) +
               " ports; a result leaves by at most " +
               std::to_string(machine.fabric.maxFanout) +
               " (fabric.max_fanout), more take a split");
  for (uint32_t i = 0; i != out.size(); ++i) {
    Port port = parsePort(out.at(i));
    if (std::find(unit.outputs.begin(), unit.outputs.end(), port) !=
        unit.outputs.end())
      out.at(i).refuse("stands twice; a link carries one net");
    unit.outputs.push_back(port);
  }
  return unit;
}

/// {"index": "i64", "scale": 4, "offset": 8}, any of them
AddressMode Reader::readAddress(const Field &field) const {
  field.object({"index", "scale", "offset"});
  AddressMode mode;
  if (std::optional<Field> index = field.find("index")) {
    using Extend = AddressMode::Extend;
    std::string name(index->string());
    mode.hasIndex = true;
    if (name == "sext.i32")
      mode.extend = Extend::sign;
    else if (name == "zext.i32")
      mode.extend = Extend::zero;
    else if (name != "i64")
      index->refuse("is '" + name +
                    "', and must be 'i64', 'sext.i32' or 'zext.i32'");
  }
  if (std::optional<Field> scale = field.find("scale")) {
    mode.scale = small(*scale, 1, kMaxScale);
    if (!std::has_single_bit(mode.scale))
      scale->refuse("is " + std::to_string(mode.scale) +
                    ", which is no power of two");
    if (!mode.hasIndex)
      scale->refuse("is of an index, and there is none");
  }
  if (std::optional<Field> offset = field.find("offset"))
    mode.offset = offset->word();
  return mode;
}

/// Whether the machine has the mode.
void Reader::checkAddress(const Field &field, const Unit &unit) const {
  AddressModes needed = AddressModes::offset;
  if (unit.address.hasIndex) {
    bool bothCome = unit.inputs[0].kind == Input::Kind::token &&
                    unit.inputs[1].kind == Input::Kind::token;
    if (bothCome || unit.address.scale != 1 ||
        unit.address.extend != AddressMode::Extend::none)
      needed = AddressModes::scaled;
  }
  AddressModes given = machine.fabric.addressModes;
  if (needed > given)
    field.refuse("needs the address modes '" +
                 std::string(namesOf(needed)[size_t(needed)]) +
                 "', and the machine '" + machine.name + "' has '" +
                 std::string(namesOf(given)[size_t(given)]) +
                 "' (fabric.address_modes); compile for this machine");
}

/// `chooses`: the first input is a condition.
void Reader::readInputs(const Field &field, Unit &unit, bool chooses) const {
  const Operation &operation = *unit.operation;
  uint32_t count = field.size();
  if (count < unit.operands())
    field.refuse("has " + std::to_string(count) + " inputs; " + operation.name +
                 " has " + std::to_string(unit.operands()) + " operands" +
                 (unit.address.hasIndex ? ", its index among them" : ""));
  for (uint32_t i = 0; i != count; ++i) {
    Field element = field.at(i);
    Input input = readInput(element, unit, i);
    bool isToken = input.kind == Input::Kind::token;
    bool isCondition = chooses && i == 0;
    if (!isToken && i >= unit.operands() && !isCondition)
      element.refuse(
          "is no token; what comes after the operands is waited for");
    for (uint32_t j = 0; isToken && j != i; ++j)
      if (unit.inputs[j].kind == Input::Kind::token &&
          unit.inputs[j].port == input.port)
        element.refuse("is the link of in[" + std::to_string(j) + "]");
    unit.inputs.push_back(input);
    if (unit.tokens() > kTokens)
      element.refuse("is a token too many; an entry of a token buffer holds " +
                     std::to_string(kTokens));
  }
  bool isFirst = operation.action == Action::initiate;
  if (isFirst && count)
    field.refuse("is of an initiator, which has no inputs");
  if (!isFirst && !unit.tokens())
    field.refuse("has no token; the unit would never start");
}

/// Zero- or sign-extended in the file.
uint64_t Reader::readConstant(const Field &field, unsigned bits) const {
  uint64_t word = field.word();
  uint64_t high = bits == 64 ? 0 : word >> bits;
  bool isNegative = field.json().is_number_unsigned() == false &&
                    static_cast<int64_t>(word) >> (bits - 1) == -1;
  if (high && !isNegative)
    field.refuse("is " + field.json().dump() + ", which does not fit into " +
                 std::to_string(bits) + " bits");
  return word & (kMaxWord >> (64 - bits));
}

Input Reader::readInput(const Field &field, const Unit &unit,
                        uint32_t index) const {
  if (field.json().is_string())
    return {Input::Kind::token, parsePort(field), 0, 0};
  field.object({"const", "symbol", "param", "offset"});
  if (field.json().size() - (field.find("offset") ? 1 : 0) != 1)
    field.refuse("must be a port, {\"const\": n}, {\"symbol\": n} or "
                 "{\"param\": n}");
  if (std::optional<Field> constant = field.find("const")) {
    if (field.find("offset"))
      field["offset"].refuse("is no key beside a constant");
    return {Input::Kind::constant,
            {},
            0,
            readConstant(*constant, unit.bits(index))};
  }
  std::optional<Field> offset = field.find("offset");
  // A parameter without an offset may be a short word.
  if (unsigned bits = unit.bits(index);
      bits != 64 && (offset || field.find("symbol")))
    field.refuse("is a word of 64 bits, and the operand has " +
                 std::to_string(bits));
  uint64_t added = offset ? offset->word() : 0;
  if (std::optional<Field> symbol = field.find("symbol"))
    return {Input::Kind::symbol,
            {},
            indexOf(*symbol, result.symbols.size(), "symbols"),
            added};
  return {Input::Kind::parameter,
          {},
          indexOf(field["param"], parameters, "parameters"),
          added};
}

/// For each kernel: a number for each block.
void Reader::readRegisters(const Field &field) {
  auto check = [](const Field &list, size_t size, const char *what) {
    if (list.size() != size)
      list.refuse("has " + std::to_string(list.size()) +
                  " elements, and there are " + std::to_string(size) + " " +
                  what);
  };
  check(field, result.kernels.size(), "kernels");
  for (uint32_t i = 0; i != field.size(); ++i) {
    std::vector<Block> &blocks = result.kernels[i].blocks;
    Field kernel = field.at(i);
    check(kernel, blocks.size(), "blocks");
    for (uint32_t id = 0; id != blocks.size(); ++id)
      blocks[id].registerAccesses = small(kernel.at(id), 0, kMaxCount);
  }
}

/// [{"kernel": n, "block": ID, "lines": [a text for each unit]}, ...]
void Reader::readLines(const Field &field) {
  std::set<const Block *> given;
  for (uint32_t i = 0; i != field.size(); ++i) {
    Field element = field.at(i);
    element.object({"kernel", "block", "lines"});
    Kernel &kernel = result.kernels[indexOf(element["kernel"],
                                            result.kernels.size(), "kernels")];
    Block &block =
        kernel
            .blocks[indexOf(element["block"], kernel.blocks.size(), "blocks")];
    if (!given.insert(&block).second)
      element["block"].refuse("has its lines already");
    Field lines = element["lines"];
    if (lines.size() != block.units.size())
      lines.refuse("has " + std::to_string(lines.size()) +
                   " elements, and the block " +
                   std::to_string(block.units.size()) + " units");
    for (uint32_t unit = 0; unit != block.units.size(); ++unit)
      block.units[unit].line = lines.at(unit).string();
  }
}

} // namespace

uint32_t Unit::tokens() const {
  return static_cast<uint32_t>(
      std::count_if(inputs.begin(), inputs.end(), [](const Input &input) {
        return input.kind == Input::Kind::token;
      }));
}

unsigned Unit::bits(uint32_t input) const {
  if (std::optional<uint32_t> operand = operandOf(input))
    return operation->operandBits(*operand);
  return address.extend == AddressMode::Extend::none ? 64 : 32;
}

size_t Kernel::vectors() const {
  std::vector<bool> waits(blocks.size());
  for (const Block &block : blocks)
    for (const Successor &to : block.successors)
      if (to.kind == Successor::Kind::barrier)
        waits[to.block] = true;
  return blocks.size() +
         static_cast<size_t>(std::count(waits.begin(), waits.end(), true));
}

uint32_t tileThreads(const ControlParameters &control, size_t vectors) {
  uint64_t threads = control.cvtBits / vectors / 64 * 64;
  return static_cast<uint32_t>(std::min<uint64_t>(threads, kMaxTileThreads));
}

uint32_t tileThreads(const Machine &machine, const Kernel &kernel) {
  if (machine.kind == MachineKind::sgmf)
    return kMaxTileThreads;
  uint32_t threads = tileThreads(machine.control, kernel.vectors());
  if (machine.control.tileLimit == TileLimit::cvt || !kernel.liveValues)
    return threads;
  uint32_t fitting =
      machine.lvc.bytes / kLiveBytes / kernel.liveValues / 64 * 64;
  return std::min(threads, std::max(fitting, 64u));
}

std::optional<Configuration> Configuration::parse(std::string_view text,
                                                  const std::string &file,
                                                  const Machine &machine,
                                                  std::string &error) {
  try {
    Json json = parseJson(text);
    return Reader(machine).read(Field(json));
  } catch (const Refusal &refusal) {
    error = refusal.message(file);
  }
  return std::nullopt;
}

} // namespace chansim
