//===- BaseCaseCheck.cpp - The check that callers inline ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divides a serial clone behind its base-case check:
//
//   fib.serial(w, n)                fib.serial(w, n)             // inlined
//     if (n < 2) return n             if (n < 2) return n
//     a = fib.serial(w, n - 1)  =>    return fib.serial.body(w, n)
//     b = fib.serial(w, n - 2)      fib.serial.body(w, n)
//     return a + b                    a = ...; b = ...; return a + b
//
//===----------------------------------------------------------------------===//

#include "BaseCaseCheck.h"
#include "SlowPath.h"
#include "cilk2chan/Conversion/Tuning.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"

#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/BaseOf.h"
#include "cilk2chan/Support/FunctionAttributes.h"
#include "cilk2chan/Support/Markers.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2chan;

/// What every activation has of its own, whichever way it goes.
static bool belongsToFrame(Operation &op) {
  auto alloca = dyn_cast<LLVM::AllocaOp>(op);
  return alloca ? op.getBlock()->isEntryBlock() &&
                      isRematerialized(alloca.getArraySize())
                : op.getNumResults() == 1 && isRematerialized(op.getResult(0));
}

/// The local object that `store` changes; null if there is none, or it has to
/// be stored to as often as C says.
static LLVM::AllocaOp localObject(LLVM::StoreOp store) {
  auto object = baseOf(store.getAddr()).getDefiningOp<LLVM::AllocaOp>();
  bool isPlain = !store.getVolatile_() &&
                 store.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  return object && isPlain && belongsToFrame(*object) ? object
                                                      : LLVM::AllocaOp();
}

/// Whether it makes no difference if another activation executes `op` once
/// more.
static bool isRepeatable(Operation &op) {
  // A relaxed load orders nothing.
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return !load.getVolatile_() &&
           load.getOrdering() <= LLVM::AtomicOrdering::monotonic;
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return bool(localObject(store));
  return belongsToFrame(op) || isDebugRecord(op) || isMemoryEffectFree(&op);
}

static bool isSite(Operation &op) {
  return isa<cilk::SpawnOp, cilk::CallOp>(op);
}

static SmallVector<Block *> blocksOfSites(LLVM::LLVMFuncOp function) {
  SmallVector<Block *> sites;
  function.walk([&](Operation *op) {
    if (isSite(*op))
      sites.push_back(op->getBlock());
  });
  return sites;
}

/// The last operation of `function` that is executed before all its spawns and
/// calls, and before which there is only what is `allowed`.
static Operation *lastPlace(LLVM::LLVMFuncOp function,
                            function_ref<bool(Operation &)> allowed) {
  SmallVector<Block *> sites = blocksOfSites(function);
  DominanceInfo dominance;
  Block *block = &function.front();
  for (;;) {
    for (Operation &op : block->without_terminator())
      if (isSite(op) || !allowed(op))
        return &op;
    Block *next = nullptr;
    for (Block *successor : block->getSuccessors())
      if (successor->getSinglePredecessor() &&
          llvm::all_of(sites, [&](Block *site) {
            return dominance.dominates(successor, site);
          }))
        next = successor;
    if (sites.empty() || !next)
      return block->getTerminator();
    block = next;
  }
}

Operation *cilk2chan::lastPlaceToStartAgain(LLVM::LLVMFuncOp function) {
  return lastPlace(function, isRepeatable);
}

/// The last place where a base-case check may end.  An activation that spawns
/// in loops never starts again: it may have stored something.
static Operation *lastPlaceToDivide(LLVM::LLVMFuncOp function) {
  if (!goesOnInLoops(function))
    return lastPlaceToStartAgain(function);
  return lastPlace(function, [](Operation &op) {
    return isa<LLVM::StoreOp>(op) || isRepeatable(op);
  });
}

namespace {
/// What control reaches from a block.
using Blocks = llvm::SetVector<Block *>;
Blocks reachableFrom(Block *first) {
  Blocks blocks;
  blocks.insert(first);
  for (unsigned i = 0; i != blocks.size(); ++i)
    blocks.insert_range(blocks[i]->getSuccessors());
  return blocks;
}

/// Where to divide a function.
class Division {
public:
  explicit Division(LLVM::LLVMFuncOp function)
      : function(function),
        place(&lastPlaceToDivide(function)->getBlock()->front()) {}

  Outlined divide();

private:
  void findWay();
  bool isNeeded(LLVM::AllocaOp object);
  Block *findFirstNeeded();
  void findBaseCase(Block *block);
  bool isSmall();
  void findLive();
  LLVM::LLVMFuncOp outlineBaseCase();
  LLVM::LLVMFuncOp outlineBody();
  void moveRecords(Block *entry, IRMapping &mapping);
  /// Calls `part` at the end of `block` and returns.
  void returnCallOf(LLVM::LLVMFuncOp part, ValueRange args, Block *block);

  LLVM::LLVMFuncOp function;
  /// The first operation of the outlined body.
  Operation *place;
  /// Blocks from the entry to that of `place`.
  SmallVector<Block *> way;
  /// A successor of a branch.
  using Edge = std::pair<Operation *, unsigned>;
  /// Edges behind which all is in the outlined base case, and edges behind
  /// which that is not known.
  SmallVector<Edge> toBaseCase, toSpawns;
  /// Where the outlined body begins, what it reaches, and which values of the
  /// check it needs.
  Block *begin = nullptr;
  Blocks reached;
  SmallVector<Value> live;
};
} // namespace

/// Whether loops or calls are among `blocks`, which are all that is reached
/// from the first.
static bool areLoopsOrCalls(const Blocks &blocks) {
  return llvm::any_of(blocks, [](Block *block) {
    return !block->getOps<LLVM::CallOp>().empty() ||
           llvm::any_of(block->getSuccessors(), [&](Block *successor) {
             return reachableFrom(successor).contains(block);
           });
  });
}

/// Whether the outlined body needs what the check stores in `object`, of which
/// each of them has its own.
bool Division::isNeeded(LLVM::AllocaOp object) {
  SmallVector<Value> addresses = {object};
  while (!addresses.empty()) {
    Value address = addresses.pop_back_val();
    for (Operation *user : address.getUsers()) {
      if (reached.contains(user->getBlock()))
        return true;
      if (!llvm::is_contained(way, user->getBlock()))
        continue;
      auto store = dyn_cast<LLVM::StoreOp>(user);
      if (isa<LLVM::GEPOp>(user))
        addresses.push_back(user->getResult(0));
      else if (!isa<LLVM::LoadOp>(user) && !isDebugRecord(*user) &&
               !(store && store.getValue() != address))
        return true;
    }
  }
  return false;
}

/// The first block of the way, but for the last, that does to local objects
/// what the outlined body needs: stores there, or computes an address.  Of each
/// object, check and body have their own.
Block *Division::findFirstNeeded() {
  llvm::SmallPtrSet<Value, 8> addresses;
  for (Operation &op : *way.front())
    if (isa<LLVM::AllocaOp>(op) && belongsToFrame(op))
      addresses.insert(op.getResult(0));
  for (Block *block : llvm::drop_end(way))
    for (Operation &op : *block) {
      if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
        LLVM::AllocaOp object = localObject(store);
        // What is in memory is not followed.
        if (addresses.contains(store.getValue()) ||
            (object && isNeeded(object)))
          return block;
      }
      bool isAddress = llvm::any_of(op.getOperands(), [&](Value operand) {
        return addresses.contains(operand);
      });
      if (!isAddress || isa<LLVM::LoadOp, LLVM::StoreOp>(op) ||
          isDebugRecord(op))
        continue;
      addresses.insert_range(op.getResults());
      // A branch may pass it on.
      if (op.hasTrait<OpTrait::IsTerminator>() ||
          llvm::any_of(op.getUsers(), [&](Operation *user) {
            return reached.contains(user->getBlock());
          }))
        return block;
    }
  return nullptr;
}

/// The way ends with the first block from which on the outlined body needs all.
void Division::findWay() {
  for (Block *block = place->getBlock(); block;
       block = block->getSinglePredecessor())
    way.push_back(block);
  std::reverse(way.begin(), way.end());

  reached = reachableFrom(way.back());
  while (Block *needed = findFirstNeeded()) {
    way.erase(std::next(llvm::find(way, needed)), way.end());
    reached = reachableFrom(way.back());
  }
  place = &way.back()->front();
}

static bool areSites(const Blocks &blocks) {
  return llvm::any_of(
      blocks, [](Block *block) { return llvm::any_of(*block, isSite); });
}

static bool isRepeatableBlock(Block *block) {
  return llvm::all_of(block->without_terminator(), [](Operation &op) {
    return !isSite(op) && isRepeatable(op);
  });
}

/// Finds the ways out of `block`.  REQUIRES: it and what is in front of it is
/// repeatable.
void Division::findBaseCase(Block *block) {
  Operation *branch = block->getTerminator();
  for (auto [i, successor] : llvm::enumerate(branch->getSuccessors())) {
    Blocks reached = reachableFrom(successor);
    Edge edge = {branch, unsigned(i)};
    if (!areSites(reached)) {
      if (areLoopsOrCalls(reached))
        toBaseCase.push_back(edge);
    } else if (successor->getSinglePredecessor() &&
               isRepeatableBlock(successor)) {
      findBaseCase(successor);
    } else {
      toSpawns.push_back(edge);
    }
  }
}

/// Whether callers can have a copy of what is executed outside of the outlined
/// body and the outlined base case.
bool Division::isSmall() {
  Blocks blocks;
  blocks.insert(way.front());
  unsigned count = 0;
  for (unsigned i = 0; i != blocks.size(); ++i) {
    for (Operation &op : *blocks[i]) {
      if (&op == place)
        break;
      count += !belongsToFrame(op) && !isDebugRecord(op);
    }
    if (blocks[i] == place->getBlock())
      continue;
    Operation *branch = blocks[i]->getTerminator();
    for (auto [number, successor] : llvm::enumerate(branch->getSuccessors()))
      if (!llvm::is_contained(toBaseCase, Edge(branch, number)))
        blocks.insert(successor);
  }
  return count <= tuning::mostInCheck;
}

void Division::findLive() {
  auto add = [&](Value value) {
    if (llvm::any_of(value.getUsers(), [&](Operation *user) {
          return reached.contains(user->getBlock());
        }))
      live.push_back(value);
  };
  for (Block *block : way) {
    if (block != way.front())
      llvm::for_each(block->getArguments(), add);
    for (Operation &op : *block)
      if (!belongsToFrame(op))
        llvm::for_each(op.getResults(), add);
  }
}

/// Moves the debug records of the check to the entry of the outlined body.
void Division::moveRecords(Block *entry, IRMapping &mapping) {
  SmallVector<Operation *> records;
  for (Block *block : way)
    for (Operation &op : *mapping.lookup(block))
      if (isDebugRecord(op))
        records.push_back(&op);
  for (Operation *record : records) {
    bool isKnown = llvm::all_of(record->getOperands(), [&](Value value) {
      Operation *definition = value.getDefiningOp();
      return definition ? belongsToFrame(*definition)
                        : value.getParentBlock() == entry;
    });
    if (isKnown)
      record->moveBefore(entry->getTerminator());
    else
      record->erase();
  }
}

static void redirect(Operation *branch, unsigned successor, Block *target) {
  cast<BranchOpInterface>(branch)
      .getSuccessorOperands(successor)
      .getMutableForwardedOperands()
      .clear();
  branch->setSuccessor(target, successor);
}

/// Whether a condition depends on which of two values is the larger, neither of
/// which is always small.
static bool comparesBounds(Value condition) {
  Operation *test = condition.getDefiningOp();
  if (auto comparison = dyn_cast_if_present<LLVM::ICmpOp>(test)) {
    APInt bound;
    bool isSmall = matchPattern(comparison.getRhs(), m_ConstantInt(&bound)) &&
                   bound.ule(tuning::fewIterations);
    return !isSmall && comparison.getPredicate() != LLVM::ICmpPredicate::eq &&
           comparison.getPredicate() != LLVM::ICmpPredicate::ne;
  }
  return isa_and_present<LLVM::AndOp, LLVM::OrOp, LLVM::XOrOp, LLVM::SelectOp>(
             test) &&
         llvm::any_of(test->getOperands(), comparesBounds);
}

/// Where one of two values has to be the larger, or control would come to
/// `never`, forgets that: LLVM is not to know it.
static void forgetBounds(Block *never) {
  for (Block *block : llvm::to_vector(never->getPredecessors())) {
    auto branch = dyn_cast<LLVM::CondBrOp>(block->getTerminator());
    if (!branch || branch.getTrueDest() == branch.getFalseDest() ||
        !comparesBounds(branch.getCondition()))
      continue;
    unsigned other = branch.getTrueDest() == never ? 1 : 0;
    OpBuilder builder(branch);
    LLVM::BrOp::create(
        builder, branch.getLoc(),
        branch.getSuccessorOperands(other).getForwardedOperands(),
        branch->getSuccessor(other));
    branch.erase();
  }
}

/// The base case is a copy of the whole function, to which control comes only
/// where it does not lead to spawns.  LLVM knows there what the check has
/// found, but for bounds: a loop to a number of at most 64 would be unrolled
/// whole, with a test in each of its parts, and without strength reduction
/// (1.06 and 1.5 times the time, of products of matrices).  Of bounds up to
/// tuning::fewIterations it is known.
LLVM::LLVMFuncOp Division::outlineBaseCase() {
  IRMapping mapping;
  auto part = cast<LLVM::LLVMFuncOp>(function->clone(mapping));
  part.setName((function.getName() + BaseCaseSuffix).str());
  part.setAlwaysInline(false);
  part.setNoInline(true);
  // Zen 4 and 5 take accesses relative to %rbp for those to the stack: a base
  // case's loop was 1.5 times as fast with another register for the same array.
  part.setFramePointerAttr(LLVM::FramePointerKindAttr::get(
      part.getContext(), LLVM::framePointerKind::FramePointerKind::All));
  addFunctionAttribute(part, OpaqueAttribute);
  OpBuilder builder(part.getContext());
  Block *never = builder.createBlock(&part.getBody(), part.getBody().end());
  LLVM::UnreachableOp::create(builder, part.getLoc());
  for (auto [branch, successor] : toSpawns)
    redirect(mapping.lookup(branch), successor, never);
  forgetBounds(never);
  IRRewriter rewriter(builder);
  (void)eraseUnreachableBlocks(rewriter, part->getRegions());

  SmallVector<Value> args(function.getArguments());
  for (auto [branch, successor] : toBaseCase) {
    Block *call =
        builder.createBlock(&function.getBody(), function.getBody().end());
    returnCallOf(part, args, call);
    redirect(branch, successor, call);
  }
  (void)eraseUnreachableBlocks(rewriter, function->getRegions());
  return part;
}

LLVM::LLVMFuncOp Division::outlineBody() {
  IRMapping mapping;
  auto part = cast<LLVM::LLVMFuncOp>(function->clone(mapping));
  part.setName((function.getName() + BodySuffix).str());
  part.setNoInline(false);
  part.setAlwaysInline(false);
  Block *entry = &part.front(), *start = mapping.lookup(begin);

  auto type = part.getFunctionType();
  SmallVector<Type> parameters(type.getParams());
  SmallVector<Attribute> attributes(parameters.size(),
                                    DictionaryAttr::get(part.getContext()));
  if (ArrayAttr own = part.getArgAttrsAttr())
    attributes.assign(own.begin(), own.end());
  // What the check has computed may point into the same objects.
  if (llvm::any_of(live, [](Value value) {
        return isa<LLVM::LLVMPointerType>(value.getType());
      }))
    for (Attribute &attribute : attributes) {
      NamedAttrList list(cast<DictionaryAttr>(attribute));
      list.erase(LLVM::LLVMDialect::getNoAliasAttrName());
      attribute = list.getDictionary(part.getContext());
    }
  if (!live.empty())
    addFunctionAttribute(part, CheckedAttribute,
                         std::to_string(parameters.size()));
  for (Value value : live) {
    parameters.push_back(value.getType());
    attributes.push_back(DictionaryAttr::get(part.getContext()));
    mapping.lookup(value).replaceAllUsesWith(
        entry->addArgument(value.getType(), value.getLoc()));
  }
  part.setFunctionType(
      LLVM::LLVMFunctionType::get(type.getReturnType(), parameters));
  part.setArgAttrsAttr(ArrayAttr::get(part.getContext(), attributes));

  moveRecords(entry, mapping);
  entry->getTerminator()->erase();
  OpBuilder builder = OpBuilder::atBlockEnd(entry);
  LLVM::BrOp::create(builder, place->getLoc(), start);
  IRRewriter rewriter(builder);
  (void)eraseUnreachableBlocks(rewriter, part->getRegions());
  // Uses before definitions.
  SmallVector<Operation *> left;
  for (Operation &op : entry->without_terminator())
    if (!belongsToFrame(op) && !isDebugRecord(op))
      left.push_back(&op);
  while (!left.empty())
    left.pop_back_val()->erase();
  return part;
}

void Division::returnCallOf(LLVM::LLVMFuncOp part, ValueRange args,
                            Block *block) {
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  // A call needs a place if there are debug records.
  Location loc = function.getLoc();
  auto call = LLVM::CallOp::create(builder, loc, part, args);
  call.setCConv(part.getCConv());
  LLVM::ReturnOp::create(builder, loc, call.getResults());
}

Outlined Division::divide() {
  Outlined outlined;
  findWay();
  bool hasCheck = way.size() > 1;
  if (isRepeatableBlock(&function.front()))
    findBaseCase(&function.front());
  bool small = hasCheck && isSmall();
  if (!toBaseCase.empty() && (small || !hasCheck))
    outlined.baseCase = outlineBaseCase();
  if (!hasCheck)
    return outlined;
  begin = way.back()->splitBlock(place);
  reached = reachableFrom(begin);
  OpBuilder builder = OpBuilder::atBlockEnd(way.back());
  auto toBody = LLVM::BrOp::create(builder, place->getLoc(), begin);
  findLive();
  outlined.body = outlineBody();

  toBody.erase();
  SmallVector<Value> args(function.getArguments());
  llvm::append_range(args, live);
  returnCallOf(outlined.body, args, way.back());
  IRRewriter rewriter(builder);
  (void)eraseUnreachableBlocks(rewriter, function->getRegions());
  if (!small)
    outlined.body.setNoInline(true);
  else if (!function.getNoInline())
    function.setAlwaysInline(true);
  return outlined;
}

/// Gives the loops in which all sites are, and which begin where a branch
/// leads, a block in front of them: a check may end there.
static void makePreheaders(LLVM::LLVMFuncOp function) {
  if (function.getBody().hasOneBlock())
    return;
  DominanceInfo dominance(function);
  CFGLoopInfo loops(dominance.getDomTree(&function.getBody()));
  SmallVector<Block *> sites = blocksOfSites(function);
  SmallVector<std::pair<Block *, Block *>> entries;
  for (CFGLoop *loop : loops.getLoopsInPreorder()) {
    Block *header = loop->getHeader(), *before = loop->getLoopPredecessor();
    if (before && isa<LLVM::CondBrOp>(before->getTerminator()) &&
        llvm::all_of(sites, [&](Block *site) {
          return dominance.dominates(header, site);
        }))
      entries.push_back({before, header});
  }
  OpBuilder builder(function.getContext());
  for (auto [before, header] : entries) {
    auto branch = cast<LLVM::CondBrOp>(before->getTerminator());
    unsigned edge = branch.getTrueDest() == header ? 0 : 1;
    Block *preheader = builder.createBlock(header);
    LLVM::BrOp::create(builder, branch.getLoc(),
                       branch.getSuccessorOperands(edge).getForwardedOperands(),
                       header);
    redirect(branch, edge, preheader);
  }
}

/// Finds the stores in `block` to a local object, and the addresses in it, if
/// all else that uses it is `behind` that.
static bool findStores(Value object, Block *block,
                       function_ref<bool(Operation *)> behind,
                       SmallVectorImpl<Operation *> &stores) {
  return llvm::all_of(object.getUsers(), [&](Operation *user) {
    if (behind(user) || isDebugRecord(*user))
      return true;
    if (isa<LLVM::GEPOp>(user)) {
      // Records stay where they are.
      if (llvm::none_of(user->getUsers(),
                        [](Operation *use) { return isDebugRecord(*use); }))
        stores.push_back(user);
      return user->getBlock() == block &&
             findStores(user->getResult(0), block, behind, stores);
    }
    auto store = dyn_cast<LLVM::StoreOp>(user);
    auto set = dyn_cast<LLVM::MemsetOp>(user);
    bool isPlain =
        (store && store.getValue() != object && localObject(store)) ||
        (set && !set.getIsVolatile());
    if (isPlain && user->getBlock() == block)
      stores.push_back(user);
    return isPlain && user->getBlock() == block;
  });
}

/// Moves what is stored in front of the check behind it, if base cases do not
/// use it.  LLVM keeps that in registers in the serial elision, and a base case
/// has nothing to do for it.
static void storeBehindCheck(LLVM::LLVMFuncOp function) {
  Block *entry = &function.front();
  SmallVector<Block *> sites = blocksOfSites(function);
  DominanceInfo dominance(function);
  auto next = llvm::find_if(entry->getSuccessors(), [&](Block *successor) {
    return successor->getSinglePredecessor() &&
           llvm::all_of(sites, [&](Block *site) {
             return dominance.dominates(successor, site);
           });
  });
  if (sites.empty() || next == entry->getSuccessors().end())
    return;
  auto behind = [&](Operation *user) {
    return dominance.dominates(*next, user->getBlock());
  };
  Operation *first = &(*next)->front();
  for (auto object : entry->getOps<LLVM::AllocaOp>()) {
    SmallVector<Operation *> stores;
    if (!belongsToFrame(*object) || !findStores(object, entry, behind, stores))
      continue;
    llvm::sort(stores, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    for (Operation *store : stores)
      store->moveBefore(first);
  }
}

Outlined cilk2chan::outlineBehindCheck(LLVM::LLVMFuncOp function) {
  // Structs passed by value would be copied twice.
  for (unsigned i = 0; i != function.getNumArguments(); ++i)
    if (byValueType(function, i))
      return {};
  makePreheaders(function);
  storeBehindCheck(function);
  return Division(function).divide();
}
