//===- MisspeltWords.cpp - Suggests a word of Cilk ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang suggests names that are declared and its own keywords:
//
//   error: use of undeclared identifier 'cilk_snyc'; did you mean 'cilk_sync'?
//
//===----------------------------------------------------------------------===//

#include "MisspeltWords.h"
#include "clang/Sema/ExternalSemaSource.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TypoCorrection.h"

using namespace clang;

namespace cilk2chan {
namespace {

class WordSource : public ExternalSemaSource {
public:
  explicit WordSource(ASTContext &ast) : ast(ast) {}

  TypoCorrection CorrectTypo(const DeclarationNameInfo &typo, int kind, Scope *,
                             CXXScopeSpec *, CorrectionCandidateCallback &,
                             DeclContext *, bool,
                             const ObjCObjectPointerType *) override;

private:
  ASTContext &ast;
};

} // namespace

/// Whether the letters of `name` are those of `word` in another order, or one
/// letter is wrong, missing or too many. More would suggest cilk_for for
/// a cilk_sort that is not declared.
static bool isLike(llvm::StringRef name, llvm::StringRef word) {
  return name.edit_distance(word, /*AllowReplacements=*/true, 1) <= 1 ||
         (name.size() == word.size() &&
          std::is_permutation(name.begin(), name.end(), word.begin()));
}

TypoCorrection WordSource::CorrectTypo(const DeclarationNameInfo &typo,
                                       int kind, Scope *, CXXScopeSpec *,
                                       CorrectionCandidateCallback &wanted,
                                       DeclContext *, bool,
                                       const ObjCObjectPointerType *) {
  const IdentifierInfo *name = typo.getName().getAsIdentifierInfo();
  if (!name || kind != Sema::LookupOrdinaryName)
    return {};
  // At the start of a statement the parser asks first what kind of name it is,
  // and reports it twice if that finds a name that is not declared either.
  if (!wanted.WantCXXNamedCasts)
    return {};
  for (llvm::StringRef word :
       {"cilk_spawn", "cilk_sync", "cilk_for", "cilk_scope"})
    if (isLike(name->getName(), word)) {
      TypoCorrection correction(&ast.Idents.get(word));
      correction.setCorrectionRange(nullptr, typo);
      return correction;
    }
  return {};
}

void suggestWords(Sema &sema) {
  sema.addExternalSource(
      llvm::makeIntrusiveRefCnt<WordSource>(sema.getASTContext()));
}

} // namespace cilk2chan
