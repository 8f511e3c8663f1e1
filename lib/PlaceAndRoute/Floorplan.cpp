//===- Floorplan.cpp - A picture of a placed and routed block -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/PlaceAndRoute/Floorplan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace cilk2chan::pnr;
using chansim::Site;

namespace {

// Pixels.
constexpr int pitch = 104;      // between units
constexpr int half = pitch / 2; // between a unit and its switches
constexpr int unitRadius = 31;
constexpr int switchRadius = 10;
constexpr int lane = 4;   // of a link, to the right of the line between ends
constexpr int bulge = 15; // of a link between switches
constexpr int margin = 40;
constexpr int header = 44;
constexpr int legendRow = 24;

struct Point {
  int x, y;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(int n, Point a) { return {n * a.x, n * a.y}; }
  friend bool operator==(Point, Point) = default;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Point point) {
  return os << point.x << ' ' << point.y;
}

Point heading(Port port) {
  constexpr Point headings[chansim::kPorts] = {
      {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}};
  return headings[static_cast<unsigned>(port)];
}

Point right(Point heading) { return {-heading.y, heading.x}; }

/// Frames of the kinds, fills of the replicas (as many as differ well).
constexpr const char *kindColours[chansim::kUnitKinds] = {
    "#1f5fa8", "#8e44ad", "#c0392b", "#d68910", "#5d6d7e", "#1e8449"};
constexpr const char *replicaColours[] = {"#dbeafe", "#fde2d4", "#d9f2dd",
                                          "#f8d7e8", "#fdf3c4", "#d5f1f1",
                                          "#e6dcf7", "#e9e4da"};

std::string escaped(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += c;
    }
  }
  return result;
}

class Painter {
public:
  Painter(const Mapping &mapping, const Resources &fabric,
          llvm::raw_ostream &os)
      : mapping(mapping), netlist(mapping.netlist), fabric(fabric),
        grid(fabric.geometry()), os(os), width(floorplanSize(fabric).first),
        height(floorplanSize(fabric).second),
        gridHeight(height - header - 4 * legendRow) {}

  void paint(llvm::StringRef title);

private:
  Point centre(Site site) const {
    Point unit = {margin + half + pitch * site.at.x,
                  header + margin + half + pitch * site.at.y};
    return site.isSwitch ? unit + Point{half, half} : unit;
  }
  /// From the middle of a site to that of the one across a port.
  Point step(Site site, Port port) const {
    int reach = chansim::isDiagonal(port) ? half
                : site.isSwitch           ? pitch * int(grid.switchReach)
                                          : pitch;
    return reach * heading(port);
  }
  /// Where a way that heads so leaves or meets the outline of a site.
  Point anchor(Site site, Port port, Point direction) const {
    int radius = site.isSwitch ? switchRadius : unitRadius;
    int along =
        chansim::isDiagonal(port) && site.isSwitch ? radius * 7 / 10 : radius;
    int aside = chansim::isDiagonal(port) ? lane * 7 / 10 : lane;
    return along * heading(port) + aside * right(direction);
  }
  std::vector<Point> copies(Site site) const;
  std::string colour(unsigned node) const;
  std::string nodeName(unsigned node) const;
  void paintStyle();
  void paintSwitches();
  void paintEdge(unsigned index);
  void paintLink(const Resources::Link &link, bool last);
  void paintUnit(unsigned unit, const Node *node);
  void paintLegend(int top);

  const Mapping &mapping;
  const Netlist &netlist;
  const Resources &fabric;
  const chansim::Fabric &grid;
  llvm::raw_ostream &os;
  int width, height, gridHeight;
};

} // namespace

/// The middles at which a site is drawn: its place and, for switches at the far
/// edges of a folded grid, before the first.
std::vector<Point> Painter::copies(Site site) const {
  std::vector<Point> result(1, centre(site));
  if (!site.isSwitch || !grid.folded)
    return result;
  if (site.at.x + 1u == grid.columns)
    result.push_back(result[0] - Point{int(grid.columns) * pitch, 0});
  if (site.at.y + 1u == grid.rows)
    for (Point copy : std::vector<Point>(result))
      result.push_back(copy - Point{0, int(grid.rows) * pitch});
  return result;
}

/// Neighbours in the netlist get hues far apart (steps of the golden angle).
std::string Painter::colour(unsigned node) const {
  static constexpr int lightness[] = {38, 50, 30};
  return "hsl(" + std::to_string(node * 2225 / 6 % 360 * 137 % 360) + ",75%," +
         std::to_string(lightness[node % 3]) + "%)";
}

std::string Painter::nodeName(unsigned node) const {
  const Node &known = netlist.nodes[node];
  std::string text = std::to_string(known.id) + " " + known.op;
  if (mapping.replicas > 1)
    text += " (replica " + std::to_string(known.replica) + ")";
  return text;
}

void Painter::paintStyle() {
  os << "<style>\n"
        "text { font-family: Helvetica, Arial, sans-serif; font-size: 12px; "
        "fill: #222; }\n"
        ".title { font-size: 18px; font-weight: bold; }\n"
        ".op { font-size: 11.5px; font-weight: bold; text-anchor: middle; }\n"
        ".type { font-size: 10px; text-anchor: middle; }\n"
        ".small { font-size: 9px; }\n"
        ".unit { stroke-width: 2.5; }\n"
        ".free { fill: #fafafa; stroke-width: 1; stroke-opacity: 0.45; }\n"
        ".letter { font-size: 17px; text-anchor: middle; "
        "fill-opacity: 0.35; }\n"
        ".switch { fill: white; stroke: #b5b5b5; }\n"
        ".copy { stroke-dasharray: 2 2; }\n"
        ".way { fill: none; stroke-width: 2; stroke-linejoin: round; }\n"
        ".way:hover { stroke-width: 5; }\n"
        "</style>\n";
}

void Painter::paintSwitches() {
  for (unsigned index = 0; index != grid.size(); ++index) {
    Site site = {grid.place(index), true};
    for (auto [copy, middle] : llvm::enumerate(copies(site)))
      os << "<rect class=\"switch" << (copy ? " copy" : "") << "\" x=\""
         << middle.x - switchRadius << "\" y=\"" << middle.y - switchRadius
         << "\" width=\"" << 2 * switchRadius << "\" height=\""
         << 2 * switchRadius << "\" rx=\"4\"/>\n";
  }
}

/// A link as a part of a path, twice if it leaves the grid and comes back.
void Painter::paintLink(const Resources::Link &link, bool last) {
  Site from = fabric.site(link.source), to = fabric.site(link.target);
  Point way = heading(link.sourcePort), whole = step(from, link.sourcePort);
  llvm::SmallVector<Point, 6> starts;
  for (Point start : copies(from))
    if (llvm::is_contained(copies(to), start + whole))
      starts.push_back(start);
  if (starts.empty())
    starts = {centre(from), centre(to) - whole};
  for (Point start : starts) {
    Point begin = start + anchor(from, link.sourcePort, way);
    Point end = start + whole + anchor(to, link.targetPort, way);
    os << 'M' << begin;
    if (from.isSwitch && to.isSwitch) {
      Point quarter = (bulge * 2 - lane) * right(way);
      Point middle = begin + end;
      os << 'Q' << Point{middle.x / 2, middle.y / 2} + quarter << ' ' << end;
    } else {
      os << 'L' << end;
    }
    if (!last)
      continue;
    // An arrow's head.
    bool diagonal = way.x != 0 && way.y != 0;
    Point back = (diagonal ? 5 : 7) * way,
          side = (diagonal ? 3 : 4) * right(way);
    os << 'M' << end - back + side << 'L' << end << 'L' << end - back - side;
  }
}

void Painter::paintEdge(unsigned index) {
  const Edge &edge = netlist.edges[index];
  const Route &route = mapping.routing.routes[index];
  os << "<path class=\"way\" stroke=\"" << colour(edge.source) << "\" d=\"";
  for (auto [position, name] : llvm::enumerate(route)) {
    const Resources::Link &link = fabric.links()[name];
    if (position != 0) {
      Site here = fabric.site(link.source);
      Port in = fabric.links()[route[position - 1]].targetPort;
      for (Point middle : copies(here))
        os << 'M' << middle + anchor(here, in, -1 * heading(in)) << 'L'
           << middle + anchor(here, link.sourcePort, heading(link.sourcePort));
    }
    paintLink(link, position + 1 == route.size());
  }
  os << "\"><title>" << escaped(nodeName(edge.source)) << " to input "
     << edge.operand << " of " << escaped(nodeName(edge.target)) << ", "
     << route.size() << (route.size() == 1 ? " link" : " links")
     << "</title></path>\n";
}

void Painter::paintUnit(unsigned unit, const Node *node) {
  UnitKind kind = grid.units[unit];
  const char *frame = kindColours[static_cast<size_t>(kind)];
  Point middle = centre(fabric.site(unit));
  os << "<rect class=\"" << (node ? "unit" : "free") << "\" x=\""
     << middle.x - unitRadius << "\" y=\"" << middle.y - unitRadius
     << "\" width=\"" << 2 * unitRadius << "\" height=\"" << 2 * unitRadius
     << "\" rx=\"7\" stroke=\"" << frame << '"';
  if (!node) {
    os << "/>\n<text class=\"letter\" style=\"fill:" << frame << "\" x=\""
       << middle.x << "\" y=\"" << middle.y + 6 << "\">"
       << chansim::unitLetter(kind) << "</text>\n";
    return;
  }
  auto [name, type] = llvm::StringRef(node->op).split('.');
  os << " fill=\"" << replicaColours[node->replica % std::size(replicaColours)]
     << "\"><title>" << escaped(nodeName(node - netlist.nodes.data())) << " on "
     << unitName(kind) << "</title></rect>\n"
     << "<text class=\"small\" x=\"" << middle.x - unitRadius + 6 << "\" y=\""
     << middle.y - unitRadius + 12 << "\">" << node->id << "</text>\n"
     << "<text class=\"small\" style=\"fill:" << frame
     << ";font-weight:bold\" text-anchor=\"end\" x=\""
     << middle.x + unitRadius - 6 << "\" y=\"" << middle.y - unitRadius + 12
     << "\">" << chansim::unitLetter(kind) << "</text>\n"
     << "<text class=\"op\" x=\"" << middle.x << "\" y=\""
     << middle.y + (type.empty() ? 6 : 3) << '"';
  // What is too long for its unit is set closer.
  if (name.size() > 9)
    os << " textLength=\"" << 2 * unitRadius - 6
       << "\" lengthAdjust=\"spacingAndGlyphs\"";
  os << '>' << escaped(name) << "</text>\n";
  if (!type.empty())
    os << "<text class=\"type\" x=\"" << middle.x << "\" y=\"" << middle.y + 17
       << "\">" << escaped(type) << "</text>\n";
}

void Painter::paintLegend(int top) {
  KindCounts used = netlist.demand();
  int column = (width - 2 * margin) / chansim::kUnitKinds;
  for (unsigned index = 0; index != chansim::kUnitKinds; ++index) {
    UnitKind kind = static_cast<UnitKind>(index);
    int x = margin + index * column;
    os << "<rect class=\"unit\" fill=\"white\" stroke=\"" << kindColours[index]
       << "\" x=\"" << x << "\" y=\"" << top << "\" width=\"16\" height=\"16\" "
       << "rx=\"3\"/>\n<text x=\"" << x + 24 << "\" y=\"" << top + 13 << "\">"
       << chansim::unitLetter(kind) << ' ' << unitName(kind) << ": "
       << used[index] << " of " << fabric.units(kind).size() << "</text>\n";
  }
  top += legendRow;
  unsigned colours =
      std::min<unsigned>(mapping.replicas, std::size(replicaColours));
  int x = margin;
  for (unsigned replica = 0; replica != colours; ++replica) {
    os << "<rect fill=\"" << replicaColours[replica]
       << "\" stroke=\"#888\" x=\"" << x << "\" y=\"" << top
       << "\" width=\"16\" height=\"16\" rx=\"3\"/>\n<text x=\"" << x + 24
       << "\" y=\"" << top + 13 << "\">replica " << replica << "</text>\n";
    x += 100;
  }
  top += legendRow;
  x = margin;
  os << "<rect class=\"switch\" x=\"" << x << "\" y=\"" << top
     << "\" width=\"16\" height=\"16\" rx=\"4\"/>\n<text x=\"" << x + 24
     << "\" y=\"" << top + 13 << "\">switch</text>\n";
  x += 90;
  if (grid.folded) {
    os << "<rect class=\"switch copy\" x=\"" << x << "\" y=\"" << top
       << "\" width=\"16\" height=\"16\" rx=\"4\"/>\n<text x=\"" << x + 24
       << "\" y=\"" << top + 13
       << "\">the same switch as at the other side</text>\n";
    x += 260;
  }
  os << "<text x=\"" << x << "\" y=\"" << top + 13
     << "\">a colour for each result, an arrow at each input</text>\n";
}

void Painter::paint(llvm::StringRef title) {
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width
     << ' ' << height << "\" width=\"" << width << "\" height=\"" << height
     << "\">\n";
  paintStyle();
  os << "<rect width=\"" << width << "\" height=\"" << height
     << "\" fill=\"white\"/>\n"
     << "<text class=\"title\" x=\"" << margin << "\" y=\"32\">"
     << escaped(title) << "</text>\n"
     << "<text x=\"" << width - margin << "\" y=\"32\" text-anchor=\"end\">"
     << netlist.nodes.size() << " nodes, " << netlist.edges.size() << " edges, "
     << mapping.routing.linksUsed() << " of " << fabric.links().size()
     << " links, longest way " << mapping.longestWay << " cycles</text>\n"
     << "<clipPath id=\"grid\"><rect x=\"" << margin / 4 << "\" y=\""
     << header + margin / 4 << "\" width=\"" << width - margin / 2
     << "\" height=\"" << gridHeight - margin / 2 << "\"/></clipPath>\n"
     << "<g clip-path=\"url(#grid)\">\n";
  paintSwitches();
  for (unsigned edge = 0; edge != netlist.edges.size(); ++edge)
    paintEdge(edge);
  os << "</g>\n";
  std::vector<const Node *> onUnit(fabric.numUnits(), nullptr);
  for (auto [unit, node] : llvm::zip_equal(mapping.placement, netlist.nodes))
    onUnit[unit] = &node;
  for (auto [unit, node] : llvm::enumerate(onUnit))
    paintUnit(unit, node);
  paintLegend(header + gridHeight);
  os << "</svg>\n";
}

std::pair<int, int> cilk2chan::pnr::floorplanSize(const Resources &fabric) {
  const chansim::Fabric &grid = fabric.geometry();
  return {grid.columns * pitch + 2 * margin,
          header + grid.rows * pitch + 2 * margin + 4 * legendRow};
}

void cilk2chan::pnr::emitFloorplan(const Mapping &mapping,
                                   const Resources &fabric,
                                   llvm::StringRef title,
                                   llvm::raw_ostream &os) {
  Painter(mapping, fabric, os).paint(title);
}
