//===- ComputeParameters.cpp - What all threads share -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is computed from parameters and constants alone is the same in all
// threads of a tile. It becomes a parameter, which is computed once for a tile:
//
//   parameters [capture 5]                parameters [capture 5,
//                                                     computed by "mul.i64" ...]
//   %p = parameter 0                =>
//   %s = mul %p, 4                        %s = parameter 1
//
// Sums are written so that the parts that threads share stand together:
//
//   %b = add (add %i, %p), %q             %b = add %i, %pq
//   %b = sub %i, %p                 =>    %b = add %i, %minusp
//   %b = mad (add %i, %p), %k, %q         %b = mad %i, %k, %pkq
//   %b = mad %p, %k, %i                   %b = add %i, %pk
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/VGIW/Passes.h"
#include "cilk2chan/Dialect/VGIW/VGIW.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

namespace cilk2chan {
#define GEN_PASS_DEF_VGIWCOMPUTEPARAMETERS
#include "cilk2chan/Dialect/VGIW/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;
using vgiw::Opcode;

namespace {

struct VGIWComputeParameters
    : public cilk2chan::impl::VGIWComputeParametersBase<VGIWComputeParameters> {
  void runOnOperation() override;

private:
  unsigned bind(StringRef operation, ArrayRef<Attribute> operands);
  Attribute describe(Value value);
  bool compute(vgiw::ComputeOp op);
  bool rewriteAdd(vgiw::ComputeOp sum);
  bool rewriteSub(vgiw::ComputeOp difference);
  bool rewriteMad(vgiw::ComputeOp sum);
  bool rewrite(vgiw::ComputeOp op);
  Value share(vgiw::ComputeOp before, Opcode opcode, ValueRange operands);

  SmallVector<Attribute> bindings;
};

} // namespace

/// Whether threads share a value that the dispatcher can compute with. The
/// address of a symbol is known to the linker only.
static bool isShared(Value value) {
  return vgiw::isConfigured(value) && !value.getDefiningOp<vgiw::SymbolOp>();
}

/// The number of the parameter that is bound so.
unsigned VGIWComputeParameters::bind(StringRef operation,
                                     ArrayRef<Attribute> operands) {
  Builder builder(&getContext());
  Attribute binding = vgiw::BindingAttr::get(
      &getContext(), vgiw::BindingKind::Computed, /*number=*/0,
      /*stack=*/StringAttr(), /*level=*/0, builder.getStringAttr(operation),
      builder.getArrayAttr(operands));
  auto *known = llvm::find(bindings, binding);
  unsigned number = known - bindings.begin();
  if (known == bindings.end())
    bindings.push_back(binding);
  return number;
}

/// An operand of a binding.
Attribute VGIWComputeParameters::describe(Value value) {
  if (auto constant = value.getDefiningOp<vgiw::ConstantOp>())
    return constant.getValue();
  Builder builder(&getContext());
  auto parameter = value.getDefiningOp<vgiw::ParameterOp>();
  Attribute number = builder.getIndexAttr(parameter.getIndex());
  if (!parameter.getOffset())
    return number;
  return builder.getIndexAttr(bind(
      "add.i64", {number, builder.getI64IntegerAttr(parameter.getOffset())}));
}

bool VGIWComputeParameters::compute(vgiw::ComputeOp op) {
  // A special unit may be asked for what a thread would not divide.
  if (op.getUnit() != chansim::UnitKind::compute ||
      !llvm::all_of(op.getOperands(), isShared))
    return false;
  SmallVector<Attribute> operands;
  for (Value operand : op.getOperands())
    operands.push_back(describe(operand));
  OpBuilder builder(op);
  auto parameter = vgiw::ParameterOp::create(
      builder, op.getLoc(), op.getType(),
      bind(op.getMachineOperation(), operands), /*offset=*/0);
  op.replaceAllUsesWith(parameter.getResult());
  op.erase();
  return true;
}

/// The operand of an addition that threads share, and the other one.
static std::optional<std::pair<Value, Value>> sharedPart(vgiw::ComputeOp sum) {
  if (!sum || sum.getOpcode() != Opcode::Add || !sum.getType().isInteger(64))
    return {};
  Value a = sum.getOperands()[0], b = sum.getOperands()[1];
  if (isShared(a) == isShared(b))
    return {};
  return isShared(a) ? std::pair(a, b) : std::pair(b, a);
}

/// What threads share, in front of the operation that is to have it.
Value VGIWComputeParameters::share(vgiw::ComputeOp before, Opcode opcode,
                                   ValueRange operands) {
  OpBuilder builder(before);
  SmallVector<Attribute> described;
  for (Value operand : operands)
    described.push_back(describe(operand));
  std::string operation = (vgiw::stringifyOpcode(opcode) + ".i64").str();
  return vgiw::ParameterOp::create(builder, before.getLoc(),
                                   builder.getI64Type(),
                                   bind(operation, described), /*offset=*/0);
}

bool VGIWComputeParameters::rewriteAdd(vgiw::ComputeOp sum) {
  auto outer = sharedPart(sum);
  auto inner = outer
                   ? sharedPart(outer->second.getDefiningOp<vgiw::ComputeOp>())
                   : std::nullopt;
  if (!inner)
    return false;
  OpBuilder builder(sum);
  APInt one, other;
  if (matchPattern(inner->first, m_ConstantInt(&one)) &&
      matchPattern(outer->first, m_ConstantInt(&other))) {
    auto constant = vgiw::ConstantOp::create(
        builder, sum.getLoc(),
        builder.getI64IntegerAttr((one + other).getSExtValue()));
    sum->setOperands({inner->second, constant.getResult()});
    return true;
  }
  sum->setOperands(
      {inner->second, share(sum, Opcode::Add, {inner->first, outer->first})});
  return true;
}

bool VGIWComputeParameters::rewriteSub(vgiw::ComputeOp difference) {
  Value from = difference.getOperands()[0], what = difference.getOperands()[1];
  if (isShared(from) || !isShared(what))
    return false;
  OpBuilder builder(difference);
  Value zero = vgiw::ConstantOp::create(builder, difference.getLoc(),
                                        builder.getI64IntegerAttr(0));
  difference.setOpcode(Opcode::Add);
  difference->setOperands({from, share(difference, Opcode::Sub, {zero, what})});
  return true;
}

bool VGIWComputeParameters::rewriteMad(vgiw::ComputeOp sum) {
  Value number = sum.getOperands()[0], by = sum.getOperands()[1],
        added = sum.getOperands()[2];
  if (!isShared(by))
    return false;
  if (isShared(number)) {
    sum.setOpcode(Opcode::Add);
    sum->setOperands({added, share(sum, Opcode::Mul, {number, by})});
    return true;
  }
  auto inner = isShared(added)
                   ? sharedPart(number.getDefiningOp<vgiw::ComputeOp>())
                   : std::nullopt;
  if (!inner)
    return false;
  sum->setOperands(
      {inner->second, by, share(sum, Opcode::Mad, {inner->first, by, added})});
  return true;
}

/// Addresses, and what they are computed from.
bool VGIWComputeParameters::rewrite(vgiw::ComputeOp op) {
  if (!op.getType().isInteger(64))
    return false;
  switch (op.getOpcode()) {
  case Opcode::Add:
    return rewriteAdd(op);
  case Opcode::Sub:
    return rewriteSub(op);
  case Opcode::Mad:
    return rewriteMad(op);
  default:
    return false;
  }
}

void VGIWComputeParameters::runOnOperation() {
  vgiw::KernelOp kernel = getOperation();
  if (kernel.getStage() != vgiw::Stage::Graph) {
    kernel.emitError("is in stage '")
        << vgiw::stringifyStage(kernel.getStage()) << "', not in 'graph'";
    return signalPassFailure();
  }
  bindings.assign(kernel.getParameters().begin(), kernel.getParameters().end());
  bool changed = true;
  while (changed) {
    changed = false;
    for (Block &block : kernel.getBody())
      for (auto op :
           llvm::make_early_inc_range(block.getOps<vgiw::ComputeOp>()))
        changed |= compute(op) || rewrite(op);
  }
  kernel.setParametersAttr(ArrayAttr::get(&getContext(), bindings));
}
