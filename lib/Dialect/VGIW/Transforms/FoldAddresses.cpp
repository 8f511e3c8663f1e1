//===- FoldAddresses.cpp - Load/store units compute addresses -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load/store unit adds to its address what the machine's `address_modes` say.
// With `offset` a constant, or one word of the configuration and one token:
//
//   %a = mad %i, 8, %p0                   %m = shl %i, 3
//   %b = mad %i, 8, %p1             ->    load %p0[%m : i64 * 1]
//   load %a; load %b                      load %p1[%m : i64 * 1]
//
// With `scaled` two tokens, of which one is extended and scaled:
//
//   %w = sext %i
//   %a = mad %w, 4, %p              ->    load %p[%i : i32 * 4]
//   load %a
//
// A computation is folded only if it then is not needed any more: otherwise
// the fabric would have as many nodes as before, and more edges.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/VGIW/Netlists.h"
#include "cilk2chan/Dialect/VGIW/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

namespace cilk2chan {
#define GEN_PASS_DEF_VGIWFOLDADDRESSES
#include "cilk2chan/Dialect/VGIW/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;
using chansim::AddressModes;
using vgiw::Opcode;

namespace {

struct VGIWFoldAddresses
    : public cilk2chan::impl::VGIWFoldAddressesBase<VGIWFoldAddresses> {
  using Base::Base;
  void runOnOperation() override;
};

using Accesses = SmallVector<vgiw::AddressedOpInterface>;

class Folder {
public:
  Folder(vgiw::KernelOp kernel, AddressModes modes)
      : kernel(kernel), modes(modes) {}
  void run();

private:
  bool fold(vgiw::ComputeOp sum);
  bool foldSum(vgiw::ComputeOp sum, ArrayRef<vgiw::AddressedOpInterface> users);
  bool foldScaled(vgiw::ComputeOp sum, Value base, Value index, uint64_t scale,
                  ArrayRef<vgiw::AddressedOpInterface> users);
  bool foldIndex(vgiw::AddressedOpInterface access);
  void shareProducts(Block &block);
  void shareProduct(ArrayRef<vgiw::ComputeOp> sums);
  Value product(vgiw::ComputeOp sum);

  vgiw::KernelOp kernel;
  AddressModes modes;
};

/// A parameter or a symbol without the offset that is added to it.
struct Static {
  Attribute word;
  int64_t offset = 0;
};

} // namespace

static std::optional<int64_t> constantOf(Value value) {
  auto constant = value.getDefiningOp<vgiw::ConstantOp>();
  auto number =
      constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return number ? std::optional(number.getValue().getSExtValue())
                : std::nullopt;
}

static std::optional<Static> staticOf(Value value) {
  if (auto word = value.getDefiningOp<vgiw::ParameterOp>())
    return Static{word.getIndexAttr(), int64_t(word.getOffset())};
  if (auto symbol = value.getDefiningOp<vgiw::SymbolOp>())
    return Static{symbol.getNameAttr(), int64_t(symbol.getOffset())};
  return {};
}

/// The accesses whose address is all that a value is for; nothing if it is for
/// more, or if one of them has an index already and `index` says that another
/// is to come.
static std::optional<Accesses> accessesAt(Value value, bool index) {
  Accesses accesses;
  for (OpOperand &use : value.getUses()) {
    auto access = dyn_cast<vgiw::AddressedOpInterface>(use.getOwner());
    if (!access || &access.getAddressMutable() != &use ||
        (index && !access.getIndexMutable().empty()))
      return {};
    accesses.push_back(access);
  }
  return accesses;
}

static void addOffset(vgiw::AddressedOpInterface access, int64_t added) {
  access.setOffset(access.getOffset() + uint64_t(added));
}

static void setAddress(vgiw::AddressedOpInterface access, Value base,
                       Value index, uint64_t scale) {
  access.getAddressMutable().set(base);
  access.getIndexMutable().assign(index);
  access.setScale(scale);
}

/// What `value` is a multiple of, and how many times; a power of two that a
/// unit can scale by.
static std::optional<std::pair<Value, uint64_t>> multipleOf(Value value) {
  auto op = value.getDefiningOp<vgiw::ComputeOp>();
  if (!op || (op.getOpcode() != Opcode::Mul && op.getOpcode() != Opcode::Shl))
    return {};
  std::optional<int64_t> by = constantOf(op.getOperands()[1]);
  if (!by || *by < 0 || uint64_t(*by) > chansim::kMaxScale)
    return {};
  uint64_t scale = op.getOpcode() == Opcode::Mul ? uint64_t(*by)
                   : *by < 32                    ? uint64_t(1) << *by
                                                 : 0;
  if (!llvm::isPowerOf2_64(scale) || scale > chansim::kMaxScale)
    return {};
  return std::pair(op.getOperands()[0], scale);
}

/// The tokens of an access whose address takes so many more; an order token
/// takes a place as well, be it one or many (they can be joined).
static bool hasRoom(vgiw::AddressedOpInterface access, unsigned more) {
  MutableOperandRange after =
      cast<vgiw::OrderedOpInterface>(access.getOperation()).getAfterMutable();
  unsigned own = vgiw::tokenOperands(access).size() - after.size();
  return own + more + (after.empty() ? 0 : 1) <= vgiw::MaxTokens;
}

//===----------------------------------------------------------------------===//
// One computation
//===----------------------------------------------------------------------===//

/// A base and an index in the place of a sum.
bool Folder::foldScaled(vgiw::ComputeOp sum, Value base, Value index,
                        uint64_t scale,
                        ArrayRef<vgiw::AddressedOpInterface> users) {
  if (!vgiw::isConfigured(base)) {
    // Two tokens for each user in the place of one: not more edges than there
    // were, no more live values, and room for them.
    if (modes < AddressModes::scaled || 2 * users.size() > 2 + users.size() ||
        llvm::any_of(users, [&](vgiw::AddressedOpInterface access) {
          return access->getBlock() != sum->getBlock() || !hasRoom(access, 1);
        }))
      return false;
  }
  if (scale != 1 && modes < AddressModes::scaled)
    return false;
  for (vgiw::AddressedOpInterface access : users)
    setAddress(access, base, index, scale);
  return true;
}

bool Folder::foldSum(vgiw::ComputeOp sum,
                     ArrayRef<vgiw::AddressedOpInterface> users) {
  auto operand = [&](unsigned i) { return sum.getOperands()[i]; };
  if (sum.getOpcode() == Opcode::Mad) {
    std::optional<int64_t> scale = constantOf(operand(1));
    return scale && *scale > 0 && *scale <= chansim::kMaxScale &&
           llvm::isPowerOf2_64(*scale) && !vgiw::isConfigured(operand(0)) &&
           foldScaled(sum, operand(2), operand(0), *scale, users);
  }
  // The configured word comes first.
  unsigned first = vgiw::isConfigured(operand(1)) ? 1 : 0;
  return !vgiw::isConfigured(operand(1 - first)) &&
         foldScaled(sum, operand(first), operand(1 - first), 1, users);
}

/// Into all that need it, so that it goes.
bool Folder::fold(vgiw::ComputeOp sum) {
  if (!sum.getType().isInteger(64) || sum->use_empty())
    return false;
  bool isAdd = sum.getOpcode() == Opcode::Add;
  if (!isAdd && sum.getOpcode() != Opcode::Mad)
    return false;
  for (unsigned i : {0, 1}) {
    std::optional<int64_t> offset = constantOf(sum.getOperands()[i]);
    if (!isAdd || !offset)
      continue;
    std::optional<Accesses> users = accessesAt(sum, /*index=*/false);
    if (!users)
      return false;
    for (vgiw::AddressedOpInterface access : *users) {
      addOffset(access, *offset);
      access.getAddressMutable().set(sum.getOperands()[1 - i]);
    }
    sum.erase();
    return true;
  }
  std::optional<Accesses> users = accessesAt(sum, /*index=*/true);
  if (!users || !foldSum(sum, *users))
    return false;
  sum.erase();
  return true;
}

/// What an index is computed from, if only accesses need it.
bool Folder::foldIndex(vgiw::AddressedOpInterface access) {
  MutableOperandRange index = access.getIndexMutable();
  if (index.empty() || !index[0].get().getType().isInteger(64))
    return false;
  auto op = index[0].get().getDefiningOp<vgiw::ComputeOp>();
  if (!op || !llvm::all_of(op->getUses(), [](OpOperand &use) {
        auto user = dyn_cast<vgiw::AddressedOpInterface>(use.getOwner());
        return user && !user.getIndexMutable().empty() &&
               &user.getIndexMutable()[0] == &use;
      }))
    return false;
  auto become = [&](Value inner) {
    index[0].set(inner);
    // Else it would seem to need what it is computed from.
    if (op->use_empty())
      op.erase();
    return true;
  };
  Value inner = op.getOperands()[0];
  if (auto multiple = multipleOf(op.getResult());
      multiple && multiple->second * access.getScale() <= chansim::kMaxScale) {
    access.setScale(access.getScale() * multiple->second);
    return become(multiple->first);
  }
  bool isZero = op.getOpcode() == Opcode::Zext;
  if ((isZero || op.getOpcode() == Opcode::Sext) &&
      inner.getType().isInteger(32)) {
    access.setZeroExtended(isZero);
    return become(inner);
  }
  if (op.getOpcode() == Opcode::Add)
    if (std::optional<int64_t> added = constantOf(op.getOperands()[1])) {
      addOffset(access, *added * int64_t(access.getScale()));
      return become(inner);
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Several sums of one product
//===----------------------------------------------------------------------===//

Value Folder::product(vgiw::ComputeOp sum) {
  OpBuilder builder(sum);
  Value number = sum.getOperands()[0], by = sum.getOperands()[1];
  int64_t scale = *constantOf(by);
  Opcode opcode = Opcode::Mul;
  if (scale > 0 && llvm::isPowerOf2_64(scale)) {
    opcode = Opcode::Shl;
    by = vgiw::ConstantOp::create(
        builder, sum.getLoc(), builder.getI64IntegerAttr(llvm::Log2_64(scale)));
  }
  return vgiw::ComputeOp::create(builder, sum.getLoc(), builder.getI64Type(),
                                 opcode, {number, by});
}

/// A sum of the same product as `later`, with the words that it adds.
static void bringBefore(vgiw::ComputeOp sum, Operation *later) {
  for (Value operand : sum.getOperands())
    if (Operation *word = operand.getDefiningOp();
        vgiw::isConfigured(operand) && word->getBlock() == later->getBlock() &&
        later->isBeforeInBlock(word))
      word->moveBefore(later);
  sum->moveBefore(later);
}

/// The sums have the same product, the first of them stands before the others.
void Folder::shareProduct(ArrayRef<vgiw::ComputeOp> sums) {
  // A sum that is kept serves all of the same word.
  llvm::MapVector<Attribute, std::pair<vgiw::ComputeOp, int64_t>> kept;
  SmallVector<vgiw::ComputeOp> folded;
  for (vgiw::ComputeOp sum : sums) {
    if (accessesAt(sum, /*index=*/true))
      folded.push_back(sum);
    else if (auto word = staticOf(sum.getOperands()[2]))
      kept.try_emplace(word->word, sum, word->offset);
  }
  llvm::MapVector<Attribute, unsigned> words;
  for (vgiw::ComputeOp sum : folded)
    if (auto word = staticOf(sum.getOperands()[2]))
      ++words[word->word];
  // Of one word alone, the first sum serves the others.
  if (words.size() == 1 && folded.size() > 1 && kept.empty())
    if (auto word = staticOf(folded.front().getOperands()[2])) {
      kept[word->word] = {folded.front(), word->offset};
      folded.erase(folded.begin());
    }
  Value shared;
  unsigned alone = llvm::count_if(folded, [&](vgiw::ComputeOp sum) {
    auto word = staticOf(sum.getOperands()[2]);
    return !word || !kept.contains(word->word);
  });
  for (vgiw::ComputeOp sum : folded) {
    Accesses accesses = *accessesAt(sum, /*index=*/true);
    auto word = staticOf(sum.getOperands()[2]);
    auto base = word ? kept.find(word->word) : kept.end();
    if (base != kept.end()) {
      vgiw::ComputeOp server = base->second.first;
      if (!server->isBeforeInBlock(sum))
        bringBefore(server, sum);
      for (vgiw::AddressedOpInterface access : accesses) {
        addOffset(access, word->offset - base->second.second);
        access.getAddressMutable().set(server);
      }
    } else {
      // One product for one sum is no gain.
      if (alone < 2)
        continue;
      if (!shared)
        shared = product(sum);
      for (vgiw::AddressedOpInterface access : accesses)
        setAddress(access, sum.getOperands()[2], shared, 1);
    }
    sum.erase();
  }
}

void Folder::shareProducts(Block &block) {
  llvm::MapVector<std::pair<Value, int64_t>, SmallVector<vgiw::ComputeOp>>
      groups;
  for (auto sum : block.getOps<vgiw::ComputeOp>())
    if (sum.getOpcode() == Opcode::Mad && sum.getType().isInteger(64) &&
        vgiw::isConfigured(sum.getOperands()[2]) &&
        !vgiw::isConfigured(sum.getOperands()[0]))
      if (std::optional<int64_t> scale = constantOf(sum.getOperands()[1]))
        groups[{sum.getOperands()[0], *scale}].push_back(sum);
  for (auto &[key, sums] : groups)
    if (sums.size() > 1)
      shareProduct(sums);
}

void Folder::run() {
  if (modes == AddressModes::plain)
    return;
  bool changed = true;
  while (changed) {
    changed = false;
    for (Block &block : kernel.getBody()) {
      // From the last one on: the sum of a sum goes first.
      SmallVector<vgiw::ComputeOp> sums(block.getOps<vgiw::ComputeOp>());
      for (vgiw::ComputeOp sum : llvm::reverse(sums))
        changed |= fold(sum);
      if (modes == AddressModes::scaled)
        for (auto access : block.getOps<vgiw::AddressedOpInterface>())
          changed |= foldIndex(access);
    }
  }
  for (Block &block : kernel.getBody())
    shareProducts(block);
  for (Block &block : kernel.getBody())
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
}

void VGIWFoldAddresses::runOnOperation() {
  std::optional<chansim::Machine> description =
      vgiw::loadMachine(getOperation(), machine);
  if (!description)
    return signalPassFailure();
  for (auto kernel : getOperation().getOps<vgiw::KernelOp>()) {
    if (kernel.getStage() != vgiw::Stage::Graph) {
      kernel.emitError("is in stage '")
          << vgiw::stringifyStage(kernel.getStage()) << "', not in 'graph'";
      return signalPassFailure();
    }
    Folder(kernel, description->fabric.addressModes).run();
  }
}
