//===- SerialClones.cpp - Functions that call their children --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies spawning functions as their serial elision, with the worker as the
// first parameter:
//
//   llvm.func @f(%n: i32)          llvm.func @f(%n: i32)   // as before
//     cilk.spawn @f(%m)      =>    llvm.func internal @f.serial(%worker, %n)
//     cilk.sync                      llvm.call @f.serial(%worker, %m)
//   chan.stack entry @f.entry      chan.stack entry @f.entry serial @f.serial
//
//===----------------------------------------------------------------------===//

#include "SerialClones.h"
#include "cilk2chan/Dialect/Cilk/Analysis/RemarkPlaces.h"

#include "BaseCaseCheck.h"
#include "SerialLowering.h"
#include "cilk2chan/Conversion/CilkToChan/ArraysByAddress.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"

#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Support/WorkingOn.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CHANSERIALCLONES
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

//===----------------------------------------------------------------------===//
// Which functions
//===----------------------------------------------------------------------===//

/// Whether an `asm` statement may define a label, of which a copy would be
/// another definition.
static bool definesLabel(LLVM::InlineAsmOp assembly) {
  StringRef text = assembly.getAsmString();
  return text.contains(':') && !text.contains("${:uid}");
}

/// Why a function is not cloned; empty if it is.
static StringRef reasonAgainst(LLVM::LLVMFuncOp function) {
  if (isInterposable(function))
    return "another definition may take its place when the program is linked";
  // Its own convention may use the worker's register.
  if (function.getCConv() != LLVM::CConv::C)
    return "it has a calling convention of its own";
  for (BlockArgument argument : function.getArguments()) {
    auto align = function.getArgAttrOfType<IntegerAttr>(
        argument.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName());
    if (byValueType(function, argument.getArgNumber()) && align &&
        align.getInt() > int64_t(abi::maxFieldAlignment))
      return "a struct passed by value is aligned further than an element";
  }
  bool hasLabel = false;
  function.walk([&](LLVM::InlineAsmOp op) { hasLabel |= definesLabel(op); });
  if (hasLabel)
    return "inline assembly in it may define a label; '%=' in the label's name "
           "makes copies possible";
  if (!mayHaveSlowPath(function))
    return "a value in it has a type without a known size";
  return {};
}

/// Remarks that `function` has a clone, or why it has none.
static void remarkNoClone(LLVM::LLVMFuncOp function, StringRef reason) {
  if (!function.getContext()->getRemarkEngine())
    return;
  std::string what = describe(function);
  auto [loc, options] = placeRemark(
      function,
      remark::RemarkOpts::name("SerialClone").category("chan-serial"));
  if (reason.empty())
    remark::passed(loc, options) << what + " has a serial clone";
  else
    remark::missed(loc, options)
        << what + " has no serial clone: " + reason.str();
}

/// Gives a clone the worker as its first parameter, and what else is not as in
/// the function whose clone it is.
static void changeSignature(LLVM::LLVMFuncOp clone, StringRef source) {
  Builder builder(clone.getContext());
  auto pointer = LLVM::LLVMPointerType::get(clone.getContext());
  auto type = clone.getFunctionType();
  SmallVector<Type> parameters = {pointer};
  llvm::append_range(parameters, type.getParams());
  ArrayAttr attributes = clone.getArgAttrsAttr();
  clone.setFunctionType(
      LLVM::LLVMFunctionType::get(type.getReturnType(), parameters));
  clone.front().insertArgument(0u, pointer, clone.getLoc());
  if (attributes) {
    SmallVector<Attribute> all = {builder.getDictionaryAttr({})};
    llvm::append_range(all, attributes);
    clone.setArgAttrsAttr(builder.getArrayAttr(all));
  }
  clone.setPassthroughAttr(builder.getArrayAttr(
      {builder.getStringAttr(CloneAttribute),
       builder.getStrArrayAttr({SourceAttribute, source})}));
  clone.setLinkage(LLVM::Linkage::Internal);
  clone.setVisibility_(LLVM::Visibility::Default);
  clone.setComdatAttr({});
  clone->removeAttr(EntryAttribute);
}

void SerialClones::addClone(LLVM::LLVMFuncOp function, bool isInlined) {
  StringRef source = function.getName();
  LLVM::LLVMFuncOp clone = function.clone();
  clone.setName(
      (source + SerialSuffix + (isInlined ? InlinedSuffix : "")).str());
  changeSignature(clone, sourceOf(function).getValue());
  takeArraysByAddress(clone, symbols);
  hoistConstants(clone);
  clones.push_back({clone, source, sourceOf(function).getValue(), isInlined});
  (isInlined ? inlinedBySource : bySource)[source] = clone;
}

void SerialClones::add(LLVM::LLVMFuncOp function) {
  StringRef reason = reasonAgainst(function);
  remarkNoClone(function, reason);
  if (!reason.empty())
    return;
  addClone(function, /*isInlined=*/false);
  // With reducers the parts of a range are strands, so its clone calls itself.
  bool isRange = function.getName().starts_with(RangePrefix);
  if (isLoop(function.getName()) && !(isRange && hasStrands))
    addClone(function, /*isInlined=*/true);
}

LLVM::LLVMFuncOp SerialClones::calledFor(StringRef source,
                                         bool fromInlined) const {
  LLVM::LLVMFuncOp inlined =
      fromInlined ? inlinedBySource.lookup(source) : LLVM::LLVMFuncOp();
  return inlined ? inlined : bySource.lookup(source);
}

//===----------------------------------------------------------------------===//
// All clones
//===----------------------------------------------------------------------===//

LLVM::LLVMFuncOp SerialClones::bodyOfRange(const Clone &clone) const {
  StringRef number = clone.source;
  if (hasStrands || !number.consume_front(RangePrefix))
    return {};
  return symbols.lookup<LLVM::LLVMFuncOp>((BodyPrefix + number).str());
}

void SerialClones::lower() {
  auto inlinedFor = [&](StringRef source) {
    return inlinedBySource.lookup(source);
  };
  for (Clone &clone : clones)
    if (clone.isInlined || !isLoop(clone.source))
      findLoopObjects(clone.function, inlinedFor, layout, loopObjects);
  SmallVector<Outlined> parts;
  for (Clone &clone : clones) {
    symbols.insert(clone.function);
    parts.push_back(bodyOfRange(clone) || clone.isInlined
                        ? Outlined()
                        : outlineBehindCheck(clone.function));
    for (LLVM::LLVMFuncOp part : {parts.back().body, parts.back().baseCase})
      if (part)
        symbols.insert(part);
  }
  for (auto [clone, outlined] : llvm::zip(clones, parts)) {
    Lowering lowering(*this, clone, clone.function,
                      countTasks && !outlined.body);
    if (LLVM::LLVMFuncOp body = bodyOfRange(clone))
      lowering.runAsRange(body);
    else
      lowering.run();
    if (outlined.body)
      Lowering(*this, clone, outlined.body, countTasks).run();
    if (outlined.baseCase)
      Lowering(*this, clone, outlined.baseCase, /*countTasks=*/false).run();
    if (clone.isInlined)
      continue;
    chan::StackOp stack = stacks.entry(clone.source);
    stack.setSerialAttr(FlatSymbolRefAttr::get(clone.function));
    stack.setCounted(countTasks);
  }
}

namespace {
struct ChanSerialClones
    : public cilk2chan::impl::ChanSerialClonesBase<ChanSerialClones> {
  using ChanSerialClonesBase::ChanSerialClonesBase;

  void runOnOperation() override {
    const TypeLayout &layout = getAnalysis<TypeLayout>();
    auto functions = functionsToSplit(getOperation());
    if (failed(functions))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    Stacks stacks(symbols, layout);
    SerialClones clones(stacks, symbols, layout, countTasks);
    for (auto function : *functions) {
      WorkingOn working(function.getName());
      clones.add(function);
    }
    clones.lower();
  }
};
} // namespace
