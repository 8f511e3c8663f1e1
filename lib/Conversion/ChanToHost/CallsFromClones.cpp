//===- CallsFromClones.cpp - What serial clones leave to batches ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A clone calls the clones of what it spawns.  That is right inside a tree that
// was left to clones since it is tiny, or since others do not want any of it.
// But the tree that a function with a batch form begins, called from one that
// has none, is not known to be either: it may be the program's main work, which
// as a batch takes a fraction of the time.  So such a call goes by the C
// symbol, and the runtime tells (chan_run).
//
//===----------------------------------------------------------------------===//

#include "CallsFromClones.h"
#include "HostBuilder.h"

#include "cilk2chan/Support/Markers.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2chan;

LLVM::CallOp cilk2chan::callOfRest(LLVM::LLVMFuncOp clone) {
  std::string name = (clone.getName() + RestSuffix).str();
  auto rest =
      clone->getParentOfType<ModuleOp>().lookupSymbol<LLVM::LLVMFuncOp>(name);
  LLVM::CallOp found;
  // One that is not small keeps its rest for itself.
  if (rest && !rest.getNoInline())
    clone.walk([&](LLVM::CallOp call) {
      if (call.getCallee() == StringRef(name))
        found = call;
    });
  return found;
}

namespace {
class TreesOfClones {
public:
  explicit TreesOfClones(ModuleOp module)
      : builder(module), symbols(builder.symbols.getSymbolTable(module)) {}
  void leave();

private:
  LLVM::LLVMFuncOp calleeOf(LLVM::CallOp call) {
    auto name = call.getCallee();
    return name ? symbols.lookup<LLVM::LLVMFuncOp>(*name) : LLVM::LLVMFuncOp();
  }
  llvm::SetVector<Operation *> reachedFrom(LLVM::LLVMFuncOp clone);
  LLVM::LLVMFuncOp createTree(LLVM::LLVMFuncOp clone, chan::StackOp stack);
  LLVM::LLVMFuncOp createGuard(LLVM::LLVMFuncOp clone, LLVM::LLVMFuncOp tree);

  HostBuilder builder;
  SymbolTable &symbols;
};
} // namespace

/// What control comes to from `clone` without leaving clones.
llvm::SetVector<Operation *>
TreesOfClones::reachedFrom(LLVM::LLVMFuncOp clone) {
  llvm::SetVector<Operation *> reached;
  reached.insert(clone);
  for (size_t i = 0; i < reached.size(); ++i)
    reached[i]->walk([&](LLVM::CallOp call) {
      if (LLVM::LLVMFuncOp callee = calleeOf(call);
          callee && !callee.isExternal())
        reached.insert(callee);
    });
  return reached;
}

/// A function with the parameters of `clone` that begins a tree, as the runtime
/// says: by the clone, or by the C symbol.
LLVM::LLVMFuncOp TreesOfClones::createTree(LLVM::LLVMFuncOp clone,
                                           chan::StackOp stack) {
  Location loc = builder.getUnknownLoc();
  builder.setInsertionPointAfter(clone);
  auto tree = LLVM::LLVMFuncOp::create(
      builder, loc, (clone.getName() + TreeSuffix).str(),
      clone.getFunctionType(), LLVM::Linkage::Internal, /*dsoLocal=*/false,
      clone.getCConv());
  symbols.insert(tree);
  tree.setArgAttrsAttr(clone.getArgAttrsAttr());
  tree.setPassthroughAttr(clone.getPassthroughAttr());
  tree.setNoInline(true);
  Block *ask = tree.addEntryBlock(builder), *enter = tree.addBlock(),
        *guess = tree.addBlock();
  ValueRange arguments = ask->getArguments();

  builder.setInsertionPointToEnd(ask);
  Value channel = builder.address(loc, stack.getSymName());
  Value token = builder.call(loc, "chan_guess", builder.i64,
                             {arguments.front(), channel});
  LLVM::CondBrOp::create(
      builder, loc,
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, token,
                           builder.constant(loc, builder.i64, 0)),
      guess, enter);

  builder.setInsertionPointToEnd(guess);
  auto call = LLVM::CallOp::create(builder, loc, clone, arguments);
  call.setCConv(clone.getCConv());
  call.setArgAttrsAttr(clone.getArgAttrsAttr());
  builder.call(loc, "chan_guessed", builder.nothing,
               {arguments.front(), channel, token});
  LLVM::ReturnOp::create(builder, loc, call.getResults());

  builder.setInsertionPointToEnd(enter);
  auto function = symbols.lookup<LLVM::LLVMFuncOp>(*stack.getFunction());
  auto symbol =
      LLVM::CallOp::create(builder, loc, function, arguments.drop_front());
  symbol.setCConv(function.getCConv());
  if (ArrayAttr attributes = clone.getArgAttrsAttr())
    symbol.setArgAttrsAttr(
        builder.getArrayAttr(attributes.getValue().drop_front()));
  LLVM::ReturnOp::create(builder, loc, symbol.getResults());
  return tree;
}

/// A function with the guard of `clone` that leaves what is behind it to
/// `tree`; that itself if its guard is none that callers have copies of.
LLVM::LLVMFuncOp TreesOfClones::createGuard(LLVM::LLVMFuncOp clone,
                                            LLVM::LLVMFuncOp tree) {
  LLVM::CallOp rest = callOfRest(clone);
  if (!rest)
    return tree;
  IRMapping mapping;
  auto guard = cast<LLVM::LLVMFuncOp>(clone->clone(mapping));
  guard.setName((clone.getName() + GuardSuffix).str());
  symbols.insert(guard, std::next(clone->getIterator()));
  auto left = cast<LLVM::CallOp>(mapping.lookup(rest.getOperation()));
  builder.setInsertionPoint(left);
  // Nothing has had an effect so far.
  auto call =
      LLVM::CallOp::create(builder, left.getLoc(), tree, guard.getArguments());
  call.setCConv(tree.getCConv());
  call.setArgAttrsAttr(clone.getArgAttrsAttr());
  left->replaceAllUsesWith(call);
  left->erase();
  return guard;
}

void TreesOfClones::leave() {
  llvm::MapVector<Operation *, chan::StackOp> stacks;
  for (auto stack : builder.module.getOps<chan::StackOp>())
    if (stack.getBatch() && stack.getSerial() && stack.getFunction())
      stacks[symbols.lookup(*stack.getSerial())] = stack;
  llvm::DenseMap<Operation *, SmallVector<LLVM::CallOp>> calls;
  builder.module.walk([&](LLVM::CallOp call) {
    if (LLVM::LLVMFuncOp callee = calleeOf(call);
        callee && stacks.contains(callee))
      calls[callee].push_back(call);
  });
  // Inside a tree that a clone was to run, all are clones.
  llvm::SmallPtrSet<Operation *, 16> inBatches;
  for (auto [clone, _] : stacks)
    inBatches.insert_range(reachedFrom(cast<LLVM::LLVMFuncOp>(clone)));
  for (auto [clone, stack] : stacks) {
    LLVM::LLVMFuncOp entry;
    for (LLVM::CallOp call : calls.lookup(clone)) {
      if (inBatches.contains(call->getParentOfType<LLVM::LLVMFuncOp>()))
        continue;
      auto function = cast<LLVM::LLVMFuncOp>(clone);
      if (!entry)
        entry = createGuard(function, createTree(function, stack));
      call.setCallee(entry.getName());
    }
  }
}

void cilk2chan::leaveTreesToBatches(ModuleOp module) {
  TreesOfClones(module).leave();
}
