//===- CilkFrontendAction.cpp - From C to LLVM IR with markers ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Frontend/CilkFrontendAction.h"
#include "BlockPragma.h"
#include "CxxMessages.h"
#include "Diagnostics.h"
#include "EscapingObjects.h"
#include "Exports.h"
#include "KeptLocals.h"
#include "Keywords.h"
#include "LockWarnings.h"
#include "MisspeltWords.h"
#include "Reducers.h"
#include "SpawnChecks.h"
#include "SpawnMarking.h"
#include "Synched.h"
#include "WarningPragmas.h"
#include "cilk2chan/Support/KeptObjects.h"
#include "cilk2chan/Support/Markers.h"
#include "clang/AST/Attr.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace clang;

namespace cilk2chan {
namespace {

/// Stands in front of CodeGen: recognises the words while the parser works, and
/// checks and rewrites each function before CodeGen sees it.
class MarkingConsumer : public SemaConsumer {
public:
  MarkingConsumer(const FrontendOptions &options, ASTConsumer &codeGen,
                  ProgramFacts &facts, bool precompiles = false)
      : options(options), codeGen(codeGen), facts(facts),
        precompiles(precompiles), locks(options.warnings.lock) {}

  void InitializeSema(Sema &sema) override {
    children.emplace(sema.Context);
    // Not entered in any scope, so no program can name them.
    table.syncFunction =
        children->function(SyncName, {}, SC_Extern, SourceLocation());
    table.releaseFunction =
        children->function(SyncReleaseName, {}, SC_Extern, SourceLocation());
    ASTContext &ast = sema.Context;
    table.grainFunction = children->function(
        GrainName, {ast.LongLongTy}, SC_Extern, SourceLocation(), ast.IntTy);
    table.synchedFunction = children->function(
        SynchedName, {}, SC_Extern, SourceLocation(), sema.Context.IntTy);
    reducers.emplace(ast, *children);
    keywords.emplace(sema, table, *children, options.keywords);
    addWarningPragmas(sema.PP, options.warnings);
    refuseCxxHeaders(sema.PP);
    suggestWords(sema);
    blockPragmas.watch(sema.PP);
    // Coverage mapping would have it called for tokens of directives too.
    sema.PP.setPreprocessToken(false);
    sema.PP.setTokenWatcher(
        [this](const Token &token) { keywords->watch(token); });
  }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group) {
      if (keywords->hasReducers())
        reducers->check(declaration);
      auto *function = dyn_cast<FunctionDecl>(declaration);
      bool spawns = false;
      if (function && function->doesThisDeclarationHaveABody())
        spawns = handle(function);
      else if (function && isExport(function))
        exports.insert(function->getCanonicalDecl());
      if (auto number = blockPragmas.take(declaration, spawns))
        facts.blocks[declaration->getCanonicalDecl()] = *number;
    }
    return true;
  }

  /// What is read from a precompiled header, in the middle of something else,
  /// does not spawn.
  void HandleInterestingDecl(DeclGroupRef) override {}

  void HandleTranslationUnit(ASTContext &ast) override {
    locks.finish(ast);
    blockPragmas.finish(ast.getDiagnostics());
    if (ast.getDiagnostics().hasErrorOccurred())
      return;
    for (FunctionDecl *function : exports)
      if (function->isReferenced() && !function->hasBody() &&
          defineExport(function, *children))
        codeGen.HandleTopLevelDecl(DeclGroupRef(function));
  }

private:
  /// Returns whether the function spawns.
  bool handle(FunctionDecl *function) {
    bool inCilk = keywords->inCilk(function->getLocation());
    facts.beginsInCilk |=
        inCilk && function->isMain() && keywords->isProcedure(function);
    if (!checkSpawns(function, table)) {
      rewriteReducers(function, /*spawns=*/false);
      return false;
    }
    // A spawning function is split whatever it asks for.
    function->dropAttr<OptimizeNoneAttr>();
    if (!function->getASTContext().getDiagnostics().hasErrorOccurred())
      mark(function, inCilk);
    return true;
  }

  void mark(FunctionDecl *function, bool inCilk) {
    warnOfSpawns(function, table, options.warnings, inCilk);
    warnOfLoops(function, table, options.warnings.loop);
    AddressFlow flow(function->getBody());
    EscapingObjects escaping(function, table, flow);
    escaping.warn(function->getASTContext().getDiagnostics(),
                  options.warnings.lifetime);
    locks.check(function, table);
    if (options.serialize)
      return;
    if (precompiles)
      return refuseToPrecompile(function);
    checkSanitizers(function);
    if (!checkTarget(function))
      return;
    rewriteReducers(function, /*spawns=*/true);
    SpawnMarking(function, table, *children, flow, escaping).run();
    for (FunctionDecl *child : children->takeFunctions()) {
      codeGen.HandleTopLevelDecl(DeclGroupRef(child));
      // Coverage would have it that what is implicit never ran.
      if (child->isImplicit())
        child->setBody(nullptr);
    }
  }

  void rewriteReducers(FunctionDecl *function, bool spawns) {
    if (keywords->hasReducers() && !options.serialize && !precompiles)
      reducers->rewrite(function, table, spawns);
  }

  static void refuseToPrecompile(const FunctionDecl *function) {
    DiagnosticsEngine &engine = function->getASTContext().getDiagnostics();
    error(engine, function->getLocation(),
          "%0 spawns or syncs, which cannot be precompiled")
        << function;
    note(engine, function->getLocation(),
         "declare it in the precompiled header, and define it elsewhere");
  }

  const FrontendOptions &options;
  ASTConsumer &codeGen;
  ProgramFacts &facts;
  bool precompiles;
  SpawnTable table;
  LockWarnings locks;
  BlockPragmas blockPragmas;
  llvm::SetVector<FunctionDecl *> exports;
  std::optional<ChildBuilder> children;
  std::optional<Keywords> keywords;
  std::optional<Reducers> reducers;
};

} // namespace

/// The serial elision of the syncs and the grainsizes.
static void eraseMarkers(llvm::Module &module) {
  for (llvm::StringRef name : {SyncName, GrainName}) {
    llvm::Function *marker = module.getFunction(name);
    if (!marker)
      continue;
    for (llvm::User *user : llvm::make_early_inc_range(marker->users())) {
      auto *call = cast<llvm::CallInst>(user);
      if (!call->use_empty())
        call->replaceAllUsesWith(llvm::Constant::getNullValue(call->getType()));
      call->eraseFromParent();
    }
    marker->eraseFromParent();
  }
}

/// Has the functions that a pragma speaks of say so.
static void tellBlocks(llvm::Module &module, CodeGenerator &codeGen,
                       const ProgramFacts &facts) {
  if (facts.blocks.empty())
    return;
  for (llvm::Function &function : module)
    if (const Decl *declaration =
            codeGen.GetDeclForMangledName(function.getName()))
      if (unsigned number =
              facts.blocks.lookup(declaration->getCanonicalDecl()))
        function.addFnAttr(BlockAttribute, llvm::utostr(number));
}

/// Puts C's main in front of a procedure main that has no result for the
/// system, or whose options the runtime is to see before it starts.
static void wrapMain(llvm::Module &module, bool takesOptions) {
  llvm::Function *procedure = module.getFunction("main");
  if (!procedure || procedure->isDeclaration())
    return;
  takesOptions &= procedure->arg_size() >= 2;
  bool returns = !procedure->getReturnType()->isVoidTy();
  if (returns && !takesOptions)
    return;
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type *status = builder.getInt32Ty();
  auto *type = llvm::FunctionType::get(
      status, procedure->getFunctionType()->params(), false);
  auto *main =
      llvm::Function::Create(type, procedure->getLinkage(), "", module);
  main->copyAttributesFrom(procedure);
  main->takeName(procedure);
  procedure->setName(ProcedureMainName);
  procedure->setLinkage(llvm::Function::InternalLinkage);

  builder.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "entry", main));
  llvm::SmallVector<llvm::Value *> arguments(
      llvm::make_pointer_range(main->args()));
  if (takesOptions) {
    llvm::Value *count = builder.CreateAlloca(arguments[0]->getType());
    builder.CreateStore(arguments[0], count);
    llvm::FunctionCallee init =
        module.getOrInsertFunction("Cilk_init", builder.getPtrTy(),
                                   builder.getPtrTy(), builder.getPtrTy());
    builder.CreateCall(init, {count, arguments[1]});
    arguments[0] = builder.CreateLoad(arguments[0]->getType(), count);
  }
  llvm::Value *result = builder.CreateCall(procedure, arguments);
  builder.CreateRet(returns ? result : builder.getInt32(0));
}

/// C's inline definitions are copies for the optimiser, of functions that are
/// defined elsewhere.  A copy that spawns is of no use to it; but where all
/// calls must be inlined, the program may have no other definition.
static void dropInlineCopies(llvm::Module &module) {
  llvm::SmallSetVector<llvm::Function *, 8> copies;
  for (llvm::Function &function : module) {
    llvm::StringRef name = function.getName();
    if (name != SyncName && name != SyncReleaseName &&
        !name.starts_with(SpawnPrefix) && !name.starts_with(ForPrefix))
      continue;
    for (llvm::User *call : function.users()) {
      llvm::Function *caller = cast<llvm::CallInst>(call)->getFunction();
      if (caller->hasAvailableExternallyLinkage())
        copies.insert(caller);
    }
  }
  for (llvm::Function *copy : copies)
    if (copy->hasFnAttribute(llvm::Attribute::AlwaysInline))
      copy->setLinkage(llvm::Function::LinkOnceODRLinkage);
    else
      copy->deleteBody();
}

/// Removes the children of parents that CodeGen left out, and what kept the
/// others alive until now.
static void pruneChildren(llvm::Module &module) {
  dropInlineCopies(module);
  auto isOurs = [](llvm::StringRef name) {
    return name.starts_with(ChildPrefix) || name.starts_with(BlockPrefix);
  };
  // The suffix of -funique-internal-linkage-names.
  for (llvm::Function &function : module)
    if (isOurs(function.getName()))
      function.setName(function.getName().split(".__uniq.").first.str());
  llvm::removeFromUsedLists(module, [&](llvm::Constant *constant) {
    return isOurs(constant->stripPointerCasts()->getName());
  });
  allowUndefinedCaptures(module);
  // A dropped block's own spawns go with it.
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function &function : llvm::make_early_inc_range(module)) {
      llvm::StringRef name = function.getName();
      function.removeDeadConstantUsers();
      if (!function.use_empty())
        continue;
      bool unused =
          name.starts_with(BlockPrefix) || name.starts_with(SpawnPrefix);
      if (name.consume_front(ChildPrefix))
        unused = !module.getFunction((SpawnPrefix + name).str());
      if (unused) {
        function.eraseFromParent();
        changed = true;
      }
    }
  }
}

bool FrontendOptions::parseWarningFlag(llvm::StringRef flag) {
  if (!flag.consume_front("-W"))
    return false;
  bool value = !flag.consume_front("no-");
  bool isError = flag.consume_front("error=");
  bool known = false;
  for (Warning *warning :
       {&warnings.returnSpawn, &warnings.earlyRead, &warnings.serial,
        &warnings.lock, &warnings.lifetime, &warnings.loop}) {
    if (!warning->isMeantBy(flag) || (isError && flag == "everything"))
      continue;
    known = true;
    if (isError)
      warning->isError = value;
    // -Werror=<name> turns the warning on, -Wno-error=<name> not off.
    if (value || !isError)
      warning->enabled = value;
  }
  return known;
}

static void addCilkMacros(CompilerInstance &instance) {
  instance.getPreprocessorOpts().addMacroDef("__cilk=300");
}

CilkFrontendAction::CilkFrontendAction(llvm::LLVMContext &context,
                                       FrontendOptions options,
                                       Consumer consume)
    : EmitLLVMOnlyAction(&context), options(options),
      consume(std::move(consume)) {}

bool CilkFrontendAction::PrepareToExecuteAction(CompilerInstance &instance) {
  addCilkMacros(instance);
  return true;
}

std::unique_ptr<ASTConsumer>
CilkFrontendAction::CreateASTConsumer(CompilerInstance &instance,
                                      llvm::StringRef file) {
  CodeGenOptions &codeGenOptions = instance.getCodeGenOpts();
  codeGenOptions.DisableLLVMPasses = true;
  codeGenOptions.DisableO0ImplyOptNone = true;
  codeGenOptions.DisableLifetimeMarkers = true;
  // What is refused later is refused where it is declared.
  codeGenOptions.ClearASTBeforeBackend = false;

  auto codeGen = EmitLLVMOnlyAction::CreateASTConsumer(instance, file);
  if (!codeGen)
    return nullptr;
  auto marking = std::make_unique<MarkingConsumer>(options, *codeGen, facts);
  std::vector<std::unique_ptr<ASTConsumer>> consumers;
  consumers.push_back(std::move(marking));
  consumers.push_back(std::move(codeGen));
  return std::make_unique<MultiplexConsumer>(std::move(consumers));
}

void CilkFrontendAction::EndSourceFileAction() {
  EmitLLVMOnlyAction::EndSourceFileAction();
  std::unique_ptr<llvm::Module> module = takeModule();
  if (!module || getCompilerInstance().getDiagnostics().hasErrorOccurred())
    return;
  tellBlocks(*module, *getCodeGenerator(), facts);
  wrapMain(*module, facts.beginsInCilk);
  lowerSynched(*module);
  if (options.serialize)
    eraseMarkers(*module);
  else
    pruneChildren(*module);
  markObjects(*module);
  consume(*getCodeGenerator(), std::move(module));
}

CilkInspectAction::CilkInspectAction(std::unique_ptr<FrontendAction> action,
                                     FrontendOptions options)
    : WrapperFrontendAction(std::move(action)), options(options) {}

bool CilkInspectAction::PrepareToExecuteAction(CompilerInstance &instance) {
  addCilkMacros(instance);
  return WrapperFrontendAction::PrepareToExecuteAction(instance);
}

bool CilkInspectAction::BeginSourceFileAction(CompilerInstance &instance) {
  if (usesPreprocessorOnly())
    addWarningPragmas(instance.getPreprocessor(), options.warnings);
  return WrapperFrontendAction::BeginSourceFileAction(instance);
}

std::unique_ptr<ASTConsumer>
CilkInspectAction::CreateASTConsumer(CompilerInstance &instance,
                                     llvm::StringRef file) {
  auto wrapped = WrapperFrontendAction::CreateASTConsumer(instance, file);
  if (!wrapped)
    return nullptr;
  bool precompiles = false;
  switch (instance.getFrontendOpts().ProgramAction) {
  case frontend::GeneratePCH:
  case frontend::GenerateModule:
  case frontend::GenerateHeaderUnit:
    precompiles = true;
    break;
  default:
    options.serialize = true;
  }
  std::vector<std::unique_ptr<ASTConsumer>> consumers;
  consumers.push_back(
      std::make_unique<MarkingConsumer>(options, *wrapped, facts, precompiles));
  consumers.push_back(std::move(wrapped));
  return std::make_unique<MultiplexConsumer>(std::move(consumers));
}

} // namespace cilk2chan
