//===- ArraysByValue.cpp - Small arrays go from task to task by value -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes small local arrays to children by value, in a copy of the function.
// Lanes that follow pointers into each other's arrays gather. Lanes that have
// arrays of their own, of a size known to all, load and store them part by
// part, whole registers at a time (chan-simd's Interleaving).
//
//   void f(int n, const char *a) {      void f.byval(int n, i8 a0, i8 a1) {
//     char next[2];                       char a[2] = {a0, a1}, next[2];
//     ...                          ->     ...
//     cilk_spawn f(n - 1, next);          cilk_spawn f.byval(n - 1,
//   }                                                    next[0], next[1]);
//                                       }
//
// If the size is known at run time only, a size guard chooses between the copy
// and `f.fallback`, the function as it was.
//
//===----------------------------------------------------------------------===//

#include "PartsByValue.h"
#include "cilk2chan/Dialect/Cilk/Tuning.h"

#include "cilk2chan/Dialect/Cilk/Analysis/LongLoops.h"
#include "cilk2chan/Dialect/Cilk/Analysis/SpawningFunctions.h"

#include "cilk2chan/Dialect/Cilk/Passes.h"
#include "cilk2chan/Support/FunctionAttributes.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/TypeLayout.h"
#include "cilk2chan/Support/WorkingOn.h"

#include "mlir/IR/Remarks.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CILKARRAYSBYVALUE
#include "cilk2chan/Dialect/Cilk/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

/// The function that `function` may come in place of, which divides its loops;
/// null if it is none of these.
static LLVM::LLVMFuncOp dividedOf(LLVM::LLVMFuncOp function,
                                  const SymbolTable &symbols) {
  auto name = function->getAttrOfType<FlatSymbolRefAttr>(DividedAttribute);
  return name ? symbols.lookup<LLVM::LLVMFuncOp>(name.getValue())
              : LLVM::LLVMFuncOp();
}

/// Whether children have by value what iterations have all in one place.
static bool haveOwnObjects(const SmallArrays &arrays) {
  auto isByValue = [&](cilk::SpawnOp spawn) {
    return llvm::all_of(llvm::enumerate(spawn.getArgs()), [&](auto arg) {
      Operation *object = arg.value().getDefiningOp();
      return !object || !object->hasAttr(OfIterationAttribute) ||
             arrays.isByValue(unsigned(arg.index()));
    });
  };
  return llvm::all_of(arrays.getSpawns(), isByValue);
}

static remark::RemarkOpts remarkOptions(LLVM::LLVMFuncOp function) {
  return remark::RemarkOpts::name("arrays")
      .category("chan-arrays")
      .function(sourceOf(function).getValue());
}

namespace {
struct CilkArraysByValue
    : public cilk2chan::impl::CilkArraysByValueBase<CilkArraysByValue> {
  using CilkArraysByValueBase::CilkArraysByValueBase;

  void runOnOperation() override {
    const TypeLayout &layout = getAnalysis<TypeLayout>();
    SymbolTable symbols(getOperation());
    SmallVector<LLVM::LLVMFuncOp> functions;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal() && cilk::isSpawning(function))
        functions.push_back(function);
    for (LLVM::LLVMFuncOp function : functions) {
      WorkingOn working(function.getName());
      LLVM::LLVMFuncOp divided = dividedOf(function, symbols);
      auto arrays = SmallArrays::find(function, layout);
      bool goByValue = arrays && (!divided || haveOwnObjects(*arrays));
      bool isRewritten = false;
      if (goByValue) {
        SharedReductions reductions(function, arrays->getSpawns(), symbols,
                                    layout);
        bool hasOwn =
            llvm::all_of(arrays->getPlaces(), [&](LLVM::AllocaOp array) {
              return reductions.doWithout(arrays->getSpawns(), array);
            });
        if (hasOwn && (!arrays->isEmpty() || !reductions.get().empty()))
          isRewritten = rewrite(*arrays, reductions,
                                divided ? divided : function, symbols);
      }
      if (!divided)
        continue;
      if (!isRewritten)
        remark::missed(divided.getLoc(), remarkOptions(divided))
            << std::string("the cilk_for divides its iterations, as objects "
                           "that they pass do not go by value: ") +
                   (goByValue ? "a loop that does not spawn may be long; "
                                "-fchan-batch makes batches nevertheless"
                              : "they have more than 64 bytes, or a member "
                                "with parts of several sizes, or the callee "
                                "writes to them or is another function");
      symbols.erase(function);
    }
  }

private:
  bool rewrite(const SmallArrays &arrays, const SharedReductions &reductions,
               LLVM::LLVMFuncOp byAddress, SymbolTable &symbols);
};
} // namespace

static void remarkOn(LLVM::LLVMFuncOp function, const SmallArrays &arrays,
                     const SharedReductions &reductions) {
  if (!function.getContext()->getRemarkEngine())
    return;
  auto remark = [&](StringRef text) {
    remark::passed(function.getLoc(), remarkOptions(function)) << text.str();
  };
  std::string name = ("'" + function.getName() + "'").str();
  if (!arrays.isEmpty()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "activations of " << name
       << (arrays.getParameters().empty() ? " have arrays of their own in lanes"
                                          : " pass arrays by value: ");
    for (unsigned number : arrays.getParameters()) {
      os << (number == arrays.getParameters().front() ? "" : ", ")
         << "parameter " << number + 1 << " (";
      llvm::interleaveComma(arrays.membersOf(number), os, [&](auto &member) {
        os << member.countParts() << " times " << member.size << " bytes";
      });
      os << ")";
    }
    if (!arrays.getDynamic().empty())
      os << "; where these have more than " << tuning::mostArrayParts
         << " parts, it passes them by address";
    remark(text);
  }
  for (const SharedReduction &reduction : reductions.get())
    remark(("what activations of " + name + " leave where parameter " +
            Twine(reduction.parameter + 1) +
            " points to is combined in one place as it comes (" +
            chan::stringifyCombination(reduction.by) + ")")
               .str());
}

static std::string unusedName(const SymbolTable &symbols, std::string name) {
  std::string unused = name;
  for (unsigned i = 1; symbols.lookup(unused); ++i)
    unused = name + "." + std::to_string(i);
  return unused;
}

/// Has the function that passes addresses, which was `name`, and its loops come
/// to it again.
static void keepByAddress(LLVM::LLVMFuncOp function, StringRef name,
                          const SymbolTable &symbols) {
  llvm::SetVector<LLVM::LLVMFuncOp> parts;
  parts.insert(function);
  auto fallback = FlatSymbolRefAttr::get(function);
  for (size_t i = 0; i < parts.size(); ++i) {
    LLVM::LLVMFuncOp part = parts[i];
    // Lanes may come to call it one after the other (chan-simd).
    makeCold(part);
    part.walk([&](Operation *op) {
      auto spawn = dyn_cast<cilk::SpawnOp>(op);
      auto call = dyn_cast<cilk::CallOp>(op);
      auto callee = spawn  ? spawn.getCalleeAttr()
                    : call ? call.getCalleeAttr()
                           : FlatSymbolRefAttr();
      if (!callee)
        return;
      if (isLoop(callee.getValue()))
        parts.insert(symbols.lookup<LLVM::LLVMFuncOp>(callee.getValue()));
      else if (callee.getValue() != name)
        return;
      else if (spawn)
        spawn.setCalleeAttr(fallback);
      else
        call.setCalleeAttr(fallback);
    });
  }
}

/// Puts what has `arrays` by value in the place of `byAddress`, which is the
/// same function, or does with addresses what that does.  False if it may take
/// long, and the options do not ask for it nevertheless.
bool CilkArraysByValue::rewrite(const SmallArrays &arrays,
                                const SharedReductions &reductions,
                                LLVM::LLVMFuncOp byAddress,
                                SymbolTable &symbols) {
  LLVM::LLVMFuncOp function = arrays.getFunction();
  std::string name = byAddress.getName().str();
  std::string fallback = unusedName(symbols, name + ".fallback");
  auto source = FlatSymbolRefAttr::get(byAddress);
  const TypeLayout &layout = getAnalysis<TypeLayout>();
  IRMapping toFirst, toOthers;
  // What C calls, and what that spawns.
  auto first = cast<LLVM::LLVMFuncOp>(function->clone(toFirst));
  first.setName(name);
  if (function != byAddress)
    first->removeAttr(SourceAttribute);
  first->removeAttr(DividedAttribute);
  LLVM::LLVMFuncOp others = first;
  if (!arrays.getParameters().empty() || !reductions.get().empty()) {
    others = cast<LLVM::LLVMFuncOp>(function->clone(toOthers));
    others.setName(unusedName(symbols, name + ".byval"));
    others.setLinkage(LLVM::Linkage::Private);
    others.setComdatAttr({});
    others->setAttr(SourceAttribute, source);
    others->removeAttr(DividedAttribute);
  }
  symbols.remove(byAddress);
  byAddress.setName(fallback);
  SmallVector<LLVM::LLVMFuncOp> copies{first};
  if (others != first) {
    reductions.combineInPlace(others);
    PartsByValue other(arrays, reductions, layout, others, toOthers, others,
                       byAddress);
    other.takeParts(unusedName(symbols, others.getName().str() + ".fallback"));
    other.run();
    copies.append({others, other.getFallback()});
  }
  PartsByValue(arrays, reductions, layout, first, toFirst, others, byAddress)
      .run();

  if (!longLoops && findLongLoop(others)) {
    for (LLVM::LLVMFuncOp copy : copies)
      copy->destroy();
    byAddress.setName(name);
    symbols.insert(byAddress);
    return false;
  }
  auto place = std::next(byAddress->getIterator());
  for (LLVM::LLVMFuncOp copy : copies)
    symbols.insert(copy, place);
  remarkOn(first, arrays, reductions);
  symbols.insert(byAddress);
  keepByAddress(byAddress, name, symbols);
  byAddress.setLinkage(LLVM::Linkage::Internal);
  byAddress.setComdatAttr({});
  byAddress->setAttr(SourceAttribute, source);
  return true;
}
