//===- Configuration.cpp - What the hardware is told ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Target/VGIW/Configuration.h"

#include "Machine.h"
#include "cilk2chan/Dialect/VGIW/VGIW.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace cilk2chan;
namespace json = llvm::json;

namespace {

class ConfigurationWriter {
public:
  ConfigurationWriter(ModuleOp module, const chansim::Machine &machine)
      : module(module), machine(machine) {}

  json::Object write();
  std::vector<std::string> takeSymbols() { return std::move(symbols); }

private:
  json::Object writeKernel(vgiw::KernelOp kernel);
  json::Object writeBlock(Block &block);
  json::Object writeUnit(Operation &op, vgiw::PlaceAttr place);
  json::Value writeOperand(Value value, ArrayRef<StringAttr> ports,
                           unsigned &slot);
  json::Value writeSuccessor(Block *block);
  unsigned symbol(StringRef name);
  void recordLines(Block &block);

  ModuleOp module;
  const chansim::Machine &machine;
  std::vector<std::string> symbols;
  llvm::StringMap<unsigned> symbolIndex;
  json::Array lines, registers;
  /// Of the kernel being written.
  unsigned kernelIndex = 0;
  llvm::DenseMap<Block *, unsigned> ids;
};

} // namespace

unsigned ConfigurationWriter::symbol(StringRef name) {
  auto [entry, added] = symbolIndex.try_emplace(name, symbols.size());
  if (added)
    symbols.push_back(name.str());
  return entry->second;
}

json::Value ConfigurationWriter::writeOperand(Value value,
                                              ArrayRef<StringAttr> ports,
                                              unsigned &slot) {
  auto withOffset = [](StringRef key, unsigned index, int64_t offset) {
    json::Object object{{key, index}};
    if (offset)
      object["offset"] = offset;
    return object;
  };
  if (auto constant = value.getDefiningOp<vgiw::ConstantOp>()) {
    APInt bits =
        isa<FloatAttr>(constant.getValue())
            ? cast<FloatAttr>(constant.getValue()).getValue().bitcastToAPInt()
            : cast<IntegerAttr>(constant.getValue()).getValue();
    return json::Object{{"const", bits.getZExtValue()}};
  }
  if (auto name = value.getDefiningOp<vgiw::SymbolOp>())
    return withOffset("symbol", symbol(name.getName()), name.getOffset());
  if (auto word = value.getDefiningOp<vgiw::ParameterOp>())
    return withOffset("param", word.getIndex(), word.getOffset());
  return ports[slot++].getValue();
}

json::Object ConfigurationWriter::writeUnit(Operation &op,
                                            vgiw::PlaceAttr place) {
  json::Object unit{
      {"at", json::Array{place.getX(), place.getY()}},
      {"op", cast<vgiw::NodeOpInterface>(op).getMachineOperation()}};
  json::Array in, out;
  unsigned slot = 0;
  for (Value operand : op.getOperands())
    in.push_back(writeOperand(operand, place.getIn(), slot));
  for (StringAttr port : place.getOut())
    out.push_back(port.getValue());
  unit["in"] = std::move(in);
  unit["out"] = std::move(out);
  if (auto load = dyn_cast<vgiw::LiveLoadOp>(op))
    unit["live"] = load.getId();
  if (auto store = dyn_cast<vgiw::LiveStoreOp>(op))
    unit["live"] = store.getId();
  if (auto call = dyn_cast<vgiw::SyscallOp>(op))
    unit["call"] = symbol(call.getThunk());
  return unit;
}

json::Value ConfigurationWriter::writeSuccessor(Block *block) {
  if (!vgiw::isMarker(*block))
    return ids.lookup(block);
  if (auto yield = dyn_cast<vgiw::YieldOp>(block->front()))
    return json::Object{{"yield", ids.lookup(yield.getDest())}};
  return "exit";
}

/// What the hardware does not need: where in the source each unit's work
/// stands.
void ConfigurationWriter::recordLines(Block &block) {
  json::Array places;
  bool any = false;
  unsigned replicas = 0;
  for (Operation &op : block) {
    auto where =
        op.getAttrOfType<ArrayAttr>(vgiw::VGIWDialect::PlacesAttribute);
    if (!where)
      continue;
    replicas = where.size();
    std::string text;
    if (auto line = op.getLoc()->findInstanceOf<FileLineColLoc>()) {
      // A path may be any bytes, but the text of a JSON file may not.
      text = json::fixUTF8(
          (line.getFilename().getValue() + ":" + Twine(line.getLine())).str());
      any = true;
    }
    places.push_back(text);
  }
  if (!any)
    return;
  json::Array all;
  for (unsigned replica = 0; replica < replicas; ++replica)
    for (const json::Value &place : places)
      all.push_back(place);
  lines.push_back(json::Object{{"kernel", kernelIndex},
                               {"block", ids.lookup(&block)},
                               {"lines", std::move(all)}});
}

json::Object ConfigurationWriter::writeBlock(Block &block) {
  Operation *terminator = block.getTerminator();
  SmallVector<std::pair<Operation *, ArrayAttr>> nodes;
  for (Operation &op : block)
    if (auto where =
            op.getAttrOfType<ArrayAttr>(vgiw::VGIWDialect::PlacesAttribute))
      nodes.push_back({&op, where});
  unsigned replicas = nodes.front().second.size();
  json::Array units;
  for (unsigned replica = 0; replica < replicas; ++replica)
    for (auto [op, where] : nodes)
      units.push_back(writeUnit(*op, cast<vgiw::PlaceAttr>(where[replica])));

  json::Array successors;
  if (isa<vgiw::ExitOp>(terminator))
    successors.push_back("exit");
  else if (auto yield = dyn_cast<vgiw::YieldOp>(terminator))
    successors.push_back(json::Object{{"yield", ids.lookup(yield.getDest())}});
  else
    for (Block *next : terminator->getSuccessors())
      successors.push_back(writeSuccessor(next));

  json::Array switches;
  for (auto setting :
       terminator
           ->getAttrOfType<ArrayAttr>(vgiw::VGIWDialect::SwitchesAttribute)
           .getAsRange<vgiw::SwitchAttr>()) {
    json::Array map;
    for (auto [from, to] : llvm::zip(setting.getFrom(), setting.getTo()))
      map.push_back(json::Array{from.getValue(), to.getValue()});
    switches.push_back(
        json::Object{{"at", json::Array{setting.getX(), setting.getY()}},
                     {"map", std::move(map)}});
  }
  recordLines(block);
  return json::Object{{"id", ids.lookup(&block)},
                      {"replicas", replicas},
                      {"successors", std::move(successors)},
                      {"units", std::move(units)},
                      {"switches", std::move(switches)}};
}

json::Object ConfigurationWriter::writeKernel(vgiw::KernelOp kernel) {
  ids.clear();
  for (Block &block : kernel.getBody())
    if (!vgiw::isMarker(block))
      ids.try_emplace(&block, ids.size());
  json::Array parameters, blocks;
  for (auto binding : kernel.getParameters().getAsRange<vgiw::BindingAttr>()) {
    json::Object parameter{
        {"kind", vgiw::stringifyBindingKind(binding.getKind())}};
    switch (binding.getKind()) {
    case vgiw::BindingKind::Argument:
      parameter["argument"] = binding.getNumber();
      break;
    case vgiw::BindingKind::Column:
    case vgiw::BindingKind::Field:
      parameter["field"] = binding.getNumber();
      break;
    case vgiw::BindingKind::Frames:
      parameter["size"] = binding.getNumber();
      break;
    case vgiw::BindingKind::Control:
    case vgiw::BindingKind::Level:
    case vgiw::BindingKind::Private:
      break;
    }
    if (binding.getStack()) {
      parameter["stack"] = symbol(binding.getStack());
      parameter["level"] = binding.getLevel();
    }
    parameters.push_back(std::move(parameter));
  }
  json::Array accesses;
  for (Block &block : kernel.getBody())
    if (!vgiw::isMarker(block)) {
      blocks.push_back(writeBlock(block));
      auto count = block.getTerminator()->getAttrOfType<IntegerAttr>(
          vgiw::VGIWDialect::RegistersAttribute);
      accesses.push_back(count ? count.getInt() : 0);
    }
  registers.push_back(std::move(accesses));
  json::Value consumes = nullptr;
  if (kernel.getConsumes())
    consumes = symbol(*kernel.getConsumes());
  return json::Object{{"name", kernel.getSymName().split(".device.").first},
                      {"source", kernel.getSource().value_or("")},
                      {"consumes", std::move(consumes)},
                      {"parameters", std::move(parameters)},
                      {"live_values", kernel.getLiveValues()},
                      {"private_bytes", kernel.getPrivateBytes()},
                      {"blocks", std::move(blocks)}};
}

json::Object ConfigurationWriter::write() {
  json::Array kernels;
  for (auto kernel : module.getOps<vgiw::KernelOp>()) {
    kernels.push_back(writeKernel(kernel));
    ++kernelIndex;
  }
  json::Object result{
      {"format", "cilk2chan-vgiw"},      {"version", 1},
      {"machine", machine.name},         {"fabric", machine.fabric.hash()},
      {"symbols", json::Array(symbols)}, {"kernels", std::move(kernels)}};
  result["registers"] = std::move(registers);
  if (!lines.empty())
    result["lines"] = std::move(lines);
  return result;
}

std::vector<std::string>
cilk2chan::emitConfiguration(ModuleOp module, const chansim::Machine &machine,
                             llvm::raw_ostream &os) {
  ConfigurationWriter writer(module, machine);
  os << json::Value(writer.write()) << '\n';
  return writer.takeSymbols();
}

void cilk2chan::registerConfigurationTranslation() {
  static llvm::cl::opt<std::string> machineFile(
      "machine", llvm::cl::desc("the machine file, for vgiw-to-configuration"));
  static TranslateFromMLIRRegistration registration(
      "vgiw-to-configuration", "placed vgiw kernels as a configuration",
      [](ModuleOp module, llvm::raw_ostream &os) -> LogicalResult {
        std::string problem;
        std::optional<chansim::Machine> machine =
            chansim::Machine::load(machineFile, problem);
        if (!machine)
          return module.emitError(problem);
        for (auto kernel : module.getOps<vgiw::KernelOp>())
          if (kernel.getStage() != vgiw::Stage::Placed)
            return kernel.emitError("is in stage '")
                   << vgiw::stringifyStage(kernel.getStage())
                   << "', not in 'placed'";
        emitConfiguration(module, *machine, os);
        return success();
      },
      [](DialectRegistry &registry) { registry.insert<vgiw::VGIWDialect>(); });
}
