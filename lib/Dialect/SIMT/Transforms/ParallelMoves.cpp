//===- ParallelMoves.cpp - Moves that happen at once ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParallelMoves.h"

using namespace mlir;
using namespace cilk2chan;

namespace {
/// A move that is to be done.
struct Move {
  Value from;
  Type to;
  /// The operand of the branch.
  unsigned operand;
};
} // namespace

void cilk2chan::insertMoves(Operation *branch, MutableOperandRange operands,
                            Block::BlockArgListType arguments) {
  OpBuilder builder(branch);
  auto instruction = [&](Type type, StringRef name, ValueRange values) {
    std::string opcode =
        (name + "." + simt::wordOf(cast<simt::RegisterType>(type).getKind()))
            .str();
    return simt::InstOp::create(builder, branch->getLoc(), type, opcode, values)
        .getResult();
  };
  SmallVector<Move> moves;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    Value from = operands[index].get();
    if (from.getType() != argument.getType())
      moves.push_back({from, argument.getType(), unsigned(index)});
  }
  auto isRead = [&](const Move &move) {
    return llvm::any_of(moves, [&](const Move &other) {
      return &other != &move && other.from.getType() == move.to;
    });
  };
  while (!moves.empty()) {
    auto *possible =
        llvm::find_if(moves, [&](const Move &move) { return !isRead(move); });
    if (possible != moves.end()) {
      operands[possible->operand].set(
          instruction(possible->to, "mov", possible->from));
      moves.erase(possible);
      continue;
    }
    // Each target is the source of another move.
    Move first = moves.front();
    moves.erase(moves.begin());
    auto *other = llvm::find_if(moves, [&](const Move &move) {
      return move.from.getType() == first.to;
    });
    Value here = first.from, there = other->from;
    there = instruction(there.getType(), "xor", {there, here});
    here = instruction(here.getType(), "xor", {here, there});
    there = instruction(there.getType(), "xor", {there, here});
    // What was in the target is where the source was.
    operands[first.operand].set(there);
    for (Move &move : moves)
      if (move.from.getType() == first.to)
        move.from = here;
    llvm::erase_if(moves, [&](const Move &move) {
      if (move.from.getType() != move.to)
        return false;
      operands[move.operand].set(move.from);
      return true;
    });
  }
}
