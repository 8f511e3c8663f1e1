//===- BatchForms.cpp - Activations that stay in place --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A batch holds many activations of one function side by side. It runs each
// stretch between two suspensions, a phase, for all of them. A function has a batch
// form if it syncs outside of loops, and if what it spawns has one. This file
// decides that, and PhaseBuilder makes one kernel for each phase:
//
//   llvm.func @f(%n: i32)         chan.kernel @f.batch.0 ... chan.pend 1
//     cilk.spawn @f(%m)           chan.kernel @f.batch.1 ... chan.result
//     cilk.sync              =>   llvm.func @f(%n: i32)    // as before
//   chan.stack entry @f.entry     chan.stack entry @f.entry
//                                   batch [@f.batch.0, @f.batch.1]
//
// `chan.pend 1`: the activation goes on in phase 1 when its children are done.
// `chan.result`: it ends.
//
//===----------------------------------------------------------------------===//

#include "BatchForms.h"
#include "BaseCaseHoisting.h"
#include "PhaseBuilder.h"
#include "Reductions.h"
#include "UniformParameters.h"
#include "cilk2chan/Conversion/CilkToChan/Preparation.h"
#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Dialect/Cilk/Analysis/Combination.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LongLoops.h"
#include "cilk2chan/Dialect/Cilk/Analysis/Recomputation.h"
#include "cilk2chan/Dialect/Cilk/Analysis/RemarkPlaces.h"
#include "cilk2chan/Support/BaseOf.h"

#include "cilk2chan/Support/FunctionAttributes.h"
#include "cilk2chan/Support/KeptObjects.h"
#include "cilk2chan/Support/NamesInC.h"
#include "cilk2chan/Support/WorkingOn.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/PostOrderIterator.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CHANBATCHFORMS
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

//===----------------------------------------------------------------------===//
// Which functions
//===----------------------------------------------------------------------===//

/// Bytes that the runtime aligns locals to (chan/abi.h, "batches").
static constexpr uint64_t mostAlignment = 64;

/// Puts sites in the order in which control comes to them; those that are in
/// no loop have one.
static void sortSites(Candidate &candidate) {
  llvm::ReversePostOrderTraversal<Block *> blocks(&candidate.function.front());
  llvm::DenseMap<Block *, unsigned> position;
  for (auto [index, block] : llvm::enumerate(blocks))
    position[block] = index;
  llvm::sort(candidate.sites, [&](const Site &a, const Site &b) {
    Block *first = a.op->getBlock(), *second = b.op->getBlock();
    return first == second ? a.op->isBeforeInBlock(b.op)
                           : position[first] < position[second];
  });
}

/// Whether a child reduces into a variable whose address its parent has not
/// been given (SharedReductions.h). A batch has one address for all.
static bool beginsReduction(cilk::SpawnOp spawn, const SymbolTable &symbols) {
  auto callee = symbols.lookup<LLVM::LLVMFuncOp>(*spawn.getCallee());
  if (!callee || callee.isExternal())
    return false;
  return llvm::any_of(
      llvm::zip(spawn.getArgs(), callee.getArguments()), [](auto pair) {
        auto [passed, parameter] = pair;
        auto own = dyn_cast<BlockArgument>(passed);
        return !(own && own.getOwner()->isEntryBlock()) &&
               llvm::any_of(parameter.getUses(), [](OpOperand &use) {
                 auto update = chan::reductionOf(use.getOwner());
                 return update && update.getPtr() == use.get();
               });
      });
}

/// Has a result handler for each site.
static void giveUpPositions(Candidate &candidate, StringRef why) {
  if (candidate.isPositional)
    candidate.whyNotPositional = why;
  candidate.isPositional = false;
}

/// Why activations side by side cannot go on behind a sync or call that an
/// activation may come to several times.
static Obstacle explainRepetition(LLVM::LLVMFuncOp function, Operation *after,
                                  const SymbolTable &symbols) {
  auto call = dyn_cast<cilk::CallOp>(after);
  if (function.getName().starts_with(BodyPrefix))
    return {call && isLoop(call.getCallee())
                ? "the next iteration waits for the cilk_for inside this one"
                : "the next iteration waits here for what this one calls or "
                  "spawns; spawn a function for each iteration in an ordinary "
                  "loop instead",
            after};
  if (!call)
    return {"there is a sync in a loop", after};
  auto callee = symbols.lookup<LLVM::LLVMFuncOp>(call.getCallee());
  return {isLoop(call.getCallee())
              ? "it waits for a cilk_for in a loop"
              : "it calls " + describe(callee) +
                    ", which spawns, in a loop, and waits for it each time",
          after};
}

/// Why there is nothing that stands for a child.
static std::string explainUnknown(cilk::SpawnOp spawn,
                                  const SymbolTable &symbols) {
  if (!spawn.getCallee())
    return "it spawns a function through a pointer";
  std::string text = ("it spawns '" + *spawn.getCallee() + "', which ").str();
  auto callee = symbols.lookup<LLVM::LLVMFuncOp>(*spawn.getCallee());
  auto why =
      callee ? functionAttribute(callee, NotInlinedAttribute) : std::nullopt;
  if (why == StringRef(OfOtherFile))
    return text + why->str();
  return text + "does not spawn itself; a plain call of it may be in lanes";
}

/// Why no batch form is for more than one callee. Nothing is to be said where
/// the loop's body has a reason of its own.
static std::string explainCallees(LLVM::LLVMFuncOp function, StringRef one,
                                  StringRef other, const SymbolTable &symbols) {
  if (function.getName().starts_with(RangePrefix))
    return {};
  if (isLoop(one) && isLoop(other))
    return "it has more than one cilk_for";
  return "it spawns or calls more than one function that spawns, " +
         describe(symbols.lookup<LLVM::LLVMFuncOp>(one)) + " and " +
         describe(symbols.lookup<LLVM::LLVMFuncOp>(other));
}

/// Why memory of the activation's own is none that a batch has for each
/// element; nothing if it is.
static std::optional<std::string> explainMemory(LLVM::AllocaOp alloca) {
  if (!matchPattern(alloca.getArraySize(), m_Constant()))
    return "it allocates memory of a size known at run time; arrays of a "
           "constant size may be in lanes";
  Block *block = alloca->getBlock();
  if (alloca->hasAttr(KeptAttribute))
    return "each iteration of a loop has an object of its own here that a "
           "child has the address of; an array of them may stand in front of "
           "the loop";
  if (block->isReachable(block))
    return "it calls alloca in a loop; an array with an element for each "
           "iteration may stand in front of the loop";
  if (!block->isEntryBlock())
    return "it calls alloca behind a branch; a local variable may be in lanes";
  return {};
}

/// Why a function cannot have phase kernels; nothing if it can, as far as it
/// matters by itself.
static std::optional<Obstacle> findObstacle(Candidate &candidate,
                                            const Stacks &stacks,
                                            const SymbolTable &symbols) {
  LLVM::LLVMFuncOp function = candidate.function;
  ArrayRef<Phase> phases = candidate.phases->get();
  for (BlockArgument argument : function.getArguments())
    if (byValueType(function, argument.getArgNumber()))
      return Obstacle{"a struct is passed by value", function};
  for (const Phase &phase : phases) {
    if (phase.repeats)
      return explainRepetition(function, phase.after, symbols);
    if (phase.after && !phase.next.empty())
      giveUpPositions(candidate, "there are several syncs or calls");
  }
  StringRef callee;
  for (const auto &[index, phase] : llvm::enumerate(phases))
    for (Block *block : phase.blocks)
      for (Operation &op : *block) {
        if (auto alloca = dyn_cast<LLVM::AllocaOp>(op)) {
          if (auto why = explainMemory(alloca))
            return Obstacle{*why, alloca};
          candidate.objects[alloca] = false;
        }
        auto spawn = dyn_cast<cilk::SpawnOp>(op);
        if (!spawn && !isa<cilk::CallOp>(op))
          continue;
        if (llvm::any_of(candidate.sites,
                         [&](const Site &site) { return site.op == &op; }))
          continue;
        if (index != 0 || block->isReachable(block))
          giveUpPositions(candidate, index != 0 ? "it is spawned after a sync"
                                                : "it is spawned in a loop");
        if (spawn && (!spawn.getCallee() || !stacks.own(spawn)))
          return Obstacle{explainUnknown(spawn, symbols), spawn};
        auto child = ("'" + Site{&op}.callee() + "'").str();
        if (spawn && spawn.getStructResult())
          return Obstacle{"the result of a child, " + child + ", is a struct",
                          spawn};
        if (spawn && spawn.getApplyAttr() &&
            symbols.lookup<LLVM::LLVMFuncOp>(*spawn.getApply()).isExternal())
          return Obstacle{
              "what assigns the result of " + child + " is not known", spawn};
        if (spawn && beginsReduction(spawn, symbols))
          // The others, which are of a copy, have a batch form.
          return Obstacle{
              sourceOf(symbols.lookup<LLVM::LLVMFuncOp>(*spawn.getCallee())) ==
                      FlatSymbolRefAttr::get(function)
                  ? ""
                  : "it has places of its own for what its children, " + child +
                        ", add up",
              spawn};
        Site site{&op};
        if (spawn && spawn.getDestination() &&
            !destinationObject(spawn.getDestination())) {
          site.hasDestination = true;
          giveUpPositions(candidate, "their places are known at run time");
        }
        if (!callee.empty() && callee != site.callee())
          return Obstacle{
              explainCallees(function, callee, site.callee(), symbols), &op};
        callee = site.callee();
        candidate.sites.push_back(site);
      }
  if (candidate.sites.empty())
    return Obstacle{"it does not spawn", function};
  sortSites(candidate);
  for (auto &[address, isLocal] : candidate.objects) {
    if (address.getDefiningOp<LLVM::AllocaOp>().getAlignment().value_or(1) >
        mostAlignment)
      return Obstacle{"a local object is aligned beyond 64 bytes", function};
    unsigned users = llvm::count_if(phases, [&](const Phase &phase) {
      return isUsedIn(address, phase.blocks);
    });
    isLocal = users > 1 || isKnownElsewhere(address) || !candidate.isPositional;
  }
  // What has been computed in one phase is where it points to in another.
  for (const Phase &phase : phases)
    for (Value value : phase.liveIn) {
      Value object = baseOf(value);
      if (object != value && candidate.objects.contains(object))
        candidate.objects[object] = true;
    }
  return {};
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static void remarkOn(LLVM::LLVMFuncOp function, const Obstacle &obstacle) {
  if (!function.getContext()->getRemarkEngine() || obstacle.what.empty())
    return;
  auto [loc, options] = placeRemark(
      obstacle.op, remark::RemarkOpts::name("batch").category("chan-batch"));
  remark::missed(loc, options)
      << describe(function) + " has no batch form: " + obstacle.what;
}

/// Says of each spawn whether its child's result is found by its place among
/// the children.
static void remarkOnPositions(const Candidate &candidate,
                              const SymbolTable &symbols) {
  if (!symbols.getOp()->getContext()->getRemarkEngine())
    return;
  auto named = remark::RemarkOpts::name("positional").category("chan-batch");
  for (const Site &site : candidate.sites) {
    auto callee = symbols.lookup<LLVM::LLVMFuncOp>(site.callee());
    if (isa<LLVM::LLVMVoidType>(callee.getFunctionType().getReturnType()))
      continue;
    auto [loc, options] = placeRemark(site.op, named);
    std::string results = "results of children " + describe(callee);
    if (candidate.isPositional)
      remark::passed(loc, options) << results + " are found by their position";
    else
      remark::missed(loc, options) << results + " are delivered one by one: " +
                                          candidate.whyNotPositional.str();
  }
}

/// Whether only the first activation of a tree is one of this function, and all
/// others are of a copy of it (cilk-arrays-by-value).
static bool beginsOnly(Candidate &candidate, const SymbolTable &symbols) {
  auto callee =
      symbols.lookup<LLVM::LLVMFuncOp>(candidate.sites.front().callee());
  return callee && callee != candidate.function &&
         sourceOf(callee).getValue() == candidate.function.getName();
}

void BatchForms::build(ArrayRef<LLVM::LLVMFuncOp> functions,
                       ArrayRef<Phases> phases) {
  llvm::MapVector<StringRef, Candidate> candidates;
  for (auto [index, function] : llvm::enumerate(functions)) {
    Candidate candidate{function, &phases[index], {}, {}};
    bool isWhole = isCold(function) && sourceOf(function).getValue() !=
                                           candidate.function.getName();
    if (!options.positional)
      giveUpPositions(candidate, "that is switched off");
    std::optional<Obstacle> obstacle;
    if (isWhole)
      obstacle = {"", function}; // It is there for where lanes are not used.
    else if (!stacks.entry(candidate.function.getName()))
      obstacle = {"another definition may take its place", function};
    else
      obstacle = findObstacle(candidate, stacks, symbols);
    if (!obstacle && !options.longLoops && !beginsOnly(candidate, symbols))
      if (auto loop = findLongLoop(function))
        obstacle = {loop->gathers
                        ? "in a loop each activation goes through memory of "
                          "its own choice, which is no faster in lanes; "
                          "-fchan-batch gives it one"
                        : "it has a loop that does not spawn and may be long; "
                          "-fchan-batch gives it one",
                    loop->place};
    if (obstacle)
      remarkOn(candidate.function, *obstacle);
    else
      candidates.insert({candidate.function.getName(), std::move(candidate)});
  }
  while (true) {
    size_t before = candidates.size();
    candidates.remove_if([&](const auto &entry) {
      const Site &site = entry.second.sites.front();
      if (candidates.contains(site.callee()))
        return false;
      auto callee = symbols.lookup<LLVM::LLVMFuncOp>(site.callee());
      remarkOn(entry.second.function,
               {describe(callee) + ", which it spawns, has none", site.op});
      return true;
    });
    if (candidates.size() == before)
      break;
  }
  if (options.hoist)
    for (auto &[name, candidate] : candidates)
      hoistBaseCases(
          candidate,
          candidates.find(candidate.sites.front().callee())->second.function,
          symbols);
  findUniformParameters(candidates, /*onlyNeeded=*/!options.uniform);
  if (options.reductions)
    findReductions(candidates, symbols);
  for (const auto &[name, candidate] : candidates) {
    remarkOnPositions(candidate, symbols);
    if (options.hoist)
      remarkOnHoisting(candidate, symbols);
    Locals locals(candidate, layout);
    PhaseBuilder builder(candidate, locals, stacks, layout);
    SmallVector<Attribute> kernels;
    for (unsigned i = 0; i < candidate.phases->get().size(); ++i)
      kernels.push_back(FlatSymbolRefAttr::get(builder.build(i)));
    chan::StackOp stack = stacks.entry(name);
    if (!candidate.isPositional) {
      // A child that returns nothing has no result to handle.
      auto child = stacks.entry(candidate.sites.front().callee());
      unsigned count =
          isa<LLVM::LLVMVoidType>(child.getSignature()->getReturnType())
              ? 0
              : candidate.sites.size();
      for (unsigned i = 0; i < count; ++i)
        kernels.push_back(
            FlatSymbolRefAttr::get(builder.buildResultHandler(i)));
      stack.setResultHandlers(count);
    }
    if (candidate.reduction) {
      kernels.push_back(
          FlatSymbolRefAttr::get(builder.buildReduction(kernels.size())));
      stack.setJoinFree(candidate.reduction);
    }
    stack.setBatchAttr(ArrayAttr::get(stack.getContext(), kernels));
    auto namesOf = [&](const llvm::SmallBitVector &parameters) {
      SmallVector<Attribute> names;
      for (unsigned number : parameters.set_bits())
        names.push_back(
            StringAttr::get(stack.getContext(), chan::parameterField(number)));
      return names.empty() ? ArrayAttr()
                           : ArrayAttr::get(stack.getContext(), names);
    };
    stack.setUniformAttr(namesOf(candidate.uniform));
  }
}

namespace {
struct ChanBatchForms
    : public cilk2chan::impl::ChanBatchFormsBase<ChanBatchForms> {
  using ChanBatchFormsBase::ChanBatchFormsBase;

  void runOnOperation() override {
    const TypeLayout &layout = getAnalysis<TypeLayout>();
    auto functions = functionsToSplit(getOperation());
    if (failed(functions))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    Stacks stacks(symbols, layout);
    SmallVector<std::unique_ptr<PreparedBody>> bodies;
    SmallVector<Phases> phases;
    for (auto function : *functions) {
      WorkingOn working(function.getName());
      bodies.push_back(
          std::make_unique<PreparedBody>(function, symbols, stacks));
      phases.emplace_back(function);
    }
    BatchForms(stacks, symbols, layout,
               {longLoops, hoist, reductions, uniform, positional})
        .build(*functions, phases);
  }
};
} // namespace
