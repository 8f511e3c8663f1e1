//===- LightLoops.cpp - Loops that are over before others help ------------===//
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

#include "LightLoops.h"
#include "Inlining.h"
#include "Markers.h"
#include "cilk2chan/Support/Markers.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace cilk2chan;

/// What a range may cost that nobody is to be bothered for: about a microsecond
/// one iteration at a time, less where LLVM makes vectors of them.
static constexpr unsigned lightCost = 8192;
/// Costs, in instructions that are over in a quarter of a cycle.
static constexpr unsigned divisionCost = 16, rootCost = 16, functionCost = 64,
                          callCost = 8, copyCost = 8;
/// A load from where another load says may wait for memory.
static constexpr unsigned indirectCost = 32;
/// What a call costs is looked for so deep.
static constexpr unsigned mostCalls = 4;

namespace {

class IterationCost {
public:
  explicit IterationCost(llvm::FunctionAnalysisManager &analyses)
      : analyses(analyses) {}

  /// Of an iteration of the loop that `body` is, in which there are `inner`
  /// others; none if not known.
  std::optional<unsigned> ofIteration(llvm::Function &body, unsigned inner);

private:
  std::optional<unsigned> ofFunction(llvm::Function &function, unsigned depth);
  std::optional<unsigned> ofCall(llvm::CallBase &call, unsigned depth);
  std::optional<unsigned> of(llvm::Instruction &instruction, unsigned depth);
  std::optional<unsigned>
  sum(llvm::iterator_range<llvm::inst_iterator> instructions, unsigned depth);
  bool hasLoops(llvm::Function &function, unsigned allowed);

  llvm::FunctionAnalysisManager &analyses;
};

} // namespace

/// Whether `function` has more loops than `allowed`, or some that LoopInfo does
/// not know.
bool IterationCost::hasLoops(llvm::Function &function, unsigned allowed) {
  llvm::LoopInfo loops(
      analyses.getResult<llvm::DominatorTreeAnalysis>(function));
  llvm::ReversePostOrderTraversal<const llvm::Function *> order(&function);
  return loops.getLoopsInPreorder().size() > allowed ||
         llvm::containsIrreducibleCFG<const llvm::BasicBlock *>(order, loops);
}

/// Whether where `load` loads from has been loaded itself.
static bool isIndirect(const llvm::LoadInst &load) {
  llvm::SmallVector<const llvm::Value *> work = {load.getPointerOperand()};
  llvm::SmallPtrSet<const llvm::Value *, 8> seen;
  while (!work.empty()) {
    auto *from = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
    if (!from || llvm::isa<llvm::PHINode>(from) || !seen.insert(from).second)
      continue;
    if (llvm::isa<llvm::LoadInst>(from))
      return true;
    work.append(from->op_begin(), from->op_end());
  }
  return false;
}

std::optional<unsigned> IterationCost::ofCall(llvm::CallBase &call,
                                              unsigned depth) {
  if (auto *copy = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) {
    auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
    if (!length || length->getZExtValue() > 32 * copyCost)
      return std::nullopt;
    return copyCost;
  }
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (intrinsic->isAssumeLikeIntrinsic())
      return 0;
    switch (intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::pow:
    case llvm::Intrinsic::exp:
    case llvm::Intrinsic::exp2:
    case llvm::Intrinsic::log:
    case llvm::Intrinsic::log2:
    case llvm::Intrinsic::log10:
    case llvm::Intrinsic::sin:
    case llvm::Intrinsic::cos:
    case llvm::Intrinsic::tan:
      return functionCost;
    case llvm::Intrinsic::sqrt:
      return rootCost;
    default:
      return intrinsic->doesNotAccessMemory() ? std::optional(2u)
                                              : std::nullopt;
    }
  }
  llvm::Function *callee = call.getCalledFunction();
  if (!callee)
    return std::nullopt;
  // Of nothing: a spawn is not known.
  if (isSyncMarker(callee))
    return 0;
  if (!callee->isDeclaration() && !callee->isInterposable())
    return ofFunction(*callee, depth + 1);
  // A function of <math.h>.
  const auto &library =
      analyses.getResult<llvm::TargetLibraryAnalysis>(*call.getFunction());
  llvm::LibFunc known;
  bool isOfNumbers = call.getType()->isFloatingPointTy() &&
                     llvm::all_of(call.args(), [](auto &argument) {
                       return argument->getType()->isFloatingPointTy();
                     });
  if (isOfNumbers && library.getLibFunc(*callee, known) && library.has(known))
    return functionCost;
  return std::nullopt;
}

std::optional<unsigned> IterationCost::of(llvm::Instruction &instruction,
                                          unsigned depth) {
  if (instruction.isAtomic() || instruction.isVolatile())
    return std::nullopt;
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return ofCall(*call, depth);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return isIndirect(*load) ? indirectCost : 1;
  switch (instruction.getOpcode()) {
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FRem:
    return divisionCost;
  case llvm::Instruction::Alloca:
  case llvm::Instruction::GetElementPtr:
  case llvm::Instruction::PHI:
    return 0;
  default:
    return instruction.isCast() ? 0 : 1;
  }
}

std::optional<unsigned>
IterationCost::sum(llvm::iterator_range<llvm::inst_iterator> instructions,
                   unsigned depth) {
  unsigned total = 0;
  for (llvm::Instruction &instruction : instructions) {
    std::optional<unsigned> cost = of(instruction, depth);
    if (!cost || (total += *cost) > lightCost)
      return std::nullopt;
  }
  return total;
}

std::optional<unsigned> IterationCost::ofFunction(llvm::Function &function,
                                                  unsigned depth) {
  if (depth > mostCalls || hasLoops(function, 0))
    return std::nullopt;
  std::optional<unsigned> cost = sum(llvm::instructions(function), depth);
  return cost ? std::optional(*cost + callCost) : std::nullopt;
}

std::optional<unsigned> IterationCost::ofIteration(llvm::Function &body,
                                                   unsigned inner) {
  return hasLoops(body, 1 + inner) ? std::nullopt
                                   : sum(llvm::instructions(body), 0);
}

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
  analyses.clear(*copy, copy->getName());
  copy->eraseFromParent();
  return found;
}

namespace {

/// Makes the loops of a module serial.
class Serializer {
public:
  Serializer(llvm::Module &module, llvm::FunctionAnalysisManager &analyses)
      : module(module), analyses(analyses) {}

  llvm::SmallVector<SerialLoop> run();

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
  llvm::SmallVector<SerialLoop> serial;
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

Serializer::Counts Serializer::findCounts(llvm::Function &parent) {
  return inCopy(parent, analyses, [&](llvm::Function &copy) {
    Counts counts;
    for (llvm::Instruction &instruction : llvm::instructions(copy))
      if (auto number = numberOfLoop(instruction))
        if (auto *count = llvm::dyn_cast<llvm::ConstantInt>(
                llvm::cast<llvm::CallInst>(instruction).getArgOperand(1)))
          counts[*number] = count->getValue().getLimitedValue();
    return counts;
  });
}

/// Calls the body of a loop in its place, and inlines it, if that is light.
void Serializer::serialize(llvm::CallInst &loop, uint64_t count) {
  auto *body = llvm::cast<llvm::Function>(loop.getArgOperand(0));
  auto *grain = llvm::dyn_cast<llvm::ConstantInt>(loop.getArgOperand(2));
  bool isChosen = !grain || grain->getSExtValue() > 0;
  if (isChosen || !body->hasOneUse() || count > lightCost)
    return;
  Serial inner = known.lookup(body);
  auto own = inCopy(*body, analyses, [&](llvm::Function &copy) {
    return IterationCost(analyses).ofIteration(copy, inner.loops);
  });
  if (!own || count * (*own + inner.cost) > lightCost)
    return;
  llvm::Function &parent = *loop.getFunction();
  Serial &outer = known[&parent];
  outer.loops += 1 + inner.loops;
  outer.cost += count * (*own + inner.cost);
  serial.push_back({loop.getDebugLoc(), count});

  llvm::IRBuilder<> builder(&loop);
  llvm::SmallVector<llvm::Value *> arguments = {builder.getInt64(0),
                                                builder.getInt64(count)};
  arguments.append(loop.arg_begin() + 3, loop.arg_end());
  llvm::CallInst *call = builder.CreateCall(body, arguments);
  loop.eraseFromParent();
  llvm::InlineFunctionInfo info;
  if (llvm::InlineFunction(*call, info).isSuccess())
    body->eraseFromParent();
}

llvm::SmallVector<SerialLoop> Serializer::run() {
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

llvm::SmallVector<SerialLoop>
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
        IterationCost(analyses).ofIteration(function, 0);
    if (cost)
      function.addFnAttr(LeastRangeAttribute,
                         std::to_string(lightCost / std::max(*cost, 1u)));
  }
}
