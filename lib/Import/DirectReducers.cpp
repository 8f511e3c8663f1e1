//===- DirectReducers.cpp - Reducers that need no views -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DirectReducers.h"
#include "Inlining.h"
#include "Markers.h"
#include "SerialPoints.h"
#include "cilk2chan/Support/Markers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantFold.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace cilk2chan;
using namespace llvm::PatternMatch;

using UpdateKind = llvm::AtomicRMWInst::BinOp;

//===----------------------------------------------------------------------===//
// What a reducer computes
//===----------------------------------------------------------------------===//

/// The update that combines with the result of an operation, if the order does
/// not matter.
static std::optional<UpdateKind>
updateFor(const llvm::BinaryOperator &operation) {
  switch (operation.getOpcode()) {
  case llvm::Instruction::Add:
    return UpdateKind::Add;
  case llvm::Instruction::And:
    return UpdateKind::And;
  case llvm::Instruction::Or:
    return UpdateKind::Or;
  case llvm::Instruction::Xor:
    return UpdateKind::Xor;
  case llvm::Instruction::FAdd:
    // The program allows any order.
    return operation.hasAllowReassoc() ? std::optional(UpdateKind::FAdd)
                                       : std::nullopt;
  default:
    return std::nullopt;
  }
}

static bool isIdentity(const llvm::Constant *value, UpdateKind update) {
  switch (update) {
  case UpdateKind::And:
    return value->isAllOnesValue();
  case UpdateKind::FAdd:
    return match(value, m_AnyZeroFP());
  default:
    return value->isNullValue();
  }
}

namespace {
/// A copy of a function for inspection, without locals in memory.
class Inspected {
public:
  Inspected(llvm::Function &function, llvm::FunctionAnalysisManager &analyses)
      : manager(analyses) {
    llvm::ValueToValueMapTy map;
    copy = llvm::CloneFunction(&function, map);
    llvm::SROAPass(llvm::SROAOptions::ModifyCFG).run(*copy, manager);
    simplify(*copy, manager);
  }
  ~Inspected() {
    manager.clear(*copy, copy->getName());
    copy->eraseFromParent();
  }
  /// Its only block, or null if it has several.
  llvm::BasicBlock *block() const {
    return copy->size() == 1 ? &copy->front() : nullptr;
  }
  const llvm::Argument *argument(unsigned number) const {
    return copy->getArg(number);
  }

private:
  llvm::FunctionAnalysisManager &manager;
  llvm::Function *copy;
};
} // namespace

/// The constant that an identity function stores, and does nothing else.
static llvm::Constant *storedBy(const Inspected &identity) {
  llvm::Constant *value = nullptr;
  if (!identity.block())
    return nullptr;
  for (llvm::Instruction &instruction : *identity.block()) {
    auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (store && store->isSimple() && !value &&
        store->getPointerOperand() == identity.argument(0))
      value = llvm::dyn_cast<llvm::Constant>(store->getValueOperand());
    else if (!llvm::isa<llvm::ReturnInst>(instruction))
      return nullptr;
  }
  return value;
}

/// The update that a reduce function does: `*left = *left op *right`.
static std::optional<UpdateKind> doneBy(const Inspected &reduce,
                                        llvm::Type *type) {
  if (!reduce.block())
    return std::nullopt;
  std::optional<UpdateKind> update;
  for (llvm::Instruction &instruction : *reduce.block()) {
    if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
      if (update)
        return std::nullopt;
      update = updateFor(*operation);
    } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (!load->isSimple() || load->getType() != type)
        return std::nullopt;
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      // C computes in int what is shorter.
      auto from = [&](unsigned number) {
        return m_ZExtOrSExtOrSelf(m_Load(m_Specific(reduce.argument(number))));
      };
      if (!store->isSimple() ||
          store->getPointerOperand() != reduce.argument(0) ||
          !match(store->getValueOperand(),
                 m_TruncOrSelf(m_c_BinOp(from(0), from(1)))))
        return std::nullopt;
    } else if (!llvm::isa<llvm::ReturnInst, llvm::CastInst>(instruction)) {
      return std::nullopt;
    }
  }
  return update;
}

//===----------------------------------------------------------------------===//
// What a program does with a reducer
//===----------------------------------------------------------------------===//

namespace {

/// A use of a view that is an update: its instructions, and what it combines
/// with.
struct ViewUpdate {
  llvm::CallInst *view;
  llvm::LoadInst *load;
  llvm::StoreInst *store;
  llvm::Value *value;
  bool isSubtracted;
};

/// One variable.
class DirectReducer {
public:
  explicit DirectReducer(llvm::Value *object) : object(object) {}

  void add(llvm::CallInst *view) { views.push_back(view); }
  bool isDirect(SerialPoints &serial, llvm::FunctionAnalysisManager &analyses);
  void removeViews();
  /// Where the reducer is used first, or why it has views.
  Finding finding() const {
    std::string name =
        object->hasName() && llvm::isa<llvm::GlobalVariable>(object)
            ? ("reducer '" + object->getName() + "'").str()
            : "this reducer";
    return {(place ? place : views.front())->getDebugLoc(),
            obstacle
                ? name + " has views, and its functions no lanes: " + obstacle
                : name + " is updated in place, without views"};
  }

private:
  bool findOperation(llvm::FunctionAnalysisManager &analyses);
  bool isKnown(llvm::Value *address);
  bool isKnownUse(llvm::CallInst *view, SerialPoints &serial);
  llvm::LoadInst *loadFor(llvm::CallInst *view, llvm::Value *value) const;
  void addUpdate(llvm::CallInst *view);

  /// Notes why the reducer has views.
  bool refuse(const char *reason, llvm::CallInst *view = nullptr) {
    obstacle = reason;
    place = view;
    return false;
  }

  llvm::Value *object;
  const char *obstacle = nullptr;
  llvm::CallInst *place = nullptr;
  UpdateKind update = UpdateKind::Add;
  llvm::Type *type = nullptr;
  llvm::SmallVector<llvm::CallInst *> views, declarations;
  llvm::SmallVector<ViewUpdate> updates;
  /// The views that these use.
  llvm::SmallPtrSet<llvm::CallInst *, 8> updating;
};

} // namespace

bool DirectReducer::findOperation(llvm::FunctionAnalysisManager &analyses) {
  llvm::Function *identity = nullptr, *reduce = nullptr;
  for (llvm::CallInst *view : views) {
    auto *first = llvm::dyn_cast<llvm::Function>(view->getArgOperand(4));
    auto *second = llvm::dyn_cast<llvm::Function>(view->getArgOperand(5));
    if (!first || !second || (identity && first != identity) ||
        (reduce && second != reduce))
      return false;
    identity = first;
    reduce = second;
  }
  // Of a weak function another definition may be the program's.
  for (llvm::Function *function : {identity, reduce})
    if (function->isDeclaration() || function->isInterposable())
      return false;
  llvm::Constant *value = storedBy(Inspected(*identity, analyses));
  if (!value || !(value->getType()->isIntegerTy() ||
                  value->getType()->isFloatingPointTy()))
    return false;
  type = value->getType();
  std::optional<UpdateKind> found = doneBy(Inspected(*reduce, analyses), type);
  if (!found || !isIdentity(value, *found))
    return false;
  unsigned bits = type->getScalarSizeInBits();
  update = *found;
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/// Whether nothing but views, and what initialises the variable, has an address
/// within it.
bool DirectReducer::isKnown(llvm::Value *address) {
  for (llvm::Use &use : address->uses()) {
    llvm::User *user = use.getUser();
    if (llvm::isa<llvm::GEPOperator>(user)) {
      if (!isKnown(user))
        return false;
      continue;
    }
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (use.getOperandNo() != llvm::StoreInst::getPointerOperandIndex())
        return false;
      continue;
    }
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || use.getOperandNo() != 0)
      return false;
    if (callee->getName() == ReducerDeclareName)
      declarations.push_back(call);
    else if (callee->getName() != ReducerViewName &&
             !llvm::isa<llvm::MemSetInst, llvm::MemCpyInst,
                        llvm::LifetimeIntrinsic>(call))
      return false;
  }
  return true;
}

/// The load of a value that a view of the same variable is to be updated with:
/// `x += e` has one view, and `x = x + e` has two.
llvm::LoadInst *DirectReducer::loadFor(llvm::CallInst *view,
                                       llvm::Value *value) const {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
  if (!load || !load->isSimple() || load->getType() != type ||
      !load->hasOneUse() || load->getParent() != view->getParent())
    return nullptr;
  auto *source = llvm::dyn_cast<llvm::CallInst>(load->getPointerOperand());
  if (source == view)
    return load;
  return source && llvm::is_contained(views, source) && source->hasOneUse() &&
                 source->getArgOperand(0) == view->getArgOperand(0)
             ? load
             : nullptr;
}

/// Notes that the view is used for an update, if it is.
void DirectReducer::addUpdate(llvm::CallInst *view) {
  llvm::StoreInst *store = nullptr;
  for (llvm::Use &use : view->uses()) {
    if (llvm::isa<llvm::LoadInst>(use.getUser()))
      continue;
    if (auto *found = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
        found && !store &&
        use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex())
      store = found;
    else
      return;
  }
  if (!store || !store->isSimple() ||
      store->getValueOperand()->getType() != type)
    return;
  // C computes in int what is shorter.
  auto *stored = store->getValueOperand();
  llvm::Value *wide = nullptr;
  if (match(stored, m_OneUse(m_Trunc(m_Value(wide)))))
    stored = wide;
  auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(stored);
  if (!operation || !operation->hasOneUse())
    return;
  auto loadOf = [&](unsigned number) {
    llvm::Value *value = operation->getOperand(number), *narrow = nullptr;
    if (wide && match(value, m_OneUse(m_ZExtOrSExt(m_Value(narrow)))))
      value = narrow;
    return loadFor(view, value);
  };
  llvm::LoadInst *left = loadOf(0), *load = left ? left : loadOf(1);
  if (!load)
    return;
  bool isDifference = operation->getOpcode() == llvm::Instruction::Sub ||
                      operation->getOpcode() == llvm::Instruction::FSub;
  if (isDifference ? !left || (update != UpdateKind::Add &&
                               (update != UpdateKind::FAdd ||
                                !operation->hasAllowReassoc()))
                   : updateFor(*operation) != update)
    return;
  // A view that is used in other ways as well is refused for these.
  auto *source = llvm::cast<llvm::CallInst>(load->getPointerOperand());
  if (source == view ? !view->hasNUses(2) : !view->hasOneUse())
    return;
  updates.push_back(
      {view, load, store, operation->getOperand(left ? 1 : 0), isDifference});
  updating.insert(view);
  updating.insert(source);
}

/// Whether a view is used for an update, or where nothing runs in parallel.
bool DirectReducer::isKnownUse(llvm::CallInst *view, SerialPoints &serial) {
  if (updating.contains(view))
    return true;
  // A local variable is not used by what runs beside its function.
  if (llvm::isa<llvm::GlobalVariable>(object) &&
      serial.mayRunInParallel(view->getFunction()))
    return false;
  return llvm::all_of(view->uses(), [&](llvm::Use &use) {
    auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    bool isAccess =
        llvm::isa<llvm::LoadInst>(user) ||
        (llvm::isa<llvm::StoreInst>(user) &&
         use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex());
    return isAccess && serial.isSerial(user);
  });
}

bool DirectReducer::isDirect(SerialPoints &serial,
                             llvm::FunctionAnalysisManager &analyses) {
  if (auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
    if (!global->hasLocalLinkage())
      return refuse("another file may use it; 'static' keeps it to this one");
    if (global->isThreadLocal())
      return refuse("each thread has one");
  } else if (!llvm::isa<llvm::AllocaInst>(object)) {
    return refuse("it is known by its address only");
  }
  if (!findOperation(analyses))
    return refuse(
        "its functions, as far as they are in this file, are not those "
        "of an integer operation whose order is free (+, &, |, ^)");
  if (!isKnown(object))
    return refuse("its address is used elsewhere");
  for (llvm::CallInst *view : views)
    addUpdate(view);
  for (llvm::CallInst *view : views)
    if (!isKnownUse(view, serial))
      return refuse("this use is no update by its own operation, and other "
                    "tasks may run beside it",
                    view);
  return true;
}

void DirectReducer::removeViews() {
  for (ViewUpdate &found : updates) {
    llvm::IRBuilder<> builder(found.store);
    llvm::Value *value = found.value;
    if (value->getType() != type)
      value = builder.CreateTrunc(value, type);
    if (found.isSubtracted)
      value = type->isFloatingPointTy() ? builder.CreateFNeg(value)
                                        : builder.CreateNeg(value);
    // What the other updates left is read after a sync, which orders it.
    builder.CreateAtomicRMW(
        update, found.view->getArgOperand(0), value, llvm::MaybeAlign(),
        llvm::AtomicOrdering::Monotonic,
        builder.getContext().getOrInsertSyncScopeID(ReductionScope));
    auto *stored =
        llvm::cast<llvm::Instruction>(found.store->getValueOperand());
    found.store->eraseFromParent();
    // The operation, and its conversions.
    while (stored && stored->use_empty()) {
      llvm::Instruction *next = nullptr;
      for (llvm::Value *operand : stored->operand_values())
        if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand);
            instruction && operand != found.value && instruction->hasOneUse() &&
            (instruction == found.load ||
             llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction)))
          next = instruction;
      stored->eraseFromParent();
      stored = next;
    }
  }
  for (llvm::CallInst *view : views) {
    view->replaceAllUsesWith(view->getArgOperand(0));
    view->eraseFromParent();
  }
  for (llvm::CallInst *declaration : declarations) {
    // What it is kept in for the end of the scope.
    llvm::SmallVector<llvm::Instruction *> dead;
    for (llvm::User *user : declaration->users())
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
        for (llvm::User *other : store->getPointerOperand()->users())
          dead.push_back(llvm::cast<llvm::Instruction>(other));
    for (llvm::Instruction *instruction : dead)
      instruction->eraseFromParent();
    declaration->eraseFromParent();
  }
}

ReducerFindings
cilk2chan::removeViews(llvm::Module &module,
                       llvm::FunctionAnalysisManager &analyses) {
  ReducerFindings findings;
  llvm::Function *viewFunction = module.getFunction(ReducerViewName);
  if (!viewFunction)
    return findings;
  llvm::MapVector<llvm::Value *, DirectReducer> reducers;
  for (llvm::User *user : viewFunction->users())
    if (auto *view = llvm::dyn_cast<llvm::CallInst>(user)) {
      llvm::Value *object = llvm::getUnderlyingObject(view->getArgOperand(0),
                                                      /*MaxLookup=*/0);
      reducers.try_emplace(object, object).first->second.add(view);
    }
  SerialPoints serial(module);
  for (auto &[object, reducer] : reducers) {
    bool isDirect = reducer.isDirect(serial, analyses);
    Finding found = reducer.finding();
    (isDirect ? findings.inPlace : findings.withViews).push_back(found);
    if (isDirect)
      reducer.removeViews();
  }
  for (llvm::StringRef name :
       {ReducerViewName, ReducerDeclareName, ReducerForgetName})
    if (llvm::Function *function = module.getFunction(name);
        function && function->use_empty())
      function->eraseFromParent();
  return findings;
}
