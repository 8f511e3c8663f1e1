//===- Pipelines.cpp - The stages of a compilation in MLIR ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Pipelines/Pipelines.h"
#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Dialect/Chan/Passes.h"
#include "cilk2chan/Dialect/Cilk/Passes.h"
#include "cilk2chan/Dialect/SIMT/Passes.h"
#include "cilk2chan/Dialect/VGIW/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace cilk2chan;

void cilk2chan::populateRaiseToCilkPipeline(OpPassManager &passes) {
  // First: all passes behind it know spawns and syncs, and no marker calls.
  passes.addPass(createLLVMToCilk());
  passes.addPass(
      createVerifyStage({/*gone=*/{}, /*markers=*/true, /*invariants=*/false}));
}

void cilk2chan::populateTransformCilkPipeline(
    OpPassManager &passes, const TransformCilkOptions &options) {
  bool forBatches = options.batchForms;
  // Before cilk-for-to-spawn: a loop that it has taken for itself is not
  // divided.
  if (forBatches && options.iterations)
    passes.addPass(createCilkSpawnIterations({options.arrays}));
  // Before all passes that follow: they know no cilk.for.
  passes.addPass(createCilkForToSpawn({options.ranges, options.groups}));
  // Behind cilk-spawn-iterations, whose loops have the results in arrays. Of
  // use only where activations then need not wait for children (reductions).
  if (forBatches && options.combineResults)
    passes.addPass(createCilkCombineResults());
  // Behind the passes that make spawns, and before those that look for what can
  // be in a batch: strands cannot.
  passes.addPass(createCilkStrands());
  // Behind cilk-combine-results: an array that this removes need not be passed.
  // It also ends what cilk-spawn-iterations has begun: of each two copies of a
  // function it leaves one.
  if (forBatches && options.arrays)
    passes.addPass(createCilkArraysByValue({options.longLoops}));
  passes.addPass(createVerifyStage({{"cilk.for"}}));
}

void cilk2chan::populateLowerToChanPipeline(OpPassManager &passes,
                                            const LowerToChanOptions &options) {
  // First: the other passes note at a function's entry stack what they make.
  passes.addPass(createChanEntryStacks({options.width}));
  // Before the passes that copy bodies: all copies need the objects.
  passes.addPass(createChanKeptObjects());
  // Behind chan-kept-objects, and before chan-batch-forms: it marks calls in
  // the functions that their kernels and phase kernels have alike.
  if (options.serialClones)
    passes.addPass(createChanSerialClones({options.countTasks}));
  // Behind chan-serial-clones, see there; before cilk-to-chan, which removes
  // the bodies.
  if (options.batchForms)
    passes.addPass(createChanBatchForms({options.longLoops, options.hoist,
                                         options.reductions, options.uniform,
                                         options.positional}));
  // Behind chan-batch-forms: only batches prefetch.
  if (options.batchForms && options.prefetch)
    passes.addPass(createChanPrefetchPointers());
  // Last: it removes the bodies that all passes before it read.
  passes.addPass(createCilkToChan({options.keepLocals}));
  passes.addPass(
      createVerifyStage({{"cilk"}, /*markers=*/false, options.verify}));
}

void cilk2chan::populateAddLanesPipeline(OpPassManager &passes,
                                         const AddLanesOptions &options) {
  // Behind the stage lower-to-chan: it needs the whole graph, for how many
  // elements of a stack there can be at a time.
  passes.addPass(
      createChanSIMD({options.vectorBits, options.lanes, options.processor,
                      options.reasons, options.narrow, options.compact,
                      options.interleave, options.vectorLibrary}));
  passes.addPass(
      createVerifyStage({{"cilk"}, /*markers=*/false, /*invariants=*/true}));
}

void cilk2chan::populateLowerToHostPipeline(OpPassManager &passes,
                                            const LowerToHostOptions &options) {
  // Last: what it leaves is the llvm dialect alone.
  passes.addPass(
      createChanToHost({options.vectorBits, options.gathers, options.processor,
                        options.features, options.leaveTrees}));
  passes.addPass(createVerifyStage({{"cilk", "chan"}}));
}

void cilk2chan::populateLowerToVGIWPipeline(OpPassManager &passes) {
  // In the place of chan-to-host. Kernels with lanes are not for such a
  // machine.
  passes.addPass(createChanToVGIW());
  passes.addPass(createVerifyStage({{"cilk", "chan"}}));
}

void cilk2chan::populateMapToVGIWPipeline(OpPassManager &passes,
                                          const MapToVGIWOptions &options) {
  constexpr uint64_t seed = 1;
  // First: what it makes a parameter can be added to addresses.
  passes.addNestedPass<vgiw::KernelOp>(createVGIWComputeParameters());
  // Before blocks are cut: a folded node needs no unit, so more fits.
  passes.addPass(createVGIWFoldAddresses({options.machine}));
  // It cuts blocks until each fits onto the fabric. For each attempt it runs
  // the passes on kernels, from vgiw-schedule-blocks on.
  passes.addPass(createVGIWFitBlocks({options.machine, seed}));
  if (!options.place)
    return;
  // Behind vgiw-fit-blocks: what does not fit cannot be placed.
  passes.addPass(createVGIWPlaceBlocks({options.machine, seed}));
  // The stage's verifier: it knows the machine, as verify-stage does not.
  passes.addPass(createVGIWCheckPlacement({options.machine}));
}

static void addPassesOnSIMTKernels(OpPassManager &kernels,
                                   const MapToSIMTOptions &options) {
  // Before simt-regalloc: moves between registers hide what a value comes from.
  kernels.addPass(createSIMTUniformity());
  kernels.addPass(createSIMTRegalloc({options.registers, options.machine}));
  // Last: simt-regalloc inserts blocks, and this numbers them. The verifier of
  // kernels with registers ends the stage.
  kernels.addPass(createSIMTReconverge());
}

void cilk2chan::populateMapToSIMTPipeline(OpPassManager &passes,
                                          const MapToSIMTOptions &options) {
  // First: all passes behind it know instructions.
  passes.addPass(createVGIWToSIMT());
  addPassesOnSIMTKernels(passes.nest<simt::KernelOp>(), options);
}

void cilk2chan::registerPassesAndPipelines() {
  registerCilkPasses();
  registerConversionPasses();
  registerChanPasses();
  registerVGIWPasses();
  registerSIMTPasses();
  PassPipelineRegistration<>("raise-to-cilk",
                             "Turn marker calls into spawns and syncs",
                             populateRaiseToCilkPipeline);
  PassPipelineRegistration<TransformCilkOptions>(
      "transform-cilk",
      "Turn loops into spawns, and remove what keeps functions from batches",
      populateTransformCilkPipeline);
  PassPipelineRegistration<LowerToChanOptions>(
      "lower-to-chan", "Turn spawning functions into kernels",
      populateLowerToChanPipeline);
  PassPipelineRegistration<AddLanesOptions>(
      "add-lanes", "Turn kernels into kernels with SIMD lanes",
      populateAddLanesPipeline);
  PassPipelineRegistration<LowerToHostOptions>(
      "lower-to-host", "Turn kernels into functions that run on libchan",
      populateLowerToHostPipeline);
  PassPipelineRegistration<>("lower-to-vgiw",
                             "Turn kernels into functions of a VGIW machine",
                             populateLowerToVGIWPipeline);
  PassPipelineRegistration<MapToVGIWOptions>(
      "map-to-vgiw", "Place functions on a VGIW machine",
      populateMapToVGIWPipeline);
  PassPipelineRegistration<MapToSIMTOptions>(
      "map-to-simt", "Turn functions into instructions of a SIMT core",
      populateMapToSIMTPipeline);
}

static std::vector<std::string> findPassNames() {
  OpPassManager passes("builtin.module");
  populateRaiseToCilkPipeline(passes);
  TransformCilkOptions cilk;
  cilk.batchForms = true;
  populateTransformCilkPipeline(passes, cilk);
  LowerToChanOptions chan;
  chan.serialClones = chan.batchForms = true;
  populateLowerToChanPipeline(passes, chan);
  populateAddLanesPipeline(passes, AddLanesOptions());
  populateLowerToHostPipeline(passes, LowerToHostOptions());
  populateLowerToVGIWPipeline(passes);
  populateMapToVGIWPipeline(passes, MapToVGIWOptions());
  // What vgiw-fit-blocks runs on each kernel.
  auto &kernels = passes.nest<vgiw::KernelOp>();
  kernels.addPass(createVGIWScheduleBlocks());
  kernels.addPass(createVGIWAllocateLiveValues());
  kernels.addPass(createVGIWSplitMoves());
  // In the place of these three, for a whole kernel.
  kernels.addPass(createVGIWSingleGraph());
  kernels.addPass(createVGIWInsertJoins());
  kernels.addPass(createVGIWInsertSplits());
  std::vector<std::string> names;
  auto addNames = [&](OpPassManager &passes) {
    for (Pass &pass : passes.getPasses())
      if (StringRef name = pass.getArgument();
          !name.empty() && !llvm::is_contained(names, name))
        names.push_back(name.str());
  };
  addNames(passes);
  addNames(kernels);
  OpPassManager simt("builtin.module");
  populateMapToSIMTPipeline(simt, MapToSIMTOptions());
  addNames(simt);
  OpPassManager simtKernels(simt::KernelOp::getOperationName());
  addPassesOnSIMTKernels(simtKernels, MapToSIMTOptions());
  addNames(simtKernels);
  return names;
}

ArrayRef<std::string> cilk2chan::pipelinePassNames() {
  static const std::vector<std::string> names = findPassNames();
  return names;
}
