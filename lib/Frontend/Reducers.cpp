//===- Reducers.cpp - Variables with a view for each strand ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reducers.h"
#include "Diagnostics.h"
#include "cilk2chan/Support/Markers.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/Builtins.h"

using namespace clang;

namespace cilk2chan {

/// As chan/abi.h has it.
static constexpr unsigned orderedFlag = 1;

/// The annotation that the word leaves on a type, or null.
static const AnnotateTypeAttr *annotationOf(QualType type, ASTContext &ast) {
  while (true) {
    // What has a reducer's type by `typeof` is a pointer's target, or a copy.
    if (isa<TypeOfExprType, TypeOfType, AutoType>(type.getTypePtr()))
      return nullptr;
    if (auto *attributed = dyn_cast<AttributedType>(type.getTypePtr())) {
      auto *attribute =
          dyn_cast_or_null<AnnotateTypeAttr>(attributed->getAttr());
      if (attribute && attribute->getAnnotation() == ReducerAnnotation)
        return attribute;
    }
    QualType next = type.getSingleStepDesugaredType(ast);
    if (next.getTypePtr() == type.getTypePtr())
      return nullptr;
    type = next;
  }
}

/// Whether an object of the type contains floating-point numbers, whose sums
/// depend on the order of additions.
static bool hasFloatingPoint(QualType type) {
  type = type.getCanonicalType();
  if (auto *array = dyn_cast<ArrayType>(type.getTypePtr()))
    return hasFloatingPoint(array->getElementType());
  if (auto *record = type->getAsRecordDecl())
    return llvm::any_of(record->fields(), [](const FieldDecl *field) {
      return hasFloatingPoint(field->getType());
    });
  return type->hasFloatingRepresentation();
}

Reducers::Reducers(ASTContext &ast, ChildBuilder &builder)
    : ast(ast), builder(builder) {
  FunctionProtoType::ExtProtoInfo info;
  identityType = ast.getPointerType(
      ast.getFunctionType(ast.VoidTy, {ast.VoidPtrTy}, info));
  reduceType = ast.getPointerType(
      ast.getFunctionType(ast.VoidTy, {ast.VoidPtrTy, ast.VoidPtrTy}, info));
  QualType size = ast.getSizeType();
  auto declare = [&](llvm::StringRef name, llvm::ArrayRef<QualType> parameters,
                     QualType result) {
    return builder.function(name, parameters, SC_Extern, SourceLocation(),
                            result);
  };
  viewFunction = declare(ReducerViewName,
                         {ast.VoidPtrTy, size, ast.UnsignedIntTy,
                          ast.UnsignedIntTy, identityType, reduceType},
                         ast.VoidPtrTy);
  declareFunction =
      declare(ReducerDeclareName, {ast.VoidPtrTy, size, size}, ast.VoidPtrTy);
  forgetFunction = declare(ReducerForgetName,
                           {ast.getPointerType(ast.VoidPtrTy)}, ast.VoidTy);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The annotation's arguments as pointers to functions, null with an error if
/// they are not what they are to be.
const Reducers::Kind &Reducers::kindOf(const AnnotateTypeAttr *attribute) {
  auto [found, isNew] = kinds.try_emplace(attribute);
  if (!isNew)
    return found->second;
  DiagnosticsEngine &diagnostics = ast.getDiagnostics();
  auto check = [&](Expr *function, QualType wanted, const char *which,
                   const char *form) -> Expr * {
    function = function->IgnoreParenImpCasts();
    if (auto *constant = dyn_cast<ConstantExpr>(function))
      function = constant->getSubExpr()->IgnoreParenImpCasts();
    if (auto *address = dyn_cast<UnaryOperator>(function);
        address && address->getOpcode() == UO_AddrOf)
      function = address->getSubExpr()->IgnoreParenImpCasts();
    auto *reference = dyn_cast<DeclRefExpr>(function);
    auto *declared =
        reference ? dyn_cast<FunctionDecl>(reference->getDecl()) : nullptr;
    if (!declared || !ast.typesAreCompatible(
                         ast.getPointerType(declared->getType()), wanted)) {
      error(diagnostics, function->getExprLoc(),
            "the %0 function of a reducer must be a function 'void %1'")
          << which << form << function->getSourceRange();
      if (declared)
        note(diagnostics, declared->getLocation(), "declared here");
      return nullptr;
    }
    declared->markUsed(ast);
    return builder.castTo(wanted,
                          builder.decay(declared, function->getExprLoc()));
  };
  if (attribute->args_size() != 2) {
    error(diagnostics, attribute->getLocation(),
          "a reducer has an identity function and a reduce function: "
          "'cilk_reducer(identity, reduce)'");
    return found->second;
  }
  Kind kind;
  kind.identity = check(attribute->args_begin()[0], identityType, "identity",
                        "(void *view)");
  kind.reduce = check(attribute->args_begin()[1], reduceType, "reduce",
                      "(void *left, void *right)");
  return kinds[attribute] = kind;
}

void Reducers::checkType(QualType type, SourceLocation location) {
  if (const AnnotateTypeAttr *attribute = annotationOf(type, ast)) {
    kindOf(attribute);
    if (type->isIncompleteType() || type->isSizelessType() ||
        type->isFunctionType() || type->isVariablyModifiedType())
      error(ast.getDiagnostics(), location,
            "a reducer must have a type of a known size, which %0 is not")
          << type.getCanonicalType();
    return;
  }
  if (auto *array = ast.getAsArrayType(type)) {
    if (annotationOf(array->getElementType(), ast) &&
        isa<VariableArrayType>(array))
      error(ast.getDiagnostics(), location,
            "an array of reducers must have a constant size");
    checkType(array->getElementType(), location);
  } else if (auto *pointer = type->getAs<clang::PointerType>()) {
    if (const AnnotateTypeAttr *attribute =
            annotationOf(pointer->getPointeeType(), ast))
      kindOf(attribute);
  }
}

void Reducers::check(Decl *declaration) {
  if (auto *record = dyn_cast<RecordDecl>(declaration)) {
    for (FieldDecl *field : record->fields()) {
      checkType(field->getType(), field->getLocation());
      if (field->isBitField() && annotationOf(field->getType(), ast))
        error(ast.getDiagnostics(), field->getLocation(),
              "a bit-field cannot be a reducer");
    }
  } else if (auto *declared = dyn_cast<DeclaratorDecl>(declaration)) {
    checkType(declared->getType(), declared->getLocation());
  }
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Expr *Reducers::size(uint64_t value, SourceLocation location) {
  return builder.integer(ast.getSizeType(), value, location);
}

Expr *Reducers::view(Expr *lvalue) {
  const AnnotateTypeAttr *attribute = annotationOf(lvalue->getType(), ast);
  const Kind &kind = kindOf(attribute);
  QualType type = lvalue->getType();
  if (!kind.identity || !kind.reduce || type->isIncompleteType())
    return lvalue;
  SourceLocation location = lvalue->getExprLoc();
  auto number = [&](uint64_t value) {
    return builder.integer(ast.UnsignedIntTy, value, location);
  };
  Expr *address = builder.castTo(ast.VoidPtrTy, builder.addressOf(lvalue));
  Expr *call = builder.call(
      viewFunction,
      {address, size(ast.getTypeSizeInChars(type).getQuantity(), location),
       number(ast.getTypeAlignInChars(type).getQuantity()),
       number(hasFloatingPoint(type) ? orderedFlag : 0), kind.identity,
       kind.reduce},
      location);
  return builder.dereference(builder.castTo(ast.getPointerType(type), call),
                             location);
}

/// The reducers in an object of the type.
llvm::SmallVector<Reducers::Run> Reducers::runsIn(QualType type) {
  if (annotationOf(type, ast))
    return {{0, uint64_t(ast.getTypeSizeInChars(type).getQuantity()), 1}};
  llvm::SmallVector<Run> runs;
  if (const ConstantArrayType *array = ast.getAsConstantArrayType(type)) {
    uint64_t count = array->getZExtSize();
    uint64_t bytes =
        ast.getTypeSizeInChars(array->getElementType()).getQuantity();
    for (const Run &run : runsIn(array->getElementType()))
      if (run.count == 1 || run.stride * run.count == bytes) {
        uint64_t stride = run.count == 1 ? bytes : run.stride;
        runs.push_back({run.offset, stride, run.count * count});
      } else {
        for (uint64_t i = 0; i < count; ++i)
          runs.push_back({run.offset + i * bytes, run.stride, run.count});
      }
  } else if (const RecordDecl *record = type->getAsRecordDecl();
             record && record->isCompleteDefinition() && !record->isUnion()) {
    const ASTRecordLayout &layout = ast.getASTRecordLayout(record);
    for (auto [index, field] : llvm::enumerate(record->fields()))
      for (const Run &run : runsIn(field->getType()))
        runs.push_back({run.offset + layout.getFieldOffset(index) / 8,
                        run.stride, run.count});
  }
  return runs;
}

/// `CLEANUP(chan_reducer_forget) void *_ = chan_reducer_declare(...)`
VarDecl *Reducers::declare(VarDecl *variable, const Run &run) {
  SourceLocation location = variable->getLocation();
  // Without the annotation, it is the variable itself.
  Expr *object = builder.reference(variable, location);
  object->setType(variable->getType().getCanonicalType());
  Expr *address =
      builder.castTo(ast.getPointerType(ast.CharTy), builder.addressOf(object));
  if (run.offset)
    address = BinaryOperator::Create(
        ast, address, size(run.offset, location), BO_Add, address->getType(),
        VK_PRValue, OK_Ordinary, location, FPOptionsOverride());
  auto *record = VarDecl::Create(
      ast, function, location, location, nullptr, ast.VoidPtrTy,
      ast.getTrivialTypeSourceInfo(ast.VoidPtrTy, location), SC_None);
  record->setImplicit();
  record->addAttr(NoDebugAttr::CreateImplicit(ast));
  record->addAttr(CleanupAttr::CreateImplicit(ast, forgetFunction));
  record->setInitStyle(VarDecl::CInit);
  record->setInit(
      builder.call(declareFunction,
                   {builder.castTo(ast.VoidPtrTy, address),
                    size(run.stride, location), size(run.count, location)},
                   location));
  return record;
}

static bool isAddressOfBuiltin(const Stmt *node) {
  auto *call = dyn_cast<CallExpr>(node);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->getBuiltinID() == Builtin::BI__builtin_addressof;
}

/// Whether a node stands for the lvalue that is its operand, which is not to get
/// a view twice.
static bool isSameLvalue(const Stmt *node) {
  auto *expression = dyn_cast<Expr>(node);
  if (!expression || !expression->isGLValue())
    return false;
  auto *unary = dyn_cast<UnaryOperator>(node);
  return isa<ParenExpr, CastExpr, GenericSelectionExpr, ChooseExpr>(node) ||
         (unary && unary->getOpcode() == UO_Extension);
}

void Reducers::rewriteStatement(Stmt *node, SpawnTable &table, bool spawns) {
  if (!node || isa<UnaryExprOrTypeTraitExpr>(node))
    return;
  if (auto *compound = dyn_cast<CompoundStmt>(node)) {
    // Statements of a block are not to be replaced, but declarations grow.
    for (Stmt *&child : compound->body()) {
      auto *statement = dyn_cast<DeclStmt>(child);
      if (!statement)
        continue;
      llvm::SmallVector<Decl *, 4> group;
      for (Decl *declared : statement->decls()) {
        check(declared);
        group.push_back(declared);
        auto *variable = dyn_cast<VarDecl>(declared);
        if (!variable || !variable->hasLocalStorage())
          continue;
        for (const Run &run : runsIn(variable->getType()))
          group.push_back(declare(variable, run));
      }
      if (group.size() ==
          size_t(std::distance(statement->decl_begin(), statement->decl_end())))
        continue;
      child = new (ast)
          DeclStmt(DeclGroupRef::Create(ast, group.data(), group.size()),
                   statement->getBeginLoc(), statement->getEndLoc());
      if (spawns && compound != function->getBody())
        table.endWithSync(compound->getLBracLoc());
    }
  }
  bool isTaken = isAddressOfBuiltin(node) || isSameLvalue(node);
  for (Stmt *&child : node->children()) {
    auto *expression = dyn_cast_or_null<Expr>(child);
    bool isUse = expression && expression->isGLValue() && !isTaken &&
                 annotationOf(expression->getType(), ast);
    rewriteStatement(child, table, spawns);
    if (isUse)
      child = view(expression);
  }
}

void Reducers::rewrite(FunctionDecl *rewritten, SpawnTable &table,
                       bool spawns) {
  function = rewritten;
  rewriteStatement(function->getBody(), table, spawns);
}

bool isReducer(QualType type, ASTContext &ast) {
  return annotationOf(type, ast) != nullptr;
}

} // namespace cilk2chan
