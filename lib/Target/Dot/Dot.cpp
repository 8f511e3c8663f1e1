//===- Dot.cpp - A picture of the channel-flow graph ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the channel-flow graph in the language of Graphviz. For `fib`:
//
//   chan.stack entry @fib.entry(a0: i32, ret: !llvm.ptr) function @fib
//   chan.kernel @fib.0 consumes @fib.entry produces [@fib.entry + 1]
//
// becomes (without shapes)
//
//   "stack fib.entry" [label="fib.entry\n(n: i32, ret: ptr)"];
//   "host fib" -> "stack fib.entry";
//   "kernel fib.0" [label="fib.0\nlines 2 to 5"];
//   "stack fib.entry" -> "kernel fib.0";
//   "kernel fib.0" -> "stack fib.entry" [label="+1"];
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Target/Dot.h"

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/NamesInC.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cilk2chan;

namespace {

/// Lines of the source, as a label names them.
struct Lines {
  unsigned first = 0, last = 0;

  void add(unsigned line) {
    first = first ? std::min(first, line) : line;
    last = std::max(last, line);
  }
  std::string text() const {
    if (!first)
      return "";
    if (first == last)
      return ("\nline " + Twine(first)).str();
    return ("\nlines " + Twine(first) + " to " + Twine(last)).str();
  }
};

class Drawing {
public:
  Drawing(ModuleOp module, ParameterNames nameOf, raw_ostream &os)
      : module(module), nameOf(nameOf), os(os) {}

  void draw();

private:
  std::string fieldName(chan::StackOp stack, StringRef field);
  std::string fieldList(chan::StackOp stack);
  Lines linesOf(chan::KernelOp kernel);
  void drawStack(chan::StackOp stack);
  void drawKernel(chan::KernelOp kernel);
  void drawLegend();

  ModuleOp module;
  ParameterNames nameOf;
  raw_ostream &os;
};

} // namespace

static std::string quoted(const Twine &text) {
  std::string result = "\"";
  for (char c : text.str()) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + '"';
}

/// The C file and line of `location`; null if it has none. What was inlined
/// counts where it was called.
static FileLineColLoc findPlace(Location location) {
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return findPlace(call.getCaller());
  if (auto name = dyn_cast<NameLoc>(location))
    return findPlace(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location part : fused.getLocations())
      if (FileLineColLoc place = findPlace(part))
        return place;
    return {};
  }
  auto place = dyn_cast<FileLineColLoc>(location);
  return place && place.getLine() ? place : FileLineColLoc();
}

/// A field `aN` of an entry is the function's parameter N. The entry of a range
/// of a cilk_for has the range, the grain unless the element is a range itself,
/// and then what the body has behind the range.
std::string Drawing::fieldName(chan::StackOp stack, StringRef field) {
  unsigned index;
  StringRef number = field;
  if (stack.getKind() != chan::StackKind::Entry || !number.consume_front("a") ||
      number.getAsInteger(10, index))
    return field.str();
  std::string function = stack.getFunction().value_or("").str();
  StringRef range = stack.getSymName();
  if (range.consume_front(RangePrefix)) {
    if (index < 2 && stack.getRanges())
      return index == 0 ? "first" : "count";
    if (index < 3 && !stack.getRanges())
      return StringRef(index == 0   ? "begin"
                       : index == 1 ? "end"
                                    : "grain")
          .str();
    if (!stack.getRanges())
      --index;
    function =
        (BodyPrefix + range.take_until([](char c) { return c == '.'; })).str();
  }
  std::string name = nameOf(function, index);
  return name.empty() ? field.str() : name;
}

std::string Drawing::fieldList(chan::StackOp stack) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(
      llvm::zip(stack.getFieldNames(), stack.getFieldTypes()), stream,
      [&](auto field) {
        Type type = cast<TypeAttr>(std::get<1>(field)).getValue();
        stream << fieldName(stack,
                            cast<StringAttr>(std::get<0>(field)).getValue())
               << ": ";
        auto structType = dyn_cast<LLVM::LLVMStructType>(type);
        if (isa<LLVM::LLVMPointerType>(type))
          stream << "ptr";
        else if (structType && structType.isIdentified())
          stream << structType.getName();
        else
          stream << type;
      });
  return text;
}

Lines Drawing::linesOf(chan::KernelOp kernel) {
  Lines lines;
  FileLineColLoc function = findPlace(kernel.getLoc());
  kernel.walk([&](Operation *op) {
    // What has no line of its own has the function's.
    if (op->getLoc() == kernel.getLoc())
      return;
    FileLineColLoc place = findPlace(op->getLoc());
    if (place && (!function || place.getFilename() == function.getFilename()))
      lines.add(place.getLine());
  });
  return lines;
}

void Drawing::drawStack(chan::StackOp stack) {
  bool isEntry = stack.getKind() == chan::StackKind::Entry;
  os << "  " << quoted("stack " + stack.getSymName())
     << " [shape=box3d, style=dashed, label="
     << quoted(stack.getSymName() + Twine("\n(") + fieldList(stack) + ")")
     << ", tooltip=\"" << (isEntry ? "pre-sync" : "post-sync")
     << " channel stack\"];\n";
  if (!stack.getFunction())
    return;
  os << "  " << quoted("host " + *stack.getFunction())
     << " [shape=box, label=" << quoted(*stack.getFunction() + Twine("()"))
     << ", tooltip=\"a call from C\"];\n";
  os << "  " << quoted("host " + *stack.getFunction()) << " -> "
     << quoted("stack " + stack.getSymName()) << ";\n";
}

void Drawing::drawKernel(chan::KernelOp kernel) {
  bool isPreSync = true;
  if (auto stack = SymbolTable::lookupNearestSymbolFrom<chan::StackOp>(
          kernel, kernel.getConsumesAttr()))
    isPreSync = stack.getKind() == chan::StackKind::Entry;
  os << "  " << quoted("kernel " + kernel.getSymName())
     << " [shape=circle, style=filled, fillcolor="
     << (isPreSync ? "gray80" : "white") << ", label="
     << quoted(kernel.getSymName() + Twine(linesOf(kernel).text()))
     << ", tooltip=\"frame: " << kernel.getFrameSize() << " bytes\"];\n";
  os << "  " << quoted("stack " + kernel.getConsumes()) << " -> "
     << quoted("kernel " + kernel.getSymName()) << ";\n";
  for (auto [stack, level] :
       llvm::zip(kernel.getProduces(), kernel.getLevels()))
    os << "  " << quoted("kernel " + kernel.getSymName()) << " -> "
       << quoted("stack " + cast<FlatSymbolRefAttr>(stack).getValue())
       << " [label=\"+" << cast<IntegerAttr>(level).getInt() << "\"];\n";
}

void Drawing::drawLegend() {
  os << R"dot(  subgraph cluster_legend {
    label="Legend";
    fontname="Helvetica";
    node [fontsize=10];
    edge [fontsize=10];
    "legend host" [shape=box, label="f()\na call from C"];
    "legend entry" [shape=box3d, style=dashed, label="channel stack\n(fields of an element:\nparameters of a call)"];
    "legend kernel" [shape=circle, style=filled, fillcolor=gray80, label="kernel:\nruns a call\nto its first\nsync"];
    "legend continuation" [shape=box3d, style=dashed, label="channel stack\n(frame: memory of the call,\nret: where its result goes)"];
    "legend after" [shape=circle, style=filled, fillcolor=white, label="kernel:\nruns what\nfollows\na sync"];
    "legend host" -> "legend entry";
    "legend entry" -> "legend kernel";
    "legend kernel" -> "legend entry" [label="+1: a child,\none level deeper"];
    "legend kernel" -> "legend continuation" [label="+0: the same level,\nwhen all children have finished"];
    "legend continuation" -> "legend after";
  }
)dot";
}

void Drawing::draw() {
  os << "digraph channels {\n"
        "  rankdir=LR;\n"
        "  node [fontname=\"Helvetica\"];\n"
        "  edge [fontname=\"Helvetica\"];\n";
  for (auto kernel : module.getOps<chan::KernelOp>())
    if (FileLineColLoc place = findPlace(kernel.getLoc())) {
      os << "  label="
         << quoted(Twine("Channel-flow graph of ") +
                   llvm::sys::path::filename(place.getFilename().getValue()))
         << ";\n  labelloc=t;\n  fontname=\"Helvetica\";\n";
      break;
    }
  for (auto stack : module.getOps<chan::StackOp>())
    drawStack(stack);
  for (auto kernel : module.getOps<chan::KernelOp>())
    drawKernel(kernel);
  drawLegend();
  os << "}\n";
}

void cilk2chan::emitDot(ModuleOp module, ParameterNames nameOf,
                        raw_ostream &os) {
  Drawing(module, nameOf, os).draw();
}
