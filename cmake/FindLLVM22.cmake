# cmake/FindLLVM22.cmake - Part of cilk2chan, under the Apache License v2.0
# with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# LLVM, MLIR and Clang 22 as the distribution packages them.

find_package(MLIR 22.1 REQUIRED CONFIG)
find_package(Clang REQUIRED CONFIG)
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

# add_mlir_doc and mlir_tablegen write below these; the defaults are the system's.
set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})
set(LLVM_EXTERNAL_LIT ${LLVM_TOOLS_BINARY_DIR}/lit CACHE FILEPATH "lit")

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)

# Archives of MLIR beside the shared libraries of LLVM and Clang: the dynamic
# linker takes 15 ms for the symbols of libMLIR each time a tool starts.
add_library(Cilk2chanMLIR INTERFACE)
target_link_libraries(Cilk2chanMLIR INTERFACE
  MLIRIR MLIRParser MLIRPass MLIRTransforms MLIRAnalysis MLIRRemarkStreamer
  MLIRDLTIDialect MLIRLLVMDialect MLIRSCFDialect MLIRTargetLLVMIRImport MLIRTargetLLVMIRExport
  MLIRFromLLVMIRTranslationRegistration MLIRLLVMToLLVMIRTranslation
  MLIRBuiltinToLLVMIRTranslation MLIRLLVMIRToLLVMTranslation)
target_link_options(Cilk2chanMLIR INTERFACE -Wl,--gc-sections)

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
include_directories(${CMAKE_SOURCE_DIR}/include ${CMAKE_BINARY_DIR}/include)
separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${definitions})

# Where the headers that Clang itself provides lie (stddef.h and the like).
execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/clang -print-resource-dir
                OUTPUT_VARIABLE CILK2CHAN_RESOURCE_DIR
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
