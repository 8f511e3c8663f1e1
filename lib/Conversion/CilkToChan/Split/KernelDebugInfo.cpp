//===- KernelDebugInfo.cpp - What a debugger sees of a kernel -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts debug records into the kernels where what they speak of is at hand:
//
//   #dbg_declare(%x, "x")  =>  #dbg_declare(%frame, "x", plus 16, deref)
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace mlir;
using namespace cilk2chan;

/// `rest` applied to what lies `offset` bytes into the frame whose address is
/// the place, or is stored there if `indirect`.
static LLVM::DIExpressionAttr inFrame(LLVM::DIExpressionAttr rest,
                                      uint64_t offset, bool indirect) {
  MLIRContext *context = rest.getContext();
  auto element = [&](unsigned opcode, ArrayRef<uint64_t> arguments) {
    return LLVM::DIExpressionElemAttr::get(context, opcode, arguments);
  };
  SmallVector<LLVM::DIExpressionElemAttr> elements;
  if (indirect)
    elements.push_back(element(llvm::dwarf::DW_OP_deref, {}));
  elements.push_back(element(llvm::dwarf::DW_OP_plus_uconst, {offset}));
  if (!indirect)
    elements.push_back(element(llvm::dwarf::DW_OP_deref, {}));
  llvm::append_range(elements, rest.getOperations());
  return LLVM::DIExpressionAttr::get(context, elements);
}

/// Finds the scopes with code in the phase.  A debugger looks for a variable
/// where the scope is, and a function of many blocks has many variables.
void KernelBuilder::findScopes() {
  scopes.clear();
  if (debug.get().empty())
    return;
  llvm::DenseSet<Attribute> seen;
  auto add = [&](Location loc) {
    if (!seen.insert(loc).second)
      return;
    loc->walk([&](Location part) {
      auto fused = dyn_cast<FusedLocWith<LLVM::DILocalScopeAttr>>(part);
      Attribute scope = fused ? fused.getMetadata() : Attribute();
      while (scope && scopes.insert(scope).second) {
        if (auto block = dyn_cast<LLVM::DILexicalBlockAttr>(scope))
          scope = block.getScope();
        else if (auto file = dyn_cast<LLVM::DILexicalBlockFileAttr>(scope))
          scope = file.getScope();
      }
      return WalkResult::advance();
    });
  };
  add(function.getLoc());
  if (phase->after)
    add(phase->after->getLoc());
  for (Block *block : phase->blocks)
    for (Operation &op : *block)
      add(op.getLoc());
}

/// Describes the variables in the frame, from where the kernel has it on.
void KernelBuilder::describeFrame() {
  if (!frame)
    return;
  // Unoptimised code has what a debugger may ask for in memory: so, the frame's
  // address.
  Value place = frame;
  Operation *from = frame.getDefiningOp();
  for (const DebugRecord &record : debug.get()) {
    const FrameLayout::Object *object = layout.object(record.place);
    // Where one is aligned further is only known at run time.
    if (!isInScope(record) || !record.isAddress || !object ||
        !object->inFrame || object->alignment > abi::frameAlignment)
      continue;
    if (layout.keepsLocals() && place == frame) {
      builder.setInsertionPointAfter(deq);
      Value one =
          LLVM::ConstantOp::create(builder, record.loc, builder.getI64Type(),
                                   builder.getI64IntegerAttr(1));
      place =
          LLVM::AllocaOp::create(builder, record.loc, pointer, pointer, one);
      builder.setInsertionPointAfter(frame.getDefiningOp());
      from = LLVM::StoreOp::create(builder, record.loc, frame, place);
    }
    builder.setInsertionPointAfter(from);
    auto expression = inFrame(record.expression, layout.offset(record.place),
                              /*indirect=*/place != frame);
    if (place == frame)
      LLVM::DbgValueOp::create(builder, record.loc, place, record.variable,
                               expression);
    else
      LLVM::DbgDeclareOp::create(builder, record.loc, place, record.variable,
                                 expression);
  }
}

/// Describes the variables whose values, or addresses of memory that was
/// allocated by size, were read from the frame.
void KernelBuilder::describeLiveIn() {
  for (const DebugRecord *record : debug.holdingAt(phase->after))
    if (isInScope(*record) && (phase->liveIn.contains(record->place) ||
                               isRematerialized(record->place)))
      describe(*record);
}

void KernelBuilder::describe(const DebugRecord &record) {
  if (const FrameLayout::Object *object = layout.object(record.place);
      object && object->inFrame)
    return;
  // What is kept as a local variable has no one value.
  Value place = variables.contains(record.place)
                    ? Value()
                    : mapping.lookupOrNull(record.place);
  if (record.isAddress) {
    if (place)
      LLVM::DbgDeclareOp::create(builder, record.loc, place, record.variable,
                                 record.expression);
    return;
  }
  if (!place)
    place = LLVM::PoisonOp::create(builder, record.loc, record.place.getType());
  LLVM::DbgValueOp::create(builder, record.loc, place, record.variable,
                           record.expression);
}

/// A value that was at hand in one part of a phase need not be in another.
void KernelBuilder::forgetLostValues() {
  if (debug.get().empty())
    return;
  DominanceInfo dominance(kernel);
  kernel.walk([&](Operation *op) {
    if (!isDebugRecord(*op) || op->getNumOperands() == 0 ||
        dominance.properlyDominates(op->getOperand(0), op))
      return;
    builder.setInsertionPoint(op);
    op->setOperand(0, LLVM::PoisonOp::create(builder, op->getLoc(),
                                             op->getOperand(0).getType()));
  });
}

/// Has what is of the subprogram `old` be of `own`.
static AttrTypeReplacer replacing(LLVM::DISubprogramAttr old,
                                  LLVM::DISubprogramAttr own) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [=](LLVM::DISubprogramAttr attr)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        if (attr == old)
          return std::make_pair(Attribute(own), WalkResult::skip());
        return std::nullopt;
      });
  return replacer;
}

/// Of attributes, only those of records and of loops name scopes.
static bool namesScopes(Operation &op) {
  return isDebugRecord(op) || op.hasTrait<OpTrait::IsTerminator>();
}

static LLVM::DISubprogramAttr subprogramOf(Location ofFunction) {
  auto fused =
      ofFunction->findInstanceOf<FusedLocWith<LLVM::DISubprogramAttr>>();
  return fused ? fused.getMetadata() : LLVM::DISubprogramAttr();
}

void cilk2chan::giveOwnSubprogram(Operation *part, Location ofFunction) {
  LLVM::DISubprogramAttr old = subprogramOf(ofFunction);
  if (!old)
    return;
  MLIRContext *context = part->getContext();
  auto name = SymbolTable::getSymbolName(part);
  auto own = LLVM::DISubprogramAttr::get(
      context, DistinctAttr::create(UnitAttr::get(context)),
      old.getCompileUnit(), old.getScope(), old.getName(), name, old.getFile(),
      old.getLine(), old.getScopeLine(), old.getSubprogramFlags(),
      old.getType(),
      /*retainedNodes=*/{}, old.getAnnotations());
  AttrTypeReplacer replacer = replacing(old, own);
  replacer.recursivelyReplaceElementsIn(part, /*replaceAttrs=*/false,
                                        /*replaceLocs=*/true);
  part->walk([&](Operation *op) {
    if (namesScopes(*op))
      replacer.replaceElementsIn(op);
  });
}

void cilk2chan::moveToSubprogram(Block &block, Location from, Location to) {
  LLVM::DISubprogramAttr old = subprogramOf(from), own = subprogramOf(to);
  if (!old || !own)
    return;
  AttrTypeReplacer replacer = replacing(old, own);
  for (BlockArgument argument : block.getArguments())
    argument.setLoc(cast<LocationAttr>(replacer.replace(argument.getLoc())));
  for (Operation &op : block)
    replacer.replaceElementsIn(&op, /*replaceAttrs=*/namesScopes(op),
                               /*replaceLocs=*/true);
}
