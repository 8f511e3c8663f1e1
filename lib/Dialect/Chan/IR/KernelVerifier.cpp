//===- KernelVerifier.cpp - Elements are used exactly once ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What holds for every kernel: it begins with its one `chan.deq` and
// frees that element once on every path; each `chan.talloc` is followed by one
// `chan.enq` on every path, with every field set before it; elements do not
// pass through block arguments; the edges that the kernel declares are those of
// its body.
//
// Kernels may have thousands of spawns and of blocks: nothing here recurses,
// and the usual talloc/set/enq in one block is settled without a walk.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Chan.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2chan::chan;

/// The ops that use `element`, by block, in order.
static llvm::SmallDenseMap<Block *, SmallVector<Operation *, 4>>
usersByBlock(Value element) {
  llvm::SmallDenseMap<Block *, SmallVector<Operation *, 4>> users;
  for (Operation *user : element.getUsers())
    users[user->getBlock()].push_back(user);
  for (auto &[block, list] : users)
    llvm::sort(list, [](Operation *a, Operation *b) {
      return a != b && a->isBeforeInBlock(b);
    });
  return users;
}

namespace {

/// Checks that from `begin` on, every path to the end of the kernel, or back to
/// `begin`, meets exactly one `Consume` of `element`, and nothing uses the
/// element after it.
template <typename Consume> class ConsumedOnce {
public:
  ConsumedOnce(Operation *begin, Value element)
      : begin(begin), users(usersByBlock(element)) {}

  LogicalResult check() {
    if (isSettledInItsBlock())
      return success();
    SmallVector<std::pair<Block *, bool>> work;
    llvm::SmallPtrSet<Block *, 8> seen[2];
    auto follow = [&](Block *block, bool consumed) {
      for (Block *successor : block->getSuccessors())
        if (seen[consumed].insert(successor).second)
          work.push_back({successor, consumed});
    };
    bool consumed = false;
    if (failed(pass(begin->getBlock(), consumed)))
      return failure();
    follow(begin->getBlock(), consumed);
    while (!work.empty()) {
      auto [block, before] = work.pop_back_val();
      if (block == begin->getBlock()) {
        if (!before)
          return begin->emitOpError("allocates again before its element is ")
                 << verb();
        continue;
      }
      consumed = before;
      if (failed(pass(block, consumed)))
        return failure();
      follow(block, consumed);
    }
    return success();
  }

private:
  bool isSettledInItsBlock() const {
    auto it = users.find(begin->getBlock());
    return users.size() == 1 && it != users.end() &&
           isa<Consume>(it->second.back()) &&
           llvm::count_if(it->second, llvm::IsaPred<Consume>) == 1;
  }

  /// From the beginning of `block`, or from `begin` in its own block.
  LogicalResult pass(Block *block, bool &consumed) {
    for (Operation *user : users.lookup(block)) {
      if (consumed)
        return (user->emitOpError("uses an element after it was ") << verb())
                   .attachNote(begin->getLoc())
               << "the element comes from here";
      consumed = isa<Consume>(user);
    }
    Operation *last = block->getTerminator();
    if (!consumed && isa<DoneOp>(last))
      return (begin->emitOpError("has an element that is not ")
              << verb() << " on every path")
                 .attachNote(last->getLoc())
             << "a path without it ends here";
    return success();
  }

  static StringRef verb() {
    return std::is_same_v<Consume, EnqOp> ? "enqueued" : "freed";
  }

  Operation *begin;
  llvm::SmallDenseMap<Block *, SmallVector<Operation *, 4>> users;
};

} // namespace

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

static bool setsField(Operation *op, StringRef field) {
  if (auto set = dyn_cast<SetOp>(op))
    return set.getField() == field;
  auto copy = dyn_cast<CopyInOp>(op);
  return copy && copy.getField() == field;
}

/// Whether `field` is set on every path from the allocation to `enq`.
static bool isSetBefore(EnqOp enq, TallocOp talloc, StringRef field) {
  auto users = usersByBlock(talloc.getElement());
  auto setIn = [&](Block *block) {
    return llvm::any_of(users.lookup(block), [&](Operation *user) {
      return setsField(user, field);
    });
  };
  llvm::SetVector<Block *> work;
  work.insert(enq->getBlock());
  for (unsigned i = 0; i < work.size(); ++i) {
    Block *block = work[i];
    if (setIn(block))
      continue;
    if (block == talloc->getBlock())
      return false;
    work.insert(block->pred_begin(), block->pred_end());
  }
  return true;
}

LogicalResult EnqOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto talloc = getElement().getDefiningOp<TallocOp>();
  auto stack = tables.lookupNearestSymbolFrom<StackOp>(
      *this, getElement().getType().getStack());
  if (!stack)
    return emitOpError("'") << getElement().getType().getStack().getValue()
                            << "' does not name a channel stack";
  for (auto name : stack.getFieldNames().getAsRange<StringAttr>()) {
    if (talloc.getTarget() && name.getValue() == CalleeField)
      continue;
    // It is where the child stands in its batch.
    if (getSite() && name.getValue() == ResultField)
      continue;
    if (!isSetBefore(*this, talloc, name))
      return emitOpError("enqueues an element whose field '")
             << name.getValue() << "' is not set on every path";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// An element is read if dequeued, written if allocated, and no
/// other operation has it.
static LogicalResult verifyElementUses(Operation *op) {
  for (Value operand : op->getOperands()) {
    if (!isa<ElementType>(operand.getType()))
      continue;
    bool reads = isa<GetOp, RangeIterationOp, CopyOutOp, TfreeOp>(op);
    if (!reads && !isa<SetOp, CopyInOp, EnqOp>(op))
      return op->emitOpError("cannot use an element");
    if (reads && !operand.getDefiningOp<DeqOp>())
      return op->emitOpError("reads an element that was not dequeued");
    if (!reads && !operand.getDefiningOp<TallocOp>())
      return op->emitOpError("writes an element that was not allocated");
  }
  return success();
}

/// One set of stack objects may serve many elements.
static LogicalResult verifyStackObject(LLVM::AllocaOp alloca) {
  if (alloca->getBlock()->isEntryBlock() &&
      matchPattern(alloca.getArraySize(), m_Constant()))
    return success();
  return alloca.emitOpError("in a kernel must be of constant size and in the "
                            "first block; use chan.alloca");
}

/// What has a mask has one with all lanes of the kernel, and only in a kernel
/// with lanes.
static LogicalResult verifyLanes(Operation *op, uint32_t lanes) {
  auto check = [&](Value mask) -> LogicalResult {
    if (mask && cast<VectorType>(mask.getType()).getNumElements() != lanes)
      return op->emitOpError("has a mask of ")
             << mask.getType() << ", but its kernel has "
             << (lanes ? std::to_string(lanes) : "no") << " lanes";
    return success();
  };
  if (auto deq = dyn_cast<DeqOp>(op)) {
    if (lanes && !deq.getMask())
      return deq.emitOpError("has no mask, but its kernel has lanes");
    return check(deq.getMask());
  }
  if (auto talloc = dyn_cast<TallocOp>(op))
    return check(talloc.getMask());
  if (auto pend = dyn_cast<PendOp>(op))
    return check(pend.getMask());
  if (auto result = dyn_cast<ResultOp>(op))
    return check(result.getMask());
  if (auto part = dyn_cast<ReduceResultOp>(op))
    return check(part.getMask());
  if (auto part = dyn_cast<ReduceSharedOp>(op))
    return check(part.getMask());
  if (auto enqueue = dyn_cast<IterationEnqOp>(op))
    return check(enqueue.getMask());
  if (auto trip = dyn_cast<IterationOp>(op))
    return check(trip.getMask());
  return success();
}

/// All lanes are enqueued at once, where their fields are set.
static LogicalResult verifyTogether(TallocOp talloc) {
  for (Operation *user : talloc.getElement().getUsers())
    if (user->getBlock() != talloc->getBlock() || isa<CopyInOp>(user))
      return user->emitOpError(
          isa<CopyInOp>(user)
              ? "copies into the elements of several lanes"
              : "is in another block than the talloc of several lanes");
  return success();
}

static LogicalResult verifyFrameSize(Operation *op, uint64_t size) {
  auto kernel = cast<KernelOp>(op->getParentOp());
  if (size != kernel.getFrameSize())
    return op->emitOpError("is of ")
           << size << " bytes, but the kernel's frame is of "
           << kernel.getFrameSize();
  return success();
}

LogicalResult FrameOp::verify() { return verifyFrameSize(*this, getSize()); }

LogicalResult FrameFreeOp::verify() {
  return verifyFrameSize(*this, getSize());
}

/// The kernel of an op that only phases have, or null after an error.
static KernelOp phaseKernel(Operation *op) {
  auto kernel = cast<KernelOp>(op->getParentOp());
  if (kernel.getPhase())
    return kernel;
  op->emitOpError("is not in the kernel of a phase");
  return {};
}

LogicalResult LocalOp::verify() {
  KernelOp kernel = phaseKernel(*this);
  if (!kernel)
    return failure();
  if (getOffset() + getSize() > kernel.getFrameSize())
    return emitOpError("ends at byte ")
           << getOffset() + getSize() << " of the activation's "
           << kernel.getFrameSize();
  return success();
}

LogicalResult PendOp::verify() { return success(phaseKernel(*this)); }

LogicalResult ResultOp::verify() { return success(phaseKernel(*this)); }

LogicalResult DestinationOp::verify() { return success(phaseKernel(*this)); }

LogicalResult IterationEnqOp::verify() { return success(phaseKernel(*this)); }

LogicalResult IterationDeqOp::verify() { return success(phaseKernel(*this)); }

LogicalResult IterationOp::verify() { return success(phaseKernel(*this)); }

LogicalResult BaseCasesHoistedOp::verify() {
  return success(phaseKernel(*this));
}

LogicalResult ChildOp::verify() {
  KernelOp kernel = phaseKernel(*this);
  if (!kernel)
    return failure();
  if (*kernel.getPhase() == 0)
    return emitOpError("is in the phase that spawns the child");
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  Block &entry = getBody().front();
  if (entry.getNumArguments())
    return emitOpError("has arguments; its element is all that it is given");
  auto deq = entry.empty() ? DeqOp() : dyn_cast<DeqOp>(entry.front());
  if (!deq)
    return emitOpError("does not begin with chan.deq");
  if (deq.getElement().getType().getStack() != getConsumesAttr())
    return deq.emitOpError("takes an element of '")
           << deq.getElement().getType().getStack().getValue()
           << "', but the kernel consumes '" << getConsumes() << "'";
  for (Block &block : getBody()) {
    for (Type type : block.getArgumentTypes())
      if (isa<ElementType>(type))
        return emitOpError("passes an element through a block argument");
    Operation *last = block.getTerminator();
    if (last->getNumSuccessors() == 0 &&
        !isa<DoneOp, LLVM::UnreachableOp>(last))
      return last->emitOpError("cannot end a kernel");
  }

  llvm::SmallSetVector<std::pair<Attribute, int64_t>, 4> edges, declared;
  for (auto [stack, level] : llvm::zip(getProduces(), getLevels()))
    declared.insert({stack, cast<IntegerAttr>(level).getInt()});
  uint32_t lanes = getLanes().value_or(0);
  FrameOp frame;
  WalkResult result = getBody().walk([&](Operation *op) {
    if (failed(verifyElementUses(op)) || failed(verifyLanes(op, lanes)))
      return WalkResult::interrupt();
    if (auto alloca = dyn_cast<LLVM::AllocaOp>(op))
      return WalkResult(verifyStackObject(alloca));
    if (auto allocation = dyn_cast<FrameOp>(op)) {
      Block *block = op->getBlock();
      // Lanes take theirs in a loop.
      if (!lanes && (frame || block->isReachable(block))) {
        op->emitOpError("may allocate a second frame");
        return WalkResult::interrupt();
      }
      frame = allocation;
    }
    if (auto talloc = dyn_cast<TallocOp>(op)) {
      if (talloc.getMask() && failed(verifyTogether(talloc)))
        return WalkResult::interrupt();
      std::pair<Attribute, int64_t> edge(
          talloc.getElement().getType().getStack(), talloc.getLevel());
      edges.insert(edge);
      if (!declared.contains(edge)) {
        talloc.emitOpError("makes an edge that the kernel does not declare: ")
            << edge.first << " + " << edge.second;
        return WalkResult::interrupt();
      }
      return WalkResult(ConsumedOnce<EnqOp>(op, talloc.getElement()).check());
    }
    if (auto other = dyn_cast<DeqOp>(op); other && other != deq) {
      other.emitOpError("is the second in its kernel");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (auto edge : declared)
    if (!edges.contains(edge))
      return emitOpError("declares an edge that its body does not make: ")
             << edge.first << " + " << edge.second;
  return ConsumedOnce<TfreeOp>(deq, deq.getElement()).check();
}
