//===- Assembly.cpp - Kernels as the assembly of a SIMT core --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes an assembly of kernels with registers, which the simulator's library prints.
// Blocks follow each other in their order: a branch to the next one is left out.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Target/SIMT/Assembly.h"

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"
#include "cilk2chan/Dialect/SIMT/SIMT.h"
#include "cilk2chan/Support/NamesInC.h"
#include "simt/Assembly.h"
#include "simt/GroupLimits.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace cilk2chan;

namespace {

class KernelAssembler {
public:
  KernelAssembler(simt::KernelOp from, chansim::simt::Assembly &assembly)
      : from(from), assembly(assembly) {}

  chansim::simt::Kernel run();

private:
  using Instruction = chansim::simt::Instruction;

  void addParameter(vgiw::BindingAttr binding);
  void addBlock(Block &block);
  void addOperation(simt::InstOp op);
  void addBranch(Block *target, Operation &op, Value condition = {},
                 bool isNegated = false);
  void addConditional(simt::CondBraOp branch);
  Instruction &add(Operation &op, Instruction::Kind kind);
  chansim::simt::Operand operandOf(Value value);
  uint32_t lineOf(Location location);

  simt::KernelOp from;
  chansim::simt::Assembly &assembly;
  chansim::simt::Kernel kernel;
  llvm::StringMap<uint32_t> lines;
  DenseMap<Block *, uint32_t> begins;
  /// Instructions whose target and reconvergence point are not known yet.
  struct Pending {
    size_t instruction;
    Block *target, *reconvergence;
  };
  std::vector<Pending> pending;
};

} // namespace

uint32_t KernelAssembler::lineOf(Location location) {
  auto line = location->findInstanceOf<FileLineColLoc>();
  if (!line)
    return chansim::simt::kNone;
  std::string text =
      (line.getFilename().getValue() + ":" + Twine(line.getLine())).str();
  auto [known, isNew] = lines.try_emplace(text, kernel.lines.size());
  if (isNew)
    kernel.lines.push_back(text);
  return known->second;
}

KernelAssembler::Instruction &KernelAssembler::add(Operation &op,
                                                   Instruction::Kind kind) {
  Instruction &instruction = kernel.instructions.emplace_back();
  instruction.kind = kind;
  instruction.line = lineOf(op.getLoc());
  return instruction;
}

chansim::simt::Operand KernelAssembler::operandOf(Value value) {
  using chansim::simt::Operand;
  if (!simt::isImmediate(value))
    return {Operand::Kind::reg, *simt::registerOf(value), 0};
  return TypeSwitch<Operation *, Operand>(value.getDefiningOp())
      .Case([](simt::ConstantOp op) -> Operand {
        return {Operand::Kind::constant, 0, op.getBits()};
      })
      .Case([](simt::ParameterOp op) -> Operand {
        return {Operand::Kind::parameter, uint32_t(op.getIndex()), 0};
      })
      .Case([&](simt::SymbolOp op) -> Operand {
        return {Operand::Kind::symbol, assembly.intern(op.getName().str()),
                op.getOffset()};
      })
      .Case([](simt::IdOp) -> Operand { return {Operand::Kind::id, 0, 0}; })
      .Case([](simt::LocalOp) -> Operand {
        return {Operand::Kind::local, 0, 0};
      });
}

void KernelAssembler::addOperation(simt::InstOp op) {
  Instruction &instruction = add(*op, Instruction::Kind::operation);
  instruction.operation = &op.getDescription();
  instruction.offset = op.getOffset();
  if (op.getResult())
    instruction.result = *simt::registerOf(op.getResult());
  instruction.order = chansim::simt::defaultOrder(*instruction.operation);
  if (auto order = op->getAttrOfType<StringAttr>(DeviceOrderAttribute))
    instruction.order = *chansim::simt::orderNamed(order.getValue());
  if (op.getCallee())
    instruction.callee = assembly.intern(op.getCallee()->str());
  for (auto [index, operand] : llvm::enumerate(op.getOperands()))
    instruction.operands[index] = operandOf(operand);
}

void KernelAssembler::addBranch(Block *target, Operation &op, Value condition,
                                bool isNegated) {
  if (!condition && target == op.getBlock()->getNextNode())
    return;
  Instruction &instruction = add(op, Instruction::Kind::branch);
  Block *meeting = nullptr;
  if (condition) {
    auto branch = cast<simt::CondBraOp>(op);
    instruction.isConditional = true;
    instruction.isNegated = isNegated;
    instruction.isUniform = branch.getUniform();
    instruction.operands[0] = operandOf(condition);
    instruction.isPatient = branch.getReconverge() && branch.getWait();
    if (branch.getReconverge())
      meeting = &*std::next(from.getBody().begin(), *branch.getReconverge());
  }
  pending.push_back({kernel.instructions.size() - 1, target, meeting});
}

void KernelAssembler::addConditional(simt::CondBraOp branch) {
  Block *next = branch->getBlock()->getNextNode();
  bool isNegated = branch.getTrueDest() == next;
  addBranch(isNegated ? branch.getFalseDest() : branch.getTrueDest(), *branch,
            branch.getCondition(), isNegated);
  if (!isNegated)
    addBranch(branch.getFalseDest(), *branch);
}

void KernelAssembler::addBlock(Block &block) {
  begins[&block] = kernel.instructions.size();
  for (Operation &op : block)
    TypeSwitch<Operation *>(&op)
        .Case([&](simt::InstOp inst) { addOperation(inst); })
        .Case([&](simt::BraOp branch) { addBranch(branch.getDest(), op); })
        .Case([&](simt::CondBraOp branch) { addConditional(branch); })
        .Case([&](simt::YieldOp yield) {
          add(op, Instruction::Kind::yield);
          pending.push_back(
              {kernel.instructions.size() - 1, yield.getDest(), nullptr});
        })
        .Case([&](simt::BarOp bar) {
          add(op, Instruction::Kind::bar);
          addBranch(bar.getDest(), op);
        })
        .Case([&](simt::ExitOp) { add(op, Instruction::Kind::exit); });
}

void KernelAssembler::addParameter(vgiw::BindingAttr binding) {
  // Both lists are in the same order.
  using Kind = chansim::Parameter::Kind;
  auto kindOf = [](vgiw::BindingKind kind) {
    switch (kind) {
    case vgiw::BindingKind::Argument:
      return Kind::argument;
    case vgiw::BindingKind::Field:
      return Kind::field;
    case vgiw::BindingKind::Column:
      return Kind::column;
    case vgiw::BindingKind::Control:
      return Kind::control;
    case vgiw::BindingKind::Frames:
      return Kind::frames;
    case vgiw::BindingKind::Level:
      return Kind::level;
    case vgiw::BindingKind::Private:
      return Kind::isPrivate;
    case vgiw::BindingKind::Capture:
      return Kind::capture;
    case vgiw::BindingKind::Group:
      return Kind::group;
    case vgiw::BindingKind::Batch:
      return Kind::batch;
    case vgiw::BindingKind::Computed:
      return Kind::computed; // which vgiw-to-simt refuses
    }
    llvm_unreachable("no such binding");
  };
  chansim::Parameter parameter{kindOf(binding.getKind()), binding.getNumber(),
                               0, binding.getLevel()};
  if (binding.getStack())
    parameter.stack = assembly.intern(binding.getStack().getValue().str());
  kernel.parameters.push_back(parameter);
}

chansim::simt::Kernel KernelAssembler::run() {
  kernel.name = from.getSymName().split(".device.").first.str();
  kernel.source = from.getSource().value_or("").str();
  switch (*vgiw::symbolizeLaunch(from.getLaunch())) {
  case vgiw::Launch::Elements:
    kernel.launch = chansim::LaunchKind::elements;
    break;
  case vgiw::Launch::Range:
    kernel.launch = chansim::LaunchKind::range;
    break;
  case vgiw::Launch::Ranges:
    kernel.launch = chansim::LaunchKind::ranges;
    break;
  }
  if (from.getConsumes())
    kernel.consumes = assembly.intern(from.getConsumes()->str());
  for (auto binding : from.getParameters().getAsRange<vgiw::BindingAttr>())
    addParameter(binding);
  kernel.privateBytes = from.getPrivateBytes();
  kernel.groupThreads = static_cast<uint32_t>(from.getGroupSize().value_or(0));
  kernel.groupBytes = from.getGroupBytes();
  for (auto [count, wanted] : llvm::zip(kernel.registers, *from.getRegisters()))
    count = wanted;
  for (Block &block : from.getBody())
    addBlock(block);
  for (const Pending &branch : pending) {
    Instruction &instruction = kernel.instructions[branch.instruction];
    instruction.target = begins[branch.target];
    if (branch.reconvergence)
      instruction.reconvergence = begins[branch.reconvergence];
  }
  return std::move(kernel);
}

std::vector<std::string> cilk2chan::emitAssembly(ModuleOp module,
                                                 llvm::raw_ostream &os) {
  chansim::simt::Assembly assembly;
  for (auto kernel : module.getOps<simt::KernelOp>())
    assembly.kernels.push_back(KernelAssembler(kernel, assembly).run());
  std::string text = assembly.print();
  os << text;
  // The simulator numbers symbols as it reads them.
  std::string problem;
  std::optional<chansim::simt::Assembly> parsed =
      chansim::simt::Assembly::parse(text, "the assembly", problem);
  if (!parsed)
    llvm::reportFatalInternalError(problem.c_str());
  return std::move(parsed->symbols);
}

LogicalResult cilk2chan::checkGroups(ModuleOp module,
                                     const chansim::Machine &machine) {
  bool fit = true;
  for (auto kernel : module.getOps<simt::KernelOp>()) {
    if (!kernel.getGroupSize())
      continue;
    ArrayRef<int64_t> registers = *kernel.getRegisters();
    chansim::simt::GroupNeeds needs = {
        static_cast<uint32_t>(*kernel.getGroupSize()), kernel.getGroupBytes(),
        static_cast<uint32_t>(registers[0] + 2 * registers[1])};
    std::string name = describeKernel(kernel.getSymName(), kernel.getSource());
    if (std::string problem = chansim::simt::groupProblem(needs, machine.simt);
        !problem.empty()) {
      InFlightDiagnostic error = emitError(kernel.getLoc())
                                 << name << " cannot run on machine '"
                                 << machine.name << "': " << problem;
      error.attachNote()
          << "take a machine file with a larger value, or let the inner loops "
             "have fewer iterations: a work-group has no more threads than "
             "the longest of them";
      fit = false;
    } else if (std::string problem =
                   chansim::simt::scratchpadProblem(needs, machine.simt);
               !problem.empty()) {
      emitWarning(kernel.getLoc())
          << "the local arrays of " << name
          << " are not in the scratchpad of machine '" << machine.name
          << "' but behind L1, which is slower: " << problem;
    }
  }
  return success(fit);
}

void cilk2chan::registerAssemblyTranslation() {
  static TranslateFromMLIRRegistration registration(
      "simt-to-assembly", "simt kernels with registers as an assembly",
      [](ModuleOp module, llvm::raw_ostream &os) -> LogicalResult {
        for (auto kernel : module.getOps<simt::KernelOp>())
          if (!kernel.getRegisters())
            return kernel.emitError("kernel '")
                   << kernel.getSymName() << "' has no registers yet";
        emitAssembly(module, os);
        return success();
      },
      [](DialectRegistry &registry) { registry.insert<simt::SIMTDialect>(); });
}
