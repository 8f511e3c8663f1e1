//===- BelowGrainLoops.cpp - Loops too short to divide --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A parallel loop of a hundred additions is a call of the runtime, and perhaps
// the way to another worker, for what takes ten nanoseconds.  How often a loop
// runs is not known before it does; what an iteration takes at most is, if it
// goes straight to its end.
//
//===----------------------------------------------------------------------===//

#include "BelowGrainLoops.h"
#include "BelowGrainCost.h"
#include "Bounds.h"
#include "Inlining.h"
#include "Markers.h"
#include "Tuning.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace cilk2chan;

static void bringToSSA(llvm::Function &function,
                       llvm::FunctionAnalysisManager &analyses) {
  llvm::SROAPass(llvm::SROAOptions::ModifyCFG).run(function, analyses);
  analyses.clear(function, function.getName());
}

/// What `find` finds in a copy of `function` in SSA form, in which how often
/// loops run is a constant where it stands in variables.
template <typename Find>
static auto inCopy(llvm::Function &function,
                   llvm::FunctionAnalysisManager &analyses, Find find) {
  llvm::ValueToValueMapTy map;
  llvm::Function *copy = llvm::CloneFunction(&function, map);
  bringToSSA(*copy, analyses);
  simplify(*copy, analyses);
  auto found = find(*copy);
  copy->eraseFromParent();
  return found;
}

namespace {

/// Makes the loops of a module serial.
class Serializer {
public:
  Serializer(llvm::Module &module, llvm::FunctionAnalysisManager &analyses)
      : module(module), analyses(analyses) {}

  llvm::SmallVector<Finding> run();

private:
  /// Those of a function that are serial by now: how many, and what they cost.
  struct Serial {
    unsigned loops = 0, cost = 0;
  };

  /// By the number of the loop; those that run a constant number of times.
  using Counts = std::map<unsigned, uint64_t>;
  Counts findCounts(llvm::Function &parent);
  void serialize(llvm::CallInst &loop, uint64_t count);

  llvm::Module &module;
  llvm::FunctionAnalysisManager &analyses;
  llvm::DenseMap<llvm::Function *, Serial> known;
  llvm::SmallVector<Finding> serial;
};

} // namespace

/// The loop that `instruction` is.
static std::optional<unsigned>
numberOfLoop(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *marker = call ? call->getCalledFunction() : nullptr;
  unsigned number;
  if (!isLoopMarker(marker) ||
      marker->getName().substr(AbiForPrefix.size()).getAsInteger(10, number))
    return std::nullopt;
  return number;
}

/// Where a branch was known from another before it, simplifying has made two of
/// what comes between: of a loop that there is several times, all have to
/// agree.
Serializer::Counts Serializer::findCounts(llvm::Function &parent) {
  return inCopy(parent, analyses, [&](llvm::Function &copy) {
    Counts counts;
    llvm::DenseSet<unsigned> differing;
    for (llvm::Instruction &instruction : llvm::instructions(copy)) {
      auto number = numberOfLoop(instruction);
      if (!number)
        continue;
      auto *count = llvm::dyn_cast<llvm::ConstantInt>(
          llvm::cast<llvm::CallInst>(instruction).getArgOperand(1));
      uint64_t value = count ? count->getValue().getLimitedValue() : 0;
      if (!count || counts.try_emplace(*number, value).first->second != value)
        differing.insert(*number);
    }
    for (unsigned number : differing)
      counts.erase(number);
    return counts;
  });
}

/// Calls the body of a loop in its place, and inlines it, if that is light.
void Serializer::serialize(llvm::CallInst &loop, uint64_t count) {
  auto *body = llvm::cast<llvm::Function>(loop.getArgOperand(0));
  auto *grain = llvm::dyn_cast<llvm::ConstantInt>(loop.getArgOperand(2));
  bool isChosen = !grain || grain->getSExtValue() > 0;
  if (isChosen || !body->hasOneUse() || count > tuning::mostBelowGrain)
    return;
  Serial inner = known.lookup(body);
  auto own = inCopy(*body, analyses, [&](llvm::Function &copy) {
    return BelowGrainCost(analyses).ofIteration(copy, inner.loops);
  });
  if (!own || count * (*own + inner.cost) > tuning::mostBelowGrain)
    return;
  llvm::Function &parent = *loop.getFunction();
  Serial &outer = known[&parent];
  outer.loops += 1 + inner.loops;
  outer.cost += count * (*own + inner.cost);
  serial.push_back({loop.getDebugLoc(),
                    llvm::formatv("a cilk_for of {0} iteration{1} is a serial "
                                  "loop{2}",
                                  count, count == 1 ? "" : "s", whyLight)});

  dropBounds(*body);
  llvm::IRBuilder<> builder(&loop);
  llvm::SmallVector<llvm::Value *> arguments = {builder.getInt64(0),
                                                builder.getInt64(count)};
  arguments.append(loop.arg_begin() + FirstLoopCapture, loop.arg_end());
  llvm::CallInst *call = builder.CreateCall(body, arguments);
  loop.eraseFromParent();
  llvm::InlineFunctionInfo info;
  if (llvm::InlineFunction(*call, info).isSuccess())
    body->eraseFromParent();
}

llvm::SmallVector<Finding> Serializer::run() {
  // A loop's number is less than those of the loops around it.
  std::map<unsigned, llvm::CallInst *> loops;
  llvm::SetVector<llvm::Function *> parents;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto number = numberOfLoop(instruction)) {
        loops[*number] = llvm::cast<llvm::CallInst>(&instruction);
        parents.insert(&function);
      }
  Counts counts;
  for (llvm::Function *parent : parents)
    counts.merge(findCounts(*parent));
  for (auto [number, count] : counts)
    serialize(*loops.at(number), count);
  return std::move(serial);
}

llvm::SmallVector<Finding>
cilk2chan::serializeLightLoops(llvm::Module &module,
                               llvm::FunctionAnalysisManager &analyses) {
  return Serializer(module, analyses).run();
}

void cilk2chan::markLightLoops(llvm::Module &module,
                               llvm::FunctionAnalysisManager &analyses) {
  for (llvm::Function &function : module) {
    if (!function.getName().starts_with(BodyPrefix) || function.isDeclaration())
      continue;
    bringToSSA(function, analyses);
    std::optional<unsigned> cost =
        BelowGrainCost(analyses).ofIteration(function, 0);
    if (cost)
      function.addFnAttr(
          LeastRangeAttribute,
          std::to_string(tuning::mostBelowGrain / std::max(*cost, 1u)));
  }
}
