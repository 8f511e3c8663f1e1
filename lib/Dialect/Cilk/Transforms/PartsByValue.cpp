//===- PartsByValue.cpp - Tasks that take parts of arrays -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartsByValue.h"
#include "cilk2chan/Dialect/Cilk/Tuning.h"

#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"
#include "cilk2chan/Dialect/Cilk/Analysis/Recomputation.h"

#include "cilk2chan/Support/FunctionAttributes.h"
#include "cilk2chan/Support/Markers.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace cilk2chan;

/// Stores the parts of a parameter that `of` has instead of a pointer.
void PartsByValue::fill(ArrayRef<Value> its, unsigned parameter,
                        LLVM::LLVMFuncOp of) {
  unsigned next = original.getNumArguments() - taken.size();
  for (auto &[number, other] : taken) {
    if (number == parameter)
      break;
    for (const SmallArrays::Member &member : arrays.membersOf(number))
      next += member.countParts();
  }
  for (auto [member, array] : llvm::zip(arrays.membersOf(parameter), its))
    for (unsigned i = 0; i < member.countParts(); ++i) {
      Operation *store =
          LLVM::StoreOp::create(builder, loc, of.getArgument(next++),
                                addressOf(builder, loc, array, member.size, i));
      store->setAttr(ArrayPartAttribute, builder.getUnitAttr());
    }
}

/// Where a size is more than an array has, the function as it was runs once
/// more from its beginning.  So it does in a serial clone (SerialClones.cpp),
/// for which addresses are better.
void PartsByValue::insertCheck() {
  Block *slow = new Block();
  function.getBody().push_back(slow);
  if (arrays.getDynamic().empty()) {
    // Only serial clones have use for the other way.
    Operation *next = &function.front().front();
    for (auto array : function.front().getOps<LLVM::AllocaOp>())
      next = array->getNextNode();
    fits = function.front().splitBlock(next);
    builder.setInsertionPointToEnd(&function.front());
  } else if (arrays.check) {
    Operation *check = at(arrays.check);
    Block *place = check->getBlock();
    fits = place->splitBlock(check);
    builder.setInsertionPointToEnd(place);
  } else {
    Block *before = at(arrays.before), *header = at(arrays.header);
    // Loads may have been moved in front of the loop (SharedReductions).
    for (Block *next : before->getSuccessors())
      if (next->getNumSuccessors() == 1 && next->getSuccessor(0) == header &&
          next->getSinglePredecessor() == before)
        before = next;
    auto *place = new Block();
    place->insertBefore(header);
    fits = new Block();
    fits->insertBefore(header);
    for (BlockArgument argument : header->getArguments())
      place->addArgument(argument.getType(), argument.getLoc());
    Operation *branch = before->getTerminator();
    for (auto [index, successor] : llvm::enumerate(branch->getSuccessors()))
      if (successor == header)
        branch->setSuccessor(place, index);
    builder.setInsertionPointToEnd(fits);
    LLVM::BrOp::create(builder, loc, place->getArguments(), header);
    builder.setInsertionPointToEnd(place);
  }
  Value all;
  for (LLVM::AllocaOp array : arrays.getDynamic()) {
    Value size = computeAgain(
        builder, loc, at(array.getArraySize()), [&](Value known) -> Value {
          auto argument = dyn_cast<BlockArgument>(known);
          return argument && argument.getOwner() == &function.front() ? known
                                                                      : Value();
        });
    // The allocation may never run, and its size may be poison then.
    size = LLVM::FreezeOp::create(builder, loc, size);
    Value limit = LLVM::ConstantOp::create(
        builder, loc, size.getType(),
        builder.getIntegerAttr(size.getType(), arrays.countAllowed(array)));
    Value fits = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ule,
                                      size, limit);
    all = all ? LLVM::AndOp::create(builder, loc, all, fits) : fits;
  }
  if (!all)
    all = LLVM::ConstantOp::create(builder, loc, builder.getI1Type(),
                                   builder.getBoolAttr(true));
  auto branch = LLVM::CondBrOp::create(builder, loc, all, fits, slow);
  branch->setAttr(SizeGuardAttribute, builder.getUnitAttr());

  builder.setInsertionPointToEnd(slow);
  SmallVector<Value> args(function.getArguments());
  auto result = call(fallback, args);
  LLVM::ReturnOp::create(builder, loc, result.getResults());
}

LLVM::CallOp PartsByValue::call(LLVM::LLVMFuncOp fallback, ValueRange args) {
  SmallVector<Attribute> attributes;
  for (unsigned number = 0; number < args.size(); ++number) {
    SmallVector<NamedAttribute> known;
    // It is only read.
    if (fallback == byAddress && arrays.isByValue(number))
      known.push_back(builder.getNamedAttr(
          LLVM::LLVMDialect::getNoCaptureAttrName(), builder.getUnitAttr()));
    attributes.push_back(builder.getDictionaryAttr(known));
  }
  auto call = LLVM::CallOp::create(builder, loc, fallback, args);
  call.setCConv(fallback.getCConv());
  call.setArgAttrsAttr(builder.getArrayAttr(attributes));
  return call;
}

/// What takes the same parts, stores them, and passes addresses on; what that
/// leaves is combined with the reductions. Lanes call it one after the other,
/// so that they need not store to all of their arrays.
void PartsByValue::createWhole(const std::string &name) {
  fallback = cast<LLVM::LLVMFuncOp>(function->cloneWithoutRegions());
  fallback.setName(name);
  fallback.setLinkage(LLVM::Linkage::Internal);
  fallback.setDsoLocal(true);
  fallback->removeAttr(SourceAttribute);
  makeCold(fallback);
  OpBuilder::InsertionGuard guard(builder);
  llvm::SaveAndRestore restore(loc, Location(builder.getUnknownLoc()));
  fallback->setLoc(loc);
  builder.setInsertionPointToStart(fallback.addEntryBlock(builder));
  SmallVector<Value> args;
  unsigned next = 0;
  for (unsigned number = 0; number < original.getNumArguments(); ++number) {
    if (!arrays.isByValue(number)) {
      args.push_back(fallback.getArgument(next++));
      continue;
    }
    auto members = arrays.membersOf(number);
    // What passes addresses may copy all of an object.
    args.push_back(arrays.hasMembers(original.getArgument(number))
                       ? createArray(builder, loc, tuning::mostArrayBytes, 1, 8)
                       : createArray(builder, loc, members[0].countParts(),
                                     members[0].size));
    fill(membersAt(builder, loc, args.back(), members), number, fallback);
  }
  SmallVector<Value> addresses;
  for (const SharedReduction &reduction : reductions.get()) {
    addresses.push_back(args[reduction.parameter]);
    args[reduction.parameter] = LLVM::AllocaOp::create(
        builder, loc, addresses.back().getType(), reduction.type,
        LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                 builder.getI64IntegerAttr(1)));
  }
  auto result = call(byAddress, args);
  for (auto [reduction, address] : llvm::zip(reductions.get(), addresses))
    reduction.createUpdate(builder, loc, address,
                           LLVM::LoadOp::create(builder, loc, reduction.type,
                                                args[reduction.parameter]));
  LLVM::ReturnOp::create(builder, loc, result.getResults());
}

void PartsByValue::takeParts(const std::string &name) {
  auto type = function.getFunctionType();
  SmallVector<Type> types;
  SmallVector<Attribute> attributes;
  for (auto [number, parameter] : llvm::enumerate(type.getParams())) {
    if (arrays.isByValue(number))
      continue;
    types.push_back(parameter);
    attributes.push_back(function.getArgAttrDict(number));
  }
  for (unsigned number : arrays.getParameters()) {
    auto members = arrays.membersOf(number);
    for (const SmallArrays::Member &member : members)
      types.append(member.countParts(),
                   builder.getIntegerType(8 * member.size));
    Value parameter = at(original.getArgument(number));
    for (Operation *user : llvm::make_early_inc_range(parameter.getUsers()))
      if (isDebugRecord(*user))
        user->erase();
    auto its = objects.create(members);
    if (Value object = original.getArgument(number); arrays.hasMembers(object))
      objects.replace(object, parameter, members, its);
    parameter.replaceAllUsesWith(its.front());
    taken.push_back({number, its});
  }
  Block &entry = function.front();
  entry.eraseArguments([&](BlockArgument argument) {
    return arrays.isByValue(argument.getArgNumber());
  });
  for (Type added : ArrayRef(types).drop_front(entry.getNumArguments()))
    entry.addArgument(added, loc);
  for (Attribute &attribute : attributes)
    attribute = attribute ? attribute : builder.getDictionaryAttr({});
  attributes.resize(types.size(), builder.getDictionaryAttr({}));
  // Not by the interface's functions: they know of no functions without a
  // result.
  function.setFunctionType(
      LLVM::LLVMFunctionType::get(type.getReturnType(), types));
  function.setArgAttrsAttr(builder.getArrayAttr(attributes));
  createWhole(name);
}

/// Fills the arrays of parameters, as late as that is sure to be in time.
void PartsByValue::fillTaken() {
  DominanceInfo dominance(function);
  for (auto &[number, its] : taken) {
    bool isLate = fits && llvm::all_of(its, [&](Value array) {
                    return llvm::all_of(array.getUsers(), [&](auto *user) {
                      return dominance.dominates(fits, user->getBlock());
                    });
                  });
    Value last = its.front();
    for (Value array : its)
      if (last.getDefiningOp()->isBeforeInBlock(array.getDefiningOp()))
        last = array;
    if (isLate)
      builder.setInsertionPointToStart(fits);
    else
      builder.setInsertionPointAfterValue(last);
    fill(its, number, function);
  }
}

/// Spawns `callee`, which takes the parts of arrays behind all else.
void PartsByValue::pass(cilk::SpawnOp before) {
  auto spawn = cast<cilk::SpawnOp>(at(before));
  builder.setInsertionPoint(spawn);
  loc = spawn.getLoc();
  SmallVector<Value> args, behind;
  SmallVector<Attribute> attributes;
  ArrayAttr own = spawn.getArgAttrsAttr();
  for (auto [number, arg] : llvm::enumerate(spawn.getArgs())) {
    if (!arrays.isByValue(number)) {
      args.push_back(arg);
      for (const SharedReduction &reduction : reductions.get())
        if (reduction.parameter == number && function != callee)
          reduction.createIdentity(builder, loc, arg);
      if (own)
        attributes.push_back(own[number]);
      continue;
    }
    Value object = before.getArgs()[number];
    auto present = arrays.membersOf(object.getDefiningOp<LLVM::AllocaOp>());
    SmallVector<Value> its = objects.of(object);
    if (its.empty())
      its.push_back(arg);
    for (auto [i, member] : llvm::enumerate(arrays.membersOf(unsigned(number))))
      for (uint64_t part = 0; part < member.countParts(); ++part) {
        Type type = builder.getIntegerType(8 * member.size);
        if (part >= present[i].countParts()) {
          behind.push_back(LLVM::UndefOp::create(builder, loc, type));
          continue;
        }
        behind.push_back(LLVM::LoadOp::create(
            builder, loc, type,
            addressOf(builder, loc, its[i], member.size, part)));
        behind.back().getDefiningOp()->setAttr(ArrayPartAttribute,
                                               builder.getUnitAttr());
      }
  }
  args.append(behind);
  attributes.append(behind.size(), builder.getDictionaryAttr({}));
  cilk::SpawnOp::create(builder, loc, FlatSymbolRefAttr::get(callee), Value(),
                        args, spawn.getDestination(), spawn.getApplyAttr(),
                        TypeAttr::get(callee.getFunctionType()),
                        own ? builder.getArrayAttr(attributes) : ArrayAttr());
  spawn.erase();
  loc = function.getLoc();
}

void PartsByValue::run() {
  // They belong to the entry, which may be divided.
  Block &entry = function.front();
  for (auto array : llvm::make_early_inc_range(entry.getOps<LLVM::AllocaOp>()))
    if (Operation *count = array.getArraySize().getDefiningOp();
        count && count->getNumOperands() == 0) {
      array->moveBefore(&entry, entry.begin());
      builder.setInsertionPoint(array);
      array.setOperand(builder.clone(*count)->getResult(0));
    }
  insertCheck();
  if (function == callee)
    updateEarly(function);
  fillTaken();
  for (auto &[array, members] : arrays.getMembers())
    if (auto object = array.getDefiningOp<LLVM::AllocaOp>()) {
      builder.setInsertionPointToStart(&entry);
      objects.replace(
          array, at(array), members,
          objects.create(members, object.getAlignment().value_or(1)));
    }
  for (Operation *copy : arrays.getCopies())
    objects.moveParts(at(copy), copy);
  for (LLVM::AllocaOp array : arrays.getDynamic()) {
    auto copy = cast<LLVM::AllocaOp>(at(array.getOperation()));
    copy.replaceAllUsesWith(createArray(builder, loc, tuning::mostArrayParts,
                                        arrays.partOf(array),
                                        array.getAlignment().value_or(1))
                                .getResult());
    copy.erase();
  }
  for (cilk::SpawnOp spawn : arrays.getSpawns())
    pass(spawn);
  for (auto &[array, members] : arrays.getMembers())
    if (auto object = array.getDefiningOp<LLVM::AllocaOp>())
      at(object.getOperation())->erase();
  objects.promote(function, layout);
}
