//===- SpawnedBlock.cpp - A spawned block as a function -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockCaptures.h"
#include "SpawnMarking.h"
#include "cilk2chan/Support/Markers.h"

using namespace clang;

namespace cilk2chan {

/// Declares a variable of the outlined block's with the type of `original`,
/// where that is more than a parameter's, and appends the declaration.
static VarDecl *atomicCopy(FunctionDecl *outlined, const VarDecl *original,
                           Expr *value, llvm::SmallVectorImpl<Stmt *> &out) {
  ASTContext &ast = outlined->getASTContext();
  SourceLocation location = value->getExprLoc();
  QualType type = original->getType();
  auto *copy =
      VarDecl::Create(ast, outlined, location, location, nullptr, type,
                      ast.getTrivialTypeSourceInfo(type, location), SC_None);
  copy->setImplicit();
  copy->setInit(ImplicitCastExpr::Create(ast, type.getUnqualifiedType(),
                                         CK_NonAtomicToAtomic, value, nullptr,
                                         VK_PRValue, FPOptionsOverride()));
  copy->setInitStyle(VarDecl::CInit);
  out.push_back(new (ast) DeclStmt(DeclGroupRef(copy), location, location));
  return copy;
}

Expr *SpawnMarking::spawnBlock(CompoundStmt *node, SpawnWord word) {
  SourceLocation location = word.location;
  // What it spawns itself comes first: an inner block may read what this one
  // changes.
  unsigned outside = std::exchange(open, 0);
  CompoundStmt *body = withSync(rewriteCompound(node), table.syncFunction);
  open = outside;
  BlockCaptures captures(body, flow);

  llvm::SmallVector<QualType, 8> types;
  llvm::SmallVector<Expr *, 8> arguments;
  for (VarDecl *variable : captures.variables()) {
    if (variable->getStorageClass() == SC_Register)
      variable->setStorageClass(SC_None);
    Expr *reference = children.reference(variable, location);
    if (captures.byCopy(variable))
      arguments.push_back(
          addressOfKept(variable->getType().getUnqualifiedType(),
                        children.load(reference), location));
    else
      arguments.push_back(captures.byValue(variable)
                              ? children.load(reference)
                              : children.addressOf(reference));
    types.push_back(arguments.back()->getType());
  }
  FunctionDecl *outlined = children.function(
      BlockPrefix.str() + std::to_string(children.nextNumber()), types,
      SC_Static, location);
  // The program's own code, which profiles and coverage count.
  outlined->setImplicit(false);
  children.inheritCodeGen(outlined, function);

  llvm::SmallVector<Stmt *, 16> statements;
  llvm::SmallVector<VarDecl *, 8> values;
  for (auto [variable, parameter] :
       llvm::zip(captures.variables(), outlined->parameters())) {
    bool isAtomic = variable->getType()->isAtomicType();
    VarDecl *value = nullptr;
    if (captures.byValue(variable) && !captures.byCopy(variable))
      value = isAtomic ? atomicCopy(outlined, variable,
                                    children.load(children.reference(parameter,
                                                                     location)),
                                    statements)
                       : parameter;
    values.push_back(value);
  }
  captures.replace(body, [&](size_t index, Expr *use) -> Expr * {
    if (values[index])
      return children.reference(values[index], use->getExprLoc());
    Expr *parameter =
        children.reference(outlined->getParamDecl(index), use->getExprLoc());
    return children.dereference(children.load(parameter), use->getExprLoc());
  });
  llvm::append_range(statements, body->body());
  children.define(
      outlined, CompoundStmt::Create(ast, statements,
                                     body->getStoredFPFeaturesOrDefault(),
                                     body->getLBracLoc(), body->getRBracLoc()));

  Spawn spawn;
  spawn.word = word;
  spawn.operand = spawn.call = children.call(outlined, arguments, location);
  return children.spawn(function, spawn, {}, {});
}

} // namespace cilk2chan
