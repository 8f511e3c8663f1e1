//===- ParallelLoop.cpp - The parts of a cilk_for -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParallelLoop.h"
#include "Diagnostics.h"

using namespace clang;

namespace cilk2chan {
namespace {

class Analysis {
public:
  Analysis(ForStmt *statement, SpawnWord word, ASTContext &ast)
      : ast(ast), diagnostics(ast.getDiagnostics()) {
    loop.statement = statement;
    loop.word = word;
  }

  std::optional<ParallelLoop> run() {
    bool right = initialisation();
    bool compares = condition();
    bool steps = increment();
    right &= compares && steps;
    if (right)
      right = direction();
    right &= body();
    return right ? std::optional(loop) : std::nullopt;
  }

private:
  bool initialisation();
  /// Refuses what makes a second variable count.
  bool refuseSecond(SourceLocation location, llvm::StringRef text);
  bool controlVariable(SourceLocation location);
  LoopForm::Extension extension() const;
  bool condition();
  bool increment();
  bool steps(BinaryOperator *operation, bool subtracts);
  bool direction();
  bool body();
  void refuseChanges(const Stmt *node, llvm::StringRef where, bool &right);

  /// Reports `text`, in which %0 is the word of the loop; false.
  template <typename... Arguments>
  bool refuse(SourceLocation location, llvm::StringRef text,
              Arguments... arguments) {
    // Where the parser found no `)` it has said so.
    if (location.isInvalid() && diagnostics.hasErrorOccurred())
      return false;
    DiagnosticBuilder report = error(diagnostics, location, text);
    report << loop.word.spelling;
    (void)(report << ... << arguments);
    return false;
  }
  /// Whether the variable can count: if not, that has been said.
  bool counts() const;
  const Expr *useOf(const VarDecl *variable, const Stmt *node) const;
  bool isVariable(const Expr *node) const;
  bool isWidened(const Expr *node) const;
  bool refuseUse(const Expr *node, llvm::StringRef text);

  ASTContext &ast;
  DiagnosticsEngine &diagnostics;
  ParallelLoop loop;
  /// The condition changes the variable, which has been refused.
  bool stepsInCondition = false;
};

} // namespace

static const VarDecl *variableOf(const Expr *node) {
  auto *reference = dyn_cast<DeclRefExpr>(node->IgnoreParenImpCasts());
  return reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
}

bool Analysis::isVariable(const Expr *node) const {
  return variableOf(node) == loop.variable;
}

/// Whether the node is the variable, perhaps in a wider type.
bool Analysis::isWidened(const Expr *node) const {
  node = node->IgnoreParenImpCasts();
  while (auto *cast = dyn_cast<CStyleCastExpr>(node)) {
    if (cast->getCastKind() != CK_IntegralCast ||
        ast.getIntWidth(cast->getType()) <
            ast.getIntWidth(cast->getSubExpr()->getType()))
      return false;
    node = cast->getSubExpr()->IgnoreParenImpCasts();
  }
  return isVariable(node);
}

const Expr *Analysis::useOf(const VarDecl *variable, const Stmt *node) const {
  if (!node || isa<UnaryExprOrTypeTraitExpr>(node))
    return nullptr;
  if (auto *reference = dyn_cast<DeclRefExpr>(node))
    return reference->getDecl() == variable ? reference : nullptr;
  for (const Stmt *child : node->children())
    if (const Expr *use = useOf(variable, child))
      return use;
  return nullptr;
}

bool Analysis::refuseUse(const Expr *node, llvm::StringRef text) {
  const Expr *use = useOf(loop.variable, node);
  return !use || refuse(use->getExprLoc(), text, loop.variable);
}

bool Analysis::refuseSecond(SourceLocation location, llvm::StringRef text) {
  refuse(location, text);
  note(diagnostics, location,
       "compute the others from the first, in the body of the loop");
  return false;
}

bool Analysis::initialisation() {
  Stmt *init = loop.statement->getInit();
  if (!init)
    return refuse(loop.statement->getLParenLoc(),
                  "missing loop control variable in '%0'");
  if (auto *declaration = dyn_cast<DeclStmt>(init)) {
    loop.variable = dyn_cast<VarDecl>(*declaration->decl_begin());
    if (!declaration->isSingleDecl())
      return refuseSecond(
          (*std::next(declaration->decl_begin()))->getLocation(),
          "cannot declare more than one loop control variable in '%0'");
    if (!loop.variable)
      return refuse(init->getBeginLoc(),
                    "expected the declaration of a control variable in '%0'");
    if (!loop.variable->getInit())
      return refuse(loop.variable->getLocation(),
                    "the control variable of a '%0' must be initialized");
    return controlVariable(loop.variable->getLocation());
  }
  auto *assignment = dyn_cast<BinaryOperator>(cast<Expr>(init)->IgnoreParens());
  if (assignment && assignment->getOpcode() == BO_Comma)
    return refuseSecond(
        assignment->getOperatorLoc(),
        "cannot initialize more than one loop control variable in '%0'");
  if (!assignment || assignment->getOpcode() != BO_Assign)
    return refuse(init->getBeginLoc(),
                  "expected the initialization of a control variable in '%0'");
  loop.variable = const_cast<VarDecl *>(variableOf(assignment->getLHS()));
  if (!loop.variable)
    return refuse(assignment->getLHS()->getExprLoc(),
                  "expected a variable for control variable in '%0'");
  loop.declaredBefore = true;
  return controlVariable(assignment->getLHS()->getExprLoc()) &&
         refuseUse(assignment->getRHS(),
                   "the first value of control variable %1 of a '%0' cannot "
                   "depend on it");
}

/// Whether `type` is _Bool, or an enumeration that is one.
static bool isTruth(QualType type) {
  if (auto *enumeration = type->getAsEnumDecl())
    type = enumeration->getIntegerType();
  return !type.isNull() && type->isBooleanType();
}

bool Analysis::counts() const {
  QualType type = loop.variable->getType();
  return type->isPointerType() ||
         (type->isIntegralOrEnumerationType() && !isTruth(type) &&
          ast.getIntWidth(type) <= 64);
}

bool Analysis::controlVariable(SourceLocation location) {
  VarDecl *variable = loop.variable;
  if (variable->isStaticLocal() || variable->hasExternalStorage())
    return refuse(location,
                  "loop control variable cannot have storage class "
                  "'%select{static|extern}1' in '%0'",
                  variable->hasExternalStorage());
  if (!variable->hasLocalStorage())
    return refuse(location, "non-local loop control variable in '%0'");
  QualType type = variable->getType();
  if (isTruth(type))
    return refuse(location,
                  "loop control variable cannot be of type %1 in '%0', which "
                  "has no value after 1",
                  type);
  bool integral = type->isIntegralOrEnumerationType();
  if (!integral && !type->isPointerType()) {
    // What has no arithmetic the other parts cannot compare and change.
    if (!type->isArithmeticType())
      loop.variable = nullptr;
    return refuse(location,
                  "loop control variable must have an integral or pointer type "
                  "in '%0', not %1",
                  type);
  }
  if (integral && ast.getIntWidth(type) > 64)
    return refuse(location,
                  "loop control variable of type %1 has more than 64 bits, "
                  "which '%0' cannot count",
                  type);
  return true;
}

static LoopForm::Relation relationOf(BinaryOperatorKind opcode, bool mirrored) {
  switch (opcode) {
  case BO_LT:
    return mirrored ? LoopForm::greater : LoopForm::less;
  case BO_LE:
    return mirrored ? LoopForm::greaterEqual : LoopForm::lessEqual;
  case BO_GT:
    return mirrored ? LoopForm::less : LoopForm::greater;
  case BO_GE:
    return mirrored ? LoopForm::lessEqual : LoopForm::greaterEqual;
  default:
    return LoopForm::notEqual;
  }
}

/// How the control variable becomes what is compared, in 64 bits.  One that is
/// compared in a wider type may wrap around in its own, unless C has no such
/// program.
LoopForm::Extension Analysis::extension() const {
  QualType type = loop.variable->getType(), wider = loop.compared->getType();
  if (!isa<DeclRefExpr>(loop.compared->IgnoreParenImpCasts()) ||
      type.isVolatileQualified() || type->isAtomicType() ||
      type->isBitIntType() || wider->isBitIntType())
    return LoopForm::unknown;
  if (ast.getIntWidth(type) == ast.getIntWidth(wider))
    return loop.form.signedComparison ? LoopForm::sign : LoopForm::zero;
  bool neverWraps = type->isSignedIntegerType() &&
                    ast.getIntWidth(type) >= ast.getIntWidth(ast.IntTy) &&
                    !ast.getLangOpts().isSignedOverflowDefined();
  return neverWraps && ast.getIntWidth(wider) == 64 ? LoopForm::sign
                                                    : LoopForm::unknown;
}

bool Analysis::condition() {
  Expr *whole = loop.statement->getCond();
  if (!whole)
    return refuse(loop.statement->getLParenLoc(),
                  "missing loop condition expression in '%0'");
  // Nothing to compare the other parts with; that has been said.
  if (!loop.variable)
    return false;
  bool constant = true;
  refuseChanges(whole, "condition", constant);
  if (!constant) {
    stepsInCondition = true;
    return false;
  }
  auto *operation = dyn_cast<BinaryOperator>(whole->IgnoreParenImpCasts());
  if (!operation)
    return refuse(whole->getExprLoc(),
                  "expected binary comparison operator in '%0' loop condition");
  if (!operation->isComparisonOp() || operation->getOpcode() == BO_EQ)
    return refuse(operation->getOperatorLoc(),
                  "loop condition operator must be one of '<', '<=', '>', "
                  "'>=', or '!=' in '%0'");
  bool mirrored = !isWidened(operation->getLHS());
  if (mirrored && !isWidened(operation->getRHS())) {
    refuse(operation->getOperatorLoc(),
           "loop condition does not test control variable %1 in '%0'",
           loop.variable);
    note(diagnostics, operation->getOperatorLoc(),
         "allowed forms are %0 OP expr, and expr OP %0")
        << loop.variable;
    return false;
  }
  if (!counts())
    return false;
  loop.compared = mirrored ? operation->getRHS() : operation->getLHS();
  loop.limit = mirrored ? operation->getLHS() : operation->getRHS();
  loop.form.relation = relationOf(operation->getOpcode(), mirrored);
  QualType type = loop.compared->getType();
  if (!loop.isPointer() &&
      (!type->isIntegerType() || ast.getIntWidth(type) > 64))
    return refuse(loop.limit->getExprLoc(),
                  "the limit of a '%0' must be an integer of at most 64 bits, "
                  "not %1",
                  loop.limit->IgnoreParenImpCasts()->getType());
  loop.form.signedComparison = type->isSignedIntegerOrEnumerationType();
  if (!loop.isPointer()) {
    loop.form.width = ast.getIntWidth(loop.variable->getType());
    loop.form.extension = extension();
  }
  return refuseUse(loop.limit, "the limit of a '%0' cannot depend on control "
                               "variable %1");
}

/// The place of `child` in `parent`, so that it can be replaced.
static Stmt **slotOf(Stmt *parent, Stmt *child) {
  for (Stmt *&place : parent->children())
    if (place == child)
      return &place;
  return nullptr;
}

/// Finds the stride in `operation`, one of whose operands is the variable.
bool Analysis::steps(BinaryOperator *operation, bool subtracts) {
  bool mirrored = !isVariable(operation->getLHS());
  bool commutes = !subtracts && !operation->isCompoundAssignmentOp();
  if (mirrored && (!commutes || !isVariable(operation->getRHS())))
    return refuse(operation->getOperatorLoc(),
                  "loop increment does not modify control variable %1 in '%0'",
                  loop.variable);
  Expr *value = mirrored ? operation->getLHS() : operation->getRHS();
  loop.stride = slotOf(operation, value);
  // What it is converted to may hide its sign.
  while (true) {
    auto *conversion = dyn_cast<ImplicitCastExpr>(value);
    Expr *inner = nullptr;
    if (conversion && conversion->getCastKind() == CK_IntegralCast)
      inner = conversion->getSubExpr();
    else if (auto *paren = dyn_cast<ParenExpr>(value))
      inner = paren->getSubExpr();
    if (!inner)
      break;
    loop.stride = slotOf(value, inner);
    value = inner;
  }
  if (!counts())
    return false;
  QualType type = value->getType();
  if (!type->isIntegralOrEnumerationType() || ast.getIntWidth(type) > 64)
    return refuse(value->getExprLoc(),
                  "the stride of a '%0' must be an integer of at most 64 bits, "
                  "not %1",
                  value->IgnoreParenImpCasts()->getType());
  loop.form.subtracts = subtracts;
  loop.form.signedStride = type->isSignedIntegerOrEnumerationType();
  return refuseUse(value, "the stride of a '%0' cannot depend on control "
                          "variable %1");
}

bool Analysis::increment() {
  Expr *whole = loop.statement->getInc();
  if (!whole && stepsInCondition)
    return false;
  if (!whole)
    return refuse(loop.statement->getRParenLoc(),
                  "missing loop increment expression in '%0'");
  if (!loop.variable)
    return false;
  Expr *node = whole->IgnoreParens();
  if (auto *unary = dyn_cast<UnaryOperator>(node);
      unary && unary->isIncrementDecrementOp()) {
    loop.form.subtracts = unary->isDecrementOp();
    return isVariable(unary->getSubExpr()) ||
           refuse(unary->getOperatorLoc(),
                  "loop increment does not modify control variable %1 in '%0'",
                  loop.variable);
  }
  auto *operation = dyn_cast<BinaryOperator>(node);
  if (operation && (operation->getOpcode() == BO_AddAssign ||
                    operation->getOpcode() == BO_SubAssign))
    return steps(operation, operation->getOpcode() == BO_SubAssign);
  if (operation && operation->getOpcode() == BO_Assign) {
    auto *sum =
        dyn_cast<BinaryOperator>(operation->getRHS()->IgnoreParenImpCasts());
    if (!isVariable(operation->getLHS()))
      return refuse(operation->getOperatorLoc(),
                    "loop increment does not modify control variable %1 in "
                    "'%0'",
                    loop.variable);
    if (sum && (sum->getOpcode() == BO_Add || sum->getOpcode() == BO_Sub))
      return steps(sum, sum->getOpcode() == BO_Sub);
  }
  return refuse(node->getExprLoc(),
                "loop increment operator must be one of operators '++', '--', "
                "'+=', or '-=', or add to or subtract from %1 in '%0'",
                loop.variable);
}

/// Whether a constant stride leads to the limit.
bool Analysis::direction() {
  llvm::APSInt stride(llvm::APInt(64, 1), /*isUnsigned=*/false);
  SourceLocation location = loop.statement->getInc()->getExprLoc();
  if (Expr *value = loop.strideValue()) {
    location = value->getExprLoc();
    Expr::EvalResult constant;
    if (!value->EvaluateAsInt(constant, ast))
      return true;
    stride = constant.Val.getInt();
  }
  if (stride.isZero())
    return refuse(location, "loop increment must be non-zero in '%0'");
  bool negative = stride.isNegative() != loop.form.subtracts;
  bool ascends = loop.form.relation == LoopForm::less ||
                 loop.form.relation == LoopForm::lessEqual;
  if (loop.form.relation == LoopForm::notEqual || ascends != negative)
    return true;
  refuse(location,
         "loop increment is inconsistent with condition in '%0': expected "
         "%select{negative|positive}1 stride",
         ascends);
  llvm::SmallString<24> digits;
  (stride.isNegative() ? -stride : stride).toString(digits, 10);
  note(diagnostics, location, "constant stride is %select{|-}0%1")
      << negative << digits;
  return false;
}

/// Reports the places in `node`, part `where` of the loop, that change the
/// control variable.
void Analysis::refuseChanges(const Stmt *node, llvm::StringRef where,
                             bool &right) {
  if (!node || isa<UnaryExprOrTypeTraitExpr>(node))
    return;
  const Expr *target = nullptr;
  if (auto *binary = dyn_cast<BinaryOperator>(node);
      binary && binary->isAssignmentOp())
    target = binary->getLHS();
  else if (auto *unary = dyn_cast<UnaryOperator>(node);
           unary && unary->isIncrementDecrementOp())
    target = unary->getSubExpr();
  if (target && isVariable(target))
    right = refuse(target->getExprLoc(),
                   "cannot modify control variable %1 in the %2 of a '%0'",
                   loop.variable, where);
  auto *inner = dyn_cast<ForStmt>(node);
  for (const Stmt *child : node->children()) {
    bool rightUntilNow = std::exchange(right, true);
    refuseChanges(child, where, right);
    // Of a loop that counts with the variable its start says enough.
    if (inner && child == inner->getInit() && !right)
      return refuseChanges(inner->getBody(), where, right);
    right &= rightUntilNow;
  }
}

bool Analysis::body() {
  bool right = loop.variable;
  if (right)
    refuseChanges(loop.statement->getBody(), "body", right);
  return right;
}

std::optional<ParallelLoop> analyzeLoop(ForStmt *loop, SpawnWord word,
                                        ASTContext &ast) {
  return Analysis(loop, word, ast).run();
}

} // namespace cilk2chan
