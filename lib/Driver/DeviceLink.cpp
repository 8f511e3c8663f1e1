//===- DeviceLink.cpp - The link of a program for a machine ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceLink.h"
#include "Device.h"

#include "cilk2chan/Dialect/Register.h"
#include "cilk2chan/Target/VGIW/Configuration.h"
#include "cilk2chan/Target/VGIW/DeviceCode.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/Archive.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace cilk2chan;
using llvm::StringRef;

namespace {

/// The device code of a link's inputs.
class Inputs {
public:
  llvm::Error add(StringRef file);
  llvm::ArrayRef<StringRef> getParts() const { return parts; }

private:
  llvm::Error addObject(llvm::MemoryBufferRef buffer);

  std::vector<std::unique_ptr<llvm::MemoryBuffer>> files;
  llvm::SmallVector<StringRef> parts;
};

} // namespace

llvm::Error Inputs::addObject(llvm::MemoryBufferRef buffer) {
  llvm::Expected<llvm::SmallVector<StringRef, 1>> found =
      findDeviceCode(buffer);
  if (!found)
    return found.takeError();
  llvm::append_range(parts, *found);
  return llvm::Error::success();
}

llvm::Error Inputs::add(StringRef file) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return llvm::Error::success(); // The linker says so.
  files.push_back(std::move(*buffer));
  llvm::MemoryBufferRef contents = *files.back();
  switch (llvm::identify_magic(contents.getBuffer())) {
  case llvm::file_magic::elf_relocatable:
    return addObject(contents);
  case llvm::file_magic::archive: {
    llvm::Error failure = llvm::Error::success();
    llvm::object::Archive archive(contents, failure);
    if (failure)
      return failure;
    for (const llvm::object::Archive::Child &member :
         archive.children(failure)) {
      llvm::Expected<llvm::MemoryBufferRef> object =
          member.getMemoryBufferRef();
      if (!object)
        return object.takeError();
      if (llvm::identify_magic(object->getBuffer()) ==
          llvm::file_magic::elf_relocatable)
        if (llvm::Error problem = addObject(*object))
          return problem;
    }
    return failure;
  }
  default:
    return llvm::Error::success();
  }
}

/// Objects and archives among a linker's arguments, `-l` with its `-L`
/// included.
static llvm::SmallVector<std::string>
findInputs(llvm::ArrayRef<const char *> arguments) {
  llvm::SmallVector<std::string> files;
  llvm::SmallVector<StringRef> directories;
  for (StringRef argument : arguments)
    if (argument.consume_front("-L"))
      directories.push_back(argument);
  for (unsigned i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (argument == "-o" || argument == "-z" || argument == "-m" ||
        argument == "-dynamic-linker") {
      ++i;
    } else if (argument.consume_front("-l")) {
      for (StringRef directory : directories) {
        llvm::SmallString<128> path(directory);
        llvm::sys::path::append(path, "lib" + argument + ".a");
        if (!llvm::sys::fs::exists(path))
          continue;
        files.push_back(path.str().str());
        break;
      }
    } else if (!argument.starts_with("-")) {
      files.push_back(argument.str());
    }
  }
  return files;
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
  // Constructors in .init_array; nobody runs those in .ctors.
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

/// The object that holds the configuration, in the file `output`.
static llvm::Error makeDeviceObject(llvm::ArrayRef<StringRef> parts,
                                    StringRef machineFile, StringRef output) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> description =
      llvm::MemoryBuffer::getFile(machineFile);
  if (!description)
    return llvm::createFileError(machineFile, description.getError());
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  llvm::Expected<MappedKernels> mapped =
      mapKernels(parts, machineFile, Phase::Configuration, context);
  if (!mapped)
    return mapped.takeError();
  std::string configuration;
  llvm::raw_string_ostream text(configuration);
  std::vector<std::string> symbols =
      emitConfiguration(*mapped->kernels, mapped->machine, text);
  makeHostPart(*mapped->module, configuration, symbols,
               (*description)->getBuffer());

  std::error_code failure;
  llvm::raw_fd_ostream file(output, failure);
  if (failure)
    return llvm::errorCodeToError(failure);
  return writeObject(*mapped->module, file);
}

int cilk2chan::runDeviceLink(llvm::ArrayRef<const char *> arguments) {
  StringRef machine = arguments[0], linker = arguments[1];
  llvm::ArrayRef<const char *> rest = arguments.drop_front(2);
  auto fail = [](llvm::Error error) {
    llvm::errs() << "cilk2chan: error: " << toString(std::move(error)) << '\n';
    return 1;
  };
  Inputs inputs;
  for (const std::string &file : findInputs(rest))
    if (llvm::Error failure = inputs.add(file))
      return fail(llvm::createFileError(file, std::move(failure)));

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
            makeDeviceObject(inputs.getParts(), machine, object))
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
