//===- Captures.cpp - Which locals a region shares ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "LoopBodies.h"
#include "Markers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace cilk2chan;

static bool isIn(const Region &region, const llvm::User *user) {
  return region.blocks.contains(
      llvm::cast<llvm::Instruction>(user)->getParent());
}

/// The blocks at whose beginning the value of a promotable local matters.
static llvm::SmallPtrSet<llvm::BasicBlock *, 16>
blocksNeeding(llvm::AllocaInst *local) {
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> users, stores, needing;
  for (llvm::User *user : local->users()) {
    auto *instruction = llvm::cast<llvm::Instruction>(user);
    users.insert(instruction->getParent());
    if (llvm::isa<llvm::StoreInst>(instruction))
      stores.insert(instruction->getParent());
  }
  llvm::SmallVector<llvm::BasicBlock *> work;
  for (llvm::BasicBlock *block : users)
    for (llvm::Instruction &instruction : *block) {
      if (!llvm::is_contained(instruction.operands(), local))
        continue;
      if (llvm::isa<llvm::LoadInst>(instruction) &&
          needing.insert(block).second)
        work.push_back(block);
      break;
    }
  while (!work.empty())
    for (llvm::BasicBlock *before : llvm::predecessors(work.pop_back_val()))
      if (!stores.contains(before) && needing.insert(before).second)
        work.push_back(before);
  return needing;
}

/// Tells a debugger that `copied` is to the region what `local` is to the
/// function.
static void describe(const Region &region, llvm::AllocaInst *local,
                     llvm::Value *copied) {
  for (llvm::DbgVariableRecord *record : llvm::findDVRDeclares(local)) {
    const llvm::DILocation *where = record->getDebugLoc();
    llvm::DILocalVariable *variable = record->getVariable();
    llvm::DIExpression *expression = record->getExpression();
    auto *described = llvm::isa<llvm::AllocaInst>(copied)
                          ? llvm::DbgVariableRecord::createDVRDeclare(
                                copied, variable, expression, where)
                          : llvm::DbgVariableRecord::createDbgVariableRecord(
                                copied, variable, expression, where);
    region.entry->insertDbgRecordBefore(
        described, region.entry->getTerminator()->getIterator());
  }
}

llvm::SmallVector<llvm::AllocaInst *>
cilk2chan::separateLocals(const Region &region, llvm::AllocaInst *control,
                          llvm::Instruction *before) {
  llvm::BasicBlock &allocations = region.entry->getParent()->getEntryBlock();
  llvm::SmallVector<llvm::AllocaInst *> locals, owned;
  for (llvm::Instruction &instruction : allocations)
    if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        local && local->isStaticAlloca())
      locals.push_back(local);

  auto inRegion = [&](llvm::Use &use) { return isIn(region, use.getUser()); };
  auto copy = [&](llvm::AllocaInst *local) {
    auto *copied = llvm::cast<llvm::AllocaInst>(local->clone());
    copied->insertBefore(region.entry->getFirstInsertionPt());
    describe(region, local, copied);
    local->replaceUsesWithIf(copied, inRegion);
    owned.push_back(copied);
  };
  for (llvm::AllocaInst *local : locals) {
    llvm::SmallVector<llvm::Instruction *> inside;
    for (llvm::User *user : local->users())
      if (isIn(region, user))
        inside.push_back(llvm::cast<llvm::Instruction>(user));
    if (inside.empty())
      continue;
    if (local == control) {
      copy(local);
    } else if (inside.size() == local->getNumUses()) {
      local->moveBefore(region.entry->getFirstInsertionPt());
      owned.push_back(local);
    } else if (llvm::isAllocaPromotable(local)) {
      bool changed = llvm::any_of(inside, [](llvm::Instruction *user) {
        return llvm::isa<llvm::StoreInst>(user);
      });
      if (!changed) {
        auto *value =
            new llvm::LoadInst(local->getAllocatedType(), local,
                               local->getName(), before->getIterator());
        for (llvm::Instruction *load : inside) {
          load->replaceAllUsesWith(value);
          load->eraseFromParent();
        }
        describe(region, local, value);
        continue;
      }
      auto needing = blocksNeeding(local);
      if (!needing.contains(region.entry) && !needing.contains(region.exit))
        copy(local);
    }
  }
  return owned;
}

//===----------------------------------------------------------------------===//
// Values in the place of addresses
//===----------------------------------------------------------------------===//

/// The local that is at `address`, where a loop begins, if only its function
/// and loops know of it; null for what others may change.
static llvm::AllocaInst *localAt(llvm::Value *address) {
  auto *parameter = llvm::dyn_cast<llvm::Argument>(address);
  auto *local = llvm::dyn_cast<llvm::AllocaInst>(address);
  if (!parameter && !local)
    return nullptr;
  bool known = llvm::all_of(address->users(), [&](const llvm::User *user) {
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->isSimple() && store->getPointerOperand() == address;
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    return llvm::isa<llvm::LoadInst>(user) ||
           (call && isLoopMarker(call->getCalledFunction()));
  });
  if (!known)
    return nullptr;
  if (parameter) {
    llvm::CallInst *marker = markerOf(*parameter->getParent());
    return marker ? localAt(
                        marker->getArgOperand(operandOf(parameter->getArgNo())))
                  : nullptr;
  }
  return local->isStaticAlloca() &&
                 local->getAllocatedType()->isSingleValueType()
             ? local
             : nullptr;
}

/// Whether the body of a loop needs no more of the local than its value.
static bool isLoadedOnly(const llvm::Argument &address,
                         const llvm::AllocaInst &local) {
  return llvm::all_of(address.users(), [&](const llvm::User *user) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(user);
    return load && load->isSimple() &&
           load->getType() == local.getAllocatedType();
  });
}

/// Replaces an address that `body` has as a parameter by what is there.
static void becomeValue(llvm::Argument &address, llvm::Argument &value) {
  for (llvm::User *user : llvm::make_early_inc_range(address.users())) {
    auto *load = llvm::cast<llvm::LoadInst>(user);
    load->replaceAllUsesWith(&value);
    load->eraseFromParent();
  }
  for (llvm::DbgVariableRecord *record : llvm::findDVRDeclares(&address)) {
    llvm::DbgVariableRecord::createDbgVariableRecord(
        &value, record->getVariable(), record->getExpression(),
        record->getDebugLoc())
        ->insertBefore(record);
    record->eraseFromParent();
  }
}

namespace {
/// A body whose signature changes, and its marker.
class ValuePassing {
public:
  explicit ValuePassing(llvm::Function &body)
      : body(body), marker(markerOf(body)) {}

  /// Null if nothing changes.
  llvm::Function *run();

private:
  void find();

  llvm::Function &body;
  llvm::CallInst *marker;
  /// By number of the parameter.
  llvm::SmallMapVector<unsigned, llvm::AllocaInst *, 4> locals;
};
} // namespace

void ValuePassing::find() {
  for (llvm::Argument &parameter :
       llvm::drop_begin(body.args(), FirstCapture)) {
    unsigned number = parameter.getArgNo();
    if (!parameter.getType()->isPointerTy())
      continue;
    llvm::AllocaInst *local = localAt(marker->getArgOperand(operandOf(number)));
    if (local && isLoadedOnly(parameter, *local))
      locals[number] = local;
  }
}

llvm::Function *ValuePassing::run() {
  if (!marker)
    return nullptr;
  find();
  if (locals.empty())
    return nullptr;
  llvm::SmallVector<llvm::Type *> types(body.getFunctionType()->params());
  for (auto [number, local] : locals)
    types[number] = local->getAllocatedType();
  llvm::Function *changed = withParameters(
      body, types, [&](unsigned number) { return locals.contains(number); });
  llvm::SmallVector<llvm::Value *> operands(marker->args());
  operands[0] = changed;
  for (auto [number, local] : locals) {
    becomeValue(*body.getArg(number), *changed->getArg(number));
    llvm::Value *&operand = operands[operandOf(number)];
    operand = new llvm::LoadInst(local->getAllocatedType(), operand, "",
                                 /*isVolatile=*/false, local->getAlign(),
                                 marker->getIterator());
  }
  changeOperands(marker, operands);
  body.eraseFromParent();
  return changed;
}

llvm::SmallVector<llvm::Function *>
cilk2chan::passValues(llvm::Module &module,
                      llvm::SmallVectorImpl<llvm::Function *> &converted) {
  // Inner loops come first: what their bodies only load, the outer ones do.
  llvm::SetVector<llvm::Function *> parents;
  for (llvm::Function *body : bodiesOf(module)) {
    llvm::Function *parent = markerOf(*body)->getFunction();
    llvm::Function *changed = ValuePassing(*body).run();
    if (!changed)
      continue;
    llvm::replace(converted, body, changed);
    if (parents.remove(body))
      parents.insert(changed);
    parents.insert(parent);
  }
  return parents.takeVector();
}
