//===- Parameters.cpp - What all callers pass -----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parameters.h"
#include "cilk2chan/Support/Markers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace cilk2chan;

namespace {

/// What a parameter may be: a constant, one of a range of integers, or nothing
/// so far.
struct Known {
  llvm::Constant *constant = nullptr;
  std::optional<llvm::ConstantRange> range;

  bool isNothing() const { return !constant && !range; }
};

/// The calls, spawns and loops that run a function.
struct Tracked {
  /// Each with the number of the argument that is the first parameter's.
  llvm::SmallVector<std::pair<llvm::CallBase *, unsigned>> sites;
  /// Of each parameter; null for one of which nothing is to be known.
  llvm::SmallVector<std::optional<Known>> parameters;
};

class Propagation {
public:
  explicit Propagation(llvm::Module &module);

  void solve();
  UsedConstants apply();

private:
  std::optional<Known> lookUp(llvm::Value *argument) const;
  bool join(std::optional<Known> &known, llvm::Value *argument) const;

  llvm::MapVector<llvm::Function *, Tracked> functions;
};

} // namespace

/// The parameters of a loop's body are two that the loop gives, and what comes
/// behind its number of iterations and its grain.
static constexpr unsigned givenByLoop = 2;

/// Finds what runs `function`; false if that may be something else, too.
static bool findSites(llvm::Function &function, Tracked &tracked) {
  if (!function.hasLocalLinkage() || function.isVarArg() ||
      function.hasFnAttribute(llvm::Attribute::Naked))
    return false;
  for (llvm::Use &use : function.uses()) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (!call)
      return false;
    unsigned first = 0;
    llvm::Function *marker = call->getCalledFunction();
    if (!call->isCallee(&use)) {
      bool spawns = marker && marker->getName().starts_with(AbiSpawnPrefix);
      bool loops = marker && marker->getName().starts_with(AbiForPrefix);
      if ((!spawns && !loops) || call->getArgOperandNo(&use) != 0)
        return false;
      first = spawns ? 2 : 1;
    }
    if (call->arg_size() != first + function.arg_size())
      return false;
    for (llvm::Argument &parameter : function.args())
      if (call->getArgOperand(first + parameter.getArgNo())->getType() !=
          parameter.getType())
        return false;
    tracked.sites.push_back({call, first});
  }
  return true;
}

/// Whether its value is what the caller passes.
static bool isPlain(const llvm::Argument &parameter) {
  bool fromLoop = parameter.getParent()->getName().starts_with(BodyPrefix) &&
                  parameter.getArgNo() < givenByLoop;
  return !fromLoop && !parameter.hasPassPointeeByValueCopyAttr() &&
         !parameter.hasStructRetAttr();
}

Propagation::Propagation(llvm::Module &module) {
  for (llvm::Function &function : module) {
    Tracked tracked;
    if (function.isDeclaration() || !findSites(function, tracked))
      continue;
    for (llvm::Argument &parameter : function.args())
      tracked.parameters.push_back(
          isPlain(parameter) ? std::optional<Known>(Known()) : std::nullopt);
    functions[&function] = std::move(tracked);
  }
}

/// What `argument` may be; null if that is anything.
std::optional<Known> Propagation::lookUp(llvm::Value *argument) const {
  if (auto *parameter = llvm::dyn_cast<llvm::Argument>(argument)) {
    auto *tracked = functions.find(parameter->getParent());
    return tracked == functions.end()
               ? std::nullopt
               : tracked->second.parameters[parameter->getArgNo()];
  }
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(argument))
    return Known{constant, std::nullopt};
  if (!argument->getType()->isIntegerTy())
    return std::nullopt;
  auto range = llvm::computeConstantRange(argument, /*ForSigned=*/false);
  if (range.isFullSet() || range.isEmptySet())
    return std::nullopt;
  return Known{nullptr, range};
}

/// Adds that `argument` is passed; whether that is new.
bool Propagation::join(std::optional<Known> &known,
                       llvm::Value *argument) const {
  if (!known)
    return false;
  std::optional<Known> passed = lookUp(argument);
  if (passed && (passed->isNothing() ||
                 (passed->constant && passed->constant == known->constant)))
    return false;
  if (passed && known->isNothing()) {
    known = passed;
    return true;
  }
  auto rangeOf = [](const Known &known) -> std::optional<llvm::ConstantRange> {
    if (auto *number =
            llvm::dyn_cast_or_null<llvm::ConstantInt>(known.constant))
      return llvm::ConstantRange(number->getValue());
    return known.range;
  };
  auto before = rangeOf(*known);
  auto other = passed ? rangeOf(*passed) : std::nullopt;
  if (!before || !other) {
    known = std::nullopt;
    return true;
  }
  llvm::ConstantRange both = before->unionWith(*other);
  bool isNew = both != *before;
  if (both.isFullSet())
    known = std::nullopt;
  else if (isNew)
    known = Known{nullptr, both};
  return isNew;
}

/// Each parameter changes no more often than there are arguments that are no
/// parameters.
void Propagation::solve() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto &[function, tracked] : functions)
      for (auto [call, first] : tracked.sites)
        for (auto [i, known] : llvm::enumerate(tracked.parameters))
          changed |= join(known, call->getArgOperand(first + i));
  }
}

UsedConstants Propagation::apply() {
  UsedConstants used;
  for (auto &[function, tracked] : functions) {
    bool isUsed = false;
    for (auto [i, known] : llvm::enumerate(tracked.parameters)) {
      llvm::Argument *parameter = function->getArg(i);
      if (!known)
        continue;
      if (known->constant && !parameter->use_empty()) {
        parameter->replaceAllUsesWith(known->constant);
        isUsed = true;
        used.functions |= llvm::isa<llvm::Function>(known->constant);
      } else if (known->range) {
        parameter->addAttr(llvm::Attribute::get(
            function->getContext(), llvm::Attribute::Range, *known->range));
      }
    }
    if (isUsed)
      used.in.push_back(function);
  }
  return used;
}

UsedConstants cilk2chan::inferParameters(llvm::Module &module) {
  Propagation propagation(module);
  propagation.solve();
  return propagation.apply();
}
