//===- Pipelines.h - The stages of a compilation in MLIR --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler's driver runs these stages one after the other; cilk2chan-opt
// knows each by its name:
//
//   raise-to-cilk    marker calls become spawns and syncs
//   transform-cilk   loops become spawns; obstacles to batches are removed
//   lower-to-chan    spawning functions become kernels
//   add-lanes        kernels become kernels for several elements at a time
//   lower-to-host    kernels become functions that run on libchan
//   lower-to-vgiw    kernels become functions of a VGIW machine
//   map-to-vgiw      these functions, once linked, are placed on the machine
//
// Each stage ends with `verify-stage`, which checks what the stage promises.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_PIPELINES_PIPELINES_H
#define CILK2CHAN_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"
#include "llvm/IR/SystemLibraries.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace cilk2chan {

struct TransformCilkOptions
    : public mlir::PassPipelineOptions<TransformCilkOptions> {
  Option<bool> batchForms{
      *this, "batch-forms",
      llvm::cl::desc("Transform for chan-batch-forms; without, only divide "
                     "loops"),
      llvm::cl::init(false)};
  Option<bool> ranges{
      *this, "ranges",
      llvm::cl::desc("Make one range of a loop whose body does not spawn; for "
                     "machines that launch ranges"),
      llvm::cl::init(false)};
  Option<bool> groups{
      *this, "groups",
      llvm::cl::desc("Make work-groups of the iterations of an outer loop; "
                     "needs ranges"),
      llvm::cl::init(false)};
  Option<bool> iterations{
      *this, "iterations",
      llvm::cl::desc("Have loops in recursion spawn iterations one by one"),
      llvm::cl::init(true)};
  Option<bool> combineResults{
      *this, "combine-results",
      llvm::cl::desc("Combine results as they come, without an array of them"),
      llvm::cl::init(true)};
  Option<bool> arrays{*this, "arrays",
                      llvm::cl::desc("Pass small arrays by value"),
                      llvm::cl::init(true)};
  Option<bool> longLoops{
      *this, "long-loops",
      llvm::cl::desc("Also functions with loops that may be long"),
      llvm::cl::init(true)};
};

struct LowerToChanOptions
    : public mlir::PassPipelineOptions<LowerToChanOptions> {
  Option<unsigned> width{*this, "width", llvm::cl::desc("Of chan-entry-stacks"),
                         llvm::cl::init(0)};
  Option<bool> serialClones{*this, "serial-clones",
                            llvm::cl::desc("Run chan-serial-clones"),
                            llvm::cl::init(false)};
  Option<bool> countTasks{*this, "count-tasks",
                          llvm::cl::desc("Of chan-serial-clones"),
                          llvm::cl::init(false)};
  Option<bool> batchForms{*this, "batch-forms",
                          llvm::cl::desc("Run chan-batch-forms"),
                          llvm::cl::init(false)};
  Option<bool> longLoops{*this, "long-loops",
                         llvm::cl::desc("Of chan-batch-forms"),
                         llvm::cl::init(true)};
  Option<bool> hoist{*this, "hoist", llvm::cl::desc("Of chan-batch-forms"),
                     llvm::cl::init(true)};
  Option<bool> reductions{*this, "reductions",
                          llvm::cl::desc("Of chan-batch-forms"),
                          llvm::cl::init(true)};
  Option<bool> uniform{*this, "uniform", llvm::cl::desc("Of chan-batch-forms"),
                       llvm::cl::init(true)};
  Option<bool> positional{*this, "positional",
                          llvm::cl::desc("Of chan-batch-forms"),
                          llvm::cl::init(true)};
  Option<bool> prefetch{
      *this, "prefetch",
      llvm::cl::desc("Run chan-prefetch-pointers, if there are batch forms"),
      llvm::cl::init(true)};
  Option<bool> keepLocals{*this, "keep-locals",
                          llvm::cl::desc("Of cilk-to-chan"),
                          llvm::cl::init(false)};
  Option<bool> verify{
      *this, "verify",
      llvm::cl::desc("Check the invariants of the graph at the end"),
      llvm::cl::init(true)};
};

struct AddLanesOptions : public mlir::PassPipelineOptions<AddLanesOptions> {
  Option<unsigned> vectorBits{*this, "vector-bits",
                              llvm::cl::desc("Of chan-simd"),
                              llvm::cl::init(128)};
  Option<unsigned> lanes{*this, "lanes", llvm::cl::desc("Of chan-simd"),
                         llvm::cl::init(0)};
  Option<std::string> processor{
      *this, "processor", llvm::cl::desc("Of chan-simd"), llvm::cl::init("")};
  Option<bool> reasons{*this, "reasons", llvm::cl::desc("Of chan-simd"),
                       llvm::cl::init(true)};
  Option<bool> narrow{*this, "narrow", llvm::cl::desc("Of chan-simd"),
                      llvm::cl::init(true)};
  Option<bool> compact{*this, "compact", llvm::cl::desc("Of chan-simd"),
                       llvm::cl::init(true)};
  Option<bool> interleave{*this, "interleave", llvm::cl::desc("Of chan-simd"),
                          llvm::cl::init(true)};
  /// -fveclib; not for the command line, where chan-simd itself has it.
  llvm::VectorLibrary vectorLibrary = llvm::VectorLibrary::NoLibrary;
};

struct LowerToHostOptions
    : public mlir::PassPipelineOptions<LowerToHostOptions> {
  Option<unsigned> vectorBits{*this, "vector-bits",
                              llvm::cl::desc("Of chan-to-host"),
                              llvm::cl::init(128)};
  Option<bool> gathers{*this, "gathers", llvm::cl::desc("Of chan-to-host"),
                       llvm::cl::init(true)};
  Option<std::string> processor{*this, "processor",
                                llvm::cl::desc("Of chan-to-host"),
                                llvm::cl::init("")};
  Option<std::string> features{
      *this, "features", llvm::cl::desc("Of chan-to-host"), llvm::cl::init("")};
  Option<bool> leaveTrees{*this, "leave-trees",
                          llvm::cl::desc("Of chan-to-host"),
                          llvm::cl::init(true)};
};

struct MapToVGIWOptions : public mlir::PassPipelineOptions<MapToVGIWOptions> {
  Option<std::string> machine{
      *this, "machine", llvm::cl::desc("The machine file"), llvm::cl::init("")};
  Option<bool> place{*this, "place",
                     llvm::cl::desc("Also place the blocks on the fabric"),
                     llvm::cl::init(true)};
};

struct MapToSIMTOptions : public mlir::PassPipelineOptions<MapToSIMTOptions> {
  Option<unsigned> registers{*this, "registers",
                             llvm::cl::desc("Of simt-regalloc"),
                             llvm::cl::init(63)};
  Option<std::string> machine{
      *this, "machine", llvm::cl::desc("Of simt-regalloc"), llvm::cl::init("")};
};

void populateRaiseToCilkPipeline(mlir::OpPassManager &passes);
void populateTransformCilkPipeline(mlir::OpPassManager &passes,
                                   const TransformCilkOptions &options);
void populateLowerToChanPipeline(mlir::OpPassManager &passes,
                                 const LowerToChanOptions &options);
void populateAddLanesPipeline(mlir::OpPassManager &passes,
                              const AddLanesOptions &options);
void populateLowerToHostPipeline(mlir::OpPassManager &passes,
                                 const LowerToHostOptions &options);
void populateLowerToVGIWPipeline(mlir::OpPassManager &passes);
void populateMapToVGIWPipeline(mlir::OpPassManager &passes,
                               const MapToVGIWOptions &options);
void populateMapToSIMTPipeline(mlir::OpPassManager &passes,
                               const MapToSIMTOptions &options);

/// Has MLIR's command line know all passes, and the stages.
void registerPassesAndPipelines();

/// The names of all passes of all stages, each once, in the order in which they
/// run.
llvm::ArrayRef<std::string> pipelinePassNames();

} // namespace cilk2chan

#endif // CILK2CHAN_PIPELINES_PIPELINES_H
