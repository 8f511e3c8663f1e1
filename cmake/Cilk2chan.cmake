# cmake/Cilk2chan.cmake - Part of cilk2chan, under the Apache License v2.0
# with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What every target of the project shares: ccache, lld, sanitizers, and
# cilk2chan_add_library for the compiler's libraries.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers need these two kinds of sloppiness to be cached at all;
  # with a base directory every clone of the project finds what another compiled.
  # Set as a cache entry: a plain variable would not outlive this inclusion when
  # the launcher is initialised per target.
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
endif()

if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_link_options(-fuse-ld=lld)
endif()

if(CILK2CHAN_SANITIZE)
  add_compile_options(-fsanitize=${CILK2CHAN_SANITIZE} -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${CILK2CHAN_SANITIZE})
  if(CILK2CHAN_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize-recover=all)
  endif()
endif()

# cilk2chan_add_library(NAME source... [DEPENDS target...] [LINK library...] [PCH pch-target])
#
# A static library of the compiler.  DEPENDS names TableGen targets; LINK the
# project's own libraries, or clang-cpp, MLIR and LLVM: the shared ones, never a
# static component, which would give duplicate registries.
function(cilk2chan_add_library name)
  cmake_parse_arguments(ARG "" "PCH" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_PCH)
    target_precompile_headers(${name} REUSE_FROM ${ARG_PCH})
  endif()
endfunction()
