//===- VGIWToSIMT.cpp - Graph instruction words become instructions -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel in stage `graph` has blocks, values and the order of memory operations.
// A core executes a block in its order. So tokens are left out, and each node
// becomes an instruction:
//
//   %a = vgiw.parameter 0 + 8 : i64        %p = simt.parameter 0
//   %v = vgiw.load %a after %t -> f32      %v = simt.inst "load.f32"(%p) + 8
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/LLVMIRToVGIW.h"
#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Dialect/SIMT/SIMT.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/TypeSwitch.h"

namespace cilk2chan {
#define GEN_PASS_DEF_VGIWTOSIMT
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {

/// An address: a register, or what needs none, plus a constant.
struct SplitAddress {
  Value base;
  int64_t offset;
};

class KernelConversion {
public:
  KernelConversion(vgiw::KernelOp from, OpBuilder &builder)
      : from(from), builder(builder), wordType(typeOf(simt::RegisterClass::D)) {
  }

  LogicalResult run();

private:
  simt::RegisterType typeOf(simt::RegisterClass kind) {
    return simt::RegisterType::get(builder.getContext(), kind, std::nullopt);
  }
  simt::RegisterType typeOf(Type word) {
    return typeOf(simt::classOfBits(word.getIntOrFloatBitWidth()));
  }
  void convert(Operation &op);
  void convertControl(Operation &op);
  Value use(Value value);
  Value materialize(Value value);
  SmallVector<Value> use(ValueRange values) {
    return llvm::map_to_vector(values, [&](Value v) { return use(v); });
  }
  Value constant(int64_t bits, simt::RegisterType type) {
    return simt::ConstantOp::create(builder, location, type, bits);
  }
  Value instruction(Type result, StringRef opcode, ValueRange operands,
                    int64_t offset = 0) {
    return simt::InstOp::create(builder, location, result, opcode, operands,
                                offset)
        .getResult();
  }
  Value parameter(unsigned index, simt::RegisterType type) {
    return simt::ParameterOp::create(builder, location, type, index);
  }
  std::optional<int64_t> privateOffset(Value value);
  SplitAddress split(Value address);
  SplitAddress addressOf(vgiw::AddressedOpInterface node);
  void access(Operation &op, const SplitAddress &address, ValueRange others);
  void call(Operation &op, StringRef thunk, Value record);

  vgiw::KernelOp from;
  OpBuilder &builder;
  simt::RegisterType wordType;
  Location location = UnknownLoc::get(builder.getContext());
  DenseMap<Value, Value> values;
  /// What the present block has made for itself: see use(); and products and sums
  /// to which an instruction adds a constant.
  DenseMap<Value, Value> ofBlock;
  DenseMap<std::tuple<Value, Value, unsigned>, Value> sumsOfBlock;
  DenseMap<Block *, Block *> blocks;
  bool hasFailed = false;
};

struct VGIWToSIMT : public cilk2chan::impl::VGIWToSIMTBase<VGIWToSIMT> {
  void runOnOperation() override;
};

} // namespace

/// Whether an instruction has room for the constant of an address.
static bool fits(int64_t offset) { return llvm::isInt<32>(offset); }

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// What is added to the address of the thread's private memory: the graph
/// computes that as thread * bytes + parameter.
std::optional<int64_t> KernelConversion::privateOffset(Value value) {
  auto sum = value.getDefiningOp<vgiw::ComputeOp>();
  if (!sum || sum.getOpcode() != vgiw::Opcode::Mad)
    return std::nullopt;
  auto parameter = sum.getOperands()[2].getDefiningOp<vgiw::ParameterOp>();
  if (!parameter)
    return std::nullopt;
  auto binding =
      cast<vgiw::BindingAttr>(from.getParameters()[parameter.getIndex()]);
  if (binding.getKind() != vgiw::BindingKind::Private)
    return std::nullopt;
  return parameter.getOffset();
}

/// Constants and the like are made anew in each block. So what is computed from a
/// parameter is not kept in a register while the thread has yielded: then the
/// aggregator may bind the parameter to another address.
Value KernelConversion::use(Value value) {
  if (auto known = values.find(value); known != values.end())
    return known->second;
  Value &made = ofBlock[value];
  if (!made)
    made = materialize(value);
  return made;
}

Value KernelConversion::materialize(Value value) {
  simt::RegisterType type = typeOf(value.getType());
  auto plus = [&](Value base, int64_t offset) {
    return offset ? instruction(type, "add.i64", {base, constant(offset, type)})
                  : base;
  };
  Operation *op = value.getDefiningOp();
  if (auto number = dyn_cast<vgiw::ConstantOp>(op)) {
    APInt bits =
        isa<FloatAttr>(number.getValue())
            ? cast<FloatAttr>(number.getValue()).getValue().bitcastToAPInt()
            : cast<IntegerAttr>(number.getValue()).getValue();
    return constant(bits.getZExtValue(), type);
  }
  if (auto symbol = dyn_cast<vgiw::SymbolOp>(op))
    return simt::SymbolOp::create(builder, location, type, symbol.getName(),
                                  symbol.getOffset());
  if (auto word = dyn_cast<vgiw::ParameterOp>(op))
    return plus(parameter(word.getIndex(), type), word.getOffset());
  return plus(simt::LocalOp::create(builder, location, wordType),
              *privateOffset(value));
}

SplitAddress KernelConversion::split(Value address) {
  int64_t offset = 0;
  for (;;) {
    if (std::optional<int64_t> added = privateOffset(address);
        added && fits(offset + *added))
      return {simt::LocalOp::create(builder, location, wordType),
              offset + *added};
    if (auto word = address.getDefiningOp<vgiw::ParameterOp>();
        word && fits(offset + int64_t(word.getOffset())))
      return {parameter(word.getIndex(), wordType),
              offset + int64_t(word.getOffset())};
    auto sum = address.getDefiningOp<vgiw::ComputeOp>();
    if (!sum)
      return {use(address), offset};
    OperandRange operands = sum.getOperands();
    if (sum.getOpcode() == vgiw::Opcode::Mad) {
      // index * size + (parameter + offset)
      auto word = operands[2].getDefiningOp<vgiw::ParameterOp>();
      if (!word || !word.getOffset() ||
          !fits(offset + int64_t(word.getOffset())))
        return {use(address), offset};
      Value &base =
          sumsOfBlock[{operands[0], operands[1], unsigned(word.getIndex())}];
      if (!base)
        base = instruction(wordType, "mad.i64",
                           {use(operands[0]), use(operands[1]),
                            parameter(word.getIndex(), wordType)});
      return {base, offset + int64_t(word.getOffset())};
    }
    if (sum.getOpcode() != vgiw::Opcode::Add)
      return {use(address), offset};
    auto left = operands[0].getDefiningOp<vgiw::ConstantOp>();
    auto right = operands[1].getDefiningOp<vgiw::ConstantOp>();
    vgiw::ConstantOp added = right ? right : left;
    if (!added)
      return {use(address), offset};
    int64_t number = cast<IntegerAttr>(added.getValue()).getInt();
    if (!fits(number) || !fits(offset + number))
      return {use(address), offset};
    offset += number;
    address = operands[right ? 0 : 1];
  }
}

SplitAddress KernelConversion::addressOf(vgiw::AddressedOpInterface node) {
  SplitAddress address = split(node.getAddressMutable().get());
  address.offset += node.getOffset();
  MutableOperandRange index = node.getIndexMutable();
  if (index.empty())
    return address;
  Value number = use(index[0].get());
  if (index[0].get().getType().isInteger(32))
    number = instruction(
        wordType, node.getZeroExtended() ? "zext.i32.i64" : "sext.i32.i64",
        number);
  address.base =
      instruction(wordType, "mad.i64",
                  {number, constant(node.getScale(), wordType), address.base});
  return address;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void KernelConversion::access(Operation &op, const SplitAddress &address,
                              ValueRange others) {
  SmallVector<Value> operands = {address.base};
  llvm::append_range(operands, use(others));
  Type result;
  if (!isa<vgiw::TokenType>(op.getResult(0).getType()))
    result = typeOf(op.getResult(0).getType());
  auto made = simt::InstOp::create(
      builder, location, result,
      cast<vgiw::NodeOpInterface>(op).getMachineOperation(), operands,
      address.offset);
  if (Attribute order = op.getAttr(DeviceOrderAttribute))
    made->setAttr(DeviceOrderAttribute, order);
  if (Value loaded = made.getResult())
    values[op.getResult(0)] = loaded;
}

void KernelConversion::call(Operation &op, StringRef thunk, Value record) {
  Value address = use(record);
  simt::InstOp::create(
      builder, location, TypeRange(),
      builder.getStringAttr(
          cast<vgiw::NodeOpInterface>(op).getMachineOperation()),
      ValueRange(address), builder.getI64IntegerAttr(0),
      builder.getStringAttr(thunk), nullptr);
}

void KernelConversion::convert(Operation &op) {
  location = op.getLoc();
  TypeSwitch<Operation *>(&op)
      .Case<vgiw::ConstantOp, vgiw::SymbolOp, vgiw::ParameterOp>(
          [](Operation *) {}) // see use()
      .Case([&](vgiw::InitiateOp node) {
        values[node.getThread()] =
            simt::IdOp::create(builder, location, wordType);
      })
      .Case([&](vgiw::ComputeOp node) {
        simt::RegisterType type = typeOf(node.getType());
        if (privateOffset(node.getResult()))
          return; // see use()
        values[node.getResult()] = instruction(type, node.getMachineOperation(),
                                               use(node.getOperands()));
      })
      .Case([&](vgiw::LoadOp node) { access(op, addressOf(node), {}); })
      .Case([&](vgiw::StoreOp node) {
        access(op, addressOf(node), node.getValue());
      })
      .Case([&](vgiw::AtomicOp node) {
        access(op, addressOf(node), node.getValue());
      })
      .Case([&](vgiw::CasOp node) {
        access(op, split(node.getAddress()),
               {node.getExpected(), node.getDesired()});
      })
      .Case([&](vgiw::ReserveOp node) {
        access(op, split(node.getControl()), {});
      })
      .Case([&](vgiw::PopOp node) { access(op, split(node.getList()), {}); })
      .Case([&](vgiw::PushOp node) {
        access(op, split(node.getList()), node.getItem());
      })
      .Case([&](vgiw::HeapCallOp node) {
        call(op, node.getThunk(), node.getRecord());
      })
      .Case([&](vgiw::SyscallOp node) {
        call(op, node.getThunk(), node.getRecord());
      })
      .Default([&](Operation *) { convertControl(op); });
}

void KernelConversion::convertControl(Operation &op) {
  TypeSwitch<Operation *>(&op)
      .Case([&](vgiw::BranchOp branch) {
        simt::BraOp::create(builder, location, use(branch.getDestOperands()),
                            blocks[branch.getDest()]);
      })
      .Case([&](vgiw::CondBranchOp branch) {
        simt::CondBraOp::create(
            builder, location, use(branch.getCondition()),
            use(branch.getTrueOperands()), use(branch.getFalseOperands()),
            /*uniform=*/false, /*reconverge=*/nullptr, /*wait=*/false,
            blocks[branch.getTrueDest()], blocks[branch.getFalseDest()]);
      })
      .Case([&](vgiw::YieldOp yield) {
        simt::YieldOp::create(builder, location, use(yield.getDestOperands()),
                              blocks[yield.getDest()]);
      })
      .Case([&](vgiw::BarrierOp barrier) {
        simt::BarOp::create(builder, location, use(barrier.getDestOperands()),
                            blocks[barrier.getDest()]);
      })
      .Case([&](vgiw::ExitOp) {
        simt::ExitOp::create(
            builder, location,
            op.hasAttr(vgiw::VGIWDialect::UnreachableAttribute));
      })
      .Default([&](Operation *) {
        op.emitError("kernel '")
            << from.getSymName() << "' has a '" << op.getName()
            << "', which is not for stage 'graph'";
        hasFailed = true;
      });
}

LogicalResult KernelConversion::run() {
  if (from.getStage() != vgiw::Stage::Graph)
    return from.emitError("kernel '")
           << from.getSymName() << "' is in stage '"
           << vgiw::stringifyStage(from.getStage()) << "', not in 'graph'";
  if (llvm::any_of(from.getParameters().getAsRange<vgiw::BindingAttr>(),
                   [](vgiw::BindingAttr binding) {
                     return binding.getKind() == vgiw::BindingKind::Computed;
                   }))
    return from.emitError("kernel '")
           << from.getSymName()
           << "' has computed parameters; run 'vgiw-to-simt' before "
              "'vgiw-compute-parameters'";
  // What is private has an operand of its own.
  SmallVector<Attribute> bindings(from.getParameters().getValue());
  if (!bindings.empty() && cast<vgiw::BindingAttr>(bindings.back()).getKind() ==
                               vgiw::BindingKind::Private)
    bindings.pop_back();
  builder.setInsertionPoint(from);
  auto kernel = simt::KernelOp::create(
      builder, from.getLoc(), from.getSymName(), builder.getArrayAttr(bindings),
      from.getPrivateBytes(), from.getGroupSizeAttr(), from.getGroupBytes(),
      from.getConsumesAttr(),
      builder.getStringAttr(vgiw::stringifyLaunch(from.getLaunch())),
      from.getSourceAttr(), nullptr);
  // In reverse postorder, definitions come before uses.
  llvm::ReversePostOrderTraversal<Block *> order(&from.getBody().front());
  for (Block *block : order) {
    auto *made = new Block;
    kernel.getBody().push_back(made);
    blocks[block] = made;
    for (BlockArgument argument : block->getArguments())
      values[argument] =
          made->addArgument(typeOf(argument.getType()), argument.getLoc());
  }
  for (Block *block : order) {
    builder.setInsertionPointToEnd(blocks[block]);
    ofBlock.clear();
    sumsOfBlock.clear();
    for (Operation &op : *block)
      convert(op);
  }
  if (hasFailed)
    return failure();
  IRRewriter rewriter(builder.getContext());
  (void)runRegionDCE(rewriter, kernel->getRegions());
  builder.setInsertionPointAfter(kernel);
  from.erase();
  return success();
}

void VGIWToSIMT::runOnOperation() {
  OpBuilder builder(&getContext());
  for (auto kernel :
       llvm::make_early_inc_range(getOperation().getOps<vgiw::KernelOp>()))
    if (failed(KernelConversion(kernel, builder).run()))
      return signalPassFailure();
}
