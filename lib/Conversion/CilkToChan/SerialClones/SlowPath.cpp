//===- SlowPath.cpp - The other copy of a serial clone's body -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies what control reaches from the poll points of a serial clone:
//
//   loop: spawn f(i)                  loop: poll; branch to loop or promoted
//   i += 1                       =>   call f.serial(i); i += 1 ...
//   branch to loop or end             promoted: store i; branch to slow
//                                     slow: enqueue f(i); i += 1 ...
//
//===----------------------------------------------------------------------===//

#include "SlowPath.h"
#include "LoopObjects.h"
#include "cilk2chan/Conversion/CilkToChan/KeptObjects.h"
#include "cilk2chan/Conversion/Tuning.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"

#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/AddBytes.h"
#include "cilk2chan/Support/StorableType.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2chan;

bool cilk2chan::mayHaveSlowPath(LLVM::LLVMFuncOp function) {
  auto isKept = [&](Value value) {
    return value.getParentBlock() == &function.front() ||
           isRematerialized(value) || isStorable(value.getType());
  };
  for (Block &block : function.getBody()) {
    for (BlockArgument argument : block.getArguments())
      if (!isKept(argument))
        return false;
    for (Operation &op : block)
      for (Value result : op.getResults())
        if (!isKept(result) && result.isUsedOutsideOfBlock(&block))
          return false;
  }
  return true;
}

template <typename... Ops> static bool hasInLoop(LLVM::LLVMFuncOp function) {
  auto inLoop = [](Operation *op) {
    return isa<Ops...>(op) && op->getBlock()->isReachable(op->getBlock())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return function.walk(inLoop).wasInterrupted();
}

bool cilk2chan::goesOnInLoops(LLVM::LLVMFuncOp function) {
  return hasInLoop<cilk::SpawnOp, cilk::CallOp>(function);
}

bool cilk2chan::callsInLoops(LLVM::LLVMFuncOp function) {
  return hasInLoop<cilk::CallOp>(function);
}

bool cilk2chan::offersWork(Operation *site) {
  if (!isa<cilk::SpawnOp>(site))
    return false;
  for (Operation *next = site->getNextNode(); next; next = next->getNextNode())
    if (isa<cilk::SyncOp>(next))
      return false;
    else if (!isDebugRecord(*next) && !isMemoryEffectFree(next))
      return true;
  return true;
}

/// Where the outermost loop around a site begins.  In each iteration the stack
/// ends where it did in the one before, unless the loop takes from it.
static Operation *beforeLoops(const CFGLoopInfo &loops, Operation *site) {
  // One object will do for all that are kept.
  auto allocates = [](Block *block) {
    return !llvm::all_of(block->getOps<LLVM::AllocaOp>(), isKept);
  };
  CFGLoop *loop = loops.getLoopFor(site->getBlock());
  while (loop && loop->getLoopPredecessor() &&
         llvm::none_of(loop->getBlocks(), allocates)) {
    site = loop->getLoopPredecessor()->getTerminator();
    loop = loop->getParentLoop();
  }
  return site;
}

SmallVector<PollPoint> cilk2chan::pollPoints(LLVM::LLVMFuncOp function,
                                             ArrayRef<Operation *> sites,
                                             bool forStack) {
  Region &body = function.getBody();
  DominanceInfo dominance(function);
  std::optional<CFGLoopInfo> loops;
  if (!body.hasOneBlock())
    loops.emplace(dominance.getDomTree(&body));
  llvm::SmallSetVector<Operation *, 8> places;
  for (Operation *site : sites) {
    if (forStack)
      places.insert(loops ? beforeLoops(*loops, site) : site);
    if (offersWork(site))
      places.insert(site);
  }
  SmallVector<LLVM::AllocaOp> growing;
  function.walk([&](LLVM::AllocaOp alloca) {
    if (!isKept(alloca) && (alloca->getBlock() != &body.front() ||
                            !matchPattern(alloca.getArraySize(), m_Constant())))
      growing.push_back(alloca);
  });
  // Whether the stack ends where it ends at `one`, which comes before.
  auto endsAsAt = [&](Operation *one, Operation *place) {
    return dominance.properlyDominates(one, place) &&
           llvm::none_of(growing, [&](LLVM::AllocaOp alloca) {
             Block *block = alloca->getBlock();
             return one->getBlock()->isReachable(block) ||
                    (one->getBlock() == block && one->isBeforeInBlock(alloca));
           });
  };
  SmallVector<PollPoint> found;
  for (Operation *place : places) {
    bool isSpawn = offersWork(place);
    bool isDeeper = forStack && llvm::none_of(places, [&](Operation *other) {
                      return endsAsAt(other, place);
                    });
    if (isSpawn || isDeeper)
      found.push_back({place, isDeeper, isSpawn});
  }
  return found;
}

void cilk2chan::hoistConstants(LLVM::LLVMFuncOp function) {
  Block *entry = &function.front();
  function.walk([&](Operation *op) {
    if (op->getNumResults() == 1 && isRematerialized(op->getResult(0)))
      op->moveBefore(entry, entry->begin());
  });
}

SlowPath::SlowPath(LLVM::LLVMFuncOp function, ArrayRef<Operation *> sites,
                   const TypeLayout &layout)
    : function(function), sites(sites), layout(layout) {
  for (Operation *site : sites) {
    Block *before = site->getBlock();
    Block *after = before->splitBlock(site);
    OpBuilder builder = OpBuilder::atBlockEnd(before);
    LLVM::BrOp::create(builder, site->getLoc(), after);
  }
  findObjects();
  findValues();
  separateObjects();
  copy();
  useVariables();
}

Value SlowPath::makeVariable(Type type, Location loc, uint64_t alignment) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  Value one = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                       builder.getI64IntegerAttr(1));
  return LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(function.getContext()), type,
      one, alignment);
}

/// Finds the blocks to copy, and the values that both paths may define where
/// they are used in the copy.
void SlowPath::findValues() {
  SmallVector<Block *> left;
  llvm::SmallPtrSet<Block *, 16> reached;
  for (Operation *site : sites)
    left.push_back(site->getBlock());
  while (!left.empty()) {
    Block *block = left.pop_back_val();
    if (reached.insert(block).second)
      llvm::append_range(left, block->getSuccessors());
  }
  for (Block &block : function.getBody())
    if (reached.contains(&block))
      blocks.push_back(&block);

  Liveness liveness(function);
  for (Operation *site : sites) {
    const Liveness::ValueSetT &live = liveness.getLiveIn(site->getBlock());
    auto add = [&](Value value) {
      if (live.contains(value))
        liveAt[site].push_back(value);
    };
    // In the order of the function.
    for (Block *block : blocks) {
      llvm::for_each(block->getArguments(), add);
      for (Operation &op : *block)
        llvm::for_each(op.getResults(), add);
    }
    for (Value value : liveAt[site])
      variables[value];
  }
  for (auto &[value, variable] : variables)
    variable = makeVariable(value.getType(), value.getLoc());
}

namespace {
/// What is done with a local object.
struct ObjectUses {
  /// Whether only accesses, and spawns that deliver there, know where it is.
  bool areKnown = true;
  bool isDelivered = false;
  /// Whether it is known at run time only what part of it is accessed.
  bool isIndexed = false;

  explicit ObjectUses(Value object) { add(object); }

private:
  void add(Value address);
};
} // namespace

void ObjectUses::add(Value address) {
  for (Operation *user : address.getUsers()) {
    if (auto spawn = dyn_cast<cilk::SpawnOp>(user)) {
      isDelivered = true;
      areKnown &= address == spawn.getDestination() &&
                  !llvm::is_contained(spawn.getArgs(), address);
    } else if (auto gep = dyn_cast<LLVM::GEPOp>(user)) {
      isIndexed |= !llvm::all_of(gep.getDynamicIndices(), [](Value index) {
        return matchPattern(index, m_Constant());
      });
      add(gep);
    } else {
      areKnown &= isAccess(user, address);
    }
  }
}

bool cilk2chan::isDestination(Value object) {
  ObjectUses uses(object);
  return uses.areKnown && uses.isDelivered;
}

/// Computes an address in an object once more, from the object on.
static Value computeAgain(OpBuilder &builder, Value address) {
  auto gep = address.getDefiningOp<LLVM::GEPOp>();
  if (!gep)
    return address;
  Value base = computeAgain(builder, gep.getBase());
  Operation *own = builder.clone(*gep);
  own->replaceUsesOfWith(gep.getBase(), base);
  return own->getResult(0);
}

/// Computes each address in an object in front of whatever accesses it, so that
/// none is live where control leaves.  Debug records may know the others.
static void sinkAddresses(Value object) {
  SmallVector<Value> addresses = {object};
  while (!addresses.empty()) {
    Value address = addresses.pop_back_val();
    for (Operation *user : llvm::to_vector(address.getUsers())) {
      if (isa<LLVM::GEPOp>(user)) {
        addresses.push_back(user->getResult(0));
      } else if (address != object) {
        OpBuilder builder(user);
        user->replaceUsesOfWith(address, computeAgain(builder, address));
      }
    }
  }
}

namespace {
struct Word {
  uint64_t offset;
  Type type;
};
} // namespace

/// The fields of `type` at `offset` of an object, which are no aggregates.
static void addFields(SmallVectorImpl<Word> &fields, Type type, uint64_t offset,
                      const TypeLayout &layout) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    uint64_t size = layout.allocSize(array.getElementType());
    for (unsigned i = 0; i != array.getNumElements(); ++i)
      addFields(fields, array.getElementType(), offset + i * size, layout);
    return;
  }
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  if (!structure) {
    fields.push_back({offset, type});
    return;
  }
  for (auto [member, within] :
       llvm::zip(structure.getBody(), layout.memberOffsets(structure)))
    addFields(fields, member, offset + within, layout);
}

/// The words of an object of `type`, to its last byte, where some have several
/// integers, as a function returns them in a register.  None where they have
/// anything else with others, of which LLVM makes vectors.
static SmallVector<Word> packedWords(Type type, const TypeLayout &layout) {
  constexpr uint64_t wordSize = 8;
  SmallVector<Word> fields, words;
  addFields(fields, type, 0, layout);
  bool isPacked = false;
  auto *field = fields.begin();
  uint64_t size = layout.allocSize(type);
  for (uint64_t begin = 0; begin < size; begin += wordSize) {
    uint64_t bytes = std::min(wordSize, size - begin), count = 0;
    bool areIntegers = true;
    auto *first = field;
    for (; field != fields.end() && field->offset < begin + bytes; ++field) {
      if (field->offset + layout.storeSize(field->type) > begin + bytes)
        return {};
      areIntegers &= isa<IntegerType>(field->type);
      ++count;
    }
    if (count == 1 && layout.storeSize(first->type) == bytes) {
      words.push_back(*first);
      continue;
    }
    // Where there is padding, the other member of a union may have something.
    if (!areIntegers || !llvm::isPowerOf2_64(bytes))
      return {};
    words.push_back({begin, IntegerType::get(type.getContext(), 8 * bytes)});
    isPacked |= count > 1;
  }
  return isPacked ? words : SmallVector<Word>();
}

void SlowPath::findObjects() {
  for (auto object : function.front().getOps<LLVM::AllocaOp>()) {
    ObjectUses uses(object);
    if (matchPattern(object.getArraySize(), m_One()) &&
        layout.allocSize(object.getElemType()) <=
            tuning::mostCopiedToSlowPath &&
        uses.areKnown && (uses.isDelivered || uses.isIndexed))
      objects[object] = Value();
  }
  for (auto &[object, own] : objects)
    sinkAddresses(object);
}

void SlowPath::separateObjects() {
  for (auto &[value, own] : objects) {
    auto object = value.getDefiningOp<LLVM::AllocaOp>();
    own = makeVariable(object.getElemType(), object.getLoc(),
                       object.getAlignment().value_or(0));
    mapping.map(value, own);
    // Else LLVM takes words apart that a function returns in a register, as
    // it does not where the object's lifetime is marked.
    if (!packedWords(object.getElemType(), layout).empty()) {
      OpBuilder builder(object->getContext());
      builder.setInsertionPointAfter(object);
      LLVM::LifetimeStartOp::create(builder, object.getLoc(), object);
    }
  }
}

void SlowPath::copy() {
  for (Block *block : blocks) {
    Block *copy = new Block();
    function.push_back(copy);
    copies.push_back(copy);
    mapping.map(block, copy);
    for (BlockArgument argument : block->getArguments())
      mapping.map(argument,
                  copy->addArgument(argument.getType(), argument.getLoc()));
  }
  for (Operation *site : sites)
    starts[site] = mapping.lookup(site->getBlock());
  OpBuilder builder(function.getContext());
  for (Block *block : blocks) {
    builder.setInsertionPointToEnd(mapping.lookup(block));
    for (Operation &op : *block)
      builder.clone(op, mapping);
  }
  // A block may have been copied before those that define what it uses.
  for (Block *copy : copies)
    for (Operation &op : *copy)
      for (OpOperand &operand : op.getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
}

void SlowPath::useVariables() {
  OpBuilder builder(function.getContext());
  for (auto [original, variable] : variables) {
    Value value = mapping.lookup(original);
    llvm::SmallSetVector<Operation *, 8> users(value.getUsers().begin(),
                                               value.getUsers().end());
    for (Operation *user : users) {
      builder.setInsertionPoint(user);
      Value now = LLVM::LoadOp::create(builder, user->getLoc(), value.getType(),
                                       variable);
      user->replaceUsesOfWith(value, now);
    }
    builder.setInsertionPointAfterValue(value);
    LLVM::StoreOp::create(builder, value.getLoc(), value, variable);
  }
}

/// The same value by a place in memory, so that LLVM does not know that.  Else
/// the fast path's loops count what the slow path's will need, too, and what
/// lives across the slow path's calls is in their registers.
Value SlowPath::apart(OpBuilder &builder, Location loc, Value value) {
  Value place = makeVariable(value.getType(), loc);
  LLVM::StoreOp::create(builder, loc, value, place);
  return LLVM::LoadOp::create(builder, loc, value.getType(), place,
                              /*alignment=*/0, /*isVolatile=*/true);
}

void SlowPath::enter(OpBuilder &builder, Operation *site) {
  Location loc = site->getLoc();
  for (auto [object, own] : objects) {
    auto type = object.getDefiningOp<LLVM::AllocaOp>().getElemType();
    SmallVector<Word> words = packedWords(type, layout);
    for (auto [offset, wordType] : words) {
      auto at = [&](Value address) {
        return addBytes(builder, loc, address, offset);
      };
      Value word = LLVM::LoadOp::create(builder, loc, wordType, at(object));
      LLVM::StoreOp::create(builder, loc, word, at(own));
    }
    if (!words.empty())
      continue;
    Value size = LLVM::ConstantOp::create(
        builder, loc, builder.getI64IntegerAttr(layout.allocSize(type)));
    LLVM::MemcpyOp::create(builder, loc, own, object, size,
                           /*isVolatile=*/false);
  }
  for (Value value : liveAt.lookup(site))
    LLVM::StoreOp::create(builder, loc, apart(builder, loc, value),
                          variables.lookup(value));
  LLVM::BrOp::create(builder, loc, starts.lookup(site));
}

Operation *SlowPath::copyOf(Operation *op) const {
  return mapping.lookupOrNull(op);
}

Value SlowPath::copyOf(Value value) const {
  return variables.contains(value) ? Value() : mapping.lookupOrDefault(value);
}
