//===- DebugInfo.cpp - Debug information of kernels -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace cilk2chan;

void cilk2chan::dropDebugVariables(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    instruction.dropDbgRecords();
}

void cilk2chan::adoptCompileUnit(llvm::Module &module, llvm::Module &kernels) {
  // Module::debug_compile_units leaves out those that are there for locations
  // only, such as coverage's.
  llvm::NamedMDNode *own = module.getNamedMetadata("llvm.dbg.cu");
  if (!own || !own->getNumOperands())
    return;
  auto *unit = llvm::cast<llvm::DICompileUnit>(own->getOperand(0));
  llvm::DebugInfoFinder finder;
  finder.processModule(kernels);
  for (llvm::DISubprogram *subprogram : finder.subprograms())
    if (subprogram->getUnit())
      subprogram->replaceUnit(unit);
  if (llvm::NamedMDNode *units = kernels.getNamedMetadata("llvm.dbg.cu"))
    units->eraseFromParent();
}

void cilk2chan::rescopeLocations(llvm::Function &function,
                                 llvm::DISubprogram *subprogram) {
  llvm::LLVMContext &context = function.getContext();
  function.setSubprogram(subprogram);
  llvm::DenseMap<const llvm::MDNode *, llvm::MDNode *> cache;
  auto rescope = [&](const llvm::DebugLoc &location) {
    return subprogram ? llvm::DebugLoc::replaceInlinedAtSubprogram(
                            location, *subprogram, context, cache)
                      : llvm::DebugLoc();
  };
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (const llvm::DebugLoc &location = instruction.getDebugLoc())
      instruction.setDebugLoc(rescope(location));
    else if (subprogram && llvm::isa<llvm::CallBase>(instruction))
      // A call without a location could not be inlined.
      instruction.setDebugLoc(llvm::DILocation::get(
          context, subprogram->getLine(), /*Column=*/0, subprogram));
    // Loops are described with where they begin and end.
    llvm::updateLoopMetadataDebugLocations(
        instruction, [&](llvm::Metadata *metadata) -> llvm::Metadata * {
          if (auto *location =
                  llvm::dyn_cast_or_null<llvm::DILocation>(metadata))
            return rescope(location).get();
          return metadata;
        });
  }
}

llvm::DISubprogram *
cilk2chan::makeKernelSubprogram(const llvm::Function &kernel,
                                const llvm::Function &source) {
  llvm::DISubprogram *whole = source.getSubprogram();
  if (!whole)
    return nullptr;
  llvm::LLVMContext &context = source.getContext();
  // Retained nodes are the variables, which are those of the whole.
  return llvm::DISubprogram::getDistinct(
      context, whole->getScope(), kernel.getName(), kernel.getName(),
      whole->getFile(), whole->getLine(), whole->getType(),
      whole->getScopeLine(),
      /*ContainingType=*/nullptr, /*VirtualIndex=*/0, /*ThisAdjustment=*/0,
      whole->getFlags() | llvm::DINode::FlagArtificial,
      llvm::DISubprogram::toSPFlags(
          /*IsLocalToUnit=*/true, /*IsDefinition=*/true, whole->isOptimized()),
      whole->getUnit());
}
