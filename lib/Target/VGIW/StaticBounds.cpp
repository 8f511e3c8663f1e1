//===- StaticBounds.cpp - What limits placed kernels ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A replica starts one thread a cycle at most, so a block with r replicas of n
// instructions does r x n instructions a cycle, if memory never makes it wait.
// A streaming multiprocessor (SM) of Fermi issues 32: it does n instructions of
// 32 threads in n cycles.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Target/VGIW/StaticBounds.h"

#include "cilk2chan/Dialect/VGIW/Netlists.h"
#include "cilk2chan/Dialect/VGIW/VGIW.h"
#include "machine/Machine.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace cilk2chan;
using chansim::UnitKind;

/// Lanes of a streaming multiprocessor (MICRO'15, section 4: 32 CUDA cores).
static constexpr unsigned lanesOfSM = 32;

using Counts = std::array<uint32_t, chansim::kUnitKinds>;

namespace {
struct Bound {
  unsigned replicas = 0;
  Counts units{};
  unsigned instructions = 0;
};
} // namespace

static Bound boundOf(Block &block) {
  Bound bound;
  SmallVector<Operation *> nodes = vgiw::nodesOf(block);
  bound.replicas =
      nodes.front()
          ->getAttrOfType<ArrayAttr>(vgiw::VGIWDialect::PlacesAttribute)
          .size();
  for (Operation *node : nodes) {
    UnitKind kind = cast<vgiw::NodeOpInterface>(node).getUnit();
    ++bound.units[size_t(kind)];
    // What else there is (live values, splits, joins, the ends of blocks) is
    // for the fabric alone.
    bound.instructions +=
        kind == UnitKind::compute || kind == UnitKind::special ||
        kind == UnitKind::loadStore || isa<vgiw::CondBranchOp>(node);
  }
  return bound;
}

/// What the block has too little of for one more replica.
static std::string limitOf(const Bound &bound,
                           const chansim::Machine &machine) {
  std::string limit;
  Counts available = machine.fabric.countUnits();
  for (auto [kind, needed] : llvm::enumerate(bound.units))
    if (needed * (bound.replicas + 1) > available[kind]) {
      if (!limit.empty())
        limit += ' ';
      limit += chansim::unitName(UnitKind(kind));
    }
  if (!limit.empty())
    return limit;
  return bound.replicas == machine.fabric.replicas ? "replicas" : "links";
}

/// "fib.c:3"; empty if only the place of the kernel is known.
static std::string placeOf(Block &block) {
  Location place = vgiw::locationOf(block);
  auto line = place == block.getParentOp()->getLoc()
                  ? FileLineColLoc()
                  : place->findInstanceOf<FileLineColLoc>();
  return line ? (llvm::sys::path::filename(line.getFilename().getValue()) +
                 ":" + Twine(line.getLine()))
                    .str()
              : std::string();
}

void cilk2chan::emitStaticBounds(ModuleOp module,
                                 const chansim::Machine &machine,
                                 llvm::raw_ostream &os) {
  os << "Instructions a cycle at most, on the machine '" << machine.name
     << "'. An SM issues " << lanesOfSM << ".\n";
  for (auto kernel : module.getOps<vgiw::KernelOp>()) {
    os << "\nkernel " << kernel.getSymName().split(".device.").first;
    if (std::optional<StringRef> source = kernel.getSource())
      os << " of " << *source;
    os << ", " << kernel.getLiveValues() << " live values\n"
       << "block  replicas  instructions  a cycle  of an SM";
    for (unsigned kind = 0; kind != chansim::kUnitKinds; ++kind)
      os << llvm::right_justify(chansim::unitName(UnitKind(kind)), 9);
    os << "  limited by     line\n";
    unsigned id = 0;
    for (Block &block : kernel.getBody()) {
      if (vgiw::isMarker(block))
        continue;
      Bound bound = boundOf(block);
      unsigned rate = bound.replicas * bound.instructions;
      os << llvm::format("%5u  %8u  %12u  %7u  %8.2f", id++, bound.replicas,
                         bound.instructions, rate, double(rate) / lanesOfSM);
      for (uint32_t count : bound.units)
        os << llvm::format("%9u", count);
      os << "  " << llvm::left_justify(limitOf(bound, machine), 13) << "  "
         << placeOf(block) << '\n';
    }
  }
}
