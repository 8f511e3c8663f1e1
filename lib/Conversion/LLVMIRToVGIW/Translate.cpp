//===- Translate.cpp - Device functions become dataflow graphs ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryOrder.h"
#include "Opcodes.h"
#include "RegisterAccesses.h"

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"
#include "cilk2chan/Dialect/VGIW/VGIW.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Path.h"

using namespace cilk2chan;
using vgiw::Opcode;

namespace {

class KernelTranslation {
public:
  KernelTranslation(llvm::Function &function, mlir::OpBuilder &builder,
                    llvm::AAResults &aliases)
      : function(function), layout(function.getDataLayout()), builder(builder),
        aliases(aliases), i1(builder.getI1Type()), i64(builder.getI64Type()) {}

  /// False after an error.
  bool run();

private:
  bool fail(const llvm::Twine &message);
  mlir::Location locate(const llvm::Instruction *instruction);
  mlir::Type convert(llvm::Type *type);
  vgiw::BindingAttr bind(llvm::StringRef text);
  void assignPrivateMemory();
  void declareBlocks();

  void translate(llvm::Instruction &instruction);
  void translateCall(llvm::CallInst &call);
  void translateIntrinsic(llvm::IntrinsicInst &call);
  void translateTerminator(llvm::Instruction &instruction);
  mlir::Value translateAddress(llvm::GEPOperator &address);

  mlir::Value use(llvm::Value *value);
  mlir::Value constant(mlir::Type type, const llvm::APInt &bits);
  mlir::Value constant(uint64_t number) {
    return constant(i64, llvm::APInt(64, number));
  }
  mlir::Value symbol(llvm::StringRef name, int64_t offset);
  mlir::Value parameter(unsigned index, int64_t offset = 0);
  mlir::Value compute(Opcode opcode, mlir::Type result,
                      mlir::ValueRange operands) {
    return vgiw::ComputeOp::create(builder, location, result, opcode, operands);
  }
  mlir::Value add(mlir::Value value, int64_t offset);
  /// The values that the instruction has to wait for.
  llvm::SmallVector<mlir::Value> after(llvm::Instruction &instruction);
  llvm::SmallVector<mlir::Value> phiOperands(llvm::BasicBlock *from,
                                             llvm::BasicBlock *to);

  template <typename Make> mlir::Value once(mlir::Value &slot, Make make) {
    if (!slot) {
      mlir::OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(entry);
      slot = make();
    }
    return slot;
  }

  llvm::Function &function;
  const llvm::DataLayout &layout;
  mlir::OpBuilder &builder;
  llvm::AAResults &aliases;
  mlir::Type i1, i64;

  vgiw::KernelOp kernel;
  mlir::Block *entry = nullptr;
  /// Of the instruction being translated, and of the function.
  mlir::Location location = mlir::UnknownLoc::get(builder.getContext());
  mlir::Location whole = location;
  /// Of what has no debug information: names the C function, if any.
  mlir::Location unknown = location;
  bool failed = false;

  llvm::DenseMap<llvm::Value *, mlir::Value> values;
  llvm::MapVector<llvm::BasicBlock *, mlir::Block *> blocks;
  /// What is at hand in the whole kernel, at the start of its entry.
  llvm::MapVector<std::pair<mlir::Type, uint64_t>, mlir::Value> constants;
  llvm::DenseMap<std::pair<llvm::StringRef, int64_t>, mlir::Value> symbols;
  llvm::DenseMap<std::pair<unsigned, int64_t>, mlir::Value> parameters;
  llvm::DenseMap<llvm::AllocaInst *, uint64_t> privateOffsets;

  MemoryOrder order;
  /// The token or value that says a memory operation is done.
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<mlir::Value, 2>>
      done;
};

} // namespace

bool KernelTranslation::fail(const llvm::Twine &message) {
  if (!failed)
    mlir::emitError(location) << "kernel '" << function.getName()
                              << "' cannot be mapped: " << message.str();
  failed = true;
  return false;
}

/// Names in debug information may be relative to a folder of their own.
static std::string pathOf(const llvm::DIScope &scope) {
  llvm::SmallString<128> path(scope.getFilename());
  if (llvm::sys::path::is_relative(path)) {
    path = scope.getDirectory();
    llvm::sys::path::append(path, scope.getFilename());
  }
  return path.str().str();
}

mlir::Location KernelTranslation::locate(const llvm::Instruction *instruction) {
  const llvm::DebugLoc &place = instruction->getDebugLoc();
  if (!place)
    return unknown;
  return mlir::FileLineColLoc::get(builder.getContext(),
                                   pathOf(*place->getScope()), place.getLine(),
                                   place.getCol());
}

/// Null for what is no word.
mlir::Type KernelTranslation::convert(llvm::Type *type) {
  if (type->isPointerTy())
    return i64;
  if (type->isFloatTy())
    return builder.getF32Type();
  if (type->isDoubleTy())
    return builder.getF64Type();
  for (unsigned width : {1, 8, 16, 32, 64})
    if (type->isIntegerTy(width))
      return builder.getIntegerType(width);
  return {};
}

//===----------------------------------------------------------------------===//
// What is the same for all threads
//===----------------------------------------------------------------------===//

/// "column 2 fib.0 1"
vgiw::BindingAttr KernelTranslation::bind(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ');
  std::optional<vgiw::BindingKind> kind = vgiw::symbolizeBindingKind(words[0]);
  words.erase(words.begin());
  uint64_t number = 0, level = 0;
  mlir::StringAttr stack;
  bool right = kind.has_value();
  bool hasNumber = right && *kind != vgiw::BindingKind::Control &&
                   *kind != vgiw::BindingKind::Level &&
                   *kind != vgiw::BindingKind::Private;
  bool hasStack = right && (*kind == vgiw::BindingKind::Control ||
                            *kind == vgiw::BindingKind::Column);
  right &= words.size() == unsigned(hasNumber) + 2 * unsigned(hasStack);
  if (right && hasNumber) {
    right = !words[0].getAsInteger(10, number);
    words.erase(words.begin());
  }
  if (right && hasStack) {
    stack = builder.getStringAttr(words[0]);
    right = !words[1].getAsInteger(10, level);
  }
  if (!right) {
    fail("a parameter is bound to \"" + text + "\"");
    return {};
  }
  return vgiw::BindingAttr::get(builder.getContext(), *kind, number, stack,
                                level);
}

/// Gives each object on the stack its place in a thread's private memory.
void KernelTranslation::assignPrivateMemory() {
  uint64_t size = 0;
  for (llvm::Instruction &instruction : function.getEntryBlock()) {
    auto *object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!object)
      continue;
    std::optional<llvm::TypeSize> bytes = object->getAllocationSize(layout);
    if (!bytes)
      continue; // Said where it is translated.
    size = llvm::alignTo(size, object->getAlign());
    privateOffsets[object] = size;
    size += *bytes;
  }
  kernel.setPrivateBytes(llvm::alignTo(size, 16));
}

mlir::Value KernelTranslation::constant(mlir::Type type,
                                        const llvm::APInt &bits) {
  return once(constants[{type, bits.getZExtValue()}], [&] {
    mlir::TypedAttr value;
    if (auto floating = llvm::dyn_cast<mlir::FloatType>(type))
      value = builder.getFloatAttr(
          floating, llvm::APFloat(floating.getFloatSemantics(), bits));
    else
      value = builder.getIntegerAttr(type, bits);
    return vgiw::ConstantOp::create(builder, whole, value);
  });
}

mlir::Value KernelTranslation::symbol(llvm::StringRef name, int64_t offset) {
  return once(symbols[{name, offset}], [&] {
    return vgiw::SymbolOp::create(builder, whole, i64, name, offset);
  });
}

mlir::Value KernelTranslation::parameter(unsigned index, int64_t offset) {
  return once(parameters[{index, offset}], [&] {
    return vgiw::ParameterOp::create(builder, whole, i64, index, offset);
  });
}

/// Adds to what is configured without a node of its own.
mlir::Value KernelTranslation::add(mlir::Value value, int64_t offset) {
  if (offset == 0)
    return value;
  if (auto name = value.getDefiningOp<vgiw::SymbolOp>())
    return symbol(name.getName(), name.getOffset() + offset);
  if (auto word = value.getDefiningOp<vgiw::ParameterOp>())
    return parameter(word.getIndex(), word.getOffset() + offset);
  auto sum = value.getDefiningOp<vgiw::ComputeOp>();
  if (sum && sum.getOpcode() == Opcode::Mad &&
      vgiw::isConfigured(sum.getOperands()[2])) {
    mlir::Value base = add(sum.getOperands()[2], offset);
    return compute(Opcode::Mad, i64,
                   {sum.getOperands()[0], sum.getOperands()[1], base});
  }
  return compute(Opcode::Add, i64, {value, constant(offset)});
}

mlir::Value KernelTranslation::use(llvm::Value *value) {
  if (mlir::Value known = values.lookup(value))
    return known;
  mlir::Type type = convert(value->getType());
  if (!type) {
    std::string text;
    llvm::raw_string_ostream(text) << *value->getType();
    fail("no unit holds a value of type '" + text + "'");
    return constant(0);
  }
  if (auto *integer = llvm::dyn_cast<llvm::ConstantInt>(value))
    return constant(type, integer->getValue());
  if (auto *floating = llvm::dyn_cast<llvm::ConstantFP>(value))
    return constant(type, floating->getValueAPF().bitcastToAPInt());
  if (llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(value))
    return constant(type, llvm::APInt(type.getIntOrFloatBitWidth(), 0));
  if (auto *expression = llvm::dyn_cast<llvm::Constant>(value)) {
    llvm::Constant *pointer = expression;
    if (auto *number = llvm::dyn_cast<llvm::ConstantExpr>(expression))
      if (number->getOpcode() == llvm::Instruction::PtrToInt)
        pointer = number->getOperand(0);
    llvm::APInt offset(64, 0);
    llvm::Value *base = pointer->getType()->isPointerTy()
                            ? pointer->stripAndAccumulateConstantOffsets(
                                  layout, offset, /*AllowNonInbounds=*/true)
                            : pointer;
    auto *global = llvm::dyn_cast<llvm::GlobalValue>(base);
    if (global && !global->isThreadLocal() && type == i64)
      return symbol(global->getName(), offset.getSExtValue());
  }
  std::string text;
  llvm::raw_string_ostream(text) << *value;
  fail("no unit gives the value '" + text + "'");
  return constant(type, llvm::APInt(type.getIntOrFloatBitWidth(), 0));
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

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
  if (type && call.getIntrinsicID() == llvm::Intrinsic::fmuladd) {
    // Whether to fuse is decided in the front end; here both are right, and the
    // host's answer is the one without.
    mlir::Value product = compute(Opcode::Fmul, type, {operand(0), operand(1)});
    values[&call] = compute(Opcode::Fadd, type, {product, operand(2)});
    return;
  }
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
  else if (name == DeviceSyscall)
    result = vgiw::SyscallOp::create(builder, location,
                                     call.getArgOperand(0)->getName(),
                                     operand(1), tokens);
  else if (name == DeviceYield)
    return; // The terminator behind it.
  else {
    fail("it calls '" + name + "'");
    return;
  }
  done[&call] = {result};
  if (!call.getType()->isVoidTy())
    values[&call] = result;
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
  if (auto *object = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    auto offset = privateOffsets.find(object);
    if (offset == privateOffsets.end()) {
      fail("it has an object of variable size, or one outside its first "
           "block; allocate that by malloc");
      return;
    }
    values[object] =
        compute(Opcode::Mad, i64,
                {values[function.getArg(0)], constant(kernel.getPrivateBytes()),
                 parameter(kernel.getParameters().size() - 1, offset->second)});
    return;
  }
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
    values[load] = value;
    done[load] = {value};
    return;
  }
  if (llvm::isa<llvm::StoreInst>(instruction)) {
    done[&instruction] = {vgiw::StoreOp::create(
        builder, location, operand(1), operand(0), after(instruction))};
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
    values[update] = old;
    done[update] = {old};
    return;
  }
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    mlir::Value old =
        vgiw::CasOp::create(builder, location, operand(0), operand(1),
                            operand(2), after(instruction));
    done[exchange] = {old};
    for (llvm::User *user : exchange->users()) {
      auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
      if (!part) {
        fail("a compare-exchange whose result is used as a whole");
        return;
      }
      values[part] = part->getIndices()[0] == 0
                         ? old
                         : compute(Opcode::Eq, i1, {old, operand(1)});
    }
    return;
  }
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

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

llvm::SmallVector<mlir::Value>
KernelTranslation::phiOperands(llvm::BasicBlock *from, llvm::BasicBlock *to) {
  llvm::SmallVector<mlir::Value> operands;
  for (llvm::PHINode &phi : to->phis())
    operands.push_back(use(phi.getIncomingValueForBlock(from)));
  return operands;
}

void KernelTranslation::translateTerminator(llvm::Instruction &instruction) {
  llvm::BasicBlock *block = instruction.getParent();
  if (llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(instruction)) {
    vgiw::ExitOp::create(builder, location, mlir::ValueRange());
    return;
  }
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
  if (!branch) {
    fail("it branches by '" + llvm::Twine(instruction.getOpcodeName()) + "'");
    return;
  }
  llvm::BasicBlock *first = branch->getSuccessor(0);
  llvm::SmallVector<mlir::Value> operands = phiOperands(block, first);
  if (branch->isConditional()) {
    llvm::BasicBlock *second = branch->getSuccessor(1);
    vgiw::CondBranchOp::create(builder, location, use(branch->getCondition()),
                               operands, phiOperands(block, second),
                               mlir::ValueRange(), blocks[first],
                               blocks[second]);
    return;
  }
  auto *call =
      llvm::dyn_cast_or_null<llvm::CallInst>(instruction.getPrevNode());
  bool yields = call && call->getCalledFunction() &&
                call->getCalledFunction()->getName() == DeviceYield;
  if (yields)
    vgiw::YieldOp::create(builder, location, operands, mlir::ValueRange(),
                          blocks[first]);
  else
    vgiw::BranchOp::create(builder, location, operands, mlir::ValueRange(),
                           blocks[first]);
}

void KernelTranslation::declareBlocks() {
  mlir::Region &body = kernel.getBody();
  for (llvm::BasicBlock *block :
       llvm::ReversePostOrderTraversal<llvm::Function *>(&function)) {
    mlir::Block *made = builder.createBlock(&body, body.end());
    blocks[block] = made;
    for (llvm::PHINode &phi : block->phis()) {
      mlir::Type type = convert(phi.getType());
      if (!type) {
        use(&phi);
        return;
      }
      values[&phi] = made->addArgument(type, locate(&phi));
    }
  }
  entry = &body.front();
}

bool KernelTranslation::run() {
  llvm::StringRef source =
      function.getFnAttribute(DeviceSourceAttribute).getValueAsString();
  if (!source.empty() && !function.getSubprogram())
    location = unknown = mlir::NameLoc::get(builder.getStringAttr(source));
  if (llvm::DISubprogram *subprogram = function.getSubprogram())
    location = mlir::FileLineColLoc::get(
        builder.getContext(), pathOf(*subprogram), subprogram->getLine(), 1);
  whole = location;
  llvm::SmallVector<mlir::Attribute> bindings;
  llvm::SmallVector<llvm::StringRef> texts;
  function.getFnAttribute(DeviceBindingsAttribute)
      .getValueAsString()
      .split(texts, ';', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef binding : texts)
    bindings.push_back(bind(binding));
  if (failed)
    return false;
  if (function.arg_size() != bindings.size() + 1)
    return fail("it has " + llvm::Twine(function.arg_size()) +
                " parameters, and " + llvm::Twine(bindings.size()) +
                " are bound");
  bool hasObjects = llvm::any_of(function.getEntryBlock(), [](auto &i) {
    return llvm::isa<llvm::AllocaInst>(i);
  });
  if (hasObjects)
    bindings.push_back(vgiw::BindingAttr::get(
        builder.getContext(), vgiw::BindingKind::Private, 0, {}, 0));
  auto text = [&](llvm::StringRef attribute) -> mlir::StringAttr {
    llvm::StringRef value =
        function.getFnAttribute(attribute).getValueAsString();
    return value.empty() ? nullptr : builder.getStringAttr(value);
  };
  kernel = vgiw::KernelOp::create(
      builder, location, function.getName(), vgiw::Stage::Graph,
      builder.getArrayAttr(bindings), 0, 0, text(DeviceKernelAttribute),
      text(DeviceSourceAttribute));
  mlir::OpBuilder::InsertionGuard guard(builder);
  assignPrivateMemory();
  declareBlocks();
  if (failed)
    return false;
  builder.setInsertionPointToStart(entry);
  values[function.getArg(0)] = vgiw::InitiateOp::create(builder, whole);
  for (llvm::Argument &argument : llvm::drop_begin(function.args())) {
    mlir::Value word = parameter(argument.getArgNo() - 1);
    if (convert(argument.getType()) != i64)
      return fail("its parameter " + llvm::Twine(argument.getArgNo()) +
                  " is no 64-bit word");
    values[&argument] = word;
  }
  llvm::BatchAAResults batch(aliases);
  for (auto [block, made] : blocks) {
    order = findMemoryOrder(*block, batch);
    builder.setInsertionPointToEnd(made);
    for (llvm::Instruction &instruction : *block) {
      translate(instruction);
      if (failed)
        return false;
    }
    made->getTerminator()->setAttr(
        vgiw::VGIWDialect::RegistersAttribute,
        builder.getI64IntegerAttr(countRegisterAccesses(*block)));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

mlir::OwningOpRef<mlir::ModuleOp>
cilk2chan::translateDeviceFunctions(llvm::Module &module,
                                    mlir::MLIRContext &context) {
  context.loadDialect<vgiw::VGIWDialect>();
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder passes;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);

  mlir::OpBuilder builder(&context);
  mlir::OwningOpRef<mlir::ModuleOp> result =
      mlir::ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(result->getBody());
  bool right = true;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() &&
        function.hasFnAttribute(DeviceKernelAttribute))
      right &= KernelTranslation(function, builder,
                                 functions.getResult<llvm::AAManager>(function))
                   .run();
  if (!right)
    return {};
  return result;
}
