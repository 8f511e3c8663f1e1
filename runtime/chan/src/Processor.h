//===- Processor.h - What the processor has ---------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_PROCESSOR_H
#define CHAN_SRC_PROCESSOR_H

#include <stdint.h>

namespace chan {

/// N if the processor has what x86-64-vN asks for and not what the next level
/// does; 1 for other kinds of processors.  Any thread.
uint32_t processorLevel();

/// Ends the process with status 1 and a message if a program compiled for
/// `processor` may use one of `features`, instruction sets by LLVM's names with
/// commas between them, that this processor lacks.
void checkProcessor(const char *processor, const char *features);

} // namespace chan

#endif
