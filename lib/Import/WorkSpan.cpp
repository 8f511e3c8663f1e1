//===- WorkSpan.cpp - The serial elision, measured ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A spawn becomes a call of its child between two calls of the runtime, which
// is told of syncs as well (chan/abi.h, "work and span").  The iterations of a
// parallel loop are children of a scope of their own.
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "Markers.h"
#include "SynchedFlags.h"

#include "cilk2chan/Import/Import.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace cilk2chan;

/// Words of a chan_scope.
static constexpr unsigned scopeWords = 6;

/// Of constructors: in front of the program's own.
static constexpr int beforePrograms = 101;

namespace {

/// Measures what one function spawns.
class Measuring {
public:
  explicit Measuring(llvm::Function &function)
      : function(function), module(*function.getParent()),
        builder(function.getContext()) {}

  llvm::Error run();

private:
  llvm::Value *makeScope();
  void tell(llvm::StringRef name, llvm::Value *scope) {
    builder.CreateCall(module.getOrInsertFunction(name, builder.getVoidTy(),
                                                  builder.getPtrTy()),
                       scope);
  }
  llvm::Error lowerSpawn(llvm::CallBase &spawn, llvm::Value *scope);
  void lowerLoop(llvm::CallBase &loop);

  llvm::Function &function;
  llvm::Module &module;
  llvm::IRBuilder<> builder;
};

} // namespace

/// What the runtime knows of the children of an activation, or of a loop.
llvm::Value *Measuring::makeScope() {
  llvm::IRBuilder<>::InsertPointGuard guard(builder);
  builder.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
  auto *type = llvm::ArrayType::get(builder.getInt64Ty(), scopeWords);
  llvm::AllocaInst *scope = builder.CreateAlloca(type);
  builder.CreateStore(llvm::Constant::getNullValue(type), scope);
  return scope;
}

llvm::Error Measuring::lowerSpawn(llvm::CallBase &spawn, llvm::Value *scope) {
  std::string name = (ChildPrefix + spawn.getCalledFunction()->getName().substr(
                                        SpawnPrefix.size()))
                         .str();
  llvm::Function *child = module.getFunction(name);
  if (!child || child->getFunctionType() != spawn.getFunctionType())
    return llvm::createStringError("'" + name + "' is not what spawns");
  builder.SetInsertPoint(&spawn);
  tell("chan_scope_spawn", scope);
  spawn.setCalledFunction(child);
  builder.SetInsertPoint(spawn.getNextNode());
  tell("chan_scope_return", scope);
  return llvm::Error::success();
}

/// for (i = 0; i != count; i += step) body(i, i + step, captures...)
void Measuring::lowerLoop(llvm::CallBase &loop) {
  llvm::Value *scope = makeScope();
  llvm::Value *count = loop.getArgOperand(1), *grain = loop.getArgOperand(2);
  llvm::BasicBlock *before = loop.getParent();
  llvm::BasicBlock *after = before->splitBasicBlock(&loop);
  auto *head =
      llvm::BasicBlock::Create(function.getContext(), "", &function, after);
  auto *run =
      llvm::BasicBlock::Create(function.getContext(), "", &function, after);
  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(before);
  builder.SetCurrentDebugLocation(loop.getDebugLoc());
  auto *zero = builder.getInt64(0), *one = builder.getInt64(1);
  llvm::Value *most =
      builder.CreateSelect(builder.CreateICmpSGT(grain, zero), grain, one);
  builder.CreateBr(head);

  builder.SetInsertPoint(head);
  llvm::PHINode *from = builder.CreatePHI(builder.getInt64Ty(), 2);
  from->addIncoming(zero, before);
  llvm::Value *left = builder.CreateSub(count, from);
  builder.CreateCondBr(builder.CreateICmpEQ(left, zero), after, run);

  builder.SetInsertPoint(run);
  tell("chan_scope_spawn", scope);
  llvm::Value *to = builder.CreateAdd(
      from, builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, most));
  auto *body = llvm::cast<llvm::Function>(loop.getArgOperand(0));
  llvm::SmallVector<llvm::Value *> args = {from, to};
  args.append(loop.arg_begin() + FirstLoopCapture, loop.arg_end());
  builder.CreateCall(body, args);
  tell("chan_scope_iteration", scope);
  from->addIncoming(to, run);
  builder.CreateBr(head);

  builder.SetInsertPoint(&loop);
  tell("chan_scope_sync", scope);
  loop.eraseFromParent();
}

llvm::Error Measuring::run() {
  llvm::SmallVector<llvm::CallBase *> spawns, syncs, loops;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee)
      continue;
    if (isSyncMarker(callee))
      syncs.push_back(call);
    else if (callee->getName().starts_with(AbiForPrefix))
      loops.push_back(call);
    else if (isSpawnMarker(callee))
      spawns.push_back(call);
  }
  llvm::Value *scope = spawns.empty() ? nullptr : makeScope();
  for (llvm::CallBase *spawn : spawns)
    if (llvm::Error failure = lowerSpawn(*spawn, scope))
      return failure;
  for (llvm::CallBase *sync : syncs) {
    builder.SetInsertPoint(sync);
    if (scope)
      tell("chan_scope_sync", scope);
    sync->eraseFromParent();
  }
  for (llvm::CallBase *loop : loops)
    lowerLoop(*loop);
  return llvm::Error::success();
}

/// Has the runtime measure from before the program's own constructors on.  The
/// one that says so is a definition: AddressSanitizer looks into constructors.
static void addConstructor(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  auto *constructor = llvm::Function::Create(
      type, llvm::GlobalValue::InternalLinkage, "chan_measure.ctor", module);
  constructor->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", constructor));
  builder.CreateCall(module.getOrInsertFunction("chan_measure", type));
  builder.CreateRetVoid();
  llvm::appendToGlobalCtors(module, constructor, beforePrograms);
}

llvm::Error cilk2chan::measureWorkSpan(llvm::Module &module) {
  if (llvm::Error failure = outlineLoops(module))
    return failure;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      if (llvm::Error failure = Measuring(function).run())
        return failure;
  useSynchedFlags(module);
  for (llvm::Function &marker : llvm::make_early_inc_range(module))
    if (isSpawnMarker(&marker) || isSyncMarker(&marker))
      marker.eraseFromParent();
  addConstructor(module);
  return llvm::Error::success();
}
