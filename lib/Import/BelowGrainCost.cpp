//===- BelowGrainCost.cpp - Whether work is below grain -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BelowGrainCost.h"
#include "Markers.h"
#include "Tuning.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace cilk2chan;

/// Whether `function` has more loops than `allowed`, or one with several ways
/// in.
static bool hasLoops(llvm::Function &function, unsigned allowed) {
  llvm::CycleInfo cycles;
  cycles.compute(function);
  unsigned count = 0;
  for (const llvm::Cycle *outer : cycles.toplevel_cycles())
    for (const llvm::Cycle *cycle : llvm::depth_first(outer))
      if (!cycle->isReducible() || ++count > allowed)
        return true;
  return false;
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

/// Whether what `instruction` computes is for assumptions alone, after at most
/// so many other operations.
static bool isForAssumption(const llvm::Instruction &instruction,
                            unsigned operations = 6) {
  return !instruction.use_empty() && operations > 0 &&
         llvm::all_of(instruction.users(), [&](const llvm::User *user) {
           return llvm::isa<llvm::AssumeInst>(user) ||
                  isForAssumption(*llvm::cast<llvm::Instruction>(user),
                                  operations - 1);
         });
}

std::optional<unsigned> BelowGrainCost::ofCall(llvm::CallBase &call,
                                               unsigned depth) {
  if (auto *copy = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) {
    auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
    if (!length || length->getZExtValue() > 256)
      return std::nullopt;
    return tuning::copyCost;
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
      return unsigned(tuning::mathCost);
    case llvm::Intrinsic::sqrt:
      return tuning::rootCost;
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
    return unsigned(tuning::mathCost);
  return std::nullopt;
}

std::optional<unsigned> BelowGrainCost::of(llvm::Instruction &instruction,
                                           unsigned depth) {
  if (instruction.isAtomic() || instruction.isVolatile())
    return std::nullopt;
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return ofCall(*call, depth);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return isIndirect(*load) ? tuning::indirectCost : 1;
  switch (instruction.getOpcode()) {
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FRem:
    return tuning::divisionCost;
  case llvm::Instruction::Alloca:
  case llvm::Instruction::GetElementPtr:
  case llvm::Instruction::PHI:
    return 0;
  default:
    return instruction.isCast() ? 0 : 1;
  }
}

std::optional<unsigned>
BelowGrainCost::sum(llvm::iterator_range<llvm::inst_iterator> instructions,
                    unsigned depth) {
  unsigned total = 0;
  for (llvm::Instruction &instruction : instructions) {
    if (isForAssumption(instruction))
      continue;
    std::optional<unsigned> cost = of(instruction, depth);
    if (!cost || (total += *cost) > tuning::mostBelowGrain)
      return std::nullopt;
  }
  return total;
}

std::optional<unsigned> BelowGrainCost::ofFunction(llvm::Function &function,
                                                   unsigned depth) {
  if (depth > tuning::deepestCost || hasLoops(function, 0))
    return std::nullopt;
  std::optional<unsigned> cost = sum(llvm::instructions(function), depth);
  return cost ? std::optional(*cost + tuning::callCost) : std::nullopt;
}

std::optional<unsigned> BelowGrainCost::ofIteration(llvm::Function &body,
                                                    unsigned inner) {
  return hasLoops(body, 1 + inner) ? std::nullopt
                                   : sum(llvm::instructions(body), 0);
}
