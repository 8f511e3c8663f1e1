//===- RuntimeABI.h - What emitted code knows of libchan --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler's one copy of the layouts in runtime/chan/include/chan/abi.h,
// which says what they mean.  All sizes and offsets are in bytes.
// test/Unit/RuntimeABITest.cpp compares the two.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_RUNTIMEABI_H
#define CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_RUNTIMEABI_H

#include <cstdint>

namespace cilk2chan::abi {

inline constexpr uint32_t version = 14;
inline constexpr uint64_t pointerSize = 8;

// chan_block
inline constexpr int32_t blockChannel = 0;
inline constexpr int32_t blockCount = 8;
inline constexpr int32_t blockCapacity = 12;
inline constexpr int32_t blockNext = 16;
inline constexpr int32_t blockHeader = 32;
inline constexpr uint64_t maxFieldAlignment = 16;

// chan_level
inline constexpr int32_t levelEntries = 0;
inline constexpr int32_t levelContinuations = 8;
inline constexpr int32_t levelDeeper = 16;

// chan_worker
inline constexpr int32_t workerLevel = 0;
inline constexpr int32_t workerFreeFrames = 8;
inline constexpr int32_t workerStackLimit = 520;
inline constexpr int32_t workerPollFrom = 528;
inline constexpr int32_t workerCloneTasks = 536;
inline constexpr int32_t workerReductions = 544;
inline constexpr int32_t workerPredictedStack = 640;
inline constexpr int32_t workerPredictedPolls = 648;
inline constexpr int32_t workerPredictedPollsLeft = 652;
inline constexpr int32_t workerCloneLimit = 656;
inline constexpr uint32_t predictedStackRoom = 512;
inline constexpr uint32_t predictedPollsUsual = 256;
inline constexpr uint32_t predictedPollsMax = 1025;

inline constexpr char cloning[] = "chan_cloning";

// chan_reduction
inline constexpr uint64_t reductions = 4;
inline constexpr int32_t reductionSize = 24;
inline constexpr int32_t reductionAddress = 0;
inline constexpr int32_t reductionKind = 8;
inline constexpr int32_t reductionValue = 16;

// chan_batch
inline constexpr int32_t batchElements = 0;
inline constexpr int32_t batchResults = 8;
inline constexpr int32_t batchLocals = 16;
inline constexpr int32_t batchMarks = 24;
inline constexpr int32_t batchChildren = 32;
inline constexpr int32_t batchChildResults = 40;
inline constexpr int32_t batchFirst = 48;
inline constexpr int32_t batchPending = 52;
inline constexpr int32_t batchSpawned = 56;
inline constexpr int32_t batchSpawnedCount = 64;
inline constexpr int32_t batchHandled = 68;
inline constexpr int32_t batchDestinations = 72;
inline constexpr int32_t batchAccumulator = 80;
inline constexpr int32_t batchTested = 88;
inline constexpr int32_t batchTests = 92;

// chan_spawned
inline constexpr int32_t spawnedMask = 0;
inline constexpr int32_t spawnedGroup = 8;
inline constexpr int32_t spawnedSite = 12;
inline constexpr uint64_t spawnedSize = 16;

// Members of chan_channel and chan_batch_form, by number.
inline constexpr int64_t channelBatch = 9;
inline constexpr int64_t formProcessor = 9;
inline constexpr int64_t formNext = 10;

// Frames
inline constexpr uint64_t frameGrain = 16;
inline constexpr uint64_t frameClasses = 64;
inline constexpr uint64_t frameAlignment = 16;

// chan_pending, chan_channel
inline constexpr uint64_t pendingWords = 4;
inline constexpr uint64_t channelStateSize = 64;
inline constexpr uint64_t channelStateAlignment = 64;
inline constexpr uint32_t channelCloneCounts = 1;
inline constexpr uint32_t channelReduces = 2;
inline constexpr uint32_t channelLatePromoting = 4;
/// Of the name of the channel that has that.
inline constexpr char reducingSuffix[] = ".reducing";

// The control words of a channel of a simulated machine: tail, width, number of
// elements that are done, then the columns of its fields.
inline constexpr int32_t deviceDone = 16;
inline constexpr int32_t deviceColumns = 24;

// chan_array of chan/device.h: a channel in the memory of a machine.
inline constexpr int32_t arrayTail = 0;
inline constexpr int32_t arrayReserveTail = 64;
inline constexpr int32_t arrayControlTail = 128;
inline constexpr int32_t arrayHead = 192;
inline constexpr int32_t arrayMask = 320;
inline constexpr int32_t arrayControlMask = 328;
inline constexpr int32_t arrayControl = 336;
inline constexpr int32_t arrayDone = 344;
inline constexpr int32_t arrayDoneShift = 352;
inline constexpr int32_t arrayData = 360;
inline constexpr int32_t arrayStride = 368;
inline constexpr int32_t arrayColumns = 384;
inline constexpr uint64_t arrayLine = 64;
inline constexpr uint64_t arrayFrameAlignment = 16;
// Of elements in an array of structures, whatever the alignments of their fields.
inline constexpr uint64_t arrayElementAlignment = 8;

// What the binding `batch N` gives a kernel of such a machine.
inline constexpr uint64_t batchControl =
    0; // the control array it consumes from
inline constexpr uint64_t batchPosition = 1; // of the offset for thread 0
inline constexpr uint64_t batchControlMask = 2;
inline constexpr uint64_t batchArray = 3; // the channel it consumes from
inline constexpr uint64_t batchWaitsFor =
    4; // where a wavefront that yields says why

// Objects register their channels before the program's own constructors run.
inline constexpr int32_t registrationPriority = 101;

} // namespace cilk2chan::abi

#endif // CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_RUNTIMEABI_H
