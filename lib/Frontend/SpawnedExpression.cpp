//===- SpawnedExpression.cpp - Calls that the runtime cannot make ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime calls a child's function through a pointer.  A builtin has none,
// and a call with a spawned argument is two calls.  Such an expression gets a
// function of its own, whose parameters are what the parent evaluates:
//
//   x = cilk_spawn __sync_fetch_and_add(p + 1, n);
//
//     int __cilk_block.N(int *a, int b) { return __sync_fetch_and_add(a, b); }
//     x = cilk_spawn __cilk_block.N(p + 1, n);
//
//   x = g(cilk_spawn f(n), k);
//
//     int __cilk_block.N(int a, int b) { return g(f(a), b); }
//     x = cilk_spawn __cilk_block.N(n, k);
//
//===----------------------------------------------------------------------===//

#include "SpawnChecks.h"
#include "SpawnMarking.h"
#include "cilk2chan/Support/Markers.h"

using namespace clang;

namespace cilk2chan {
namespace {

/// Divides an expression between the parent and the child.
class Division {
public:
  Division(const ASTContext &ast, const SpawnTable &table,
           ChildBuilder &children)
      : ast(ast), table(table), children(children) {}

  /// Takes the child's `call` apart.
  void divide(Expr *call);

  /// What the parent evaluates, and where the child uses it.
  struct Part {
    Stmt **use;
    Expr *value;
  };
  llvm::SmallVector<Part, 8> parts;

private:
  void divideArgument(Stmt *&place);

  const ASTContext &ast;
  const SpawnTable &table;
  ChildBuilder &children;
};

} // namespace

static bool usesLocals(const Stmt *node) {
  if (!node)
    return false;
  if (auto *reference = dyn_cast<DeclRefExpr>(node))
    if (auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      return variable->hasLocalStorage();
  return llvm::any_of(node->children(), usesLocals);
}

void Division::divide(Expr *call) {
  auto *ordinary = dyn_cast<CallExpr>(call);
  // The name of a function stays where it is.
  Expr *name =
      ordinary && ordinary->getDirectCallee() ? ordinary->getCallee() : nullptr;
  for (Stmt *&child : call->children())
    if (child && child != name)
      divideArgument(child);
}

void Division::divideArgument(Stmt *&place) {
  auto *value = cast<Expr>(place);
  if (auto spawn = table.spawnOf(value)) {
    // The child calls it, and converts what it returns.
    place = children.convert(spawn->casts, spawn->call);
    return divide(spawn->call);
  }
  // Builtins may want constants, also as the texts of messages.
  if (value->isEvaluatable(ast)) {
    if (!usesLocals(value))
      return;
    Expr::EvalResult number;
    if (value->EvaluateAsInt(number, ast)) {
      llvm::APSInt bits = number.Val.getInt();
      place = ImplicitCastExpr::Create(
          ast, value->getType(), CK_IntegralCast,
          children.integer(ast.LongLongTy, bits.extOrTrunc(64).getZExtValue(),
                           value->getExprLoc()),
          nullptr, VK_PRValue, FPOptionsOverride());
      return;
    }
  }
  parts.push_back({&place, value});
}

CallExpr *SpawnMarking::outline(Expr *tree, SourceLocation location) {
  Division division(ast, table, children);
  division.divide(tree);
  llvm::SmallVector<QualType, 8> types;
  llvm::SmallVector<Expr *, 8> arguments;
  for (const Division::Part &part : division.parts) {
    Expr *value =
        part.value->isGLValue() ? children.addressOf(part.value) : part.value;
    types.push_back(children.parameterType(value->getType()));
    arguments.push_back(children.castTo(types.back(), value));
  }
  QualType result = children.parameterType(tree->getType());
  FunctionDecl *outlined = children.function(
      BlockPrefix.str() + std::to_string(children.nextNumber()), types,
      SC_Static, location, result);
  children.inheritCodeGen(outlined, function);
  for (auto [index, part] : llvm::enumerate(division.parts)) {
    SourceLocation use = part.value->getExprLoc();
    Expr *parameter =
        children.load(children.reference(outlined->getParamDecl(index), use));
    if (part.value->isGLValue())
      *part.use = children.dereference(parameter, use);
    else
      *part.use = children.castTo(part.value->getType(), parameter);
  }
  Stmt *body = tree;
  if (!result->isVoidType())
    body = ReturnStmt::Create(ast, location, children.castTo(result, tree),
                              nullptr);
  children.define(outlined, children.compound(body, location));
  return cast<CallExpr>(children.call(outlined, arguments, location));
}

Expr *SpawnMarking::mark(Spawn spawn, llvm::ArrayRef<CastExpr *> casts,
                         const Destination &destination) {
  rewriteNested(spawn.call);
  if (spawn.carried || !isOrdinaryCall(spawn.call, ast))
    spawn.call = outline(spawn.call, spawn.word.location);
  return children.spawn(function, spawn, casts, destination);
}

} // namespace cilk2chan
