//===- Import.h - Spawning functions to MLIR and back -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that spawn, and those on a call cycle with one, leave an LLVM
// module for the llvm dialect; everything else stays.  What the conversions
// make of them is linked back.  docs/architecture/Import.md says what the parts
// may rely on.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_IMPORT_IMPORT_H
#define CILK2CHAN_IMPORT_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/Support/Error.h"

namespace llvm {
class DILocalVariable;
} // namespace llvm

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cilk2chan {

/// What has left an LLVM module, and what it takes to put it back.
struct ImportedModule {
  /// The functions to convert, the apply functions (as declarations) and
  /// declarations of all they touch.
  mlir::OwningOpRef<mlir::ModuleOp> module;

  /// The functions to convert; still defined in the LLVM module, as they were.
  llvm::SmallVector<llvm::Function *> converted;

  /// Those of which the conversions have left nothing.
  llvm::SmallVector<llvm::Function *> erased;

  /// A symbol that both sides must see until they are one again.
  struct Promoted {
    llvm::GlobalValue *value;
    llvm::GlobalValue::LinkageTypes linkage;
    llvm::GlobalValue::VisibilityTypes visibility;
    bool dsoLocal;
  };
  llvm::SmallVector<Promoted> promoted;

  /// What is known of the variables whose names in `module` are numbers.
  llvm::SmallVector<llvm::DILocalVariable *, 0> variables;
};

/// What cannot be in LLVM IR of ours, and in which function it is.
class InternalError : public llvm::ErrorInfo<InternalError> {
public:
  static char ID;

  InternalError(std::string text, llvm::StringRef symbol)
      : text(std::move(text)), symbol(symbol) {}

  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  llvm::StringRef getSymbol() const { return symbol; }

private:
  std::string text, symbol;
};

/// Why a function cannot be split, and where.
class ImportError : public llvm::ErrorInfo<ImportError> {
public:
  static char ID;

  ImportError(std::string text, llvm::StringRef symbol,
              unsigned encodedLocation = 0,
              std::string advice = "move it to a function that neither spawns "
                                   "nor syncs, and call that")
      : text(std::move(text)), symbol(symbol), advice(std::move(advice)),
        encodedLocation(encodedLocation) {}

  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  /// The symbol of the function.
  llvm::StringRef getSymbol() const { return symbol; }
  /// What it is about in the function: a clang::SourceLocation in its raw
  /// encoding, 0 if not known.
  unsigned getEncodedLocation() const { return encodedLocation; }
  /// The way out, for a note.
  const std::string &getAdvice() const { return advice; }

private:
  std::string text;
  std::string symbol, advice;
  unsigned encodedLocation;
};

/// Whether there is anything in `module` that importSpawning would change.
bool hasMarkers(const llvm::Module &module);

/// Makes of `module` its serial elision, which tells the runtime of spawns and
/// syncs: so it measures work and span.  No markers are left.  Fails as
/// importSpawning does if a child is not what the front end promises.
llvm::Error measureWorkSpan(llvm::Module &module);

/// Registers what importSpawning and mlir::translateModuleToLLVMIR need.
void registerImportDialects(mlir::DialectRegistry &registry);

struct ImportOptions {
  /// Local objects stay in memory, where a debugger finds them.
  bool keepLocals = false;
  /// What kernels call that is recursive is converted as well, for machines
  /// that have no call stack.
  bool splitRecursion = false;
  /// Small functions that kernels call are inlined, for kernels with lanes.
  bool inlineSmall = false;
  /// Facts about the whole file are stated: constants and ranges that all
  /// callers pass, pointers that alias no other, and the bounds of iterations.
  /// Nothing is stated while local objects stay in memory.
  bool propagate = false;
  /// The functions that assign results come with their bodies, for kernels with
  /// lanes and for serial clones.
  bool withApplies = false;
  /// Parallel loops that are over before others help are serial, and bodies of
  /// others say how short a range is not worth another worker.
  bool findLight = false;
  /// Reducers may have views, for which the runtime is called.
  bool views = true;
  /// Functions of other files may have views although this one has none.
  bool strands = false;
  /// What is called or spawned through a pointer is compared with the functions
  /// of the module that it may be.
  bool promoteCalls = false;
};

/// Removes the markers from `module`, splits the children at their calls and
/// translates the functions to convert.  Without such a function the result's
/// module is empty.  `context` must have the dialects of
/// registerImportDialects; `module` must stay alive and otherwise unchanged
/// until mergeBack.  Fails with an ImportError if a function cannot be split,
/// and with another if a child is not what the front end promises.
llvm::Expected<ImportedModule> importSpawning(llvm::Module &module,
                                              mlir::MLIRContext &context,
                                              const ImportOptions &options);

/// Declares in `module` the copies that passes made of converted functions and
/// that C code may call: what is internal in `imported`, and has the attribute
/// "chan.source"=@f.  They are converted functions from then on; functions that
/// passes erased are not.
void followChanges(llvm::Module &module, ImportedModule &imported);

/// Links `kernels`, the LLVM module made of `imported`, into `module`:
///
/// * the body of `__chan_stub.f` becomes that of each converted function f,
///   which keeps its linkage, attributes, section, comdat and aliases; one that
///   `kernels` still defines was left whole, and keeps its body;
/// * a function with the string attribute "chan.source"="f" takes over from f
///   the attributes that say how to generate code;
/// * debug locations come to belong to the functions that they are in;
/// * promoted symbols become internal again;
/// * functions that passes erased, which nothing names any more, are deleted.
///
/// Fails, with `module` unusable, if a stub is missing or the result is not
/// valid LLVM IR.
llvm::Error mergeBack(llvm::Module &module, ImportedModule imported,
                      std::unique_ptr<llvm::Module> kernels);

} // namespace cilk2chan

#endif // CILK2CHAN_IMPORT_IMPORT_H
