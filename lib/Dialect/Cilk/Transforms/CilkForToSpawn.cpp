//===- CilkForToSpawn.cpp - Divide the iterations of parallel loops -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a recursive function of each parallel loop. It divides the range into
// parts, spawns one call of itself for each, and runs the body when the range
// is no longer than the grain:
//
//   cilk.for %n grain %g              cilk.call @__cilk_range.0(0, %n, %g)
//     body @__cilk_body.0      ->
//                                     __cilk_range.0(begin, end, grain):
//                                       if (end - begin <= grain)
//                                         call @__cilk_body.0(begin, end)
//                                       else for each part of the range
//                                         cilk.spawn @__cilk_range.0(part, %g)
//
// For machines that launch ranges, a loop whose body does not spawn becomes one
// call of a function that is run once for each iteration (`chan.range`):
//
//   cilk.for %n                       cilk.call @__cilk_range.0(0, %n)
//     body @__cilk_body.0      ->
//                                     __cilk_range.0(iteration, count):
//                                       call @__cilk_body.0(iteration,
//                                                           iteration + 1)
//
// If such machines also have work-groups, an outer loop whose iterations become
// work-groups is one call too, of a function that is run once for each thread
// of each group (WorkGroups.h).
//
//===----------------------------------------------------------------------===//

#include "WorkGroups.h"

#include "cilk2chan/Dialect/Cilk/Analysis/RemarkPlaces.h"
#include "cilk2chan/Dialect/Cilk/Analysis/SpawningFunctions.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Dialect/Cilk/Passes.h"
#include "cilk2chan/Dialect/Cilk/Tuning.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/WorkingOn.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CILKFORTOSPAWN
#include "cilk2chan/Dialect/Cilk/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {

/// Lowers one loop.
class Lowering {
public:
  Lowering(cilk::ForOp loop, SymbolTable &symbols)
      : loop(loop), symbols(symbols), builder(loop), loc(loop.getLoc()),
        i64(builder.getI64Type()),
        body(symbols.lookup<LLVM::LLVMFuncOp>(loop.getBody())),
        splitBody(cilk::isSpawning(body)) {}

  /// The loop becomes a tree of spawns.
  void divide();
  /// The loop becomes one range.
  void launch();
  /// The loop becomes one range of threads of work-groups.
  void launch(WorkGroup group);
  /// Whether its iterations only return, so that one range may stand for all.
  bool mayLaunch() const { return !splitBody; }

private:
  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, i64,
                                    builder.getI64IntegerAttr(value));
  }
  Value chooseGrain();
  Value chooseGrainForReducers();
  std::optional<int64_t> mostInOneCall();
  void runShortLoop(int64_t most);
  LLVM::LLVMFuncOp createFunction(TypeRange params);
  LLVM::LLVMFuncOp createRange();
  void runBody(ValueRange args);
  void spawnParts(LLVM::LLVMFuncOp range, Value size);
  void endFunction();
  SmallVector<Value> capturesIn(Block *entry);
  void callRange(LLVM::LLVMFuncOp range, Value count);

  cilk::ForOp loop;
  SymbolTable &symbols;
  OpBuilder builder;
  Location loc;
  Type i64;
  LLVM::LLVMFuncOp body;
  bool splitBody;
};

} // namespace

void Lowering::divide() {
  LLVM::LLVMFuncOp range = createRange();
  builder.setInsertionPoint(loop);
  if (std::optional<int64_t> most = mostInOneCall())
    runShortLoop(*most);
  SmallVector<Value> args = {constant(0), loop.getCount(), chooseGrain()};
  llvm::append_range(args, loop.getCaptures());
  cilk::CallOp::create(builder, loc, TypeRange(), FlatSymbolRefAttr::get(range),
                       args, TypeAttr::get(range.getFunctionType()),
                       ArrayAttr());
  loop.erase();
}

Value Lowering::chooseGrain() {
  Value grain = loop.getGrain();
  if (!grain && splitBody)
    return constant(1);
  if (!grain)
    grain = constant(0);
  auto module = cast<ModuleOp>(symbols.getOp());
  if (!loop.getGrain() && module->hasAttr(StrandsAttribute))
    return chooseGrainForReducers();
  LLVM::LLVMFuncOp choose =
      *LLVM::lookupOrCreateFn(builder, module, "chan_grain", {i64, i64}, i64);
  Value chosen = LLVM::CallOp::create(builder, loc, choose,
                                      ValueRange{loop.getCount(), grain})
                     .getResult();
  return loop.getLeast() ? LLVM::UMaxOp::create(builder, loc, chosen,
                                                constant(*loop.getLeast()))
                         : chosen;
}

/// A grain that does not depend on the number of workers: each range has views of
/// its own, and floating-point numbers are to be combined in the same order
/// wherever the program runs.
Value Lowering::chooseGrainForReducers() {
  // As Cilk Plus. The views of a range take less than a percent of so many short
  // iterations. A shorter loop has as many ranges as 64 workers want.
  constexpr int64_t longest = 2048, ranges = 512;
  int64_t least = std::max<int64_t>(loop.getLeast().value_or(1), 1);
  Value part =
      LLVM::UDivOp::create(builder, loc, loop.getCount(), constant(ranges));
  return LLVM::UMaxOp::create(
      builder, loc, LLVM::UMinOp::create(builder, loc, part, constant(longest)),
      constant(least));
}

/// So many iterations are one call of the body: they are below grain, or they
/// are one range anyway.
std::optional<int64_t> Lowering::mostInOneCall() {
  if (splitBody || !loop.getGrain())
    return loop.getLeast();
  IntegerAttr grain;
  if (matchPattern(loop.getGrain(), m_Constant(&grain)) && grain.getInt() > 0)
    return grain.getInt();
  return std::nullopt;
}

/// Calls the body for all iterations if there are no more than `most`.  The
/// builder is then where there are more.
void Lowering::runShortLoop(int64_t most) {
  Block *before = loop->getBlock();
  Block *after = before->splitBlock(std::next(loop->getIterator()));
  Block *divide = before->splitBlock(loop);
  Block *whole = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  Value isShort = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ule,
                                       loop.getCount(), constant(most));
  LLVM::CondBrOp::create(builder, loc, isShort, whole, divide);

  builder.setInsertionPointToEnd(whole);
  SmallVector<Value> args = {constant(0), loop.getCount()};
  llvm::append_range(args, loop.getCaptures());
  LLVM::CallOp::create(builder, loc, body, args);
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToEnd(divide);
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPoint(loop);
}

void Lowering::endFunction() {
  cilk::SyncOp::create(builder, loc);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

void Lowering::runBody(ValueRange args) {
  if (splitBody)
    cilk::SpawnOp::create(builder, loc, FlatSymbolRefAttr::get(body), Value(),
                          args, Value(), FlatSymbolRefAttr(),
                          TypeAttr::get(body.getFunctionType()), ArrayAttr());
  else
    LLVM::CallOp::create(builder, loc, body, args);
  endFunction();
}

/// The grain is of no use here: there is one thread for each iteration.
void Lowering::launch() {
  SmallVector<Type> params(2, i64);
  llvm::append_range(params, loop.getCaptures().getTypes());
  LLVM::LLVMFuncOp range = createFunction(params);
  range->setAttr(RangeAttribute, builder.getUnitAttr());

  Block *entry = range.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  Value iteration = entry->getArgument(0);
  Value behind = LLVM::AddOp::create(builder, loc, iteration, constant(1),
                                     LLVM::IntegerOverflowFlags::nsw |
                                         LLVM::IntegerOverflowFlags::nuw);
  SmallVector<Value> args = {iteration, behind};
  llvm::append_range(args, capturesIn(entry));
  LLVM::CallOp::create(builder, loc, body, args);
  LLVM::ReturnOp::create(builder, loc, ValueRange());

  builder.setInsertionPoint(loop);
  callRange(range, loop.getCount());
}

/// The captures in a function of a range, whose entry this is.  LLVM can use a
/// constant that is known there.
SmallVector<Value> Lowering::capturesIn(Block *entry) {
  SmallVector<Value> captures;
  for (auto [capture, passed] :
       llvm::zip(loop.getCaptures(), entry->getArguments().drop_front(2))) {
    Operation *source = capture.getDefiningOp();
    bool isConstant =
        isa_and_present<LLVM::ConstantOp, LLVM::AddressOfOp, LLVM::ZeroOp>(
            source);
    captures.push_back(isConstant ? builder.clone(*source)->getResult(0)
                                  : Value(passed));
  }
  return captures;
}

void Lowering::callRange(LLVM::LLVMFuncOp range, Value count) {
  SmallVector<Value> args = {constant(0), count};
  llvm::append_range(args, loop.getCaptures());
  cilk::CallOp::create(builder, loc, TypeRange(), FlatSymbolRefAttr::get(range),
                       args, TypeAttr::get(range.getFunctionType()),
                       ArrayAttr());
  loop.erase();
}

/// The number of a thread in its group is the low bits of its iteration.
void Lowering::launch(WorkGroup group) {
  SmallVector<Type> params(2, i64);
  llvm::append_range(params, loop.getCaptures().getTypes());
  LLVM::LLVMFuncOp range = createFunction(params);
  range->setAttr(RangeAttribute, builder.getUnitAttr());
  range->setAttr(GroupAttribute,
                 builder.getDenseI64ArrayAttr(
                     {int64_t(group.getSize()), int64_t(group.getBytes())}));

  Block *entry = range.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  Value iteration = entry->getArgument(0);
  Value number = LLVM::LShrOp::create(builder, loc, iteration,
                                      constant(llvm::Log2_32(group.getSize())));
  Value thread = LLVM::AndOp::create(builder, loc, iteration,
                                     constant(group.getSize() - 1));
  group.emit(builder, range, symbols, number, thread, capturesIn(entry));

  builder.setInsertionPoint(loop);
  callRange(range, LLVM::MulOp::create(builder, loc, loop.getCount(),
                                       constant(group.getSize())));
}

/// A function for the iterations of the loop, without a body.
LLVM::LLVMFuncOp Lowering::createFunction(TypeRange params) {
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(builder.getContext()), llvm::to_vector(params));
  auto parent = loop->getParentOfType<LLVM::LLVMFuncOp>();
  StringRef number = loop.getBody();
  number.consume_front(BodyPrefix);
  builder.setInsertionPointAfter(parent);
  auto range = LLVM::LLVMFuncOp::create(builder, parent.getLoc(),
                                        (RangePrefix + number).str(), type,
                                        LLVM::Linkage::Private);
  // The parent may be one of several copies, of which not all stay.
  range->setAttr(SourceAttribute, sourceOf(parent));
  range.setTargetCpuAttr(parent.getTargetCpuAttr());
  range.setTargetFeaturesAttr(parent.getTargetFeaturesAttr());
  symbols.insert(range);
  return range;
}

/// The function `(begin, end, grain, captures...)` that runs the iterations of
/// a range.
LLVM::LLVMFuncOp Lowering::createRange() {
  SmallVector<Type> params(3, i64);
  llvm::append_range(params, loop.getCaptures().getTypes());
  LLVM::LLVMFuncOp range = createFunction(params);
  Block *entry = range.addEntryBlock(builder);
  Block *whole = range.addBlock(), *divide = range.addBlock();
  Value begin = entry->getArgument(0), end = entry->getArgument(1);
  Value grain = entry->getArgument(2);
  builder.setInsertionPointToStart(entry);
  Value size = LLVM::SubOp::create(builder, loc, end, begin);
  Value fits =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ule, size, grain);
  LLVM::CondBrOp::create(builder, loc, fits, whole, divide);

  builder.setInsertionPointToStart(whole);
  SmallVector<Value> args = {begin, end};
  llvm::append_range(args, entry->getArguments().drop_front(3));
  runBody(args);

  builder.setInsertionPointToStart(divide);
  spawnParts(range, size);
  return range;
}

/// Spawns `range` on parts of its range, which is longer than the grain.
void Lowering::spawnParts(LLVM::LLVMFuncOp range, Value size) {
  Block *next = range.addBlock(), *done = range.addBlock();
  Value end = range.getArgument(1), grain = range.getArgument(2);
  auto ceilDiv = [&](Value dividend, Value divisor) -> Value {
    Value one = constant(1);
    Value less = LLVM::SubOp::create(builder, loc, dividend, one);
    Value quotient = LLVM::UDivOp::create(builder, loc, less, divisor);
    return LLVM::AddOp::create(builder, loc, quotient, one);
  };
  Value grains = ceilDiv(ceilDiv(size, grain), constant(tuning::rangeFanOut));
  Value part = LLVM::MulOp::create(builder, loc, grains, grain);
  LLVM::BrOp::create(builder, loc, ValueRange{range.getArgument(0)}, next);

  Value from = next->addArgument(i64, loc);
  builder.setInsertionPointToStart(next);
  Value rest = LLVM::SubOp::create(builder, loc, end, from);
  Value last =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ule, rest, part);
  Value behind = LLVM::AddOp::create(builder, loc, from, part);
  Value to = LLVM::SelectOp::create(builder, loc, last, end, behind);
  SmallVector<Value> args = {from, to, grain};
  llvm::append_range(args, range.getArguments().drop_front(3));
  cilk::SpawnOp::create(builder, loc, FlatSymbolRefAttr::get(range), Value(),
                        args, Value(), FlatSymbolRefAttr(),
                        TypeAttr::get(range.getFunctionType()), ArrayAttr());
  LLVM::CondBrOp::create(builder, loc, last, done, ValueRange(), next,
                         ValueRange{to});
  builder.setInsertionPointToStart(done);
  endFunction();
}

/// Says whether the iterations of an outer loop are work-groups.
static void remarkGroup(cilk::ForOp loop, const std::optional<WorkGroup> &group,
                        const std::string &obstacle) {
  auto [place, options] = placeRemark(
      loop, remark::RemarkOpts::name("groups").category("chan-groups"));
  if (group)
    remark::passed(place, options)
        << ("each iteration is a work-group of " + Twine(group->getSize()) +
            " threads, which share " + Twine(group->getBytes()) + " bytes")
               .str();
  else if (!obstacle.empty())
    remark::missed(place, options)
        << "iterations are tasks, not work-groups: " + obstacle;
}

namespace {
struct CilkForToSpawn
    : public cilk2chan::impl::CilkForToSpawnBase<CilkForToSpawn> {
  using CilkForToSpawnBase::CilkForToSpawnBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    if (groups)
      launchGroups(symbols);
    for (cilk::ForOp loop : findLoops()) {
      WorkingOn working(loop->getParentOfType<LLVM::LLVMFuncOp>().getName());
      Lowering lowering(loop, symbols);
      if (ranges && lowering.mayLaunch())
        lowering.launch();
      else
        lowering.divide();
    }
  }

  SmallVector<cilk::ForOp> findLoops() {
    SmallVector<cilk::ForOp> loops;
    getOperation().walk([&](cilk::ForOp loop) { loops.push_back(loop); });
    return loops;
  }

  /// A body of which no loop is left goes, and its inner loops with it.
  void launchGroups(SymbolTable &symbols) {
    const TypeLayout &layout = getAnalysis<TypeLayout>();
    llvm::SetVector<LLVM::LLVMFuncOp> bodies;
    for (cilk::ForOp loop : findLoops()) {
      auto body = symbols.lookup<LLVM::LLVMFuncOp>(loop.getBody());
      WorkingOn working(body.getName());
      std::string obstacle;
      std::optional<WorkGroup> group =
          WorkGroup::find(body, symbols, layout, obstacle);
      remarkGroup(loop, group, obstacle);
      if (!group)
        continue;
      bodies.insert(body);
      Lowering(loop, symbols).launch(std::move(*group));
    }
    // The import leaves what the loop was made of.
    getOperation().walk([&](LLVM::AddressOfOp address) {
      if (address.use_empty())
        address.erase();
    });
    for (LLVM::LLVMFuncOp body : bodies)
      if (SymbolTable::symbolKnownUseEmpty(body, getOperation()))
        symbols.erase(body);
  }
};
} // namespace
