//===- KernelVerifier.cpp - Elements are used exactly once ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What holds for every kernel: it begins with its one `chan.deq` and
// frees that element once on every path; each `chan.talloc` is followed by one
// `chan.enq` on every path; elements do not pass through block arguments; the edges
// that the kernel declares are those of its body.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Chan.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2chan::chan;

namespace {

/// Checks that from `begin` on, every path to the end of the kernel, or back to
/// `begin`, meets exactly one `Consume` of `element`, and nothing uses the
/// element after it.
template <typename Consume>
class ConsumedOnce {
public:
  ConsumedOnce(Operation *begin, Value element) : begin(begin), element(element) {}

  LogicalResult check() {
    return walk(begin->getBlock(), std::next(begin->getIterator()), false);
  }

private:
  LogicalResult walk(Block *block, Block::iterator from, bool consumed) {
    for (Operation &op : llvm::make_range(from, block->end())) {
      if (&op == begin) {
        if (!consumed)
          return begin->emitOpError("allocates again before its element is ")
                 << verb();
        return success();
      }
      if (!llvm::is_contained(op.getOperands(), element))
        continue;
      if (consumed)
        return (op.emitOpError("uses an element after it was ") << verb())
                   .attachNote(begin->getLoc())
               << "the element comes from here";
      consumed = isa<Consume>(op);
    }
    if (block->hasNoSuccessors()) {
      if (!consumed && isa<DoneOp>(block->getTerminator()))
        return (begin->emitOpError("has an element that is not ")
                << verb() << " on every path")
                   .attachNote(block->getTerminator()->getLoc())
               << "a path without it ends here";
      return success();
    }
    for (Block *successor : block->getSuccessors())
      if (seen[consumed].insert(successor).second &&
          failed(walk(successor, successor->begin(), consumed)))
        return failure();
    return success();
  }

  static StringRef verb() {
    return std::is_same_v<Consume, EnqOp> ? "enqueued" : "freed";
  }

  Operation *begin;
  Value element;
  llvm::SmallPtrSet<Block *, 8> seen[2];
};

} // namespace

LogicalResult KernelOp::verifyRegions() {
  Block &entry = getBody().front();
  auto deq = entry.empty() ? DeqOp() : dyn_cast<DeqOp>(entry.front());
  if (!deq)
    return emitOpError("does not begin with chan.deq");
  if (deq.getElement().getType().getStack() != getConsumesAttr())
    return deq.emitOpError("takes an element of '")
           << deq.getElement().getType().getStack().getValue()
           << "', but the kernel consumes '" << getConsumes() << "'";
  for (Block &block : getBody())
    for (Type type : block.getArgumentTypes())
      if (isa<ElementType>(type))
        return emitOpError("passes an element through a block argument");

  llvm::SmallSetVector<std::pair<Attribute, int64_t>, 4> edges, declared;
  for (auto [stack, level] : llvm::zip(getProduces(), getLevels()))
    declared.insert({stack, cast<IntegerAttr>(level).getInt()});
  WalkResult result = getBody().walk([&](Operation *op) {
    if (auto talloc = dyn_cast<TallocOp>(op)) {
      std::pair<Attribute, int64_t> edge(
          talloc.getElement().getType().getStack(), talloc.getLevel());
      edges.insert(edge);
      if (!declared.contains(edge)) {
        talloc.emitOpError("makes an edge that the kernel does not declare: ")
            << edge.first << " + " << edge.second;
        return WalkResult::interrupt();
      }
      return WalkResult(
          ConsumedOnce<EnqOp>(op, talloc.getElement()).check());
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
