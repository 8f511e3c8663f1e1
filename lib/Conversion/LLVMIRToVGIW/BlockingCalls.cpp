//===- BlockingCalls.cpp - Locks that others hold -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SystemCalls.h"

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <cerrno>
#include <threads.h>

using namespace llvm;
using namespace cilk2chan;

namespace {
/// A function that waits, the one that tries, and what that returns while
/// another holds the lock.
struct Blocking {
  StringLiteral name, attempt;
  int busy;
};
} // namespace

static constexpr Blocking blockingCalls[] = {
    {"Cilk_lock", "chan_try_lock", 0},
    {"pthread_mutex_lock", "pthread_mutex_trylock", EBUSY},
    {"pthread_spin_lock", "pthread_spin_trylock", EBUSY},
    {"pthread_rwlock_rdlock", "pthread_rwlock_tryrdlock", EBUSY},
    {"pthread_rwlock_wrlock", "pthread_rwlock_trywrlock", EBUSY},
    {"mtx_lock", "mtx_trylock", thrd_busy},
    {"sem_wait", "sem_trywait", -1},
    {"omp_set_lock", "omp_test_lock", 0},
};

static const Blocking *findBlocking(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  const auto *found = callee
                          ? find_if(blockingCalls,
                                    [&](const Blocking &blocking) {
                                      return blocking.name == callee->getName();
                                    })
                          : std::end(blockingCalls);
  return found == std::end(blockingCalls) || call.arg_size() != 1 ? nullptr
                                                                  : found;
}

/// while ((result = attempt(lock)) == busy) yield;
static void lower(CallInst &call, const Blocking &blocking) {
  Module &module = *call.getModule();
  IRBuilder<> builder(&call);
  Type *integer = builder.getInt32Ty();
  BasicBlock *before = call.getParent();
  BasicBlock *again = before->splitBasicBlock(&call, "lock");
  BasicBlock *after = again->splitBasicBlock(std::next(call.getIterator()));
  BasicBlock *wait =
      BasicBlock::Create(call.getContext(), "held", call.getFunction(), after);

  builder.SetInsertPoint(wait);
  builder.CreateCall(
      module.getOrInsertFunction(DeviceYield, builder.getVoidTy()));
  builder.CreateBr(again);
  builder.SetInsertPoint(&call);
  CallInst *attempt = builder.CreateCall(
      module.getOrInsertFunction(blocking.attempt, integer, builder.getPtrTy()),
      {call.getArgOperand(0)});
  attempt->setDebugLoc(call.getDebugLoc());
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(attempt);
  Value *isHeld = builder.CreateICmpEQ(
      attempt, ConstantInt::getSigned(integer, blocking.busy));
  again->getTerminator()->eraseFromParent();
  call.eraseFromParent();
  builder.SetInsertPoint(again);
  builder.CreateCondBr(isHeld, wait, after);
}

/// Calls by which a thread that waits for something lets other threads run.
static bool isYield(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && is_contained({"sched_yield", "thrd_yield", "pthread_yield"},
                                callee->getName());
}

static void lowerYield(CallInst &call) {
  IRBuilder<> builder(&call);
  builder.CreateCall(
      call.getModule()->getOrInsertFunction(DeviceYield, builder.getVoidTy()));
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(Constant::getNullValue(call.getType()));
  call.eraseFromParent();
}

void cilk2chan::yieldWhileBlocked(Function &kernel) {
  SmallVector<CallInst *> blocking, yields;
  for (Instruction &instruction : instructions(kernel))
    if (auto *call = dyn_cast<CallInst>(&instruction)) {
      if (findBlocking(*call))
        blocking.push_back(call);
      else if (isYield(*call))
        yields.push_back(call);
    }
  for (CallInst *call : blocking)
    lower(*call, *findBlocking(*call));
  for (CallInst *call : yields)
    lowerYield(*call);
}
