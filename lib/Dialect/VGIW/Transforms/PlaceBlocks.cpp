//===- PlaceBlocks.cpp - Place blocks on the fabric, route tokens ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives each node of a block a unit, and each edge a way through the switches.
// Simulated annealing places, and negotiated congestion routes
// (lib/PlaceAndRoute):
//
//   %c = compute add %a, %b         ->    unit 17 adds; its operands come by the
//                                         links 3 -> 9 -> 17 and 12 -> 17
//
// A block has as many replicas as fit.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/VGIW/Netlists.h"
#include "cilk2chan/Dialect/VGIW/Passes.h"
#include "cilk2chan/PlaceAndRoute/Mapping.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include <map>

namespace cilk2chan {
#define GEN_PASS_DEF_VGIWPLACEBLOCKS
#include "cilk2chan/Dialect/VGIW/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {
struct VGIWPlaceBlocks
    : public cilk2chan::impl::VGIWPlaceBlocksBase<VGIWPlaceBlocks> {
  using Base::Base;
  void runOnOperation() override;

private:
  LogicalResult place(vgiw::KernelOp kernel,
                      const chansim::Machine &description,
                      const pnr::Resources &fabric);

  /// What has been placed: programs have many blocks that are alike.
  std::map<std::vector<unsigned>, pnr::MapResult> mappings;
};
} // namespace

static void annotate(Block &block, ArrayRef<Operation *> nodes,
                     const pnr::Mapping &mapping,
                     const pnr::Resources &fabric) {
  Builder builder(block.getParent()->getContext());
  MLIRContext *context = builder.getContext();
  auto name = [&](pnr::Port port) {
    return builder.getStringAttr(chansim::portName(port));
  };
  pnr::Settings settings = pnr::settingsOf(mapping, fabric);
  SmallVector<SmallVector<Attribute>> places(
      nodes.size(), SmallVector<Attribute>(mapping.replicas));
  for (const pnr::UnitSetting &unit : settings.units) {
    SmallVector<StringAttr> in, out;
    for (std::optional<pnr::Port> port : unit.in)
      if (port)
        in.push_back(name(*port));
    for (pnr::Port port : unit.out)
      out.push_back(name(port));
    places[unit.node % nodes.size()][unit.node / nodes.size()] =
        vgiw::PlaceAttr::get(context, unit.at.x, unit.at.y, in, out);
  }
  for (auto [node, where] : llvm::zip(nodes, places))
    node->setAttr(vgiw::VGIWDialect::PlacesAttribute,
                  builder.getArrayAttr(where));
  SmallVector<Attribute> switches;
  for (const pnr::SwitchSetting &setting : settings.switches) {
    SmallVector<StringAttr> from, to;
    for (auto [one, other] : setting.map) {
      from.push_back(name(one));
      to.push_back(name(other));
    }
    switches.push_back(
        vgiw::SwitchAttr::get(context, setting.at.x, setting.at.y, from, to));
  }
  block.getTerminator()->setAttr(vgiw::VGIWDialect::SwitchesAttribute,
                                 builder.getArrayAttr(switches));
}

LogicalResult VGIWPlaceBlocks::place(vgiw::KernelOp kernel,
                                     const chansim::Machine &description,
                                     const pnr::Resources &fabric) {
  if (kernel.getStage() != vgiw::Stage::Fitted)
    return kernel.emitError("is in stage '")
           << vgiw::stringifyStage(kernel.getStage()) << "', not in 'fitted'";
  pnr::MapOptions options;
  options.seed = seed;
  for (auto [id, block] : llvm::enumerate(kernel.getBody())) {
    if (vgiw::isMarker(block))
      continue;
    SmallVector<Operation *> nodes = vgiw::nodesOf(block);
    pnr::Netlist netlist = vgiw::makeNetlist(nodes, description);
    auto [entry, isNew] = mappings.try_emplace(netlist.key());
    pnr::MapResult &result = entry->second;
    if (isNew)
      result = pnr::mapReplicas(netlist, fabric, options);
    if (auto *failed = std::get_if<pnr::MapFailure>(&result))
      return vgiw::refuse(kernel, vgiw::locationOf(block),
                          "block " + Twine(id) + " of it: " + failed->message);
    annotate(block, nodes, std::get<pnr::Mapping>(result), fabric);
  }
  kernel.setStage(vgiw::Stage::Placed);
  return success();
}

void VGIWPlaceBlocks::runOnOperation() {
  std::optional<chansim::Machine> description =
      vgiw::loadMachine(getOperation(), machine);
  if (!description)
    return signalPassFailure();
  pnr::Resources fabric(description->fabric);
  mappings.clear();
  for (auto kernel : getOperation().getOps<vgiw::KernelOp>())
    if (failed(place(kernel, *description, fabric)))
      return signalPassFailure();
}
