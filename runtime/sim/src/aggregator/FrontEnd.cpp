//===- FrontEnd.cpp - Fetch and prediction of the aggregator --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "aggregator/FrontEnd.h"

#include <algorithm>

namespace chansim::aggregator {

namespace {
/// Of a counter of two bits: the least value that predicts a branch as taken, and that
/// of a branch that was never seen.
constexpr uint8_t kTaken = 2, kUnknown = 1, kMost = 3;
} // namespace

void FrontEnd::ReturnStack::push(uint64_t target) {
  top = (top + 1) % kReturns;
  targets[top] = target;
  depth = std::min(depth + 1, kReturns);
}

uint64_t FrontEnd::ReturnStack::pop() {
  if (depth == 0)
    return kNowhere;
  uint64_t target = targets[top];
  top = (top + kReturns - 1) % kReturns;
  --depth;
  return target;
}

void FrontEnd::ReturnStack::follow(const Instruction &instruction,
                                   uint64_t pc) {
  if (instruction.isReturn())
    pop();
  if (instruction.isCall())
    push(pc + 4);
}

FrontEnd::FrontEnd(uint32_t width, uint32_t lineBytes, MemoryPort &port)
    : width(width), lineBytes(lineBytes), port(port), requester(port),
      counters(kCounters, kUnknown), queue(width * kQueueCycles) {}

void FrontEnd::start(const Hart &startedHart, const Firmware &firmware,
                     uint32_t startedRun) {
  hart = &startedHart;
  codeBase = firmware.codeBase();
  codeBytes = firmware.codeBytes();
  run = startedRun;
  std::ranges::fill(counters, kUnknown);
  predictedReturns = returns = {};
  buffers = {};
  first = last = 0;
  redirect(hart->pc(), 0, 0);
}

//===----------------------------------------------------------------------===//
// Prediction
//===----------------------------------------------------------------------===//

uint64_t FrontEnd::predict(const Instruction &instruction, uint64_t at) {
  auto target = [&] {
    return at + static_cast<uint64_t>(int64_t(instruction.immediate));
  };
  switch (instruction.group) {
  case Group::branch:
    return counter(at) >= kTaken ? target() : at + 4;
  case Group::jump:
    predictedReturns.follow(instruction, at);
    return target();
  case Group::jumpRegister: {
    uint64_t next = instruction.isReturn() ? predictedReturns.pop() : kNowhere;
    if (instruction.isCall())
      predictedReturns.push(at + 4);
    return next;
  }
  default:
    return at + 4;
  }
}

void FrontEnd::learn(const Executed &executed) {
  const Instruction &instruction = *executed.instruction;
  if (instruction.group == Group::branch) {
    uint8_t &seen = counter(executed.pc);
    if (executed.isTaken && seen != kMost)
      ++seen;
    else if (!executed.isTaken && seen != 0)
      --seen;
  } else {
    returns.follow(instruction, executed.pc);
  }
}

void FrontEnd::stop() {
  first = last;
  pc = kNowhere;
}

void FrontEnd::redirect(uint64_t newPc, uint64_t lines, uint64_t instructions) {
  first = last;
  pc = newPc;
  linesFrom = lines;
  instructionsFrom = instructions;
  predictedReturns = returns;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

FrontEnd::Buffer *FrontEnd::find(uint64_t line) {
  for (Buffer &buffer : buffers)
    if (buffer.state != State::empty && buffer.line == line)
      return &buffer;
  return nullptr;
}

/// Into the buffer that was not used for the longest time.
bool FrontEnd::ask(uint64_t line, uint64_t cycle) {
  Buffer *oldest = nullptr;
  for (Buffer &buffer : buffers)
    if (buffer.state != State::asked && (!oldest || buffer.used < oldest->used))
      oldest = &buffer;
  if (!oldest)
    return false;
  Request request{};
  request.address = line;
  request.bytes = lineBytes;
  request.access = Access::read;
  request.via = Via::l1;
  request.requester = run;
  request.tag = static_cast<uint32_t>(oldest - buffers.data());
  if (!requester.tryAccess(request, cycle))
    return false;
  *oldest = {State::asked, line, cycle};
  ++lines;
  return true;
}

bool FrontEnd::takeCompletions() {
  bool moved = false;
  for (const Completion &completion : port.completions())
    if (completion.requester == run) {
      buffers[completion.tag].state = State::full;
      moved = true;
    }
  return moved;
}

//===----------------------------------------------------------------------===//
// A cycle
//===----------------------------------------------------------------------===//

bool FrontEnd::fetch(uint64_t cycle) {
  if (pc == kNowhere || cycle < linesFrom || last - first == queue.size())
    return false;
  uint64_t line = lineOf(pc);
  if (!isCode(line))
    // A wrong path; or the program's, of which the core will say so.
    return false;
  Buffer *buffer = find(line);
  if (!buffer)
    return ask(line, cycle);
  buffer->used = cycle;
  bool moved = false;
  if (isCode(line + lineBytes) && !find(line + lineBytes))
    moved = ask(line + lineBytes, cycle);
  if (buffer->state != State::full || cycle < instructionsFrom)
    return moved;
  for (uint32_t count = 0; count != width && last - first != queue.size();
       ++count) {
    const Instruction *instruction = hart->at(pc);
    if (!instruction)
      break;
    uint64_t next = predict(*instruction, pc);
    queue[last++ % queue.size()] = {pc, next, instruction};
    moved = true;
    bool isNext = next == pc + 4;
    pc = next;
    if (!isNext || lineOf(pc) != line)
      break;
  }
  return moved;
}

uint64_t FrontEnd::nextCycle(uint64_t cycle) const {
  if (requester.mustTryAgain(cycle))
    return cycle + 1;
  if (pc == kNowhere)
    return kNever;
  if (linesFrom > cycle)
    return linesFrom;
  return instructionsFrom > cycle ? instructionsFrom : kNever;
}

} // namespace chansim::aggregator
