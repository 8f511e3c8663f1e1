//===- DeviceCode.cpp - Device functions from file to program -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Target/VGIW/DeviceCode.h"

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace cilk2chan;

static bool isKernel(const Function &function) {
  return function.hasFnAttribute(DeviceKernelAttribute);
}

static SmallString<0> writeBitcode(const Module &module) {
  SmallString<0> bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);
  return bitcode;
}

/// Calls `function` with a reference to each word that may name a stack, in
/// what says where a kernel's words come from, and puts it together again.
static void forEachStack(Function &kernel,
                         function_ref<void(StringRef &)> function) {
  StringRef consumed =
      kernel.getFnAttribute(DeviceKernelAttribute).getValueAsString();
  function(consumed);
  SmallVector<StringRef> bindings;
  kernel.getFnAttribute(DeviceBindingsAttribute)
      .getValueAsString()
      .split(bindings, ';', -1, /*KeepEmpty=*/false);
  std::vector<std::string> texts;
  for (StringRef binding : bindings) {
    SmallVector<StringRef> words;
    binding.split(words, ' ');
    // "control STACK LEVEL", "column FIELD STACK LEVEL"
    if (words.size() >= 3)
      function(words[words.size() - 2]);
    texts.push_back(join(words, " "));
  }
  kernel.addFnAttr(DeviceKernelAttribute, consumed);
  kernel.addFnAttr(DeviceBindingsAttribute, join(texts, ";"));
}

void cilk2chan::embedDeviceCode(Module &module) {
  SmallVector<Function *> kernels;
  for (Function &function : module)
    if (isKernel(function))
      kernels.push_back(&function);

  // Two files may use one name each for itself; a program may hold both.
  std::string suffix =
      ".device." + utohexstr(xxh3_64bits(writeBitcode(module)));
  StringMap<std::string> renamed;
  nameUnamedGlobals(module);
  StringSet<> stacks;
  for (Function *kernel : kernels)
    forEachStack(*kernel, [&](StringRef &stack) { stacks.insert(stack); });
  for (GlobalValue &value : module.global_values()) {
    auto *function = dyn_cast<Function>(&value);
    bool isKernelOfOurs = function && isKernel(*function);
    bool isOurs = isKernelOfOurs || value.hasLocalLinkage() ||
                  stacks.contains(value.getName());
    if (!isOurs || value.getName().starts_with("llvm."))
      continue;
    std::string name = (value.getName() + suffix).str();
    renamed[value.getName()] = name;
    value.setName(name);
    if (isKernelOfOurs)
      continue;
    value.setLinkage(GlobalValue::ExternalLinkage);
    value.setVisibility(GlobalValue::HiddenVisibility);
    value.setDSOLocal(true);
  }
  for (Function *kernel : kernels)
    forEachStack(*kernel, [&](StringRef &stack) { stack = renamed[stack]; });

  SmallString<0> bitcode = writeBitcode(module);
  for (Function *kernel : kernels)
    kernel->eraseFromParent();
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty() &&
        function.getName().starts_with("__vgiw_"))
      function.eraseFromParent();
  embedBufferInModule(module, MemoryBufferRef(bitcode, "device code"),
                      DeviceSection, Align(8));
}

Expected<SmallVector<StringRef, 1>>
cilk2chan::findDeviceCode(MemoryBufferRef buffer) {
  SmallVector<StringRef, 1> parts;
  Expected<std::unique_ptr<object::ObjectFile>> file =
      object::ObjectFile::createObjectFile(buffer);
  if (!file)
    return file.takeError();
  for (const object::SectionRef &section : (*file)->sections()) {
    Expected<StringRef> name = section.getName();
    if (!name)
      return name.takeError();
    if (*name != DeviceSection)
      continue;
    Expected<StringRef> contents = section.getContents();
    if (!contents)
      return contents.takeError();
    parts.push_back(*contents);
  }
  return parts;
}

/// Definitions are there to be inlined and folded; the host has them.
static void leaveToHost(Module &module) {
  for (StringRef list : {"llvm.global_ctors", "llvm.global_dtors", "llvm.used",
                         "llvm.compiler.used", "llvm.embedded.objects"})
    if (GlobalVariable *variable = module.getGlobalVariable(list, true))
      variable->eraseFromParent();
  for (GlobalAlias &alias : make_early_inc_range(module.aliases())) {
    GlobalValue *declaration;
    std::string name = alias.getName().str();
    alias.setName("");
    if (auto *type = dyn_cast<FunctionType>(alias.getValueType()))
      declaration =
          Function::Create(type, GlobalValue::ExternalLinkage, name, module);
    else
      declaration = new GlobalVariable(
          module, alias.getValueType(), false, GlobalValue::ExternalLinkage,
          nullptr, name, nullptr, alias.getThreadLocalMode());
    alias.replaceAllUsesWith(declaration);
    alias.eraseFromParent();
  }
  for (GlobalVariable &variable : module.globals()) {
    if (variable.isDeclaration())
      continue;
    variable.setComdat(nullptr);
    if (variable.isConstant() && !variable.isInterposable() &&
        variable.hasInitializer() && !variable.isThreadLocal()) {
      variable.setLinkage(GlobalValue::AvailableExternallyLinkage);
    } else {
      variable.setInitializer(nullptr);
      variable.setLinkage(GlobalValue::ExternalLinkage);
    }
  }
  for (Function &function : module) {
    if (function.isDeclaration() || isKernel(function))
      continue;
    function.setComdat(nullptr);
    bool inlines = !function.isInterposable() &&
                   !function.hasFnAttribute(Attribute::Naked);
    if (!inlines) {
      function.deleteBody();
      continue;
    }
    function.setLinkage(GlobalValue::AvailableExternallyLinkage);
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
  }
}

/// There is no call stack: what can be inlined is.
static void preferInlining(Module &module) {
  constexpr unsigned large = 2000; // instructions
  for (Function &function : module)
    if (!function.isDeclaration() && !isKernel(function) &&
        function.getInstructionCount() < large)
      function.addFnAttr(Attribute::AlwaysInline);
}

static void optimize(Module &module) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PipelineTuningOptions tuning;
  // Units take words, and blocks that fit the fabric.
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  tuning.LoopUnrolling = false;
  PassBuilder builder(nullptr, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2)
      .run(module, modules);
}

Expected<std::unique_ptr<Module>>
cilk2chan::linkDeviceCode(ArrayRef<StringRef> parts, LLVMContext &context) {
  auto program = std::make_unique<Module>("device", context);
  Linker linker(*program);
  for (StringRef part : parts) {
    Expected<std::unique_ptr<Module>> module =
        parseBitcodeFile(MemoryBufferRef(part, "device code"), context);
    if (!module)
      return module.takeError();
    leaveToHost(**module);
    if (program->getTargetTriple().empty()) {
      program->setTargetTriple((*module)->getTargetTriple());
      program->setDataLayout((*module)->getDataLayout());
    }
    if (linker.linkInModule(std::move(*module)))
      return createStringError("cannot link the device code");
  }
  preferInlining(*program);
  optimize(*program);
  return program;
}

void cilk2chan::makeHostPart(Module &module, StringRef configuration,
                             ArrayRef<std::string> symbols, StringRef machine) {
  LLVMContext &context = module.getContext();
  for (Function &function : make_early_inc_range(module)) {
    if (isKernel(function)) {
      function.replaceAllUsesWith(PoisonValue::get(function.getType()));
      function.eraseFromParent();
    }
  }
  IRBuilder<> builder(context);
  Type *pointer = builder.getPtrTy();
  auto makeText = [&](StringRef text) -> Constant * {
    Constant *bytes = ConstantDataArray::getString(context, text);
    auto *variable =
        new GlobalVariable(module, bytes->getType(), true,
                           GlobalValue::PrivateLinkage, bytes, "device.text");
    return variable;
  };
  SmallVector<Constant *> addresses;
  for (StringRef name : symbols) {
    GlobalValue *symbol = module.getNamedValue(name);
    if (!symbol)
      symbol = new GlobalVariable(module, builder.getInt8Ty(), false,
                                  GlobalValue::ExternalLinkage, nullptr, name);
    if (symbol->isDeclaration() || symbol->hasAvailableExternallyLinkage()) {
      if (auto *function = dyn_cast<Function>(symbol);
          function && !function->isDeclaration())
        function->deleteBody();
      else if (auto *variable = dyn_cast<GlobalVariable>(symbol))
        variable->setInitializer(nullptr);
      symbol->setLinkage(GlobalValue::ExternalLinkage);
    }
    addresses.push_back(symbol);
  }
  auto *tableType = ArrayType::get(pointer, addresses.size());
  auto *table = new GlobalVariable(
      module, tableType, true, GlobalValue::PrivateLinkage,
      ConstantArray::get(tableType, addresses), "device.symbols");

  Function *start =
      Function::Create(FunctionType::get(builder.getVoidTy(), false),
                       GlobalValue::InternalLinkage, "__chansim_start", module);
  builder.SetInsertPoint(BasicBlock::Create(context, "", start));
  FunctionCallee load =
      module.getOrInsertFunction("chansim_load", builder.getVoidTy(), pointer,
                                 pointer, pointer, builder.getInt64Ty());
  builder.CreateCall(load, {makeText(configuration), makeText(machine), table,
                            builder.getInt64(addresses.size())});
  builder.CreateRetVoid();
  // After the objects' own channels have been registered.
  appendToGlobalCtors(module, start, 102);
}
