//===- KernelVerifier.cpp - What each stage of a kernel promises ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/VGIW/VGIW.h"
#include "cilk2chan/Support/Markers.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace cilk2chan::vgiw;
using cilk2chan::MaxGroupSize;

/// Blocks share nothing but live values.
static LogicalResult verifyBlocksApart(KernelOp kernel) {
  for (Block &block : kernel.getBody()) {
    if (block.getNumArguments())
      return block.front().emitOpError(
          "is in a block with arguments; in stage 'live' values cross blocks "
          "as live values");
    for (Operation &op : block)
      for (Value operand : op.getOperands())
        if (operand.getParentBlock() != &block)
          return op.emitOpError("uses a value of another block; in stage "
                                "'live' values cross blocks as live values");
  }
  return success();
}

/// Each live value is stored on every path before it is loaded.
static LogicalResult verifyLiveValues(KernelOp kernel) {
  unsigned count = kernel.getLiveValues();
  auto outOfRange = [&](Operation *op, uint64_t id) -> LogicalResult {
    return op->emitOpError("names live value ")
           << id << ", but the kernel has " << count;
  };
  for (Block &block : kernel.getBody()) {
    for (auto load : block.getOps<LiveLoadOp>())
      if (load.getId() >= count)
        return outOfRange(load, load.getId());
    for (auto store : block.getOps<LiveStoreOp>())
      if (store.getId() >= count)
        return outOfRange(store, store.getId());
  }

  // What every path to the start of a block has stored; all, until one is seen.
  DenseMap<Block *, llvm::BitVector> stored;
  for (Block &block : kernel.getBody())
    stored[&block] = llvm::BitVector(count, true);
  Block *entry = &kernel.getBody().front();
  stored[entry] = llvm::BitVector(count);
  bool changed = true;
  while (changed) {
    changed = false;
    for (Block &block : kernel.getBody()) {
      llvm::BitVector after = stored[&block];
      for (auto store : block.getOps<LiveStoreOp>())
        after.set(store.getId());
      for (Block *next : block.getSuccessors()) {
        llvm::BitVector &known = stored[next];
        llvm::BitVector merged = known;
        merged &= after;
        changed |= merged != known;
        known = merged;
      }
    }
  }
  for (Block &block : kernel.getBody())
    for (auto load : block.getOps<LiveLoadOp>())
      if (!stored[&block].test(load.getId()))
        return load.emitOpError("loads live value ")
               << load.getId() << ", which not every path has stored";
  return success();
}

/// A node has the tokens it can hold, and no node is forgotten.
static LogicalResult verifyFitted(KernelOp kernel) {
  for (Block &block : kernel.getBody()) {
    if (isMarker(block))
      continue;
    if (!llvm::hasSingleElement(block.getOps<InitiateOp>()))
      return block.getTerminator()->emitOpError(
          "ends a block that has not one vgiw.initiate");
    for (Operation &op : block) {
      if (!isa<NodeOpInterface>(op))
        continue;
      unsigned tokens = tokenOperands(&op).size();
      if (tokens > MaxTokens)
        return op.emitOpError("waits for ")
               << tokens << " tokens; an entry of a token buffer holds "
               << MaxTokens;
      if (tokens == 0 && !isa<InitiateOp>(op))
        return op.emitOpError("waits for no token and so never fires");
      if (op.getNumResults() && op.use_empty())
        return op.emitOpError("does not lead to the block's terminator");
    }
  }
  return success();
}

/// Computed parameters can be computed in the order of the list.
static LogicalResult verifyComputed(KernelOp kernel) {
  for (auto [number, binding] :
       llvm::enumerate(kernel.getParameters().getAsRange<BindingAttr>())) {
    auto fail = [&, number = number](const Twine &reason) {
      return kernel.emitOpError("computes parameter ") << number << reason;
    };
    if (binding.getKind() != BindingKind::Computed) {
      if (binding.getOperation())
        return kernel.emitOpError("binds parameter ")
               << number << " by an operation, but not as 'computed'";
      continue;
    }
    if (!binding.getOperation() || !binding.getOperands())
      return fail(" by no operation");
    StringRef name = binding.getOperation().getValue();
    const chansim::Operation *operation = chansim::findOperation(name);
    if (!operation || operation->unit != chansim::UnitKind::compute)
      return fail(" by '" + name + "', which is no operation of compute units");
    if (binding.getOperands().size() != operation->operands)
      return fail(" by '" + name + "', which has " +
                  Twine(unsigned(operation->operands)) + " operands, of " +
                  Twine(binding.getOperands().size()));
    for (auto [i, operand] : llvm::enumerate(binding.getOperands())) {
      auto typed = dyn_cast<TypedAttr>(operand);
      if (typed && typed.getType().isIndex()) {
        int64_t other = cast<IntegerAttr>(operand).getInt();
        if (other < 0 || uint64_t(other) >= number)
          return fail(" from parameter " + Twine(other) +
                      ", which is no earlier one");
      } else if (!typed || !typed.getType().isIntOrFloat() ||
                 typed.getType().getIntOrFloatBitWidth() !=
                     operation->operandBits(i)) {
        return fail(" by '" + name + "', whose operand " + Twine(i) + " has " +
                    Twine(operation->operandBits(i)) + " bits");
      }
    }
  }
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  for (Block &block : getBody()) {
    if (!block.mightHaveTerminator() ||
        !isa<BranchOp, CondBranchOp, ExitOp, YieldOp, BarrierOp, RestartOp>(
            block.back()))
      return emitOpError("has a block without a vgiw terminator");
    if (isa<BarrierOp>(block.back()) && !getGroupSize())
      return block.back().emitOpError("is in a kernel without work-groups");
    for (auto parameter : block.getOps<ParameterOp>())
      if (parameter.getIndex() >= getParameters().size())
        return parameter.emitOpError("is parameter ")
               << parameter.getIndex() << " of a kernel with "
               << getParameters().size();
  }
  if (std::optional<uint64_t> size = getGroupSize();
      size && (!llvm::isPowerOf2_64(*size) || *size > MaxGroupSize))
    return emitOpError("has work-groups of ")
           << *size << " threads; a group has a power of two of them, at most "
           << MaxGroupSize;
  if (failed(verifyComputed(*this)))
    return failure();
  if (getBody().front().getNumArguments())
    return emitOpError("has an entry block with arguments");
  if (getStage() >= Stage::Live &&
      (failed(verifyBlocksApart(*this)) || failed(verifyLiveValues(*this))))
    return failure();
  if (getStage() >= Stage::Fitted && failed(verifyFitted(*this)))
    return failure();
  return success();
}
