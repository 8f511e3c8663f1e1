//===- LLVMIRToVGIW.h - Device functions become dataflow graphs -*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A *device function* is an LLVM function that a machine runs once per element
// of a channel. It returns nothing, carries the attribute
// `vgiw.kernel`="STACK", the stack that it consumes, and takes what `initiate`
// delivers to the thread (i64) and then words. Its attribute `vgiw.bindings`
// says what the dispatcher gives for each, in order, separated by semicolons:
// "argument 0", "field 1", "capture 2", "column 2 STACK LEVEL",
// "control STACK LEVEL", "frames BYTES", "level", "group", "batch 0". If the elements of the stack
// are ranges, its attribute `vgiw.launch` is "range" or "ranges" (vgiw.kernel
// in docs/Dialects/VGIW.md). For messages, `vgiw.source` names the C function, and
// `vgiw.place` is where that or the loop stands in the source: "FILE:LINE:COLUMN".
// What only the machine can do it calls by these names:
//
//   i64  @__vgiw_reserve(ptr control)    a place in a channel, or -1
//   ptr  @__vgiw_pop(ptr list)           the first item of a free list, or null
//   void @__vgiw_push(ptr list, ptr item)
//   void @__vgiw_syscall(ptr thunk, ptr record)
//   void @__vgiw_heap_call(ptr thunk, ptr record)   if it only allocates or frees
//   void @__vgiw_yield()                 stop; the aggregator resumes it here
//   void @__vgiw_barrier()               wait for the threads of the work-group
//
// Lanes of a SIMT core know of each other by these names, which are convergent:
//
//   i64  @__simt_ballot(i1 value)        a mask of the lanes here that have it set
//   i64  @__simt_lane()                  the number of the lane
//   i64  @__simt_read_lane(i64 value, i64 lane)     what that lane has
//
// How elements of channels are found, filled and freed depends on the machine: before
// the device code is optimised, `lowerDeviceChannels` replaces the calls in
// cilk2chan/Conversion/DeviceChannels.h.
//
// If N threads are a work-group, the attribute `vgiw.group` is "N BYTES", with
// the bytes of memory that they share; a word is bound to "group".
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_LLVMIRTOVGIW_H
#define CILK2CHAN_CONVERSION_LLVMIRTOVGIW_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm
namespace mlir {
class MLIRContext;
class ModuleOp;
template <typename OpTy> class OwningOpRef;
} // namespace mlir

namespace cilk2chan {

inline constexpr llvm::StringLiteral DeviceKernelAttribute = "vgiw.kernel";
inline constexpr llvm::StringLiteral DeviceBindingsAttribute = "vgiw.bindings";
/// Of kernels whose accesses say in which order others see them; and of such an access,
/// as SIMT assembly says it ("relaxed", "release").
inline constexpr llvm::StringLiteral DeviceOrderAttribute = "vgiw.order";
inline constexpr llvm::StringLiteral DeviceLaunchAttribute = "vgiw.launch";
inline constexpr llvm::StringLiteral DeviceGroupAttribute = "vgiw.group";
inline constexpr llvm::StringLiteral DeviceSourceAttribute = "vgiw.source";
inline constexpr llvm::StringLiteral DevicePlaceAttribute = "vgiw.place";
inline constexpr llvm::StringLiteral DeviceReserve = "__vgiw_reserve";
inline constexpr llvm::StringLiteral DevicePop = "__vgiw_pop";
inline constexpr llvm::StringLiteral DevicePush = "__vgiw_push";
inline constexpr llvm::StringLiteral DeviceSyscall = "__vgiw_syscall";
inline constexpr llvm::StringLiteral DeviceHeapCall = "__vgiw_heap_call";
inline constexpr llvm::StringLiteral DeviceYield = "__vgiw_yield";
inline constexpr llvm::StringLiteral DeviceBarrier = "__vgiw_barrier";
inline constexpr llvm::StringLiteral LaneBallot = "__simt_ballot";
inline constexpr llvm::StringLiteral LaneNumber = "__simt_lane";
inline constexpr llvm::StringLiteral LaneRead = "__simt_read_lane";
inline constexpr llvm::StringLiteral DeviceThunkPrefix = "__vgiw_thunk.";

/// What device functions are legalized for: a fabric, which likes large blocks and
/// selects; or a core that executes instructions, which likes branches with one
/// end, and needs no more code than there is; or a fabric that holds a whole
/// kernel, which likes selects and needs no more code either.
enum class DeviceKind { VGIW, SIMT, SGMF };

/// Brings the device functions of a module into the form that
/// `translateDeviceFunctions` takes: only words that a unit can hold, branches
/// of two ways, no calls but of the names above. What no unit does is expanded,
/// or becomes a system-level operation: a function `__vgiw_thunk.N(ptr record)`
/// in this module, which is the host's to run.
void legalizeDeviceFunctions(llvm::Module &module, DeviceKind device);

/// The device functions of a legalized module as `vgiw.kernel`s in stage
/// `graph`. Memory operations are ordered where LLVM's alias analysis cannot
/// tell that they are apart. Null after an error, which is reported at its
/// source location.
mlir::OwningOpRef<mlir::ModuleOp>
translateDeviceFunctions(llvm::Module &module, mlir::MLIRContext &context);

/// Registers the translations `device-to-vgiw` and `device-to-simt`: both of the
/// above, for cilk2chan-translate. The second legalizes for a SIMT core.
void registerDeviceTranslation();

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_LLVMIRTOVGIW_H
