//===- SourcePlaces.cpp - Clang's source locations through MLIR -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CodeGen says in metadata `srcloc` where inline assembly stands, and calls of
// functions with the attributes `error` and `warning`: the back end finds what
// is wrong with them.  The llvm dialect has nothing for it; it goes along as
// the attribute `cilk.srcloc`.
//
//===----------------------------------------------------------------------===//

#include "SourcePlaces.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "mlir/IR/Builders.h"
#include "mlir/Target/LLVMIR/LLVMImportInterface.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "mlir/Target/LLVMIR/ModuleTranslation.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Metadata.h"

using namespace mlir;

static constexpr StringRef MetadataKind = "srcloc",
                           AttributeName = "cilk.srcloc";

namespace {

class ImportPlaces : public LLVMImportDialectInterface {
public:
  using LLVMImportDialectInterface::LLVMImportDialectInterface;

  SmallVector<unsigned>
  getSupportedMetadata(llvm::LLVMContext &context) const override {
    return {context.getMDKindID(MetadataKind)};
  }

  LogicalResult setMetadataAttrs(OpBuilder &builder, unsigned,
                                 llvm::MDNode *node, Operation *op,
                                 LLVM::ModuleImport &) const override {
    // One place for each line of assembly.
    SmallVector<int64_t> places;
    for (const llvm::MDOperand &operand : node->operands())
      if (auto *place =
              llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(operand))
        places.push_back(place->getZExtValue());
    op->setAttr(AttributeName, builder.getDenseI64ArrayAttr(places));
    return success();
  }
};

class ExportPlaces : public LLVMTranslationDialectInterface {
public:
  using LLVMTranslationDialectInterface::LLVMTranslationDialectInterface;

  LogicalResult amendOperation(Operation *,
                               ArrayRef<llvm::Instruction *> instructions,
                               NamedAttribute attribute,
                               LLVM::ModuleTranslation &) const override {
    auto places = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    if (attribute.getName() != AttributeName || !places)
      return success();
    for (llvm::Instruction *instruction : instructions) {
      llvm::LLVMContext &context = instruction->getContext();
      SmallVector<llvm::Metadata *> operands;
      for (int64_t place : places.asArrayRef())
        operands.push_back(llvm::ConstantAsMetadata::get(
            llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), place)));
      instruction->setMetadata(MetadataKind,
                               llvm::MDNode::get(context, operands));
    }
    return success();
  }
};

} // namespace

void cilk2chan::registerSourcePlaces(DialectRegistry &registry) {
  registry.insert<cilk::CilkDialect>();
  registry.addExtension(+[](MLIRContext *, cilk::CilkDialect *dialect) {
    dialect->addInterfaces<ImportPlaces, ExportPlaces>();
  });
}
