//===- Processor.h - Features of the processor ------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_PROCESSOR_H
#define CHAN_SRC_PROCESSOR_H

#include <stdint.h>

namespace chan {

/// N if the processor has all features of x86-64-vN and not those of the next
/// level; 1 for other kinds of processors. Any thread.
uint32_t processorLevel();

/// Checks a program compiled for `processor`. `features` are the instruction
/// sets that it may use, by LLVM's names with commas between them. If this
/// processor lacks one, ends the process with status 1 and a message.
void checkProcessor(const char *processor, const char *features);

} // namespace chan

#endif
