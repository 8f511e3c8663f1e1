//===- Translate.cpp - Device functions become dataflow graphs ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTranslation.h"
#include "RegisterAccesses.h"

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Path.h"

using namespace cilk2chan;

bool KernelTranslation::fail(const llvm::Twine &message) {
  if (!failed && kernel)
    vgiw::refuse(kernel, location, message);
  else if (!failed)
    mlir::emitError(location)
        << "kernel '" << function.getName()
        << "' cannot run on this machine: " << message.str();
  failed = true;
  return false;
}

/// Names in debug information may be relative to a folder of their own.
static std::string pathOf(const llvm::DIScope &scope) {
  llvm::SmallString<128> path(scope.getFilename());
  if (llvm::sys::path::is_relative(path)) {
    path = scope.getDirectory();
    llvm::sys::path::append(path, scope.getFilename());
  }
  return path.str().str();
}

mlir::Location KernelTranslation::locate(const llvm::Instruction *instruction) {
  const llvm::DebugLoc &place = instruction->getDebugLoc();
  if (!place)
    return unknown;
  return mlir::FileLineColLoc::get(builder.getContext(),
                                   pathOf(*place->getScope()), place.getLine(),
                                   place.getCol());
}

/// Of the function or loop in C, "FILE:LINE:COLUMN".
mlir::Location KernelTranslation::placeInC() {
  auto [rest, column] = function.getFnAttribute(DevicePlaceAttribute)
                            .getValueAsString()
                            .rsplit(':');
  auto [file, line] = rest.rsplit(':');
  unsigned lineNumber = 0, columnNumber = 0;
  if (line.getAsInteger(10, lineNumber) ||
      column.getAsInteger(10, columnNumber))
    return whole;
  return mlir::FileLineColLoc::get(builder.getContext(), file, lineNumber,
                                   columnNumber);
}

/// Gives each object on the stack its place in a thread's private memory. The
/// memory of all threads lies in a row and begins at a line.
void KernelTranslation::assignPrivateMemory() {
  uint64_t size = 0, alignment = 16;
  for (llvm::Instruction &instruction : function.getEntryBlock()) {
    auto *object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!object)
      continue;
    std::optional<llvm::TypeSize> bytes = object->getAllocationSize(layout);
    if (!bytes)
      continue; // Said where it is translated.
    uint64_t natural = object->getAlign().value();
    size = llvm::alignTo(size, std::min(natural, privateAlignment));
    privateOffsets[object] = size;
    // Leaves room to align further.
    size += *bytes + natural - std::min(natural, privateAlignment);
    alignment = std::max(alignment, std::min(natural, privateAlignment));
  }
  kernel.setPrivateBytes(llvm::alignTo(size, alignment));
}

/// "16 1024"
bool KernelTranslation::setGroup(llvm::StringRef text) {
  if (text.empty())
    return true;
  auto [size, bytes] = text.split(' ');
  uint64_t threads = 0, memory = 0;
  if (size.getAsInteger(10, threads) || bytes.getAsInteger(10, memory))
    return fail("its work-groups are \"" + text + "\"");
  kernel.setGroupSize(threads);
  kernel.setGroupBytes(memory);
  return true;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

llvm::SmallVector<mlir::Value>
KernelTranslation::phiOperands(llvm::BasicBlock *from, llvm::BasicBlock *to) {
  llvm::SmallVector<mlir::Value> operands;
  for (llvm::PHINode &phi : to->phis())
    operands.push_back(use(phi.getIncomingValueForBlock(from)));
  return operands;
}

void KernelTranslation::translateTerminator(llvm::Instruction &instruction) {
  llvm::BasicBlock *block = instruction.getParent();
  if (llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(instruction)) {
    auto exit = vgiw::ExitOp::create(builder, location, mlir::ValueRange());
    if (llvm::isa<llvm::UnreachableInst>(instruction))
      exit->setAttr(vgiw::VGIWDialect::UnreachableAttribute,
                    builder.getUnitAttr());
    return;
  }
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
  if (!branch) {
    fail("it branches by '" + llvm::Twine(instruction.getOpcodeName()) + "'");
    return;
  }
  llvm::BasicBlock *first = branch->getSuccessor(0);
  llvm::SmallVector<mlir::Value> operands = phiOperands(block, first);
  if (branch->isConditional()) {
    llvm::BasicBlock *second = branch->getSuccessor(1);
    vgiw::CondBranchOp::create(builder, location, use(branch->getCondition()),
                               operands, phiOperands(block, second),
                               mlir::ValueRange(), blocks[first],
                               blocks[second]);
    return;
  }
  auto *call =
      llvm::dyn_cast_or_null<llvm::CallInst>(instruction.getPrevNode());
  llvm::StringRef called = call && call->getCalledFunction()
                               ? call->getCalledFunction()->getName()
                               : "";
  if (called == DeviceBarrier)
    vgiw::BarrierOp::create(builder, location, operands, mlir::ValueRange(),
                            blocks[first]);
  else if (called == DeviceYield)
    vgiw::YieldOp::create(builder, location, operands, mlir::ValueRange(),
                          blocks[first]);
  else
    vgiw::BranchOp::create(builder, location, operands, mlir::ValueRange(),
                           blocks[first]);
}

void KernelTranslation::declareBlocks() {
  mlir::Region &body = kernel.getBody();
  for (llvm::BasicBlock *block :
       llvm::ReversePostOrderTraversal<llvm::Function *>(&function)) {
    mlir::Block *made = builder.createBlock(&body, body.end());
    blocks[block] = made;
    for (llvm::PHINode &phi : block->phis()) {
      mlir::Type type = convert(phi.getType());
      if (!type) {
        use(&phi);
        return;
      }
      values[&phi] = made->addArgument(type, locate(&phi));
    }
  }
  entry = &body.front();
}

bool KernelTranslation::run() {
  llvm::StringRef source =
      function.getFnAttribute(DeviceSourceAttribute).getValueAsString();
  if (!source.empty() && !function.getSubprogram())
    location = unknown = mlir::NameLoc::get(builder.getStringAttr(source));
  if (llvm::DISubprogram *subprogram = function.getSubprogram())
    location = mlir::FileLineColLoc::get(
        builder.getContext(), pathOf(*subprogram), subprogram->getLine(), 1);
  whole = location;
  llvm::SmallVector<mlir::Attribute> bindings;
  llvm::SmallVector<llvm::StringRef> texts;
  function.getFnAttribute(DeviceBindingsAttribute)
      .getValueAsString()
      .split(texts, ';', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef binding : texts)
    bindings.push_back(bind(binding));
  if (failed)
    return false;
  if (function.arg_size() != bindings.size() + 1)
    return fail("it has " + llvm::Twine(function.arg_size()) +
                " parameters, and " + llvm::Twine(bindings.size()) +
                " are bound");
  bool hasObjects = llvm::any_of(function.getEntryBlock(), [](auto &i) {
    return llvm::isa<llvm::AllocaInst>(i);
  });
  if (hasObjects)
    bindings.push_back(vgiw::BindingAttr::get(
        builder.getContext(), vgiw::BindingKind::Private, 0, {}, 0));
  auto text = [&](llvm::StringRef attribute) -> mlir::StringAttr {
    llvm::StringRef value =
        function.getFnAttribute(attribute).getValueAsString();
    return value.empty() ? nullptr : builder.getStringAttr(value);
  };
  llvm::StringRef launchName =
      function.getFnAttribute(DeviceLaunchAttribute).getValueAsString();
  std::optional<vgiw::Launch> launch =
      vgiw::symbolizeLaunch(launchName.empty() ? "elements" : launchName);
  if (!launch)
    return fail("it is launched as \"" + launchName + "\"");
  kernel = vgiw::KernelOp::create(
      builder, placeInC(), function.getName(), vgiw::Stage::Graph,
      builder.getArrayAttr(bindings), 0, 0, /*group_size=*/nullptr,
      /*group_bytes=*/0, text(DeviceKernelAttribute), *launch,
      text(DeviceSourceAttribute));
  if (!setGroup(
          function.getFnAttribute(DeviceGroupAttribute).getValueAsString()))
    return false;
  mlir::OpBuilder::InsertionGuard guard(builder);
  assignPrivateMemory();
  declareBlocks();
  if (failed)
    return false;
  builder.setInsertionPointToStart(entry);
  values[function.getArg(0)] = vgiw::InitiateOp::create(builder, whole);
  for (llvm::Argument &argument : llvm::drop_begin(function.args())) {
    unsigned index = argument.getArgNo() - 1;
    bool mayBeShort =
        llvm::cast<vgiw::BindingAttr>(bindings[index]).getKind() ==
        vgiw::BindingKind::Capture;
    mlir::Type type = convert(argument.getType());
    if (!type || (type != i64 && !mayBeShort))
      return fail("its parameter " + llvm::Twine(index + 1) + " is no " +
                  (mayBeShort ? "word" : "64-bit word"));
    values[&argument] = parameter(index);
  }
  llvm::BatchAAResults batch(aliases);
  for (auto [block, made] : blocks) {
    order = findMemoryOrder(*block, batch);
    builder.setInsertionPointToEnd(made);
    for (llvm::Instruction &instruction : *block) {
      translate(instruction);
      if (failed)
        return false;
    }
    made->getTerminator()->setAttr(
        vgiw::VGIWDialect::RegistersAttribute,
        builder.getI64IntegerAttr(countRegisterAccesses(*block)));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

mlir::OwningOpRef<mlir::ModuleOp>
cilk2chan::translateDeviceFunctions(llvm::Module &module,
                                    mlir::MLIRContext &context) {
  context.loadDialect<vgiw::VGIWDialect>();
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder passes;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);

  mlir::OpBuilder builder(&context);
  mlir::OwningOpRef<mlir::ModuleOp> result =
      mlir::ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(result->getBody());
  bool right = true;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() &&
        function.hasFnAttribute(DeviceKernelAttribute))
      right &= KernelTranslation(function, builder,
                                 functions.getResult<llvm::AAManager>(function))
                   .run();
  if (!right)
    return {};
  return result;
}
