//===- HeapToStack.cpp - Memory that is freed again is a local object -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Dialect/Cilk/Passes.h"
#include "cilk2chan/Support/WorkingOn.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CILKHEAPTOSTACK
#include "cilk2chan/Dialect/Cilk/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

/// Most bytes of one object.  Where recursion is deep there is one for each
/// activation, on a stack that is smaller than the heap.
static constexpr uint64_t mostBytes = 256;

/// What malloc's memory is aligned to.
static constexpr unsigned alignment = 16;

/// Whether the op calls that function of the C library. Who compiles with
/// -fno-builtin, or defines it in this file, has one of their own.
static bool callsLibrary(Operation *op, StringRef name) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call || call.getCallee() != name)
    return false;
  auto function = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      op, call.getCalleeAttr());
  if (!function || !function.isExternal())
    return false;
  auto isOwn = [&](Attribute attribute) {
    auto text = dyn_cast<StringAttr>(attribute);
    return text &&
           (text == "no-builtins" || text == "no-builtin-" + name.str());
  };
  ArrayAttr attributes = function.getPassthroughAttr();
  return !attributes || llvm::none_of(attributes, isOwn);
}

namespace {
/// A call of malloc or calloc, of a size that is known and small.
struct Allocation {
  LLVM::CallOp call;
  uint64_t size;
  bool isCleared;
};
} // namespace

static std::optional<uint64_t> constantOf(Value value) {
  llvm::APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)) ||
      number.getActiveBits() > 32)
    return {};
  return number.getZExtValue();
}

static std::optional<Allocation> matchAllocation(Operation &op) {
  std::optional<uint64_t> size;
  bool isCleared = callsLibrary(&op, "calloc");
  if (isCleared && op.getNumOperands() == 2) {
    auto count = constantOf(op.getOperand(0)),
         each = constantOf(op.getOperand(1));
    if (count && each)
      size = *count * *each;
  } else if (callsLibrary(&op, "malloc") && op.getNumOperands() == 1) {
    size = constantOf(op.getOperand(0));
  }
  if (!size || *size == 0 || *size > mostBytes)
    return {};
  return Allocation{cast<LLVM::CallOp>(op), *size, isCleared};
}

static bool frees(Operation *op, Value memory) {
  return callsLibrary(op, "free") && op->getNumOperands() == 1 &&
         op->getOperand(0) == memory;
}

namespace {
/// What becomes of the address of some memory.
class Address {
public:
  explicit Address(Value memory) : memory(memory) {}

  /// Whether it is used for nothing but accesses, here and in functions that
  /// are known: nobody else frees the memory, even if control never comes to
  /// where this function does, or asks what the heap knows of it.
  bool isForAccesses() { return isForAccesses(memory); }

private:
  bool isForAccesses(Value address);
  bool isForAccesses(OpOperand &use);
  bool isForAccesses(Operation *op, StringRef callee, unsigned argument);

  Value memory;
  llvm::DenseSet<Value> seen;
};
} // namespace

/// The same of what a function in this module is passed.
bool Address::isForAccesses(Operation *op, StringRef callee,
                            unsigned argument) {
  auto function = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      op, StringAttr::get(op->getContext(), callee));
  if (!function || function.isExternal() || function.isVarArg())
    return false;
  // The linker may take another definition of others.
  LLVM::Linkage linkage = function.getLinkage();
  return (linkage == LLVM::Linkage::Internal ||
          linkage == LLVM::Linkage::Private ||
          (linkage == LLVM::Linkage::External && function.getDsoLocal())) &&
         isForAccesses(function.getArgument(argument));
}

bool Address::isForAccesses(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](LLVM::LoadOp) { return true; })
      .Case([&](LLVM::StoreOp store) {
        return store.getAddr() == use.get() && store.getValue() != use.get();
      })
      .Case<LLVM::ICmpOp, LLVM::MemcpyOp, LLVM::MemcpyInlineOp, LLVM::MemmoveOp,
            LLVM::MemsetOp>([](auto) { return true; })
      .Case<LLVM::GEPOp, LLVM::SelectOp>(
          [&](auto next) { return isForAccesses(next.getResult()); })
      .Case([&](cilk::SpawnOp spawn) {
        unsigned first = spawn.getArgs().getBeginOperandIndex();
        if (spawn.getDestination() == use.get() &&
            (number < first || number >= first + spawn.getArgs().size()))
          return true;
        return spawn.getCallee() &&
               isForAccesses(op, *spawn.getCallee(), number - first);
      })
      .Case([&](cilk::CallOp call) {
        return isForAccesses(op, call.getCallee(), number);
      })
      .Case([&](cilk::ForOp loop) {
        unsigned first = loop.getCaptures().getBeginOperandIndex();
        // Behind the range.
        return isForAccesses(op, loop.getBody(), number - first + 2);
      })
      .Default([&](Operation *) { return frees(op, memory); });
}

bool Address::isForAccesses(Value address) {
  return !seen.insert(address).second ||
         llvm::all_of(address.getUses(),
                      [&](OpOperand &use) { return isForAccesses(use); });
}

/// Where control goes behind `block` if there was memory.
static SmallVector<Block *, 2> successorsWith(Value memory, Block *block) {
  auto branch = dyn_cast<LLVM::CondBrOp>(block->getTerminator());
  auto test = branch ? branch.getCondition().getDefiningOp<LLVM::ICmpOp>()
                     : LLVM::ICmpOp();
  bool isEqual = test && test.getPredicate() == LLVM::ICmpPredicate::eq;
  if (test && (isEqual || test.getPredicate() == LLVM::ICmpPredicate::ne) &&
      test.getLhs() == memory && test.getRhs().getDefiningOp<LLVM::ZeroOp>())
    return {isEqual ? branch.getFalseDest() : branch.getTrueDest()};
  return llvm::to_vector<2>(block->getSuccessors());
}

/// Whether the function frees the memory itself before it returns and before it
/// allocates there again: nobody uses it later, and each activation has one at
/// a time.
static bool isFreedAgain(LLVM::CallOp allocation) {
  Value memory = allocation.getResult();
  llvm::SetVector<Block *> seen;
  // Whether control that comes to `from` is sure to free it.
  auto isFreedFrom = [&](Operation *from) {
    for (Operation *op = from; op; op = op->getNextNode()) {
      if (frees(op, memory))
        return true;
      if (op == allocation || isa<LLVM::ReturnOp>(op))
        return false;
    }
    seen.insert_range(successorsWith(memory, from->getBlock()));
    return true;
  };
  if (!isFreedFrom(allocation->getNextNode()))
    return false;
  for (unsigned i = 0; i != seen.size(); ++i)
    if (!isFreedFrom(&seen[i]->front()))
      return false;
  return true;
}

static void moveToStack(LLVM::LLVMFuncOp function, Allocation allocation) {
  LLVM::CallOp call = allocation.call;
  Location loc = call.getLoc();
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(&function.front());
  auto one =
      LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
  auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), allocation.size);
  Value object = LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), bytes,
      one, alignment);
  builder.setInsertionPoint(call);
  if (allocation.isCleared) {
    auto zero =
        LLVM::ConstantOp::create(builder, loc, builder.getI8IntegerAttr(0));
    auto size = LLVM::ConstantOp::create(
        builder, loc, builder.getI64IntegerAttr(allocation.size));
    LLVM::MemsetOp::create(builder, loc, object, zero, size,
                           /*isVolatile=*/false);
  }
  for (Operation *user :
       llvm::make_early_inc_range(call.getResult().getUsers()))
    if (frees(user, call.getResult()))
      user->erase();
  remark::passed(loc, remark::RemarkOpts::name("heap").category("chan-arrays"))
      << "memory that the function frees before it returns is a local object";
  call.getResult().replaceAllUsesWith(object);
  call.erase();
}

namespace {
struct CilkHeapToStack
    : public cilk2chan::impl::CilkHeapToStackBase<CilkHeapToStack> {
  void runOnOperation() override;
};
} // namespace

void CilkHeapToStack::runOnOperation() {
  for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
    WorkingOn working(function.getName());
    bool spawns = false;
    SmallVector<Allocation> found;
    function.walk([&](Operation *op) {
      spawns |= isa<cilk::SpawnOp, cilk::ForOp>(op);
      if (auto allocation = matchAllocation(*op))
        found.push_back(*allocation);
    });
    if (!spawns)
      continue;
    for (Allocation &allocation : found)
      if (isFreedAgain(allocation.call) &&
          Address(allocation.call.getResult()).isForAccesses())
        moveToStack(function, allocation);
  }
}
