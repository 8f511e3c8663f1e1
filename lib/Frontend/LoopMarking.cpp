//===- LoopMarking.cpp - A cilk_for between its markers -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop becomes
//
//   { long long grain = N;
//     T i = FIRST;
//     T start = i;  U limit = LIMIT;  S stride = STRIDE;
//     __cilk_for.N(&i, i, limit, stride, form, grain, "file:line");
//     U k = __cilk_range_begin();
//     i = start + k * stride;
//     for (; k != __cilk_range_end(); __cilk_sync(), ++k, i += stride)
//       BODY
//     __cilk_for_end.N(); }
//
// with U of 64 bits.  What lies between the markers of N is outlined when the
// module is imported, with an `i` of its own.
//
//===----------------------------------------------------------------------===//

#include "ParallelLoop.h"
#include "SpawnMarking.h"
#include "cilk2chan/Support/Markers.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cilk2chan {
namespace {

/// Builds the parts of one loop.
class LoopBuilder {
public:
  LoopBuilder(FunctionDecl *function, const ParallelLoop &loop,
              FunctionDecl *sync, ChildBuilder &children)
      : ast(function->getASTContext()), function(function), loop(loop),
        sync(sync), children(children), location(loop.word.location),
        wide(ast.UnsignedLongLongTy),
        suffix(std::to_string(children.nextNumber())) {}

  Stmt *build(Expr *grain, Stmt *init, Stmt *body,
              llvm::ArrayRef<const Attr *> attributes);

private:
  VarDecl *variable(QualType type, Expr *value);
  Expr *read(VarDecl *variable) {
    return children.load(children.reference(variable, location));
  }
  Expr *convert(QualType type, CastKind kind, Expr *value);
  Expr *widen(Expr *value);
  Expr *binary(BinaryOperatorKind opcode, Expr *left, Expr *right,
               QualType type);
  Expr *integer(QualType type, uint64_t value) {
    return children.integer(type, value, location);
  }
  Expr *assign(Expr *value) {
    return binary(BO_Assign, children.reference(loop.variable, location), value,
                  loop.variable->getType().getUnqualifiedType());
  }
  std::optional<uint64_t> constant(Expr *value);
  void computeStep();
  Expr *readStep() { return step ? read(step) : integer(wide, *knownStep); }
  Expr *valueAt(Expr *iteration);
  Expr *where();
  FunctionDecl *marker(llvm::StringRef name, llvm::ArrayRef<QualType> types,
                       QualType result) {
    return children.function(name, types, SC_Extern, location, result);
  }

  ASTContext &ast;
  FunctionDecl *function;
  ParallelLoop loop;
  /// What each iteration ends with.
  FunctionDecl *sync;
  ChildBuilder &children;
  SourceLocation location;
  QualType wide;
  std::string suffix;
  llvm::SmallVector<Stmt *, 12> out;
  VarDecl *start = nullptr;
  /// What computeStep has computed: one of them.
  std::optional<uint64_t> knownStep;
  VarDecl *step = nullptr;
};

} // namespace

/// Declares a variable of the compiler's with an initial value.
VarDecl *LoopBuilder::variable(QualType type, Expr *value) {
  auto *result =
      VarDecl::Create(ast, function, location, location, nullptr, type,
                      ast.getTrivialTypeSourceInfo(type, location), SC_None);
  result->setImplicit();
  result->setInit(value);
  result->setInitStyle(VarDecl::CInit);
  out.push_back(new (ast) DeclStmt(DeclGroupRef(result), location, location));
  return result;
}

/// An explicit cast: the sanitizers do not ask whether it is meant.
Expr *LoopBuilder::convert(QualType type, CastKind kind, Expr *value) {
  if (ast.hasSameUnqualifiedType(type, value->getType()))
    return value;
  return CStyleCastExpr::Create(
      ast, type, VK_PRValue, kind, value, nullptr, FPOptionsOverride(),
      ast.getTrivialTypeSourceInfo(type, location), location, location);
}

Expr *LoopBuilder::widen(Expr *value) {
  return convert(wide,
                 value->getType()->isPointerType() ? CK_PointerToIntegral
                                                   : CK_IntegralCast,
                 value);
}

Expr *LoopBuilder::binary(BinaryOperatorKind opcode, Expr *left, Expr *right,
                          QualType type) {
  return BinaryOperator::Create(ast, left, right, opcode, type, VK_PRValue,
                                OK_Ordinary, location, FPOptionsOverride());
}

/// The value of an integer expression in 64 bits, if that is known.
std::optional<uint64_t> LoopBuilder::constant(Expr *value) {
  Expr::EvalResult result;
  if (!value->EvaluateAsInt(result, ast))
    return std::nullopt;
  return result.Val.getInt().extOrTrunc(64).getZExtValue();
}

/// Computes the stride in 64 bits; for pointers in bytes, and then it is always
/// added.  Evaluates it if it is not constant, and leaves the increment with
/// what it was.
void LoopBuilder::computeStep() {
  Expr *written = loop.strideValue();
  knownStep = written ? constant(written) : 1;
  Expr *distance = written;
  if (!written) {
    distance = integer(ast.IntTy, 1);
  } else if (!knownStep) {
    VarDecl *evaluated =
        variable(written->getType().getAtomicUnqualifiedType(), written);
    *loop.stride = read(evaluated);
    distance = read(evaluated);
  }
  if (loop.isPointer()) {
    QualType element = loop.variable->getType()->getPointeeType();
    bool opaque = element->isVoidType() || element->isFunctionType();
    if (element->isVariablyModifiedType())
      knownStep.reset();
    if (knownStep) {
      *knownStep *= opaque ? 1 : ast.getTypeSizeInChars(element).getQuantity();
      if (loop.form.subtracts)
        *knownStep = -*knownStep;
    }
    Expr *next = binary(loop.form.subtracts ? BO_Sub : BO_Add, read(start),
                        distance, start->getType());
    distance = binary(BO_Sub, widen(next), widen(read(start)), wide);
    loop.form.subtracts = false;
    loop.form.signedStride = true;
  }
  if (!knownStep)
    step = variable(wide, widen(distance));
}

/// The control variable in the iteration of that number.
Expr *LoopBuilder::valueAt(Expr *iteration) {
  QualType type = loop.variable->getType().getUnqualifiedType();
  Expr *distance = binary(BO_Mul, iteration, readStep(), wide);
  if (loop.isPointer()) {
    distance = convert(ast.LongLongTy, CK_IntegralCast, distance);
    QualType bytes = ast.getPointerType(ast.CharTy);
    Expr *address = binary(BO_Add, convert(bytes, CK_BitCast, read(start)),
                           distance, bytes);
    return convert(type, CK_BitCast, address);
  }
  Expr *value = binary(loop.form.subtracts ? BO_Sub : BO_Add,
                       widen(read(start)), distance, wide);
  return convert(type, CK_IntegralCast, value);
}

/// The place of the loop, for messages.
Expr *LoopBuilder::where() {
  PresumedLoc place = ast.getSourceManager().getPresumedLoc(location);
  std::string text;
  if (place.isValid())
    text = (llvm::Twine(place.getFilename()) + ":" +
            llvm::Twine(place.getLine()) + ":" + llvm::Twine(place.getColumn()))
               .str();
  QualType array = ast.getStringLiteralArrayType(ast.CharTy, text.size());
  auto *literal = StringLiteral::Create(ast, text, StringLiteralKind::Ordinary,
                                        /*Pascal=*/false, array, location);
  return ImplicitCastExpr::Create(ast, ast.getPointerType(ast.CharTy),
                                  CK_ArrayToPointerDecay, literal, nullptr,
                                  VK_PRValue, FPOptionsOverride());
}

Stmt *LoopBuilder::build(Expr *grainValue, Stmt *init, Stmt *body,
                         llvm::ArrayRef<const Attr *> attributes) {
  Expr *grain = integer(ast.LongLongTy, 0);
  if (grainValue) {
    if (auto known = constant(grainValue))
      grain = integer(ast.LongLongTy, *known);
    else
      grain = read(variable(ast.LongLongTy, grainValue));
  }
  out.push_back(init);
  QualType type = loop.variable->getType().getUnqualifiedType();
  start = variable(type, read(loop.variable));
  VarDecl *limit = variable(wide, widen(loop.limit));
  computeStep();

  Expr *address =
      children.addressOf(children.reference(loop.variable, location));
  llvm::SmallVector<Expr *, 7> operands = {
      address,
      widen(loop.compared),
      read(limit),
      readStep(),
      integer(ast.UnsignedIntTy, loop.form.encode()),
      grain,
      where()};
  llvm::SmallVector<QualType, 7> types;
  for (Expr *operand : operands)
    types.push_back(operand->getType());
  out.push_back(
      children.call(marker((ForPrefix + suffix).str(), types, ast.VoidTy),
                    operands, location));

  VarDecl *iteration = variable(
      wide, children.call(marker(RangeBeginName, {}, wide), {}, location));
  out.push_back(assign(valueAt(read(iteration))));
  Expr *condition = binary(
      BO_NE, read(iteration),
      children.call(marker(RangeEndName, {}, wide), {}, location), ast.IntTy);
  Expr *count = UnaryOperator::Create(
      ast, children.reference(iteration, location), UO_PreInc, wide, VK_PRValue,
      OK_Ordinary, location, /*CanOverflow=*/false, FPOptionsOverride());
  Expr *next = loop.statement->getInc();
  Expr *increment =
      binary(BO_Comma,
             binary(BO_Comma, children.call(sync, {}, location), count, wide),
             next, next->getType());
  Stmt *serial = new (ast)
      ForStmt(ast, nullptr, condition, nullptr, increment, body, location,
              loop.statement->getLParenLoc(), loop.statement->getRParenLoc());
  if (!attributes.empty())
    serial = AttributedStmt::Create(ast, location, attributes, serial);
  out.push_back(serial);

  Expr *end = children.call(marker((ForEndPrefix + suffix).str(), {}, wide), {},
                            location);
  if (loop.declaredBefore)
    out.push_back(assign(valueAt(read(variable(wide, end)))));
  else
    out.push_back(end);
  return children.compound(out, location);
}

Stmt *SpawnMarking::parallelLoop(Stmt *node) {
  CallExpr *grain = nullptr;
  llvm::ArrayRef<const Attr *> attributes;
  if (auto *pragma = dyn_cast<IfStmt>(node))
    if ((grain = table.grain(pragma)))
      node = pragma->getElse();
  if (auto *attributed = dyn_cast<AttributedStmt>(node)) {
    attributes = attributed->getAttrs();
    node = attributed->getSubStmt();
  }
  auto *loop = dyn_cast<ForStmt>(node);
  auto word = loop ? table.parallelLoop(loop) : std::nullopt;
  return word ? rewriteParallelLoop(loop, *word, grain, attributes) : nullptr;
}

Stmt *
SpawnMarking::rewriteParallelLoop(ForStmt *node, SpawnWord word,
                                  CallExpr *grain,
                                  llvm::ArrayRef<const Attr *> attributes) {
  ParallelLoop loop = *analyzeLoop(node, word, ast);
  rewriteNested(grain);
  rewriteNested(node->getCond());
  rewriteNested(node->getInc());
  Stmt *init = rewriteOne(node->getInit());
  Stmt *body = rewriteOne(node->getBody());
  return LoopBuilder(function, loop, syncFunction(), children)
      .build(grain ? grain->getArg(0) : nullptr, init, body, attributes);
}

} // namespace cilk2chan
