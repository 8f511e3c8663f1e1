//===- Import.cpp - Spawning functions to MLIR ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Import/Import.h"
#include "Analyses.h"
#include "Attributes.h"
#include "BelowGrainLoops.h"
#include "BelowGrainSpawns.h"
#include "Bounds.h"
#include "Callbacks.h"
#include "Captures.h"
#include "Children.h"
#include "DebugInfoTransfer.h"
#include "DirectReducers.h"
#include "Effects.h"
#include "Inlining.h"
#include "LockHelpers.h"
#include "Loops.h"
#include "Markers.h"
#include "NoAlias.h"
#include "Parameters.h"
#include "PromoteCalls.h"
#include "QuickFunctions.h"
#include "Restrictions.h"
#include "Selection.h"
#include "SourcePlaces.h"
#include "Specialization.h"
#include "SynchedFlags.h"
#include "WideAtomics.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/WorkingOn.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMIRToLLVMTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace cilk2chan;

char ImportError::ID;
char InternalError::ID;

/// Refuses a spawning function that cannot be split; helpers that cannot be
/// have not been selected.
static llvm::Error
checkRestrictions(llvm::ArrayRef<llvm::Function *> selected) {
  for (const llvm::Function *function : selected) {
    std::optional<Restriction> found = findRestriction(*function);
    if (found)
      return llvm::make_error<ImportError>(
          ("'" + function->getName() + "' cannot spawn or sync: it uses " +
           found->what)
              .str(),
          function->getName(),
          found->where ? encodedLocationOf(*found->where) : 0);
  }
  return llvm::Error::success();
}

/// Deletes the syncs to which control comes with nothing outstanding, such as
/// those in front of a return that follows another.
static void removeIdleSyncs(llvm::Function &function) {
  auto calleeOf = [](const llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call ? call->getCalledFunction() : nullptr;
  };
  auto isSync = [&](const llvm::Instruction &instruction) {
    return isSyncMarker(calleeOf(instruction));
  };
  auto leavesChildren = [&](const llvm::Instruction &instruction) {
    return isSpawnMarker(calleeOf(instruction));
  };
  // What control comes to with children outstanding.
  llvm::SetVector<llvm::BasicBlock *> work;
  llvm::SmallPtrSet<llvm::Instruction *, 8> needed;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> entered;
  for (llvm::BasicBlock &block : function)
    if (llvm::any_of(block, leavesChildren))
      work.insert(&block);
  while (!work.empty()) {
    llvm::BasicBlock *block = work.pop_back_val();
    bool outstanding = entered.contains(block);
    for (llvm::Instruction &instruction : *block) {
      if (leavesChildren(instruction))
        outstanding = true;
      if (!isSync(instruction))
        continue;
      if (outstanding)
        needed.insert(&instruction);
      outstanding = false;
    }
    if (outstanding)
      for (llvm::BasicBlock *next : llvm::successors(block))
        if (entered.insert(next).second)
          work.insert(next);
  }
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function)))
    if (isSync(instruction) && !needed.contains(&instruction))
      instruction.eraseFromParent();
}

/// Makes branches of switches without a case, which MLIR 22 cannot translate
/// back to LLVM if values pass along.
static void foldEmptySwitches(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
        choice && choice->getNumCases() == 0)
      llvm::ConstantFoldTerminator(&block);
}

/// The functions to convert as a module of their own, with declarations of no
/// more than they touch.
static std::unique_ptr<llvm::Module>
extract(llvm::Module &module, llvm::ArrayRef<llvm::Function *> converted,
        llvm::SmallVectorImpl<llvm::DILocalVariable *> &variables,
        bool withApplies = false) {
  // What crosses needs a name.
  for (llvm::GlobalValue &value : module.global_values())
    if (!value.hasName())
      value.setName("__cilk_unnamed");

  llvm::SmallPtrSet<const llvm::GlobalValue *, 16> wanted(converted.begin(),
                                                          converted.end());
  llvm::ValueToValueMapTy map;
  std::unique_ptr<llvm::Module> result =
      llvm::CloneModule(module, map, [&](const llvm::GlobalValue *value) {
        return wanted.contains(value) ||
               (withApplies && value->getName().starts_with(ApplyPrefix));
      });
  for (llvm::StringRef list : {"llvm.global_ctors", "llvm.global_dtors",
                               "llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable *variable = result->getNamedGlobal(list))
      variable->eraseFromParent();
  // They are cloned whatever is wanted, without the function that resolves
  // them.
  for (llvm::GlobalIFunc &chosen :
       llvm::make_early_inc_range(result->ifuncs())) {
    llvm::Function *declaration = llvm::Function::Create(
        llvm::cast<llvm::FunctionType>(chosen.getValueType()),
        llvm::GlobalValue::ExternalLinkage, chosen.getAddressSpace(), "",
        result.get());
    declaration->takeName(&chosen);
    chosen.replaceAllUsesWith(declaration);
    chosen.eraseFromParent();
  }
  for (llvm::GlobalValue &value :
       llvm::make_early_inc_range(result->global_values())) {
    value.removeDeadConstantUsers();
    if (value.isDeclaration() && value.use_empty() &&
        !value.getName().starts_with(ApplyPrefix))
      value.eraseFromParent();
  }
  // `no_cfi @f`, the address of `f` itself and not of its entry in the table of
  // CFI, has no form in MLIR.  What is called by either is the same.
  for (llvm::Function &function : *result)
    for (llvm::User *user : llvm::make_early_inc_range(function.users()))
      if (llvm::isa<llvm::NoCFIValue>(user))
        user->replaceAllUsesWith(&function);
  result->setModuleInlineAsm("");
  // Flags and producer are the module's own.
  for (llvm::StringRef name : {"llvm.module.flags", "llvm.ident"})
    if (llvm::NamedMDNode *node = result->getNamedMetadata(name))
      node->eraseFromParent();
  // How often a function is called; kernels are counted by themselves.
  for (llvm::Function &function : *result)
    function.setMetadata(llvm::LLVMContext::MD_prof, nullptr);
  for (llvm::Function *function : converted)
    numberDebugVariables(*function, *result->getFunction(function->getName()),
                         variables);
  return result;
}

/// Makes what `extracted` shares with `module` linkable, by its own name: it is
/// unique in the module, and nothing else is linked before it is internal
/// again.
static void promote(llvm::Module &module, const llvm::Module &extracted,
                    ImportedModule &result) {
  for (const llvm::GlobalValue &shared : extracted.global_values()) {
    llvm::GlobalValue *original = module.getNamedValue(shared.getName());
    if (!original || !original->hasLocalLinkage())
      continue;
    result.promoted.push_back({original, original->getLinkage(),
                               original->getVisibility(),
                               original->isDSOLocal()});
    original->setLinkage(llvm::GlobalValue::ExternalLinkage);
    original->setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
}

bool cilk2chan::hasMarkers(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return isSpawnMarker(&function) || isSyncMarker(&function);
  });
}

void cilk2chan::registerImportDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::DLTIDialect, mlir::LLVM::LLVMDialect>();
  registerSourcePlaces(registry);
  mlir::registerLLVMDialectImport(registry);
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

/// Translates `extracted`; the result is null, with what MLIR says against it
/// in `reason`, if that cannot be.
static mlir::OwningOpRef<mlir::ModuleOp>
translate(std::unique_ptr<llvm::Module> extracted, mlir::MLIRContext &context,
          std::string &reason) {
  reason.clear();
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        // Warnings are about metadata that only optimisers read.
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
          reason += (reason.empty() ? "" : "; ") + diagnostic.str();
        return mlir::success();
      });
  return mlir::translateLLVMIRToModule(std::move(extracted), &context,
                                       /*emitExpensiveWarnings=*/false,
                                       /*dropDICompositeTypeElements=*/true);
}

/// The error for functions that do not translate: about the first that does not
/// by itself.
static llvm::Error refuse(llvm::Module &module,
                          llvm::ArrayRef<llvm::Function *> converted,
                          mlir::MLIRContext &context, std::string reason) {
  for (llvm::Function *function : converted) {
    std::string own;
    llvm::SmallVector<llvm::DILocalVariable *> variables;
    if (!translate(extract(module, function, variables), context, own))
      return llvm::make_error<ImportError>(
          ("'" + function->getName() +
           "' cannot spawn or sync: it has no form in MLIR: " + own)
              .str(),
          function->getName());
  }
  return llvm::createStringError("cannot import into MLIR: " + reason);
}

/// Gives locals without a size, as GNU C's empty structs and arrays of no
/// elements are, a byte: each has an address, and all else of an object that
/// its activation keeps is told by how large it is.
static void giveSizes(llvm::Function &function) {
  const llvm::DataLayout &layout = function.getDataLayout();
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        local && layout.getTypeAllocSize(local->getAllocatedType()).isZero())
      local->setAllocatedType(llvm::Type::getInt8Ty(function.getContext()));
}

/// Inlines what is small into `converted`, and into what delivers results.
static void inlineInto(llvm::ArrayRef<llvm::Function *> converted,
                       llvm::Module &module,
                       llvm::FunctionAnalysisManager &analyses) {
  llvm::SmallVector<llvm::Function *> functions(converted);
  for (llvm::Function &function : module)
    if (function.getName().starts_with(ApplyPrefix))
      functions.push_back(&function);
  inlineSmallFunctions(functions, analyses);
}

/// Says of what kernels call why it is no part of them.
static void markCallees(const llvm::Module &module, llvm::Module &extracted) {
  for (llvm::Function &declared : extracted) {
    const llvm::Function *callee = module.getFunction(declared.getName());
    if (!declared.isDeclaration() || declared.isIntrinsic() || !callee)
      continue;
    std::string why = whyNotInlined(*callee);
    if (!why.empty())
      declared.addFnAttr(NotInlinedAttribute, why);
  }
}

static void cleanUp(llvm::Function &function,
                    llvm::FunctionAnalysisManager &analyses,
                    const ImportOptions &options) {
  WorkingOn working(function.getName());
  removeLifetimeMarkers(function);
  giveSizes(function);
  if (!options.keepLocals)
    llvm::SROAPass(llvm::SROAOptions::ModifyCFG).run(function, analyses);
  if (options.inlineSmall)
    simplify(function, analyses);
}

/// Tells `converted` what all their callers pass, and inlines what is called
/// by a pointer that has become known.
static void propagate(llvm::Module &module,
                      llvm::SmallVectorImpl<llvm::Function *> &converted,
                      llvm::FunctionAnalysisManager &analyses,
                      const ImportOptions &options) {
  for (llvm::Function *parent : passValues(module, converted))
    cleanUp(*parent, analyses, options);
  settleBounds(module, converted, /*areConstantsKnown=*/false);
  // It makes values of what callers have in variables, which tells parameters
  // more.
  inferNoAlias(module, converted, analyses);
  UsedConstants constants = inferParameters(module);
  settleBounds(module, converted, /*areConstantsKnown=*/true);
  if (constants.functions && options.inlineSmall)
    inlineInto(converted, module, analyses);
  for (llvm::Function *function : converted)
    if (constants.functions || llvm::is_contained(constants.in, function))
      cleanUp(*function, analyses, options);
}

static void report(llvm::ArrayRef<Finding> findings,
                   const mlir::remark::RemarkOpts &options,
                   mlir::MLIRContext &context, bool isMissed = false) {
  for (const auto &[location, what] : findings) {
    mlir::Location place = mlir::UnknownLoc::get(&context);
    if (location) {
      llvm::SmallString<128> path(location->getFilename());
      if (llvm::sys::path::is_relative(path))
        llvm::sys::path::make_absolute(location->getDirectory(), path);
      place = mlir::FileLineColLoc::get(&context, path, location->getLine(),
                                        location->getColumn());
    }
    if (isMissed)
      mlir::remark::missed(place, options) << what;
    else
      mlir::remark::passed(place, options) << what;
  }
}

/// Refuses a reducer that needs views.
static llvm::Error refuseViews(llvm::Module &module) {
  llvm::Function *view = module.getFunction(ReducerViewName);
  if (!view)
    return llvm::Error::success();
  llvm::StringRef user =
      llvm::cast<llvm::CallBase>(*view->user_begin())->getFunction()->getName();
  return llvm::make_error<ImportError>(
      ("'" + user +
       "' uses a reducer that needs views, which this target does not have")
          .str(),
      user, /*encodedLocation=*/0,
      "a local or static reducer of integers needs none, if all code in "
      "parallel updates it, as 'x += e' does where its operation is a sum");
}

llvm::Expected<ImportedModule>
cilk2chan::importSpawning(llvm::Module &module, mlir::MLIRContext &context,
                          const ImportOptions &options) {
  bool propagates = options.propagate && !options.keepLocals;
  Analyses analyses;
  using mlir::remark::RemarkOpts;
  auto reducer = RemarkOpts::name("reducer").category("chan-reducers");
  ReducerFindings reducers = removeViews(module, analyses.manager);
  report(reducers.inPlace, reducer, context);
  report(reducers.withViews, reducer, context, /*isMissed=*/true);
  if (!options.views)
    if (llvm::Error failure = refuseViews(module))
      return failure;
  if (llvm::Error failure = outlineLoops(module, /*tellBounds=*/propagates))
    return failure;
  if (llvm::Error failure = splitChildren(module, analyses.manager))
    return failure;
  KnownEffects effects;
  findEffects(module, effects);

  if (options.findLight) {
    auto light = RemarkOpts::name("serial").category("chan-below-grain");
    report(serializeLightLoops(module, analyses.manager), light, context);
    report(serializeLightSpawns(module, analyses.manager), light, context);
  }
  auto promotion = RemarkOpts::name("promote").category("chan-call-promotion");
  if (options.promoteCalls && options.inlineSmall && !options.keepLocals)
    report(specializeCallbacks(module), promotion, context);
  if (options.promoteCalls)
    report(promoteCalls(module), promotion, context);
  if (propagates)
    specializeLoops(module, analyses.manager);

  ImportedModule result;
  result.converted = selectFunctions(module, options.splitRecursion);
  if (llvm::Error failure = checkRestrictions(result.converted))
    return failure;
  for (llvm::Function &function : module)
    removeIdleSyncs(function);
  useSynchedFlags(module, result.converted);
  if (result.converted.empty()) {
    for (llvm::StringRef name : {SyncName, SyncReleaseName})
      if (llvm::Function *sync = module.getFunction(name))
        sync->eraseFromParent();
    result.module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    return result;
  }
  if (options.inlineSmall)
    inlineInto(result.converted, module, analyses.manager);
  for (llvm::Function *function : result.converted) {
    foldEmptySwitches(*function);
    stripUntrueAttributes(*function);
    cleanUp(*function, analyses.manager, options);
  }
  if (propagates)
    propagate(module, result.converted, analyses.manager, options);
  for (llvm::Function &function : module)
    updateBehindLoops(function);
  tellRanges(module);
  tellEffects(result.converted, effects);

  if (options.findLight)
    markLightLoops(module, analyses.manager);
  outlineWideAtomics(result.converted);

  std::unique_ptr<llvm::Module> extracted =
      extract(module, result.converted, result.variables, options.withApplies);
  markLockHelpers(module, *extracted);
  markQuickFunctions(module, *extracted);
  if (context.getRemarkEngine())
    markCallees(module, *extracted);
  promote(module, *extracted, result);
  // The place of inline assembly is an attribute of this dialect's.
  context.loadDialect<cilk::CilkDialect>();
  std::string reason;
  result.module = translate(std::move(extracted), context, reason);
  if (!result.module)
    return refuse(module, result.converted, context, std::move(reason));
  // For TypeLayout.
  result.module.get()->setAttr(
      mlir::LLVM::LLVMDialect::getDataLayoutAttrName(),
      mlir::StringAttr::get(&context, module.getDataLayoutStr()));
  if (options.strands || module.getFunction(ReducerViewName))
    result.module.get()->setAttr(StrandsAttribute,
                                 mlir::UnitAttr::get(&context));
  return result;
}
