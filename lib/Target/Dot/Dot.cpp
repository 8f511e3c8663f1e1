//===- Dot.cpp - A picture of the channel-flow graph ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Target/Dot.h"

#include "cilk2chan/Dialect/Chan/Chan.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cilk2chan;

static std::string quoted(const Twine &text) {
  std::string result = "\"";
  for (char c : text.str()) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + '"';
}

static std::string fieldList(chan::StackOp stack) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(
      llvm::zip(stack.getFieldNames(), stack.getFieldTypes()), stream,
      [&](auto field) {
        Type type = cast<TypeAttr>(std::get<1>(field)).getValue();
        stream << cast<StringAttr>(std::get<0>(field)).getValue() << ": ";
        if (isa<LLVM::LLVMPointerType>(type))
          stream << "ptr";
        else
          stream << type;
      });
  return text;
}

void cilk2chan::emitDot(ModuleOp module, raw_ostream &os) {
  os << "digraph channels {\n"
        "  rankdir=LR;\n"
        "  node [fontname=\"Helvetica\"];\n"
        "  edge [fontname=\"Helvetica\"];\n";

  for (auto stack : module.getOps<chan::StackOp>()) {
    bool entry = stack.getKind() == chan::StackKind::Entry;
    os << "  " << quoted("stack " + stack.getSymName())
       << " [shape=box3d, style=dashed, label="
       << quoted(stack.getSymName() + Twine("\n(") + fieldList(stack) + ")")
       << ", tooltip=\"" << (entry ? "pre-sync" : "post-sync")
       << " channel stack\"];\n";
    if (stack.getFunction()) {
      os << "  " << quoted("host " + *stack.getFunction())
         << " [shape=box, label=" << quoted(*stack.getFunction() + Twine("()"))
         << ", tooltip=\"a call from C\"];\n";
      os << "  " << quoted("host " + *stack.getFunction()) << " -> "
         << quoted("stack " + stack.getSymName()) << ";\n";
    }
  }
  for (auto kernel : module.getOps<chan::KernelOp>()) {
    bool preSync = true;
    if (auto stack = SymbolTable::lookupNearestSymbolFrom<chan::StackOp>(
            kernel, kernel.getConsumesAttr()))
      preSync = stack.getKind() == chan::StackKind::Entry;
    os << "  " << quoted("kernel " + kernel.getSymName())
       << " [shape=circle, style=filled, fillcolor="
       << (preSync ? "gray80" : "white")
       << ", label=" << quoted(kernel.getSymName())
       << ", tooltip=\"frame: " << kernel.getFrameSize() << " bytes\"];\n";
    os << "  " << quoted("stack " + kernel.getConsumes()) << " -> "
       << quoted("kernel " + kernel.getSymName()) << ";\n";
    for (auto [stack, level] :
         llvm::zip(kernel.getProduces(), kernel.getLevels()))
      os << "  " << quoted("kernel " + kernel.getSymName()) << " -> "
         << quoted("stack " + cast<FlatSymbolRefAttr>(stack).getValue())
         << " [label=\"+" << cast<IntegerAttr>(level).getInt() << "\"];\n";
  }
  os << "}\n";
}
