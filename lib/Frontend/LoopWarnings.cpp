//===- LoopWarnings.cpp - Parallel loops that do not do what they seem to -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   cilk_for (int i = 0; i != 10; i += 3)   // steps over its limit
//     next(&i);                             // may change its control variable
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "ParallelLoop.h"
#include "SpawnChecks.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace cilk2chan {
namespace {

class LoopWarner {
public:
  LoopWarner(ASTContext &ast, const SpawnTable &table,
             const FrontendOptions::Warning &kind)
      : ast(ast), table(table), kind(kind) {}

  void visit(const Stmt *node);

private:
  /// Warns of calls in `node` that are given the address of the control
  /// variable and may change it.
  void addresses(const Stmt *node, const ParallelLoop &loop);
  void stride(const ParallelLoop &loop);
  std::optional<uint64_t> constant(const Expr *value, QualType type) const;

  ASTContext &ast;
  const SpawnTable &table;
  const FrontendOptions::Warning &kind;
};

} // namespace

/// Whether a call may change what its argument of that number points to.
static bool mayChange(const CallExpr *call, unsigned number) {
  const FunctionDecl *callee = call->getDirectCallee();
  QualType type = call->getArg(number)->getType();
  const Expr *function = call->getCallee();
  if (auto *pointer = function->getType()->getAs<PointerType>())
    if (auto *prototype =
            pointer->getPointeeType()->getAs<FunctionProtoType>()) {
      if (number < prototype->getNumParams())
        type = prototype->getParamType(number);
      else if (callee)
        // To print is not to change.
        for (auto *format : callee->specific_attrs<FormatAttr>())
          if (format->getType()->isStr("printf"))
            return false;
    }
  return type->isPointerType() && !type->getPointeeType().isConstQualified();
}

void LoopWarner::addresses(const Stmt *node, const ParallelLoop &loop) {
  if (!node || isa<UnaryExprOrTypeTraitExpr>(node))
    return;
  if (auto *call = dyn_cast<CallExpr>(node))
    for (unsigned i = 0; i != call->getNumArgs(); ++i) {
      auto *address =
          dyn_cast<UnaryOperator>(call->getArg(i)->IgnoreParenCasts());
      auto *reference =
          address && address->getOpcode() == UO_AddrOf
              ? dyn_cast<DeclRefExpr>(address->getSubExpr()->IgnoreParens())
              : nullptr;
      if (reference && reference->getDecl() == loop.variable &&
          mayChange(call, i))
        warning(ast.getDiagnostics(), address->getOperatorLoc(),
                "control variable %0 of a '%1' is passed by a pointer through "
                "which it may be changed; pass the address of a copy",
                kind)
            << loop.variable << loop.word.spelling;
    }
  for (const Stmt *child : node->children())
    addresses(child, loop);
}

/// The value that `value` has in `type`, in 64 bits, if it is a constant.
std::optional<uint64_t> LoopWarner::constant(const Expr *value,
                                             QualType type) const {
  Expr::EvalResult result;
  if (!value || !type->isIntegralOrEnumerationType() ||
      !value->EvaluateAsInt(result, ast))
    return std::nullopt;
  llvm::APSInt number = result.Val.getInt().extOrTrunc(ast.getIntWidth(type));
  number.setIsSigned(type->isSignedIntegerOrEnumerationType());
  return number.extOrTrunc(64).getZExtValue();
}

/// Computes what the loop would at run time (Loop::countIterations), if its
/// bounds and its stride are constant.
void LoopWarner::stride(const ParallelLoop &loop) {
  if (loop.form.relation != LoopForm::notEqual || loop.isPointer())
    return;
  const Expr *init = loop.variable->getInit();
  if (loop.declaredBefore)
    init = cast<BinaryOperator>(
               cast<Expr>(loop.statement->getInit())->IgnoreParens())
               ->getRHS();
  const Expr *written = loop.strideValue();
  auto first = constant(init, loop.compared->getType());
  auto limit = constant(loop.limit, loop.limit->getType());
  auto step = written ? constant(written, written->getType()) : 1;
  if (!first || !limit || !step || *first == *limit || *step == 0)
    return;
  bool isNegative = loop.form.signedStride && int64_t(*step) < 0;
  uint64_t magnitude = isNegative ? -*step : *step;
  bool descends = isNegative != loop.form.subtracts;
  uint64_t span = descends ? *first - *limit : *limit - *first;
  if (loop.form.width < 64)
    span &= (uint64_t(1) << loop.form.width) - 1;
  if (span != 0 && span % magnitude == 0)
    return;
  auto spell = [&](uint64_t value) {
    return loop.form.signedComparison ? llvm::itostr(int64_t(value))
                                      : llvm::utostr(value);
  };
  warning(ast.getDiagnostics(), loop.limit->getExprLoc(),
          "a '%0' from %1 in steps of %2 steps over its limit %3, which ends "
          "the program; compare by '<' or '>'",
          kind)
      << loop.word.spelling << spell(*first)
      << (descends ? "-" : "") + llvm::utostr(magnitude) << spell(*limit);
}

void LoopWarner::visit(const Stmt *node) {
  if (!node || isa<UnaryExprOrTypeTraitExpr>(node))
    return;
  if (auto *statement = dyn_cast<ForStmt>(node))
    if (auto word = table.parallelLoop(statement))
      if (auto loop =
              analyzeLoop(const_cast<ForStmt *>(statement), *word, ast)) {
        stride(*loop);
        addresses(statement->getBody(), *loop);
      }
  for (const Stmt *child : node->children())
    visit(child);
}

void warnOfLoops(const FunctionDecl *function, const SpawnTable &table,
                 const FrontendOptions::Warning &kind) {
  LoopWarner(function->getASTContext(), table, kind).visit(function->getBody());
}

} // namespace cilk2chan
