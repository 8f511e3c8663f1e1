//===- WorkGroups.cpp - Iterations whose inner loops have threads ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thread of a group does in the body of the outer loop:
//
//   a = alloca                      a = group memory + offset
//   x = f(i)       no effect        x = f(i)             each thread
//   y = load p                      y = load p           each thread
//   store x, p                 ->   barrier              as p was loaded
//                                   if (thread == 0)
//                                     store x, p
//                                   barrier
//   cilk.for n body @b              for (j = thread; j < n; j += size)
//                                     call @b(j, j + 1)
//                                   barrier              unless nothing follows
//
// Between two barriers the threads either only load what they all load, or
// write.  So all of them load the same values, take the same branches, and come
// to the same barriers.  What has an effect and a result is done by thread 0,
// which leaves the result in the group's memory for all.
//
// The order of barriers does not depend on how LLVM transforms the function: a
// thread waits for the others of its group wherever they are, so each needs to
// call as many barriers only.
//
//===----------------------------------------------------------------------===//

#include "WorkGroups.h"

#include "cilk2chan/Dialect/Cilk/Analysis/SpawningFunctions.h"
#include "cilk2chan/Dialect/Cilk/Tuning.h"
#include "cilk2chan/Support/AddBytes.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/StorableType.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cilk2chan;

/// What private memory and shared memory are aligned to: a line of the caches
/// (runtime/sim/src/dispatch/Channels.h).
static constexpr uint64_t memoryAlignment = 128;

namespace {
/// How the threads of a group share an operation of the body.
enum class Share {
  All,    ///< each thread does it, with the same result
  Load,   ///< each thread does it, while none writes
  First,  ///< thread 0 does it, and passes the result on
  Loop,   ///< an inner loop: each thread does its iterations
  Object, ///< in the group's memory
  None    ///< it is left out
};
} // namespace

static bool isPureCall(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  LLVM::MemoryEffectsAttr effects =
      call ? call.getMemoryEffectsAttr() : LLVM::MemoryEffectsAttr();
  return effects &&
         effects ==
             LLVM::MemoryEffectsAttr::get(
                 op->getContext(),
                 {LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef,
                  LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef,
                  LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef});
}

static Share shareOf(Operation *op) {
  if (isa<cilk::ForOp>(op))
    return Share::Loop;
  if (isa<LLVM::AllocaOp>(op))
    return Share::Object;
  // What is said of an object on the stack is not so of the group's memory. A
  // loop has waited for its iterations.
  if (isa<cilk::SyncOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp,
          LLVM::DbgDeclareOp, LLVM::DbgValueOp, LLVM::DbgLabelOp>(op))
    return Share::None;
  if (op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op) ||
      isa<LLVM::AssumeOp, LLVM::NoAliasScopeDeclOp>(op) || isPureCall(op))
    return Share::All;
  if (auto load = dyn_cast<LLVM::LoadOp>(op);
      load && !load.getVolatile_() &&
      load.getOrdering() == LLVM::AtomicOrdering::not_atomic)
    return Share::Load;
  return Share::First;
}

/// The number that arithmetic on constants makes.
static std::optional<APInt> evaluate(Value value, unsigned depth = 0) {
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant.getValue();
  Operation *op = value.getDefiningOp();
  if (!op || depth == tuning::deepestTripCount ||
      !isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp, LLVM::AddOp, LLVM::SubOp,
           LLVM::MulOp, LLVM::UDivOp, LLVM::ICmpOp, LLVM::SelectOp>(op))
    return std::nullopt;
  SmallVector<APInt, 3> operands;
  for (Value operand : op->getOperands()) {
    std::optional<APInt> known = evaluate(operand, depth + 1);
    if (!known)
      return std::nullopt;
    operands.push_back(*known);
  }
  unsigned width = 0;
  if (auto type = dyn_cast<IntegerType>(value.getType()))
    width = type.getWidth();
  if (isa<LLVM::SExtOp>(op))
    return operands[0].sext(width);
  if (isa<LLVM::ZExtOp>(op))
    return operands[0].zext(width);
  if (isa<LLVM::TruncOp>(op))
    return operands[0].trunc(width);
  if (isa<LLVM::AddOp>(op))
    return operands[0] + operands[1];
  if (isa<LLVM::SubOp>(op))
    return operands[0] - operands[1];
  if (isa<LLVM::MulOp>(op))
    return operands[0] * operands[1];
  if (isa<LLVM::SelectOp>(op))
    return operands[0].getBoolValue() ? operands[1] : operands[2];
  if (isa<LLVM::UDivOp>(op)) {
    if (operands[1].isZero())
      return std::nullopt;
    return operands[0].udiv(operands[1]);
  }
  const APInt &a = operands[0], &b = operands[1];
  auto answer = [](bool yes) { return APInt(1, yes); };
  switch (cast<LLVM::ICmpOp>(op).getPredicate()) {
  case LLVM::ICmpPredicate::eq:
    return answer(a == b);
  case LLVM::ICmpPredicate::ne:
    return answer(a != b);
  case LLVM::ICmpPredicate::slt:
    return answer(a.slt(b));
  case LLVM::ICmpPredicate::sle:
    return answer(a.sle(b));
  case LLVM::ICmpPredicate::sgt:
    return answer(a.sgt(b));
  case LLVM::ICmpPredicate::sge:
    return answer(a.sge(b));
  case LLVM::ICmpPredicate::ult:
    return answer(a.ult(b));
  case LLVM::ICmpPredicate::ule:
    return answer(a.ule(b));
  case LLVM::ICmpPredicate::ugt:
    return answer(a.ugt(b));
  case LLVM::ICmpPredicate::uge:
    return answer(a.uge(b));
  }
  return std::nullopt;
}

/// The bytes of an object on the stack; nothing if they are known at run time
/// only.
static std::optional<uint64_t> bytesOf(LLVM::AllocaOp object,
                                       const TypeLayout &layout) {
  APInt count;
  if (!isStorable(object.getElemType()) ||
      !matchPattern(object.getArraySize(), m_ConstantInt(&count)) ||
      count.getActiveBits() > 32 || object.getInalloca())
    return std::nullopt;
  return count.getZExtValue() * layout.allocSize(object.getElemType());
}

static bool isArray(LLVM::AllocaOp object) {
  APInt count;
  return isa<LLVM::LLVMArrayType>(object.getElemType()) ||
         !matchPattern(object.getArraySize(), m_ConstantInt(&count)) ||
         count.ugt(1);
}

//===----------------------------------------------------------------------===//
// Which loops
//===----------------------------------------------------------------------===//

namespace cilk2chan {

/// Looks at the operations of a body, in order.
class GroupFinder {
public:
  GroupFinder(WorkGroup &group, SymbolTable &symbols, const TypeLayout &layout)
      : group(group), symbols(symbols), layout(layout) {}

  void check(Operation *op);
  /// After all operations.
  void finish();

  bool hasLoop = false;
  /// Why there is no group; empty if there is one.
  std::string obstacle;

private:
  void refuse(const Twine &reason) {
    if (obstacle.empty())
      obstacle = reason.str();
  }
  void checkLoop(cilk::ForOp loop);
  void checkObject(LLVM::AllocaOp object);
  void checkOther(Operation *op);
  void addPlace(Operation *op, uint64_t size, uint64_t alignment);

  WorkGroup &group;
  SymbolTable &symbols;
  const TypeLayout &layout;
  /// Iterations of the longest inner loop.
  uint64_t longest = 0;
};

} // namespace cilk2chan

void GroupFinder::addPlace(Operation *op, uint64_t size, uint64_t alignment) {
  group.bytes = llvm::alignTo(group.bytes, alignment);
  group.places[op] = group.bytes;
  group.bytes += size;
  if (alignment > memoryAlignment)
    refuse("a local variable is aligned to " + Twine(alignment) +
           " bytes, and at most " + Twine(memoryAlignment) + " are possible");
}

void GroupFinder::checkLoop(cilk::ForOp loop) {
  hasLoop = true;
  auto inner = symbols.lookup<LLVM::LLVMFuncOp>(loop.getBody());
  bool hasArray = llvm::any_of(loop.getCaptures(), [](Value capture) {
    auto object = capture.getDefiningOp<LLVM::AllocaOp>();
    return object && isArray(object);
  });
  std::optional<APInt> count = evaluate(loop.getCount());
  uint64_t iterations = count ? count->getZExtValue() : MaxGroupSize;
  longest = std::max(longest, iterations);
  if (cilk::isSpawning(inner))
    refuse("an inner cilk_for spawns, or has a cilk_for in its body");
  if (hasArray || (count && iterations <= tuning::mostGroupIterations))
    return;
  std::string length =
      count ? std::to_string(iterations) + " iterations"
            : "a number of iterations that is known at run time only";
  refuse("an inner cilk_for uses no array that its iteration of the outer loop "
         "declares, and has " +
         length + "; without such an array, at most " +
         Twine(tuning::mostGroupIterations.getValue()) + " are possible");
}

void GroupFinder::checkObject(LLVM::AllocaOp object) {
  std::optional<uint64_t> size = bytesOf(object, layout);
  if (!size)
    return refuse("a local array has a size that is known at run time only");
  if (!object->getBlock()->isEntryBlock())
    return refuse("a local variable is made again and again, by 'alloca' or in "
                  "an inner scope");
  addPlace(object, *size,
           std::max<uint64_t>(object.getAlignment().value_or(0),
                              layout.abiAlignment(object.getElemType())));
}

void GroupFinder::checkOther(Operation *op) {
  Share share = shareOf(op);
  if (isa<LLVM::StackSaveOp, LLVM::StackRestoreOp>(op))
    return refuse("a local array has a size that is known at run time only");
  if (share != Share::None && isa<cilk::CilkDialect>(op->getDialect()))
    return refuse("its body spawns, or calls a function that spawns");
  if (op->getNumRegions() || isa<LLVM::InvariantStartOp>(op) ||
      (op->hasTrait<OpTrait::IsTerminator>() &&
       !isa<LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp, LLVM::ReturnOp,
            LLVM::UnreachableOp>(op)))
    return refuse("its body has an operation that threads cannot share: '" +
                  op->getName().getStringRef() + "'");
  if (share != Share::First)
    return;
  if (op->getNumResults() > 1 ||
      llvm::any_of(op->getResults(),
                   [](Value value) { return !isStorable(value.getType()); }))
    return refuse("a call or an atomic operation of its body has a result that "
                  "one thread cannot hand to the others");
  if (op->getNumResults() == 1)
    addPlace(op, layout.allocSize(op->getResult(0).getType()),
             layout.abiAlignment(op->getResult(0).getType()));
}

void GroupFinder::check(Operation *op) {
  if (auto loop = dyn_cast<cilk::ForOp>(op))
    checkLoop(loop);
  else if (auto object = dyn_cast<LLVM::AllocaOp>(op))
    checkObject(object);
  else
    checkOther(op);
}

void GroupFinder::finish() {
  if (group.bytes > tuning::mostGroupBytes)
    refuse("the local variables of an iteration have " + Twine(group.bytes) +
           " bytes, and a work-group has memory for " +
           Twine(tuning::mostGroupBytes.getValue()));
  group.size = static_cast<unsigned>(std::min<uint64_t>(
      MaxGroupSize, llvm::bit_ceil(std::max<uint64_t>(longest, 1))));
  group.bytes = llvm::alignTo(group.bytes, memoryAlignment);
}

std::optional<WorkGroup> WorkGroup::find(LLVM::LLVMFuncOp body,
                                         SymbolTable &symbols,
                                         const TypeLayout &layout,
                                         std::string &obstacle) {
  WorkGroup result;
  result.body = body;
  if (body.isExternal() ||
      !isa<LLVM::LLVMVoidType>(body.getFunctionType().getReturnType()))
    return std::nullopt;
  GroupFinder finder(result, symbols, layout);
  body.getBody().walk([&](Operation *op) { finder.check(op); });
  finder.finish();
  if (!finder.hasLoop)
    return std::nullopt;
  obstacle = std::move(finder.obstacle);
  if (!obstacle.empty())
    return std::nullopt;
  return result;
}

//===----------------------------------------------------------------------===//
// What a thread does
//===----------------------------------------------------------------------===//

namespace cilk2chan {

class GroupEmitter {
public:
  GroupEmitter(WorkGroup &group, OpBuilder &builder, LLVM::LLVMFuncOp function,
               SymbolTable &symbols, Value thread)
      : group(group), builder(builder), function(function), symbols(symbols),
        thread(thread), loc(function.getLoc()), i64(builder.getI64Type()) {}

  void emit(Value iteration, ValueRange captures);

private:
  Value constant(uint64_t value) {
    return LLVM::ConstantOp::create(builder, loc, i64,
                                    builder.getI64IntegerAttr(int64_t(value)));
  }
  LLVM::CallOp callMachine(StringRef name, Type result) {
    auto module = function->getParentOfType<ModuleOp>();
    LLVM::LLVMFuncOp callee =
        *LLVM::lookupOrCreateFn(builder, module, name, {}, result);
    return LLVM::CallOp::create(builder, loc, callee, ValueRange());
  }
  void barrier() {
    callMachine(BarrierName, LLVM::LLVMVoidType::get(builder.getContext()));
  }
  Value placeOf(Operation *op) {
    return addBytes(builder, loc, memory, int64_t(places.lookup(op)));
  }
  void copyBody(Value iteration, ValueRange captures);
  void foldLoop(Value iteration, Value behind);
  void findLoads();
  void findFollowed();
  bool isFollowed(Operation *op) const;
  void emitBlock(Block *block);
  void emitFirst(SmallVectorImpl<Operation *> &ops, Operation *before);
  void emitLoop(cilk::ForOp loop);

  WorkGroup &group;
  OpBuilder &builder;
  LLVM::LLVMFuncOp function;
  SymbolTable &symbols;
  Value thread;
  Location loc;
  Type i64;

  Value memory, isFirst;
  /// The copies of the body's blocks, and of what has a place.
  SmallVector<Block *> blocks;
  DenseMap<Operation *, uint64_t> places;
  /// Blocks at whose beginning threads may have loaded since the last barrier.
  SmallPtrSet<Block *, 8> loadedBefore;
  /// The same, where code is being emitted.
  bool loaded = false;
  /// Blocks behind whose end a thread may load, write or wait, and whether the
  /// one that is being emitted is such a block.
  SmallPtrSet<Block *, 8> followed;
  bool blockIsFollowed = false;
};

} // namespace cilk2chan

/// What comes in front of the copy's entry is what it has as arguments.
void GroupEmitter::copyBody(Value iteration, ValueRange captures) {
  Region &region = function.getBody();
  Block *before = builder.getInsertionBlock();
  IRMapping mapping;
  group.body.getBody().cloneInto(&region, mapping);
  for (Block &block : group.body.getBody())
    blocks.push_back(mapping.lookup(&block));
  for (auto [op, place] : group.places)
    places[mapping.lookup(op)] = place;
  builder.setInsertionPointToEnd(before);
  Value behind = LLVM::AddOp::create(builder, loc, iteration, constant(1),
                                     LLVM::IntegerOverflowFlags::nsw |
                                         LLVM::IntegerOverflowFlags::nuw);
  SmallVector<Value> args = {iteration, behind};
  llvm::append_range(args, captures);
  Block *entry = blocks.front();
  for (auto [argument, value] : llvm::zip(entry->getArguments(), args))
    argument.replaceAllUsesWith(value);
  entry->eraseArguments(0, entry->getNumArguments());
  memory = callMachine(GroupMemoryName,
                       LLVM::LLVMPointerType::get(builder.getContext()))
               .getResult();
  isFirst = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, thread,
                                 constant(0));
  LLVM::BrOp::create(builder, loc, entry);
  foldLoop(iteration, behind);
}

/// Whether nothing but the function's end comes behind `block`.
static bool onlyReturns(Block *block) {
  auto isLeftOut = [](Operation &op) { return shareOf(&op) == Share::None; };
  for (SmallPtrSet<Block *, 4> seen; seen.insert(block).second;
       block = block->getSuccessor(0)) {
    if (!llvm::all_of(block->without_terminator(), isLeftOut))
      return false;
    if (!isa<LLVM::BrOp>(block->getTerminator()))
      return isa<LLVM::ReturnOp>(block->getTerminator());
  }
  return false;
}

/// The loop of the body over its iterations has one, so that it is none.
void GroupEmitter::foldLoop(Value iteration, Value behind) {
  for (Block *header : blocks) {
    auto branch = dyn_cast<LLVM::CondBrOp>(header->getTerminator());
    auto test = branch ? branch.getCondition().getDefiningOp<LLVM::ICmpOp>()
                       : LLVM::ICmpOp();
    auto counter =
        test ? dyn_cast<BlockArgument>(test.getLhs()) : BlockArgument();
    if (!counter || counter.getOwner() != header || test.getRhs() != behind ||
        test.getPredicate() != LLVM::ICmpPredicate::ne ||
        !branch.getFalseDestOperands().empty() ||
        !onlyReturns(branch.getFalseDest()))
      continue;
    SmallVector<LLVM::BrOp> back;
    bool isLoop = true;
    for (Block *from : header->getPredecessors()) {
      auto jump = dyn_cast<LLVM::BrOp>(from->getTerminator());
      Value passed =
          jump ? jump.getDestOperands()[counter.getArgNumber()] : Value();
      if (passed == iteration)
        continue;
      auto sum = passed ? passed.getDefiningOp<LLVM::AddOp>() : LLVM::AddOp();
      isLoop &=
          sum && sum.getLhs() == counter && matchPattern(sum.getRhs(), m_One());
      back.push_back(jump);
    }
    if (!isLoop)
      continue;
    for (LLVM::BrOp jump : back) {
      builder.setInsertionPoint(jump);
      LLVM::BrOp::create(builder, jump.getLoc(), branch.getFalseDest());
      jump.erase();
    }
    builder.setInsertionPoint(branch);
    LLVM::BrOp::create(builder, branch.getLoc(), branch.getTrueDestOperands(),
                       branch.getTrueDest());
    branch.erase();
    return;
  }
}

static bool usesAny(Operation *op, ArrayRef<Operation *> sources) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return llvm::is_contained(sources, operand.getDefiningOp());
  });
}

/// Whether threads may have loaded since the last barrier at the end of
/// `block`, if they have at its beginning.
static bool loadsBehind(Block &block, bool loaded) {
  for (Operation &op : block) {
    Share share = shareOf(&op);
    if (share == Share::Load)
      loaded = true;
    else if (share == Share::First)
      loaded = op.getNumResults();
    else if (share == Share::Loop)
      loaded = false;
  }
  return loaded;
}

void GroupEmitter::findLoads() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (Block *block : blocks)
      if (loadsBehind(*block, loadedBefore.contains(block)))
        for (Block *next : block->getSuccessors())
          changed |= loadedBefore.insert(next).second;
  }
}

static bool isShared(Operation &op) {
  Share share = shareOf(&op);
  return share == Share::Load || share == Share::First || share == Share::Loop;
}

void GroupEmitter::findFollowed() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (Block *block : blocks)
      if (followed.contains(block) || llvm::any_of(*block, isShared))
        for (Block *before : block->getPredecessors())
          changed |= followed.insert(before).second;
  }
}

/// Whether a thread may load, write or wait from `op` on.
bool GroupEmitter::isFollowed(Operation *op) const {
  return blockIsFollowed ||
         std::any_of(op->getIterator(), op->getBlock()->end(), isShared);
}

void GroupEmitter::emit(Value iteration, ValueRange captures) {
  copyBody(iteration, captures);
  findLoads();
  findFollowed();
  for (Block *block : blocks)
    emitBlock(block);
}

/// Operations of thread 0 that follow one another are done together.
void GroupEmitter::emitBlock(Block *block) {
  loaded = loadedBefore.contains(block);
  blockIsFollowed = followed.contains(block);
  SmallVector<Operation *> first;
  for (Operation *op :
       llvm::to_vector(llvm::make_pointer_range(block->getOperations()))) {
    loc = op->getLoc();
    Share share = shareOf(op);
    // Its result is known behind the barrier only.
    bool ends = op->hasTrait<OpTrait::IsTerminator>() || share == Share::Load ||
                share == Share::Loop || (!first.empty() && usesAny(op, first));
    if (ends)
      emitFirst(first, op);
    builder.setInsertionPoint(op);
    switch (share) {
    case Share::All:
      break;
    case Share::Load:
      loaded = true;
      break;
    case Share::First:
      first.push_back(op);
      break;
    case Share::Loop:
      emitLoop(cast<cilk::ForOp>(op));
      break;
    case Share::Object:
      op->getResult(0).replaceAllUsesWith(placeOf(op));
      op->erase();
      break;
    case Share::None:
      op->erase();
      break;
    }
  }
}

/// Thread 0 does what stands in front of `behind`, for all threads.
void GroupEmitter::emitFirst(SmallVectorImpl<Operation *> &ops,
                             Operation *behind) {
  if (ops.empty())
    return;
  builder.setInsertionPoint(behind);
  if (loaded)
    barrier();
  Block *before = behind->getBlock();
  Block *after = before->splitBlock(behind);
  Block *alone = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, isFirst, alone, after);
  builder.setInsertionPointToEnd(alone);
  auto end = LLVM::BrOp::create(builder, loc, after);
  for (Operation *op : ops)
    op->moveBefore(end);
  builder.setInsertionPoint(end);
  auto hasUsedResult = [](Operation *op) {
    return op->getNumResults() && !op->use_empty();
  };
  for (Operation *op : ops)
    if (hasUsedResult(op))
      LLVM::StoreOp::create(builder, loc, op->getResult(0), placeOf(op));
  builder.setInsertionPointToStart(after);
  if (isFollowed(behind) || llvm::any_of(ops, hasUsedResult))
    barrier();
  loaded = false;
  for (Operation *op : ops) {
    if (!hasUsedResult(op))
      continue;
    Value result = op->getResult(0);
    auto passed =
        LLVM::LoadOp::create(builder, loc, result.getType(), placeOf(op));
    result.replaceUsesWithIf(passed, [&](OpOperand &use) {
      return use.getOwner()->getBlock() != alone;
    });
    loaded = true;
  }
  ops.clear();
}

/// The threads take turns at the iterations.
void GroupEmitter::emitLoop(cilk::ForOp loop) {
  if (loaded)
    barrier();
  Block *before = loop->getBlock();
  Block *after = before->splitBlock(loop);
  Block *header = builder.createBlock(after, i64, loc);
  Block *turn = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  LLVM::BrOp::create(builder, loc, ValueRange{thread}, header);

  Value iteration = header->getArgument(0);
  builder.setInsertionPointToEnd(header);
  Value isThere = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult,
                                       iteration, loop.getCount());
  LLVM::CondBrOp::create(builder, loc, isThere, turn, after);

  builder.setInsertionPointToEnd(turn);
  auto add = [&](uint64_t number) {
    return LLVM::AddOp::create(builder, loc, iteration, constant(number),
                               LLVM::IntegerOverflowFlags::nuw);
  };
  SmallVector<Value> args = {iteration, add(1)};
  llvm::append_range(args, loop.getCaptures());
  auto inner = symbols.lookup<LLVM::LLVMFuncOp>(loop.getBody());
  LLVM::CallOp::create(builder, loc, inner, args);
  LLVM::BrOp::create(builder, loc, ValueRange{add(group.getSize())}, header);

  builder.setInsertionPoint(loop);
  if (isFollowed(loop->getNextNode()))
    barrier();
  loaded = false;
  loop.erase();
}

void WorkGroup::emit(OpBuilder &builder, LLVM::LLVMFuncOp function,
                     SymbolTable &symbols, Value group, Value thread,
                     ValueRange captures) {
  GroupEmitter(*this, builder, function, symbols, thread).emit(group, captures);
}
