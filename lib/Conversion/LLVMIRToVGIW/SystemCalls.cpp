//===- SystemCalls.cpp - What the host does for a kernel ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SystemCalls.h"
#include "Opcodes.h"

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace cilk2chan;

/// Whether a token can carry it.
static bool isWord(Type *type) {
  if (auto *integer = dyn_cast<IntegerType>(type))
    return is_contained({1u, 8u, 16u, 32u, 64u}, integer->getBitWidth());
  return type->isPointerTy() || type->isFloatTy() || type->isDoubleTy();
}

static bool isMachineCall(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee &&
         is_contained({DeviceReserve, DevicePop, DevicePush, DeviceSyscall,
                       DeviceHeapCall, DeviceYield, DeviceBarrier, LaneBallot,
                       LaneNumber, LaneRead},
                      callee->getName());
}

/// Calls of functions that only allocate memory or free it.  A program may define
/// some of them itself.
static bool isHeapCall(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() &&
         is_contained({"malloc", "calloc", "aligned_alloc", "free",
                       "chansim_arena_alloc", "chansim_arena_free"},
                      callee->getName());
}

/// Calls of what is no operation of the fabric.
static bool isHostCall(const CallBase &call) {
  if (isMachineCall(call))
    return false;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call)) {
    if (intrinsic->isAssumeLikeIntrinsic())
      return false;
    bool isAbs = intrinsic->getIntrinsicID() == Intrinsic::abs;
    return !(opcodeOf(*intrinsic) || (isAbs && isWord(call.getType())));
  }
  return true;
}

/// A compare-exchange of words, whose result is taken apart.
static bool isExchangeOfWords(const Value *value) {
  auto *exchange = dyn_cast<AtomicCmpXchgInst>(value);
  return exchange && isWord(exchange->getCompareOperand()->getType());
}

/// Instructions that compute with, load or store what no token carries.
static bool isHostOperation(const Instruction &instruction) {
  if (instruction.isTerminator() || isa<PHINode, AllocaInst>(instruction) ||
      isExchangeOfWords(&instruction))
    return false;
  if (auto *part = dyn_cast<ExtractValueInst>(&instruction))
    if (isExchangeOfWords(part->getAggregateOperand()))
      return false;
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return isHostCall(*call);
  bool words =
      instruction.getType()->isVoidTy() || isWord(instruction.getType());
  for (const Value *operand : instruction.operands())
    words &= isWord(operand->getType());
  bool known = opcodeOf(instruction) || instruction.mayReadOrWriteMemory() ||
               isa<GetElementPtrInst, FreezeInst, FenceInst, IntToPtrInst,
                   PtrToIntInst, BitCastInst>(instruction);
  return !words || !known;
}

namespace {

/// Values that are no words live in private memory, each in its own object.
class HostValues {
public:
  explicit HostValues(Function &kernel)
      : kernel(kernel), module(*kernel.getParent()),
        layout(module.getDataLayout()), builder(kernel.getContext()) {}

  void run();

private:
  AllocaInst *makeObject(Type *type, const Twine &name);
  AllocaInst *homeOf(Value *value);
  void demotePhis();
  void replace(Instruction &instruction);
  Function *makeThunk(Instruction &instruction, StructType *record,
                      ArrayRef<Value *> operands);
  FunctionCallee machineCall(StringRef name);

  Function &kernel;
  Module &module;
  const DataLayout &layout;
  IRBuilder<> builder;
  /// Where a value that is no word lies.
  MapVector<Value *, AllocaInst *> homes;
};

} // namespace

AllocaInst *HostValues::makeObject(Type *type, const Twine &name) {
  BasicBlock &entry = kernel.getEntryBlock();
  auto *object = new AllocaInst(type, 0, nullptr, layout.getPrefTypeAlign(type),
                                name, entry.begin());
  return object;
}

/// Uses may stand before what they use: blocks are in any order.
AllocaInst *HostValues::homeOf(Value *value) {
  AllocaInst *&home = homes[value];
  if (!home)
    home = makeObject(value->getType(), value->getName());
  return home;
}

FunctionCallee HostValues::machineCall(StringRef name) {
  Type *pointer = builder.getPtrTy();
  return module.getOrInsertFunction(name, builder.getVoidTy(), pointer,
                                    pointer);
}

/// The work itself, on the host: loads the operands from the record, does what
/// the instruction does, and stores the result in the record's last field.
Function *HostValues::makeThunk(Instruction &instruction, StructType *record,
                                ArrayRef<Value *> operands) {
  auto *type =
      FunctionType::get(builder.getVoidTy(), builder.getPtrTy(), false);
  unsigned number = 0;
  std::string name;
  do
    name = (DeviceThunkPrefix + kernel.getName() + "." + Twine(number++)).str();
  while (module.getFunction(name));
  Function *thunk =
      Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  thunk->setVisibility(GlobalValue::HiddenVisibility);
  // They decide how vectors are passed.
  for (StringRef name : {"target-cpu", "target-features"})
    if (Attribute attribute = kernel.getFnAttribute(name); attribute.isValid())
      thunk->addFnAttr(attribute);
  IRBuilder<> body(BasicBlock::Create(module.getContext(), "", thunk));
  Instruction *work = instruction.clone();
  work->dropUnknownNonDebugMetadata();
  work->setDebugLoc(DebugLoc());
  unsigned field = 0;
  Value *memory = thunk->getArg(0);
  DenseMap<Value *, Value *> loaded;
  for (Value *operand : operands) {
    Value *at = body.CreateStructGEP(record, memory, field++);
    // What is no word is handed over by its address.
    Value *value = isWord(operand->getType())
                       ? body.CreateLoad(operand->getType(), at)
                       : body.CreateLoad(operand->getType(),
                                         body.CreateLoad(body.getPtrTy(), at));
    loaded[operand] = value;
  }
  for (Use &use : work->operands())
    if (Value *value = loaded.lookup(use.get()))
      use.set(value);
  body.Insert(work);
  if (!instruction.getType()->isVoidTy()) {
    Value *at = body.CreateStructGEP(record, memory, field);
    if (!isWord(instruction.getType()))
      at = body.CreateLoad(body.getPtrTy(), at);
    body.CreateStore(work, at);
  }
  body.CreateRetVoid();
  return thunk;
}

void HostValues::replace(Instruction &instruction) {
  SmallVector<Value *> operands;
  for (Value *operand : instruction.operands()) {
    bool atHand =
        isa<Constant, MetadataAsValue, InlineAsm, BasicBlock>(operand);
    if (!atHand && !is_contained(operands, operand))
      operands.push_back(operand);
  }
  SmallVector<Type *> fields;
  for (Value *operand : operands)
    fields.push_back(isWord(operand->getType()) ? operand->getType()
                                                : builder.getPtrTy());
  Type *result = instruction.getType();
  if (!result->isVoidTy())
    fields.push_back(isWord(result) ? result : builder.getPtrTy());
  auto *record = StructType::get(module.getContext(), fields);
  Function *thunk = makeThunk(instruction, record, operands);

  builder.SetInsertPoint(&instruction);
  AllocaInst *memory = makeObject(record, "record");
  unsigned field = 0;
  for (Value *operand : operands) {
    Value *value = isWord(operand->getType()) ? operand : homeOf(operand);
    builder.CreateStore(value,
                        builder.CreateStructGEP(record, memory, field++));
  }
  AllocaInst *home = nullptr;
  if (!result->isVoidTy() && !isWord(result)) {
    home = homeOf(&instruction);
    builder.CreateStore(home, builder.CreateStructGEP(record, memory, field));
  }
  CallInst *call = builder.CreateCall(
      machineCall(isHeapCall(instruction) ? DeviceHeapCall : DeviceSyscall),
      {thunk, memory});
  call->setDebugLoc(instruction.getDebugLoc());
  // What does not touch the program's memory touches the record alone.
  if (!instruction.mayReadOrWriteMemory() && !home)
    call->setMemoryEffects(MemoryEffects::argMemOnly());
  if (!result->isVoidTy() && !home)
    instruction.replaceAllUsesWith(builder.CreateLoad(
        result, builder.CreateStructGEP(record, memory, field)));
}

/// A phi of what is no word becomes memory that the predecessors fill.
void HostValues::demotePhis() {
  SmallVector<PHINode *> phis;
  for (BasicBlock &block : kernel)
    for (PHINode &phi : block.phis())
      if (!isWord(phi.getType()))
        phis.push_back(&phi);
  for (PHINode *phi : phis)
    DemotePHIToStack(phi);
}

void HostValues::run() {
  demotePhis();
  SmallVector<Instruction *> work;
  for (Instruction &instruction : instructions(kernel))
    if (isHostOperation(instruction))
      work.push_back(&instruction);
  for (Instruction *instruction : work)
    replace(*instruction);
  for (Instruction *instruction : reverse(work)) {
    instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
    instruction->eraseFromParent();
  }
}

void cilk2chan::makeSystemCalls(Function &kernel) { HostValues(kernel).run(); }
