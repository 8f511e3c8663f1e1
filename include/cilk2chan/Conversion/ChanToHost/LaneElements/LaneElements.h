//===- LaneElements.h - Elements of many lanes at once ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_CHANTOHOST_LANEELEMENTS_LANEELEMENTS_H
#define CILK2CHAN_CONVERSION_CHANTOHOST_LANEELEMENTS_LANEELEMENTS_H

#include "cilk2chan/Conversion/RuntimeInterface/HostBuilder.h"

namespace cilk2chan {

/// Code for the values of a kernel's lanes: masks, and values that lie side by
/// side in memory.
class Lanes {
public:
  Lanes(HostBuilder &builder, unsigned vectorBits)
      : builder(builder), vectorBits(vectorBits) {}

  /// Code is for a kernel of so many lanes from now on.
  void beginKernel(unsigned lanes) { count = lanes; }

  mlir::Value splat(mlir::Location loc, mlir::Type type, int64_t value);
  mlir::VectorType lanesOf(mlir::Type type) const {
    return mlir::VectorType::get(count, type);
  }
  /// The mask of the first lanes, of which there are `present`, an i32.
  mlir::Value firstOf(mlir::Location loc, mlir::Value present);
  /// What lies side by side from `place` on, in the lanes of `mask`; may read
  /// as many values as there are lanes.
  mlir::Value loadUnpacked(mlir::Location loc, mlir::Type type,
                           mlir::Value place, mlir::Value mask);
  /// With AVX-512, as much of what lies side by side from `place` on as goes
  /// into a register.
  mlir::Value loadRegister(mlir::Location loc, mlir::Type type,
                           mlir::Value place);
  /// What lies there, in the lanes of `mask`, in others what they have in
  /// `before`, if that is given. `first` is a register that has been loaded: an
  /// instruction that both loads and expands begins to load when it knows the
  /// mask.
  mlir::Value refill(mlir::Location loc, mlir::Type type, mlir::Value place,
                     mlir::Value first, mlir::Value mask, mlir::Value before);
  /// A mask as 64 bits, and back.
  mlir::Value bitsOf(mlir::Location loc, mlir::Value mask);
  mlir::Value maskOf(mlir::Location loc, mlir::Value bits);
  /// The same for code that computes with the mask: without registers for
  /// masks, LLVM would take the bits apart one by one.
  mlir::Value maskOfLanes(mlir::Location loc, mlir::Value bits);
  /// How many lanes `mask` names, as i32.
  mlir::Value popcount(mlir::Location loc, mlir::Value mask);

private:
  friend class Packing;
  /// Those of `all` that `mask` names side by side, in one register of 32 or 64
  /// bit lanes; behind them zeros.
  mlir::Value compress(mlir::Location loc, mlir::Value all, mlir::Value mask);
  /// Of `all` side by side one for each lane that `mask` names, in one
  /// register; in others what these have in `before`.
  mlir::Value expand(mlir::Location loc, mlir::Value all, mlir::Value mask,
                     mlir::Value before);
  /// The lanes from `begin` on.
  mlir::Value slice(mlir::Location loc, mlir::Value all, unsigned begin,
                    unsigned size);
  /// `all` with the lanes from `begin` on replaced by `some`.
  mlir::Value insert(mlir::Location loc, mlir::Value all, mlir::Value some,
                     unsigned begin);

  HostBuilder &builder;
  const unsigned vectorBits;
  unsigned count = 0;
};

/// Stores what a mask names of lanes' values side by side, from the index
/// `first` on.  What is computed of the mask serves all values, which are
/// stored in one block of code.
class Packing {
public:
  Packing(Lanes &lanes, mlir::Location loc, mlir::Value mask,
          mlir::Value first);

  /// Where the value of an index belongs.
  using Address = llvm::function_ref<mlir::Value(mlir::Value)>;
  /// May write as many values as there are lanes.
  void store(mlir::Value all, Address address, unsigned alignment);

  /// So many lanes of the mask, and the index of the first that it names.
  struct Part {
    mlir::Value index, mask = {};
  };
  llvm::ArrayRef<Part> divide(unsigned size);

private:
  void storeOne(mlir::Value some, mlir::Value index, Address address,
                unsigned alignment);
  void storeBytes(mlir::Value all, Address address, unsigned alignment);
  /// With AVX2.
  void storeByOrder(mlir::Value all, unsigned bits, Address address,
                    unsigned alignment);

  /// Bytes that an instruction permutes.
  static constexpr unsigned chunk = 16;

  Lanes &lanes;
  HostBuilder &builder;
  mlir::Location loc;
  mlir::Value mask, first;
  llvm::DenseMap<unsigned, llvm::SmallVector<Part>> parts;
  /// Of the bytes of each part.
  llvm::SmallVector<mlir::Value> orders;
};

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_CHANTOHOST_LANEELEMENTS_LANEELEMENTS_H
