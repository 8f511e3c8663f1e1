//===- CheckPlacement.cpp - Check a placement against its block -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows each token through the units and switches, as they are set, and
// compares what that connects with the block. It shares nothing with placement
// and routing. A kernel passes unchanged, or the compilation fails:
//
//   unit 17 adds what units 3 and 12 send   ==   %c = compute add %a, %b
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/VGIW/Netlists.h"
#include "cilk2chan/Dialect/VGIW/Passes.h"
#include "cilk2chan/PlaceAndRoute/Legality.h"

#include "mlir/IR/BuiltinOps.h"

namespace cilk2chan {
#define GEN_PASS_DEF_VGIWCHECKPLACEMENT
#include "cilk2chan/Dialect/VGIW/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {
struct VGIWCheckPlacement
    : public cilk2chan::impl::VGIWCheckPlacementBase<VGIWCheckPlacement> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

/// Coordinates that no fabric has stay such.
template <typename Attribute> static chansim::Place placeOf(Attribute where) {
  auto clamp = [](uint32_t coordinate) {
    return static_cast<uint16_t>(std::min<uint32_t>(coordinate, UINT16_MAX));
  };
  return {clamp(where.getX()), clamp(where.getY())};
}

/// What the attributes of a placed block say. A port that does not exist, or an
/// operand too many, is left out, and so will be missed.
static pnr::Settings readSettings(Block &block, ArrayRef<Operation *> nodes) {
  pnr::Settings settings;
  for (auto [node, op] : llvm::enumerate(nodes))
    for (auto [replica, place] : llvm::enumerate(
             op->getAttrOfType<ArrayAttr>(vgiw::VGIWDialect::PlacesAttribute)
                 .getAsRange<vgiw::PlaceAttr>())) {
      pnr::UnitSetting unit;
      unit.at = placeOf(place);
      unit.node = replica * nodes.size() + node;
      for (auto [slot, port] : llvm::enumerate(place.getIn()))
        if (slot < unit.in.size())
          unit.in[slot] = chansim::parsePort(port.getValue());
      for (StringAttr name : place.getOut())
        if (std::optional<pnr::Port> port = chansim::parsePort(name.getValue()))
          unit.out.push_back(*port);
      settings.units.push_back(unit);
    }
  for (auto attribute :
       block.getTerminator()
           ->getAttrOfType<ArrayAttr>(vgiw::VGIWDialect::SwitchesAttribute)
           .getAsRange<vgiw::SwitchAttr>()) {
    pnr::SwitchSetting setting;
    setting.at = placeOf(attribute);
    for (auto [from, to] : llvm::zip(attribute.getFrom(), attribute.getTo())) {
      std::optional<pnr::Port> in = chansim::parsePort(from.getValue());
      std::optional<pnr::Port> out = chansim::parsePort(to.getValue());
      if (in && out)
        setting.map.push_back({*in, *out});
    }
    settings.switches.push_back(setting);
  }
  return settings;
}

void VGIWCheckPlacement::runOnOperation() {
  std::optional<chansim::Machine> description =
      vgiw::loadMachine(getOperation(), machine);
  if (!description)
    return signalPassFailure();
  for (auto kernel : getOperation().getOps<vgiw::KernelOp>()) {
    if (kernel.getStage() != vgiw::Stage::Placed) {
      kernel.emitError("is in stage '")
          << vgiw::stringifyStage(kernel.getStage()) << "', not in 'placed'";
      return signalPassFailure();
    }
    for (auto [id, block] : llvm::enumerate(kernel.getBody())) {
      if (vgiw::isMarker(block))
        continue;
      for (auto node : block.getOps<vgiw::AddressedOpInterface>())
        if (chansim::AddressModes needed = vgiw::addressModesOf(node);
            needed > description->fabric.addressModes) {
          node.emitError("needs the address modes '")
              << namesOf(needed)[size_t(needed)] << "', which the machine '"
              << description->name << "' does not have (fabric.address_modes)";
          return signalPassFailure();
        }
      SmallVector<Operation *> nodes = vgiw::nodesOf(block);
      unsigned replicas =
          nodes.front()
              ->getAttrOfType<ArrayAttr>(vgiw::VGIWDialect::PlacesAttribute)
              .size();
      std::vector<std::string> violations = pnr::findViolations(
          vgiw::makeNetlist(nodes, *description).replicated(replicas),
          readSettings(block, nodes), description->fabric);
      if (violations.empty())
        continue;
      InFlightDiagnostic error =
          emitError(vgiw::locationOf(block))
          << "block " << id << " of kernel '" << kernel.getSymName()
          << "' is not on the fabric as it should be: " << violations.front();
      for (const std::string &violation :
           ArrayRef(violations).drop_front().take_front(9))
        error.attachNote() << violation;
      return signalPassFailure();
    }
  }
}
