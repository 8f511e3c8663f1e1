# Embed.cmake - Part of cilk2chan, under the Apache License v2.0
# with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a file's bytes into a C++ source, for sim_add_firmware:
#
#   cmake -DNAME=Scheduler -DINPUT=Scheduler.elf -DOUTPUT=Scheduler.cpp -P Embed.cmake

file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "// Made from ${INPUT}.
#include <cstddef>
#include <span>

namespace chansim::aggregator {

std::span<const std::byte> firmware${NAME}();

namespace {
alignas(8) constexpr unsigned char bytes[] = {
${bytes}};
} // namespace

std::span<const std::byte> firmware${NAME}() { return std::as_bytes(std::span(bytes)); }

} // namespace chansim::aggregator
")
