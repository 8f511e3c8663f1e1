//===- TypeLayout.h - Sizes, alignments and offsets of types ----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many bytes a type takes, as the code generator has it. MLIR's own
// `mlir::DataLayout` must not be asked: it gives
//
//   !llvm.struct<(f80, i32)>    16 bytes, and LLVM 32 (a f80 is padded to 16)
//   !llvm.array<2 x f80>        20 bytes, and LLVM 32
//   vector<3xi32>               16 bytes, and LLVM 12
//
// and Clang, which lays out C's objects, agrees with LLVM. So every pass takes
// sizes, alignments and offsets from here, and `mergeBack` refuses a module
// whose passes were told another data layout than Clang's module has.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_TYPELAYOUT_H
#define CILK2CHAN_SUPPORT_TYPELAYOUT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>

namespace llvm {
class DataLayout;
class LLVMContext;
} // namespace llvm

namespace mlir {

class DataLayout;
namespace LLVM {

class LLVMStructType;
class TypeToLLVMIRTranslator;
} // namespace LLVM
namespace detail {
class PreservedAnalyses;
} // namespace detail
} // namespace mlir

namespace cilk2chan {

/// The layout of the types of a module. An analysis of the module:
/// `getAnalysis<TypeLayout>()`.
///
/// The data layout is the module's attribute `llvm.data_layout`, which the
/// import copies from Clang's module. Code written by hand may leave it out,
/// and has that of x86-64 Linux then.
///
/// All types are what `isStorable` accepts; sizes and alignments are in bytes.
/// Thread safety: none; it caches what it has been asked.
class TypeLayout {
public:
  explicit TypeLayout(mlir::Operation *module);
  ~TypeLayout();
  TypeLayout(TypeLayout &&);

  /// The bytes that a store writes: 10 for a f80, 3 for an i24.
  uint64_t storeSize(mlir::Type type) const { return of(type).store; }
  /// The distance between neighbours in an array: 16 for a f80, 4 for an i24.
  uint64_t allocSize(mlir::Type type) const { return of(type).alloc; }
  uint64_t abiAlignment(mlir::Type type) const { return of(type).alignment; }
  /// The distance of each member from the beginning of the struct.
  llvm::SmallVector<uint64_t>
  memberOffsets(mlir::LLVM::LLVMStructType structure) const;

  /// Whether MLIR's own layout has the same size for `type`, and the same place
  /// for all parts of it. MLIR's passes over objects on the stack (mem2reg,
  /// SROA) take offsets from that one, so they may only be given such objects.
  bool isKnownToMLIR(mlir::Type type, const mlir::DataLayout &theirs) const;

  /// Whether two modules lay out all types alike.
  bool isThatOf(const llvm::DataLayout &other) const;

  /// A module keeps its data layout whatever a pass does to it.
  template <typename Preserved> bool isInvalidated(const Preserved &) const {
    return false;
  }

private:
  struct Facts {
    uint64_t store, alloc, alignment;
  };
  Facts of(mlir::Type type) const;

  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::DataLayout> layout;
  std::unique_ptr<mlir::LLVM::TypeToLLVMIRTranslator> translator;
  mutable llvm::DenseMap<mlir::Type, Facts> known;
};

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_TYPELAYOUT_H
