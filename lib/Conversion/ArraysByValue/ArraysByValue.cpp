//===- ArraysByValue.cpp - Small arrays go from task to task by value -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes that follow pointers into each other's arrays gather.  Lanes that have
// arrays of their own, of a size known to all, load and store them part by
// part, whole registers at a time (chan-simd's Interleaving).
//
//===----------------------------------------------------------------------===//

#include "SmallArrays.h"
#include "Totals.h"

#include "../CilkToChan/DebugVariables.h"
#include "../CilkToChan/LongLoops.h"
#include "../CilkToChan/Peel.h"
#include "../CilkToChan/Stacks.h"

#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Support/FunctionAttributes.h"
#include "cilk2chan/Support/Markers.h"

#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/Mem2Reg.h"
#include "llvm/Support/SaveAndRestore.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CILKARRAYSBYVALUE
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {

/// Rewrites a function with small arrays, or a copy of it.
class Rewriting {
public:
  /// `function` is a copy of the one that `arrays` is of, to which `mapping`
  /// leads.  What it spawns is `callee`, which takes parts.  What passes
  /// addresses, as in C, is `byAddress`.
  Rewriting(const SmallArrays &arrays, const Totals &totals,
            const DataLayout &layout, LLVM::LLVMFuncOp function,
            const IRMapping &mapping, LLVM::LLVMFuncOp callee,
            LLVM::LLVMFuncOp byAddress)
      : arrays(arrays), totals(totals), layout(layout),
        original(arrays.getFunction()), function(function), mapping(mapping),
        callee(callee), byAddress(byAddress), builder(function.getContext()),
        loc(function.getLoc()), whole(byAddress) {
    builder.setInsertionPointToStart(&function.front());
  }

  /// Instead of pointers to arrays it takes their parts, behind all else.
  /// The function `name`, which is in no module yet, takes the same and runs
  /// the one that passes addresses.
  void takeParts(const std::string &name);

  /// Has all arrays of sizes that are known, and runs the one that passes
  /// addresses where they are too small, or where lanes are none.
  void run();

  LLVM::LLVMFuncOp getWhole() const { return whole; }

private:
  Value constant(uint64_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                    builder.getI64IntegerAttr(value));
  }
  Value at(Value original) const { return mapping.lookup(original); }
  Block *at(Block *original) const { return mapping.lookup(original); }
  Operation *at(Operation *original) const { return mapping.lookup(original); }
  LLVM::AllocaOp createArray(uint64_t parts, uint64_t part,
                             uint64_t alignment = 1);
  Value addressOf(Value array, uint64_t part, uint64_t number);
  SmallVector<Value> createMembers(ArrayRef<SmallArrays::Member> members,
                                   uint64_t alignment = 1);
  SmallVector<Value> membersAt(Value array,
                               ArrayRef<SmallArrays::Member> members);
  void redirect(Value object, ArrayRef<SmallArrays::Member> members,
                ArrayRef<Value> arrays);
  void fill(ArrayRef<Value> arrays, unsigned parameter, LLVM::LLVMFuncOp of);
  void createWhole(const std::string &name);
  LLVM::CallOp call(LLVM::LLVMFuncOp whole, ValueRange args);
  void insertCheck();
  void fillTaken();
  void movePart(Operation *copy, uint64_t part, Value index);
  void expand(Operation *copy, uint64_t part);
  void divide(Operation *copy, Operation *original);
  void pass(cilk::SpawnOp spawn);

  const SmallArrays &arrays;
  const Totals &totals;
  const DataLayout &layout;
  LLVM::LLVMFuncOp original, function;
  const IRMapping &mapping;
  LLVM::LLVMFuncOp callee, byAddress;
  OpBuilder builder;
  Location loc;
  /// Where nothing of the arrays is used yet, and where the function is sure to
  /// come to them.
  Block *fits = nullptr;
  /// Parameters whose parts it has, and the arrays of their members.
  SmallVector<std::pair<unsigned, SmallVector<Value>>> taken;
  /// Members of one part.
  SmallVector<PromotableAllocationOpInterface> variables;
  /// The arrays of the members of objects, and of parameters.
  llvm::DenseMap<Value, SmallVector<Value>> divided;
  /// What passes addresses, or what takes the same as `function` and runs it.
  LLVM::LLVMFuncOp whole;
};

} // namespace

LLVM::AllocaOp Rewriting::createArray(uint64_t parts, uint64_t part,
                                      uint64_t alignment) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(
      &builder.getInsertionBlock()->getParent()->front());
  return LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      LLVM::LLVMArrayType::get(builder.getIntegerType(8 * part), parts),
      constant(1), std::max(alignment, part));
}

Value Rewriting::addressOf(Value array, uint64_t part, uint64_t number) {
  auto object = array.getDefiningOp<LLVM::AllocaOp>();
  if (number == 0 && object && object.getElemType().isInteger())
    return array; // A variable.
  return LLVM::GEPOp::create(builder, loc, array.getType(),
                             builder.getIntegerType(8 * part), array,
                             ArrayRef<LLVM::GEPArg>{int32_t(number)});
}

/// An array for each member, or a variable.
SmallVector<Value>
Rewriting::createMembers(ArrayRef<SmallArrays::Member> members,
                         uint64_t alignment) {
  SmallVector<Value> arrays;
  for (const SmallArrays::Member &member : members) {
    auto array = createArray(member.countParts(), member.size,
                             member.offset ? 1 : alignment);
    if (member.countParts() == 1 && members.size() > 1) {
      array.setElemType(builder.getIntegerType(8 * member.size));
      variables.push_back(array);
    }
    arrays.push_back(array);
  }
  return arrays;
}

/// Where the members of one array are.
SmallVector<Value> Rewriting::membersAt(Value array,
                                        ArrayRef<SmallArrays::Member> members) {
  SmallVector<Value> places;
  for (const SmallArrays::Member &member : members)
    places.push_back(member.offset ? addressOf(array, 1, member.offset)
                                   : array);
  return places;
}

/// Has what is accessed of `object` accessed in the arrays of its members.  Who
/// copies or passes it is left as it is.
void Rewriting::redirect(Value object, ArrayRef<SmallArrays::Member> members,
                         ArrayRef<Value> its) {
  auto find = [&](uint64_t offset) {
    return llvm::find_if(members,
                         [&](const SmallArrays::Member &member) {
                           return member.offset <= offset &&
                                  offset < member.end;
                         }) -
           members.begin();
  };
  for (OpOperand &use : llvm::make_early_inc_range(object.getUses())) {
    Operation *op = use.getOwner();
    if (isDebugRecord(*op) ||
        isa<LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op)) {
      op->erase();
    } else if (isa<LLVM::LoadOp, LLVM::StoreOp>(op)) {
      use.set(its[find(0)]);
    } else if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
      auto place = *arrays.placeOf(gep);
      // Nobody accesses anything there.
      size_t number = find(place.offset);
      if (number == members.size()) {
        gep.replaceAllUsesWith(object);
        gep.erase();
        continue;
      }
      builder.setInsertionPoint(gep);
      uint64_t offset = place.offset - members[number].offset;
      Value address = offset ? addressOf(its[number], 1, offset) : its[number];
      SmallVector<LLVM::GEPArg> rest;
      for (auto index : gep.getIndices())
        if (auto constant = dyn_cast<IntegerAttr>(index))
          rest.push_back(int32_t(constant.getInt()));
        else
          rest.push_back(cast<Value>(index));
      rest.erase(rest.begin(), rest.begin() + place.indices);
      if (!rest.empty()) {
        rest.insert(rest.begin(), int32_t(0));
        address = LLVM::GEPOp::create(builder, gep.getLoc(), gep.getType(),
                                      place.type, address, rest,
                                      gep.getNoWrapFlags());
      }
      gep.replaceAllUsesWith(address);
      gep.erase();
    }
  }
}

/// Stores the parts of a parameter that `of` has instead of a pointer.
void Rewriting::fill(ArrayRef<Value> its, unsigned parameter,
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
                                addressOf(array, member.size, i));
      store->setAttr(PartAttribute, builder.getUnitAttr());
    }
}

/// Where a size is more than an array has, the function as it was runs once
/// more from its beginning.  So it does in a serial clone (SerialClones.cpp),
/// for which addresses are better.
void Rewriting::insertCheck() {
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
    // Loads may have been moved in front of the loop (Totals).
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
    // Perhaps nobody asks for that memory after all.
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
  branch->setAttr(FitsAttribute, builder.getUnitAttr());

  builder.setInsertionPointToEnd(slow);
  SmallVector<Value> args(function.getArguments());
  auto result = call(whole, args);
  LLVM::ReturnOp::create(builder, loc, result.getResults());
}

LLVM::CallOp Rewriting::call(LLVM::LLVMFuncOp whole, ValueRange args) {
  SmallVector<Attribute> attributes;
  for (unsigned number = 0; number < args.size(); ++number) {
    SmallVector<NamedAttribute> known;
    // It is only read.
    if (whole == byAddress && arrays.isByValue(number))
      known.push_back(builder.getNamedAttr(
          LLVM::LLVMDialect::getNoCaptureAttrName(), builder.getUnitAttr()));
    attributes.push_back(builder.getDictionaryAttr(known));
  }
  auto call = LLVM::CallOp::create(builder, loc, whole, args);
  call.setCConv(whole.getCConv());
  call.setArgAttrsAttr(builder.getArrayAttr(attributes));
  return call;
}

/// What takes the same parts, stores them, and passes addresses on; what that
/// leaves is combined with the totals. Lanes call it one after the other, so
/// that they need not store to all of their arrays.
void Rewriting::createWhole(const std::string &name) {
  whole = cast<LLVM::LLVMFuncOp>(function->cloneWithoutRegions());
  whole.setName(name);
  whole.setLinkage(LLVM::Linkage::Internal);
  whole.setDsoLocal(true);
  whole->removeAttr(SourceAttribute);
  makeCold(whole);
  OpBuilder::InsertionGuard guard(builder);
  llvm::SaveAndRestore restore(loc, Location(builder.getUnknownLoc()));
  whole->setLoc(loc);
  builder.setInsertionPointToStart(whole.addEntryBlock(builder));
  SmallVector<Value> args;
  unsigned next = 0;
  for (unsigned number = 0; number < original.getNumArguments(); ++number) {
    if (!arrays.isByValue(number)) {
      args.push_back(whole.getArgument(next++));
      continue;
    }
    auto members = arrays.membersOf(number);
    // What passes addresses may copy all of an object.
    args.push_back(arrays.hasMembers(original.getArgument(number))
                       ? createArray(SmallArrays::mostBytes, 1, 8)
                       : createArray(members[0].countParts(), members[0].size));
    fill(membersAt(args.back(), members), number, whole);
  }
  SmallVector<Value> addresses;
  for (const Total &total : totals.get()) {
    addresses.push_back(args[total.parameter]);
    args[total.parameter] = LLVM::AllocaOp::create(
        builder, loc, addresses.back().getType(), total.type, constant(1));
  }
  auto result = call(byAddress, args);
  for (auto [total, address] : llvm::zip(totals.get(), addresses))
    total.createUpdate(
        builder, loc, address,
        LLVM::LoadOp::create(builder, loc, total.type, args[total.parameter]));
  LLVM::ReturnOp::create(builder, loc, result.getResults());
}

void Rewriting::takeParts(const std::string &name) {
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
    auto its = createMembers(members);
    if (arrays.hasMembers(original.getArgument(number))) {
      redirect(parameter, members, its);
      divided[original.getArgument(number)] = its;
    }
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
void Rewriting::fillTaken() {
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

/// Copies, or sets, the part with that index; the first one if it is null.
void Rewriting::movePart(Operation *op, uint64_t part, Value index) {
  Type partType = builder.getIntegerType(8 * part);
  auto address = [&](Value base) -> Value {
    return index ? LLVM::GEPOp::create(builder, loc, base.getType(), partType,
                                       base, ArrayRef<LLVM::GEPArg>{index})
                 : base;
  };
  // Only what begins an array is known to be as its parts are aligned.
  auto alignment = [&](Value base) -> unsigned {
    return base.getDefiningOp<LLVM::AllocaOp>() ? part : 1;
  };
  Value value, to = op->getOperand(0);
  if (auto copy = dyn_cast<LLVM::MemcpyOp>(op)) {
    value = LLVM::LoadOp::create(builder, loc, partType, address(copy.getSrc()),
                                 alignment(copy.getSrc()));
  } else {
    APInt byte;
    matchPattern(cast<LLVM::MemsetOp>(op).getVal(), m_ConstantInt(&byte));
    value = LLVM::ConstantOp::create(
        builder, loc, partType,
        builder.getIntegerAttr(partType, APInt::getSplat(8 * part, byte)));
  }
  LLVM::StoreOp::create(builder, loc, value, address(to), alignment(to));
}

/// Copies, or sets, one part after the other.
void Rewriting::expand(Operation *op, uint64_t part) {
  Block *before = op->getBlock(), *after = before->splitBlock(op);
  auto *head = new Block(), *body = new Block();
  head->insertBefore(after);
  body->insertBefore(after);
  loc = op->getLoc();
  builder.setInsertionPointToEnd(before);
  Value length = op->getOperand(2);
  Type type = length.getType();
  auto number = [&](uint64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  };
  Value count = part == 1 ? length
                          : LLVM::LShrOp::create(builder, loc, length,
                                                 number(llvm::Log2_64(part)));
  Value zero = number(0), one = number(1);
  LLVM::BrOp::create(builder, loc, zero, head);
  Value index = head->addArgument(type, loc);
  builder.setInsertionPointToEnd(head);
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult,
                                    index, count);
  LLVM::CondBrOp::create(builder, loc, more, body, after);
  builder.setInsertionPointToEnd(body);
  movePart(op, part, index);
  Value next = LLVM::AddOp::create(builder, loc, index, one,
                                   LLVM::IntegerOverflowFlags::nuw);
  LLVM::BrOp::create(builder, loc, next, head);
  op->erase();
  loc = function.getLoc();
}

/// Copies, or sets, one member after the other of what `original` is about.
void Rewriting::divide(Operation *op, Operation *original) {
  APInt length;
  matchPattern(op->getOperand(2), m_ConstantInt(&length));
  Value to = baseOf(original->getOperand(0)), from;
  if (isa<LLVM::MemcpyOp>(op))
    from = baseOf(original->getOperand(1));
  Value known = arrays.hasMembers(to) ? to : from;
  builder.setInsertionPoint(op);
  auto members = arrays.getMembers().lookup(known);
  auto placesOf = [&](Value array, Value address) {
    auto its = divided.lookup(array);
    return its.empty() ? membersAt(address, members) : its;
  };
  SmallVector<Value> targets = placesOf(to, op->getOperand(0)), sources;
  if (from)
    sources = placesOf(from, op->getOperand(1));
  for (auto [i, member] : llvm::enumerate(members)) {
    if (member.end > length.getLimitedValue())
      break;
    builder.setInsertionPoint(op);
    Operation *part = builder.clone(*op);
    part->setOperand(0, targets[i]);
    if (from)
      part->setOperand(1, sources[i]);
    part->setOperand(2,
                     LLVM::ConstantOp::create(
                         builder, loc, op->getOperand(2).getType(),
                         builder.getIntegerAttr(op->getOperand(2).getType(),
                                                member.end - member.offset)));
    part->moveBefore(op); // Behind its length.
    if (member.countParts() > 1) {
      expand(part, member.size);
      continue;
    }
    movePart(part, member.size, Value());
    part->erase();
  }
  op->erase();
}

/// Spawns `callee`, which takes the parts of arrays behind all else.
void Rewriting::pass(cilk::SpawnOp before) {
  auto spawn = cast<cilk::SpawnOp>(at(before));
  builder.setInsertionPoint(spawn);
  loc = spawn.getLoc();
  SmallVector<Value> args, behind;
  SmallVector<Attribute> attributes;
  ArrayAttr own = spawn.getArgAttrsAttr();
  for (auto [number, arg] : llvm::enumerate(spawn.getArgs())) {
    if (!arrays.isByValue(number)) {
      args.push_back(arg);
      for (const Total &total : totals.get())
        if (total.parameter == number && function != callee)
          total.createIdentity(builder, loc, arg);
      if (own)
        attributes.push_back(own[number]);
      continue;
    }
    Value object = before.getArgs()[number];
    auto present = arrays.membersOf(object.getDefiningOp<LLVM::AllocaOp>());
    SmallVector<Value> its = divided.lookup(object);
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
            builder, loc, type, addressOf(its[i], member.size, part)));
        behind.back().getDefiningOp()->setAttr(PartAttribute,
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

void Rewriting::run() {
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
      auto its = createMembers(members, object.getAlignment().value_or(1));
      redirect(at(array), members, its);
      divided[array] = its;
    }
  for (Operation *copy : arrays.getCopies()) {
    if (arrays.hasMembers(baseOf(copy->getOperand(0))) ||
        arrays.hasMembers(baseOf(copy->getOperand(1)))) {
      divide(at(copy), copy);
      continue;
    }
    uint64_t part = arrays.partOf(baseOf(copy->getOperand(0)));
    expand(at(copy), part ? part : arrays.partOf(baseOf(copy->getOperand(1))));
  }
  for (LLVM::AllocaOp array : arrays.getDynamic()) {
    auto copy = cast<LLVM::AllocaOp>(at(array.getOperation()));
    copy.replaceAllUsesWith(createArray(SmallArrays::mostParts,
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
  DominanceInfo dominance(function);
  (void)tryToPromoteMemorySlots(variables, builder, layout, dominance);
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

/// The function that `function` may come in place of, which divides its loops;
/// null if it is none of these.
static LLVM::LLVMFuncOp dividedOf(LLVM::LLVMFuncOp function,
                                  const SymbolTable &symbols) {
  auto name = function->getAttrOfType<FlatSymbolRefAttr>(DividedAttribute);
  return name ? symbols.lookup<LLVM::LLVMFuncOp>(name.getValue())
              : LLVM::LLVMFuncOp();
}

/// Whether children have by value what iterations have all in one place.
static bool haveOwnObjects(const SmallArrays &arrays) {
  auto isByValue = [&](cilk::SpawnOp spawn) {
    return llvm::all_of(llvm::enumerate(spawn.getArgs()), [&](auto arg) {
      Operation *object = arg.value().getDefiningOp();
      return !object || !object->hasAttr(OfIterationAttribute) ||
             arrays.isByValue(unsigned(arg.index()));
    });
  };
  return llvm::all_of(arrays.getSpawns(), isByValue);
}

static remark::RemarkOpts remarkOptions(LLVM::LLVMFuncOp function) {
  return remark::RemarkOpts::name("arrays")
      .category("chan-arrays")
      .function(sourceOf(function).getValue());
}

namespace {
struct CilkArraysByValue
    : public cilk2chan::impl::CilkArraysByValueBase<CilkArraysByValue> {
  using CilkArraysByValueBase::CilkArraysByValueBase;

  void runOnOperation() override {
    const DataLayout &layout =
        getAnalysis<DataLayoutAnalysis>().getAtOrAbove(getOperation());
    SymbolTable symbols(getOperation());
    SmallVector<LLVM::LLVMFuncOp> functions;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal() && cilk::isSpawning(function))
        functions.push_back(function);
    for (LLVM::LLVMFuncOp function : functions) {
      LLVM::LLVMFuncOp divided = dividedOf(function, symbols);
      auto arrays = SmallArrays::find(function, layout);
      bool goByValue = arrays && (!divided || haveOwnObjects(*arrays));
      bool isRewritten = false;
      if (goByValue) {
        Totals totals(function, arrays->getSpawns(), symbols);
        if (!arrays->isEmpty() || !totals.get().empty())
          isRewritten =
              rewrite(*arrays, totals, divided ? divided : function, symbols);
      }
      if (!divided)
        continue;
      if (!isRewritten)
        remark::missed(divided.getLoc(), remarkOptions(divided))
            << std::string("objects that iterations of the cilk_for pass do "
                           "not go by value, so it divides its iterations: ") +
                   (goByValue ? "a loop that does not spawn may be long; "
                                "-fchan-batch asks for batches all the same"
                              : "they have more than 64 bytes, or a member "
                                "with parts of several sizes, or who is called "
                                "does more than read them, or is another "
                                "function");
      symbols.erase(function);
    }
  }

private:
  bool rewrite(const SmallArrays &arrays, const Totals &totals,
               LLVM::LLVMFuncOp byAddress, SymbolTable &symbols);
};
} // namespace

static void remarkOn(LLVM::LLVMFuncOp function, const SmallArrays &arrays,
                     const Totals &totals, StringRef whole) {
  if (!function.getContext()->getRemarkEngine())
    return;
  auto remark = [&](StringRef text) {
    remark::passed(function.getLoc(), remarkOptions(function)) << text.str();
  };
  std::string name = ("'" + function.getName() + "'").str();
  if (!arrays.isEmpty()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "activations of " << name << " have arrays of their own for lanes";
    for (unsigned number : arrays.getParameters()) {
      os << ", parameter " << number + 1 << " by value (";
      llvm::interleaveComma(arrays.membersOf(number), os, [&](auto &member) {
        os << member.countParts() << " times " << member.size << " bytes";
      });
      os << ")";
    }
    if (!arrays.getDynamic().empty())
      os << "; where these have more than " << SmallArrays::mostParts
         << " parts, it runs as '" << whole << "'";
    remark(text);
  }
  for (const Total &total : totals.get())
    remark(("what activations of " + name + " leave where parameter " +
            Twine(total.parameter + 1) +
            " points to is combined in one place as it comes (" +
            chan::stringifyCombination(total.by) + ")")
               .str());
}

static std::string unusedName(const SymbolTable &symbols, std::string name) {
  std::string unused = name;
  for (unsigned i = 1; symbols.lookup(unused); ++i)
    unused = name + "." + std::to_string(i);
  return unused;
}

/// Has the function that passes addresses, which was `name`, and its loops come
/// to it again.
static void keepByAddress(LLVM::LLVMFuncOp function, StringRef name,
                          const SymbolTable &symbols) {
  llvm::SetVector<LLVM::LLVMFuncOp> parts;
  parts.insert(function);
  auto whole = FlatSymbolRefAttr::get(function);
  for (size_t i = 0; i < parts.size(); ++i) {
    LLVM::LLVMFuncOp part = parts[i];
    // Lanes may come to call it one after the other (chan-simd).
    makeCold(part);
    part.walk([&](Operation *op) {
      auto spawn = dyn_cast<cilk::SpawnOp>(op);
      auto call = dyn_cast<cilk::CallOp>(op);
      auto callee = spawn  ? spawn.getCalleeAttr()
                    : call ? call.getCalleeAttr()
                           : FlatSymbolRefAttr();
      if (!callee)
        return;
      if (isLoop(callee.getValue()))
        parts.insert(symbols.lookup<LLVM::LLVMFuncOp>(callee.getValue()));
      else if (callee.getValue() != name)
        return;
      else if (spawn)
        spawn.setCalleeAttr(whole);
      else
        call.setCalleeAttr(whole);
    });
  }
}

/// Puts what has `arrays` by value in the place of `byAddress`, which is the
/// same function, or does with addresses what that does.  False if it may take
/// long, and nobody has asked for it all the same.
bool CilkArraysByValue::rewrite(const SmallArrays &arrays, const Totals &totals,
                                LLVM::LLVMFuncOp byAddress,
                                SymbolTable &symbols) {
  LLVM::LLVMFuncOp function = arrays.getFunction();
  std::string name = byAddress.getName().str();
  std::string whole = unusedName(symbols, name + ".whole");
  auto source = FlatSymbolRefAttr::get(byAddress);
  const DataLayout &layout =
      getAnalysis<DataLayoutAnalysis>().getAtOrAbove(getOperation());
  IRMapping toFirst, toOthers;
  // What C calls, and what that spawns.
  auto first = cast<LLVM::LLVMFuncOp>(function->clone(toFirst));
  first.setName(name);
  if (function != byAddress)
    first->removeAttr(SourceAttribute);
  first->removeAttr(DividedAttribute);
  LLVM::LLVMFuncOp others = first;
  if (!arrays.getParameters().empty() || !totals.get().empty()) {
    others = cast<LLVM::LLVMFuncOp>(function->clone(toOthers));
    others.setName(unusedName(symbols, name + ".values"));
    others.setLinkage(LLVM::Linkage::Private);
    others.setComdatAttr({});
    others->setAttr(SourceAttribute, source);
    others->removeAttr(DividedAttribute);
  }
  symbols.remove(byAddress);
  byAddress.setName(whole);
  SmallVector<LLVM::LLVMFuncOp> copies{first};
  if (others != first) {
    totals.combineInPlace(others);
    Rewriting other(arrays, totals, layout, others, toOthers, others,
                    byAddress);
    other.takeParts(unusedName(symbols, others.getName().str() + ".whole"));
    other.run();
    copies.append({others, other.getWhole()});
  }
  Rewriting(arrays, totals, layout, first, toFirst, others, byAddress).run();

  if (!longLoops && mayTakeLong(others)) {
    for (LLVM::LLVMFuncOp copy : copies)
      copy->destroy();
    byAddress.setName(name);
    symbols.insert(byAddress);
    return false;
  }
  auto place = std::next(byAddress->getIterator());
  for (LLVM::LLVMFuncOp copy : copies)
    symbols.insert(copy, place);
  remarkOn(first, arrays, totals, whole);
  symbols.insert(byAddress);
  keepByAddress(byAddress, name, symbols);
  byAddress.setLinkage(LLVM::Linkage::Internal);
  byAddress.setComdatAttr({});
  byAddress->setAttr(SourceAttribute, source);
  return true;
}
