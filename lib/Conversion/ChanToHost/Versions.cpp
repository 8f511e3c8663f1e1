//===- Versions.cpp - Kernels for several processors ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/Versions.h"

#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Support/FunctionAttributes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace cilk2chan;

static constexpr ProcessorVersion versions[] = {
    {"x86-64-v3", 3, 256},
    {"x86-64-v4", 4, 512},
};

/// Of a version, the kernel that it may be chosen for.
static constexpr llvm::StringLiteral versionOf = "chan.version-of";

llvm::ArrayRef<ProcessorVersion> cilk2chan::processorVersions() {
  return versions;
}

static std::string nameOf(const llvm::Twine &symbol, llvm::StringRef version) {
  return (symbol + "." + version).str();
}

//===----------------------------------------------------------------------===//
// In MLIR
//===----------------------------------------------------------------------===//

void cilk2chan::roundProducts(mlir::ModuleOp graph) {
  graph.walk([](mlir::LLVM::FMulAddOp op) {
    mlir::OpBuilder builder(op);
    auto flags = op.getFastmathFlags();
    mlir::Value product = mlir::LLVM::FMulOp::create(
        builder, op.getLoc(), op.getA(), op.getB(), flags);
    op.replaceAllUsesWith(mlir::LLVM::FAddOp::create(builder, op.getLoc(),
                                                     product, op.getC(), flags)
                              .getResult());
    op.erase();
  });
}

/// Whether `function` is a kernel for registers of a certain length.
static bool hasLanes(mlir::LLVM::LLVMFuncOp function) {
  auto width = functionAttribute(function, "min-legal-vector-width");
  return width && *width != "0" &&
         function.getLinkage() == mlir::LLVM::Linkage::Internal;
}

/// `attributes` of a function and one more.
static mlir::ArrayAttr with(mlir::ArrayAttr attributes, llvm::StringRef name,
                            llvm::StringRef value) {
  mlir::Builder builder(attributes.getContext());
  llvm::SmallVector<mlir::Attribute> all(attributes.getValue());
  all.push_back(builder.getStrArrayAttr({name, value}));
  return builder.getArrayAttr(all);
}

namespace {

class VersionAdder {
public:
  VersionAdder(mlir::ModuleOp graph, mlir::ModuleOp other,
               const ProcessorVersion &version)
      : version(version), graph(graph), other(other), symbols(graph),
        otherSymbols(other), users(tables, other) {}

  void add();

private:
  /// Moves `op` into the graph under a name of the version's.
  void move(mlir::Operation *op) {
    op->remove();
    symbols.insert(op, graph.getBody()->end());
  }
  /// Gives `op` and its uses a name of the version's.  The uses are found once
  /// for all: SymbolTable::rename walks the module for each.
  void rename(mlir::Operation *op) {
    llvm::StringRef name = mlir::SymbolTable::getSymbolName(op).getValue();
    auto newName =
        mlir::StringAttr::get(op->getContext(), nameOf(name, version.name));
    users.replaceAllUsesWith(op, newName);
    otherSymbols.remove(op);
    mlir::SymbolTable::setSymbolName(op, newName);
    otherSymbols.insert(op);
  }
  void addNeeded(mlir::Operation *kernel);
  void addForm(mlir::LLVM::GlobalOp phases, llvm::StringRef channel);

  const ProcessorVersion &version;
  mlir::ModuleOp graph, other;
  mlir::SymbolTable symbols, otherSymbols;
  mlir::SymbolTableCollection tables;
  mlir::SymbolUserMap users; // in `other`
};

} // namespace

/// What only this version calls of the runtime, or has as a table.
void VersionAdder::addNeeded(mlir::Operation *kernel) {
  auto uses = mlir::SymbolTable::getSymbolUses(kernel);
  for (mlir::SymbolTable::SymbolUse use : *uses) {
    mlir::StringAttr name = use.getSymbolRef().getLeafReference();
    mlir::Operation *needed = otherSymbols.lookup(name);
    auto callee = llvm::dyn_cast_or_null<mlir::LLVM::LLVMFuncOp>(needed);
    auto table = llvm::dyn_cast_or_null<mlir::LLVM::GlobalOp>(needed);
    bool isNeeded = (callee && callee.isExternal()) ||
                    (table && table.getConstant() &&
                     table.getLinkage() == mlir::LLVM::Linkage::Private);
    if (isNeeded && !symbols.lookup(name))
      symbols.insert(needed->clone());
  }
}

/// Has member `index` of a constant struct be the value that `make` builds.
static void setMember(mlir::LLVM::GlobalOp global, int64_t index,
                      llvm::function_ref<mlir::Value(mlir::OpBuilder &)> make) {
  mlir::Operation *end = global.getInitializerBlock()->getTerminator();
  mlir::OpBuilder builder(end);
  mlir::Value member = make(builder);
  end->setOperand(0, mlir::LLVM::InsertValueOp::create(
                         builder, global.getLoc(), end->getOperand(0), member,
                         llvm::ArrayRef<int64_t>{index}));
}

static void setMember(mlir::LLVM::GlobalOp global, int64_t index,
                      mlir::LLVM::GlobalOp pointee) {
  setMember(global, index, [&](mlir::OpBuilder &builder) {
    return mlir::LLVM::AddressOfOp::create(builder, global.getLoc(), pointee);
  });
}

/// Puts a form in front of those that the channel has.
void VersionAdder::addForm(mlir::LLVM::GlobalOp phases,
                           llvm::StringRef channel) {
  std::string name = (channel + ".batch").str();
  auto form = otherSymbols.lookup<mlir::LLVM::GlobalOp>(name);
  auto next = symbols.lookup<mlir::LLVM::GlobalOp>(name);
  for (const ProcessorVersion &before : versions)
    if (auto known =
            symbols.lookup<mlir::LLVM::GlobalOp>(nameOf(name, before.name)))
      next = known;
  auto owner = symbols.lookup<mlir::LLVM::GlobalOp>(channel);
  for (mlir::LLVM::GlobalOp global : {phases, form}) {
    rename(global);
    move(global);
  }
  // Perhaps no version before had a use for it.
  std::string twin = (channel + abi::reducingSuffix).str();
  if (auto own = otherSymbols.lookup<mlir::LLVM::GlobalOp>(twin);
      own && !symbols.lookup(twin))
    move(own);
  setMember(form, abi::formProcessor, [&](mlir::OpBuilder &builder) {
    return mlir::LLVM::ConstantOp::create(
        builder, form.getLoc(), builder.getI32IntegerAttr(version.level));
  });
  if (next)
    setMember(form, abi::formNext, next);
  setMember(owner, abi::channelBatch, form);
  if (auto reducing = symbols.lookup<mlir::LLVM::GlobalOp>(twin))
    setMember(reducing, abi::channelBatch, form);
}

void VersionAdder::add() {
  static constexpr llvm::StringLiteral suffix = ".phases";
  llvm::SmallVector<mlir::LLVM::GlobalOp> tables;
  llvm::DenseSet<mlir::StringAttr> phases;
  for (auto global : other.getOps<mlir::LLVM::GlobalOp>())
    if (global.getInitializerBlock() && global.getName().ends_with(suffix)) {
      tables.push_back(global);
      auto uses = mlir::SymbolTable::getSymbolUses(global);
      for (mlir::SymbolTable::SymbolUse use : *uses)
        phases.insert(use.getSymbolRef().getLeafReference());
    }
  llvm::SmallVector<mlir::LLVM::LLVMFuncOp> kernels;
  for (auto function : other.getOps<mlir::LLVM::LLVMFuncOp>())
    if (hasLanes(function))
      kernels.push_back(function);
  // Those of one version refer to each other.
  for (auto kernel : kernels) {
    mlir::StringAttr name = kernel.getSymNameAttr();
    rename(kernel);
    kernel.setTargetCpu(version.name);
    giveOwnSubprogram(kernel, kernel.getLoc());
    if (!phases.contains(name))
      kernel.setPassthroughAttr(
          with(*kernel.getPassthrough(), versionOf, name));
  }
  for (auto kernel : kernels) {
    addNeeded(kernel);
    move(kernel);
  }
  for (mlir::LLVM::GlobalOp table : tables) {
    std::string name = table.getName().drop_back(suffix.size()).str();
    addForm(table, name);
  }
}

void cilk2chan::addVersion(mlir::ModuleOp graph, mlir::ModuleOp other,
                           const ProcessorVersion &version) {
  VersionAdder(graph, other, version).add();
}

//===----------------------------------------------------------------------===//
// In LLVM IR
//===----------------------------------------------------------------------===//

/// The processor's features, in words as libgcc and compiler-rt keep them.
static llvm::Value *loadFeatures(llvm::IRBuilder<> &builder,
                                 llvm::Module &module, unsigned word) {
  llvm::Type *i32 = builder.getInt32Ty();
  auto variable = [&](llvm::StringRef name, llvm::Type *type) {
    auto *global =
        llvm::cast<llvm::GlobalValue>(module.getOrInsertGlobal(name, type));
    global->setDSOLocal(true);
    return global;
  };
  auto *three = llvm::ArrayType::get(i32, 3);
  if (word > 0)
    return builder.CreateLoad(
        i32, builder.CreateConstGEP2_32(
                 three, variable("__cpu_features2", three), 0, word - 1));
  auto *model =
      llvm::StructType::get(i32, i32, i32, llvm::ArrayType::get(i32, 1));
  return builder.CreateLoad(
      i32,
      builder.CreateConstGEP2_32(model, variable("__cpu_model", model), 0, 3));
}

/// Whether the processor is one of `version`.
static llvm::Value *isPresent(llvm::IRBuilder<> &builder, llvm::Module &module,
                              const ProcessorVersion &version) {
  llvm::Value *present = builder.getTrue();
  for (auto [word, bits] :
       llvm::enumerate(llvm::X86::getCpuSupportsMask({version.name}))) {
    if (bits == 0)
      continue;
    llvm::Value *wanted = builder.getInt32(bits);
    llvm::Value *there =
        builder.CreateAnd(loadFeatures(builder, module, word), wanted);
    present = builder.CreateAnd(present, builder.CreateICmpEQ(there, wanted));
  }
  return present;
}

/// A function that returns the best version of `kernel`. It runs before the
/// program is linked to its libraries, so it calls none.
static llvm::Function *makeResolver(llvm::Module &module,
                                    llvm::Function &kernel) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *pointer = llvm::PointerType::getUnqual(context);
  auto *resolver =
      llvm::Function::Create(llvm::FunctionType::get(pointer, false),
                             llvm::GlobalValue::InternalLinkage,
                             kernel.getName() + ".resolver", module);
  for (llvm::Attribute::AttrKind kind :
       {llvm::Attribute::NoUnwind, llvm::Attribute::NoProfile,
        llvm::Attribute::DisableSanitizerInstrumentation})
    resolver->addFnAttr(kind);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", resolver));
  llvm::FunctionCallee find =
      module.getOrInsertFunction("__cpu_indicator_init", builder.getVoidTy());
  llvm::cast<llvm::GlobalValue>(find.getCallee())->setDSOLocal(true);
  builder.CreateCall(find);
  llvm::Value *best = &kernel;
  for (const ProcessorVersion &version : versions)
    if (auto *other =
            module.getFunction(nameOf(kernel.getName(), version.name)))
      best = builder.CreateSelect(isPresent(builder, module, version), other,
                                  best);
  builder.CreateRet(best);
  return resolver;
}

void cilk2chan::chooseVersions(llvm::Module &module) {
  llvm::SmallSetVector<llvm::Function *, 8> kernels;
  for (llvm::Function &function : module)
    if (function.hasFnAttribute(versionOf)) {
      kernels.insert(module.getFunction(
          function.getFnAttribute(versionOf).getValueAsString()));
      function.removeFnAttr(versionOf);
    }
  for (llvm::Function *kernel : kernels) {
    llvm::Function *resolver = makeResolver(module, *kernel);
    auto *chosen = llvm::GlobalIFunc::create(kernel->getFunctionType(), 0,
                                             llvm::GlobalValue::InternalLinkage,
                                             "", resolver, &module);
    kernel->replaceUsesWithIf(chosen, [&](llvm::Use &use) {
      auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return !user || user->getFunction() != resolver;
    });
    chosen->takeName(kernel);
    kernel->setName(chosen->getName() + ".x86-64");
  }
}
