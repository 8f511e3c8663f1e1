//===- SpawnedCallChecks.cpp - What may be spawned, and where it stores ---===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Reducers.h"
#include "SpawnChecks.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/TargetInfo.h"

using namespace clang;

namespace cilk2chan {

/// Whether all of `type` is of one floating-point type, which `member` becomes.
static bool isHomogeneous(QualType type, QualType &member,
                          const ASTContext &ast) {
  if (const ConstantArrayType *array = ast.getAsConstantArrayType(type))
    return isHomogeneous(array->getElementType(), member, ast);
  if (const auto *complex = type->getAs<ComplexType>())
    return isHomogeneous(complex->getElementType(), member, ast);
  if (const RecordDecl *record = type->getAsRecordDecl())
    return llvm::all_of(record->fields(), [&](const FieldDecl *field) {
      return isHomogeneous(field->getType(), member, ast);
    });
  if (member.isNull())
    member = type.getCanonicalType().getUnqualifiedType();
  return type->isRealFloatingType() && ast.hasSameUnqualifiedType(type, member);
}

/// Whether a call passes the address of a copy that the caller has, which the
/// child may outlive, and nothing in LLVM IR says so.
static bool isPassedByHiddenAddress(QualType type, const ASTContext &ast) {
  if (!ast.getTargetInfo().getTriple().isAArch64())
    return false;
  CharUnits size = ast.getTypeSizeInChars(type);
  QualType member;
  return size > CharUnits::fromQuantity(16) &&
         (!isHomogeneous(type, member, ast) || member.isNull() ||
          size > 4 * ast.getTypeSizeInChars(member));
}

void checkArguments(const CallExpr *call, const ASTContext &ast) {
  DiagnosticsEngine &diagnostics = ast.getDiagnostics();
  for (const Expr *argument : call->arguments()) {
    if (!isPassedByHiddenAddress(argument->getType(), ast))
      continue;
    error(diagnostics, argument->getExprLoc(),
          "a spawn cannot pass a value of type %0 on '%1': it is larger than "
          "16 bytes")
        << argument->getType() << ast.getTargetInfo().getTriple().str()
        << argument->getSourceRange();
    note(diagnostics, argument->getExprLoc(),
         "pass the address of a variable that stays as it is until the sync");
  }
}

bool isOrdinaryCall(const Expr *node, const ASTContext &ast) {
  auto *call = dyn_cast<CallExpr>(node);
  if (!call)
    return false;
  const FunctionDecl *function = call->getDirectCallee();
  unsigned builtin = function ? function->getBuiltinID() : 0;
  return !builtin || ast.BuiltinInfo.isPredefinedLibFunction(builtin);
}

/// Why no child can evaluate the builtin with arguments that its parent has
/// evaluated; null if it can.
static const char *refusalOf(unsigned builtin, const ASTContext &ast) {
  switch (builtin) {
  case Builtin::BIalloca:
  case Builtin::BI__builtin_alloca:
  case Builtin::BI__builtin_alloca_uninitialized:
  case Builtin::BI__builtin_alloca_with_align:
  case Builtin::BI__builtin_alloca_with_align_uninitialized:
    return "its memory would be gone when the child returns";
  case Builtin::BI__builtin_va_start:
  case Builtin::BI__builtin_c23_va_start:
  case Builtin::BI__builtin_stdarg_start:
  case Builtin::BI__builtin_va_end:
  case Builtin::BI__builtin_va_copy:
  case Builtin::BI__builtin_ms_va_start:
  case Builtin::BI__builtin_ms_va_end:
  case Builtin::BI__builtin_ms_va_copy:
    return "it is about the arguments of the function that calls it";
  case Builtin::BI__builtin_dwarf_cfa:
  case Builtin::BI__builtin_unwind_init:
  case Builtin::BI__builtin_eh_return:
    return "it is about the stack frame of the function that calls it";
  case Builtin::BI__builtin_call_with_static_chain:
  case Builtin::BI__builtin_preserve_access_index:
  case Builtin::BI__builtin_counted_by_ref:
    return "it depends on how its argument is written";
  default:
    break;
  }
  if (builtin && ast.BuiltinInfo.isUnevaluated(builtin))
    return "it does not evaluate its arguments";
  return nullptr;
}

void checkCallee(const Expr *node, const ASTContext &ast) {
  auto *call = dyn_cast<CallExpr>(node);
  if (!call)
    return;
  DiagnosticsEngine &diagnostics = ast.getDiagnostics();
  SourceLocation location = call->getBeginLoc();
  QualType type = call->getCallee()->getType();
  if (type->isVariablyModifiedType()) {
    error(diagnostics, location,
          "a function whose type depends on a variable cannot be spawned");
    return;
  }
  // A kernel of the runtime's calls it, by what it knows of C.
  QualType pointee = type->getPointeeType();
  auto *called = pointee.isNull() ? nullptr : pointee->getAs<FunctionType>();
  if (called && called->getCallConv() != CC_C) {
    error(diagnostics, location,
          "a function of calling convention '%0' cannot be spawned")
        << FunctionType::getNameForCallConv(called->getCallConv());
    return;
  }
  const FunctionDecl *function = call->getDirectCallee();
  if (!function)
    return;
  if (function->isMain()) {
    error(diagnostics, location, "'main' cannot be spawned");
    return;
  }
  if (const char *reason = refusalOf(function->getBuiltinID(), ast))
    error(diagnostics, location, "builtin function %0 cannot be spawned: %1")
        << function << reason;
}

/// Whether an element's pointers cannot point there.  OpenCL's address spaces
/// are C's own memory on these targets.
static bool isElsewhere(LangAS space) {
  return isPtrSizeAddressSpace(space) ||
         (isTargetAddressSpace(space) && toTargetAddressSpace(space) != 0);
}

void checkDestination(const Expr *node, const SpawnWord &word,
                      const SpawnTable &table, ASTContext &ast) {
  DiagnosticsEngine &diagnostics = ast.getDiagnostics();
  const char *reason = nullptr;
  if (node->refersToVectorElement() ||
      node->getObjectKind() == OK_MatrixComponent)
    reason = "an element of a vector";
  else if (isElsewhere(node->getType().getAddressSpace()))
    reason = "another address space";
  else if (table.containsSpawn(node))
    reason = "an expression that spawns";
  else if (isReducer(node->getType(), ast))
    reason = "a reducer, of which the child has another view";
  const Expr *root = node;
  while (true) {
    root = root->IgnoreParens();
    if (auto *member = dyn_cast<MemberExpr>(root); member && !member->isArrow())
      root = member->getBase();
    else
      break;
  }
  if (auto *reference = dyn_cast<DeclRefExpr>(root))
    if (auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      if (variable->getStorageClass() == SC_Register &&
          variable->hasAttr<AsmLabelAttr>())
        reason = "a variable in a named register";
  if (reason)
    error(diagnostics, node->getExprLoc(),
          "the result of '%0' cannot be stored in %1")
        << word.spelling << reason << node->getSourceRange();
}

} // namespace cilk2chan
