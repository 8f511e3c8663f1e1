//===- LevelFields.cpp - Fields that elements of a level share ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LevelFields.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"
#include "cilk2chan/Dialect/Chan/Transforms/Tuning.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace cilk2chan;

namespace {

/// What a talloc's fields are set to.
using Site = llvm::StringMap<Value>;

class Analysis {
public:
  Analysis(chan::KernelOp kernel, ModuleOp module)
      : kernel(kernel), module(module) {}
  SmallVector<StringRef> run();

private:
  bool findSites();
  bool areSame(Value one, Value other, unsigned depth = 0) const;

  chan::KernelOp kernel;
  ModuleOp module;
  SmallVector<Site> sites;
  llvm::SmallSetVector<StringRef, 8> fields;
};

} // namespace

static Site settingsOf(chan::TallocOp talloc) {
  Site site;
  for (Operation *user : talloc.getElement().getUsers())
    if (auto set = dyn_cast<chan::SetOp>(user))
      site[set.getField()] = set.getValue();
  return site;
}

/// Collects where the kernel makes children of its own kind. Fails if something
/// else below it does, too, or may: what that passes on is not known.
bool Analysis::findSites() {
  StringAttr own = kernel.getConsumesAttr().getAttr();
  llvm::DenseMap<StringAttr, chan::KernelOp> consumers;
  for (auto other : module.getOps<chan::KernelOp>())
    consumers[other.getConsumesAttr().getAttr()] = other;
  llvm::SetVector<StringAttr> below;
  below.insert(own);
  for (unsigned i = 0; i < below.size(); ++i) {
    chan::KernelOp other = consumers.lookup(below[i]);
    if (!other)
      continue;
    for (auto talloc : other.getBody().getOps<chan::TallocOp>()) {
      StringAttr stack = talloc.getElement().getType().getStack().getAttr();
      if (talloc.getTarget() || (stack == own && other != kernel))
        return false;
      if (stack == own)
        sites.push_back(settingsOf(talloc));
      below.insert(stack);
    }
  }
  return !sites.empty();
}

/// Whether two values of the kernel are the same function of `fields`.
bool Analysis::areSame(Value one, Value other, unsigned depth) const {
  Operation *a = one.getDefiningOp(), *b = other.getDefiningOp();
  if (!a || !b || depth > tuning::deepestLevelField ||
      a->getName() != b->getName() || one.getType() != other.getType())
    return false;
  if (auto get = dyn_cast<chan::GetOp>(a))
    return get.getField() == cast<chan::GetOp>(b).getField() &&
           fields.contains(get.getField());
  if (!isElementwise(a) && !isMadeOfNothing(a))
    return false;
  if (isa<LLVM::FreezeOp, LLVM::PoisonOp, LLVM::UndefOp>(a) ||
      a->getAttrDictionary() != b->getAttrDictionary())
    return false;
  return llvm::all_of(
      llvm::zip_equal(a->getOperands(), b->getOperands()), [&](auto pair) {
        return areSame(std::get<0>(pair), std::get<1>(pair), depth + 1);
      });
}

SmallVector<StringRef> Analysis::run() {
  if (!findSites())
    return {};
  for (auto &setting : sites.front())
    fields.insert(setting.first());
  auto isPassedOn = [&](StringRef field) {
    Value first = sites.front().lookup(field);
    return llvm::all_of(sites, [&](const Site &site) {
      Value value = site.lookup(field);
      return value && areSame(first, value);
    });
  };
  bool changed = true;
  while (changed)
    changed = fields.remove_if([&](StringRef f) { return !isPassedOn(f); });
  SmallVector<StringRef> found;
  for (chan::GetOp get : kernel.getBody().getOps<chan::GetOp>())
    if (fields.contains(get.getField()) &&
        !llvm::is_contained(found, get.getField()))
      found.push_back(get.getField());
  return found;
}

SmallVector<StringRef> cilk2chan::findLevelFields(chan::KernelOp kernel,
                                                  ModuleOp module) {
  return Analysis(kernel, module).run();
}
