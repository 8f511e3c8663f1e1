//===- Exports.cpp - Procedures that C calls by EXPORT --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exports.h"
#include "Diagnostics.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace cilk2chan {

/// As <cilk.h> has them.
static constexpr llvm::StringLiteral exportPrefix = "mt_";
static constexpr llvm::StringLiteral contextName = "Cilk_context";

bool isExport(const FunctionDecl *function) {
  if (!function->getIdentifier() ||
      !function->getName().starts_with(exportPrefix) ||
      !function->hasPrototype() || function->getNumParams() == 0)
    return false;
  auto *pointer =
      function->getParamDecl(0)->getType()->getAs<clang::PointerType>();
  const RecordDecl *context =
      pointer ? pointer->getPointeeType()->getAsRecordDecl() : nullptr;
  return context && context->getName() == contextName;
}

bool defineExport(FunctionDecl *function, ChildBuilder &builder) {
  ASTContext &ast = function->getASTContext();
  SourceLocation location = function->getLocation();
  llvm::SmallVector<QualType, 8> types;
  llvm::SmallVector<Expr *, 8> arguments;
  for (ParmVarDecl *parameter : llvm::drop_begin(function->parameters())) {
    types.push_back(parameter->getType().getUnqualifiedType());
    arguments.push_back(builder.load(builder.reference(parameter, location)));
  }
  llvm::StringRef name = function->getName().drop_front(exportPrefix.size());
  FunctionDecl *procedure = nullptr;
  for (NamedDecl *known :
       ast.getTranslationUnitDecl()->lookup(&ast.Idents.get(name)))
    procedure = dyn_cast<FunctionDecl>(known);
  if (!procedure)
    procedure = builder.function(name, types, SC_Extern, location,
                                 function->getReturnType());
  QualType type = ast.getFunctionType(function->getReturnType(), types,
                                      FunctionProtoType::ExtProtoInfo());
  if (!ast.typesAreCompatible(type, procedure->getType())) {
    error(ast.getDiagnostics(), location,
          "%0 takes a CilkContext and what %1 takes, and returns the same")
        << function << procedure;
    note(ast.getDiagnostics(), procedure->getLocation(), "declared here");
    return false;
  }
  Stmt *body = builder.call(procedure, arguments, location);
  if (!function->getReturnType()->isVoidType())
    body = ReturnStmt::Create(ast, location, cast<Expr>(body), nullptr);
  // Every file that declares it has it.
  function->addAttr(WeakAttr::CreateImplicit(ast));
  function->setBody(builder.compound(body, location));
  return true;
}

} // namespace cilk2chan
