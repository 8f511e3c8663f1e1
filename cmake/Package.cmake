# cmake/Package.cmake - Part of cilk2chan, under the Apache License v2.0
# with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What lets other projects find an installed cilk2chan (CMake, pkg-config, man),
# and the Debian package that `cpack` makes of it.  Everything is relative to its
# own place: an installed tree may be moved.

include(CMakePackageConfigHelpers)
set(package_dir lib/cmake/cilk2chan)
configure_package_config_file(cmake/cilk2chanConfig.cmake.in
  ${CMAKE_BINARY_DIR}/cilk2chanConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/cilk2chanConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/cilk2chanConfig.cmake
  ${CMAKE_BINARY_DIR}/cilk2chanConfigVersion.cmake DESTINATION ${package_dir})
install(EXPORT cilk2chanTargets NAMESPACE cilk2chan:: DESTINATION ${package_dir})

configure_file(cmake/cilk2chan.pc.in cilk2chan.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/cilk2chan.pc DESTINATION lib/pkgconfig)

install(FILES docs/cilk2chan.1 docs/chansim.1 DESTINATION share/man/man1)
install(FILES LICENSE DESTINATION share/doc/cilk2chan RENAME copyright)

set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_CONTACT "cilk2chan developers <cilk2chan@localhost>")
set(CPACK_PACKAGE_DESCRIPTION "It compiles C with cilk_spawn and cilk_sync to kernels joined by channels.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# The headers, libraries and linker that compiled programs need.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-22, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "lld-22, libclang-rt-22-dev")
include(CPack)
