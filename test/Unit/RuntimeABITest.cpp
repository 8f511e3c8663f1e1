//===- RuntimeABITest.cpp - The compiler's ABI is the runtime's -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler knows libchan by include/cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h,
// libchan itself by chan/abi.h. Compiled programs work only if the two agree.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"

#include "chan/abi.h"
#include "chan/device.h"

#include "gtest/gtest.h"

namespace host = cilk2chan::abi;

// What kernels access inline.
static_assert(host::version == CHAN_ABI_VERSION);
static_assert(host::pointerSize == sizeof(void *));

static_assert(host::blockChannel == offsetof(chan_block, channel));
static_assert(host::blockCount == offsetof(chan_block, count));
static_assert(host::blockCapacity == offsetof(chan_block, capacity));
static_assert(host::blockNext == offsetof(chan_block, next));
static_assert(host::blockHeader == CHAN_BLOCK_HEADER);
static_assert(sizeof(chan_block) == CHAN_BLOCK_HEADER);
static_assert(sizeof(chan_block::count) == 4 &&
              sizeof(chan_block::capacity) == 4);

static_assert(host::levelEntries == offsetof(chan_level, entries));
static_assert(host::levelContinuations == offsetof(chan_level, continuations));
static_assert(host::levelDeeper == offsetof(chan_level, deeper));

static_assert(host::workerLevel == offsetof(chan_worker, level));
static_assert(host::workerFreeFrames == offsetof(chan_worker, free_frames));

static_assert(host::workerStackLimit == offsetof(chan_worker, stack_limit));
static_assert(host::workerPollFrom == offsetof(chan_worker, poll_from));
static_assert(host::workerCloneTasks == offsetof(chan_worker, clone_tasks));
static_assert(host::workerReductions == offsetof(chan_worker, reductions));
static_assert(host::workerPredictedStack ==
              offsetof(chan_worker, predicted_stack));
static_assert(host::workerPredictedPolls ==
              offsetof(chan_worker, predicted_polls));
static_assert(host::workerPredictedPollsLeft ==
              offsetof(chan_worker, predicted_polls_left));
static_assert(host::workerCloneLimit == offsetof(chan_worker, clone_limit));
static_assert(host::predictedStackRoom == CHAN_PREDICTED_STACK_ROOM);
static_assert(host::predictedPollsUsual == CHAN_PREDICTED_POLLS_USUAL);
static_assert(host::predictedPollsMax == CHAN_PREDICTED_POLLS_MAX);
static_assert(host::reductions == CHAN_REDUCTIONS);
static_assert(host::reductionSize == sizeof(chan_reduction));
static_assert(host::reductionAddress == offsetof(chan_reduction, address));
static_assert(host::reductionKind == offsetof(chan_reduction, kind));
static_assert(host::reductionValue == offsetof(chan_reduction, value));

static_assert(host::batchElements == offsetof(chan_batch, elements));
static_assert(host::batchResults == offsetof(chan_batch, results));
static_assert(host::batchLocals == offsetof(chan_batch, locals));
static_assert(host::batchMarks == offsetof(chan_batch, marks));
static_assert(host::batchChildren == offsetof(chan_batch, children));
static_assert(host::batchChildResults == offsetof(chan_batch, child_results));
static_assert(host::batchFirst == offsetof(chan_batch, first));
static_assert(host::batchPending == offsetof(chan_batch, pending));
static_assert(host::batchSpawned == offsetof(chan_batch, spawned));
static_assert(host::batchSpawnedCount == offsetof(chan_batch, spawned_count));
static_assert(host::batchHandled == offsetof(chan_batch, handled));
static_assert(host::batchDestinations == offsetof(chan_batch, destinations));
static_assert(host::batchAccumulator == offsetof(chan_batch, accumulator));
static_assert(host::batchTested == offsetof(chan_batch, tested));
static_assert(host::batchTests == offsetof(chan_batch, tests));
static_assert(host::spawnedMask == offsetof(chan_spawned, mask));
static_assert(host::spawnedGroup == offsetof(chan_spawned, group));
static_assert(host::spawnedSite == offsetof(chan_spawned, site));
static_assert(host::spawnedSize == sizeof(chan_spawned));

static_assert(host::frameGrain == CHAN_FRAME_GRAIN);
static_assert(host::frameClasses == CHAN_FRAME_CLASSES);
static_assert(sizeof(chan_worker::free_frames) ==
              host::frameClasses * host::pointerSize);

static_assert(host::pendingWords * host::pointerSize == sizeof(chan_pending));
static_assert(host::channelStateSize == CHAN_CHANNEL_STATE_SIZE);

// Channels in the memory of a machine.
static_assert(host::arrayTail == offsetof(chan_array, tail));
static_assert(host::arrayReserveTail == offsetof(chan_array, reserve_tail));
static_assert(host::arrayControlTail == offsetof(chan_array, control_tail));
static_assert(host::arrayHead == offsetof(chan_array, head));
static_assert(host::arrayMask == offsetof(chan_array, mask));
static_assert(host::arrayControlMask == offsetof(chan_array, control_mask));
static_assert(host::arrayControl == offsetof(chan_array, control));
static_assert(host::arrayDone == offsetof(chan_array, done));
static_assert(host::arrayDoneShift == offsetof(chan_array, done_shift));
static_assert(host::arrayData == offsetof(chan_array, data));
static_assert(host::arrayStride == offsetof(chan_array, stride));
static_assert(host::arrayColumns == offsetof(chan_array, columns));
static_assert(host::arrayLine == CHAN_ARRAY_LINE);
static_assert(host::arrayElementAlignment == CHAN_ARRAY_ELEMENT_ALIGNMENT);
static_assert(host::arrayFrameAlignment == CHAN_ARRAY_FRAME_ALIGNMENT);
static_assert(sizeof(*chan_array::control) == 4);

// The descriptors that ChanToHost emits as literal structs of pointers and
// integers.
static_assert(sizeof(chan_field) == 8 && offsetof(chan_field, size) == 4);

namespace {
struct EmittedChannel {
  void *name, *kernel, *fields;
  uint32_t fieldCount, elementSize, frameSize, kind;
  void *state, *serial, *batch;
  uint32_t width, lanes, flags;
};
struct EmittedBatchForm {
  void *callee, *phases;
  uint32_t phaseCount, lanes, sites, localSize, resultSize, resultField,
      handlers, processor;
  void *next;
  uint64_t uniform;
  uint32_t reduces, reducingLanes;
  void *reducing;
};
struct EmittedExport {
  void *function, *channel;
  uint64_t signature;
};
struct EmittedModule {
  uint32_t version, count;
  void *exports, *next, *processor, *features;
};
} // namespace

TEST(RuntimeABI, ChannelsAreAsEmitted) {
  EXPECT_EQ(sizeof(EmittedChannel), sizeof(chan_channel));
  EXPECT_EQ(offsetof(EmittedChannel, name), offsetof(chan_channel, name));
  EXPECT_EQ(offsetof(EmittedChannel, kernel), offsetof(chan_channel, kernel));
  EXPECT_EQ(offsetof(EmittedChannel, fields), offsetof(chan_channel, fields));
  EXPECT_EQ(offsetof(EmittedChannel, fieldCount),
            offsetof(chan_channel, field_count));
  EXPECT_EQ(offsetof(EmittedChannel, elementSize),
            offsetof(chan_channel, element_size));
  EXPECT_EQ(offsetof(EmittedChannel, frameSize),
            offsetof(chan_channel, frame_size));
  EXPECT_EQ(offsetof(EmittedChannel, kind), offsetof(chan_channel, kind));
  EXPECT_EQ(offsetof(EmittedChannel, state), offsetof(chan_channel, state));
  EXPECT_EQ(offsetof(EmittedChannel, serial), offsetof(chan_channel, serial));
  EXPECT_EQ(offsetof(EmittedChannel, batch), offsetof(chan_channel, batch));
  EXPECT_EQ(offsetof(EmittedChannel, width), offsetof(chan_channel, width));
  EXPECT_EQ(offsetof(EmittedChannel, lanes), offsetof(chan_channel, lanes));
  EXPECT_EQ(offsetof(EmittedChannel, flags), offsetof(chan_channel, flags));
  EXPECT_EQ(host::channelCloneCounts, CHAN_CLONE_COUNTS);
  EXPECT_EQ(host::channelReduces, CHAN_REDUCES);
  EXPECT_EQ(host::channelLatePromoting, CHAN_CLONE_LATE_PROMOTING);
  // chan::StackKind, whose values are emitted as they are.
  EXPECT_EQ(0, CHAN_ENTRY);
  EXPECT_EQ(1, CHAN_CONTINUATION);
}

TEST(RuntimeABI, BatchFormsAreAsEmitted) {
  EXPECT_EQ(sizeof(EmittedBatchForm), sizeof(chan_batch_form));
  EXPECT_EQ(offsetof(EmittedBatchForm, phases),
            offsetof(chan_batch_form, phases));
  EXPECT_EQ(offsetof(EmittedBatchForm, phaseCount),
            offsetof(chan_batch_form, phase_count));
  EXPECT_EQ(offsetof(EmittedBatchForm, lanes),
            offsetof(chan_batch_form, lanes));
  EXPECT_EQ(offsetof(EmittedBatchForm, sites),
            offsetof(chan_batch_form, sites));
  EXPECT_EQ(offsetof(EmittedBatchForm, localSize),
            offsetof(chan_batch_form, local_size));
  EXPECT_EQ(offsetof(EmittedBatchForm, resultSize),
            offsetof(chan_batch_form, result_size));
  EXPECT_EQ(offsetof(EmittedBatchForm, resultField),
            offsetof(chan_batch_form, result_field));
  EXPECT_EQ(offsetof(EmittedBatchForm, handlers),
            offsetof(chan_batch_form, handlers));
  EXPECT_EQ(offsetof(EmittedBatchForm, uniform),
            offsetof(chan_batch_form, uniform));
  EXPECT_EQ(offsetof(EmittedBatchForm, reduces),
            offsetof(chan_batch_form, reduces));
  EXPECT_EQ(offsetof(EmittedBatchForm, reducingLanes),
            offsetof(chan_batch_form, reducing_lanes));
  EXPECT_EQ(offsetof(EmittedBatchForm, reducing),
            offsetof(chan_batch_form, reducing));
  // chan::Combination, whose values are emitted as they are.
  EXPECT_EQ(1, CHAN_SUM);
  EXPECT_EQ(2, CHAN_PRODUCT);
  EXPECT_EQ(3, CHAN_AND);
  EXPECT_EQ(4, CHAN_OR);
  EXPECT_EQ(5, CHAN_EXCLUSIVE_OR);
  EXPECT_EQ(6, CHAN_SIGNED_MAXIMUM);
  EXPECT_EQ(7, CHAN_SIGNED_MINIMUM);
  EXPECT_EQ(8, CHAN_UNSIGNED_MAXIMUM);
  EXPECT_EQ(9, CHAN_UNSIGNED_MINIMUM);
  EXPECT_EQ(offsetof(EmittedBatchForm, processor),
            offsetof(chan_batch_form, processor));
  EXPECT_EQ(offsetof(EmittedBatchForm, next), offsetof(chan_batch_form, next));
}

TEST(RuntimeABI, ModulesAreAsEmitted) {
  EXPECT_EQ(sizeof(EmittedExport), sizeof(chan_export));
  EXPECT_EQ(offsetof(EmittedExport, function), offsetof(chan_export, function));
  EXPECT_EQ(offsetof(EmittedExport, channel), offsetof(chan_export, channel));
  EXPECT_EQ(offsetof(EmittedExport, signature),
            offsetof(chan_export, signature));
  EXPECT_EQ(sizeof(EmittedModule), sizeof(chan_module));
  EXPECT_EQ(offsetof(EmittedModule, version),
            offsetof(chan_module, abi_version));
  EXPECT_EQ(offsetof(EmittedModule, count),
            offsetof(chan_module, export_count));
  EXPECT_EQ(offsetof(EmittedModule, exports), offsetof(chan_module, exports));
  EXPECT_EQ(offsetof(EmittedModule, next), offsetof(chan_module, next));
  EXPECT_EQ(offsetof(EmittedModule, processor),
            offsetof(chan_module, processor));
  EXPECT_EQ(offsetof(EmittedModule, features), offsetof(chan_module, features));
}

// Kernels pass these by their alignment, and the runtime must honour it.
TEST(RuntimeABI, AlignmentsAreKept) {
  EXPECT_EQ(0u, host::blockHeader % host::maxFieldAlignment);
  EXPECT_EQ(0u, host::frameGrain % host::frameAlignment);
}
