//===- LiftControlFlow.cpp - A kernel's control flow, structured ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Prepare/LiftControlFlow.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"

#include "cilk2chan/Support/Markers.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CFGToSCF.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace cilk2chan;

namespace {

/// What `transformCFGToSCF` has to know of the llvm dialect's branches.
class BranchLifting : public CFGToSCFInterface {
public:
  FailureOr<Operation *>
  createStructuredBranchRegionOp(OpBuilder &builder, Operation *branch,
                                 TypeRange resultTypes,
                                 MutableArrayRef<Region> regions) override {
    Location loc = branch->getLoc();
    if (auto cond = dyn_cast<LLVM::CondBrOp>(branch)) {
      auto op =
          scf::IfOp::create(builder, loc, resultTypes, cond.getCondition());
      if (Attribute ends = cond->getAttr(EndsAttribute))
        op->setAttr(EndsAttribute, ends);
      op.getThenRegion().takeBody(regions[0]);
      op.getElseRegion().takeBody(regions[1]);
      return op.getOperation();
    }
    auto choice = dyn_cast<LLVM::SwitchOp>(branch);
    if (!choice)
      return failure();
    SmallVector<int64_t> cases;
    if (choice.getCaseValues())
      for (const APInt &value : choice.getCaseValues()->getValues<APInt>())
        cases.push_back(value.getSExtValue());
    Value selector =
        UnrealizedConversionCastOp::create(builder, loc, builder.getIndexType(),
                                           ValueRange(choice.getValue()))
            .getResult(0);
    auto op = scf::IndexSwitchOp::create(builder, loc, resultTypes, selector,
                                         cases, cases.size());
    op.getDefaultRegion().takeBody(regions[0]);
    for (auto [to, from] : llvm::zip(op.getCaseRegions(), regions.drop_front()))
      to.takeBody(from);
    return op.getOperation();
  }

  LogicalResult
  createStructuredBranchRegionTerminatorOp(Location loc, OpBuilder &builder,
                                           Operation *, Operation *,
                                           ValueRange results) override {
    scf::YieldOp::create(builder, loc, results);
    return success();
  }

  FailureOr<Operation *>
  createStructuredDoWhileLoopOp(OpBuilder &builder, Operation *replaced,
                                ValueRange init, Value condition,
                                ValueRange next, Region &&body) override {
    Location loc = replaced->getLoc();
    auto loop = scf::WhileOp::create(builder, loc, init.getTypes(), init);
    loop.getBefore().takeBody(body);
    builder.setInsertionPointToEnd(&loop.getBefore().back());
    Value more =
        LLVM::TruncOp::create(builder, loc, builder.getI1Type(), condition);
    scf::ConditionOp::create(builder, loc, more, next);
    Block *after = builder.createBlock(&loop.getAfter());
    after->addArguments(init.getTypes(),
                        SmallVector<Location>(init.size(), loc));
    scf::YieldOp::create(builder, loc, after->getArguments());
    return loop.getOperation();
  }

  Value getCFGSwitchValue(Location loc, OpBuilder &builder,
                          unsigned value) override {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                    builder.getI32IntegerAttr(value));
  }

  void createCFGSwitchOp(Location loc, OpBuilder &builder, Value flag,
                         ArrayRef<unsigned> caseValues,
                         BlockRange caseDestinations,
                         ArrayRef<ValueRange> caseArguments, Block *defaultDest,
                         ValueRange defaultArgs) override {
    if (caseValues.empty()) {
      LLVM::BrOp::create(builder, loc, defaultArgs, defaultDest);
    } else if (caseValues.size() == 1) {
      Value isCase =
          LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, flag,
                               getCFGSwitchValue(loc, builder, caseValues[0]));
      LLVM::CondBrOp::create(builder, loc, isCase, caseDestinations[0],
                             caseArguments[0], defaultDest, defaultArgs);
    } else {
      SmallVector<int32_t> values(caseValues);
      LLVM::SwitchOp::create(builder, loc, flag, defaultDest, defaultArgs,
                             values, caseDestinations, caseArguments);
    }
  }

  Value getUndefValue(Location loc, OpBuilder &builder, Type type) override {
    return LLVM::PoisonOp::create(builder, loc, type);
  }

  FailureOr<Operation *> createUnreachableTerminator(Location, OpBuilder &,
                                                     Region &) override {
    return failure();
  }
};

} // namespace

/// Adds to `sources` what `value`, of a choice or loop inside `root`, is made
/// of: values that are computed in front of `root`, and those that are not.
static void collectSources(Value value, Operation *root,
                           llvm::SmallPtrSetImpl<Value> &visited,
                           llvm::SmallSetVector<Value, 2> &sources) {
  if (isPoison(value) || !visited.insert(value).second)
    return;
  auto collect = [&](Value source) {
    collectSources(source, root, visited, sources);
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::WhileOp>(argument.getOwner()->getParentOp());
    unsigned number = argument.getArgNumber();
    if (loop && root->isAncestor(loop)) {
      collect(loop.getInits()[number]);
      return collect(loop.getConditionOp().getArgs()[number]);
    }
  } else {
    Operation *op = value.getDefiningOp();
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::WhileOp>(op); loop && root->isAncestor(op))
      return collect(loop.getConditionOp().getArgs()[number]);
    if (isa<scf::IfOp, scf::IndexSwitchOp>(op) && root->isAncestor(op)) {
      for (Region &region : op->getRegions())
        collect(region.front().getTerminator()->getOperand(number));
      return;
    }
  }
  sources.insert(value);
}

/// Lifting has each way out of a loop yield what any of them needs, and poison
/// for the rest. What comes from in front of the loop is not the loop's: lanes
/// that leave it at different times have the same of it.
static void forwardValues(chan::KernelOp lifted) {
  lifted.getBody().walk([](Operation *op) {
    if (!isa<scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>(op))
      return;
    for (Value result : op->getResults()) {
      llvm::SmallPtrSet<Value, 8> visited;
      llvm::SmallSetVector<Value, 2> sources;
      collectSources(result, op, visited, sources);
      if (sources.size() != 1)
        continue;
      Value source = sources.front();
      if (!op->isAncestor(source.getParentBlock()->getParentOp()))
        result.replaceAllUsesWith(source);
    }
  });
}

OwningOpRef<chan::KernelOp> cilk2chan::liftControlFlow(chan::KernelOp kernel) {
  OwningOpRef<chan::KernelOp> lifted(kernel.clone());
  SmallVector<Operation *> hints, ends;
  lifted->getBody().walk([&](Operation *op) {
    if (isa<LLVM::DbgDeclareOp, LLVM::DbgValueOp, LLVM::DbgLabelOp,
            LLVM::AssumeOp>(op))
      hints.push_back(op);
    else if (isa<LLVM::ExpectOp, LLVM::ExpectWithProbabilityOp>(op)) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      hints.push_back(op);
    }
    // Where control never arrives a lane may as well have finished.
    else if (isa<LLVM::UnreachableOp>(op))
      ends.push_back(op);
  });
  for (Operation *op : hints)
    op->erase();
  for (Operation *op : ends) {
    OpBuilder builder(op);
    chan::DoneOp::create(builder, op->getLoc());
    op->erase();
  }
  if (lifted->getBody().hasOneBlock())
    return lifted;
  IRRewriter rewriter(kernel.getContext());
  (void)eraseUnreachableBlocks(rewriter, lifted->getBody());
  BranchLifting lifting;
  DominanceInfo dominance(*lifted);
  if (failed(transformCFGToSCF(lifted->getBody(), lifting, dominance)) ||
      !lifted->getBody().hasOneBlock())
    return {};
  // Constants of the transformation's went in front.
  Block &block = lifted->getBody().front();
  auto deq = *block.getOps<chan::DeqOp>().begin();
  deq->moveBefore(&block, block.begin());
  forwardValues(*lifted);
  return lifted;
}
