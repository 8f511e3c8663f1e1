//===- ElementLayout.cpp - Where the fields of elements lie ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/RuntimeInterface/ElementLayout.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"

#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace cilk2chan;

Type cilk2chan::inMemory(Type type) {
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : type;
}

ElementLayout::ElementLayout(chan::StackOp stack, const TypeLayout &layout) {
  SmallVector<Field> declared;
  for (auto [name, attr] :
       llvm::zip(stack.getFieldNames(), stack.getFieldTypes())) {
    Type type = cast<TypeAttr>(attr).getValue();
    uint64_t natural = layout.abiAlignment(type);
    declared.push_back({cast<StringAttr>(name).getValue(), type, 0,
                        layout.allocSize(type),
                        std::min<uint64_t>(natural, abi::maxFieldAlignment)});
  }
  auto append = [&](Field field) {
    size = llvm::alignTo(size, field.alignment);
    field.offset = size;
    size += field.size;
    fields.push_back(field);
  };
  // A machine that launches ranges finds the range in the first two words.
  if (stack.getRanges())
    for (unsigned i = 0; i < 2; ++i) {
      append(declared.front());
      declared.erase(declared.begin());
    }
  for (uint64_t alignment = abi::maxFieldAlignment; alignment; alignment /= 2)
    for (const Field &field : declared)
      if (field.alignment == alignment && field.name != chan::CalleeField)
        append(field);
  // `callee` goes last, so that the others lie where they do without it.
  for (const Field &field : declared)
    if (field.name == chan::CalleeField)
      append(field);
}

const ElementLayout::Field &ElementLayout::field(StringRef name) const {
  auto it =
      llvm::find_if(fields, [&](const Field &f) { return f.name == name; });
  assert(it != fields.end() && "the verifier has checked field names");
  return *it;
}

uint64_t cilk2chan::signatureHash(chan::StackOp stack,
                                  const TypeLayout &layout) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto signature = *stack.getSignature();
  stream << signature.getReturnType() << '(';
  for (auto [name, attr] :
       llvm::zip(stack.getFieldNames(), stack.getFieldTypes())) {
    if (cast<StringAttr>(name).getValue() == chan::CalleeField)
      continue;
    // Struct names differ between objects; sizes and alignments do not.
    Type type = cast<TypeAttr>(attr).getValue();
    if (isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type))
      stream << "memory " << layout.storeSize(type) << ' '
             << layout.abiAlignment(type);
    else
      stream << type;
    stream << ',';
  }
  stream << (signature.isVarArg() ? "...)" : ")");
  return llvm::xxh3_64bits(text);
}

llvm::StringMap<unsigned> cilk2chan::countSites(ModuleOp module) {
  llvm::StringMap<unsigned> sites;
  for (auto kernel : module.getOps<chan::KernelOp>())
    if (kernel.getPhase())
      kernel.getBody().walk([&](chan::EnqOp op) {
        unsigned &count = sites[kernel.getConsumes()];
        count = std::max(count, *op.getSite() + 1);
      });
  return sites;
}
