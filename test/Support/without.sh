#!/bin/sh
# without.sh - Runs a compiler with flags behind those of a test.
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   without.sh "-fno-chan-hoist" build/bin/cilk2chan -O2 a.c
#
# runs `build/bin/cilk2chan -O2 a.c -fno-chan-hoist`: the last flag wins.  See
# the parameter `without` in lit.cfg.py.  A pass of LLVM's kind is left out by
# "-mllvm;-opt-disable=NAME".
flags=$1
compiler=$2
shift 2
IFS=';'
exec "$compiler" "$@" $flags
