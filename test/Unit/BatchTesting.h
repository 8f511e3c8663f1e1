//===- BatchTesting.h - What tests of batches share -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TEST_UNIT_BATCHTESTING_H
#define TEST_UNIT_BATCHTESTING_H

#include "RuntimeKernels.h"

namespace kernels {

/// Lanes of the forms that all tests use. They are loops.
inline constexpr uint32_t kLanes = 4;

/// The marks of the group that begins with element `i`.
inline uint64_t *marksOf(chan_batch *batch, uint32_t i, uint32_t words) {
  return batch->marks + size_t((i - batch->first) / kLanes) * words;
}

template <typename E>
chan_channel makeBatchChannel(const char *name, chan_kernel kernel,
                              const chan_batch_form *form) {
  static ChannelState state;
  return {name,
          kernel,
          E::fields.data(),
          E::count,
          E::size,
          0,
          CHAN_ENTRY,
          reinterpret_cast<chan_channel_state *>(&state),
          nullptr,
          form,
          0,
          form ? form->lanes : 1,
          0};
}

/// A form with two phases and the number of lanes that all tests use.
constexpr chan_batch_form makeForm(const chan_channel *callee,
                                   const chan_phase *phases, uint32_t sites,
                                   uint32_t resultSize) {
  chan_batch_form form = {};
  form.callee = callee;
  form.phases = phases;
  form.phase_count = 2;
  form.lanes = kLanes;
  form.sites = sites;
  form.result_size = resultSize;
  form.handlers = UINT32_MAX;
  return form;
}

} // namespace kernels

#endif // TEST_UNIT_BATCHTESTING_H
