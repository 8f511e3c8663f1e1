# cmake/Cilk2chan.cmake - Part of cilk2chan, under the Apache License v2.0
# with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What every target of the project shares: ccache, lld, sanitizers, and
# cilk2chan_add_library for the compiler's libraries.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers need these two kinds of sloppiness to be cached at all;
  # with a base directory a clone finds what another compiled without them.
  # Set as a cache entry: a plain variable would not outlive this inclusion when
  # the launcher is initialised per target.
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
endif()

if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_link_options(-fuse-ld=lld)
  # Cacheable and reproducible precompiled headers.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

if(CILK2CHAN_SANITIZE)
  add_compile_options(-fsanitize=${CILK2CHAN_SANITIZE} -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${CILK2CHAN_SANITIZE})
  if(CILK2CHAN_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize-recover=all)
  endif()
endif()

option(CILK2CHAN_UNITS "Compile the files of a list together, see cilk2chan_add_library" ON)

# cilk2chan_add_library(NAME source... [UNIT source...]...
#                       [DEPENDS target...] [LINK library...])
#
# A static library of the compiler.  The sources before the first UNIT, and those
# after each, are one translation unit: most of what there is to compile is headers,
# and the functions of headers.  So names of file scope are unique in each list.
# DEPENDS names TableGen targets; LINK the project's own libraries, or clang-cpp, MLIR
# and LLVM: the shared ones, never a static component, which would give duplicate
# registries.
function(cilk2chan_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  set(sources)
  set(unit)
  foreach(source IN LISTS ARG_UNPARSED_ARGUMENTS ITEMS UNIT)
    if(NOT source STREQUAL "UNIT")
      list(APPEND unit ${source})
      continue()
    endif()
    list(LENGTH unit length)
    if(CILK2CHAN_UNITS AND length GREATER 1)
      file(RELATIVE_PATH directory ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
      list(GET unit 0 first)
      get_filename_component(first ${first} NAME_WE)
      list(TRANSFORM unit REPLACE "(.+)" "#include \"${directory}/\\1\"\n" OUTPUT_VARIABLE includes)
      string(CONCAT includes ${includes})
      set(unit ${CMAKE_CURRENT_BINARY_DIR}/${name}.units/${first}.cpp)
      file(CONFIGURE OUTPUT ${unit} CONTENT "${includes}" @ONLY)
    endif()
    list(APPEND sources ${unit})
    set(unit)
  endforeach()

  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  # Some functions of these headers are kept though nobody calls them (dump), so what
  # starts from them needs MLIR.
  if(ARG_LINK MATCHES "Cilk2chanMLIR|clang-cpp")
    target_precompile_headers(${name} REUSE_FROM Cilk2chanHeaders)
  endif()
endfunction()
