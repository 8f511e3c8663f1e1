//===- KernelTranslation.h - A device function becomes a graph --*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_KERNELTRANSLATION_H
#define CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_KERNELTRANSLATION_H

#include "MemoryOrder.h"

#include "cilk2chan/Dialect/VGIW/VGIW.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace cilk2chan {

/// What private memory is aligned to: a line of the caches
/// (runtime/sim/src/dispatch/Channels.h).
inline constexpr uint64_t privateAlignment = 128;

/// Makes a `vgiw.kernel` of one device function. Kernels and control flow are
/// in Translate.cpp, values and what is configured in TranslateValues.cpp,
/// everything else that is in a block in TranslateInstructions.cpp.
class KernelTranslation {
public:
  KernelTranslation(llvm::Function &function, mlir::OpBuilder &builder,
                    llvm::AAResults &aliases)
      : function(function), layout(function.getDataLayout()), builder(builder),
        aliases(aliases), i1(builder.getI1Type()), i64(builder.getI64Type()) {}

  /// False after an error.
  bool run();

private:
  bool fail(const llvm::Twine &message);
  mlir::Location locate(const llvm::Instruction *instruction);
  mlir::Location placeInC();
  mlir::Type convert(llvm::Type *type);
  vgiw::BindingAttr bind(llvm::StringRef text);
  void assignPrivateMemory();
  bool setGroup(llvm::StringRef text);
  void declareBlocks();

  void translate(llvm::Instruction &instruction);
  void translateCall(llvm::CallInst &call);
  void translateObject(llvm::AllocaInst &object);
  void translateExchange(llvm::AtomicCmpXchgInst &exchange);
  void setOrder(mlir::Value access, const llvm::Instruction &instruction);
  void translateIntrinsic(llvm::IntrinsicInst &call);
  void translateTerminator(llvm::Instruction &instruction);
  mlir::Value translateAddress(llvm::GEPOperator &address);

  mlir::Value use(llvm::Value *value);
  mlir::Value constant(mlir::Type type, const llvm::APInt &bits);
  mlir::Value constant(uint64_t number) {
    return constant(i64, llvm::APInt(64, number));
  }
  mlir::Value symbol(llvm::StringRef name, int64_t offset);
  mlir::Value parameter(unsigned index, int64_t offset = 0);
  mlir::Value compute(vgiw::Opcode opcode, mlir::Type result,
                      mlir::ValueRange operands) {
    return vgiw::ComputeOp::create(builder, location, result, opcode, operands);
  }
  mlir::Value add(mlir::Value value, int64_t offset);
  /// The values that the instruction has to wait for.
  llvm::SmallVector<mlir::Value> after(llvm::Instruction &instruction);
  llvm::SmallVector<mlir::Value> phiOperands(llvm::BasicBlock *from,
                                             llvm::BasicBlock *to);

  template <typename Make> mlir::Value once(mlir::Value &slot, Make make) {
    if (!slot) {
      mlir::OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(entry);
      slot = make();
    }
    return slot;
  }

  llvm::Function &function;
  const llvm::DataLayout &layout;
  mlir::OpBuilder &builder;
  llvm::AAResults &aliases;
  mlir::Type i1, i64;

  vgiw::KernelOp kernel;
  mlir::Block *entry = nullptr;
  /// Of the instruction being translated, and of the function.
  mlir::Location location = mlir::UnknownLoc::get(builder.getContext());
  mlir::Location whole = location;
  /// Of what has no debug information: names the C function, if any.
  mlir::Location unknown = location;
  bool failed = false;

  llvm::DenseMap<llvm::Value *, mlir::Value> values;
  llvm::MapVector<llvm::BasicBlock *, mlir::Block *> blocks;
  /// What is at hand in the whole kernel, at the start of its entry.
  llvm::MapVector<std::pair<mlir::Type, uint64_t>, mlir::Value> constants;
  llvm::DenseMap<std::pair<llvm::StringRef, int64_t>, mlir::Value> symbols;
  llvm::DenseMap<std::pair<unsigned, int64_t>, mlir::Value> parameters;
  llvm::DenseMap<llvm::AllocaInst *, uint64_t> privateOffsets;

  MemoryOrder order;
  /// The token or value that says a memory operation is done.
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<mlir::Value, 2>>
      done;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_KERNELTRANSLATION_H
