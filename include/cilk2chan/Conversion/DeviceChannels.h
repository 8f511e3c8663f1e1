//===- DeviceChannels.h - Channels of a machine in device code --*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device code in an object is for all machines.  It does not say where elements of
// channels lie, nor how threads get room for them, but calls:
//
//   i64  @__vgiw_dequeued(i64 thread)        the number of the element of a thread
//   ptr  @__vgiw_column(ptr channel, i64 field)   where that field of element 0 lies
//   ptr  @__vgiw_field(ptr column, i64 number, i64 size, i64 elementSize)
//   i64  @__vgiw_reserve(ptr channel)        a place in it, or -1
//   i64  @__vgiw_reserve_own(ptr channel)    a place for the thread's continuation
//   void @__vgiw_enqueue(ptr channel, i64 number)
//   void @__vgiw_free(i64 number)            the element that the thread has dequeued
//   ptr  @__vgiw_pop(ptr list)               a frame, or null
//   void @__vgiw_push(ptr list, ptr frame)
//
// lowerDeviceChannels() replaces them when a program is linked for a machine.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_DEVICECHANNELS_H
#define CILK2CHAN_CONVERSION_DEVICECHANNELS_H

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace cilk2chan {

inline constexpr llvm::StringLiteral DeviceDequeued = "__vgiw_dequeued";
inline constexpr llvm::StringLiteral DeviceColumn = "__vgiw_column";
inline constexpr llvm::StringLiteral DeviceField = "__vgiw_field";
inline constexpr llvm::StringLiteral DeviceReserveOwn = "__vgiw_reserve_own";
inline constexpr llvm::StringLiteral DeviceEnqueue = "__vgiw_enqueue";
inline constexpr llvm::StringLiteral DeviceFree = "__vgiw_free";

/// Where channels are, and how threads reserve room in them.
enum class DeviceChannels {
  /// The dispatcher hands batches out and takes them back; a field has a column of its
  /// own, and threads reserve by one operation of the machine.
  Columns,
  /// Arrays in memory (chan/device.h), on which each thread works by itself.
  Baseline,
  /// Alike, but one lane reserves for all that are with it (ISCA'14, Figure 5).
  Leader
};

struct DeviceChannelOptions {
  DeviceChannels channels = DeviceChannels::Columns;
  /// Of arrays: whether the fields of an element are adjacent, and not those of one
  /// name; then an element takes a multiple of so many bytes.
  bool structures = true;
  uint64_t elementAlignment = abi::arrayElementAlignment;
};

/// Bytes from one element of `size` bytes to the next, of structures.
inline uint64_t elementStride(uint64_t size,
                              const DeviceChannelOptions &options) {
  return (size + options.elementAlignment - 1) / options.elementAlignment *
         options.elementAlignment;
}

/// Replaces the calls above in all device functions of the module.
void lowerDeviceChannels(llvm::Module &module,
                         const DeviceChannelOptions &options);

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_DEVICECHANNELS_H
