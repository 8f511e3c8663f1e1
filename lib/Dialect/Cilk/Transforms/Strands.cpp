//===- Strands.cpp - Tell activations their place in the serial order -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Views of reducers are combined in serial order. So each activation of a
// module with reducers is told the strand with which it begins (chan/abi.h):
//
//   f(n):                        f.strand(n, strand):
//                                  call @chan_strand_begin(strand)
//     cilk.spawn @g(n)     ->      child = call @chan_strand_spawn(strand)
//                                  cilk.spawn @g.strand(n, child)
//                                  call @chan_strand_resume(strand)
//     cilk.sync                    call @chan_strand_suspend()
//                                  cilk.sync
//                                  call @chan_strand_sync(strand)
//     return                       call @chan_strand_end(strand)
//                                  return
//
// The C symbol f calls f.strand.  A child that is not known to spawn is spawned
// as a function that begins the strand, calls it, and ends the strand.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Analysis/SpawningFunctions.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Dialect/Cilk/Passes.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/WorkingOn.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CILKSTRANDS
#include "cilk2chan/Dialect/Cilk/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

/// The type of a function that takes one more pointer.
static LLVM::LLVMFunctionType withStrand(LLVM::LLVMFunctionType type) {
  SmallVector<Type> parameters(type.getParams());
  parameters.push_back(LLVM::LLVMPointerType::get(type.getContext()));
  return LLVM::LLVMFunctionType::get(type.getReturnType(), parameters,
                                     type.isVarArg());
}

/// The attributes of arguments with one more behind them.
static ArrayAttr withStrand(ArrayAttr attributes) {
  if (!attributes)
    return {};
  SmallVector<Attribute> all(attributes.begin(), attributes.end());
  all.push_back(DictionaryAttr::get(attributes.getContext()));
  return ArrayAttr::get(attributes.getContext(), all);
}

namespace {

class Strands {
public:
  explicit Strands(ModuleOp module)
      : module(module), symbols(module), builder(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())),
        nothing(LLVM::LLVMVoidType::get(module.getContext())) {}

  void run();

private:
  void addStrand(LLVM::LLVMFuncOp function);
  void createSymbol(LLVM::LLVMFuncOp declaration, LLVM::LLVMFuncOp function);
  void followStrand(LLVM::LLVMFuncOp function);
  void follow(cilk::SpawnOp spawn, Value strand);
  void follow(cilk::CallOp call, Value strand);
  LLVM::LLVMFuncOp createChild(cilk::SpawnOp spawn);
  Value call(Location loc, StringRef name, Type result, ValueRange arguments);
  void tell(Location loc, StringRef name, Value strand) {
    call(loc, name, nothing, strand);
  }

  ModuleOp module;
  SymbolTable symbols;
  OpBuilder builder;
  LLVM::LLVMPointerType pointer;
  LLVM::LLVMVoidType nothing;
  /// By the name of a function: what takes a strand in its place.
  llvm::DenseMap<StringAttr, LLVM::LLVMFuncOp> versions;
  unsigned children = 0;
};

} // namespace

/// Calls a function of the runtime's.
Value Strands::call(Location loc, StringRef name, Type result,
                    ValueRange arguments) {
  LLVM::LLVMFuncOp callee = *LLVM::lookupOrCreateFn(
      builder, module, name, llvm::to_vector(arguments.getTypes()), result);
  auto made = LLVM::CallOp::create(builder, loc, callee, arguments);
  return made->getNumResults() ? made.getResult() : Value();
}

/// Defines the C symbol of a function that takes a strand.
void Strands::createSymbol(LLVM::LLVMFuncOp declaration,
                           LLVM::LLVMFuncOp function) {
  Location loc = builder.getUnknownLoc();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(function);
  auto symbol = LLVM::LLVMFuncOp::create(
      builder, loc, (StubPrefix + declaration.getName()).str(),
      declaration.getFunctionType());
  symbols.insert(symbol);
  builder.setInsertionPointToStart(symbol.addEntryBlock(builder));
  Value outer = call(loc, "chan_strand_current", pointer, ValueRange());
  Value strand = call(loc, "chan_strand_enter", pointer, outer);
  SmallVector<Value> arguments(symbol.getArguments());
  arguments.push_back(strand);
  auto made = LLVM::CallOp::create(builder, loc, function, arguments);
  made.setCConv(function.getCConv());
  made.setArgAttrsAttr(withStrand(declaration.getArgAttrsAttr()));
  call(loc, "chan_strand_leave", nothing, {outer, strand});
  LLVM::ReturnOp::create(builder, loc, made.getResults());
}

/// Has the function take a strand, and gives its name to its C symbol.
void Strands::addStrand(LLVM::LLVMFuncOp function) {
  StringAttr name = function.getSymNameAttr();
  versions[name] = function;
  LLVM::LLVMFuncOp declaration;
  if (!isUnnamed(function)) {
    FlatSymbolRefAttr source = sourceOf(function);
    symbols.remove(function);
    builder.setInsertionPointAfter(function);
    declaration = LLVM::LLVMFuncOp::create(
        builder, function.getLoc(), name.getValue(), function.getFunctionType(),
        LLVM::Linkage::External, /*dsoLocal=*/function.getDsoLocal(),
        function.getCConv());
    declaration.setArgAttrsAttr(function.getArgAttrsAttr());
    declaration.setResAttrsAttr(function.getResAttrsAttr());
    symbols.insert(declaration);
    function.setSymName((name.getValue() + StrandSuffix).str());
    symbols.insert(function);
    function.setLinkage(LLVM::Linkage::Internal);
    function->setAttr(SourceAttribute, source);
    function->setAttr(StrandsAttribute, builder.getUnitAttr());
    function->removeAttr(function.getComdatAttrName());
  }
  // It has the effects of views now.
  function->removeAttr(function.getMemoryEffectsAttrName());
  function.setArgAttrsAttr(withStrand(function.getArgAttrsAttr()));
  function.setFunctionType(withStrand(function.getFunctionType()));
  function.getBody().addArgument(pointer, function.getLoc());
  if (declaration)
    createSymbol(declaration, function);
}

/// A function that executes the child of a spawn as a strand: the arguments,
/// the function if that is known by a pointer only, and the strand.
LLVM::LLVMFuncOp Strands::createChild(cilk::SpawnOp spawn) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = spawn.getLoc();
  auto parent = spawn->getParentOfType<LLVM::LLVMFuncOp>();
  LLVM::LLVMFunctionType type = spawn.getSignature();
  SmallVector<Type> parameters(spawn.getArgs().getTypes());
  SmallVector<Attribute> attributes;
  if (ArrayAttr given = spawn.getArgAttrsAttr())
    attributes.append(given.begin(), given.end());
  attributes.resize(parameters.size(), builder.getDictionaryAttr({}));
  if (spawn.getTarget())
    parameters.push_back(pointer);
  parameters.push_back(pointer);
  attributes.resize(parameters.size(), builder.getDictionaryAttr({}));
  builder.setInsertionPointAfter(parent);
  auto child = LLVM::LLVMFuncOp::create(
      builder, loc,
      (sourceOf(parent).getValue() + ChildSuffix + "." + Twine(children++))
          .str(),
      LLVM::LLVMFunctionType::get(type.getReturnType(), parameters),
      LLVM::Linkage::Internal);
  child.setArgAttrsAttr(builder.getArrayAttr(attributes));
  child.setPassthroughAttr(builder.getArrayAttr(
      builder.getStrArrayAttr({SourceAttribute, sourceOf(parent).getValue()})));
  symbols.insert(child);

  builder.setInsertionPointToStart(child.addEntryBlock(builder));
  unsigned count = spawn.getArgs().size();
  Value strand = child.getArguments().back();
  tell(loc, "chan_strand_begin", strand);
  SmallVector<Value> operands;
  if (spawn.getTarget())
    operands.push_back(child.getArgument(count));
  llvm::append_range(operands, child.getArguments().take_front(count));
  auto made =
      LLVM::CallOp::create(builder, loc, type, spawn.getCalleeAttr(), operands);
  made.setArgAttrsAttr(spawn.getArgAttrsAttr());
  tell(loc, "chan_strand_end", strand);
  LLVM::ReturnOp::create(builder, loc, made.getResults());
  return child;
}

void Strands::follow(cilk::SpawnOp spawn, Value strand) {
  Location loc = spawn.getLoc();
  builder.setInsertionPoint(spawn);
  Value child = call(loc, "chan_strand_spawn", pointer, strand);
  LLVM::LLVMFuncOp callee;
  if (FlatSymbolRefAttr name = spawn.getCalleeAttr())
    callee = versions.lookup(name.getAttr());
  SmallVector<Value> arguments(spawn.getArgs());
  if (callee && !isInterposable(callee)) {
    spawn.setArgAttrsAttr(withStrand(spawn.getArgAttrsAttr()));
    spawn.setSignatureAttr(TypeAttr::get(withStrand(spawn.getSignature())));
  } else {
    callee = createChild(spawn);
    if (Value target = spawn.getTarget())
      arguments.push_back(target);
    spawn.getTargetMutable().clear();
    spawn.setSignatureAttr(TypeAttr::get(callee.getFunctionType()));
    spawn.setArgAttrsAttr(callee.getArgAttrsAttr());
  }
  arguments.push_back(child);
  spawn.setCalleeAttr(FlatSymbolRefAttr::get(callee));
  spawn.getArgsMutable().assign(arguments);
  builder.setInsertionPointAfter(spawn);
  tell(loc, "chan_strand_resume", strand);
}

void Strands::follow(cilk::CallOp called, Value strand) {
  Location loc = called.getLoc();
  LLVM::LLVMFuncOp callee = versions.lookup(called.getCalleeAttr().getAttr());
  // Else its C symbol finds the strand.
  if (callee && !isInterposable(callee)) {
    builder.setInsertionPoint(called);
    Value part = call(loc, "chan_strand_call", pointer, strand);
    called.setArgAttrsAttr(withStrand(called.getArgAttrsAttr()));
    called.setSignatureAttr(TypeAttr::get(withStrand(called.getSignature())));
    called.setCalleeAttr(FlatSymbolRefAttr::get(callee));
    called.getArgsMutable().append(part);
  }
  builder.setInsertionPointAfter(called);
  tell(loc, "chan_strand_resume", strand);
}

/// Tells the runtime of the strands of an activation.
void Strands::followStrand(LLVM::LLVMFuncOp function) {
  Value strand = function.getArguments().back();
  builder.setInsertionPointToStart(&function.front());
  tell(function.getLoc(), "chan_strand_begin", strand);
  SmallVector<Operation *> sites;
  function.walk([&](Operation *op) {
    if (isa<cilk::SpawnOp, cilk::CallOp, cilk::SyncOp, LLVM::ReturnOp>(op))
      sites.push_back(op);
  });
  for (Operation *site : sites) {
    if (auto spawn = dyn_cast<cilk::SpawnOp>(site)) {
      follow(spawn, strand);
    } else if (auto called = dyn_cast<cilk::CallOp>(site)) {
      follow(called, strand);
    } else if (isa<cilk::SyncOp>(site)) {
      builder.setInsertionPoint(site);
      call(site->getLoc(), "chan_strand_suspend", nothing, ValueRange());
      builder.setInsertionPointAfter(site);
      tell(site->getLoc(), "chan_strand_sync", strand);
    } else {
      builder.setInsertionPoint(site);
      tell(site->getLoc(), "chan_strand_end", strand);
    }
  }
}

void Strands::run() {
  SmallVector<LLVM::LLVMFuncOp> functions;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal() && cilk::isSpawning(function))
      functions.push_back(function);
  for (LLVM::LLVMFuncOp function : functions)
    addStrand(function);
  for (LLVM::LLVMFuncOp function : functions) {
    WorkingOn working(function.getName());
    followStrand(function);
  }
}

namespace {
struct CilkStrands : public cilk2chan::impl::CilkStrandsBase<CilkStrands> {
  void runOnOperation() override {
    if (getOperation()->hasAttr(StrandsAttribute))
      Strands(getOperation()).run();
  }
};
} // namespace
