// errors.c - Bad command lines and bad files: a message, status 1, no output.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: not cilk2chan absent.c -o out 2>&1 | FileCheck --check-prefix=ABSENT %s
// RUN: not cilk2chan --frobnicate %s -o out 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not cilk2chan --emit=picture %s -o out 2>&1 | FileCheck --check-prefix=EMIT %s
// RUN: not cilk2chan --emit=mlir %s %s 2>&1 | FileCheck --check-prefix=SEVERAL %s
// RUN: not cilk2chan --emit=mlir /work.c /Documents.c 2>&1 | FileCheck --check-prefix=SEVERAL %s
// RUN: not cilk2chan --dump-after=lunch %s -o out 2>&1 | FileCheck --check-prefix=DUMP %s
// RUN: not cilk2chan --target=apu %s -o out 2>&1 | FileCheck --check-prefix=TARGET %s
// RUN: not cilk2chan --target apu %s -o out 2>&1 | FileCheck --check-prefix=TARGET %s
// RUN: not cilk2chan -fchan-lanes=3 %s -o out 2>&1 | FileCheck --check-prefix=LANES %s
// RUN: not cilk2chan -fchan-lanes=128 %s -o out 2>&1 | FileCheck --check-prefix=LANES %s
// RUN: not cilk2chan -fchan-lanes=-4 %s -o out 2>&1 | FileCheck --check-prefix=LANES %s
// RUN: not cilk2chan -fchan-lanes= %s -o out 2>&1 | FileCheck --check-prefix=LANES %s
// RUN: not cilk2chan 2>&1 | FileCheck --check-prefix=NOTHING %s
// RUN: not cilk2chan %s -o 2>&1 | FileCheck --check-prefix=NOVALUE %s
// RUN: not cilk2chan -DOK %s -o out 2>&1 | FileCheck --check-prefix=LINK %s
// RUN: not cilk2chan -c %s -o out.o 2>&1 | FileCheck --check-prefix=SYNTAX %s
// RUN: not cilk2chan --emit=mlir %s -o out.mlir 2>&1 | FileCheck --check-prefix=SYNTAX %s
// RUN: not cilk2chan -DOK -DASM -c %s -o out.o 2>&1 | FileCheck --check-prefix=ASM %s
// RUN: not cilk2chan -DOK -c %s -o no/such/dir/out.o 2>&1 | FileCheck --check-prefix=NODIR %s
// RUN: not cilk2chan -DOK -c %s -mllvm -no-such-flag -o out.o 2>&1 | FileCheck --check-prefix=MLLVM %s
// RUN: not cilk2chan @absent.rsp 2>&1 | FileCheck --check-prefix=RESPONSE %s
// Whether it is used or not, a machine must be there.
// RUN: for flags in "" --target=vgiw --emit=config; do not cilk2chan $flags --machine=nope %s -o out 2>&1 | FileCheck --check-prefix=MACHINE %s || exit 1; done
// RUN: not cilk2chan --machine=./nope.json %s -o out 2>&1 | FileCheck --check-prefix=NOFILE %s
// Values may stand behind a blank.
// RUN: not cilk2chan --emit picture %s -o out 2>&1 | FileCheck --check-prefix=EMIT %s
// RUN: not cilk2chan --dump-after lunch %s -o out 2>&1 | FileCheck --check-prefix=DUMP %s
// RUN: not cilk2chan --machine nope %s -o out 2>&1 | FileCheck --check-prefix=MACHINE %s
// RUN: not cilk2chan %s --emit 2>&1 | FileCheck --check-prefix=NOEMIT %s
// RUN: ls | count 0
// ABSENT: cilk2chan: error: no such file or directory: 'absent.c'
// UNKNOWN: cilk2chan: error: unknown argument: '--frobnicate'
// EMIT: cilk2chan: error: invalid value 'picture' in '--emit=picture'; expected one of: markers, cilk, mlir, dot, llvm, vgiw, config, floorplan, bounds, simt, asm, obj
// SEVERAL: cilk2chan: error: '--emit=mlir' takes one file at a time; there are 2
// DUMP: cilk2chan: error: invalid value 'lunch' in '--dump-after=lunch'; expected one of: markers, import, cilk, chan, host, llvm
// TARGET: cilk2chan: error: invalid value 'apu' in '--target=apu'; expected 'host', 'vgiw', 'simt', or a target triple
// NOEMIT: cilk2chan: error: invalid value '' in '--emit='; expected one of: markers,
// MACHINE: cilk2chan: error: invalid value 'nope' in '--machine=nope'; expected a file, or one of: isca14-apu, micro15-fermi, micro15-sgmf, micro15-vgiw
// NOFILE: cilk2chan: error: invalid value './nope.json' in '--machine=./nope.json'; expected a file, or one of: isca14-apu, micro15-fermi, micro15-sgmf, micro15-vgiw
// LANES: cilk2chan: error: invalid value '[[N:.*]]' in '-fchan-lanes=[[N]]'; expected a power of two from 2 to 64
// NOTHING: cilk2chan: error: no input files
// NOVALUE: cilk2chan: error: argument to '-o' is missing
// LINK: undefined symbol: missing
// LINK: cilk2chan: error: linker command failed
// SYNTAX: errors.c:[[@LINE+12]]:{{[0-9]+}}: error: use of undeclared identifier 'undeclared'
// ASM: errors.c:[[@LINE+8]]:{{[0-9]+}}: error: unexpected token
// NODIR: error: unable to open output file
// MLLVM: Unknown command line argument '-no-such-flag'
// RESPONSE: error: {{.*}}absent.rsp

int missing(void);
int main(void) {
#ifdef ASM
  __asm__("no such instruction");
#endif
#ifndef OK
  undeclared++;
#endif
  return missing();
}
