//===- ChildBuilder.cpp - The child's part of a spawn ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChildBuilder.h"
#include "SpawnChecks.h"
#include "cilk2chan/Support/Markers.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cilk2chan {

/// How a child gets at its destination: by the address of it or, for a
/// bit-field, of the object that contains it.
struct ChildBuilder::Slot {
  Expr *address;        // in the parent
  MemberExpr *bitField; // null unless it is one
  QualType type;        // of the lvalue behind the address
};

Expr *ChildBuilder::reference(ValueDecl *declaration, SourceLocation location) {
  return DeclRefExpr::Create(ast, NestedNameSpecifierLoc(), SourceLocation(),
                             declaration, false, location,
                             declaration->getType(), VK_LValue);
}

Expr *ChildBuilder::integer(QualType type, uint64_t value,
                            SourceLocation location) {
  return IntegerLiteral::Create(ast, llvm::APInt(ast.getIntWidth(type), value),
                                type, location);
}

Expr *ChildBuilder::load(Expr *lvalue) {
  QualType type = lvalue->getType().getUnqualifiedType();
  Expr *value =
      ImplicitCastExpr::Create(ast, type, CK_LValueToRValue, lvalue, nullptr,
                               VK_PRValue, FPOptionsOverride());
  if (!type->isAtomicType())
    return value;
  return ImplicitCastExpr::Create(ast, type.getAtomicUnqualifiedType(),
                                  CK_AtomicToNonAtomic, value, nullptr,
                                  VK_PRValue, FPOptionsOverride());
}

Expr *ChildBuilder::addressOf(Expr *lvalue) {
  return UnaryOperator::Create(
      ast, lvalue, UO_AddrOf, ast.getPointerType(lvalue->getType()), VK_PRValue,
      OK_Ordinary, lvalue->getExprLoc(), false, FPOptionsOverride());
}

Expr *ChildBuilder::dereference(Expr *pointer, SourceLocation location) {
  return UnaryOperator::Create(
      ast, pointer, UO_Deref, pointer->getType()->getPointeeType(), VK_LValue,
      OK_Ordinary, location, false, FPOptionsOverride());
}

Expr *ChildBuilder::decay(FunctionDecl *function, SourceLocation location) {
  return ImplicitCastExpr::Create(
      ast, ast.getPointerType(function->getType()), CK_FunctionToPointerDecay,
      reference(function, location), nullptr, VK_PRValue, FPOptionsOverride());
}

Expr *ChildBuilder::call(FunctionDecl *function,
                         llvm::ArrayRef<Expr *> arguments,
                         SourceLocation location) {
  return CallExpr::Create(ast, decay(function, location), arguments,
                          function->getReturnType(), VK_PRValue, location,
                          FPOptionsOverride());
}

Expr *ChildBuilder::castTo(QualType type, Expr *value) {
  if (ast.hasSameType(type, value->getType()))
    return value;
  bool sameBut = ast.hasSameUnqualifiedType(type, value->getType()) ||
                 ast.hasSimilarType(type, value->getType());
  return ImplicitCastExpr::Create(ast, type, sameBut ? CK_NoOp : CK_BitCast,
                                  value, nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

CompoundStmt *ChildBuilder::compound(llvm::ArrayRef<Stmt *> statements,
                                     SourceLocation location) {
  return CompoundStmt::Create(ast, statements, FPOptionsOverride(), location,
                              location);
}

FunctionDecl *ChildBuilder::function(llvm::StringRef name,
                                     llvm::ArrayRef<QualType> parameters,
                                     StorageClass storage,
                                     SourceLocation location,
                                     QualType returned) {
  TranslationUnitDecl *unit = ast.getTranslationUnitDecl();
  QualType type = ast.getFunctionType(returned, parameters,
                                      FunctionProtoType::ExtProtoInfo());
  auto *result = FunctionDecl::Create(
      ast, unit, location, location, DeclarationName(&ast.Idents.get(name)),
      type, ast.getTrivialTypeSourceInfo(type, location), storage);
  result->setImplicit();
  // Its name is not mangled by -funique-internal-linkage-names, but for a
  // suffix.
  if (storage == SC_Static)
    result->addAttr(AsmLabelAttr::CreateImplicit(ast, name));
  llvm::SmallVector<ParmVarDecl *, 8> declarations;
  for (QualType parameter : parameters) {
    auto *declaration = ParmVarDecl::Create(
        ast, result, location, location, nullptr, parameter,
        ast.getTrivialTypeSourceInfo(parameter, location), SC_None, nullptr);
    declaration->setImplicit();
    declaration->setScopeInfo(0, declarations.size());
    declarations.push_back(declaration);
  }
  result->setParams(declarations);
  unit->addDecl(result);
  return result;
}

void ChildBuilder::inheritCodeGen(FunctionDecl *function,
                                  FunctionDecl *parent) {
  function->setUsesFPIntrin(parent->UsesFPIntrin());
  // How vectors are passed depends on it.
  if (auto *target = parent->getAttr<TargetAttr>())
    function->addAttr(target->clone(ast));
  for (auto *exempt : parent->specific_attrs<NoSanitizeAttr>())
    function->addAttr(exempt->clone(ast));
}

void ChildBuilder::define(FunctionDecl *function, Stmt *body) {
  function->setBody(body);
  // Nothing refers to it until the markers are replaced.
  function->addAttr(UsedAttr::CreateImplicit(ast));
  defined.push_back(function);
}

QualType ChildBuilder::parameterType(QualType type) const {
  if (type->isVariablyModifiedType())
    return ast.VoidPtrTy;
  return type.getUnqualifiedType();
}

/// `register` says that the address is not taken; now it is.
static void clearRegister(Expr *lvalue) {
  lvalue = lvalue->IgnoreParens();
  if (auto *member = dyn_cast<MemberExpr>(lvalue); member && !member->isArrow())
    return clearRegister(member->getBase());
  if (auto *reference = dyn_cast<DeclRefExpr>(lvalue))
    if (auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      if (variable->getStorageClass() == SC_Register)
        variable->setStorageClass(SC_None);
}

/// `type` where an object of it is as little aligned as `lvalue`, in a packed
/// struct for instance: the pointer to it has to say so.
static QualType alignedAs(const Expr *lvalue, QualType type, ASTContext &ast) {
  CharUnits usual = ast.getTypeAlignInChars(type), alignment = usual;
  for (const Expr *part = lvalue->IgnoreParens(); part;) {
    const Expr *whole = nullptr;
    if (auto *member = dyn_cast<MemberExpr>(part)) {
      alignment =
          std::min(alignment, ast.getDeclAlign(member->getMemberDecl()));
      whole = member->isArrow() ? nullptr : member->getBase();
    } else if (auto *element = dyn_cast<ArraySubscriptExpr>(part)) {
      auto *decay = dyn_cast<ImplicitCastExpr>(element->getBase());
      if (decay && decay->getCastKind() == CK_ArrayToPointerDecay)
        whole = decay->getSubExpr();
    }
    part = whole ? whole->IgnoreParens() : nullptr;
  }
  if (alignment == usual)
    return type;
  SourceLocation location = lvalue->getBeginLoc();
  TypedefDecl *name =
      TypedefDecl::Create(ast, ast.getTranslationUnitDecl(), location, location,
                          &ast.Idents.get("__cilk_unaligned"),
                          ast.getTrivialTypeSourceInfo(type, location));
  name->setImplicit();
  Expr *bytes = IntegerLiteral::Create(
      ast, llvm::APInt(ast.getIntWidth(ast.IntTy), alignment.getQuantity()),
      ast.IntTy, location);
  name->addAttr(AlignedAttr::CreateImplicit(ast, /*IsAlignmentExpr=*/true,
                                            bytes, SourceRange(),
                                            AlignedAttr::GNU_aligned));
  return ast.getTypedefType(ElaboratedTypeKeyword::None, std::nullopt, name);
}

ChildBuilder::Slot ChildBuilder::slotFor(const Destination &destination) {
  Expr *lvalue = destination.lvalue;
  clearRegister(lvalue);
  if (lvalue->getObjectKind() == OK_BitField) {
    auto *member = cast<MemberExpr>(lvalue->IgnoreParens());
    Expr *base = member->getBase();
    Expr *address = member->isArrow() ? base : addressOf(base);
    return {address, member, address->getType()->getPointeeType()};
  }
  // A declaration initialises its variable even if that is const.
  QualType type = lvalue->getType();
  type.removeLocalConst();
  if (type->isVariablyModifiedType())
    type = ast.getQualifiedType(ast.VoidPtrTy, type.getQualifiers());
  type = alignedAs(lvalue, type, ast);
  return {castTo(ast.getPointerType(type), addressOf(lvalue)), nullptr, type};
}

Expr *ChildBuilder::convert(llvm::ArrayRef<CastExpr *> casts, Expr *value) {
  for (CastExpr *cast : llvm::reverse(casts)) {
    FPOptionsOverride options = cast->getFPFeatures();
    if (cast->getType()->isVariablyModifiedType())
      value = castTo(ast.VoidPtrTy, value);
    else if (auto *written = dyn_cast<CStyleCastExpr>(cast))
      value = CStyleCastExpr::Create(
          ast, cast->getType(), cast->getValueKind(), cast->getCastKind(),
          value, nullptr, options, written->getTypeInfoAsWritten(),
          written->getLParenLoc(), written->getRParenLoc());
    else
      value = ImplicitCastExpr::Create(ast, cast->getType(),
                                       cast->getCastKind(), value, nullptr,
                                       cast->getValueKind(), options);
  }
  return value;
}

Expr *ChildBuilder::assign(const Destination &destination, Expr *lvalue,
                           Expr *value, SourceLocation location) {
  QualType type = lvalue->getType().getAtomicUnqualifiedType();
  if (CompoundAssignOperator *compound = destination.compound)
    return CompoundAssignOperator::Create(
        ast, lvalue, value, compound->getOpcode(), type, VK_PRValue,
        OK_Ordinary, location, compound->getFPFeatures(),
        compound->getComputationLHSType(),
        compound->getComputationResultType());
  return BinaryOperator::Create(ast, lvalue, value, BO_Assign, type, VK_PRValue,
                                OK_Ordinary, location, FPOptionsOverride());
}

Expr *ChildBuilder::spawn(FunctionDecl *parent, const Spawn &spawn,
                          llvm::ArrayRef<CastExpr *> casts,
                          const Destination &destination) {
  SourceLocation location = spawn.word.location;
  auto *source = cast<CallExpr>(spawn.call);
  checkArguments(source, ast);

  // What the parent evaluates.
  llvm::SmallVector<Expr *, 8> values;
  Slot slot{};
  if (destination.lvalue) {
    slot = slotFor(destination);
    values.push_back(slot.address);
  }
  size_t calleeIndex = values.size();
  values.push_back(source->getCallee());
  llvm::append_range(values, source->arguments());
  llvm::SmallVector<QualType, 8> types;
  for (Expr *&value : values) {
    bool isDestination = destination.lvalue && types.empty();
    types.push_back(isDestination ? ast.getPointerType(slot.type)
                                  : parameterType(value->getType()));
    value = castTo(types.back(), value);
  }

  std::string suffix = std::to_string(nextNumber());
  FunctionDecl *marker =
      function(SpawnPrefix.str() + suffix, types, SC_Extern, location);
  FunctionDecl *child =
      function(ChildPrefix.str() + suffix, types, SC_Static, location);
  inheritCodeGen(marker, parent);
  inheritCodeGen(child, parent);
  // It calls through a pointer whatever was written; that the parent's pointers
  // need no check, SpawningFunction has made sure.
  llvm::StringRef unchecked[] = {"cfi-icall"};
  child->addAttr(NoSanitizeAttr::CreateImplicit(ast, unchecked, 1));

  // What the child does with it.
  auto parameter = [&](size_t index) {
    return load(reference(child->getParamDecl(index), location));
  };
  llvm::SmallVector<Expr *, 8> arguments;
  for (size_t i = calleeIndex + 1; i != values.size(); ++i)
    arguments.push_back(
        castTo(source->getArg(i - calleeIndex - 1)->getType(), parameter(i)));
  Expr *body = CallExpr::Create(
      ast, parameter(calleeIndex), arguments, source->getType(),
      source->getValueKind(), source->getRParenLoc(), source->getFPFeatures());
  if (destination.lvalue) {
    Expr *value = convert(casts, body);
    Expr *lvalue;
    if (MemberExpr *member = slot.bitField)
      lvalue = MemberExpr::CreateImplicit(
          ast, parameter(0), /*IsArrow=*/true, member->getMemberDecl(),
          member->getType(), VK_LValue, OK_BitField);
    else
      lvalue = dereference(parameter(0), location);
    body = assign(destination, lvalue, value, location);
  }
  define(child, compound(body, location));
  return call(marker, values, location);
}

} // namespace cilk2chan
