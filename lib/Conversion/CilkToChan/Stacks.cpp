//===- Stacks.cpp - The channel stacks of a module ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the channel stacks, and finds those that earlier passes have made:
//
//   llvm.func @f(%n: i32) -> i32   chan.stack entry @f.entry(a0: i32, ret: ptr)
//     ... one sync            =>   chan.stack continuation @f.after1(frame)
//   a spawn through a pointer      chan.stack entry @call.0.entry(..., callee)
//                                  chan.kernel @call.0
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/CilkToChan/Stacks.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Support/FunctionAttributes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cilk2chan;

/// The type of the field for an object that is passed by value with
/// `attributes`. That is the object's own type, unless C aligns the object
/// further than LLVM aligns the type, as in
///   struct { __attribute__((aligned(16))) long a; char b[9]; }
///   __attribute__((packed))
/// Then it is an array of integers with that alignment and of the same size.
static Type fieldTypeFor(Type object, DictionaryAttr attributes,
                         const TypeLayout &layout) {
  auto align =
      attributes.getAs<IntegerAttr>(LLVM::LLVMDialect::getAlignAttrName());
  uint64_t size = layout.allocSize(object);
  if (!align || size == 0)
    return object;
  // The attribute has at least the alignment of a stack slot; C's alignment
  // divides both that and the size.
  uint64_t wanted = std::min<uint64_t>(llvm::MinAlign(size, align.getInt()),
                                       abi::maxFieldAlignment);
  if (wanted <= layout.abiAlignment(object))
    return object;
  return LLVM::LLVMArrayType::get(
      IntegerType::get(object.getContext(), 8 * wanted), size / wanted);
}

SmallVector<NamedAttribute> cilk2chan::entryFields(MLIRContext *context,
                                                   TypeRange arguments,
                                                   ArrayAttr argumentAttributes,
                                                   Type result,
                                                   const TypeLayout &layout) {
  SmallVector<NamedAttribute> fields;
  for (auto [index, type] : llvm::enumerate(arguments)) {
    TypeAttr field = TypeAttr::get(type);
    if (argumentAttributes && index < argumentAttributes.size()) {
      auto attributes = cast<DictionaryAttr>(argumentAttributes[index]);
      if (auto byValue =
              attributes.getAs<TypeAttr>(LLVM::LLVMDialect::getByValAttrName()))
        field =
            TypeAttr::get(fieldTypeFor(byValue.getValue(), attributes, layout));
    }
    fields.emplace_back(StringAttr::get(context, chan::parameterField(index)),
                        field);
  }
  if (!isa<LLVM::LLVMVoidType>(result))
    fields.emplace_back(StringAttr::get(context, chan::ResultField),
                        TypeAttr::get(LLVM::LLVMPointerType::get(context)));
  return fields;
}

Stacks::Stacks(SymbolTable &symbols, const TypeLayout &layout)
    : module(cast<ModuleOp>(symbols.getOp())), symbols(symbols),
      layout(layout) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (auto entry = function->getAttrOfType<FlatSymbolRefAttr>(EntryAttribute))
      addFound(function, symbols.lookup<chan::StackOp>(entry.getAttr()));
  for (auto kernel : module.getOps<chan::KernelOp>())
    addFoundCalls(kernel);
}

void Stacks::addFound(LLVM::LLVMFuncOp function, chan::StackOp entry) {
  phases[function.getName()] = {entry};
  if (!entry.getInterposable())
    entries[function.getName()] = entry;
}

/// A stack for calls was made for an earlier pass: its kernel has the call.
void Stacks::addFoundCalls(chan::KernelOp kernel) {
  auto stack =
      symbols.lookup<chan::StackOp>(kernel.getConsumesAttr().getAttr());
  if (!stack.getFieldType(chan::CalleeField))
    return;
  auto call = *kernel.getBody().front().getOps<LLVM::CallOp>().begin();
  calls[callKey(*stack.getSignature(), call.getArgAttrsAttr(),
                TypeRange(call.getOperandTypes()).drop_front(),
                symbols.lookup<LLVM::LLVMFuncOp>(*kernel.getSource()))] = stack;
}

chan::StackOp Stacks::create(OpBuilder &builder, Location loc,
                             chan::StackKind kind, const Twine &name,
                             ArrayRef<NamedAttribute> fields,
                             FlatSymbolRefAttr function,
                             LLVM::LLVMFunctionType signature) {
  SmallVector<Attribute> names, types;
  for (NamedAttribute field : fields) {
    names.push_back(field.getName());
    types.push_back(field.getValue());
  }
  auto stack = chan::StackOp::create(
      builder, loc, kind, builder.getStringAttr(name),
      builder.getArrayAttr(names), builder.getArrayAttr(types), function,
      signature ? TypeAttr::get(signature) : TypeAttr(), /*ranges=*/false,
      /*groupSize=*/IntegerAttr(), /*groupBytes=*/IntegerAttr(),
      /*interposable=*/false, /*serial=*/FlatSymbolRefAttr(), /*counted=*/false,
      /*latePromoting=*/false, /*batch=*/ArrayAttr(),
      /*resultHandlers=*/IntegerAttr(),
      /*uniform=*/ArrayAttr(), /*prefetched=*/ArrayAttr(),
      /*joinFree=*/chan::CombinationAttr(), /*width=*/IntegerAttr());
  symbols.insert(stack);
  return stack;
}

/// What the function, or that which it is a part of, asks for; 0: nothing.
static unsigned askedWidth(LLVM::LLVMFuncOp function) {
  unsigned width = 0;
  if (auto asked = functionAttribute(function, BlockAttribute))
    asked->getAsInteger(10, width);
  return width;
}

void Stacks::addEntry(LLVM::LLVMFuncOp function) {
  auto type = function.getFunctionType();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  chan::StackOp stack = create(
      builder, function.getLoc(), chan::StackKind::Entry,
      function.getName() + ".entry",
      entryFields(module.getContext(), type.getParams(),
                  function.getArgAttrsAttr(), type.getReturnType(), layout),
      isUnnamed(function) ? FlatSymbolRefAttr()
                          : FlatSymbolRefAttr::get(function),
      type);
  auto source = symbols.lookup<LLVM::LLVMFuncOp>(sourceOf(function).getAttr());
  if (unsigned asked = askedWidth(source))
    stack.setWidth(asked);
  else
    stack.setWidthAttr(module->getAttrOfType<IntegerAttr>(WidthAttribute));
  stack.setInterposable(isInterposable(function));
  stack.setRanges(function->hasAttr(RangeAttribute));
  if (auto group = function->getAttrOfType<DenseI64ArrayAttr>(GroupAttribute)) {
    stack.setGroupSize(group[0]);
    stack.setGroupBytes(group[1]);
  }
  function->setAttr(EntryAttribute, FlatSymbolRefAttr::get(stack));
  addFound(function, stack);
}

void Stacks::addContinuations(LLVM::LLVMFuncOp function, unsigned count) {
  StringRef name = function.getName();
  auto &list = phases[name];
  NamedAttribute frame(
      StringAttr::get(module.getContext(), chan::FrameField),
      TypeAttr::get(LLVM::LLVMPointerType::get(module.getContext())));
  OpBuilder builder(module.getContext());
  for (unsigned i = 1; i < count; ++i) {
    builder.setInsertionPointAfter(list.back());
    list.push_back(create(builder, function.getLoc(),
                          chan::StackKind::Continuation,
                          name + ".after" + Twine(i), frame, {}, {}));
  }
}

chan::StackOp Stacks::own(cilk::SpawnOp spawn) const {
  auto callee = spawn.getCallee();
  chan::StackOp stack = callee ? entry(*callee) : chan::StackOp();
  return stack && *stack.getSignature() == spawn.getSignature()
             ? stack
             : chan::StackOp();
}

DeferredResult cilk2chan::deferredResult(cilk::SpawnOp spawn,
                                         const TypeLayout &layout) {
  Type structure = spawn.getStructResult();
  Type type = structure ? structure : spawn.getSignature().getReturnType();
  if (isa<LLVM::LLVMVoidType>(type))
    return {};
  uint64_t alignment = layout.abiAlignment(type);
  if (structure)
    if (auto align =
            cast<DictionaryAttr>(spawn.getArgAttrsAttr()[0])
                .getAs<IntegerAttr>(LLVM::LLVMDialect::getAlignAttrName()))
      alignment = std::max<uint64_t>(alignment, align.getInt());
  return {type, layout.allocSize(type), alignment};
}

/// What makes two calls alike.  Their kernel is compiled as the spawning
/// function is, which need not run on every processor that others run on.
Attribute Stacks::callKey(LLVM::LLVMFunctionType signature, ArrayAttr argAttrs,
                          TypeRange argTypes,
                          LLVM::LLVMFuncOp compiledAs) const {
  MLIRContext *context = compiledAs->getContext();
  auto orNone = [&](Attribute attribute) {
    return attribute ? attribute : UnitAttr::get(context);
  };
  return ArrayAttr::get(
      context, {TypeAttr::get(signature), orNone(argAttrs),
                TypeAttr::get(FunctionType::get(context, argTypes, {})),
                orNone(compiledAs.getTargetCpuAttr()),
                orNone(compiledAs.getTargetFeaturesAttr())});
}

chan::StackOp Stacks::forCallsLike(cilk::SpawnOp spawn) {
  MLIRContext *context = module.getContext();
  Location loc = UnknownLoc::get(context);
  auto signature = spawn.getSignature();
  SmallVector<Type> argTypes(spawn.getArgs().getTypes());
  ArrayAttr argAttrs = spawn.getArgAttrsAttr();
  auto parent = spawn->getParentOfType<LLVM::LLVMFuncOp>();
  chan::StackOp &stack = calls[callKey(
      signature, argAttrs, argTypes,
      symbols.lookup<LLVM::LLVMFuncOp>(sourceOf(parent).getAttr()))];
  if (stack)
    return stack;

  std::string name = ("call." + Twine(calls.size() - 1)).str();
  auto pointer = LLVM::LLVMPointerType::get(context);
  Type result = signature.getReturnType();
  auto fields = entryFields(context, argTypes, argAttrs, result, layout);
  fields.emplace_back(StringAttr::get(context, chan::CalleeField),
                      TypeAttr::get(pointer));
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  stack = create(builder, loc, chan::StackKind::Entry, name + ".entry", fields,
                 {}, signature);
  stack.setWidthAttr(module->getAttrOfType<IntegerAttr>(WidthAttribute));

  builder.setInsertionPoint(stack);
  auto kernel = chan::KernelOp::create(
      builder, loc, builder.getStringAttr(name), FlatSymbolRefAttr::get(stack),
      builder.getArrayAttr({}), builder.getArrayAttr({}),
      builder.getI64IntegerAttr(0), /*lanes=*/IntegerAttr(), sourceOf(parent),
      /*phase=*/IntegerAttr(), /*compacted=*/ArrayAttr(),
      /*laneRefill=*/UnitAttr(), UnitAttr(), UnitAttr(), UnitAttr());
  symbols.insert(kernel);
  builder.createBlock(&kernel.getBody());
  Value element =
      chan::DeqOp::create(
          builder, loc,
          chan::ElementType::get(context, FlatSymbolRefAttr::get(stack)),
          /*mask=*/Type())
          .getElement();
  SmallVector<Value> operands{
      chan::GetOp::create(builder, loc, pointer, element, chan::CalleeField)};
  for (auto [index, type] : llvm::enumerate(argTypes)) {
    std::string field = chan::parameterField(index);
    if (stack.getFieldType(field) == type) {
      operands.push_back(
          chan::GetOp::create(builder, loc, type, element, field));
      continue;
    }
    Value one = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                         builder.getI64IntegerAttr(1));
    auto align = cast<DictionaryAttr>(argAttrs[index])
                     .getAs<IntegerAttr>(LLVM::LLVMDialect::getAlignAttrName());
    Value copy =
        LLVM::AllocaOp::create(builder, loc, pointer, stack.getFieldType(field),
                               one, align ? align.getInt() : 0);
    chan::CopyOutOp::create(builder, loc, element, field, copy);
    operands.push_back(copy);
  }
  Value slot;
  if (stack.getFieldType(chan::ResultField))
    slot =
        chan::GetOp::create(builder, loc, pointer, element, chan::ResultField);
  chan::TfreeOp::create(builder, loc, element);
  auto call = LLVM::CallOp::create(builder, loc, signature, operands);
  if (argAttrs)
    call.setArgAttrsAttr(argAttrs);
  if (slot)
    chan::DeliverOp::create(builder, loc, call.getResult(), slot);
  chan::DoneOp::create(builder, loc);
  return stack;
}

FailureOr<SmallVector<LLVM::LLVMFuncOp>>
cilk2chan::functionsToSplit(ModuleOp module) {
  SmallVector<LLVM::LLVMFuncOp> functions;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function->hasAttr(EntryAttribute)) {
      functions.push_back(function);
      continue;
    }
    if (!function.isExternal() && cilk::isSpawning(function))
      return function.emitError("has no entry stack: run chan-entry-stacks "
                                "before this pass");
  }
  return functions;
}
