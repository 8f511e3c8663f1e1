//===- Jumps.cpp - Jumps and the regions they cross -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Jumps.h"
#include "Diagnostics.h"

using namespace clang;

namespace cilk2chan {

Jumps::Jumps(const Stmt *body, const SpawnTable &table) : table(table) {
  visit(body, Place());
  // A label may stand behind its goto.
  for (auto [jump, from] : gotos)
    leave(jump, from, labels.lookup(jump->getLabel()));
}

bool Jumps::contains(const Region *outer, const Region *inner) {
  for (; inner != outer; inner = inner->outer)
    if (!inner)
      return false;
  return true;
}

void Jumps::enter(SpawnWord word, bool isLoop, Place &place) {
  regions.push_back({word, isLoop, place.region});
  place.region = &regions.back();
}

/// Notes what a jump from region `from` to region `to` crosses.
void Jumps::leave(const Stmt *jump, const Region *from, const Region *to) {
  for (const Region *left = from; left && !contains(left, to);
       left = left->outer) {
    if (!left->isLoop) {
      leaving.insert(jump);
      continue;
    }
    findings.push_back({isa<ReturnStmt>(jump)  ? Problem::returnOut
                        : isa<BreakStmt>(jump) ? Problem::breakOut
                                               : Problem::jumpOut,
                        jump, left->word});
    return;
  }
  if (to && !contains(to, from))
    findings.push_back({Problem::jumpIn, jump, to->word});
}

void Jumps::visitLoop(const Stmt *loop, Place place) {
  const Stmt *body = nullptr;
  if (auto *statement = dyn_cast<ForStmt>(loop))
    body = statement->getBody();
  else if (auto *statement = dyn_cast<WhileStmt>(loop))
    body = statement->getBody();
  else
    body = cast<DoStmt>(loop)->getBody();
  for (const Stmt *child : loop->children())
    if (child != body)
      visit(child, place);
  // To break from a parallel loop is to leave it; to continue is not.
  place.breakRegion = place.region;
  if (auto *statement = dyn_cast<ForStmt>(loop))
    if (auto word = table.parallelLoop(statement))
      enter(*word, /*isLoop=*/true, place);
  place.continueRegion = place.region;
  visit(body, place);
}

void Jumps::visit(const Stmt *node, Place place) {
  if (!node || isa<UnaryExprOrTypeTraitExpr>(node))
    return;
  switch (node->getStmtClass()) {
  case Stmt::ForStmtClass:
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
    return visitLoop(node, place);
  case Stmt::SwitchStmtClass: {
    auto *branch = cast<SwitchStmt>(node);
    visit(branch->getCond(), place);
    place.breakRegion = place.switchRegion = place.region;
    return visit(branch->getBody(), place);
  }
  case Stmt::CompoundStmtClass:
    if (auto word = table.scope(cast<CompoundStmt>(node)))
      enter(*word, /*isLoop=*/false, place);
    break;
  case Stmt::LabelStmtClass:
    labels[cast<LabelStmt>(node)->getDecl()] = place.region;
    break;
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    leave(node, place.switchRegion, place.region);
    break;
  case Stmt::BreakStmtClass:
    leave(node, place.region, place.breakRegion);
    break;
  case Stmt::ContinueStmtClass:
    leave(node, place.region, place.continueRegion);
    break;
  case Stmt::GotoStmtClass:
    gotos.push_back({cast<GotoStmt>(node), place.region});
    break;
  case Stmt::ReturnStmtClass:
    leave(node, place.region, nullptr);
    break;
  default:
    break;
  }
  for (const Stmt *child : node->children())
    visit(child, place);
}

void Jumps::check(DiagnosticsEngine &diagnostics) {
  static constexpr llvm::StringLiteral leaveEarly =
      "iterations run at the same time; write 'for', or let the iterations "
      "test "
      "an atomic variable and 'continue'";
  // In the order of the source.
  llvm::sort(findings, [](const Finding &left, const Finding &right) {
    return left.jump->getBeginLoc() < right.jump->getBeginLoc();
  });
  for (const Finding &finding : findings) {
    SourceLocation location = finding.jump->getBeginLoc();
    switch (finding.problem) {
    case Problem::breakOut:
      error(diagnostics, location, "cannot break from a '%0' loop")
          << finding.word.spelling;
      note(diagnostics, location, leaveEarly);
      break;
    case Problem::returnOut:
      error(diagnostics, location, "cannot return from within a '%0' loop")
          << finding.word.spelling;
      note(diagnostics, location,
           "iterations run at the same time; write 'for', or store the result "
           "in a variable and return it after the loop");
      break;
    case Problem::jumpOut:
      error(diagnostics, location, "cannot jump out of a '%0' loop")
          << finding.word.spelling;
      note(diagnostics, location, leaveEarly);
      break;
    case Problem::jumpIn:
      error(diagnostics, location, "cannot jump into a '%0'")
          << finding.word.spelling;
      note(diagnostics, finding.word.location,
           "entered here; jump to its beginning, or move the label out of it");
      break;
    }
  }
}

} // namespace cilk2chan
