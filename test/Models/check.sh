#!/bin/sh
# check.sh - Checks channel.pml with spin.
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: check.sh [CC]
#
# The protocol must hold in every configuration, and spin must find each injected
# bug, or the model would prove nothing.  Exits with 77 (skipped)
# when spin is not installed, 1 when a check fails.

set -u
cc=${1:-cc}
model=$(cd "$(dirname "$0")" && pwd)/channel.pml
command -v spin >/dev/null || { echo "spin is not installed: skipped"; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work" || exit 1

# Prints the number of errors spin finds with the given macros.
errors() {
  rm -f pan pan.[bchmpt]
  spin -a "$@" "$model" >spin.log 2>&1 && "$cc" -w -O1 -DSAFETY pan.c -o pan ||
    { cat spin.log >&2; exit 1; }
  ./pan -m100000 >pan.log 2>&1
  grep -q 'max search depth too small' pan.log && { cat pan.log >&2; exit 1; }
  sed -n 's/.*errors: \([0-9]*\).*/\1/p' pan.log
}

# Two laps of the data array; contending consumers; batches; and both of the first,
# which has too many states for the protocol, but few until a mutant's error.
laps="-DPRODUCERS=2 -DBATCHES=2 -DCONSUMERS=1 -DCAPACITY=2"
consumers="-DPRODUCERS=2 -DBATCHES=1 -DCONSUMERS=2 -DCAPACITY=1"
batches="-DPRODUCERS=2 -DBATCHES=1 -DCONSUMERS=1 -DN=2 -DCAPACITY=4"
large="-DPRODUCERS=2 -DBATCHES=2 -DCONSUMERS=2 -DCAPACITY=2"

failed=0
for shape in "$laps" "$consumers" "$batches"; do
  found=$(errors $shape) || exit 1
  echo "protocol, $shape: $found errors, $(sed -n 's/^ *\([0-9e+]*\) states, stored.*/\1/p' pan.log) states"
  [ "$found" = 0 ] || { failed=1; grep '^pan:1' pan.log; }
done

# mutant N SHAPE: the bug must be found in that configuration.
mutant() {
  found=$(errors $2 -DMUTANT=$1) || exit 1
  if [ "$found" = 0 ]; then
    echo "mutant $1: not found"
    failed=1
  else
    echo "mutant $1: found, $(sed -n 's/^pan:1: //p' pan.log)"
  fi
}
mutant 1 "$batches"
mutant 2 "$consumers"
mutant 3 "$laps"
mutant 4 "$laps"
mutant 5 "$large"
exit $failed
