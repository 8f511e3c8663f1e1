//===- TranslateValues.cpp - Types, constants, parameters -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTranslation.h"
#include "Opcodes.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/IR/Instructions.h"

using namespace cilk2chan;
using vgiw::Opcode;

/// Null for what is no word.
mlir::Type KernelTranslation::convert(llvm::Type *type) {
  if (type->isPointerTy())
    return i64;
  if (type->isFloatTy())
    return builder.getF32Type();
  if (type->isDoubleTy())
    return builder.getF64Type();
  for (unsigned width : {1, 8, 16, 32, 64})
    if (type->isIntegerTy(width))
      return builder.getIntegerType(width);
  return {};
}

/// "column 2 fib.0 1"
vgiw::BindingAttr KernelTranslation::bind(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ');
  std::optional<vgiw::BindingKind> kind = vgiw::symbolizeBindingKind(words[0]);
  words.erase(words.begin());
  uint64_t number = 0, level = 0;
  mlir::StringAttr stack;
  // Computed ones are made of these by a pass.
  bool right = kind && *kind != vgiw::BindingKind::Computed;
  bool hasNumber = right && *kind != vgiw::BindingKind::Control &&
                   *kind != vgiw::BindingKind::Level &&
                   *kind != vgiw::BindingKind::Private &&
                   *kind != vgiw::BindingKind::Group;
  bool hasStack = right && (*kind == vgiw::BindingKind::Control ||
                            *kind == vgiw::BindingKind::Column);
  right &= words.size() == unsigned(hasNumber) + 2 * unsigned(hasStack);
  if (right && hasNumber) {
    right = !words[0].getAsInteger(10, number);
    words.erase(words.begin());
  }
  if (right && hasStack) {
    stack = builder.getStringAttr(words[0]);
    right = !words[1].getAsInteger(10, level);
  }
  if (!right) {
    fail("a parameter is bound to \"" + text + "\"");
    return {};
  }
  return vgiw::BindingAttr::get(builder.getContext(), *kind, number, stack,
                                level);
}

mlir::Value KernelTranslation::constant(mlir::Type type,
                                        const llvm::APInt &bits) {
  return once(constants[{type, bits.getZExtValue()}], [&] {
    mlir::TypedAttr value;
    if (auto floating = llvm::dyn_cast<mlir::FloatType>(type))
      value = builder.getFloatAttr(
          floating, llvm::APFloat(floating.getFloatSemantics(), bits));
    else
      value = builder.getIntegerAttr(type, bits);
    return vgiw::ConstantOp::create(builder, whole, value);
  });
}

mlir::Value KernelTranslation::symbol(llvm::StringRef name, int64_t offset) {
  return once(symbols[{name, offset}], [&] {
    return vgiw::SymbolOp::create(builder, whole, i64, name, offset);
  });
}

mlir::Value KernelTranslation::parameter(unsigned index, int64_t offset) {
  return once(parameters[{index, offset}], [&] {
    // Private memory is bound to the last, which is no argument.
    mlir::Type type = index + 1 < function.arg_size()
                          ? convert(function.getArg(index + 1)->getType())
                          : i64;
    return vgiw::ParameterOp::create(builder, whole, type, index, offset);
  });
}

/// Adds to what is configured without a node of its own.
mlir::Value KernelTranslation::add(mlir::Value value, int64_t offset) {
  if (offset == 0)
    return value;
  if (auto name = value.getDefiningOp<vgiw::SymbolOp>())
    return symbol(name.getName(), name.getOffset() + offset);
  if (auto word = value.getDefiningOp<vgiw::ParameterOp>())
    return parameter(word.getIndex(), word.getOffset() + offset);
  auto sum = value.getDefiningOp<vgiw::ComputeOp>();
  if (sum && sum.getOpcode() == Opcode::Mad &&
      vgiw::isConfigured(sum.getOperands()[2])) {
    mlir::Value base = add(sum.getOperands()[2], offset);
    return compute(Opcode::Mad, i64,
                   {sum.getOperands()[0], sum.getOperands()[1], base});
  }
  return compute(Opcode::Add, i64, {value, constant(offset)});
}

mlir::Value KernelTranslation::use(llvm::Value *value) {
  if (mlir::Value known = values.lookup(value))
    return known;
  mlir::Type type = convert(value->getType());
  if (!type) {
    std::string text;
    llvm::raw_string_ostream(text) << *value->getType();
    fail("no unit holds a value of type '" + text + "'");
    return constant(0);
  }
  if (auto *integer = llvm::dyn_cast<llvm::ConstantInt>(value))
    return constant(type, integer->getValue());
  if (auto *floating = llvm::dyn_cast<llvm::ConstantFP>(value))
    return constant(type, floating->getValueAPF().bitcastToAPInt());
  if (llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(value))
    return constant(type, llvm::APInt(type.getIntOrFloatBitWidth(), 0));
  if (auto *expression = llvm::dyn_cast<llvm::Constant>(value))
    if (std::optional<SymbolicAddress> address =
            symbolicAddress(*expression, layout))
      return symbol(address->symbol->getName(), address->offset);
  std::string text;
  llvm::raw_string_ostream(text) << *value;
  fail("no unit gives the value '" + text + "'");
  return constant(type, llvm::APInt(type.getIntOrFloatBitWidth(), 0));
}
