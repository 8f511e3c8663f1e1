//===- CilkFrontendAction.cpp - From C to LLVM IR with markers ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Frontend/CilkFrontendAction.h"
#include "Keywords.h"
#include "SpawnChecks.h"
#include "SpawnMarking.h"
#include "cilk2chan/Support/Markers.h"
#include "clang/AST/Attr.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace clang;

namespace cilk2chan {
namespace {

/// Stands in front of CodeGen: recognises the words while the parser works, and
/// checks and rewrites each function before CodeGen sees it.
class MarkingConsumer : public SemaConsumer {
public:
  MarkingConsumer(const FrontendOptions &options, ASTConsumer &codeGen)
      : options(options), codeGen(codeGen) {}

  void InitializeSema(Sema &sema) override {
    children.emplace(sema.Context);
    // Not entered in any scope, so no program can name it.
    table.syncFunction =
        children->function(SyncName, {}, SC_Extern, SourceLocation());
    ASTContext &ast = sema.Context;
    table.grainFunction = children->function(
        GrainName, {ast.LongLongTy}, SC_Extern, SourceLocation(), ast.IntTy);
    keywords.emplace(sema, table, *children, options.keywords);
    // Coverage mapping would have it called for tokens of directives too.
    sema.PP.setPreprocessToken(false);
    sema.PP.setTokenWatcher(
        [this](const Token &token) { keywords->watch(token); });
  }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group)
      if (auto *function = dyn_cast<FunctionDecl>(declaration))
        if (function->doesThisDeclarationHaveABody())
          handle(function);
    return true;
  }

private:
  void handle(FunctionDecl *function) {
    if (!checkSpawns(function, table))
      return;
    // A spawning function is split whatever it asks for.
    function->dropAttr<OptimizeNoneAttr>();
    if (function->getASTContext().getDiagnostics().hasErrorOccurred())
      return;
    warnOfSpawns(function, table, options.warnings);
    if (options.serialize)
      return;
    SpawnMarking(function, table, *children).run();
    for (FunctionDecl *child : children->takeFunctions())
      codeGen.HandleTopLevelDecl(DeclGroupRef(child));
  }

  const FrontendOptions &options;
  ASTConsumer &codeGen;
  SpawnTable table;
  std::optional<ChildBuilder> children;
  std::optional<Keywords> keywords;
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

/// C's inline definitions are copies for the optimiser, of functions that are
/// defined elsewhere.  A copy that spawns is of no use to it.
static void dropInlineCopies(llvm::Module &module) {
  for (llvm::Function &function : module) {
    llvm::StringRef name = function.getName();
    if (name != SyncName && !name.starts_with(SpawnPrefix) &&
        !name.starts_with(ForPrefix))
      continue;
    for (llvm::User *call : llvm::make_early_inc_range(function.users())) {
      llvm::Function *caller = cast<llvm::CallInst>(call)->getFunction();
      if (caller->hasAvailableExternallyLinkage())
        caller->deleteBody();
    }
  }
}

/// Removes the children of parents that CodeGen left out, and what kept the
/// others alive until now.
static void pruneChildren(llvm::Module &module) {
  dropInlineCopies(module);
  auto isOurs = [](llvm::StringRef name) {
    return name.starts_with(ChildPrefix) || name.starts_with(BlockPrefix);
  };
  llvm::removeFromUsedLists(module, [&](llvm::Constant *constant) {
    return isOurs(constant->stripPointerCasts()->getName());
  });
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
  if (flag == "cilk")
    warnings = {value, value, value};
  else if (flag == "cilk-return")
    warnings.returnSpawn = value;
  else if (flag == "cilk-early-read")
    warnings.earlyRead = value;
  else if (flag == "cilk-serial")
    warnings.serial = value;
  else
    return false;
  return true;
}

void addCilkMacros(PreprocessorOptions &options) {
  options.addMacroDef("__cilk=300");
}

CilkFrontendAction::CilkFrontendAction(llvm::LLVMContext &context,
                                       FrontendOptions options,
                                       Consumer consume)
    : EmitLLVMOnlyAction(&context), options(options),
      consume(std::move(consume)) {}

bool CilkFrontendAction::PrepareToExecuteAction(CompilerInstance &instance) {
  addCilkMacros(instance.getPreprocessorOpts());
  return true;
}

std::unique_ptr<ASTConsumer>
CilkFrontendAction::CreateASTConsumer(CompilerInstance &instance,
                                      llvm::StringRef file) {
  CodeGenOptions &codeGenOptions = instance.getCodeGenOpts();
  codeGenOptions.DisableLLVMPasses = true;
  codeGenOptions.DisableO0ImplyOptNone = true;
  codeGenOptions.DisableLifetimeMarkers = true;

  auto codeGen = EmitLLVMOnlyAction::CreateASTConsumer(instance, file);
  if (!codeGen)
    return nullptr;
  auto marking = std::make_unique<MarkingConsumer>(options, *codeGen);
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
  if (options.serialize)
    eraseMarkers(*module);
  else
    pruneChildren(*module);
  consume(getCompilerInstance(), std::move(module));
}

} // namespace cilk2chan
