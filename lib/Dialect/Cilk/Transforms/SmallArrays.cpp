//===- SmallArrays.cpp - Arrays that lanes can have each their own --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallArrays.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"
#include "cilk2chan/Dialect/Cilk/Analysis/Recomputation.h"
#include "cilk2chan/Dialect/Cilk/Analysis/SpawningFunctions.h"
#include "cilk2chan/Dialect/Cilk/Tuning.h"

#include "cilk2chan/Support/Beginning.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace cilk2chan;

/// What a function does with an array, from its beginning or from within.
struct SmallArrays::Uses {
  /// Anything but what follows.
  bool escapes = false;
  bool isRead = false, isWritten = false;
  /// A child's result comes to it.
  bool isDestination = false;
  /// Bytes of what is loaded and stored.
  llvm::SmallSetVector<uint64_t, 2> sizes;
  /// Of memory as such.
  llvm::SmallSetVector<Operation *, 4> copies;
  /// Spawns that pass it, and as which argument.
  SmallVector<std::pair<cilk::SpawnOp, unsigned>> passed;
};

bool cilk2chan::isFixed(LLVM::AllocaOp array) {
  return array->getBlock()->isEntryBlock() &&
         matchPattern(array.getArraySize(), m_Constant());
}

/// All spawns are of the function itself, and nothing keeps it from having a
/// batch form apart from its arrays.
bool SmallArrays::findSpawns() {
  if (isInterposable(function) || isUnnamed(function) ||
      function.getFunctionType().isVarArg())
    return false;
  for (BlockArgument argument : function.getArguments())
    if (byValueType(function, argument.getArgNumber()))
      return false;
  for (Block &block : function)
    for (Operation &op : block) {
      if (isa<cilk::SyncOp>(op) && block.isReachable(&block))
        return false;
      auto spawn = dyn_cast<cilk::SpawnOp>(op);
      if (!spawn) {
        if (isa<cilk::CallOp, cilk::ForOp>(op))
          return false;
        continue;
      }
      if (spawn.getCallee() != function.getName() ||
          spawn.getSignature() != function.getFunctionType() ||
          spawn.getStructResult())
        return false;
      spawns.push_back(spawn);
    }
  return !spawns.empty();
}

void SmallArrays::findUses(Value address, Uses &uses) const {
  for (OpOperand &use : address.getUses()) {
    Operation *op = use.getOwner();
    auto access = [&](Type type, bool isVolatile, bool isAtomic) {
      uses.escapes |= isVolatile || isAtomic;
      uses.sizes.insert(layout.storeSize(type));
    };
    if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
      findUses(gep, uses);
    } else if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
      uses.isRead = true;
      access(load.getType(), load.getVolatile_(),
             load.getOrdering() != LLVM::AtomicOrdering::not_atomic);
    } else if (auto store = dyn_cast<LLVM::StoreOp>(op);
               store && store.getValue() != address) {
      uses.isWritten = true;
      access(store.getValue().getType(), store.getVolatile_(),
             store.getOrdering() != LLVM::AtomicOrdering::not_atomic);
    } else if (auto copy = dyn_cast<LLVM::MemcpyOp>(op)) {
      bool isSource = copy.getSrc() == address;
      (isSource ? uses.isRead : uses.isWritten) = true;
      uses.escapes |= copy.getIsVolatile();
      uses.copies.insert(op);
    } else if (auto set = dyn_cast<LLVM::MemsetOp>(op)) {
      uses.isWritten = true;
      uses.escapes |=
          set.getIsVolatile() || !matchPattern(set.getVal(), m_Constant());
      uses.copies.insert(op);
    } else if (auto spawn = dyn_cast<cilk::SpawnOp>(op)) {
      unsigned number =
          use.getOperandNumber() -
          (spawn.getArgs().empty() ? 0
                                   : spawn.getArgs().getBeginOperandIndex());
      if (spawn.getDestination() == address &&
          number >= spawn.getArgs().size()) {
        uses.isWritten = uses.isDestination = true;
        if (!spawn.getApplyAttr())
          access(spawn.getSignature().getReturnType(), false, false);
      } else {
        uses.passed.push_back({spawn, number});
      }
    } else if (!isDebugRecord(*op) &&
               !isa<LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op)) {
      uses.escapes = true;
    }
  }
}

/// Which parameters are only read, and by all spawns given an array that no
/// other code knows; and which memory of a size known at run time can be such
/// arrays.
void SmallArrays::findArrays() {
  function.walk([&](LLVM::AllocaOp array) {
    if (!isFixed(array))
      dynamic.push_back(array);
  });
  for (BlockArgument argument : function.getArguments()) {
    if (!isa<LLVM::LLVMPointerType>(argument.getType()))
      continue;
    Uses uses;
    findUses(argument, uses);
    if (uses.isRead && !uses.isWritten && !uses.escapes && uses.passed.empty())
      parameters.insert(argument.getArgNumber());
  }
  auto isOwn = [&](LLVM::AllocaOp array, bool isDynamic) {
    Uses uses;
    findUses(array, uses);
    Block *block = array->getBlock();
    // Of one that is there many times each is forgotten when the next comes.
    return !uses.escapes &&
           !(isDynamic && uses.isDestination && block->isReachable(block)) &&
           llvm::all_of(uses.passed, [&](auto passed) {
             return parameters.contains(passed.second) &&
                    passed.first.getArgs()[passed.second] == array;
           });
  };
  for (bool changed = true; changed;)
    changed = parameters.remove_if([&](unsigned number) {
      return llvm::any_of(spawns, [&](cilk::SpawnOp spawn) {
        auto array = spawn.getArgs()[number].getDefiningOp<LLVM::AllocaOp>();
        return !array || !isOwn(array, !isFixed(array));
      });
    });
  for (LLVM::AllocaOp array : dynamic)
    if (!isOwn(array, true))
      places.push_back(array);
  llvm::erase_if(dynamic, [&](LLVM::AllocaOp array) {
    return llvm::is_contained(places, array);
  });
}

/// Whether a number of bytes is one of whole parts.
static bool isWhole(Value bytes, uint64_t part) {
  APInt factor;
  if (part == 1)
    return true;
  if (matchPattern(bytes, m_ConstantInt(&factor)))
    return factor.urem(part) == 0;
  if (auto product = bytes.getDefiningOp<LLVM::MulOp>())
    return isWhole(product.getLhs(), part) || isWhole(product.getRhs(), part);
  auto shift = bytes.getDefiningOp<LLVM::ShlOp>();
  return shift && matchPattern(shift.getRhs(), m_ConstantInt(&factor)) &&
         factor.ult(64) && (uint64_t(1) << factor.getZExtValue()) % part == 0;
}

/// An index that is a constant.
static std::optional<int64_t>
constantOf(PointerUnion<IntegerAttr, Value> index) {
  APInt constant;
  if (auto attribute = dyn_cast<IntegerAttr>(index))
    return attribute.getInt();
  if (matchPattern(cast<Value>(index), m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

std::optional<SmallArrays::Place>
SmallArrays::placeOf(LLVM::GEPOp gep, const Place &base) const {
  Place place = base;
  place.indices = 0;
  place.type = gep.getElemType();
  for (auto index : gep.getIndices()) {
    auto number = constantOf(index);
    auto structure = dyn_cast<LLVM::LLVMStructType>(place.type);
    if (place.indices == 0) {
      if (!number) {
        if (!base.arrayEnd)
          return std::nullopt;
        place.offset = base.arrayOffset;
        place.end = base.arrayEnd;
        return place;
      }
      place.offset += *number * layout.allocSize(place.type);
      if (place.offset > tuning::mostArrayBytes)
        return std::nullopt;
    } else if (structure && number) {
      place.type = structure.getBody()[*number];
      place.offset += layout.memberOffsets(structure)[*number];
    } else {
      break; // What is beside an element of an array is still of the array.
    }
    ++place.indices;
  }
  place.end = place.offset + layout.storeSize(place.type);
  bool isBeyond = place.offset < base.arrayOffset || place.end > base.arrayEnd;
  if (isa<LLVM::LLVMArrayType>(place.type)) {
    place.arrayOffset = place.offset;
    place.arrayEnd = place.end;
  } else if (isBeyond) {
    place.arrayEnd = 0;
  }
  return place;
}

std::optional<uint64_t> SmallArrays::offsetOf(Value address) const {
  uint64_t offset = 0;
  while (auto gep = address.getDefiningOp<LLVM::GEPOp>()) {
    Type type = gep.getElemType();
    for (auto [i, index] : llvm::enumerate(gep.getIndices())) {
      auto number = constantOf(index);
      if (!number)
        return std::nullopt;
      if (auto structure = dyn_cast<LLVM::LLVMStructType>(type);
          structure && i) {
        offset += layout.memberOffsets(structure)[*number];
        type = structure.getBody()[*number];
        continue;
      }
      if (auto array = dyn_cast<LLVM::LLVMArrayType>(type); array && i)
        type = array.getElementType();
      offset += *number * layout.allocSize(type);
    }
    address = gep.getBase();
  }
  return offset;
}

const SmallArrays::Member *SmallArrays::memberFrom(ArrayRef<Member> members,
                                                   uint64_t offset) {
  auto *member = llvm::find_if(
      members, [&](const Member &member) { return member.end > offset; });
  return member == members.end() ? nullptr : member;
}

/// Members apart from each other, in order.
class SmallArrays::Members {
public:
  ArrayRef<Member> get() const { return members; }
  uint64_t countParts() const {
    uint64_t count = 0;
    for (const Member &member : members)
      count += member.countParts();
    return count;
  }

  /// Whether no part of another size is there.
  bool add(Member added) {
    for (Member &other : members) {
      if (other.end <= added.offset || added.end <= other.offset)
        continue;
      if (other.size != added.size)
        return false;
      added.offset = std::min(added.offset, other.offset);
      added.end = std::max(added.end, other.end);
      other.end = other.offset; // Is part of the added one.
    }
    llvm::erase_if(members,
                   [](Member &other) { return other.offset == other.end; });
    members.insert(llvm::upper_bound(members, added,
                                     [](const Member &a, const Member &b) {
                                       return a.offset < b.offset;
                                     }),
                   added);
    return true;
  }

  /// Whether a copy of `length` bytes at `offset` cuts no part.
  bool areWhole(uint64_t offset, uint64_t length) const {
    return llvm::all_of(members, [&](const Member &member) {
      auto isWhole = [&](uint64_t place) {
        return place <= member.offset || place >= member.end ||
               (place - member.offset) % member.size == 0;
      };
      return isWhole(offset) && isWhole(offset + length);
    });
  }

  /// Has what lies at `from` at `to` as well.
  bool shift(uint64_t from, uint64_t to, uint64_t length) {
    for (Member member : SmallVector<Member>(members)) {
      member.offset = std::max(member.offset, from);
      member.end = std::min(member.end, from + length);
      if (member.offset >= member.end)
        continue;
      if (!add(
              {member.offset - from + to, member.end - from + to, member.size}))
        return false;
    }
    return true;
  }

  /// What others are given is more than what is accessed here.
  void fill(uint64_t offset, uint64_t end) {
    while (offset < end) {
      const Member *next = memberFrom(members, offset);
      if (next && next->offset <= offset) {
        offset = next->end;
        continue;
      }
      uint64_t size = 8, before = next ? std::min(next->offset, end) : end;
      while (offset % size || offset + size > before)
        size /= 2;
      (void)add({offset, offset + size, size});
      offset += size;
    }
  }

private:
  SmallVector<Member> members;
};

/// Adds what is accessed at `address`, which is at `place`; copies are not
/// asked here.
bool SmallArrays::addUses(Value address, const Place &place,
                          Members &found) const {
  auto access = [&](Type type) {
    uint64_t size = layout.storeSize(type);
    return found.add({place.offset, place.offset + size, size});
  };
  return llvm::all_of(address.getUsers(), [&](Operation *op) {
    if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
      auto inner = placeOf(gep, place);
      if (inner && inner->indices == gep.getIndices().size())
        return addUses(gep, *inner, found);
      Uses uses;
      findUses(gep, uses);
      return inner && !uses.isDestination && uses.passed.empty() &&
             llvm::all_of(uses.sizes, [&](uint64_t size) {
               return found.add({inner->offset, inner->end, size});
             });
    }
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      return access(load.getType());
    if (auto store = dyn_cast<LLVM::StoreOp>(op))
      return access(store.getValue().getType());
    auto spawn = dyn_cast<cilk::SpawnOp>(op);
    return !spawn || (!address.getDefiningOp<LLVM::GEPOp>() &&
                      spawn.getDestination() != address);
  });
}

/// Whether what is accessed of these objects, which are alike and which no
/// others than `copies` copy, is members apart from each other, each with parts
/// of one size.
bool SmallArrays::findMembers(ArrayRef<Value> arrays,
                              ArrayRef<Operation *> copies) {
  Members found;
  uint64_t smallest = tuning::mostArrayBytes;
  for (Value array : arrays) {
    if (auto object = array.getDefiningOp<LLVM::AllocaOp>()) {
      if (!isFixed(object))
        return false;
      APInt count;
      matchPattern(object.getArraySize(), m_ConstantInt(&count));
      uint64_t size = count.getLimitedValue(tuning::mostArrayBytes + 1) *
                      layout.allocSize(object.getElemType());
      if (size > tuning::mostArrayBytes)
        return false;
      smallest = std::min(smallest, size);
    }
    if (!addUses(array, Place(), found))
      return false;
  }

  // What is copied from one place to another is alike in both.
  struct Copied {
    std::optional<uint64_t> to, from;
    uint64_t length;
  };
  SmallVector<Copied> copied;
  for (Operation *op : copies) {
    Copied copy;
    APInt length;
    if (!matchPattern(op->getOperand(2), m_ConstantInt(&length)) ||
        length.ugt(tuning::mostArrayBytes))
      return false;
    copy.length = length.getZExtValue();
    auto find = [&](Value address, std::optional<uint64_t> &offset) {
      if (!llvm::is_contained(arrays, baseOf(address)))
        return true;
      offset = offsetOf(address);
      return offset && *offset <= tuning::mostArrayBytes;
    };
    auto copyOp = dyn_cast<LLVM::MemcpyOp>(op);
    if (!find(op->getOperand(0), copy.to) ||
        (copyOp && !find(copyOp.getSrc(), copy.from)))
      return false;
    copied.push_back(copy);
  }
  auto mirror = [&] {
    for (uint64_t before = 0; before != found.countParts();) {
      before = found.countParts();
      for (const auto &[to, from, length] : copied)
        if (to && from &&
            (!found.shift(*from, *to, length) ||
             !found.shift(*to, *from, length)))
          return false;
    }
    return true;
  };
  if (!mirror())
    return false;
  for (const auto &[to, from, length] : copied)
    if (from && !to)
      found.fill(*from, *from + length);
  if (!mirror())
    return false;
  for (const auto &[to, from, length] : copied)
    if ((to && !found.areWhole(*to, length)) ||
        (from && !found.areWhole(*from, length)))
      return false;

  for (const Member &member : found.get())
    if (member.end > smallest || !llvm::isPowerOf2_64(member.size) ||
        member.size > 8 || member.offset % member.size ||
        member.end % member.size)
      return false;
  for (Value array : arrays) {
    parts[array] = 1;
    members[array].assign(found.get().begin(), found.get().end());
  }
  return !found.get().empty();
}

/// All parts of an array are of one size, and so are those of one that is
/// copied to it or that a child knows it as.
bool SmallArrays::findParts() {
  llvm::EquivalenceClasses<Value> alike;
  llvm::MapVector<Value, Uses> arrays;
  auto add = [&](Value array) { findUses(array, arrays[array]); };
  for (LLVM::AllocaOp array : dynamic)
    add(array);
  for (unsigned number : parameters) {
    add(function.getArgument(number));
    for (cilk::SpawnOp spawn : spawns)
      if (Value array = spawn.getArgs()[number]; !arrays.contains(array))
        add(array);
  }
  for (auto &[array, uses] : arrays) {
    alike.insert(array);
    for (auto [spawn, number] : uses.passed)
      alike.unionSets(array, function.getArgument(number));
    copies.insert_range(uses.copies);
  }
  for (Operation *op : copies)
    if (auto copy = dyn_cast<LLVM::MemcpyOp>(op)) {
      Value to = baseOf(copy.getDst()), from = baseOf(copy.getSrc());
      if (arrays.contains(to) && arrays.contains(from))
        alike.unionSets(to, from);
    }
  llvm::MapVector<Value, SmallVector<Value>> classes;
  for (auto &[array, uses] : arrays)
    classes[alike.getLeaderValue(array)].push_back(array);
  for (auto &[leader, its] : classes) {
    llvm::SmallSetVector<uint64_t, 2> sizes;
    for (Value array : its)
      sizes.insert_range(arrays[array].sizes);
    // What a child's fate depends on is a value of its own then.
    bool areStructs = llvm::any_of(its, [](Value array) {
      auto object = array.getDefiningOp<LLVM::AllocaOp>();
      return object && isa<LLVM::LLVMStructType>(object.getElemType());
    });
    llvm::SmallSetVector<Operation *, 4> own;
    for (Value array : its)
      own.insert_range(arrays[array].copies);
    if ((areStructs || sizes.size() > 1) && findMembers(its, own.getArrayRef()))
      continue;
    if (sizes.size() > 1)
      return false;
    uint64_t size = sizes.empty() ? 1 : sizes.front();
    if (!llvm::isPowerOf2_64(size) || size > 8)
      return false;
    for (Value array : its) {
      parts[array] = size;
      for (Operation *op : arrays[array].copies)
        if (!isWhole(op->getOperand(2), size))
          return false;
    }
  }
  uint64_t passed = 0;
  for (unsigned number : parameters) {
    uint64_t bytes = 0;
    for (const Member &member : membersOf(number)) {
      passed += member.countParts();
      bytes += member.end - member.offset;
    }
    if (bytes > tuning::mostArrayBytes)
      return false;
  }
  return passed <= tuning::mostPartsPassed;
}

SmallVector<SmallArrays::Member>
SmallArrays::membersOf(LLVM::AllocaOp array) const {
  if (hasMembers(array))
    return members.lookup(array);
  uint64_t part = partOf(array), count = tuning::mostArrayParts;
  if (isFixed(array)) {
    APInt elements;
    matchPattern(array.getArraySize(), m_ConstantInt(&elements));
    count = llvm::divideCeil(elements.getLimitedValue(1 << 16) *
                                 layout.allocSize(array.getElemType()),
                             part);
  }
  return {Member{0, count * part, part}};
}

SmallVector<SmallArrays::Member>
SmallArrays::membersOf(unsigned parameter) const {
  SmallVector<Member> most;
  for (cilk::SpawnOp spawn : spawns) {
    auto its =
        membersOf(spawn.getArgs()[parameter].getDefiningOp<LLVM::AllocaOp>());
    if (most.empty() || its.back().end > most.back().end)
      most = its;
  }
  return most;
}

/// Whether a value is computed of parameters alone.
static bool isOfParameters(Value value) {
  return canComputeAgain(value, [&](Value known) {
    if (auto argument = dyn_cast<BlockArgument>(known))
      return argument.getOwner()->isEntryBlock();
    return false;
  });
}

/// Finds a place in front of all memory of a size known at run time at which
/// that is known, and at which the function may still begin once more.
bool SmallArrays::findCheck() {
  if (dynamic.empty())
    return true;
  llvm::SmallPtrSet<Block *, 4> blocks;
  for (LLVM::AllocaOp array : dynamic) {
    if (!isOfParameters(array.getArraySize()))
      return false;
    blocks.insert(array->getBlock());
  }
  Block *block = *blocks.begin(), *last = block;
  if (!function.getBody().hasOneBlock()) {
    DominanceInfo dominance(function);
    last = block = dominance.findNearestCommonDominator(blocks);
    if (!block)
      return false;
    CFGLoopInfo loops(dominance.getDomTree(&function.getBody()));
    if (CFGLoop *loop = loops.getLoopFor(block)) {
      loop = loop->getOutermostLoop();
      last = before = loop->getLoopPredecessor();
      header = loop->getHeader();
      if (!before)
        return false;
    }
  }
  if (!before) {
    // A cycle with several ways in is no loop.
    if (block->isReachable(block))
      return false;
    for (LLVM::AllocaOp array : dynamic)
      if (array->getBlock() == block &&
          (!check || array->isBeforeInBlock(check)))
        check = array;
    if (!check)
      check = block->getTerminator();
  }
  llvm::SmallSetVector<Block *, 8> earlier;
  for (Block *other : last->getPredecessors())
    earlier.insert(other);
  for (size_t i = 0; i < earlier.size(); ++i)
    earlier.insert_range(earlier[i]->getPredecessors());
  Beginning beginning;
  for (Block *other : earlier)
    if (!llvm::all_of(*other,
                      [&](Operation &op) { return beginning.add(&op); }))
      return false;
  for (Operation &op : *last) {
    if (&op == check)
      break;
    if (!beginning.add(&op))
      return false;
  }
  return true;
}

uint64_t SmallArrays::countAllowed(LLVM::AllocaOp array) const {
  return tuning::mostArrayParts * partOf(array) /
         layout.allocSize(array.getElemType());
}

std::optional<SmallArrays> SmallArrays::find(LLVM::LLVMFuncOp function,
                                             const TypeLayout &layout) {
  SmallArrays arrays(function, layout);
  if (!arrays.findSpawns())
    return {};
  arrays.findArrays();
  if (arrays.findParts() && arrays.findCheck())
    return arrays;
  if (!arrays.dynamic.empty())
    return {};
  // They stay where they are.
  arrays.parameters.clear();
  arrays.parts.clear();
  arrays.members.clear();
  arrays.copies.clear();
  return arrays;
}
