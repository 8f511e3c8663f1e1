//===- Opcodes.cpp - LLVM's instructions as operations of units -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Opcodes.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace cilk2chan;
using vgiw::AtomicKind;
using vgiw::Opcode;

static std::optional<Opcode> opcodeOf(llvm::CmpInst::Predicate predicate) {
  using llvm::CmpInst;
  switch (predicate) {
  case CmpInst::ICMP_EQ:
    return Opcode::Eq;
  case CmpInst::ICMP_NE:
    return Opcode::Ne;
  case CmpInst::ICMP_SLT:
    return Opcode::Slt;
  case CmpInst::ICMP_SLE:
    return Opcode::Sle;
  case CmpInst::ICMP_SGT:
    return Opcode::Sgt;
  case CmpInst::ICMP_SGE:
    return Opcode::Sge;
  case CmpInst::ICMP_ULT:
    return Opcode::Ult;
  case CmpInst::ICMP_ULE:
    return Opcode::Ule;
  case CmpInst::ICMP_UGT:
    return Opcode::Ugt;
  case CmpInst::ICMP_UGE:
    return Opcode::Uge;
  case CmpInst::FCMP_OEQ:
    return Opcode::Foeq;
  case CmpInst::FCMP_OGT:
    return Opcode::Fogt;
  case CmpInst::FCMP_OGE:
    return Opcode::Foge;
  case CmpInst::FCMP_OLT:
    return Opcode::Folt;
  case CmpInst::FCMP_OLE:
    return Opcode::Fole;
  case CmpInst::FCMP_ONE:
    return Opcode::Fone;
  case CmpInst::FCMP_ORD:
    return Opcode::Ford;
  case CmpInst::FCMP_UEQ:
    return Opcode::Fueq;
  case CmpInst::FCMP_UGT:
    return Opcode::Fugt;
  case CmpInst::FCMP_UGE:
    return Opcode::Fuge;
  case CmpInst::FCMP_ULT:
    return Opcode::Fult;
  case CmpInst::FCMP_ULE:
    return Opcode::Fule;
  case CmpInst::FCMP_UNE:
    return Opcode::Fune;
  case CmpInst::FCMP_UNO:
    return Opcode::Funo;
  default:
    return {}; // fcmp false and true are folded away.
  }
}

std::optional<Opcode>
cilk2chan::opcodeOf(const llvm::Instruction &instruction) {
  using llvm::Instruction;
  if (auto *comparison = llvm::dyn_cast<llvm::CmpInst>(&instruction))
    return ::opcodeOf(comparison->getPredicate());
  switch (instruction.getOpcode()) {
  case Instruction::Add:
    return Opcode::Add;
  case Instruction::Sub:
    return Opcode::Sub;
  case Instruction::Mul:
    return Opcode::Mul;
  case Instruction::UDiv:
    return Opcode::Udiv;
  case Instruction::SDiv:
    return Opcode::Sdiv;
  case Instruction::URem:
    return Opcode::Urem;
  case Instruction::SRem:
    return Opcode::Srem;
  case Instruction::And:
    return Opcode::And;
  case Instruction::Or:
    return Opcode::Or;
  case Instruction::Xor:
    return Opcode::Xor;
  case Instruction::Shl:
    return Opcode::Shl;
  case Instruction::LShr:
    return Opcode::Lshr;
  case Instruction::AShr:
    return Opcode::Ashr;
  case Instruction::FAdd:
    return Opcode::Fadd;
  case Instruction::FSub:
    return Opcode::Fsub;
  case Instruction::FMul:
    return Opcode::Fmul;
  case Instruction::FDiv:
    return Opcode::Fdiv;
  case Instruction::FNeg:
    return Opcode::Fneg;
  case Instruction::Trunc:
    return Opcode::Trunc;
  case Instruction::ZExt:
    return Opcode::Zext;
  case Instruction::SExt:
    return Opcode::Sext;
  case Instruction::FPToSI:
    return Opcode::Fptosi;
  case Instruction::FPToUI:
    return Opcode::Fptoui;
  case Instruction::SIToFP:
    return Opcode::Sitofp;
  case Instruction::UIToFP:
    return Opcode::Uitofp;
  case Instruction::FPExt:
    return Opcode::Fpext;
  case Instruction::FPTrunc:
    return Opcode::Fptrunc;
  case Instruction::Select:
    return Opcode::Select;
  default:
    return {};
  }
}

std::optional<Opcode> cilk2chan::opcodeOf(const llvm::IntrinsicInst &call) {
  using namespace llvm;
  switch (call.getIntrinsicID()) {
  case Intrinsic::ctpop:
    return Opcode::Ctpop;
  case Intrinsic::ctlz:
    return Opcode::Ctlz;
  case Intrinsic::cttz:
    return Opcode::Cttz;
  case Intrinsic::bswap:
    return Opcode::Bswap;
  case Intrinsic::bitreverse:
    return Opcode::Bitreverse;
  case Intrinsic::fshl:
    return Opcode::Fshl;
  case Intrinsic::fshr:
    return Opcode::Fshr;
  case Intrinsic::smin:
    return Opcode::Smin;
  case Intrinsic::smax:
    return Opcode::Smax;
  case Intrinsic::umin:
    return Opcode::Umin;
  case Intrinsic::umax:
    return Opcode::Umax;
  case Intrinsic::fma:
    return Opcode::Fma;
  case Intrinsic::fabs:
    return Opcode::Fabs;
  case Intrinsic::copysign:
    return Opcode::Fcopysign;
  case Intrinsic::minnum:
    return Opcode::Fminnum;
  case Intrinsic::maxnum:
    return Opcode::Fmaxnum;
  case Intrinsic::floor:
    return Opcode::Ffloor;
  case Intrinsic::ceil:
    return Opcode::Fceil;
  case Intrinsic::trunc:
    return Opcode::Ftrunc;
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    return Opcode::Frint;
  case Intrinsic::round:
    return Opcode::Fround;
  case Intrinsic::sqrt:
    return Opcode::Fsqrt;
  default:
    return {};
  }
}

std::optional<AtomicKind>
cilk2chan::atomicKindOf(const llvm::AtomicRMWInst &instruction) {
  using llvm::AtomicRMWInst;
  switch (instruction.getOperation()) {
  case AtomicRMWInst::Xchg:
    return AtomicKind::Xchg;
  case AtomicRMWInst::Add:
    return AtomicKind::Add;
  case AtomicRMWInst::Sub:
    return AtomicKind::Sub;
  case AtomicRMWInst::And:
    return AtomicKind::And;
  case AtomicRMWInst::Or:
    return AtomicKind::Or;
  case AtomicRMWInst::Xor:
    return AtomicKind::Xor;
  case AtomicRMWInst::Min:
    return AtomicKind::Smin;
  case AtomicRMWInst::Max:
    return AtomicKind::Smax;
  case AtomicRMWInst::UMin:
    return AtomicKind::Umin;
  case AtomicRMWInst::UMax:
    return AtomicKind::Umax;
  case AtomicRMWInst::FAdd:
    return AtomicKind::Fadd;
  default:
    return {};
  }
}

std::optional<SymbolicAddress>
cilk2chan::symbolicAddress(llvm::Constant &constant,
                           const llvm::DataLayout &layout) {
  llvm::Constant *pointer = &constant;
  if (auto *number = llvm::dyn_cast<llvm::ConstantExpr>(pointer))
    if (number->getOpcode() == llvm::Instruction::PtrToInt &&
        number->getType()->isIntegerTy(64))
      pointer = number->getOperand(0);
  if (!pointer->getType()->isPointerTy())
    return {};
  llvm::APInt offset(64, 0);
  auto *symbol = llvm::dyn_cast<llvm::GlobalValue>(
      pointer->stripAndAccumulateConstantOffsets(layout, offset,
                                                 /*AllowNonInbounds=*/true));
  if (!symbol || symbol->isThreadLocal())
    return {};
  return SymbolicAddress{symbol, offset.getSExtValue()};
}

unsigned cilk2chan::countNodes(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::PHINode, llvm::FreezeInst, llvm::IntToPtrInst,
                llvm::PtrToIntInst, llvm::FenceInst>(instruction) ||
      instruction.isTerminator())
    return 0;
  // A configured address, or one to which a load/store unit adds a constant.
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return !address->hasAllConstantIndices() ||
           (llvm::isa<llvm::Instruction>(address->getPointerOperand()) &&
            !llvm::all_of(address->users(), [&](const llvm::User *user) {
              return llvm::getLoadStorePointerOperand(user) == address;
            }));
  if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    if (call->isAssumeLikeIntrinsic())
      return 0;
    return call->getIntrinsicID() == llvm::Intrinsic::abs ? 2 : 1;
  }
  return 1;
}
