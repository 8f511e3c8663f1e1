//===- Configuration.cpp - What the hardware is told ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes placed kernels as the configuration that the simulator loads (JSON,
// see docs/Configuration.md). An operation with its place becomes a unit:
//
//   %3 = vgiw.add %1, %2 {vgiw.places = [#vgiw.place<x = 4, y = 2, ...>]}
//
// becomes
//
//   {"x": 4, "y": 2, "op": "add.i32", "in": ["w", "n"], "out": ["e"], ...}
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Target/VGIW/Configuration.h"

#include "cilk2chan/Dialect/VGIW/Netlists.h"
#include "cilk2chan/Dialect/VGIW/VGIW.h"
#include "machine/Machine.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace cilk2chan;

namespace {

/// Writes value by value: as a tree, the configuration of a large program is
/// hundreds of megabytes.
class ConfigurationWriter {
public:
  ConfigurationWriter(ModuleOp module, const chansim::Machine &machine,
                      llvm::raw_ostream &os)
      : module(module), machine(machine), json(os) {}

  void write();
  std::vector<std::string> takeSymbols() { return std::move(symbols); }

private:
  using IDs = llvm::DenseMap<Block *, unsigned>;

  void writeKernel(vgiw::KernelOp kernel);
  void writeOperand(TypedAttr operand);
  void writeParameter(vgiw::BindingAttr binding);
  void writeBlock(Block &block, const IDs &ids);
  void writeUnit(Operation &op, vgiw::PlaceAttr place);
  void writeOperand(Value value, ArrayRef<StringAttr> ports, unsigned &slot);
  void writeAddress(vgiw::AddressedOpInterface op);
  void writeSuccessor(Block *block, const IDs &ids);
  void writeSwitch(vgiw::SwitchAttr setting);
  void writePosition(int64_t x, int64_t y);
  void writeRegisters(vgiw::KernelOp kernel);
  void writeLines(unsigned kernel, unsigned id, Block &block);
  unsigned symbol(StringRef name);

  ModuleOp module;
  const chansim::Machine &machine;
  llvm::json::OStream json;
  std::vector<std::string> symbols;
  llvm::StringMap<unsigned> symbolIndex;
};

/// The blocks that the machine runs, in the order of their IDs.
SmallVector<Block *> blocksOf(vgiw::KernelOp kernel) {
  return llvm::to_vector(llvm::make_filter_range(
      llvm::make_pointer_range(kernel.getBody()),
      [](Block *block) { return !vgiw::isMarker(*block); }));
}

/// The nodes with a place, for each replica one.
SmallVector<std::pair<Operation *, ArrayAttr>> placedNodes(Block &block) {
  SmallVector<std::pair<Operation *, ArrayAttr>> nodes;
  for (Operation &op : block)
    if (auto places =
            op.getAttrOfType<ArrayAttr>(vgiw::VGIWDialect::PlacesAttribute))
      nodes.push_back({&op, places});
  return nodes;
}

} // namespace

unsigned ConfigurationWriter::symbol(StringRef name) {
  auto [entry, added] = symbolIndex.try_emplace(name, symbols.size());
  if (added)
    symbols.push_back(name.str());
  return entry->second;
}

void ConfigurationWriter::writePosition(int64_t x, int64_t y) {
  json.attributeArray("at", [&] {
    json.value(x);
    json.value(y);
  });
}

static uint64_t bitsOf(Attribute constant) {
  APInt bits = isa<FloatAttr>(constant)
                   ? cast<FloatAttr>(constant).getValue().bitcastToAPInt()
                   : cast<IntegerAttr>(constant).getValue();
  return bits.getZExtValue();
}

void ConfigurationWriter::writeOperand(Value value, ArrayRef<StringAttr> ports,
                                       unsigned &slot) {
  auto withOffset = [&](StringRef key, unsigned index, int64_t offset) {
    json.object([&] {
      json.attribute(key, index);
      if (offset)
        json.attribute("offset", offset);
    });
  };
  if (auto constant = value.getDefiningOp<vgiw::ConstantOp>()) {
    json.object([&] { json.attribute("const", bitsOf(constant.getValue())); });
  } else if (auto name = value.getDefiningOp<vgiw::SymbolOp>()) {
    withOffset("symbol", symbol(name.getName()), name.getOffset());
  } else if (auto word = value.getDefiningOp<vgiw::ParameterOp>()) {
    withOffset("param", word.getIndex(), word.getOffset());
  } else {
    json.value(ports[slot++].getValue());
  }
}

void ConfigurationWriter::writeUnit(Operation &op, vgiw::PlaceAttr place) {
  json.object([&] {
    writePosition(place.getX(), place.getY());
    json.attribute("op", cast<vgiw::NodeOpInterface>(op).getMachineOperation());
    json.attributeArray("in", [&] {
      unsigned slot = 0;
      if (auto merge = dyn_cast<vgiw::MergeOp>(op))
        for (OpOperand *source : vgiw::sourcesOf(merge))
          writeOperand(source->get(), place.getIn(), slot);
      else
        for (Value operand : op.getOperands())
          writeOperand(operand, place.getIn(), slot);
    });
    json.attributeArray("out", [&] {
      for (StringAttr port : place.getOut())
        json.value(port.getValue());
    });
    if (auto addressed = dyn_cast<vgiw::AddressedOpInterface>(op))
      writeAddress(addressed);
    if (auto load = dyn_cast<vgiw::LiveLoadOp>(op))
      json.attribute("live", load.getId());
    if (auto store = dyn_cast<vgiw::LiveStoreOp>(op))
      json.attribute("live", store.getId());
    if (auto call = dyn_cast<vgiw::HeapCallOp>(op))
      json.attribute("call", symbol(call.getThunk()));
    if (auto call = dyn_cast<vgiw::SyscallOp>(op))
      json.attribute("call", symbol(call.getThunk()));
  });
}

void ConfigurationWriter::writeAddress(vgiw::AddressedOpInterface op) {
  MutableOperandRange index = op.getIndexMutable();
  if (index.empty() && !op.getOffset())
    return;
  json.attributeObject("address", [&] {
    if (!index.empty()) {
      bool isLong = index[0].get().getType().isInteger(64);
      json.attribute("index", isLong                 ? "i64"
                              : op.getZeroExtended() ? "zext.i32"
                                                     : "sext.i32");
      if (op.getScale() != 1)
        json.attribute("scale", op.getScale());
    }
    if (op.getOffset())
      json.attribute("offset", int64_t(op.getOffset()));
  });
}

void ConfigurationWriter::writeSuccessor(Block *block, const IDs &ids) {
  if (!vgiw::isMarker(*block))
    json.value(ids.lookup(block));
  else if (auto yield = dyn_cast<vgiw::YieldOp>(block->front()))
    json.object([&] { json.attribute("yield", ids.lookup(yield.getDest())); });
  else if (auto barrier = dyn_cast<vgiw::BarrierOp>(block->front()))
    json.object(
        [&] { json.attribute("barrier", ids.lookup(barrier.getDest())); });
  else if (isa<vgiw::RestartOp>(block->front()))
    json.object([&] { json.attribute("yield", 0); });
  else
    json.value("exit");
}

void ConfigurationWriter::writeSwitch(vgiw::SwitchAttr setting) {
  json.object([&] {
    writePosition(setting.getX(), setting.getY());
    json.attributeArray("map", [&] {
      for (auto [from, to] : llvm::zip(setting.getFrom(), setting.getTo()))
        json.array([&, from = from, to = to] {
          json.value(from.getValue());
          json.value(to.getValue());
        });
    });
  });
}

void ConfigurationWriter::writeBlock(Block &block, const IDs &ids) {
  Operation *terminator = block.getTerminator();
  auto nodes = placedNodes(block);
  unsigned replicas = nodes.front().second.size();
  json.object([&] {
    json.attribute("id", ids.lookup(&block));
    json.attribute("replicas", replicas);
    json.attributeArray("successors", [&] {
      if (isa<vgiw::ExitOp>(terminator))
        json.value("exit");
      else if (auto yield = dyn_cast<vgiw::YieldOp>(terminator))
        json.object(
            [&] { json.attribute("yield", ids.lookup(yield.getDest())); });
      else if (auto barrier = dyn_cast<vgiw::BarrierOp>(terminator))
        json.object(
            [&] { json.attribute("barrier", ids.lookup(barrier.getDest())); });
      else
        for (Block *next : terminator->getSuccessors())
          writeSuccessor(next, ids);
    });
    json.attributeArray("units", [&] {
      for (unsigned replica = 0; replica < replicas; ++replica)
        for (auto [op, where] : nodes)
          writeUnit(*op, cast<vgiw::PlaceAttr>(where[replica]));
    });
    json.attributeArray("switches", [&] {
      auto settings = terminator->getAttrOfType<ArrayAttr>(
          vgiw::VGIWDialect::SwitchesAttribute);
      for (auto setting : settings.getAsRange<vgiw::SwitchAttr>())
        writeSwitch(setting);
    });
  });
}

/// Of a computed parameter: another parameter or a constant.
void ConfigurationWriter::writeOperand(TypedAttr operand) {
  json.object([&] {
    if (operand.getType().isIndex())
      json.attribute("param", cast<IntegerAttr>(operand).getInt());
    else
      json.attribute("const", bitsOf(operand));
  });
}

void ConfigurationWriter::writeParameter(vgiw::BindingAttr binding) {
  json.object([&] {
    json.attribute("kind", vgiw::stringifyBindingKind(binding.getKind()));
    switch (binding.getKind()) {
    case vgiw::BindingKind::Argument:
      json.attribute("argument", binding.getNumber());
      break;
    case vgiw::BindingKind::Capture:
    case vgiw::BindingKind::Column:
    case vgiw::BindingKind::Field:
      json.attribute("field", binding.getNumber());
      break;
    case vgiw::BindingKind::Batch: // which the simulator refuses
      json.attribute("number", binding.getNumber());
      break;
    case vgiw::BindingKind::Frames:
      json.attribute("size", binding.getNumber());
      break;
    case vgiw::BindingKind::Computed:
      json.attribute("operation", binding.getOperation().getValue());
      json.attributeArray("operands", [&] {
        for (auto operand : binding.getOperands().getAsRange<TypedAttr>())
          writeOperand(operand);
      });
      break;
    case vgiw::BindingKind::Control:
    case vgiw::BindingKind::Group:
    case vgiw::BindingKind::Level:
    case vgiw::BindingKind::Private:
      break;
    }
    if (binding.getStack()) {
      json.attribute("stack", symbol(binding.getStack()));
      json.attribute("level", binding.getLevel());
    }
  });
}

void ConfigurationWriter::writeKernel(vgiw::KernelOp kernel) {
  IDs ids;
  for (Block *block : blocksOf(kernel))
    ids.try_emplace(block, ids.size());
  json.object([&] {
    json.attribute("name", kernel.getSymName().split(".device.").first);
    json.attribute("source", kernel.getSource().value_or(""));
    if (kernel.getConsumes())
      json.attribute("consumes", symbol(*kernel.getConsumes()));
    else
      json.attribute("consumes", nullptr);
    json.attribute("launch", vgiw::stringifyLaunch(kernel.getLaunch()));
    json.attributeArray("parameters", [&] {
      for (auto each : kernel.getParameters().getAsRange<vgiw::BindingAttr>())
        writeParameter(each);
    });
    json.attribute("live_values", kernel.getLiveValues());
    json.attribute("private_bytes", kernel.getPrivateBytes());
    if (kernel.getGroupSize())
      json.attributeObject("groups", [&] {
        json.attribute("threads", *kernel.getGroupSize());
        json.attribute("bytes", kernel.getGroupBytes());
      });
    json.attributeArray("blocks", [&] {
      for (Block *block : blocksOf(kernel))
        writeBlock(*block, ids);
    });
  });
}

/// What a von Neumann machine's register file would be asked, by block.
void ConfigurationWriter::writeRegisters(vgiw::KernelOp kernel) {
  json.array([&] {
    for (Block *block : blocksOf(kernel)) {
      auto count = block->getTerminator()->getAttrOfType<IntegerAttr>(
          vgiw::VGIWDialect::RegistersAttribute);
      json.value(count ? count.getInt() : 0);
    }
  });
}

/// What the hardware does not need: where in the source each unit's work
/// stands.
void ConfigurationWriter::writeLines(unsigned kernel, unsigned id,
                                     Block &block) {
  auto nodes = placedNodes(block);
  std::vector<std::string> places;
  bool any = false;
  for (auto [op, where] : nodes) {
    std::string &text = places.emplace_back();
    if (auto line = op->getLoc()->findInstanceOf<FileLineColLoc>()) {
      // A path may be any bytes, but the text of a JSON file may not.
      text = llvm::json::fixUTF8(
          (line.getFilename().getValue() + ":" + Twine(line.getLine())).str());
      any = true;
    }
  }
  if (!any)
    return;
  json.object([&] {
    json.attribute("kernel", kernel);
    json.attribute("block", id);
    json.attributeArray("lines", [&] {
      for (size_t replica = 0; replica < nodes.front().second.size(); ++replica)
        for (const std::string &place : places)
          json.value(place);
    });
  });
}

void ConfigurationWriter::write() {
  auto kernels = llvm::to_vector(module.getOps<vgiw::KernelOp>());
  json.object([&] {
    json.attribute("format", "cilk2chan-vgiw");
    json.attribute("version", 1);
    json.attribute("machine", machine.name);
    json.attribute("fabric", machine.fabric.hash());
    json.attributeArray("kernels", [&] {
      for (vgiw::KernelOp kernel : kernels)
        writeKernel(kernel);
    });
    json.attributeArray("symbols", [&] {
      for (StringRef name : symbols)
        json.value(name);
    });
    json.attributeArray("registers", [&] {
      for (vgiw::KernelOp kernel : kernels)
        writeRegisters(kernel);
    });
    json.attributeArray("lines", [&] {
      for (auto [index, kernel] : llvm::enumerate(kernels))
        for (auto [id, block] : llvm::enumerate(blocksOf(kernel)))
          writeLines(index, id, *block);
    });
  });
}

std::vector<std::string>
cilk2chan::emitConfiguration(ModuleOp module, const chansim::Machine &machine,
                             llvm::raw_ostream &os) {
  ConfigurationWriter writer(module, machine, os);
  writer.write();
  os << '\n';
  return writer.takeSymbols();
}

void cilk2chan::registerConfigurationTranslation() {
  static llvm::cl::opt<std::string> machineFile(
      "machine", llvm::cl::desc("the machine file, for vgiw-to-configuration"));
  static TranslateFromMLIRRegistration registration(
      "vgiw-to-configuration", "placed vgiw kernels as a configuration",
      [](ModuleOp module, llvm::raw_ostream &os) -> LogicalResult {
        std::optional<chansim::Machine> machine =
            vgiw::loadMachine(module, machineFile);
        if (!machine)
          return failure();
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
