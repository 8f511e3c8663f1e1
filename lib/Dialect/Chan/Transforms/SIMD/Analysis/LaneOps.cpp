//===- LaneOps.cpp - Which operations lanes can do together ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"

#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/MathFunctions.h"
#include "cilk2chan/Support/TypesInC.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cilk2chan;

bool cilk2chan::isDivision(Operation *op) {
  return isa<LLVM::SDivOp, LLVM::UDivOp, LLVM::SRemOp, LLVM::URemOp>(op);
}

bool cilk2chan::isSafeDivisor(Value value) {
  APInt divisor;
  return matchPattern(value, m_ConstantInt(&divisor)) && !divisor.isZero() &&
         !divisor.isAllOnes();
}

bool cilk2chan::dividesInFloatingPoint(Operation *op) {
  return isDivision(op) && !isSafeDivisor(op->getOperand(1)) &&
         op->getOperand(1).getType().getIntOrFloatBitWidth() <= 32;
}

bool cilk2chan::isMadeOfNothing(Operation *op) {
  return isa<LLVM::ConstantOp, LLVM::AddressOfOp, LLVM::ZeroOp, LLVM::UndefOp,
             LLVM::PoisonOp, LLVM::ThreadlocalAddressOp>(op);
}

bool cilk2chan::isPoison(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<scf::IfOp, scf::IndexSwitchOp>(op))
    return isa_and_nonnull<LLVM::PoisonOp, LLVM::UndefOp>(op);
  unsigned number = cast<OpResult>(value).getResultNumber();
  return llvm::all_of(op->getRegions(), [&](Region &region) {
    return isPoison(region.front().getTerminator()->getOperand(number));
  });
}

bool cilk2chan::isElementwise(Operation *op) {
  using namespace LLVM;
  return isDivision(op) ||
         isa<AddOp, SubOp, MulOp, AndOp, OrOp, XOrOp, ShlOp, LShrOp, AShrOp,
             ICmpOp, FCmpOp, SelectOp, FreezeOp>(op) ||
         isa<FAddOp, FSubOp, FMulOp, FDivOp, FRemOp, FNegOp>(op) ||
         isa<ZExtOp, SExtOp, TruncOp, FPExtOp, FPTruncOp, FPToSIOp, FPToUIOp,
             SIToFPOp, UIToFPOp, PtrToIntOp, IntToPtrOp, BitcastOp>(op) ||
         isa<AbsOp, SMaxOp, SMinOp, UMaxOp, UMinOp, SSubSat, CtPopOp,
             CountLeadingZerosOp, CountTrailingZerosOp, ByteSwapOp,
             BitReverseOp, FshlOp, FshrOp>(op) ||
         isMathInstruction(op);
}

int64_t cilk2chan::laneObjectSize(Operation *object, const TypeLayout &layout) {
  if (auto local = dyn_cast<chan::LocalOp>(object))
    return local.getSize();
  auto op = cast<LLVM::AllocaOp>(object);
  APInt count;
  [[maybe_unused]] bool constant =
      matchPattern(op.getArraySize(), m_ConstantInt(&count));
  assert(constant && "the verifier has checked objects on the stack");
  uint64_t alignment = layout.abiAlignment(op.getElemType());
  if (auto wanted = op.getAlignment())
    alignment = std::max<uint64_t>(alignment, *wanted);
  return llvm::alignTo(
      layout.allocSize(op.getElemType()) * count.getZExtValue(), alignment);
}

unsigned cilk2chan::laneBits(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 64 ? integer.getWidth() : 0;
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() == 0 ? 64 : 0;
  if (type.isF32() || type.isF64())
    return type.getIntOrFloatBitWidth();
  return 0;
}

bool cilk2chan::hasVectorsInMemory(Type type) {
  return llvm::is_contained({8u, 16u, 32u, 64u}, laneBits(type));
}

//===----------------------------------------------------------------------===//
// Obstacles
//===----------------------------------------------------------------------===//

bool cilk2chan::isRelaxed(LLVM::LoadOp load) {
  return !load.getVolatile_() &&
         load.getOrdering() == LLVM::AtomicOrdering::monotonic;
}

static std::string obstacleInAccess(bool isVolatile,
                                    LLVM::AtomicOrdering ordering) {
  if (isVolatile)
    return "it accesses volatile memory";
  if (ordering != LLVM::AtomicOrdering::not_atomic)
    return "it has an atomic operation";
  return {};
}

static std::string obstacleInLoad(LLVM::LoadOp load) {
  if (!hasVectorsInMemory(load.getType()))
    return "it accesses " + describeInC(load.getType()) + " in memory";
  if (isRelaxed(load))
    return {};
  return obstacleInAccess(load.getVolatile_(), load.getOrdering());
}

static std::string obstacleInStore(LLVM::StoreOp store) {
  Type type = store.getValue().getType();
  Operation *source = store.getValue().getDefiningOp();
  // A constant of any type is stored lane by lane.
  if (!hasVectorsInMemory(type) && !(source && isMadeOfNothing(source)))
    return "it accesses " + describeInC(type) + " in memory";
  return obstacleInAccess(store.getVolatile_(), store.getOrdering());
}

static std::string obstacleInField(Type type) {
  if (hasVectorsInMemory(type) || type.isInteger(1))
    return {};
  return "it passes on or returns " + describeInC(type);
}

static std::string obstacleInTalloc(chan::TallocOp talloc) {
  if (talloc.getTarget())
    return "it spawns through a pointer";
  for (Operation *user : talloc.getElement().getUsers())
    if (user->getBlock() != talloc->getBlock())
      return "a spawn's arguments are evaluated in different blocks";
  return {};
}

/// Whether `op` may run lane by lane.
static bool mayRunByLane(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return call.getOpBundleOperands().empty();
  if (auto copy = dyn_cast<LLVM::MemcpyOp>(op))
    return !copy.getIsVolatile();
  if (auto move = dyn_cast<LLVM::MemmoveOp>(op))
    return !move.getIsVolatile();
  if (auto set = dyn_cast<LLVM::MemsetOp>(op))
    return !set.getIsVolatile();
  return isa<LLVM::LLVMDialect>(op->getDialect()) && isPure(op);
}

/// Why `op` cannot be in a kernel with lanes; empty if it can.
static std::string obstacleIn(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return obstacleInLoad(load);
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return obstacleInStore(store);
  if (auto get = dyn_cast<chan::GetOp>(op))
    return obstacleInField(get.getType());
  if (auto set = dyn_cast<chan::SetOp>(op))
    return obstacleInField(set.getValue().getType());
  if (isa<chan::CopyInOp, chan::CopyOutOp>(op))
    return "a struct is passed by value";
  if (auto talloc = dyn_cast<chan::TallocOp>(op))
    return obstacleInTalloc(talloc);
  if (auto result = dyn_cast<chan::ResultOp>(op))
    return obstacleInField(result.getValue().getType());
  if (auto part = dyn_cast<chan::ReduceResultOp>(op))
    return obstacleInField(part.getValue().getType());
  if (auto child = dyn_cast<chan::ChildOp>(op))
    return obstacleInField(child.getValue().getType());
  if (isa<chan::DeqOp, chan::TfreeOp, chan::EnqOp, chan::DoneOp, chan::LocalOp,
          chan::PendOp, chan::DestinationOp, chan::IterationEnqOp,
          chan::IterationDeqOp, chan::IterationOp>(op))
    return {};
  if (auto update = chan::reductionOf(op))
    return obstacleInField(update.getVal().getType());
  if (isa<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp, LLVM::FenceOp>(op))
    return "it has an atomic operation";
  if (isa<LLVM::InlineAsmOp>(op))
    return "it has inline assembly";
  if (isMadeOfNothing(op))
    return {};
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                SmallVector<Type>(op->getResultTypes())))
    if (laneBits(type) == 0)
      return "it computes with " + describeInC(type) +
             (isa<LLVM::LLVMStructType>(type)
                  ? ", such as functions return, in registers"
                  : "");
  if (isElementwise(op) || mayRunByLane(op) ||
      isa<LLVM::GEPOp, LLVM::AllocaOp, LLVM::BrOp, LLVM::CondBrOp,
          LLVM::SwitchOp, LLVM::UnreachableOp, LLVM::AssumeOp, LLVM::ExpectOp,
          LLVM::ExpectWithProbabilityOp, LLVM::DbgDeclareOp, LLVM::DbgValueOp,
          LLVM::DbgLabelOp>(op))
    return {};
  return "it has an operation '" + op->getName().getStringRef().str() + "'";
}

std::optional<LaneObstacle> cilk2chan::findLaneObstacle(chan::KernelOp kernel) {
  for (Block &block : kernel.getBody())
    for (Operation &op : block)
      if (std::string what = obstacleIn(&op); !what.empty())
        return LaneObstacle{&op, std::move(what)};
  return {};
}

Region *cilk2chan::endingArm(Operation *choice) {
  auto ends = choice->getAttrOfType<IntegerAttr>(BaseCaseArmAttribute);
  return ends ? &choice->getRegion(ends.getInt()) : nullptr;
}

LLVM::LLVMFuncOp cilk2chan::calleeOf(LLVM::CallOp call, ModuleOp module) {
  auto callee = call.getCallee();
  return callee ? module.lookupSymbol<LLVM::LLVMFuncOp>(*callee)
                : LLVM::LLVMFuncOp();
}

/// Whether a call is sure not to take a lock, or to wait for anything else.
static bool cannotWait(LLVM::CallOp call, ModuleOp module) {
  auto writesNothing = [](LLVM::MemoryEffectsAttr effects) {
    auto reads = [](LLVM::ModRefInfo info) {
      return info == LLVM::ModRefInfo::NoModRef ||
             info == LLVM::ModRefInfo::Ref;
    };
    return effects && reads(effects.getOther()) && reads(effects.getArgMem()) &&
           reads(effects.getInaccessibleMem());
  };
  if (writesNothing(call.getMemoryEffectsAttr()))
    return true;
  LLVM::LLVMFuncOp function = calleeOf(call, module);
  return function && writesNothing(function.getMemoryEffectsAttr());
}

LLVM::LoadOp cilk2chan::findWaitingLoad(chan::KernelOp lifted) {
  LLVM::LoadOp found;
  lifted.getBody().walk([&](scf::WhileOp loop) {
    // What decides whether the loop goes on.
    llvm::SetVector<Value> work;
    work.insert(loop.getConditionOp().getCondition());
    for (size_t i = 0; i < work.size() && !found; ++i) {
      Value value = work[i];
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        Operation *of = argument.getOwner()->getParentOp();
        if (auto around = dyn_cast<scf::WhileOp>(of)) {
          unsigned number = argument.getArgNumber();
          work.insert(around.getInits()[number]);
          work.insert(around.getConditionOp().getArgs()[number]);
        }
        continue;
      }
      Operation *op = value.getDefiningOp();
      if (!loop->isAncestor(op))
        continue;
      if (auto load = dyn_cast<LLVM::LoadOp>(op); load && isRelaxed(load))
        found = load;
      unsigned number = cast<OpResult>(value).getResultNumber();
      if (auto inner = dyn_cast<scf::WhileOp>(op)) {
        work.insert(inner.getConditionOp().getCondition());
        work.insert(inner.getConditionOp().getArgs()[number]);
        continue;
      }
      for (Value operand : op->getOperands())
        work.insert(operand);
      if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
        for (Region &region : op->getRegions())
          work.insert(region.front().getTerminator()->getOperand(number));
    }
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

LLVM::CallOp cilk2chan::findWaitingCall(chan::KernelOp lifted,
                                        ModuleOp module) {
  LLVM::CallOp first, found;
  lifted.getBody().walk([&](LLVM::CallOp call) {
    if (cannotWait(call, module))
      return WalkResult::advance();
    if (first || call->getParentOfType<scf::WhileOp>()) {
      found = call;
      return WalkResult::interrupt();
    }
    first = call;
    return WalkResult::advance();
  });
  return found;
}
