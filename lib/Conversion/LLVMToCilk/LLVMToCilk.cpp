//===- LLVMToCilk.cpp - Raise marker calls to the cilk dialect ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns what the front end marks by calls into operations:
//
//   llvm.call @__cilk_spawn_abi.0(@f, %x, %n)       cilk.spawn @f(%n) to %x
//   %y = llvm.call @f(%m)                      =>   %y = cilk.call @f(%m)
//   llvm.call @__cilk_sync()                        cilk.sync
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Conversion/Tuning.h"
#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/FunctionAttributes.h"
#include "cilk2chan/Support/KeptObjects.h"
#include "cilk2chan/Support/LockFunctions.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/WorkingOn.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

namespace cilk2chan {
#define GEN_PASS_DEF_LLVMTOCILK
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

static StringRef calleeOf(LLVM::CallOp call) {
  return call.getCallee() ? *call.getCallee() : StringRef();
}

static bool isSpawn(LLVM::CallOp call) {
  return calleeOf(call).starts_with(AbiSpawnPrefix);
}
static bool isFor(LLVM::CallOp call) {
  return calleeOf(call).starts_with(AbiForPrefix);
}
static bool isSync(StringRef name) {
  return name == SyncName || name == SyncReleaseName;
}

/// The function a pointer is known to be the address of, or null.
static LLVM::AddressOfOp functionAddress(Value pointer) {
  return pointer.getDefiningOp<LLVM::AddressOfOp>();
}

//===----------------------------------------------------------------------===//
// Raising
//===----------------------------------------------------------------------===//

/// The attributes of each argument from `first` on, or null if there are none.
static ArrayAttr argumentAttributes(LLVM::CallOp call, LLVM::LLVMFuncOp callee,
                                    unsigned first) {
  ArrayAttr attrs = call.getArgAttrsAttr();
  if (!attrs && callee)
    attrs = callee.getArgAttrsAttr();
  if (!attrs)
    return {};
  // A variadic callee declares fewer parameters than the call has arguments.
  SmallVector<Attribute> result(
      attrs.begin() + std::min<size_t>(first, attrs.size()), attrs.end());
  result.resize(call.getArgOperands().size() - first,
                DictionaryAttr::get(call.getContext()));
  bool any = llvm::any_of(result, [](Attribute dict) {
    return !cast<DictionaryAttr>(dict).empty();
  });
  return any ? ArrayAttr::get(call.getContext(), result) : ArrayAttr();
}

/// Fails for calling conventions other than C's, which a kernel could not call
/// back.
static LogicalResult raiseSpawn(LLVM::CallOp call, SymbolTable &symbols) {
  OpBuilder builder(call);
  auto marker = symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee());
  auto args = call.getArgOperands();
  auto type = marker.getFunctionType();
  // The callee's type is the marker's without its first two parameters.
  auto signature = LLVM::LLVMFunctionType::get(
      type.getReturnType(), type.getParams().drop_front(2), type.isVarArg());

  FlatSymbolRefAttr callee, apply;
  Value target = args[0], destination = args[1];
  // An alias of a function is a pointer like others.
  auto address = functionAddress(target);
  if (address && symbols.lookup<LLVM::LLVMFuncOp>(address.getGlobalName())) {
    callee = address.getGlobalNameAttr();
    target = {};
  }
  if (call.getCConv() != LLVM::CConv::C)
    return call.emitError("cannot spawn a function of calling convention '")
           << stringifyCConv(call.getCConv()) << "'";
  if (destination.getDefiningOp<LLVM::ZeroOp>())
    destination = {};
  std::string applyName =
      (ApplyPrefix + call.getCallee()->drop_front(AbiSpawnPrefix.size())).str();
  if (destination && symbols.lookup(applyName))
    apply = FlatSymbolRefAttr::get(call.getContext(), applyName);
  cilk::SpawnOp::create(
      builder, call.getLoc(), callee, target, args.drop_front(2), destination,
      apply, TypeAttr::get(signature), argumentAttributes(call, marker, 2));
  call.erase();
  return success();
}

static void raiseCall(LLVM::CallOp call, LLVM::LLVMFuncOp callee) {
  OpBuilder builder(call);
  auto raised = cilk::CallOp::create(
      builder, call.getLoc(), call.getResultTypes(), call.getCalleeAttr(),
      call.getArgOperands(), TypeAttr::get(callee.getFunctionType()),
      argumentAttributes(call, callee, 0));
  call.replaceAllUsesWith(raised->getResults());
  call.erase();
}

/// How long a range is at least that is worth another worker, if the body says.
static IntegerAttr leastRange(LLVM::LLVMFuncOp body) {
  ArrayAttr attributes = body ? body.getPassthroughAttr() : ArrayAttr();
  if (!attributes)
    return {};
  for (Attribute attribute : attributes) {
    auto pair = dyn_cast<ArrayAttr>(attribute);
    uint64_t value;
    if (pair && pair.size() == 2 &&
        cast<StringAttr>(pair[0]) == LeastRangeAttribute.str() &&
        !cast<StringAttr>(pair[1]).getValue().getAsInteger(10, value))
      return Builder(body.getContext()).getI64IntegerAttr(value);
  }
  return {};
}

/// Fails if the first operand is not the address of a function.
static LogicalResult raiseFor(LLVM::CallOp call) {
  auto args = call.getArgOperands();
  auto body = args.size() < 3 ? nullptr : functionAddress(args[0]);
  if (!body)
    return call.emitError("marks a loop without a body");
  Value grain = args[2];
  if (matchPattern(grain, m_Zero()))
    grain = {};
  OpBuilder builder(call);
  IntegerAttr least;
  if (!grain)
    least = leastRange(SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
        call, body.getGlobalNameAttr()));
  cilk::ForOp::create(builder, call.getLoc(), body.getGlobalNameAttr(),
                      args.drop_front(3), args[1], grain, least);
  call.erase();
  return success();
}

/// Whether a call agrees with its callee's definition; C without prototypes, or
/// with casts, need not.
static bool agrees(LLVM::CallOp call, LLVM::LLVMFuncOp callee) {
  return call.getCalleeFunctionType() == callee.getFunctionType() &&
         call.getCConv() == callee.getCConv() &&
         !callee.getFunctionType().isVarArg();
}

//===----------------------------------------------------------------------===//
// Locks
//===----------------------------------------------------------------------===//

/// What a call does to locks; of helpers that take one for their caller the
/// import says so.
static LockFunction lockFunction(Operation &op, SymbolTable &symbols) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call || !call.getCallee())
    return {};
  auto callee = symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee());
  if (auto effect =
          callee ? functionAttribute(callee, LockAttribute) : std::nullopt)
    return {*effect == LockAcquires ? LockFunction::acquire
                                    : LockFunction::release};
  return lockFunction(*call.getCallee());
}

/// Counts the locks that may be held after a call.
static void passLocks(const LockFunction &effect, unsigned &held) {
  switch (effect.kind) {
  case LockFunction::acquire:
  case LockFunction::attempt:
    held = std::min(held + 1, tuning::mostLocks.getValue());
    break;
  case LockFunction::release:
    if (held && held != tuning::mostLocks)
      --held;
    break;
  case LockFunction::neutral:
  case LockFunction::unknown:
    break;
  }
}

/// The calls at which a lock may be held. They are left as they are: a C symbol
/// runs nothing but its own descendants. If the caller were split, a task that
/// waits for the lock could run in between.
static llvm::DenseSet<Operation *> findLockedCalls(LLVM::LLVMFuncOp function,
                                                   SymbolTable &symbols) {
  DenseMap<Operation *, LockFunction> effects;
  bool posts = false;
  function.walk([&](LLVM::CallOp call) {
    LockFunction effect = lockFunction(*call, symbols);
    posts |= effect.semaphore && effect.kind == LockFunction::release;
    effects[call] = effect;
  });
  DenseMap<Block *, unsigned> entry;
  llvm::SetVector<Block *> work;
  work.insert(&function.front());
  llvm::DenseSet<Operation *> locked;
  while (!work.empty()) {
    Block *block = work.pop_back_val();
    unsigned held = entry[block];
    for (Operation &op : *block) {
      if (held)
        locked.insert(&op);
      if (LockFunction effect = effects.lookup(&op); !effect.semaphore || posts)
        passLocks(effect, held);
    }
    for (Block *successor : block->getSuccessors()) {
      auto [known, first] = entry.try_emplace(successor, held);
      if (!first && known->second >= held)
        continue;
      known->second = held;
      work.insert(successor);
    }
  }
  return locked;
}

/// Whether all activations with the same arguments have the same address here.
static bool isFixed(Value address) {
  if (auto gep = address.getDefiningOp<LLVM::GEPOp>())
    return gep.getDynamicIndices().empty() && isFixed(gep.getBase());
  auto argument = dyn_cast<BlockArgument>(address);
  return address.getDefiningOp<LLVM::AddressOfOp>() ||
         (argument && argument.getOwner()->isEntryBlock());
}

/// Notes of an update that no code sees before a sync that its order is free.
/// Lanes combine their values first, for which all need the same address.
static void markReduction(LLVM::AtomicRMWOp update) {
  if (update.getSyncscope() != StringRef(ReductionScope))
    return;
  update.removeSyncscopeAttr();
  if (chan::combinationOf(update.getBinOp()) && isFixed(update.getPtr()))
    update->setAttr(ReductionAttribute, UnitAttr::get(update.getContext()));
}

namespace {
struct LLVMToCilk : public cilk2chan::impl::LLVMToCilkBase<LLVMToCilk> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (function.isExternal())
        continue;
      WorkingOn working(function.getName());
      auto locked = findLockedCalls(function, symbols);
      function.walk(markReduction);
      SmallVector<LLVM::CallOp> calls;
      function.walk([&](LLVM::CallOp call) { calls.push_back(call); });
      for (LLVM::CallOp call : calls) {
        if (isSpawn(call)) {
          if (failed(raiseSpawn(call, symbols)))
            return signalPassFailure();
        } else if (isFor(call)) {
          if (failed(raiseFor(call)))
            return signalPassFailure();
        } else if (isSync(calleeOf(call))) {
          OpBuilder builder(call);
          auto sync = cilk::SyncOp::create(builder, call.getLoc());
          if (calleeOf(call) == SyncReleaseName)
            sync->setAttr(ReleasesAttribute, builder.getUnitAttr());
          call.erase();
        } else if (calleeOf(call) == IfSynchedName) {
          OpBuilder builder(call);
          call->replaceAllUsesWith(cilk::SynchedOp::create(
              builder, call.getLoc(), builder.getI32Type(),
              call.getArgOperands().front()));
          call.erase();
        } else if (call.getCallee()) {
          auto callee = symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee());
          if (callee && !callee.isExternal() && agrees(call, callee) &&
              !locked.contains(call))
            raiseCall(call, callee);
        }
      }
    }
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (function.getName().starts_with(AbiSpawnPrefix) ||
          function.getName().starts_with(AbiForPrefix) ||
          isSync(function.getName()) || function.getName() == IfSynchedName)
        symbols.erase(function);
  }
};
} // namespace
