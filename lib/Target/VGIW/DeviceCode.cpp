//===- DeviceCode.cpp - Device functions from file to program -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Target/VGIW/DeviceCode.h"
#include "cilk2chan/Conversion/Tuning.h"

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Object/ModuleSymbolTable.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/StringSaver.h"
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

/// What assembly at file scope defines for this file alone, and C declares. The
/// thunks of a program are in another object, and need a symbol that this one
/// exports: the assembly gets one of the name that the declaration has then.
static void exportAssemblySymbols(Module &module, StringRef suffix) {
  SmallVector<GlobalValue *> found;
  ModuleSymbolTable::CollectAsmSymbols(
      module, [&](StringRef name, object::BasicSymbolRef::Flags flags) {
        using Flags = object::BasicSymbolRef;
        GlobalValue *value = module.getNamedValue(name);
        if (!value) // declared with an assembler name
          value = module.getNamedValue(("\1" + name).str());
        if (value && value->isDeclaration() &&
            !(flags & (Flags::SF_Undefined | Flags::SF_Global | Flags::SF_Weak |
                       Flags::SF_FormatSpecific)) &&
            !is_contained(found, value))
          found.push_back(value);
      });
  for (GlobalValue *value : found) {
    StringRef name = GlobalValue::dropLLVMManglingEscape(value->getName());
    std::string exported = (name + suffix).str();
    module.appendModuleInlineAsm(".globl \"" + exported + "\"\n.hidden \"" +
                                 exported + "\"\n.set \"" + exported +
                                 "\", \"" + name.str() + "\"\n");
    value->setName(exported);
    value->setVisibility(GlobalValue::HiddenVisibility);
    value->setDSOLocal(true);
  }
}

namespace {
/// A value that assembly may name, as `used` says: it keeps its name.
struct NamedLocal {
  GlobalValue *value;
  std::string name;
  GlobalValue::LinkageTypes linkage;

  /// After the device code has been written with the exported name.
  void restore() const {
    std::string exported = value->getName().str();
    value->setName(name);
    value->setLinkage(linkage);
    value->setVisibility(GlobalValue::DefaultVisibility);
    auto *alias = GlobalAlias::create(
        value->getValueType(), value->getAddressSpace(),
        GlobalValue::ExternalLinkage, exported, value, value->getParent());
    alias->setVisibility(GlobalValue::HiddenVisibility);
    alias->setDSOLocal(true);
    alias->setThreadLocalMode(value->getThreadLocalMode());
  }
};
} // namespace

/// A bitcode file in LLVM's wrapper, which says how long it is: `ld -r` puts
/// sections of several objects one behind the other.
static SmallString<0> wrap(StringRef bitcode) {
  SmallString<0> wrapped;
  uint32_t words[BWH_HeaderSize / 4] = {
      0x0B17C0DE, 0, BWH_HeaderSize, static_cast<uint32_t>(bitcode.size()), 0};
  for (uint32_t word : words) {
    char bytes[4];
    support::endian::write32le(bytes, word);
    wrapped.append(bytes, bytes + sizeof bytes);
  }
  wrapped += bitcode;
  return wrapped;
}

/// The bitcode files in a section; between them there may be zeros.
static Error unwrap(StringRef section, SmallVectorImpl<StringRef> &parts) {
  while (!(section = section.ltrim('\0')).empty()) {
    uint64_t size = 0;
    if (section.size() >= BWH_HeaderSize &&
        isBitcodeWrapper(section.bytes_begin(), section.bytes_end()) &&
        support::endian::read32le(section.data() + BWH_OffsetField) ==
            BWH_HeaderSize)
      size =
          BWH_HeaderSize +
          uint64_t(support::endian::read32le(section.data() + BWH_SizeField));
    if (!size || size > section.size())
      return createStringError("its section " + DeviceSection +
                               " is damaged, or of another version of "
                               "cilk2chan; compile it again");
    parts.push_back(section.take_front(size));
    section = section.drop_front(size);
  }
  return Error::success();
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
  exportAssemblySymbols(module, suffix);
  SmallVector<GlobalValue *, 8> usedList;
  collectUsedGlobalVariables(module, usedList, /*CompilerUsed=*/false);
  collectUsedGlobalVariables(module, usedList, /*CompilerUsed=*/true);
  SmallPtrSet<GlobalValue *, 8> used(usedList.begin(), usedList.end());
  SmallVector<NamedLocal> named;
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
    if (value.hasLocalLinkage() && !isKernelOfOurs && used.contains(&value))
      named.push_back({&value, value.getName().str(), value.getLinkage()});
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

  SmallString<0> bitcode = wrap(writeBitcode(module));
  for (const NamedLocal &local : named)
    local.restore();
  // A profile may have recorded addresses of kernels; the host has none.
  auto remove = [](GlobalValue &value) {
    value.replaceAllUsesWith(Constant::getNullValue(value.getType()));
    value.eraseFromParent();
  };
  for (GlobalAlias &alias : make_early_inc_range(module.aliases()))
    if (is_contained(kernels, alias.getAliaseeObject()))
      remove(alias);
  for (Function *kernel : kernels)
    remove(*kernel);
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty() &&
        function.getName().starts_with("__vgiw_"))
      function.eraseFromParent();
  embedBufferInModule(module, MemoryBufferRef(bitcode, "device code"),
                      DeviceSection, Align(8));
}

/// Of a file for the optimiser of a link (-flto), where the section is a
/// variable still.
static Error findInBitcode(MemoryBufferRef buffer, StringSaver &saver,
                           SmallVectorImpl<StringRef> &parts) {
  Expected<std::vector<BitcodeModule>> modules = getBitcodeModuleList(buffer);
  if (!modules)
    return modules.takeError();
  for (BitcodeModule &one : *modules) {
    LLVMContext context;
    Expected<std::unique_ptr<Module>> module = one.getLazyModule(
        context, /*ShouldLazyLoadMetadata=*/true, /*IsImporting=*/false);
    if (!module)
      return module.takeError();
    for (const GlobalVariable &variable : (*module)->globals()) {
      if (variable.getSection() != DeviceSection || !variable.hasInitializer())
        continue;
      auto *data = dyn_cast<ConstantDataSequential>(variable.getInitializer());
      if (Error failure =
              unwrap(data ? saver.save(data->getRawDataValues()) : "?", parts))
        return failure;
    }
  }
  return Error::success();
}

Expected<SmallVector<StringRef, 1>>
cilk2chan::findDeviceCode(MemoryBufferRef buffer, StringSaver &saver) {
  SmallVector<StringRef, 1> parts;
  if (identify_magic(buffer.getBuffer()) == file_magic::bitcode) {
    if (Error failure = findInBitcode(buffer, saver, parts))
      return failure;
    return parts;
  }
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
    if (Error failure = unwrap(*contents, parts))
      return failure;
  }
  return parts;
}

/// Replaces an alias or an ifunc by a declaration: what it stands for, or what
/// its resolver chooses, is the host's to know.
static void declare(GlobalValue &value) {
  Module &module = *value.getParent();
  GlobalValue *declaration;
  std::string name = value.getName().str();
  value.setName("");
  if (auto *type = dyn_cast<FunctionType>(value.getValueType()))
    declaration =
        Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  else
    declaration = new GlobalVariable(module, value.getValueType(), false,
                                     GlobalValue::ExternalLinkage, nullptr,
                                     name, nullptr, value.getThreadLocalMode());
  declaration->setVisibility(value.getVisibility());
  value.replaceAllUsesWith(declaration);
  value.eraseFromParent();
}

/// Definitions are there to be inlined and folded; the host has them.
static void leaveToHost(Module &module) {
  for (StringRef list : {"llvm.global_ctors", "llvm.global_dtors", "llvm.used",
                         "llvm.compiler.used", "llvm.embedded.objects"})
    if (GlobalVariable *variable = module.getGlobalVariable(list, true))
      variable->eraseFromParent();
  // What it defines is defined in the host's part.
  module.setModuleInlineAsm("");
  for (GlobalAlias &alias : make_early_inc_range(module.aliases()))
    declare(alias);
  for (GlobalIFunc &ifunc : make_early_inc_range(module.ifuncs()))
    declare(ifunc);
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

/// `llvm.fmuladd` leaves it to the processor whether it rounds a product. The
/// fabric can do without, as the host does if it has such instructions. Then
/// both have the same results.
static void fuseAsHost(Module &module) {
  for (Function &function : module) {
    SmallVector<StringRef> features;
    function.getFnAttribute("target-features")
        .getValueAsString()
        .split(features, ',');
    if (!is_contained(features, "+fma"))
      continue;
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      if (!call || call->getIntrinsicID() != Intrinsic::fmuladd)
        continue;
      IRBuilder<> builder(call);
      SmallVector<Value *> operands(call->args());
      call->replaceAllUsesWith(builder.CreateIntrinsic(
          Intrinsic::fma, {call->getType()}, operands, call));
      call->eraseFromParent();
    }
  }
}

/// There is no call stack: what can be inlined is.
static void preferInlining(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() && !isKernel(function) &&
        function.getInstructionCount() < tuning::mostInlinedDevice)
      function.addFnAttr(Attribute::AlwaysInline);
}

namespace {

/// Leaves errors to LLVM.  The rest has been reported where the source was
/// compiled: with places, and as options such as `-w` say.
struct OnlyErrors : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    return info.getSeverity() != DS_Error;
  }
};

} // namespace

static void optimize(Module &module) {
  module.getContext().setDiagnosticHandler(std::make_unique<OnlyErrors>());
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
cilk2chan::linkDeviceCode(ArrayRef<StringRef> parts, LLVMContext &context,
                          const DeviceChannelOptions &channels) {
  auto program = std::make_unique<Module>("device", context);
  Linker linker(*program);
  for (StringRef part : parts) {
    Expected<std::unique_ptr<Module>> module =
        parseBitcodeFile(MemoryBufferRef(part, "device code"), context);
    if (!module)
      return module.takeError();
    leaveToHost(**module);
    fuseAsHost(**module);
    lowerDeviceChannels(**module, channels);
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
