//===- FunctionAttributes.h - LLVM IR's attributes in MLIR ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_FUNCTIONATTRIBUTES_H
#define CILK2CHAN_SUPPORT_FUNCTIONATTRIBUTES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace cilk2chan {

/// The value of the attribute `name` that MLIR passes through for a function,
/// if it has it. Attributes without a value, such as `sanitize_address`, stand
/// in the same list and are not found.
inline std::optional<llvm::StringRef>
functionAttribute(mlir::LLVM::LLVMFuncOp function, llvm::StringRef name) {
  mlir::ArrayAttr attributes = function.getPassthroughAttr();
  if (!attributes)
    return {};
  for (mlir::Attribute attribute : attributes)
    if (auto pair = llvm::dyn_cast<mlir::ArrayAttr>(attribute))
      if (llvm::cast<mlir::StringAttr>(pair[0]).getValue() == name)
        return llvm::cast<mlir::StringAttr>(pair[1]).getValue();
  return {};
}

/// Whether a function has such an attribute, without a value.
inline bool hasFunctionAttribute(mlir::LLVM::LLVMFuncOp function,
                                 llvm::StringRef name) {
  mlir::ArrayAttr attributes = function.getPassthroughAttr();
  return attributes &&
         llvm::is_contained(attributes,
                            mlir::StringAttr::get(function.getContext(), name));
}

/// Without a value if that is empty.
inline void addFunctionAttribute(mlir::LLVM::LLVMFuncOp function,
                                 llvm::StringRef name,
                                 llvm::StringRef value = {}) {
  llvm::SmallVector<mlir::Attribute> attributes;
  if (mlir::ArrayAttr present = function.getPassthroughAttr())
    llvm::append_range(attributes, present);
  mlir::Builder builder(function.getContext());
  if (value.empty())
    attributes.push_back(builder.getStringAttr(name));
  else
    attributes.push_back(builder.getStrArrayAttr({name, value}));
  function.setPassthroughAttr(
      mlir::ArrayAttr::get(function.getContext(), attributes));
}

/// What is called seldom.
inline constexpr llvm::StringLiteral ColdAttribute = "cold";

/// Whether a function is called seldom: its attributes say so.
inline bool isCold(mlir::LLVM::LLVMFuncOp function) {
  return hasFunctionAttribute(function, ColdAttribute);
}

/// Of a function that is declared only: a call of it is a few instructions.
inline constexpr llvm::StringLiteral QuickAttribute = "chan.quick";

inline void makeCold(mlir::LLVM::LLVMFuncOp function) {
  addFunctionAttribute(function, ColdAttribute);
}

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_FUNCTIONATTRIBUTES_H
