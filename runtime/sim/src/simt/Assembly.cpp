//===- Assembly.cpp - Kernels as instructions of a SIMT core --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/Assembly.h"

#include <algorithm>

namespace chansim::simt {

RegisterClass classOfBits(unsigned bits) {
  return bits == 1    ? RegisterClass::c
         : bits <= 32 ? RegisterClass::s
                      : RegisterClass::d;
}

Type operandType(const Operation &operation, unsigned index) {
  unsigned bits = operation.operandBits(index);
  bool isOwn = bits == bitsOf(operation.type) &&
               !(operation.unit == UnitKind::loadStore && index == 0) &&
               operation.type != Type::none;
  if (isOwn)
    return operation.type;
  return bits == 1 ? Type::i1 : Type::i64;
}

bool isCall(const Operation &operation) {
  return operation.action == Action::syscall ||
         operation.action == Action::heapCall;
}

bool hasAddress(const Operation &operation) {
  return operation.unit == UnitKind::loadStore && !isCall(operation);
}

std::optional<Order> orderNamed(std::string_view name) {
  auto found = std::find(kOrders.begin(), kOrders.end(), name);
  if (name.empty() || found == kOrders.end())
    return std::nullopt;
  return static_cast<Order>(found - kOrders.begin());
}

Order defaultOrder(const Operation &operation) {
  return operation.action == Action::atomic ||
                 operation.action == Action::heapCall
             ? Order::both
             : Order::plain;
}

bool hasOrder(const Operation &operation, Order order) {
  switch (operation.action) {
  case Action::load:
    return order != Order::release;
  case Action::store:
    return !acquires(order);
  case Action::atomic:
    return order != Order::plain;
  default:
    return order == defaultOrder(operation);
  }
}

uint32_t Assembly::intern(std::string_view name) {
  auto found = std::find(symbols.begin(), symbols.end(), name);
  if (found == symbols.end())
    found = symbols.insert(found, std::string(name));
  return static_cast<uint32_t>(found - symbols.begin());
}

} // namespace chansim::simt
