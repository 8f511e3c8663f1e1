//===- Legalize.cpp - Device functions that units can do ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormSelects.h"
#include "Opcodes.h"
#include "SystemCalls.h"
#include "UnrollLoops.h"
#include "WidenIntegers.h"

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopStrengthReduce.h"
#include "llvm/Transforms/Scalar/LowerConstantIntrinsics.h"
#include "llvm/Transforms/Scalar/PartiallyInlineLibCalls.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/StraightLineStrengthReduce.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerInvoke.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

using namespace llvm;
using namespace cilk2chan;

/// Blocks of memory become loops: units load and store words.
static void lowerMemoryIntrinsics(Function &function) {
  SmallVector<MemIntrinsic *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<MemIntrinsic>(&instruction))
      calls.push_back(call);
  TargetTransformInfo machine(function.getDataLayout());
  for (MemIntrinsic *call : calls) {
    if (auto *copy = dyn_cast<MemCpyInst>(call))
      expandMemCpyAsLoop(copy, machine);
    else if (auto *move = dyn_cast<MemMoveInst>(call))
      expandMemMoveAsLoop(move, machine);
    else if (auto *set = dyn_cast<MemSetInst>(call))
      expandMemSetAsLoop(set);
    else
      continue; // Memory whose accesses are of a given size: a call.
    call->eraseFromParent();
  }
}

namespace {
/// What LLVM's passes have to know of the fabric.
class FabricInfo final : public TargetTransformInfoImplCRTPBase<FabricInfo> {
public:
  explicit FabricInfo(const DataLayout &layout)
      : TargetTransformInfoImplCRTPBase(layout) {}
  bool haveFastSqrt(Type *type) const override {
    return type->isFloatTy() || type->isDoubleTy();
  }
  /// A register plus a constant, as GPUs have it.
  bool isLegalAddressingMode(Type *, GlobalValue *, int64_t, bool,
                             int64_t scale, unsigned, Instruction * = nullptr,
                             int64_t scalable = 0) const override {
    return (scale == 0 || scale == 1) && scalable == 0;
  }
};
} // namespace

namespace {
/// LLVM's strength reduction, for loops of one block. In others each pointer is
/// one more live value of all blocks.
struct ReduceStrengthPass : PassInfoMixin<ReduceStrengthPass> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &analyses,
                        LoopStandardAnalysisResults &results,
                        LPMUpdater &updater) {
    if (loop.getNumBlocks() != 1)
      return PreservedAnalyses::all();
    return LoopStrengthReducePass().run(loop, analyses, results, updater);
  }
};
} // namespace

/// A call that is known not to set errno: what PartiallyInlineLibCalls leaves
/// for operands of which there is a square root.
static void useSquareRootUnits(Function &function,
                               const TargetLibraryInfo &library) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    LibFunc known;
    if (!call || !call->doesNotAccessMemory() ||
        !library.getLibFunc(*call, known) ||
        (known != LibFunc_sqrt && known != LibFunc_sqrtf))
      continue;
    IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateUnaryIntrinsic(
        Intrinsic::sqrt, call->getArgOperand(0), call));
    call->eraseFromParent();
  }
}

/// Expands what takes more than one unit but no loop.
static void expandIntrinsics(Function &function) {
  SmallVector<IntrinsicInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      calls.push_back(call);
  for (IntrinsicInst *call : calls) {
    IRBuilder<> builder(call);
    Value *result = nullptr;
    switch (call->getIntrinsicID()) {
    case Intrinsic::uadd_with_overflow:
    case Intrinsic::usub_with_overflow:
    case Intrinsic::sadd_with_overflow:
    case Intrinsic::ssub_with_overflow:
    case Intrinsic::umul_with_overflow:
    case Intrinsic::smul_with_overflow: {
      auto *pair = cast<WithOverflowInst>(call);
      Value *a = pair->getLHS(), *b = pair->getRHS();
      Value *value = builder.CreateBinOp(pair->getBinaryOp(), a, b);
      Value *over;
      Value *zero = Constant::getNullValue(a->getType());
      if (pair->getBinaryOp() == Instruction::Mul) {
        // Right if dividing gives the factor back; no division by zero.
        Value *safe =
            builder.CreateSelect(builder.CreateICmpEQ(b, zero),
                                 ConstantInt::get(a->getType(), 1), b);
        Value *back;
        if (pair->isSigned()) {
          Value *minusOne = Constant::getAllOnesValue(a->getType());
          Value *isMinusOne = builder.CreateICmpEQ(b, minusOne);
          safe = builder.CreateSelect(isMinusOne,
                                      ConstantInt::get(a->getType(), 1), safe);
          back = builder.CreateSDiv(value, safe);
          Value *least = ConstantInt::get(
              a->getType(),
              APInt::getSignedMinValue(a->getType()->getIntegerBitWidth()));
          over =
              builder.CreateSelect(isMinusOne, builder.CreateICmpEQ(a, least),
                                   builder.CreateICmpNE(back, a));
        } else {
          back = builder.CreateUDiv(value, safe);
          over = builder.CreateICmpNE(back, a);
        }
        over = builder.CreateAnd(over, builder.CreateICmpNE(b, zero));
      } else if (!pair->isSigned()) {
        over = pair->getBinaryOp() == Instruction::Add
                   ? builder.CreateICmpULT(value, a)
                   : builder.CreateICmpULT(a, b);
      } else {
        // The signs of the operands (of a and -b) agree, the result's does not.
        Value *agree = builder.CreateXor(a, b);
        if (pair->getBinaryOp() == Instruction::Add)
          agree = builder.CreateNot(agree);
        Value *flips = builder.CreateXor(value, a);
        over = builder.CreateICmpSLT(builder.CreateAnd(agree, flips), zero);
      }
      for (User *user : make_early_inc_range(call->users()))
        if (auto *part = dyn_cast<ExtractValueInst>(user)) {
          part->replaceAllUsesWith(part->getIndices()[0] == 0 ? value : over);
          part->eraseFromParent();
        }
      if (call->use_empty())
        call->eraseFromParent();
      continue;
    }
    case Intrinsic::fmuladd: {
      // DeviceCode has made llvm.fma of it where the host fuses.
      Value *product = builder.CreateFMulFMF(call->getArgOperand(0),
                                             call->getArgOperand(1), call);
      result = builder.CreateFAddFMF(product, call->getArgOperand(2), call);
      break;
    }
    case Intrinsic::uadd_sat: {
      Value *sum =
          builder.CreateAdd(call->getArgOperand(0), call->getArgOperand(1));
      result = builder.CreateSelect(
          builder.CreateICmpULT(sum, call->getArgOperand(0)),
          Constant::getAllOnesValue(call->getType()), sum);
      break;
    }
    case Intrinsic::usub_sat: {
      Value *a = call->getArgOperand(0), *b = call->getArgOperand(1);
      result = builder.CreateSub(
          builder.CreateBinaryIntrinsic(Intrinsic::umax, a, b), b);
      break;
    }
    case Intrinsic::annotation:
    case Intrinsic::ptr_annotation:
      result = call->getArgOperand(0);
      break;
    case Intrinsic::is_constant:
    case Intrinsic::objectsize:
      continue; // LowerConstantIntrinsics has been.
    case Intrinsic::ptrmask: {
      Type *number = call->getArgOperand(1)->getType();
      Value *masked = builder.CreateAnd(
          builder.CreatePtrToInt(call->getArgOperand(0), number),
          call->getArgOperand(1));
      result = builder.CreateIntToPtr(masked, call->getType());
      break;
    }
    case Intrinsic::trap:
    case Intrinsic::ubsantrap:
    case Intrinsic::debugtrap:
      continue; // System calls.
    default:
      continue;
    }
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
  }
}

/// Removes `block`, which only merges values and goes on to a loop, by merging
/// them in the loop's header.
static void mergeIntoHeader(BasicBlock &block) {
  BasicBlock *header = block.getSingleSuccessor();
  if (!header || header == &block || block.sizeWithoutDebug() == 1 ||
      !isa<BranchInst>(block.getFirstNonPHIOrDbg()))
    return;
  DominatorTree dominators(*block.getParent());
  SmallVector<BasicBlock *> before(predecessors(&block));
  for (BasicBlock *from : predecessors(header))
    if (is_contained(before, from) ||
        (from != &block && !dominators.dominates(header, from)))
      return;
  for (PHINode &phi : header->phis()) {
    Value *value = phi.removeIncomingValue(&block, /*DeletePHIIfEmpty=*/false);
    auto *merged = dyn_cast<PHINode>(value);
    if (merged && merged->getParent() != &block)
      merged = nullptr;
    for (BasicBlock *from : before)
      phi.addIncoming(merged ? merged->getIncomingValueForBlock(from) : value,
                      from);
  }
  SmallVector<BasicBlock *> again;
  for (BasicBlock *from : predecessors(header))
    if (from != &block)
      again.push_back(from);
  for (PHINode &phi : make_early_inc_range(block.phis())) {
    phi.moveBefore(header->begin());
    for (BasicBlock *from : again)
      phi.addIncoming(&phi, from);
  }
  block.replaceAllUsesWith(header);
  block.eraseFromParent();
}

/// Removes blocks that control only passes through.
static void mergeBlocks(Function &function, DeviceKind device) {
  for (BasicBlock &block : make_early_inc_range(drop_begin(function)))
    if (!MergeBlockIntoPredecessor(&block))
      if (auto *branch = dyn_cast<BranchInst>(block.getTerminator());
          branch && branch->isUnconditional() &&
          block.getFirstNonPHIOrDbg()->getIterator() == branch->getIterator())
        TryToSimplifyUncondBranchFromEmptyBlock(&block);
  // On a fabric each block costs a configuration; on a core none.
  if (device == DeviceKind::VGIW)
    for (BasicBlock &block : make_early_inc_range(drop_begin(function)))
      mergeIntoHeader(block);
}

/// A thread that yields or waits at a barrier goes on in another block.
static void splitAtStops(Function &function) {
  SmallVector<CallInst *> stops;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (Function *callee = call->getCalledFunction())
        if (callee->getName() == DeviceYield ||
            callee->getName() == DeviceBarrier)
          stops.push_back(call);
  for (CallInst *call : stops)
    if (!isa<BranchInst>(call->getNextNode()) ||
        cast<BranchInst>(call->getNextNode())->isConditional())
      call->getParent()->splitBasicBlock(std::next(call->getIterator()));
}

/// Makes instructions of constants that are not configured: what is computed
/// with addresses.  Folding would undo it.
static void expandConstants(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  SmallSetVector<Constant *, 8> found;
  do {
    found.clear();
    for (Instruction &instruction : instructions(function))
      for (Value *operand : instruction.operands())
        if (auto *expression = dyn_cast<ConstantExpr>(operand);
            expression && !symbolicAddress(*expression, layout))
          found.insert(expression);
  } while (!found.empty() &&
           convertUsersOfConstantsToInstructions(found.getArrayRef(), &function,
                                                 /*RemoveDeadConstants=*/false,
                                                 /*IncludeSelf=*/true));
}

/// An irreducible loop has several headers, at which the threads of a warp would
/// not meet; and with several ends, threads meet at none of them.
static void addPassesForWarps(FunctionPassManager &passes) {
  // Predicates tiny arms.  It makes switches, so it comes before LowerSwitch.
  passes.addPass(SimplifyCFGPass());
  passes.addPass(LowerSwitchPass());
  passes.addPass(UnifyFunctionExitNodesPass());
  passes.addPass(FixIrreduciblePass());
}

void cilk2chan::legalizeDeviceFunctions(Module &module, DeviceKind device) {
  bool isFabric = device != DeviceKind::SIMT;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  functions.registerPass([] {
    return TargetIRAnalysis([](const Function &function) {
      return TargetTransformInfo(
          std::make_unique<FabricInfo>(function.getDataLayout()));
    });
  });
  PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  FunctionPassManager passes;
  ScalarizerPassOptions scalarize;
  scalarize.ScalarizeLoadStore = true;
  passes.addPass(LowerInvokePass());
  passes.addPass(LowerConstantIntrinsicsPass());
  passes.addPass(PartiallyInlineLibCallsPass());
  passes.addPass(ScalarizerPass(scalarize));
  if (isFabric)
    passes.addPass(LowerSwitchPass());
  else
    addPassesForWarps(passes);
  FunctionPassManager clean;
  clean.addPass(EarlyCSEPass());
  clean.addPass(DCEPass());

  FunctionPassManager unroll;
  if (device == DeviceKind::VGIW) {
    unroll.addPass(UnrollLoopsPass());
    unroll.addPass(InstSimplifyPass());
    // A number of iterations that is known leaves branches on constants.
    unroll.addPass(SCCPPass());
    // Control variables that are alike become one, and what is left of one behind
    // a loop is computed there: fewer live values. Pointers that grow by a stride
    // take fewer nodes than products.
    unroll.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
    unroll.addPass(createFunctionToLoopPassAdaptor(ReduceStrengthPass()));
    unroll.addPass(EarlyCSEPass());
  }
  // As LLVM does for GPUs (NVPTXTargetMachine): addresses that differ by a
  // constant become one and offsets, those that differ by a stride a chain.
  unroll.addPass(SeparateConstOffsetFromGEPPass());
  unroll.addPass(EarlyCSEPass());
  unroll.addPass(StraightLineStrengthReducePass());
  unroll.addPass(EarlyCSEPass());
  unroll.addPass(DCEPass());

  SmallVector<Function *> kernels;
  for (Function &function : module)
    if (!function.isDeclaration() &&
        function.hasFnAttribute(DeviceKernelAttribute))
      kernels.push_back(&function);
  for (Function *kernel : kernels) {
    yieldWhileBlocked(*kernel);
    lowerDynamicObjects(*kernel);
    lowerMemoryIntrinsics(*kernel);
    passes.run(*kernel, functions);
    useSquareRootUnits(*kernel,
                       functions.getResult<TargetLibraryAnalysis>(*kernel));
    widenIntegers(*kernel);
    expandIntrinsics(*kernel);
    makeSystemCalls(*kernel);
    functions.clear();
    clean.run(*kernel, functions);
    mergeBlocks(*kernel, device);
    if (isFabric)
      formSelects(*kernel);
    functions.clear();
    unroll.run(*kernel, functions);
    widenIntegers(*kernel);
    mergeBlocks(*kernel, device);
    if (isFabric)
      formSelects(*kernel);
    splitAtStops(*kernel);
    expandConstants(*kernel);
    functions.clear();
  }
}
