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
// `noalias` says more than `restrict` where iterations run at one time: no
// other code accesses what the pointer points to for as long as the call takes.
// As iterations that may run at one time without a race do not come to the same
// places, unless it is to read them, only those that make others wait could
// tell.
//
// The pointers may be parameters of a function all callers of which are known:
//
//   static void step(double *to, double *from) { cilk_for ... }
//   ... a = malloc(), b = malloc(); step(a, b); step(b, a);
//
// They may also be swapped between two calls.  Then each is a phi of both
// objects, and the phis are followed in pairs: whichever way control takes to
// them, they get different objects.
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
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
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

/// The parameter that gets that argument of a call, null if it is not known.
llvm::Argument *parameterFor(const llvm::CallInst &call, unsigned number) {
  llvm::Function *callee = call.getCalledFunction();
  if (isLoopMarker(callee))
    return number < firstCapture
               ? nullptr
               : bodyOf(call)->getArg(number - firstCapture + firstCaptured);
  return callee && !callee->isDeclaration() && !callee->isInterposable() &&
                 number < callee->arg_size()
             ? callee->getArg(number)
             : nullptr;
}

class Inference {
public:
  Inference(llvm::ArrayRef<llvm::Function *> converted,
            llvm::FunctionAnalysisManager &analyses)
      : analyses(analyses), learnt(converted.begin(), converted.end()) {}

  void run(llvm::Module &module);

private:
  void prepare(llvm::Function &function);
  void findOwn(llvm::Module &module);
  bool isOnlyWay(llvm::CallInst &call, unsigned number);
  bool isIdentified(const llvm::Value *pointer) const;
  bool isLone(llvm::Value *object);
  bool areLone(llvm::Value *pointer);
  bool isEarlier(llvm::Value *one, llvm::Value *other);
  bool areDisjoint(llvm::Value *left, llvm::Value *right);
  void inform(llvm::CallInst &loop);
  bool mayWait(llvm::Function &body);
  bool isUnknown(llvm::Function &callee, llvm::Function &caller);
  void learnOfCallees(llvm::Function &function);
  void learnOfResult(llvm::Function &function);
  bool isCapturedElsewhere(llvm::Value *pointer);

  llvm::FunctionAnalysisManager &analyses;
  /// Parameters of functions all callers of which are known, that point to
  /// objects to which the function has no other way.
  llvm::SmallPtrSet<const llvm::Argument *, 16> own;
  llvm::SmallPtrSet<llvm::Function *, 16> prepared;
  /// Those of whose result is known what there is to know: nothing of what
  /// becomes kernels.
  llvm::SmallPtrSet<llvm::Function *, 16> learnt;
  /// Whether the function lets a parameter go where others find it; a parameter
  /// that is still being looked at counts as one that does.
  llvm::DenseMap<const llvm::Argument *, bool> capturedParameters;

  friend struct OtherCaptures;
};

/// Looks for places where a pointer goes that are not parameters, of functions
/// or loops' bodies, that go nowhere else.
struct OtherCaptures : llvm::CaptureTracker {
  OtherCaptures(Inference &inference) : inference(inference) {}

  void tooManyUses() override { found = true; }
  Action captured(const llvm::Use *use, llvm::UseCaptureInfo) override {
    auto *call = llvm::dyn_cast<llvm::CallInst>(use->getUser());
    llvm::Argument *parameter =
        call && call->isArgOperand(use)
            ? parameterFor(*call, call->getArgOperandNo(use))
            : nullptr;
    if (parameter && !inference.isCapturedElsewhere(parameter))
      return Continue;
    found = true;
    return Stop;
  }

  Inference &inference;
  bool found = false;
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

bool Inference::isCapturedElsewhere(llvm::Value *pointer) {
  auto *parameter = llvm::dyn_cast<llvm::Argument>(pointer);
  if (parameter) {
    auto [known, isNew] = capturedParameters.try_emplace(parameter, true);
    if (!isNew)
      return known->second;
    prepare(*parameter->getParent());
  }
  OtherCaptures others(*this);
  llvm::PointerMayBeCaptured(pointer, &others);
  if (parameter)
    capturedParameters[parameter] = others.found;
  return others.found;
}

/// Whether `pointer` is to an object of its own.
bool Inference::isIdentified(const llvm::Value *pointer) const {
  auto *parameter = llvm::dyn_cast<llvm::Argument>(pointer);
  return llvm::isIdentifiedFunctionLocal(pointer) ||
         (parameter && own.contains(parameter));
}

/// Whether `object` is one of its own that is found only by what is derived
/// from this value.
bool Inference::isLone(llvm::Value *object) {
  return isIdentified(object) && !isCapturedElsewhere(object);
}

static bool isNothing(const llvm::Value *pointer) {
  return llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(pointer);
}

static llvm::SmallVector<const llvm::Value *>
objectsOf(const llvm::Value *pointer) {
  llvm::SmallVector<const llvm::Value *> objects;
  llvm::getUnderlyingObjects(pointer, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return objects;
}

/// Whether `pointer` is to one of some objects each of which is lone.
bool Inference::areLone(llvm::Value *pointer) {
  return llvm::all_of(objectsOf(pointer), [&](const llvm::Value *object) {
    return isNothing(object) || isLone(const_cast<llvm::Value *>(object));
  });
}

/// The values one of which a phi or select is; none for others.
static llvm::SmallVector<llvm::Value *> choicesOf(llvm::Value *value) {
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value))
    return llvm::SmallVector<llvm::Value *>(phi->incoming_values());
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(value))
    return {select->getTrueValue(), select->getFalseValue()};
  return {};
}

/// Whether `one` is computed before `other`, at all places that both dominate.
bool Inference::isEarlier(llvm::Value *one, llvm::Value *other) {
  auto *first = llvm::dyn_cast<llvm::Instruction>(one);
  auto *second = llvm::dyn_cast<llvm::Instruction>(other);
  return !first ||
         (second &&
          analyses.getResult<llvm::DominatorTreeAnalysis>(*first->getFunction())
              .dominates(first, second));
}

/// Whether two values, at a place that both dominate, are pointers to different
/// objects, at least one of which is lone.
///
/// A pair that holds a phi or select is replaced by the pairs that it may be.
/// Each step goes back in time, to a place that both values of the pair
/// dominate: of two values, the one that is dominated by the other is replaced.
/// Two phis of a block are replaced together, and so are two selects of one
/// condition. So a pair that comes up again
/// on the way, such as that of two pointers which a loop swaps, needs no other
/// proof.
///
///   a = phi [x, entry], [b, loop]    (a, b) <- (x, y), (b, a)
///   b = phi [y, entry], [a, loop]
bool Inference::areDisjoint(llvm::Value *left, llvm::Value *right) {
  using Pair = std::pair<llvm::Value *, llvm::Value *>;
  llvm::SetVector<Pair> pairs;
  auto add = [&](llvm::Value *one, llvm::Value *other) {
    pairs.insert(std::minmax(
        const_cast<llvm::Value *>(llvm::getUnderlyingObject(one, 0)),
        const_cast<llvm::Value *>(llvm::getUnderlyingObject(other, 0))));
  };
  add(left, right);
  for (unsigned i = 0; i != pairs.size(); ++i) {
    auto [one, other] = pairs[i];
    if (isNothing(one) || isNothing(other))
      continue;
    if (one == other)
      return false;
    auto *phi = llvm::dyn_cast<llvm::PHINode>(one);
    auto *beside = llvm::dyn_cast<llvm::PHINode>(other);
    if (phi && beside && phi->getParent() == beside->getParent()) {
      for (llvm::BasicBlock *from : phi->blocks())
        add(phi->getIncomingValueForBlock(from),
            beside->getIncomingValueForBlock(from));
      continue;
    }
    auto *select = llvm::dyn_cast<llvm::SelectInst>(one);
    auto *second = llvm::dyn_cast<llvm::SelectInst>(other);
    if (select && second && select->getCondition() == second->getCondition()) {
      add(select->getTrueValue(), second->getTrueValue());
      add(select->getFalseValue(), second->getFalseValue());
      continue;
    }
    if (isEarlier(one, other))
      std::swap(one, other);
    llvm::SmallVector<llvm::Value *> choices = choicesOf(one);
    for (llvm::Value *choice : choices)
      add(choice, other);
    if (!choices.empty())
      continue;
    // The later of the two is an object, or what a call or a load found.
    if (llvm::is_contained(objectsOf(other), one) ||
        (!isLone(one) && !areLone(other)))
      return false;
  }
  return true;
}

/// Whether a call, or a loop its body, passes with that number the only pointer
/// to an object that its callee comes to.
bool Inference::isOnlyWay(llvm::CallInst &call, unsigned number) {
  llvm::Value *pointer = call.getArgOperand(number);
  if (!areLone(pointer))
    return false;
  for (auto [i, other] : llvm::enumerate(call.args()))
    if (i != number && other->getType()->isPointerTy() &&
        !areDisjoint(pointer, other))
      return false;
  return true;
}

/// What is in front of parameters as CodeGen leaves them, variables, hides
/// where they go.
void Inference::prepare(llvm::Function &function) {
  if (function.isDeclaration() || function.hasOptNone() ||
      !prepared.insert(&function).second)
    return;
  if (function.getName().starts_with(BodyPrefix))
    removeLifetimeMarkers(function);
  llvm::SROAPass(llvm::SROAOptions::ModifyCFG).run(function, analyses);
  analyses.clear(function, function.getName());
}

/// The calls of a function that nothing else can call; none if that is not
/// known.
static llvm::SmallVector<llvm::CallInst *> allCalls(llvm::Function &function) {
  llvm::SmallVector<llvm::CallInst *> calls;
  if (!function.hasLocalLinkage())
    return calls;
  for (const llvm::Use &use : function.uses()) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
    if (!call || !call->isCallee(&use) ||
        call->arg_size() != function.arg_size())
      return {};
    calls.push_back(call);
  }
  return calls;
}

static bool hasLoop(llvm::Function &function) {
  return llvm::any_of(
      llvm::instructions(function), [](llvm::Instruction &instruction) {
        auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        return call && isLoopMarker(call->getCalledFunction());
      });
}

/// Finds the parameters that are `own` in functions with loops, and in those
/// that call these.
void Inference::findOwn(llvm::Module &module) {
  llvm::SetVector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && hasLoop(function))
      functions.insert(&function);
  for (unsigned i = 0; i != functions.size(); ++i)
    for (llvm::CallInst *call : allCalls(*functions[i])) {
      functions.insert(call->getFunction());
      prepare(*call->getFunction());
      learnOfCallees(*call->getFunction());
    }
  llvm::SmallVector<llvm::Argument *> open;
  for (llvm::Function *function : functions)
    if (!allCalls(*function).empty())
      for (llvm::Argument &parameter : function->args())
        if (parameter.getType()->isPointerTy() &&
            !parameter.hasPassPointeeByValueCopyAttr() &&
            !parameter.hasStructRetAttr())
          open.push_back(&parameter);
  // What is found of callers says more of those that they call.
  bool changed = true;
  while (std::exchange(changed, false))
    llvm::erase_if(open, [&](llvm::Argument *parameter) {
      auto calls = allCalls(*parameter->getParent());
      if (!llvm::all_of(calls, [&](llvm::CallInst *call) {
            return isOnlyWay(*call, parameter->getArgNo());
          }))
        return false;
      own.insert(parameter);
      return changed = true;
    });
}

/// Says of the functions that optimisers know what these would say: `malloc`
/// returns an object of its own, and `free` forgets it.  So does a function
/// that returns what it has of `malloc`, or null.
void Inference::learnOfCallees(llvm::Function &function) {
  const auto &library =
      analyses.getResult<llvm::TargetLibraryAnalysis>(function);
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && callee->isDeclaration())
      llvm::inferNonMandatoryLibFuncAttrs(*callee, library);
    else if (callee && callee->getReturnType()->isPointerTy())
      learnOfResult(*callee);
  }
}

/// Whether what `function` returns is null, or an object that a callee has made
/// for it and whose address it has given to no other function.
static bool returnsOwn(llvm::Function &function) {
  llvm::SmallSetVector<llvm::Value *, 8> returned;
  for (llvm::BasicBlock &block : function)
    if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
      returned.insert(end->getReturnValue());
  for (unsigned i = 0; i != returned.size(); ++i) {
    llvm::Value *value = returned[i];
    if (llvm::isa<llvm::ConstantPointerNull>(value))
      continue;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value)) {
      returned.insert_range(phi->incoming_values());
    } else if (auto *select = llvm::dyn_cast<llvm::SelectInst>(value)) {
      returned.insert(select->getTrueValue());
      returned.insert(select->getFalseValue());
    } else if (!llvm::isNoAliasCall(value) ||
               llvm::capturesAnyProvenance(llvm::PointerMayBeCaptured(
                   value, /*ReturnCaptures=*/false,
                   llvm::CaptureComponents::Provenance))) {
      return false;
    }
  }
  return !returned.empty();
}

void Inference::learnOfResult(llvm::Function &function) {
  if (!learnt.insert(&function).second || !function.hasExactDefinition() ||
      function.hasOptNone() || function.returnDoesNotAlias())
    return;
  prepare(function);
  learnOfCallees(function);
  if (returnsOwn(function))
    function.addRetAttr(llvm::Attribute::NoAlias);
}

/// Tells the body of a loop.
void Inference::inform(llvm::CallInst &loop) {
  llvm::Function &body = *bodyOf(loop);
  for (unsigned i = firstCapture; i != loop.arg_size(); ++i) {
    llvm::Value *captured = loop.getArgOperand(i);
    llvm::Argument *parameter = body.getArg(i - firstCapture + firstCaptured);
    if (captured->getType()->isPointerTy() && isOnlyWay(loop, i) &&
        !isCapturedElsewhere(parameter)) {
      if (mayWait(body))
        return;
      parameter->addAttr(llvm::Attribute::NoAlias);
    }
  }
}

void Inference::run(llvm::Module &module) {
  findOwn(module);
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
                             llvm::ArrayRef<llvm::Function *> converted,
                             llvm::FunctionAnalysisManager &analyses) {
  Inference(converted, analyses).run(module);
}
