//===- Regalloc.cpp - Give each value a register --------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linear scan (Poletto and Sarkar, ACM TOPLAS 1999), class by class. A value that
// finds no register, or one that ends later, is spilled: then the scan begins
// anew, as stores and loads have short intervals of their own.
//
//===----------------------------------------------------------------------===//

#include "Intervals.h"
#include "ParallelMoves.h"

#include "cilk2chan/Dialect/SIMT/Passes.h"
#include "cilk2chan/Support/NamesInC.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <array>

namespace cilk2chan {
#define GEN_PASS_DEF_SIMTREGALLOC
#include "cilk2chan/Dialect/SIMT/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {

using Limits = std::array<unsigned, simt::RegisterClasses>;

/// One scan over the intervals.
class LinearScan {
public:
  LinearScan(simt::KernelOp kernel, const Limits &limits,
             const DenseSet<Value> &pinned)
      : kernel(kernel), pinned(pinned) {
    for (auto [set, limit] : llvm::zip(free, limits))
      set.resize(limit, true);
  }

  /// False if a value that must not be spilled has no register: then `stuck` is
  /// that value.
  bool run();

  /// Of the class that are in use at once.
  unsigned count(simt::RegisterClass kind) const {
    unsigned result = 0;
    for (auto [value, number] : registers)
      if (simt::classOf(value) == kind)
        result = std::max(result, number + 1);
    return result;
  }

  DenseMap<Value, unsigned> registers;
  SmallVector<Value> spilled;
  Value stuck;

private:
  using Active = SmallVector<LiveInterval>;

  bool assign(const LiveInterval &interval);
  std::optional<unsigned> choose(Value value, llvm::BitVector &set);
  std::optional<unsigned> registerOfPartner(Value value, llvm::BitVector &set);

  simt::KernelOp kernel;
  const DenseSet<Value> &pinned;
  std::array<llvm::BitVector, simt::RegisterClasses> free;
  std::array<Active, simt::RegisterClasses> active;
};

struct SIMTRegalloc : public cilk2chan::impl::SIMTRegallocBase<SIMTRegalloc> {
  using SIMTRegallocBase::SIMTRegallocBase;
  void runOnOperation() override;
};

/// Moves values between registers and private memory.
class Spiller {
public:
  Spiller(simt::KernelOp kernel, DenseSet<Value> &pinned)
      : kernel(kernel), pinned(pinned), bytes(kernel.getPrivateBytes()) {}

  void spill(Value value);
  /// Gives the kernel the private memory.
  void finish();

private:
  void spillArgument(BlockArgument argument);
  void recompute(Value value);
  Value local();
  int64_t makeSlot(Type type);
  Value load(OpBuilder &builder, Location location, Type type, int64_t slot);
  void store(OpBuilder &builder, Location location, Value value, int64_t slot);
  void loadForUsers(Value value, int64_t slot);

  simt::KernelOp kernel;
  DenseSet<Value> &pinned;
  Value localMemory;
  uint64_t bytes;
};

} // namespace

//===----------------------------------------------------------------------===//
// The scan
//===----------------------------------------------------------------------===//

/// A free register that saves a move: that of an argument to which the value is
/// passed, or of a value that is passed to the argument.
std::optional<unsigned> LinearScan::registerOfPartner(Value value,
                                                      llvm::BitVector &set) {
  auto tryPartner = [&](Value partner) -> std::optional<unsigned> {
    auto known = registers.find(partner);
    if (known == registers.end() || !set.test(known->second))
      return std::nullopt;
    return known->second;
  };
  for (OpOperand &use : value.getUses()) {
    auto branch = dyn_cast<BranchOpInterface>(use.getOwner());
    if (!branch)
      continue;
    std::optional<BlockArgument> argument =
        branch.getSuccessorBlockArgument(use.getOperandNumber());
    if (!argument)
      continue;
    if (std::optional<unsigned> found = tryPartner(*argument))
      return found;
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return std::nullopt;
  Block *block = argument.getOwner();
  for (Block *before : block->getPredecessors()) {
    auto branch = cast<BranchOpInterface>(before->getTerminator());
    for (unsigned i = 0; i < before->getNumSuccessors(); ++i) {
      if (before->getSuccessor(i) != block)
        continue;
      Value passed = branch.getSuccessorOperands(i)[argument.getArgNumber()];
      if (std::optional<unsigned> found = tryPartner(passed))
        return found;
    }
  }
  return std::nullopt;
}

std::optional<unsigned> LinearScan::choose(Value value, llvm::BitVector &set) {
  if (std::optional<unsigned> found = registerOfPartner(value, set))
    return found;
  int first = set.find_first();
  return first < 0 ? std::nullopt : std::optional<unsigned>(first);
}

bool LinearScan::assign(const LiveInterval &interval) {
  unsigned kind = unsigned(simt::classOf(interval.value));
  Active &others = active[kind];
  llvm::erase_if(others, [&](const LiveInterval &other) {
    if (other.end >= interval.begin)
      return false;
    free[kind].set(registers[other.value]);
    return true;
  });
  if (std::optional<unsigned> found = choose(interval.value, free[kind])) {
    free[kind].reset(*found);
    registers[interval.value] = *found;
    others.push_back(interval);
    return true;
  }
  // The one that ends last, if it may go.
  const LiveInterval *last =
      pinned.contains(interval.value) ? nullptr : &interval;
  for (const LiveInterval &other : others)
    if (!pinned.contains(other.value) && (!last || other.end > last->end))
      last = &other;
  if (!last) {
    stuck = interval.value;
    return false;
  }
  spilled.push_back(last->value);
  if (last == &interval)
    return true;
  registers[interval.value] = registers[last->value];
  registers.erase(last->value);
  others[last - others.begin()] = interval;
  return true;
}

bool LinearScan::run() {
  for (const LiveInterval &interval : findLiveIntervals(kernel))
    if (!assign(interval))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Spilling
//===----------------------------------------------------------------------===//

Value Spiller::local() {
  if (!localMemory) {
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    localMemory = simt::LocalOp::create(
        builder, kernel.getLoc(),
        simt::RegisterType::get(kernel.getContext(), simt::RegisterClass::D,
                                std::nullopt));
  }
  return localMemory;
}

int64_t Spiller::makeSlot(Type type) {
  constexpr unsigned sizes[simt::RegisterClasses] = {4, 8, 1};
  unsigned size = sizes[unsigned(cast<simt::RegisterType>(type).getKind())];
  int64_t slot = llvm::alignTo(bytes, size);
  bytes = slot + size;
  return slot;
}

Value Spiller::load(OpBuilder &builder, Location location, Type type,
                    int64_t slot) {
  StringRef word = simt::wordOf(cast<simt::RegisterType>(type).getKind());
  Value loaded =
      simt::InstOp::create(builder, location, type, ("load." + word).str(),
                           ValueRange(local()), slot)
          .getResult();
  pinned.insert(loaded);
  return loaded;
}

void Spiller::store(OpBuilder &builder, Location location, Value value,
                    int64_t slot) {
  StringRef word = simt::wordOf(simt::classOf(value));
  simt::InstOp::create(builder, location, Type(), ("store." + word).str(),
                       ValueRange({local(), value}), slot);
}

void Spiller::loadForUsers(Value value, int64_t slot) {
  llvm::SmallSetVector<Operation *, 8> users(value.getUsers().begin(),
                                             value.getUsers().end());
  for (Operation *user : users) {
    OpBuilder builder(user);
    user->replaceUsesOfWith(
        value, load(builder, user->getLoc(), value.getType(), slot));
  }
}

/// What a terminator with one successor passes to it; nothing for others.
static std::optional<MutableOperandRange> passedBy(Operation *terminator) {
  using Passed = std::optional<MutableOperandRange>;
  return TypeSwitch<Operation *, Passed>(terminator)
      .Case<simt::BraOp, simt::YieldOp, simt::BarOp>(
          [](auto op) -> Passed { return op.getDestOperandsMutable(); })
      .Default(Passed());
}

/// What is passed goes through a slot of its own: one argument may be passed what
/// another one was before.
void Spiller::spillArgument(BlockArgument argument) {
  Block *block = argument.getOwner();
  unsigned number = argument.getArgNumber();
  int64_t passed = makeSlot(argument.getType());
  int64_t home = makeSlot(argument.getType());
  loadForUsers(argument, home);
  OpBuilder builder = OpBuilder::atBlockBegin(block);
  store(builder, argument.getLoc(),
        load(builder, argument.getLoc(), argument.getType(), passed), home);
  for (Block *before : block->getPredecessors()) {
    Operation *branch = before->getTerminator();
    MutableOperandRange operands = *passedBy(branch);
    builder.setInsertionPoint(branch);
    store(builder, branch->getLoc(), operands[number].get(), passed);
    operands.erase(number);
  }
  block->eraseArgument(number);
}

/// Whether the value is computed from operands that need no register.
static bool isCheap(Value value) {
  auto inst = value.getDefiningOp<simt::InstOp>();
  return inst && !inst.accessesMemory() &&
         llvm::all_of(inst.getOperands(), simt::isImmediate);
}

/// Each user computes the value for itself.
void Spiller::recompute(Value value) {
  Operation *definition = value.getDefiningOp();
  llvm::SmallSetVector<Operation *, 8> users(value.getUsers().begin(),
                                             value.getUsers().end());
  for (Operation *user : users) {
    OpBuilder builder(user);
    Value again = builder.clone(*definition)->getResult(0);
    pinned.insert(again);
    user->replaceUsesOfWith(value, again);
  }
  definition->erase();
}

void Spiller::spill(Value value) {
  if (isCheap(value))
    return recompute(value);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return spillArgument(argument);
  pinned.insert(value);
  int64_t slot = makeSlot(value.getType());
  loadForUsers(value, slot);
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointAfter(value.getDefiningOp());
  store(builder, value.getLoc(), value, slot);
}

void Spiller::finish() {
  uint64_t before = kernel.getPrivateBytes();
  if (bytes == before)
    return;
  // Objects of a thread stay aligned as they were: to a line at most.
  constexpr uint64_t least = 16, most = 128;
  uint64_t alignment =
      before ? std::clamp(before & -before, least, most) : least;
  kernel.setPrivateBytes(llvm::alignTo(bytes, alignment));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// So that the moves of a branch are on one way only.
static void splitEdges(simt::KernelOp kernel) {
  for (Block &block : llvm::make_early_inc_range(kernel.getBody())) {
    auto branch = dyn_cast<simt::CondBraOp>(block.getTerminator());
    if (!branch)
      continue;
    for (unsigned i = 0; i < 2; ++i) {
      MutableOperandRange operands = i == 0 ? branch.getTrueOperandsMutable()
                                            : branch.getFalseOperandsMutable();
      if (operands.empty())
        continue;
      auto *between = new Block;
      between->insertAfter(&block);
      OpBuilder builder = OpBuilder::atBlockEnd(between);
      simt::BraOp::create(builder, branch.getLoc(), ValueRange(operands),
                          block.getSuccessor(i));
      operands.clear();
      branch->setSuccessor(between, i);
    }
  }
}

static void setRegisters(simt::KernelOp kernel,
                         const DenseMap<Value, unsigned> &registers) {
  std::array<int64_t, simt::RegisterClasses> counts{};
  for (auto [value, number] : registers) {
    simt::RegisterClass kind = simt::classOf(value);
    int64_t &count = counts[unsigned(kind)];
    count = std::max<int64_t>(count, number + 1);
    Value(value).setType(
        simt::RegisterType::get(kernel.getContext(), kind, number));
  }
  for (Block &block : kernel.getBody()) {
    Operation *terminator = block.getTerminator();
    if (std::optional<MutableOperandRange> passed = passedBy(terminator))
      insertMoves(terminator, *passed,
                  terminator->getSuccessor(0)->getArguments());
  }
  kernel.setRegisters(counts);
}

/// Registers of classes s and d for `words` words of 32 bits, in the proportion in
/// which they are wanted.
static Limits divide(unsigned words, unsigned wantedS, unsigned wantedD) {
  constexpr unsigned unlimited = 1 << 16;
  // For the operands of an instruction, and its result.
  constexpr unsigned leastRegisters = 4;
  unsigned wanted = wantedS + 2 * wantedD;
  if (wanted <= words)
    return {wantedS, wantedD, unlimited};
  unsigned d = words * wantedD / wanted;
  d = std::clamp(d, std::min(wantedD, leastRegisters), words / 2);
  if (wantedS && words - 2 * d < leastRegisters)
    d = words > leastRegisters ? (words - leastRegisters) / 2 : 0;
  return {words - 2 * d, d, unlimited};
}

void SIMTRegalloc::runOnOperation() {
  simt::KernelOp kernel = getOperation();
  if (kernel.getRegisters()) {
    kernel.emitError("kernel '")
        << kernel.getSymName() << "' already has registers";
    return signalPassFailure();
  }
  splitEdges(kernel);
  DenseSet<Value> pinned;
  Spiller spiller(kernel, pinned);
  constexpr unsigned most = 1 << 16;
  Limits limits = {most, most, most};
  LinearScan unlimited(kernel, limits, pinned);
  unlimited.run();
  limits = divide(registers, unlimited.count(simt::RegisterClass::S),
                  unlimited.count(simt::RegisterClass::D));
  for (;;) {
    LinearScan scan(kernel, limits, pinned);
    if (!scan.run()) {
      bool hasLine =
          bool(scan.stuck.getLoc()->findInstanceOf<FileLineColLoc>());
      emitError(hasLine ? scan.stuck.getLoc() : kernel.getLoc())
          << describeKernel(kernel.getSymName(), kernel.getSource())
          << " needs more registers than a thread has: "
          << (machine.empty() ? "" : machine + ": ") << "simt.registers is "
          << registers.getValue();
      return signalPassFailure();
    }
    if (scan.spilled.empty()) {
      setRegisters(kernel, scan.registers);
      break;
    }
    for (Value value : scan.spilled)
      spiller.spill(value);
  }
  spiller.finish();
}
