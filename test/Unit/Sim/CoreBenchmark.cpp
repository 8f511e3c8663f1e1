//===- CoreBenchmark.cpp - Cycles a second of the simulated core ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two blocks that fill the fabric with replicas:
//   stream:     out[i] = a[i] * b[i] + c[i], of f32, with all LDST units
//   arithmetic: eight replicas on 80 units, which virtual channels enough keep
//               busy: what the simulator can do
//   with times: the same, recording times of nodes
//
//===----------------------------------------------------------------------===//

#include "CoreHarness.h"

#include <ctime>

using namespace chansim;

namespace {

OrderedJson stream(const Machine &machine) {
  BlockBuilder block(machine.fabric);
  for (int replica = 0; replica != 4; ++replica) {
    uint32_t thread = block.initiate();
    uint32_t copy = block.node("split", {thread});
    auto address = [&](uint32_t from, uint32_t array) {
      return block.node("mad.i64", {from, constant(4), parameter(array)});
    };
    uint32_t a = block.node("load.f32", {address(thread, 0)});
    uint32_t b = block.node("load.f32", {address(thread, 1)});
    uint32_t c = block.node("load.f32", {address(thread, 2)});
    uint32_t product = block.node("fmul.f32", {a, b});
    uint32_t sum = block.node("fadd.f32", {product, c});
    uint32_t done = block.node("store.f32", {address(copy, 3), sum});
    block.terminate({done});
  }
  return block.build(0, {"exit"});
}

/// 2 CVU, 4 FPU-ALU, 1 SCU, 2 SJU and 1 LDST a replica.
OrderedJson arithmetic(const Machine &machine) {
  BlockBuilder block(machine.fabric);
  for (int replica = 0; replica != 8; ++replica) {
    uint32_t thread = block.initiate();
    uint32_t copy = block.node("split", {thread});
    uint32_t index = block.node("and.i64", {thread, constant(1023)});
    uint32_t address =
        block.node("mad.i64", {index, constant(4), parameter(0)});
    uint32_t loaded = block.node("load.i32", {address});
    uint32_t square = block.node("mul.i64", {copy, copy});
    uint32_t quotient = block.node("udiv.i64", {square, constant(3)});
    uint32_t mixed = block.node("xor.i64", {quotient, loaded});
    uint32_t joined = block.node("join", {mixed, loaded});
    block.terminate({joined});
  }
  return block.build(0, {"exit"});
}

void measure(const char *name, const Machine &machine, const OrderedJson &block,
             std::vector<uint64_t> parameters, double seconds,
             const Recording &recording = {}) {
  CoreHarness harness(
      machine, configurationText(machine, {block},
                                 static_cast<uint32_t>(parameters.size()), 2));
  harness.core.record(recording);
  uint32_t threads = harness.image.tileThreads();
  std::clock_t begin = std::clock();
  double elapsed = 0;
  uint64_t tiles = 0;
  for (; elapsed < seconds; ++tiles) {
    harness.run(threads, parameters);
    elapsed = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  }
  uint64_t firings = 0;
  for (const char *kind : {"fpu_alu", "scu", "ldst", "lvu", "sju", "cvu"})
    firings +=
        harness.count((std::string("fabric.") + kind + "_firings").c_str());
  double cycles = static_cast<double>(harness.cycle());
  std::printf("%-12s %6.0f thousand cycles/s, %5.1f firings a cycle, "
              "%5.1f million firings/s, %.2f threads a cycle\n",
              name, cycles / elapsed / 1e3,
              static_cast<double>(firings) / cycles,
              static_cast<double>(firings) / elapsed / 1e6,
              static_cast<double>(tiles * threads) / cycles);
}

} // namespace

int main(int argc, char **argv) {
  double seconds = argc > 1 ? std::atof(argv[1]) : 2;
  Machine machine = shippedMachine();
  std::vector<float> arrays(4 * kMaxTileThreads, 1.5f);
  std::vector<uint32_t> words(kMaxTileThreads, 7);
  std::vector<uint64_t> streams;
  for (size_t i = 0; i != 4; ++i)
    streams.push_back(addressOf(&arrays[i * kMaxTileThreads]));
  measure("stream", machine, stream(machine), streams, seconds);
  machine.fabric.tokenBufferEntries = 1024;
  machine.fabric.reservationEntries = 256;
  measure("arithmetic", machine, arithmetic(machine), {addressOf(words.data())},
          seconds);
  measure("with times", machine, arithmetic(machine), {addressOf(words.data())},
          seconds, {nullptr, "", /*times=*/true});
}
