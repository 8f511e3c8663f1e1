//===- DeviceLink.cpp - The link of a program for a machine ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceLink.h"
#include "Device.h"
#include "PassTrace.h"

#include "cilk2chan/Dialect/Register.h"
#include "cilk2chan/Support/FailIfTested.h"
#include "cilk2chan/Target/SIMT/Assembly.h"
#include "cilk2chan/Target/VGIW/Configuration.h"
#include "cilk2chan/Target/VGIW/DeviceCode.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/IRObjectFile.h"
#include "llvm/Object/SymbolicFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace cilk2chan;
using llvm::StringRef;

namespace {

/// The device code of a link's inputs: of its objects, and of those members of
/// archives that define what is needed, as a linker takes them.
class Inputs {
public:
  /// With `whole`, all members of an archive count.
  llvm::Error add(StringRef file, bool whole);
  /// After all have been added.
  llvm::Error resolve();
  llvm::ArrayRef<StringRef> getParts() const { return parts; }

private:
  llvm::Error addArchive(llvm::MemoryBufferRef buffer, bool whole);
  llvm::Error addObject(llvm::MemoryBufferRef buffer);
  llvm::Error addSymbols(const llvm::object::SymbolicFile &file);

  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver{allocator};
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> files;
  std::vector<std::unique_ptr<llvm::object::Archive>> archives;
  llvm::SmallVector<StringRef> parts;
  llvm::StringSet<> defined;
  std::vector<std::string> needed;
  /// Of archives, by the name of what they define.
  llvm::StringMap<llvm::object::Archive::Child> members;
};

} // namespace

llvm::Error Inputs::addSymbols(const llvm::object::SymbolicFile &file) {
  using Flags = llvm::object::BasicSymbolRef;
  for (const Flags &symbol : file.symbols()) {
    std::string name;
    llvm::raw_string_ostream stream(name);
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    if (llvm::Error failure = symbol.printName(stream))
      return failure;
    if (!(*flags & Flags::SF_Undefined))
      defined.insert(name);
    else if (!(*flags & Flags::SF_Weak))
      needed.push_back(name);
  }
  return llvm::Error::success();
}

llvm::Error Inputs::addObject(llvm::MemoryBufferRef buffer) {
  llvm::LLVMContext symbols; // of bitcode
  llvm::Expected<std::unique_ptr<llvm::object::SymbolicFile>> file =
      llvm::object::SymbolicFile::createSymbolicFile(
          buffer, llvm::identify_magic(buffer.getBuffer()), &symbols);
  if (!file)
    return file.takeError();
  if (llvm::Error failure = addSymbols(**file))
    return failure;
  llvm::Expected<llvm::SmallVector<StringRef, 1>> found =
      findDeviceCode(buffer, saver);
  if (!found)
    return found.takeError();
  llvm::append_range(parts, *found);
  // Kernels, which the object itself does not have, need more.
  for (StringRef part : *found) {
    llvm::LLVMContext context;
    llvm::Expected<std::unique_ptr<llvm::object::IRObjectFile>> code =
        llvm::object::IRObjectFile::create({part, "device code"}, context);
    if (!code)
      return code.takeError();
    if (llvm::Error failure = addSymbols(**code))
      return failure;
  }
  return llvm::Error::success();
}

/// Whether it is an object, or what -flto makes of one.
static bool isObject(llvm::MemoryBufferRef buffer) {
  llvm::file_magic magic = llvm::identify_magic(buffer.getBuffer());
  return magic == llvm::file_magic::elf_relocatable ||
         magic == llvm::file_magic::bitcode;
}

llvm::Error Inputs::addArchive(llvm::MemoryBufferRef buffer, bool whole) {
  llvm::Expected<std::unique_ptr<llvm::object::Archive>> archive =
      llvm::object::Archive::create(buffer);
  if (!archive)
    return archive.takeError();
  archives.push_back(std::move(*archive));
  llvm::object::Archive &added = *archives.back();
  if (!whole) {
    for (const llvm::object::Archive::Symbol &symbol : added.symbols()) {
      llvm::Expected<llvm::object::Archive::Child> member = symbol.getMember();
      if (!member)
        return member.takeError();
      members.try_emplace(symbol.getName(), *member);
    }
    return llvm::Error::success();
  }
  llvm::Error failure = llvm::Error::success();
  for (const llvm::object::Archive::Child &member : added.children(failure)) {
    llvm::Expected<llvm::MemoryBufferRef> object = member.getMemoryBufferRef();
    if (!object)
      return llvm::joinErrors(std::move(failure), object.takeError());
    if (isObject(*object))
      if (llvm::Error problem = addObject(*object))
        return llvm::joinErrors(std::move(failure), std::move(problem));
  }
  return failure;
}

llvm::Error Inputs::add(StringRef file, bool whole) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return llvm::Error::success(); // The linker says so.
  files.push_back(std::move(*buffer));
  llvm::MemoryBufferRef contents = *files.back();
  if (isObject(contents))
    return addObject(contents);
  if (llvm::identify_magic(contents.getBuffer()) == llvm::file_magic::archive)
    return addArchive(contents, whole);
  return llvm::Error::success();
}

llvm::Error Inputs::resolve() {
  while (!needed.empty()) {
    std::string name = std::move(needed.back());
    needed.pop_back();
    auto member = members.find(name);
    if (defined.contains(name) || member == members.end())
      continue;
    llvm::Expected<llvm::MemoryBufferRef> object =
        member->second.getMemoryBufferRef();
    if (!object)
      return object.takeError();
    defined.insert(name);
    if (isObject(*object))
      if (llvm::Error problem = addObject(*object))
        return problem;
  }
  return llvm::Error::success();
}

/// Adds the objects and archives among a linker's arguments, `-l` with its `-L`
/// included.
static llvm::Error addInputs(Inputs &inputs,
                             llvm::ArrayRef<const char *> arguments) {
  bool whole = false;
  auto add = [&](StringRef file) -> llvm::Error {
    if (llvm::Error failure = inputs.add(file, whole))
      return llvm::createFileError(file, std::move(failure));
    return llvm::Error::success();
  };
  llvm::SmallVector<StringRef> directories;
  for (StringRef argument : arguments)
    if (argument.consume_front("-L"))
      directories.push_back(argument);
  for (unsigned i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (argument == "-o" || argument == "-z" || argument == "-m" ||
        argument == "-dynamic-linker") {
      ++i;
    } else if (argument == "--whole-archive") {
      whole = true;
    } else if (argument == "--no-whole-archive") {
      whole = false;
    } else if (argument.consume_front("-l")) {
      for (StringRef directory : directories) {
        llvm::SmallString<128> path(directory);
        llvm::sys::path::append(path, "lib" + argument + ".a");
        if (!llvm::sys::fs::exists(path))
          continue;
        if (llvm::Error failure = add(path))
          return failure;
        break;
      }
    } else if (!argument.starts_with("-")) {
      if (llvm::Error failure = add(argument))
        return failure;
    }
  }
  return inputs.resolve();
}

static llvm::Error writeObject(llvm::Module &module,
                               llvm::raw_pwrite_stream &os) {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::InitializeAllAsmParsers();
  std::string problem;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(module.getTargetTriple(), problem);
  if (!target)
    return llvm::createStringError(problem);
  // Constructors in .init_array; the C library does not run those in .ctors.
  llvm::TargetOptions options;
  options.UseInitArray = true;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      module.getTargetTriple(), "", "", options, llvm::Reloc::PIC_));
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("cannot write an object for this host");
  passes.run(module);
  return llvm::Error::success();
}

/// Prints diagnostics as Clang does: "FILE:LINE:COLUMN: error: ...". The sources may
/// be gone.
static void printDiagnostic(mlir::Diagnostic &diagnostic) {
  auto print = [](mlir::Diagnostic &each) {
    auto level = [&] {
      switch (each.getSeverity()) {
      case mlir::DiagnosticSeverity::Error:
        return "error";
      case mlir::DiagnosticSeverity::Warning:
        return "warning";
      case mlir::DiagnosticSeverity::Remark:
        return "remark";
      case mlir::DiagnosticSeverity::Note:
        return "note";
      }
      llvm_unreachable("no such severity");
    };
    llvm::raw_ostream &os = llvm::errs();
    if (auto place = each.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
      os << place.getFilename().getValue() << ':' << place.getLine() << ':'
         << place.getColumn() << ": ";
    else
      os << "cilk2chan: ";
    os << level() << ": " << each.str() << '\n';
  };
  print(diagnostic);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    print(note);
}

/// The object that holds the kernels for the machine, in the file `output`.
static llvm::Error makeDeviceObject(llvm::ArrayRef<StringRef> parts,
                                    chansim::MachineKind kind,
                                    StringRef machineFile, StringRef output) {
  // The program reads it without the files that it is based on.
  std::string problem;
  std::optional<std::string> description =
      chansim::Machine::wholeText(machineFile.str(), problem);
  if (!description)
    return llvm::createStringError(problem);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [](mlir::Diagnostic &diagnostic) {
                                          printDiagnostic(diagnostic);
                                          return mlir::success();
                                        });
  bool isSIMT = kind == chansim::MachineKind::simt;
  llvm::Expected<MappedKernels> mapped = mapKernels(
      parts, machineFile, isSIMT ? Step::SIMT : Step::Configuration, context);
  if (!mapped)
    return mapped.takeError();
  std::string kernels;
  llvm::raw_string_ostream text(kernels);
  std::vector<std::string> symbols =
      isSIMT ? emitAssembly(*mapped->kernels, text)
             : emitConfiguration(*mapped->kernels, mapped->machine, text);
  makeHostPart(*mapped->module, kernels, symbols, *description);

  std::error_code failure;
  llvm::raw_fd_ostream file(output, failure);
  if (failure)
    return llvm::errorCodeToError(failure);
  return writeObject(*mapped->module, file);
}

DeviceLinkCommand::DeviceLinkCommand(llvm::ArrayRef<const char *> arguments)
    : kind(arguments[0] == chansim::nameOf(chansim::MachineKind::simt)
               ? chansim::MachineKind::simt
               : chansim::MachineKind::vgiw),
      machine(arguments[1]) {
  arguments = arguments.drop_front(2);
  while (arguments.size() > 2 && StringRef(arguments[0]) == "-mllvm") {
    llvmOptions.push_back(arguments[1]);
    arguments = arguments.drop_front(2);
  }
  linker = arguments.front();
  linkerArguments = arguments.drop_front();
}

int cilk2chan::runDeviceLink(const DeviceLinkCommand &link) {
  StringRef machine = link.machine, linker = link.linker;
  llvm::ArrayRef<const char *> rest = link.linkerArguments;
  parseLLVMOptions(link.llvmOptions);
  llvm::PrettyStackTraceString entry("Running pass 'device-link' on module ''");
  failIfTested("device-link");
  auto fail = [](llvm::Error error) {
    llvm::errs() << "cilk2chan: error: " << toString(std::move(error)) << '\n';
    return 1;
  };
  Inputs inputs;
  if (llvm::Error failure = addInputs(inputs, rest))
    return fail(std::move(failure));

  llvm::SmallVector<StringRef> command = {linker};
  command.append(rest.begin(), rest.end());
  llvm::SmallString<128> object;
  if (!inputs.getParts().empty()) {
    if (std::error_code failure =
            llvm::sys::fs::createTemporaryFile("cilk2chan-device", "o", object))
      return fail(llvm::errorCodeToError(failure));
  }
  llvm::FileRemover remover(object, !object.empty());
  if (!object.empty()) {
    if (llvm::Error failure =
            makeDeviceObject(inputs.getParts(), link.kind, machine, object))
      return fail(std::move(failure));
    // Before the archives that it calls.
    auto *first = llvm::find_if(
        command, [](StringRef argument) { return argument.ends_with(".o"); });
    command.insert(first, object);
  }
  std::string problem;
  int status = llvm::sys::ExecuteAndWait(linker, command, std::nullopt, {}, 0,
                                         0, &problem);
  if (!problem.empty())
    return fail(llvm::createStringError(problem));
  return status;
}
