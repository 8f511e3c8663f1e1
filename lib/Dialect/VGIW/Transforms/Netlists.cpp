//===- Netlists.cpp - Fitted blocks as netlists ---------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/VGIW/Netlists.h"

using namespace mlir;
using namespace cilk2chan;

SmallVector<Operation *> vgiw::nodesOf(Block &block) {
  SmallVector<Operation *> nodes;
  for (Operation &op : block)
    if (isa<NodeOpInterface>(op))
      nodes.push_back(&op);
  return nodes;
}

static unsigned latencyOf(const chansim::Operation &operation,
                          const chansim::Machine &machine) {
  using chansim::Action;
  if (operation.cycles != chansim::CycleClass::memory)
    return operation.latency(machine.operations);
  switch (operation.action) {
  case Action::liveLoad:
  case Action::liveStore:
    return machine.lvc.hitCycles;
  case Action::syscall:
    return machine.host.packageCycles + machine.host.operationCycles;
  case Action::heapCall:
  case Action::atomic: // At L2, whose clock is its own.
    return machine.l1.hitCycles + unsigned(machine.clocks.convert(
                                      machine.l2.hitCycles, machine.clockOf.l2,
                                      machine.clockOf.cores));
  default:
    return machine.l1.hitCycles;
  }
}

pnr::Netlist vgiw::makeNetlist(ArrayRef<Operation *> nodes,
                               const chansim::Machine &machine) {
  pnr::Netlist netlist;
  DenseMap<Operation *, unsigned> index;
  for (auto [id, op] : llvm::enumerate(nodes)) {
    const chansim::Operation &operation =
        cast<NodeOpInterface>(op).getDescription();
    index[op] = id;
    netlist.nodes.push_back({unsigned(id), operation.unit,
                             latencyOf(operation, machine), operation.name, 0});
  }
  for (auto [id, op] : llvm::enumerate(nodes)) {
    auto merge = dyn_cast<MergeOp>(op);
    for (auto [slot, operand] :
         llvm::enumerate(merge ? sourcesOf(merge) : tokenOperands(op)))
      netlist.edges.push_back({index[operand->get().getDefiningOp()],
                               unsigned(id), unsigned(slot),
                               isa<BackOp>(operand->getOwner())});
  }
  return netlist;
}

std::optional<chansim::Machine> vgiw::loadMachine(mlir::ModuleOp module,
                                                  llvm::StringRef file) {
  std::string problem;
  std::optional<chansim::Machine> machine =
      chansim::Machine::load(file.str(), chansim::kFabricKinds, problem);
  if (!machine)
    module.emitError(problem);
  return machine;
}
