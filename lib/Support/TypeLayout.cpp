//===- TypeLayout.cpp - Sizes, alignments and offsets of types ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types are translated to LLVM's in a context of their own, and LLVM's data
// layout is asked.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Support/TypeLayout.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/LLVMContext.h"

using namespace mlir;
using namespace cilk2chan;

/// What LLVM 22 has for x86_64-unknown-linux-gnu.
static constexpr llvm::StringLiteral X86_64Linux =
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-"
    "n8:16:32:64-S128";

static StringRef layoutOf(Operation *op) {
  auto module = isa<ModuleOp>(op) ? op : op->getParentOfType<ModuleOp>();
  auto text = module->getAttrOfType<StringAttr>(
      LLVM::LLVMDialect::getDataLayoutAttrName());
  return text ? text.getValue() : StringRef(X86_64Linux);
}

TypeLayout::TypeLayout(Operation *module)
    : context(std::make_unique<llvm::LLVMContext>()),
      layout(std::make_unique<llvm::DataLayout>(layoutOf(module))),
      translator(std::make_unique<LLVM::TypeToLLVMIRTranslator>(*context)) {}

TypeLayout::~TypeLayout() = default;
TypeLayout::TypeLayout(TypeLayout &&) = default;

TypeLayout::Facts TypeLayout::of(Type type) const {
  auto [entry, isNew] = known.try_emplace(type);
  if (isNew) {
    llvm::Type *translated = translator->translateType(type);
    entry->second = {layout->getTypeStoreSize(translated).getFixedValue(),
                     layout->getTypeAllocSize(translated).getFixedValue(),
                     layout->getABITypeAlign(translated).value()};
  }
  return entry->second;
}

SmallVector<uint64_t>
TypeLayout::memberOffsets(LLVM::LLVMStructType structure) const {
  SmallVector<uint64_t> offsets;
  for (llvm::TypeSize offset : layout
                                   ->getStructLayout(cast<llvm::StructType>(
                                       translator->translateType(structure)))
                                   ->getMemberOffsets())
    offsets.push_back(offset.getFixedValue());
  return offsets;
}

bool TypeLayout::isKnownToMLIR(Type type, const DataLayout &theirs) const {
  if (theirs.getTypeSize(type) != storeSize(type))
    return false;
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    Type element = array.getElementType();
    return theirs.getTypeSize(element) == allocSize(element) &&
           isKnownToMLIR(element, theirs);
  }
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  if (!structure)
    return true;
  uint64_t place = 0;
  for (auto [member, offset] :
       llvm::zip(structure.getBody(), memberOffsets(structure))) {
    if (!structure.isPacked())
      place = llvm::alignTo(place, theirs.getTypeABIAlignment(member));
    if (place != offset || !isKnownToMLIR(member, theirs))
      return false;
    place += theirs.getTypeSize(member);
  }
  return true;
}

bool TypeLayout::isThatOf(const llvm::DataLayout &other) const {
  return *layout == other;
}
