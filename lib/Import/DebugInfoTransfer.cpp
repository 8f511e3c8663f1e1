//===- DebugInfoTransfer.cpp - Debug information of kernels ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugInfoTransfer.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace cilk2chan;

/// MLIR's import loses the records in front of intrinsics.
static void moveRecordsOffIntrinsics(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::isa<llvm::IntrinsicInst>(instruction) &&
        instruction.hasDbgRecords())
      instruction.getNextNode()->adoptDbgRecords(instruction.getParent(),
                                                 instruction.getIterator(),
                                                 /*InsertAtHead=*/true);
}

void cilk2chan::numberDebugVariables(
    const llvm::Function &original, llvm::Function &copy,
    llvm::SmallVectorImpl<llvm::DILocalVariable *> &variables) {
  llvm::DenseMap<const llvm::DILocalVariable *, llvm::DILocalVariable *>
      numbers;
  llvm::SmallVector<llvm::DbgVariableRecord *> unwanted;
  for (auto [from, to] :
       llvm::zip_equal(llvm::instructions(original), llvm::instructions(copy)))
    for (auto [known, record] :
         llvm::zip_equal(llvm::filterDbgVars(from.getDbgRecordRange()),
                         llvm::filterDbgVars(to.getDbgRecordRange()))) {
      llvm::DbgVariableRecord &copied = record;
      // Of a function that was inlined.
      if (copied.getDebugLoc().getInlinedAt()) {
        unwanted.push_back(&copied);
        continue;
      }
      const llvm::DILocalVariable *variable = copied.getVariable();
      llvm::DILocalVariable *&number = numbers[variable];
      if (!number) {
        number = llvm::DILocalVariable::get(
            copy.getContext(), variable->getScope(),
            llvm::utostr(variables.size()), variable->getFile(),
            variable->getLine(), /*Type=*/nullptr, /*Arg=*/0,
            llvm::DINode::FlagZero, /*AlignInBits=*/0, /*Annotations=*/nullptr);
        const llvm::DbgVariableRecord &original = known;
        variables.push_back(original.getVariable());
      }
      copied.setVariable(number);
    }
  for (llvm::DbgVariableRecord *record : unwanted)
    record->eraseFromParent();
  moveRecordsOffIntrinsics(copy);
}

namespace {
/// Makes variables of one kernel of those of the function it is part of.
class VariableRestorer {
public:
  VariableRestorer(llvm::Function &kernel,
                   llvm::ArrayRef<llvm::DILocalVariable *> variables)
      : module(*kernel.getParent()), subprogram(*kernel.getSubprogram()),
        variables(variables) {
    for (llvm::Instruction &instruction : llvm::instructions(kernel))
      for (llvm::DbgVariableRecord &record :
           llvm::filterDbgVars(instruction.getDbgRecordRange()))
        records.push_back(&record);
    for (llvm::DbgVariableRecord *record : records)
      numbers[original(*record)] = record->getVariable();
  }

  void run() {
    for (llvm::DbgVariableRecord *record : records) {
      record->setVariable(restore(original(*record)));
      record->setDebugLoc(llvm::DebugLoc::replaceInlinedAtSubprogram(
          record->getDebugLoc(), subprogram, subprogram.getContext(), cache));
    }
  }

private:
  llvm::DILocalVariable *original(const llvm::DbgVariableRecord &record) {
    unsigned index = 0;
    record.getVariable()->getName().getAsInteger(10, index);
    return variables[index];
  }
  llvm::DILocalVariable *restore(llvm::DILocalVariable *variable);
  llvm::DIType *restore(llvm::DIType *type);

  llvm::Module &module;
  llvm::DISubprogram &subprogram;
  llvm::ArrayRef<llvm::DILocalVariable *> variables;
  llvm::SmallVector<llvm::DbgVariableRecord *> records;
  llvm::DenseMap<llvm::DILocalVariable *, llvm::DILocalVariable *> numbers;
  llvm::DenseMap<const llvm::MDNode *, llvm::MDNode *> cache;
};
} // namespace

llvm::DILocalVariable *
VariableRestorer::restore(llvm::DILocalVariable *variable) {
  llvm::LLVMContext &context = subprogram.getContext();
  return llvm::DILocalVariable::get(
      context,
      llvm::DILocalScope::cloneScopeForSubprogram(
          *numbers.lookup(variable)->getScope(), subprogram, context, cache),
      variable->getName(), variable->getFile(), variable->getLine(),
      restore(variable->getType()), variable->getArg(), variable->getFlags(),
      variable->getAlignInBits(), variable->getAnnotations());
}

/// The type of an array of variable length names the variable that has it.
llvm::DIType *VariableRestorer::restore(llvm::DIType *type) {
  auto *array = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (!array || array->getTag() != llvm::dwarf::DW_TAG_array_type)
    return type;
  llvm::LLVMContext &context = subprogram.getContext();
  llvm::SmallVector<llvm::Metadata *> ranges;
  bool changed = false;
  for (llvm::DINode *element : array->getElements()) {
    ranges.push_back(element);
    auto *range = llvm::dyn_cast<llvm::DISubrange>(element);
    auto *count = range ? llvm::dyn_cast_or_null<llvm::DILocalVariable>(
                              range->getRawCountNode())
                        : nullptr;
    if (!count || !numbers.contains(count))
      continue;
    ranges.back() = llvm::DISubrange::get(
        context, restore(count), range->getRawLowerBound(),
        range->getRawUpperBound(), range->getRawStride());
    changed = true;
  }
  if (!changed)
    return type;
  llvm::DIBuilder builder(module);
  return builder.createArrayType(array->getSizeInBits(),
                                 array->getAlignInBits(), array->getBaseType(),
                                 builder.getOrCreateArray(ranges));
}

void cilk2chan::restoreDebugVariables(
    llvm::Function &kernel, llvm::ArrayRef<llvm::DILocalVariable *> variables) {
  if (kernel.getSubprogram())
    return VariableRestorer(kernel, variables).run();
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
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

void cilk2chan::placeSubprogram(llvm::Function &function, unsigned line,
                                unsigned column) {
  llvm::DISubprogram *old = function.getSubprogram();
  if (!old)
    return;
  llvm::LLVMContext &context = function.getContext();
  auto *own = llvm::DISubprogram::getDistinct(
      context, old->getScope(), old->getName(), old->getLinkageName(),
      old->getFile(), line, old->getType(), /*ScopeLine=*/line,
      /*ContainingType=*/nullptr, /*VirtualIndex=*/0, /*ThisAdjustment=*/0,
      old->getFlags(), old->getSPFlags(), old->getUnit());
  llvm::DenseMap<const llvm::MDNode *, llvm::MDNode *> cache;
  auto scopeOf = [&](llvm::DILocalScope *scope) {
    return llvm::DILocalScope::cloneScopeForSubprogram(*scope, *own, context,
                                                       cache);
  };
  auto isOwn = [&](llvm::DILocalScope *scope) {
    return scope->getSubprogram() == old;
  };
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (!instruction.getDebugLoc() && llvm::isa<llvm::CallBase>(instruction))
      instruction.setDebugLoc(
          llvm::DILocation::get(context, line, column, own));
    for (llvm::DbgRecord &record : instruction.getDbgRecordRange()) {
      record.setDebugLoc(llvm::DebugLoc::replaceInlinedAtSubprogram(
          record.getDebugLoc(), *own, context, cache));
      auto *described = llvm::dyn_cast<llvm::DbgVariableRecord>(&record);
      if (described && isOwn(described->getVariable()->getScope())) {
        llvm::DILocalVariable &variable = *described->getVariable();
        described->setVariable(llvm::DILocalVariable::get(
            context, scopeOf(variable.getScope()), variable.getName(),
            variable.getFile(), variable.getLine(), variable.getType(),
            variable.getArg(), variable.getFlags(), variable.getAlignInBits(),
            variable.getAnnotations()));
      }
      auto *labelled = llvm::dyn_cast<llvm::DbgLabelRecord>(&record);
      if (labelled && isOwn(labelled->getLabel()->getScope())) {
        llvm::DILabel &label = *labelled->getLabel();
        labelled->setLabel(llvm::DILabel::get(
            context, scopeOf(label.getScope()), label.getName(),
            label.getFile(), label.getLine(), label.getColumn(),
            label.isArtificial(), label.getCoroSuspendIdx()));
      }
    }
  }
  rescopeLocations(function, own);
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
      context, whole->getScope(), whole->getName(), /*LinkageName=*/"",
      whole->getFile(), whole->getLine(), whole->getType(),
      whole->getScopeLine(),
      /*ContainingType=*/nullptr, /*VirtualIndex=*/0, /*ThisAdjustment=*/0,
      whole->getFlags() | llvm::DINode::FlagArtificial,
      llvm::DISubprogram::toSPFlags(
          /*IsLocalToUnit=*/true, /*IsDefinition=*/true, whole->isOptimized()),
      whole->getUnit());
}
