//===- MergeBack.cpp - Kernels back to their module -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attributes.h"
#include "DebugInfoTransfer.h"
#include "Markers.h"
#include "cilk2chan/Import/Import.h"
#include "cilk2chan/Support/TypeLayout.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace cilk2chan;

/// Removes the body only: Function::deleteBody would take linkage and debug
/// information along.
static void clearBody(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    block.dropAllReferences();
  while (!function.empty())
    function.begin()->eraseFromParent();
}

static llvm::Error spliceStub(llvm::Module &module, llvm::Function &function) {
  std::string name = (StubPrefix + function.getName()).str();
  llvm::Function *stub = module.getFunction(name);
  if (!stub || stub->isDeclaration())
    return llvm::createStringError("no stub was made for '" +
                                   function.getName() + "'");
  if (stub->getFunctionType() != function.getFunctionType())
    return llvm::createStringError("the stub of '" + function.getName() +
                                   "' has another type");
  clearBody(function);
  function.splice(function.begin(), stub);
  for (auto [parameter, own] : llvm::zip(stub->args(), function.args())) {
    parameter.replaceAllUsesWith(&own);
    own.takeName(&parameter);
  }
  stub->replaceAllUsesWith(&function);
  stub->eraseFromParent();
  rescopeLocations(function, function.getSubprogram());
  return llvm::Error::success();
}

/// Has the worker in a register that calls leave as it is, where the target has
/// such a convention: each activation would save it, and pass it on, otherwise.
static void keepWorkerInRegister(llvm::Function &clone) {
  if (!clone.hasFnAttribute(CloneAttribute))
    return;
  clone.removeFnAttr(CloneAttribute);
  clone.addParamAttr(0, llvm::Attribute::SwiftSelf);
  for (llvm::User *user : clone.users())
    llvm::cast<llvm::CallBase>(user)->addParamAttr(0,
                                                   llvm::Attribute::SwiftSelf);
}

/// What is inlined wherever it is called is nowhere else, whatever its source
/// is.
static void inlineLoop(llvm::Function &clone) {
  if (!clone.getName().ends_with(InlinedSuffix))
    return;
  clone.removeFnAttr(llvm::Attribute::NoInline);
  clone.removeFnAttr(llvm::Attribute::OptimizeNone);
  clone.addFnAttr(llvm::Attribute::AlwaysInline);
}

/// Keeps LLVM from deriving something of its parameters from its callers.
static void makeOpaque(llvm::Function &function) {
  if (!function.hasFnAttribute(OpaqueAttribute))
    return;
  function.removeFnAttr(OpaqueAttribute);
  llvm::appendToCompilerUsed(*function.getParent(), {&function});
}

/// Tells LLVM's passes which parameters a guard has computed.
static void markGuarded(llvm::Function &function) {
  llvm::Attribute first = function.getFnAttribute(CheckedAttribute);
  if (!first.isValid())
    return;
  unsigned number = 0;
  (void)first.getValueAsString().getAsInteger(10, number);
  function.removeFnAttr(CheckedAttribute);
  for (; number < function.arg_size(); ++number)
    function.addParamAttr(
        number, llvm::Attribute::get(function.getContext(), CheckedAttribute));
}

/// Lets the kernels generate code as the functions do that they are parts of.
static llvm::Error
finishKernels(llvm::Module &module,
              llvm::ArrayRef<llvm::DILocalVariable *> variables) {
  for (llvm::Function &kernel : module) {
    llvm::Attribute attribute = kernel.getFnAttribute(SourceAttribute);
    if (!attribute.isValid())
      continue;
    keepWorkerInRegister(kernel);
    makeOpaque(kernel);
    markGuarded(kernel);
    llvm::Function *source = module.getFunction(attribute.getValueAsString());
    if (!source)
      return llvm::createStringError("kernel '" + kernel.getName() +
                                     "' is of no known function");
    kernel.removeFnAttr(SourceAttribute);
    copyCodeGenAttributes(*source, kernel);
    inlineLoop(kernel);
    if (kernel.isDeclaration())
      continue;
    rescopeLocations(kernel, makeKernelSubprogram(kernel, *source));
    restoreDebugVariables(kernel, variables);
  }
  return llvm::Error::success();
}

/// Forgets the functions that the conversions left whole: with nothing to be
/// split at, as where every call of a spawning function goes through an alias
/// or another type, what `module` has of them is right as it is.
static void dropUnsplit(ImportedModule &imported, llvm::Module &kernels) {
  llvm::erase_if(imported.converted, [&](llvm::Function *function) {
    llvm::Function *whole = kernels.getFunction(function->getName());
    if (!whole || whole->isDeclaration())
      return false;
    whole->deleteBody();
    whole->setComdat(nullptr);
    return true;
  });
}

/// What the linker says against `kernels` is an error of ours, not the user's.
static llvm::Error link(llvm::Module &module,
                        std::unique_ptr<llvm::Module> kernels) {
  kernels->setTargetTriple(module.getTargetTriple());
  kernels->setDataLayout(module.getDataLayout());
  // Translation adds a flag for the debug information; the module has its own.
  if (llvm::NamedMDNode *flags = kernels->getModuleFlagsMetadata())
    flags->eraseFromParent();
  if (llvm::Linker::linkModules(module, std::move(kernels)))
    return llvm::createStringError("cannot link the kernels to their module");
  return llvm::Error::success();
}

void cilk2chan::followChanges(llvm::Module &module, ImportedModule &imported) {
  mlir::SymbolTable symbols(*imported.module);
  llvm::erase_if(imported.converted, [&](llvm::Function *function) {
    bool isErased = !symbols.lookup(function->getName());
    if (isErased)
      imported.erased.push_back(function);
    return isErased;
  });
  llvm::erase_if(imported.promoted, [&](ImportedModule::Promoted &symbol) {
    return llvm::is_contained(imported.erased, symbol.value);
  });
  for (auto copy : imported.module->getOps<mlir::LLVM::LLVMFuncOp>()) {
    auto name = copy->getAttrOfType<mlir::FlatSymbolRefAttr>(SourceAttribute);
    if (!name || copy.getLinkage() != mlir::LLVM::Linkage::Internal)
      continue;
    llvm::Function *source = module.getFunction(name.getValue());
    llvm::FunctionType *type = source->getFunctionType();
    bool hasStrand = copy->hasAttr(StrandsAttribute);
    if (hasStrand) {
      llvm::SmallVector<llvm::Type *> parameters(type->params());
      parameters.push_back(llvm::PointerType::get(module.getContext(), 0));
      type = llvm::FunctionType::get(type->getReturnType(), parameters, false);
    }
    llvm::Function *function = llvm::Function::Create(
        type, llvm::Function::ExternalLinkage, copy.getName(), module);
    assert(function->getName() == copy.getName() &&
           "the pass that made the copy knows what has such a name");
    function->copyAttributesFrom(source);
    if (hasStrand)
      function->removeFnAttr(llvm::Attribute::Memory);
    function->setVisibility(llvm::GlobalValue::HiddenVisibility);
    imported.converted.push_back(function);
    imported.promoted.push_back({function, llvm::Function::InternalLinkage,
                                 llvm::GlobalValue::DefaultVisibility,
                                 /*dsoLocal=*/true});
  }
}

/// Has the table of functions and their channels name the definitions that are
/// here: of a shared library's symbol, another's may be the program's.  So do
/// calls in `kernels`, unless the other one is to be called
/// (-fsemantic-interposition): clones are of these definitions as well, and the
/// answer would depend on the worker that runs a child.
static void useOwnDefinitions(llvm::Module &module,
                              llvm::ArrayRef<llvm::Function *> functions,
                              const llvm::StringSet<> &kernels) {
  llvm::GlobalVariable *exports = module.getNamedGlobal(ExportsName);
  llvm::Constant *table = exports && exports->hasInitializer()
                              ? exports->getInitializer()
                              : nullptr;
  for (llvm::Function *function : functions) {
    if (function->isDSOLocal() || function->isDeclaration())
      continue;
    auto *own =
        llvm::GlobalAlias::create(llvm::GlobalValue::InternalLinkage,
                                  function->getName() + ".own", function);
    function->replaceUsesWithIf(own, [&](const llvm::Use &use) {
      if (table && llvm::is_contained(table->operands(), use.getUser()))
        return true;
      auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      return call && call->isCallee(&use) && !function->isInterposable() &&
             kernels.contains(call->getFunction()->getName());
    });
    if (own->use_empty())
      own->eraseFromParent();
  }
}

llvm::Error cilk2chan::mergeBack(llvm::Module &module, ImportedModule imported,
                                 std::unique_ptr<llvm::Module> kernels) {
  if (!TypeLayout(*imported.module).isThatOf(module.getDataLayout()))
    return llvm::createStringError(
        "the kernels are laid out for another data layout than '" +
        module.getDataLayoutStr() + "'");
  dropUnsplit(imported, *kernels);
  adoptCompileUnit(module, *kernels);
  llvm::StringSet<> names;
  for (const llvm::Function &function : *kernels)
    if (!function.isDeclaration())
      names.insert(function.getName());
  if (llvm::Error failure = link(module, std::move(kernels)))
    return failure;
  for (llvm::Function *function : imported.converted)
    if (llvm::Error failure = spliceStub(module, *function))
      return failure;
  // One loop's body may have been another's.
  for (llvm::Function *function : imported.erased)
    clearBody(*function);
  for (llvm::Function *function : imported.erased) {
    assert(function->use_empty() && "whose name is nowhere");
    function->eraseFromParent();
  }
  if (llvm::Error failure = finishKernels(module, imported.variables))
    return failure;
  // A caller gains nothing by a copy of what stores arguments in an element.
  for (llvm::Function *function : imported.converted)
    if (!function->hasFnAttribute(llvm::Attribute::AlwaysInline))
      function->addFnAttr(llvm::Attribute::NoInline);

  for (const ImportedModule::Promoted &symbol : imported.promoted) {
    symbol.value->setVisibility(symbol.visibility);
    symbol.value->setLinkage(symbol.linkage);
    symbol.value->setDSOLocal(symbol.dsoLocal);
  }
  useOwnDefinitions(module, imported.converted, names);
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    if (function.use_empty() && function.isDeclaration() &&
        (isSpawnMarker(&function) || isSyncMarker(&function)))
      function.eraseFromParent();

  std::string reason;
  llvm::raw_string_ostream os(reason);
  if (llvm::verifyModule(module, &os))
    return llvm::createStringError("the kernels are not valid LLVM IR: " +
                                   reason);
  return llvm::Error::success();
}
