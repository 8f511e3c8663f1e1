#!/bin/sh
# check.sh - Checks a model with spin.
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: check.sh MODEL.pml [CC]
#
# Lines in the model's comments say what to check, with macros for spin:
#
#   holds    -DMACRO=VALUE...            the protocol must hold in this configuration
#   mutant N -DMACRO=VALUE... REMARK     spin must find a bug with -DMUTANT=N, or the
#                                        model would prove nothing
#
# Exits with 77 (skipped) when spin is not installed, 1 when a check fails.

set -u
model=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cc=${2:-cc}
command -v spin >/dev/null || { echo "spin is not installed: skipped"; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work" || exit 1

# errors LEVEL MACRO...: prints the number of errors spin finds.
errors() {
  level=$1
  shift
  rm -f pan pan.[bchmpt]
  spin -a "$@" "$model" >spin.log 2>&1 && "$cc" -w "$level" -DSAFETY pan.c -o pan ||
    { cat spin.log >&2; exit 1; }
  ./pan -m100000 >pan.log 2>&1
  grep -q 'max search depth too small' pan.log && { cat pan.log >&2; exit 1; }
  sed -n 's/.*errors: \([0-9]*\).*/\1/p' pan.log
}

# Prints the macros in the words given.
macros() {
  for word; do
    case $word in -D*) echo "$word" ;; esac
  done
}

sed -n 's/^ \*  *\(holds  *-D.*\|mutant [0-9].*\)/\1/p' "$model" >checks
[ -s checks ] || { echo "$model: nothing to check"; exit 1; }
failed=0
while read -r line; do
  set -- $line
  if [ "$1" = holds ]; then
    found=$(errors -O1 $(macros $line)) || exit 1
    echo "holds $(macros $line | tr '\n' ' '): $found errors," \
      "$(sed -n 's/^ *\([0-9e+.]*\) states, stored.*/\1/p' pan.log) states"
    [ "$found" = 0 ] || { failed=1; grep '^pan:1' pan.log; }
  else
    # It is found long before all states are: compiling takes the time.
    found=$(errors -O0 $(macros $line) -DMUTANT=$2) || exit 1
    echo "mutant $2: $found errors, $(sed -n 's/^pan:1: //p' pan.log)"
    [ "$found" != 0 ] || failed=1
  fi
done <checks
exit $failed
