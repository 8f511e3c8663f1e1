//===- TranslateInstructions.cpp - Instructions become nodes --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTranslation.h"
#include "Opcodes.h"

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace cilk2chan;
using vgiw::Opcode;

llvm::SmallVector<mlir::Value>
KernelTranslation::after(llvm::Instruction &instruction) {
  llvm::SmallVector<mlir::Value> tokens;
  for (const llvm::Instruction *earlier : order.lookup(&instruction))
    llvm::append_range(tokens, done[earlier]);
  return tokens;
}

/// base + sum of index * size + constant
mlir::Value KernelTranslation::translateAddress(llvm::GEPOperator &address) {
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> terms;
  llvm::APInt offset(64, 0);
  if (!address.collectOffset(layout, 64, terms, offset)) {
    fail("the address of an element of scalable size");
    return constant(0);
  }
  mlir::Value sum = use(address.getPointerOperand());
  for (auto &[index, size] : terms) {
    mlir::Value number = use(index);
    if (number.getType() != i64)
      number = compute(Opcode::Sext, i64, number);
    sum = size.isOne() ? compute(Opcode::Add, i64, {sum, number})
                       : compute(Opcode::Mad, i64,
                                 {number, constant(size.getZExtValue()), sum});
  }
  return add(sum, offset.getSExtValue());
}

void KernelTranslation::translateIntrinsic(llvm::IntrinsicInst &call) {
  if (call.isAssumeLikeIntrinsic())
    return;
  auto operand = [&](unsigned index) { return use(call.getArgOperand(index)); };
  mlir::Type type = convert(call.getType());
  if (type && call.getIntrinsicID() == llvm::Intrinsic::abs) {
    mlir::Value zero =
        constant(type, llvm::APInt(type.getIntOrFloatBitWidth(), 0));
    mlir::Value negated = compute(Opcode::Sub, type, {zero, operand(0)});
    values[&call] = compute(Opcode::Smax, type, {operand(0), negated});
    return;
  }
  std::optional<Opcode> opcode = opcodeOf(call);
  if (!type || !opcode) {
    fail("no unit does '" + call.getCalledFunction()->getName() + "'");
    return;
  }
  llvm::SmallVector<mlir::Value> operands;
  for (unsigned i = 0; i < vgiw::operandCount(*opcode); ++i)
    operands.push_back(operand(i));
  values[&call] = compute(*opcode, type, operands);
}

void KernelTranslation::translateCall(llvm::CallInst &call) {
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return translateIntrinsic(*intrinsic);
  llvm::Function *callee = call.getCalledFunction();
  llvm::StringRef name = callee ? callee->getName() : "a function pointer";
  auto operand = [&](unsigned index) { return use(call.getArgOperand(index)); };
  llvm::SmallVector<mlir::Value> tokens = after(call);
  mlir::Value result;
  if (name == DeviceReserve)
    result =
        vgiw::ReserveOp::create(builder, location, i64, operand(0), tokens);
  else if (name == DevicePop)
    result = vgiw::PopOp::create(builder, location, i64, operand(0), tokens);
  else if (name == DevicePush)
    result =
        vgiw::PushOp::create(builder, location, operand(0), operand(1), tokens);
  else if (name == DeviceHeapCall)
    result = vgiw::HeapCallOp::create(builder, location,
                                      call.getArgOperand(0)->getName(),
                                      operand(1), tokens);
  else if (name == DeviceSyscall)
    result = vgiw::SyscallOp::create(builder, location,
                                     call.getArgOperand(0)->getName(),
                                     operand(1), tokens);
  else if (name == LaneBallot)
    result = compute(Opcode::Ballot, i64, operand(0));
  else if (name == LaneNumber)
    result = compute(Opcode::Lane, i64, {});
  else if (name == LaneRead)
    result = compute(Opcode::Read_lane, i64, {operand(0), operand(1)});
  else if (name == DeviceYield || name == DeviceBarrier)
    return; // The terminator behind it.
  else {
    fail("it calls '" + name + "'");
    return;
  }
  done[&call] = {result};
  if (!call.getType()->isVoidTy())
    values[&call] = result;
}

void KernelTranslation::translateObject(llvm::AllocaInst &object) {
  auto offset = privateOffsets.find(&object);
  if (offset == privateOffsets.end()) {
    fail("it has an object of variable size, or one outside its first "
         "block; allocate that by malloc");
    return;
  }
  mlir::Value thread = values[function.getArg(0)];
  // The number of the range is in the upper half. The number of a range's
  // iteration is no thread's ID either: the machine binds the parameter so that
  // it does for iterations.
  if (kernel.getLaunch() == vgiw::Launch::Ranges)
    thread = compute(Opcode::And, i64, {thread, constant(0xffffffff)});
  mlir::Value address =
      compute(Opcode::Mad, i64,
              {thread, constant(kernel.getPrivateBytes()),
               parameter(kernel.getParameters().size() - 1, offset->second)});
  uint64_t alignment = object.getAlign().value();
  if (alignment > privateAlignment)
    address = compute(
        Opcode::And, i64,
        {add(address, alignment - privateAlignment), constant(-alignment)});
  values[&object] = address;
}

/// How others see the access, as the assembly of SIMT cores says it; empty if in any
/// order, or if it is atomic and that which is said of none.
static llvm::StringRef orderOf(const llvm::Instruction &instruction) {
  using llvm::AtomicOrdering;
  AtomicOrdering order = AtomicOrdering::NotAtomic;
  bool isLoad = false, isStore = false;
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    order = load->getOrdering();
    isLoad = true;
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    order = store->getOrdering();
    isStore = true;
  } else if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    order = update->getOrdering();
  } else if (auto *exchange =
                 llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    order = exchange->getMergedOrdering();
  }
  if (instruction.isVolatile() && order == AtomicOrdering::NotAtomic)
    order = AtomicOrdering::Monotonic;
  if (order == AtomicOrdering::NotAtomic)
    return "";
  // No instruction is a fence, so each access does what the fence would do for it.
  bool hasFence =
      llvm::any_of(llvm::instructions(instruction.getFunction()),
                   [](const llvm::Instruction &one) {
                     auto *fence = llvm::dyn_cast<llvm::FenceInst>(&one);
                     return fence && fence->getSyncScopeID() !=
                                         llvm::SyncScope::SingleThread;
                   });
  if (hasFence || order == AtomicOrdering::SequentiallyConsistent)
    return isStore ? "release" : isLoad ? "acquire_release" : "";
  switch (order) {
  case AtomicOrdering::Acquire:
    return "acquire";
  case AtomicOrdering::Release:
    return "release";
  case AtomicOrdering::AcquireRelease:
    return "";
  default:
    return "relaxed";
  }
}

void KernelTranslation::setOrder(mlir::Value access,
                                 const llvm::Instruction &instruction) {
  if (!function.hasFnAttribute(DeviceOrderAttribute))
    return;
  if (llvm::StringRef order = orderOf(instruction); !order.empty())
    access.getDefiningOp()->setAttr(DeviceOrderAttribute,
                                    builder.getStringAttr(order));
}

void KernelTranslation::translateExchange(llvm::AtomicCmpXchgInst &exchange) {
  mlir::Value expected = use(exchange.getCompareOperand());
  mlir::Value old = vgiw::CasOp::create(
      builder, location, use(exchange.getPointerOperand()), expected,
      use(exchange.getNewValOperand()), after(exchange));
  setOrder(old, exchange);
  done[&exchange] = {old};
  for (llvm::User *user : exchange.users()) {
    auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
    if (!part) {
      fail("a compare-exchange whose result is used as a whole");
      return;
    }
    values[part] = part->getIndices()[0] == 0
                       ? old
                       : compute(Opcode::Eq, i1, {old, expected});
  }
}

void KernelTranslation::translate(llvm::Instruction &instruction) {
  location = locate(&instruction);
  auto operand = [&](unsigned index) {
    return use(instruction.getOperand(index));
  };
  if (llvm::isa<llvm::PHINode>(instruction))
    return; // A block argument.
  if (instruction.isTerminator())
    return translateTerminator(instruction);
  if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return translateCall(*call);
  if (llvm::isa<llvm::FenceInst>(instruction)) {
    // No node: what comes after waits for what came before.
    llvm::append_range(done[&instruction], after(instruction));
    return;
  }
  if (auto *object = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return translateObject(*object);
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    values[address] = translateAddress(llvm::cast<llvm::GEPOperator>(*address));
    return;
  }
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    mlir::Type type = convert(load->getType());
    if (!type) {
      use(load); // Fails with the type.
      return;
    }
    mlir::Value value = vgiw::LoadOp::create(builder, location, type,
                                             operand(0), after(instruction));
    setOrder(value, *load);
    values[load] = value;
    done[load] = {value};
    return;
  }
  if (llvm::isa<llvm::StoreInst>(instruction)) {
    mlir::Value stored = vgiw::StoreOp::create(builder, location, operand(1),
                                               operand(0), after(instruction));
    setOrder(stored, instruction);
    done[&instruction] = {stored};
    return;
  }
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    std::optional<vgiw::AtomicKind> kind = atomicKindOf(*update);
    if (!kind) {
      fail("no unit does 'atomicrmw " +
           llvm::AtomicRMWInst::getOperationName(update->getOperation()) + "'");
      return;
    }
    mlir::Value value = operand(1);
    mlir::Value old = vgiw::AtomicOp::create(
        builder, location, *kind, operand(0), value, after(instruction));
    setOrder(old, *update);
    values[update] = old;
    done[update] = {old};
    return;
  }
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return translateExchange(*exchange);
  if (values.count(&instruction))
    return; // A part of a compare-exchange's result.

  mlir::Type type = convert(instruction.getType());
  switch (instruction.getOpcode()) {
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::BitCast:
  case llvm::Instruction::Freeze: {
    mlir::Value value = operand(0);
    if (!type) {
      use(&instruction);
      return;
    }
    unsigned from = value.getType().getIntOrFloatBitWidth();
    unsigned to = type.getIntOrFloatBitWidth();
    if (value.getType() != type)
      value = compute(from == to  ? Opcode::Mov
                      : from < to ? Opcode::Zext
                                  : Opcode::Trunc,
                      type, value);
    values[&instruction] = value;
    return;
  }
  default:
    break;
  }
  std::optional<Opcode> opcode = opcodeOf(instruction);
  if (!opcode || !type) {
    std::string text;
    llvm::raw_string_ostream(text) << instruction;
    fail("no unit does '" + llvm::StringRef(text).trim() + "'");
    return;
  }
  llvm::SmallVector<mlir::Value> operands;
  for (unsigned i = 0; i < vgiw::operandCount(*opcode); ++i)
    operands.push_back(operand(i));
  values[&instruction] = compute(*opcode, type, operands);
}
