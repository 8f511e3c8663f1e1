//===- Names.h - Words of the assembly of a SIMT core -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What printing and parsing have in common.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_NAMES_H
#define CHANSIM_SIMT_NAMES_H

#include "simt/Assembly.h"

namespace chansim::simt {

inline constexpr std::array<std::string_view, 11> kParameterKinds = {
    "argument", "field",   "column",   "control", "frames", "level",
    "capture",  "private", "computed", "group",   "batch"};
/// Those that no text has: private memory has an operand, and what is computed has
/// instructions.
inline bool isOfText(Parameter::Kind kind) {
  return kind != Parameter::Kind::isPrivate &&
         kind != Parameter::Kind::computed;
}
inline constexpr std::array<std::string_view, 3> kLaunches = {
    "elements", "range", "ranges"};

inline std::string_view parameterKindName(Parameter::Kind kind) {
  return kParameterKinds[static_cast<size_t>(kind)];
}
inline std::string_view launchName(LaunchKind kind) {
  return kLaunches[static_cast<size_t>(kind)];
}
inline bool hasNumber(Parameter::Kind kind) {
  return kind != Parameter::Kind::control && kind != Parameter::Kind::level &&
         kind != Parameter::Kind::isPrivate && kind != Parameter::Kind::group;
}
inline bool hasStack(Parameter::Kind kind) {
  return kind == Parameter::Kind::column || kind == Parameter::Kind::control;
}

inline std::string className(RegisterClass kind) {
  return std::string(1, "sdc"[static_cast<size_t>(kind)]);
}

inline bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$';
}

/// In quotes; other bytes than printable ASCII as \xHH.
inline std::string quoted(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string result = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (byte < ' ' || byte > '~')
      result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    else
      result += c;
  }
  return result + '"';
}

/// In quotes if need be.
inline std::string nameText(std::string_view name) {
  bool isPlain = !name.empty();
  for (char c : name)
    isPlain &= isNameCharacter(c);
  return isPlain ? std::string(name) : quoted(name);
}

} // namespace chansim::simt

#endif // CHANSIM_SIMT_NAMES_H
