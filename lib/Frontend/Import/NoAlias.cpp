//===- NoAlias.cpp - What only a loop's body points to --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To the optimiser, a body that has become a function of its own may be called
// with any pointers.  What the function around it knows of them is said anew,
// by the attribute `noalias`.
//
// `noalias` says more than `restrict` where iterations run at one time: nobody
// else comes to what the pointer points to for as long as the call takes.  As
// iterations that may run at one time without a race do not come to the same
// places, unless it is to read them, only those that make others wait could
// tell.
//
//===----------------------------------------------------------------------===//

#include "NoAlias.h"
#include "Attributes.h"
#include "Markers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BuildLibCalls.h"

using namespace cilk2chan;

namespace {

/// The call of a loop's marker: `(body, count, grain, captures...)`.
constexpr unsigned bodyOperand = 0, firstCapture = 3;
/// The body's: `(begin, end, captures...)`.
constexpr unsigned firstCaptured = 2;

llvm::Function *bodyOf(const llvm::CallInst &loop) {
  return llvm::cast<llvm::Function>(loop.getArgOperand(bodyOperand));
}

/// Looks for places where a pointer goes that are not captures of loops.
struct OtherCaptures : llvm::CaptureTracker {
  explicit OtherCaptures(const llvm::Value *pointer) : pointer(pointer) {}

  void tooManyUses() override { found = true; }
  Action captured(const llvm::Use *use, llvm::UseCaptureInfo) override {
    auto *call = llvm::dyn_cast<llvm::CallInst>(use->getUser());
    if (call && isLoopMarker(call->getCalledFunction()) &&
        use->get() == pointer && call->getArgOperandNo(use) >= firstCapture)
      return Continue;
    found = true;
    return Stop;
  }

  const llvm::Value *pointer;
  bool found = false;
};

class Inference {
public:
  explicit Inference(llvm::FunctionAnalysisManager &analyses)
      : analyses(analyses) {}

  void run(llvm::Module &module);

private:
  void inform(llvm::CallInst &loop);
  bool mayWait(llvm::Function &body);
  bool isUnknown(llvm::Function &callee, llvm::Function &caller);
  void learnOfCallees(llvm::Function &function);
  bool isCapturedElsewhere(const llvm::Value *pointer);

  llvm::FunctionAnalysisManager &analyses;
};

} // namespace

/// Whether `callee` may be a lock, or a barrier: neither is among the functions
/// that optimisers know by name.
bool Inference::isUnknown(llvm::Function &callee, llvm::Function &caller) {
  if (!callee.isDeclaration())
    return callee.isInterposable();
  const auto &library = analyses.getResult<llvm::TargetLibraryAnalysis>(caller);
  llvm::LibFunc known;
  return !library.getLibFunc(callee, known) || !library.has(known);
}

/// Whether `body` may wait for others, or others for it.
bool Inference::mayWait(llvm::Function &body) {
  llvm::SetVector<llvm::Function *> called;
  called.insert(&body);
  for (unsigned i = 0; i != called.size(); ++i)
    for (llvm::Instruction &instruction : llvm::instructions(*called[i])) {
      if (instruction.isAtomic() || instruction.isVolatile())
        return true;
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call || llvm::isa<llvm::IntrinsicInst>(call) ||
          call->hasFnAttr(llvm::Attribute::NoSync))
        continue;
      llvm::Function *callee = call->getCalledFunction();
      if (isLoopMarker(callee))
        callee = bodyOf(llvm::cast<llvm::CallInst>(*call));
      if (isSyncMarker(callee))
        continue;
      if (!callee || isUnknown(*callee, *called[i]))
        return true;
      called.insert(callee);
    }
  return false;
}

bool Inference::isCapturedElsewhere(const llvm::Value *pointer) {
  OtherCaptures others(pointer);
  llvm::PointerMayBeCaptured(pointer, &others);
  return others.found;
}

/// Says of the functions that optimisers know what these would say: `malloc`
/// returns an object of its own, and `free` forgets it.
void Inference::learnOfCallees(llvm::Function &function) {
  const auto &library =
      analyses.getResult<llvm::TargetLibraryAnalysis>(function);
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        call && call->getCalledFunction() &&
        call->getCalledFunction()->isDeclaration())
      llvm::inferNonMandatoryLibFuncAttrs(*call->getCalledFunction(), library);
}

/// Tells the body of a loop.
void Inference::inform(llvm::CallInst &loop) {
  llvm::Function &body = *bodyOf(loop);
  bool isReady = false;
  for (unsigned i = firstCapture; i != loop.arg_size(); ++i) {
    llvm::Value *captured = loop.getArgOperand(i);
    llvm::Argument *parameter = body.getArg(i - firstCapture + firstCaptured);
    if (!captured->getType()->isPointerTy() ||
        !llvm::isIdentifiedFunctionLocal(captured) ||
        isCapturedElsewhere(captured))
      continue;
    if (!isReady) {
      if (mayWait(body))
        return;
      removeLifetimeMarkers(body);
      llvm::SROAPass(llvm::SROAOptions::ModifyCFG).run(body, analyses);
      analyses.clear(body, body.getName());
      isReady = true;
    }
    if (!isCapturedElsewhere(parameter))
      parameter->addAttr(llvm::Attribute::NoAlias);
  }
}

void Inference::run(llvm::Module &module) {
  // Loops inside others' bodies come after those.
  llvm::SetVector<llvm::Function *> parents;
  for (llvm::Function &function : module)
    if (!function.getName().starts_with(BodyPrefix))
      parents.insert(&function);
  for (unsigned i = 0; i != parents.size(); ++i) {
    llvm::SmallVector<llvm::CallInst *> loops;
    for (llvm::Instruction &instruction : llvm::instructions(*parents[i]))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && isLoopMarker(call->getCalledFunction()))
        loops.push_back(call);
    if (!loops.empty())
      learnOfCallees(*parents[i]);
    for (llvm::CallInst *loop : loops) {
      inform(*loop);
      parents.insert(bodyOf(*loop));
    }
  }
}

void cilk2chan::inferNoAlias(llvm::Module &module,
                             llvm::FunctionAnalysisManager &analyses) {
  Inference(analyses).run(module);
}
