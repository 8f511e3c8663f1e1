//===- KernelVerifier.cpp - What a kernel with registers promises ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/SIMT/SIMT.h"
#include "cilk2chan/Support/Markers.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cilk2chan::simt;

namespace {

/// Follows what the registers hold on every path. Shares no code with
/// simt-regalloc.
class RegisterChecker {
public:
  explicit RegisterChecker(KernelOp kernel) : kernel(kernel) {
    unsigned first = 0;
    for (unsigned kind = 0; kind < RegisterClasses; ++kind) {
      firsts[kind] = first;
      first += (*kernel.getRegisters())[kind];
    }
    count = first;
  }

  LogicalResult check();

private:
  /// By register; null if paths disagree or nothing was written.
  using Contents = std::vector<Value>;

  LogicalResult checkNumbers();
  LogicalResult checkBlock(Block &block, Contents contents);
  LogicalResult checkNumber(Value value, Location location);
  void write(Contents &contents, Value value) {
    contents[firsts[unsigned(classOf(value))] + *registerOf(value)] = value;
  }
  Contents after(Block &block);

  KernelOp kernel;
  unsigned firsts[RegisterClasses], count;
  /// Of blocks that were reached.
  DenseMap<Block *, Contents> before;
};

} // namespace

LogicalResult RegisterChecker::checkNumber(Value value, Location location) {
  std::optional<unsigned> number = registerOf(value);
  if (isImmediate(value)) {
    if (!number)
      return success();
    return emitError(location) << "an operand that needs no register has one";
  }
  int64_t most = (*kernel.getRegisters())[unsigned(classOf(value))];
  if (number && *number < most)
    return success();
  return emitError(location)
         << "a value has no register among the kernel's " << most
         << " of class " << stringifyRegisterClass(classOf(value));
}

LogicalResult RegisterChecker::checkNumbers() {
  for (Block &block : kernel.getBody()) {
    for (BlockArgument argument : block.getArguments())
      if (failed(checkNumber(argument, argument.getLoc())))
        return failure();
    for (Operation &op : block)
      for (Value result : op.getResults())
        if (failed(checkNumber(result, op.getLoc())))
          return failure();
  }
  return success();
}

RegisterChecker::Contents RegisterChecker::after(Block &block) {
  Contents contents = before[&block];
  for (BlockArgument argument : block.getArguments())
    write(contents, argument);
  for (Operation &op : block)
    for (Value result : op.getResults())
      if (!isImmediate(result))
        write(contents, result);
  return contents;
}

LogicalResult RegisterChecker::checkBlock(Block &block, Contents contents) {
  for (BlockArgument argument : block.getArguments())
    write(contents, argument);
  for (Operation &op : block) {
    for (Value operand : op.getOperands())
      if (!isImmediate(operand) &&
          contents[firsts[unsigned(classOf(operand))] + *registerOf(operand)] !=
              operand)
        return op.emitOpError("reads register ")
               << stringifyRegisterClass(classOf(operand))
               << *registerOf(operand)
               << ", which does not hold its operand any more";
    for (Value result : op.getResults())
      if (!isImmediate(result))
        write(contents, result);
  }
  return success();
}

LogicalResult RegisterChecker::check() {
  if (failed(checkNumbers()))
    return failure();
  Block *entry = &kernel.getBody().front();
  before[entry].resize(count);
  SmallVector<Block *> work = {entry};
  while (!work.empty()) {
    Block *block = work.pop_back_val();
    Contents left = after(*block);
    for (Block *next : block->getSuccessors()) {
      auto [known, isNew] = before.try_emplace(next, left);
      bool changed = isNew;
      for (unsigned i = 0; !isNew && i < count; ++i)
        if (known->second[i] && known->second[i] != left[i]) {
          known->second[i] = Value();
          changed = true;
        }
      if (changed)
        work.push_back(next);
    }
  }
  for (auto &[block, contents] : before)
    if (failed(checkBlock(*block, contents)))
      return failure();
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  for (Block &block : getBody()) {
    if (!block.mightHaveTerminator() ||
        !isa<BraOp, CondBraOp, ExitOp, YieldOp, BarOp>(block.back()))
      return emitOpError("has a block without a simt terminator");
    if (isa<BarOp>(block.back()) && !getGroupSize())
      return block.back().emitOpError("is in a kernel without work-groups");
    for (auto parameter : block.getOps<ParameterOp>())
      if (parameter.getIndex() >= getParameters().size())
        return parameter.emitOpError("is parameter ")
               << parameter.getIndex() << " of a kernel with "
               << getParameters().size();
  }
  if (std::optional<uint64_t> size = getGroupSize();
      size && (!llvm::isPowerOf2_64(*size) || *size > cilk2chan::MaxGroupSize))
    return emitOpError("has work-groups of ")
           << *size << " threads; a group has a power of two of them, at most "
           << cilk2chan::MaxGroupSize;
  if (getBody().front().getNumArguments())
    return emitOpError("has an entry block with arguments");
  if (!getRegisters())
    return success();
  if (getRegisters()->size() != RegisterClasses)
    return emitOpError("has registers of ")
           << getRegisters()->size() << " classes, not " << RegisterClasses;
  return RegisterChecker(*this).check();
}
