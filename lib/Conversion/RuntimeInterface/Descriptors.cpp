//===- Descriptors.cpp - Channel stacks as data ---------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/RuntimeInterface/Descriptors.h"

#include "cilk2chan/Conversion/RuntimeInterface/CloneSymbols.h"
#include "cilk2chan/Conversion/RuntimeInterface/ElementLayout.h"
#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Support/Markers.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cilk2chan;

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

namespace {

/// Builds constant structs of the runtime's.
class DescriptorBuilder {
public:
  DescriptorBuilder(ModuleOp module, const TypeLayout &layout)
      : module(module), layout(layout),
        builder(OpBuilder::atBlockEnd(module.getBody())), loc(module.getLoc()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())),
        i32(builder.getI32Type()), i64(builder.getI64Type()),
        sites(countSites(module)) {}

  void emitChannel(chan::StackOp stack, chan::KernelOp kernel, bool onHost);
  void emitModule(ArrayRef<chan::StackOp> exports,
                  const HostRequirement &requirement);

private:
  void emitBatchForm(chan::StackOp stack, const ElementLayout &element);
  LLVM::GlobalOp create(const Twine &name, Type type, bool constant,
                        Attribute value = {}, uint64_t alignment = 8) {
    return LLVM::GlobalOp::create(builder, loc, type, constant,
                                  LLVM::Linkage::Internal, name.str(), value,
                                  alignment);
  }
  /// A struct or array whose members `members` computes in the initializer.
  LLVM::GlobalOp createAggregate(const Twine &name, Type type, bool constant,
                                 function_ref<SmallVector<Value>()> members) {
    LLVM::GlobalOp global = create(name, type, constant);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&global.getInitializerRegion());
    LLVM::ReturnOp::create(builder, loc, aggregate(type, members()));
    return global;
  }
  void createString(const Twine &name, StringRef value) {
    std::string text = (value + Twine('\0')).str();
    create(name, LLVM::LLVMArrayType::get(builder.getI8Type(), text.size()),
           true, builder.getStringAttr(text), 1);
  }
  Value aggregate(Type type, ArrayRef<Value> members) {
    Value value = LLVM::ZeroOp::create(builder, loc, type);
    for (auto [index, member] : llvm::enumerate(members))
      value = LLVM::InsertValueOp::create(builder, loc, value, member,
                                          ArrayRef<int64_t>{int64_t(index)});
    return value;
  }
  Value address(StringRef symbol) {
    return LLVM::AddressOfOp::create(builder, loc, pointer, symbol);
  }
  Value integer(Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  }
  Value null() { return LLVM::ZeroOp::create(builder, loc, pointer); }
  LLVM::LLVMFuncOp createRegistration(StringRef name, StringRef runtimeFunction,
                                      StringRef moduleName);

  ModuleOp module;
  const TypeLayout &layout;
  OpBuilder builder;
  Location loc;
  LLVM::LLVMPointerType pointer;
  Type i32, i64;
  const llvm::StringMap<unsigned> sites;
};

} // namespace

void DescriptorBuilder::emitBatchForm(chan::StackOp stack,
                                      const ElementLayout &element) {
  auto kernels = stack.getBatch()->getAsRange<FlatSymbolRefAttr>();
  auto first =
      module.lookupSymbol<chan::KernelOp>((*kernels.begin()).getAttr());
  auto last = module.lookupSymbol<chan::KernelOp>(
      cast<FlatSymbolRefAttr>(stack.getBatch()->getValue().back()).getAttr());
  FlatSymbolRefAttr callee;
  for (FlatSymbolRefAttr symbol : kernels)
    for (auto produced : module.lookupSymbol<chan::KernelOp>(symbol.getAttr())
                             .getProduces()
                             .getAsRange<FlatSymbolRefAttr>())
      callee = produced;
  auto table = LLVM::LLVMArrayType::get(pointer, stack.getBatch()->size());
  createAggregate(stack.getSymName() + ".phases", table, true, [&] {
    SmallVector<Value> phases;
    for (FlatSymbolRefAttr kernel : kernels)
      phases.push_back(address(kernel.getValue()));
    return phases;
  });
  Type result = stack.getSignature()->getReturnType();
  uint64_t resultSize = 0;
  int64_t resultField = -1;
  if (stack.getFieldType(chan::ResultField)) {
    resultSize = layout.storeSize(inMemory(result));
    resultField = element.index(element.field(chan::ResultField));
  }
  auto type = LLVM::LLVMStructType::getLiteral(
      module.getContext(), {pointer, pointer, i32, i32, i32, i32, i32, i32, i32,
                            i32, pointer, i64, i32, i32, pointer});
  uint64_t uniform = 0;
  for (auto [number, field] : llvm::enumerate(element.getFields()))
    uniform |= uint64_t(stack.isUniform(field.name)) << number;
  std::optional<uint32_t> handlers = stack.getResultHandlers();
  std::optional<chan::Combination> joinFree = stack.getJoinFree();
  createAggregate(stack.getSymName() + ".batch", type, true, [&] {
    return SmallVector<Value>{
        address(callee.getValue()),
        address((stack.getSymName() + ".phases").str()),
        integer(i32, stack.getPhaseCount()),
        integer(i32, *first.getLanes()),
        integer(i32, sites.lookup(stack.getSymName())),
        integer(i32, first.getFrameSize()),
        integer(i32, resultSize),
        integer(i32, resultField),
        integer(i32, handlers ? int64_t(*handlers) : -1),
        integer(i32, 0), // of the processor that all have (Versions.cpp)
        null(),
        integer(i64, uniform),
        integer(i32, joinFree ? int64_t(*joinFree) : 0),
        integer(i32, joinFree ? *last.getLanes() : 0),
        joinFree ? address((stack.getSymName() + abi::reducingSuffix).str())
                 : null(),
    };
  });
}

void DescriptorBuilder::emitChannel(chan::StackOp stack, chan::KernelOp kernel,
                                    bool onHost) {
  StringRef name = stack.getSymName();
  ElementLayout element(stack, layout);

  SmallVector<int32_t> fieldWords;
  for (const auto &field : element.getFields()) {
    fieldWords.push_back(field.offset);
    fieldWords.push_back(field.size);
  }
  create(
      name + ".fields", LLVM::LLVMArrayType::get(i32, fieldWords.size()), true,
      fieldWords.empty() ? Attribute() : builder.getI32TensorAttr(fieldWords));
  // Users know a channel by the kernel that consumes it.
  createString(name + ".name", kernel.getSymName());
  auto state =
      LLVM::LLVMArrayType::get(builder.getI8Type(), abi::channelStateSize);
  createAggregate(name + ".state", state, false, [&] {
    return SmallVector<Value>();
  }).setAlignment(abi::channelStateAlignment);

  if (onHost && stack.getBatch())
    emitBatchForm(stack, element);
  auto type = LLVM::LLVMStructType::getLiteral(
      module.getContext(), {pointer, pointer, pointer, i32, i32, i32, i32,
                            pointer, pointer, pointer, i32, i32, i32});
  auto members = [&](uint32_t flags) {
    return SmallVector<Value>{
        address((name + ".name").str()),
        onHost ? address(kernel.getSymName()) : null(),
        address((name + ".fields").str()),
        integer(i32, element.getFields().size()),
        integer(i32, element.getSize()),
        integer(i32, std::min<uint64_t>(kernel.getFrameSize(), UINT32_MAX)),
        integer(i32, int32_t(stack.getKind())),
        address((name + ".state").str()),
        onHost && stack.getSerial() ? address(serialEntry(stack)) : null(),
        onHost && stack.getBatch() ? address((name + ".batch").str()) : null(),
        integer(i32, stack.getWidth().value_or(0)),
        integer(i32, kernel.getLanes().value_or(1)),
        integer(i32, flags),
    };
  };
  uint32_t flags = (stack.getCounted() ? abi::channelCloneCounts : 0) |
                   (stack.getLatePromoting() ? abi::channelLatePromoting : 0);
  LLVM::GlobalOp channel =
      createAggregate(name, type, true, [&] { return members(flags); });
  if (onHost && stack.getJoinFree())
    createAggregate(name + abi::reducingSuffix, type, true,
                    [&] { return members(flags | abi::channelReduces); });
  // Only the names in device functions refer to a channel, which no linker
  // sees.
  if (!onHost)
    channel.setLinkage(LLVM::Linkage::External);
}

LLVM::LLVMFuncOp
DescriptorBuilder::createRegistration(StringRef name, StringRef runtimeFunction,
                                      StringRef moduleName) {
  auto nothing = LLVM::LLVMVoidType::get(module.getContext());
  LLVM::LLVMFuncOp callee = *LLVM::lookupOrCreateFn(
      builder, module, runtimeFunction, pointer, nothing);
  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, name, LLVM::LLVMFunctionType::get(nothing, {}),
      LLVM::Linkage::Internal);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  LLVM::CallOp::create(builder, loc, callee, address(moduleName));
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return function;
}

void DescriptorBuilder::emitModule(ArrayRef<chan::StackOp> stacks,
                                   const HostRequirement &requirement) {
  bool isForAny = requirement.features.empty();
  if (stacks.empty() && isForAny)
    return;
  MLIRContext *context = module.getContext();
  auto exportType =
      LLVM::LLVMStructType::getLiteral(context, {pointer, pointer, i64});
  auto arrayType = LLVM::LLVMArrayType::get(exportType, stacks.size());
  createAggregate(ExportsName, arrayType, true, [&] {
    SmallVector<Value> members;
    for (chan::StackOp stack : stacks)
      members.push_back(
          aggregate(exportType,
                    {address(*stack.getFunction()), address(stack.getSymName()),
                     integer(i64, signatureHash(stack, layout))}));
    return members;
  });
  auto moduleType = LLVM::LLVMStructType::getLiteral(
      context, {i32, i32, pointer, pointer, pointer, pointer});
  if (!isForAny) {
    createString("__chan_processor", requirement.processor);
    createString("__chan_features", requirement.features);
  }
  createAggregate("__chan_module", moduleType, false, [&] {
    return SmallVector<Value>{integer(i32, abi::version),
                              integer(i32, stacks.size()),
                              address(ExportsName),
                              null(),
                              isForAny ? null() : address("__chan_processor"),
                              isForAny ? null() : address("__chan_features")};
  });
  auto constructor =
      createRegistration("__chan_register", "chan_register", "__chan_module");
  // It runs before it is known that the processor has more.
  if (!isForAny) {
    constructor.setTargetCpu("x86-64");
    constructor.setTargetFeaturesAttr(
        LLVM::TargetFeaturesAttr::get(context, {StringRef("+sse2")}));
  }
  auto destructor = createRegistration("__chan_unregister", "chan_unregister",
                                       "__chan_module");
  auto none = builder.getArrayAttr(LLVM::ZeroAttr::get(context));
  auto priority = builder.getI32ArrayAttr(abi::registrationPriority);
  LLVM::GlobalCtorsOp::create(
      builder, loc, builder.getArrayAttr(FlatSymbolRefAttr::get(constructor)),
      priority, none);
  LLVM::GlobalDtorsOp::create(
      builder, loc, builder.getArrayAttr(FlatSymbolRefAttr::get(destructor)),
      priority, none);
}

void cilk2chan::emitDescriptors(ModuleOp module, const TypeLayout &layout,
                                bool onHost,
                                const HostRequirement &requirement) {
  llvm::StringMap<chan::KernelOp> consumers;
  for (auto kernel : module.getOps<chan::KernelOp>())
    if (!kernel.getPhase())
      consumers[kernel.getConsumes()] = kernel;
  SmallVector<chan::StackOp> stacks(module.getOps<chan::StackOp>());
  SmallVector<chan::StackOp> exports;
  DescriptorBuilder builder(module, layout);
  for (chan::StackOp stack : stacks) {
    builder.emitChannel(stack, consumers.lookup(stack.getSymName()), onHost);
    if (stack.getFunction() && !stack.getInterposable())
      exports.push_back(stack);
  }
  builder.emitModule(exports, requirement);
}
