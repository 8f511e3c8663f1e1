//===- KernelFloorplans.cpp - Pictures of placed kernels ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws placed kernels as an SVG picture: an overview of all blocks, and below
// it a floorplan of each (lib/PlaceAndRoute/Floorplan.cpp). The attributes
// `vgiw.places` and `vgiw.switches` of a block become a mapping again:
//
//   #vgiw.place<x = 4, y = 2, ...>      ->  the node is on unit (4, 2)
//   #vgiw.switch<x = 1, y = 1, ...>     ->  an edge goes through switch (1, 1)
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Target/VGIW/KernelFloorplans.h"

#include "cilk2chan/Dialect/VGIW/Netlists.h"
#include "cilk2chan/PlaceAndRoute/Floorplan.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace cilk2chan;
using chansim::Port;

namespace {

/// The attributes of a placed block as a mapping again.
class PlacedBlock {
public:
  PlacedBlock(Block &block, const chansim::Machine &machine,
              const pnr::Resources &fabric)
      : block(block), nodes(vgiw::nodesOf(block)), machine(machine),
        fabric(fabric) {}

  pnr::Mapping read();

private:
  vgiw::PlaceAttr place(unsigned node, unsigned replica) const {
    return cast<vgiw::PlaceAttr>(nodes[node]->getAttrOfType<ArrayAttr>(
        vgiw::VGIWDialect::PlacesAttribute)[replica]);
  }
  unsigned linkBy(unsigned vertex, Port port) const;
  pnr::Route follow(unsigned vertex, Port port) const;

  Block &block;
  SmallVector<Operation *> nodes;
  const chansim::Machine &machine;
  const pnr::Resources &fabric;
  /// Where a switch sends what comes in by a port.
  DenseMap<std::pair<unsigned, unsigned>, Port> sends;
};

} // namespace

static Port portOf(StringAttr name) {
  return *chansim::parsePort(name.getValue());
}

unsigned PlacedBlock::linkBy(unsigned vertex, Port port) const {
  return *llvm::find_if(fabric.outgoing(vertex), [&](unsigned link) {
    return fabric.links()[link].sourcePort == port;
  });
}

/// The links from a port of a unit, through switches, to another unit.
pnr::Route PlacedBlock::follow(unsigned vertex, Port port) const {
  pnr::Route route;
  while (true) {
    route.push_back(linkBy(vertex, port));
    const pnr::Resources::Link &link = fabric.links()[route.back()];
    vertex = link.target;
    if (fabric.isUnit(vertex))
      return route;
    port = sends.lookup({vertex, unsigned(link.targetPort)});
  }
}

pnr::Mapping PlacedBlock::read() {
  const chansim::Fabric &grid = machine.fabric;
  auto index = [&](unsigned x, unsigned y) {
    return grid.index({uint16_t(x), uint16_t(y)});
  };
  for (auto setting :
       block.getTerminator()
           ->getAttrOfType<ArrayAttr>(vgiw::VGIWDialect::SwitchesAttribute)
           .getAsRange<vgiw::SwitchAttr>())
    for (auto [from, to] : llvm::zip(setting.getFrom(), setting.getTo()))
      sends[{fabric.numUnits() + index(setting.getX(), setting.getY()),
             unsigned(portOf(from))}] = portOf(to);

  pnr::Mapping mapping;
  mapping.replicas =
      nodes.front()
          ->getAttrOfType<ArrayAttr>(vgiw::VGIWDialect::PlacesAttribute)
          .size();
  mapping.netlist =
      vgiw::makeNetlist(nodes, machine).replicated(mapping.replicas);
  // By unit and port of an input: the way that ends there.
  DenseMap<std::pair<unsigned, unsigned>, pnr::Route> ways;
  for (unsigned replica = 0; replica < mapping.replicas; ++replica)
    for (unsigned node = 0; node < nodes.size(); ++node) {
      vgiw::PlaceAttr at = place(node, replica);
      unsigned unit = index(at.getX(), at.getY());
      mapping.placement.push_back(unit);
      for (StringAttr out : at.getOut()) {
        pnr::Route way = follow(unit, portOf(out));
        const pnr::Resources::Link &last = fabric.links()[way.back()];
        ways[{last.target, unsigned(last.targetPort)}] = std::move(way);
      }
    }
  for (const pnr::Edge &edge : mapping.netlist.edges) {
    vgiw::PlaceAttr at =
        place(edge.target % nodes.size(), edge.target / nodes.size());
    mapping.routing.routes.push_back(
        ways[{mapping.placement[edge.target],
              unsigned(portOf(at.getIn()[edge.operand]))}]);
  }
  mapping.longestWay =
      pnr::longestWay(mapping.netlist, mapping.routing, fabric);
  return mapping;
}

/// "fib.0, block 1 of 4, then 2 or exit (fib.c:3)"
static std::string titleOf(vgiw::KernelOp kernel, Block &block) {
  DenseMap<Block *, unsigned> ids;
  for (Block &each : kernel.getBody())
    if (!vgiw::isMarker(each))
      ids.try_emplace(&each, ids.size());
  auto after = [&](Block *next) -> std::string {
    if (!vgiw::isMarker(*next))
      return std::to_string(ids.lookup(next));
    if (isa<vgiw::RestartOp>(next->front()))
      return "restart";
    if (auto yield = dyn_cast<vgiw::YieldOp>(next->front()))
      return "yield to " + std::to_string(ids.lookup(yield.getDest()));
    if (auto barrier = dyn_cast<vgiw::BarrierOp>(next->front()))
      return "barrier to " + std::to_string(ids.lookup(barrier.getDest()));
    return "exit";
  };
  Operation *terminator = block.getTerminator();
  SmallVector<std::string, 2> ways;
  if (isa<vgiw::ExitOp>(terminator))
    ways.push_back("exit");
  for (Block *next : terminator->getSuccessors())
    ways.push_back((isa<vgiw::YieldOp>(terminator)     ? "yield to "
                    : isa<vgiw::BarrierOp>(terminator) ? "barrier to "
                                                       : "") +
                   after(next));
  std::string title = (kernel.getSymName().split(".device.").first +
                       ", block " + Twine(ids.lookup(&block)) + " of " +
                       Twine(ids.size()) + ", then " + llvm::join(ways, " or "))
                          .str();
  if (auto line = terminator->getLoc()->findInstanceOf<FileLineColLoc>())
    title += (" (" + llvm::sys::path::filename(line.getFilename().getValue()) +
              ":" + Twine(line.getLine()) + ")")
                 .str();
  return title;
}

namespace {

/// A block with its picture's column and row.
struct Cell {
  vgiw::KernelOp kernel;
  Block *block;
  unsigned column, row;
  pnr::Mapping mapping;
};

/// The table in front of the pictures, a line for each: what the block is, what
/// follows it, where its picture is, and how full the fabric is.
class Overview {
public:
  static constexpr int kWidth = 1150;

  Overview(ArrayRef<Cell> cells, const pnr::Resources &fabric)
      : cells(cells), fabric(fabric) {}

  int height() const {
    return cells.size() > 1 ? kTop + kLine * int(cells.size() + 1) : 0;
  }
  void paint(llvm::raw_ostream &os) const;

private:
  // Pixels.
  static constexpr int kTop = 80, kLine = 22, kMargin = 40, kBar = 120;
  /// Where the columns begin.
  static constexpr int kPlace = kMargin + 460, kReplicas = kPlace + 150,
                       kNodes = kReplicas + 80, kUnits = kNodes + 80,
                       kWay = kUnits + kBar + 90;

  void paintText(llvm::raw_ostream &os, int x, int y, const Twine &text,
                 bool isTitle = false) const {
    os << "<text font-family=\"Helvetica, Arial, sans-serif\" font-size=\""
       << (isTitle ? 18 : 13) << '"' << (isTitle ? " font-weight=\"bold\"" : "")
       << " x=\"" << x << "\" y=\"" << y << "\">";
    llvm::printHTMLEscaped(text.str(), os);
    os << "</text>\n";
  }
  void paintLine(llvm::raw_ostream &os, const Cell &cell, int y) const;

  ArrayRef<Cell> cells;
  const pnr::Resources &fabric;
};

} // namespace

void Overview::paintLine(llvm::raw_ostream &os, const Cell &cell, int y) const {
  const pnr::Mapping &mapping = cell.mapping;
  size_t used = mapping.netlist.nodes.size(), all = fabric.numUnits();
  paintText(os, kMargin, y, titleOf(cell.kernel, *cell.block));
  paintText(os, kPlace, y,
            "row " + Twine(cell.row + 1) + ", column " +
                Twine(cell.column + 1));
  paintText(os, kReplicas, y, Twine(mapping.replicas));
  paintText(os, kNodes, y, Twine(used));
  os << "<rect fill=\"#eee\" x=\"" << kUnits << "\" y=\"" << y - 11
     << "\" width=\"" << kBar << "\" height=\"13\"/>\n<rect fill=\"#1f5fa8\" "
     << "x=\"" << kUnits << "\" y=\"" << y - 11 << "\" width=\""
     << kBar * used / all << "\" height=\"13\"/>\n";
  paintText(os, kUnits + kBar + 8, y, Twine(100 * used / all) + " %");
  paintText(os, kWay, y, Twine(mapping.longestWay) + " cycles");
}

void Overview::paint(llvm::raw_ostream &os) const {
  if (!height())
    return;
  os << "<rect fill=\"white\" width=\"" << kWidth << "\" height=\"" << height()
     << "\"/>\n";
  paintText(os, kMargin, 32,
            "Overview: " + Twine(cells.size()) +
                " blocks. Each has a picture below.",
            /*isTitle=*/true);
  paintText(os, kMargin, kTop - 22, "block");
  paintText(os, kPlace, kTop - 22, "its picture");
  paintText(os, kReplicas, kTop - 22, "replicas");
  paintText(os, kNodes, kTop - 22, "nodes");
  paintText(os, kUnits, kTop - 22, "units in use");
  paintText(os, kWay, kTop - 22, "longest way");
  for (auto [line, cell] : llvm::enumerate(cells))
    paintLine(os, cell, kTop + kLine * int(line));
}

/// Pictures beside each other.
constexpr unsigned kBlocksPerRow = 6;

void cilk2chan::emitFloorplans(ModuleOp module, const chansim::Machine &machine,
                               llvm::raw_ostream &os) {
  pnr::Resources fabric(machine.fabric);
  // A row of blocks for each kernel, or more where it has many.
  std::vector<Cell> cells;
  unsigned rows = 0, columns = 0;
  for (auto kernel : module.getOps<vgiw::KernelOp>()) {
    unsigned column = 0;
    for (Block &block : kernel.getBody()) {
      if (vgiw::isMarker(block))
        continue;
      cells.push_back({kernel, &block, column % kBlocksPerRow,
                       rows + column / kBlocksPerRow,
                       PlacedBlock(block, machine, fabric).read()});
      columns = std::max(columns, cells.back().column + 1);
      ++column;
    }
    rows = cells.empty() ? 0 : cells.back().row + 1;
  }
  auto [width, height] = pnr::floorplanSize(fabric);
  Overview overview(cells, fabric);
  int whole = std::max<int>(width * columns, Overview::kWidth);
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << whole
     << "\" height=\"" << overview.height() + height * rows << "\">\n";
  overview.paint(os);
  for (const Cell &cell : cells) {
    os << "<svg x=\"" << width * cell.column << "\" y=\""
       << overview.height() + height * cell.row << "\" width=\"" << width
       << "\" height=\"" << height << "\">\n";
    pnr::emitFloorplan(cell.mapping, fabric, titleOf(cell.kernel, *cell.block),
                       os);
    os << "</svg>\n";
  }
  os << "</svg>\n";
}
