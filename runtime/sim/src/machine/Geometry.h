//===- Geometry.h - Units, switches and links of the fabric -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The MT-CGRF grid (VGIW, section 3.5).  x grows to the east, y to the south.
// Switch (x,y) lies at the south-east corner of unit (x,y):
//
//        U(0,0) ---E/W--- U(1,0) ---
//          |    \       /   |
//         N/S    S(0,0)    N/S      S(0,0): NW = U(0,0)  NE = U(1,0)
//          |    /       \   |               SW = U(0,1)  SE = U(1,1)
//        U(0,1) --------- U(1,1) ---        N E S W = switches at switchReach
//
// A unit's ports N E S W lead to units, its diagonal ports to switches; a
// switch's diagonal ports lead to units, its ports N E S W to switches.  A link
// that leaves by a port enters its other end by reverse(port), and there is one
// each way.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_GEOMETRY_H
#define CHANSIM_GEOMETRY_H

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace chansim {

/// Ports of a unit and of a switch, clockwise.
enum class Port : uint8_t { N, NE, E, SE, S, SW, W, NW };
inline constexpr unsigned kPorts = 8;

constexpr Port reverse(Port port) {
  return static_cast<Port>((static_cast<unsigned>(port) + 4) % kPorts);
}
constexpr bool isDiagonal(Port port) {
  return static_cast<unsigned>(port) % 2 != 0;
}
/// "N", "NE", ...
std::string_view portName(Port port);
std::optional<Port> parsePort(std::string_view name);

/// What stands at a place of the grid; `fabric.grid` names each by its letter.
enum class UnitKind : uint8_t {
  compute,   ///< A: FPU-ALU
  special,   ///< S: SCU (divisions, square roots)
  loadStore, ///< L: LDST
  liveValue, ///< V: LVU
  splitJoin, ///< J: SJU
  control    ///< C: CVU (initiator or terminator)
};
inline constexpr unsigned kUnitKinds = 6;

char unitLetter(UnitKind kind);
std::string_view unitName(UnitKind kind);
std::optional<UnitKind> parseUnit(char letter);

/// Where a unit or a switch stands.
struct Place {
  uint16_t x, y;
  friend bool operator==(Place, Place) = default;
};

/// A unit or a switch.
struct Site {
  Place at;
  bool isSwitch;
  friend bool operator==(Site, Site) = default;
};

/// How a load/store unit computes the address of a load, a store or an atomic
/// operation.
enum class AddressModes : uint8_t {
  plain,  ///< it is an operand
  offset, ///< one token at most, plus words of the configuration
  scaled  ///< also a second token, extended and times a power of two
};
inline std::span<const std::string_view> namesOf(AddressModes) {
  static constexpr std::string_view names[] = {"plain", "offset", "scaled"};
  return names;
}

/// What the index of an address is multiplied by at most.
inline constexpr uint32_t kMaxScale = 1 << 15;

/// When a virtual channel can be given to another thread: when its thread has
/// left the replica, or at each unit by itself (Dataflow.h).
enum class ChannelRelease : uint8_t { terminator, window };

/// The names of an enumeration's values in a machine file.
inline std::span<const std::string_view> namesOf(ChannelRelease) {
  static constexpr std::string_view names[] = {"terminator", "window"};
  return names;
}

/// The grid and what limits its units.
struct Fabric {
  uint32_t columns, rows;
  /// Row by row.
  std::vector<UnitKind> units;
  /// Whether links leave one side and enter at the other.
  bool folded;
  /// How far apart along an axis switches are that have a link.
  uint32_t switchReach;
  /// Output ports by which one result may leave a unit.
  uint32_t maxFanout;
  /// Replicas of a block at most.
  uint32_t replicas;
  /// Virtual channels of a replica, and so entries of each token buffer.
  uint32_t tokenBufferEntries;
  ChannelRelease channelRelease;
  /// Accesses in flight in one LDST or LVU at most.
  uint32_t reservationEntries;
  /// Cycles of a token on a link.
  uint32_t hopCycles;
  /// What load/store units can compute.  A configuration says what it needs of
  /// it, so the hash does not depend on it.
  AddressModes addressModes;

  /// Units, and as many switches.
  uint32_t size() const { return columns * rows; }
  uint32_t index(Place at) const { return at.y * columns + at.x; }
  Place place(uint32_t index) const {
    return {static_cast<uint16_t>(index % columns),
            static_cast<uint16_t>(index / columns)};
  }
  bool contains(Place at) const { return at.x < columns && at.y < rows; }
  UnitKind kind(Place at) const { return units[index(at)]; }
  std::array<uint32_t, kUnitKinds> countUnits() const;

  /// What the port of a unit or switch leads to; nothing beyond the edge of a
  /// grid that is not folded.  The link enters there by reverse(port).
  std::optional<Site> across(Site from, Port port) const;
  /// The length of that link, in distances between neighbouring units: a fold
  /// lays two units between neighbours.
  uint32_t pitches(Site from, Port port) const;

  /// What a configuration depends on (grid, links, fan-out; not what only
  /// changes timing), as a text of one line an item.
  std::string description() const;
  /// 16 hexadecimal digits of description(): the `fabric` of a configuration.
  std::string hash() const;
};

} // namespace chansim

#endif // CHANSIM_GEOMETRY_H
