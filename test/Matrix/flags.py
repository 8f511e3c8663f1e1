# ===- flags.py - The flags that matrix.py tries --------------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Tables for matrix.py: FLAGS, SCRIPTS, and what is refused.

A line of FLAGS is one set of flags, with which a program is compiled, linked and run.
A script is more than that: it is run by `sh -e` with $CC (a compiler and its level and
target), $SOURCES (the files of a program) and an empty folder; it prints what the
program prints. Neither says what Clang should do with a flag: matrix.py asks it.
"""

FLAGS = {
    "optimisation": """
        -O0
        -O1
        -O2
        -O3
        -Os
        -Oz
        -Og
        -O
        -Ofast -Wno-deprecated
        -O3 -fno-unroll-loops -fno-vectorize -fno-slp-vectorize
        -O2 -funroll-loops -ftree-vectorize -floop-interchange
        -fno-inline
        -fno-inline-functions
        -finline-hint-functions
        -finline-max-stacksize=64
        -fno-optimize-sibling-calls
        -fomit-frame-pointer
        -fno-omit-frame-pointer
        -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer
        -fno-strict-aliasing
        -fstrict-aliasing -fstrict-flex-arrays=3
        -fno-delete-null-pointer-checks
        -fno-builtin
        -fno-builtin-memcpy
        -fno-jump-tables
        -fno-math-errno
        -fmerge-all-constants
        -fno-common
        -fcommon
        -ffinite-loops
        -fno-finite-loops
        -falign-functions=64
        -falign-loops=32
        -fno-discard-value-names
        -fsplit-machine-functions
        -fkeep-static-consts -fkeep-persistent-storage-variables
        -fzero-initialized-in-bss
        -fno-strict-return
        -fextend-variable-liveness
        -fno-assumptions
        -fno-verify-intermediate-code
        -fverify-intermediate-code
        -fno-use-init-array
        -fno-experimental-loop-fusion
        -fexperimental-loop-fusion
        -mllvm -enable-gvn-hoist
        -mllvm -inline-threshold=1000
        -mllvm -stress-regalloc=4
        """,
    "debug": """
        -g
        -g0
        -g1
        -g2
        -g3
        -ggdb
        -ggdb3
        -gline-tables-only
        -gline-directives-only
        -gmlt
        -gdwarf-2
        -gdwarf-3
        -gdwarf-4
        -gdwarf-5
        -gdwarf64 -gdwarf-5
        -gsplit-dwarf
        -gsplit-dwarf=single
        -g -gz
        -g -gz=zlib
        -g -gcodeview
        -g -gembed-source -gdwarf-5
        -g -gkey-instructions
        -g -gno-column-info
        -g -gno-inline-line-tables
        -g -gcolumn-info -gstrict-dwarf
        -g -gsimple-template-names
        -g -gcall-site-info
        -g -fdebug-types-section
        -g -fdebug-macro
        -g -fdebug-info-for-profiling
        -g -fstandalone-debug
        -g -fno-eliminate-unused-debug-types
        -g -fdebug-ranges-base-address
        -g -fforce-dwarf-frame
        -g -fdebug-compilation-dir=. -ffile-prefix-map=/=/elsewhere/
        -g -glldb
        -g -gsce
        -grecord-command-line -g
        """,
    "sanitizers": """
        -fsanitize=address
        -fsanitize=address -fsanitize-recover=address
        -fsanitize=address -fsanitize-address-use-after-return=always
        -fsanitize=address -fsanitize-address-use-after-scope
        -fsanitize=address -fsanitize-address-outline-instrumentation
        -fsanitize=address -fsanitize-stable-abi
        -fsanitize=address -shared-libsan -Wl,-rpath=/usr/lib/llvm-22/lib/clang/22/lib/linux
        -fsanitize=address,undefined -g
        -fsanitize=address,leak
        -fsanitize=pointer-compare,pointer-subtract,address
        -fsanitize=undefined
        -fsanitize=undefined -fno-sanitize-recover=all
        -fsanitize=undefined -fsanitize-minimal-runtime
        -fsanitize=undefined -fsanitize-trap=undefined
        -fsanitize=undefined -fsanitize-recover=undefined -fsanitize-undefined-strip-path-components=2
        -fsanitize-trap=undefined
        -fsanitize=signed-integer-overflow
        -fsanitize=signed-integer-overflow -fsanitize-trap=signed-integer-overflow
        -fsanitize=shift,integer-divide-by-zero,float-divide-by-zero
        -fsanitize=float-cast-overflow,bool,enum,return,unreachable,vla-bound
        -fsanitize=alignment,null,object-size,pointer-overflow,nonnull-attribute,returns-nonnull-attribute
        -fsanitize=bounds
        -fsanitize=bounds -fsanitize-trap=bounds
        -fsanitize=array-bounds,local-bounds
        -fsanitize=local-bounds
        -fsanitize=integer -fsanitize-recover=integer
        -fsanitize=implicit-conversion
        -fsanitize=implicit-bitfield-conversion,implicit-integer-truncation
        -fsanitize=nullability
        -fsanitize=builtin
        -fsanitize=function
        -fsanitize=vptr
        -fsanitize=thread
        -fsanitize=thread -fno-sanitize-thread-memory-access
        -fsanitize=thread,undefined
        -fsanitize=leak
        -fsanitize=memory
        -fsanitize=memory -fsanitize-memory-track-origins=2
        -fsanitize=hwaddress -fuse-ld=lld
        -fsanitize=dataflow
        -fsanitize=type
        -fsanitize=numerical
        -fsanitize=realtime
        -fsanitize=fuzzer-no-link
        -fsanitize=kcfi
        -fsanitize=kcfi -fsanitize-kcfi-arity
        -fsanitize=cfi -flto -fvisibility=hidden
        -fsanitize=cfi-icall -flto=thin -fvisibility=hidden
        -fsanitize=cfi-mfcall -flto -fvisibility=hidden
        -fsanitize=safe-stack
        -fsanitize=shadow-call-stack
        -fsanitize=array-bounds -fsanitize-merge=all
        -fsanitize=undefined -fno-sanitize-merge
        -fsanitize=undefined -fsanitize-handler-preserve-all-regs
        -fsanitize=undefined -fsanitize-annotate-debug-info -g
        -fsanitize=undefined -fsanitize-trap=all -fsanitize-debug-trap-reasons -g
        -fsanitize=alloc-token
        -fsanitize-coverage=trace-pc-guard -fsanitize=address
        -fsanitize-coverage=edge,inline-8bit-counters,pc-table -fsanitize=address
        -fsanitize-coverage=inline-bool-flag -fsanitize=address
        -fsanitize-coverage=trace-pc-guard,trace-cmp,trace-div,trace-gep,indirect-calls -fsanitize=address
        -fsanitize-coverage=trace-loads,trace-stores,stack-depth,bb -fsanitize=address
        -fsanitize-coverage=func,trace-pc-guard,no-prune -fsanitize=undefined
        -fsanitize-coverage=inline-8bit-counters -fsanitize=undefined
        -fsanitize-stats -fsanitize=cfi -flto -fvisibility=hidden
        -fexperimental-sanitize-metadata=all
        -fmemory-profile
        """,
    "protection": """
        -fstack-protector
        -fstack-protector-strong
        -fstack-protector-all
        -fno-stack-protector
        -fstack-protector-all -mstack-protector-guard=tls
        --param ssp-buffer-size=4 -fstack-protector
        -fstack-clash-protection
        -fcf-protection
        -fcf-protection=full
        -fcf-protection=branch
        -fcf-protection=return
        -fcf-protection=none
        -mshstk
        -D_FORTIFY_SOURCE=3 -O2
        -D_FORTIFY_SOURCE=2 -O1
        -U_FORTIFY_SOURCE
        -ftrivial-auto-var-init=zero
        -ftrivial-auto-var-init=pattern
        -ftrivial-auto-var-init=pattern -ftrivial-auto-var-init-max-size=8
        -fzero-call-used-regs=used
        -fzero-call-used-regs=used-gpr
        -fzero-call-used-regs=skip
        -mretpoline
        -mspeculative-load-hardening
        -mindirect-branch-cs-prefix
        -mfunction-return=keep
        -mharden-sls=all
        -mlvi-cfi
        -mlvi-hardening
        -mseses
        -frandomize-layout-seed=seed
        -ftrapv
        -ftrapv -ftrapv-handler=abort
        -ftrap-function=abort -ftrapv
        -fwrapv
        -fwrapv-pointer
        -fno-strict-overflow
        -fsplit-stack -fuse-ld=gold
        -fsplit-stack
        -fexperimental-call-graph-section
        """,
    "link-time optimisation": """
        -flto
        -flto=full
        -flto=thin
        -flto=auto
        -flto -funified-lto
        -flto=thin -funified-lto
        -ffat-lto-objects -flto
        -ffat-lto-objects -flto=thin
        -flto -fsplit-lto-unit
        -flto=thin -fsplit-lto-unit
        -flto -fwhole-program-vtables
        -flto -g
        -flto=thin -g1
        -flto -fvisibility=hidden
        -flto=thin -fuse-ld=lld -Wl,--thinlto-jobs=2
        -flto -fuse-ld=lld -Wl,--lto-O0
        -flto -fuse-ld=lld -Wl,--lto-O3
        -flto -ffunction-sections -Wl,--gc-sections
        -flto -fPIE -pie
        -flto -fsanitize=address
        -flto -fsanitize=undefined -fsanitize-trap=all
        -flto -fuse-ld=lld
        -flto -fembed-bitcode
        -flto -march=x86-64-v3
        -flto -save-temps
        -fno-lto
        """,
    "profiles and coverage": """
        -fprofile-generate
        -fprofile-generate -fprofile-update=atomic
        -fprofile-generate -mllvm -vp-static-alloc=false
        -fcs-profile-generate
        -fprofile-instr-generate
        -fprofile-instr-generate -fcoverage-mapping
        -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc
        -fprofile-instr-generate -fprofile-function-groups=2 -fprofile-selected-function-group=1
        -fprofile-instr-generate -fprofile-continuous
        -fprofile-instr-generate -flto
        -fprofile-generate -flto=thin
        --coverage
        --coverage -g
        -fprofile-arcs -ftest-coverage
        --coverage -fprofile-update=atomic
        -pg
        -pg -fno-omit-frame-pointer
        -pg -mfentry
        -finstrument-functions
        -finstrument-functions-after-inlining
        -fxray-instrument
        -fxray-instrument -fxray-instruction-threshold=1
        -fxray-instrument -fxray-modes=none
        -fpatchable-function-entry=4
        -fpatchable-function-entry=6,2
        -fms-hotpatch
        -ftemporal-profile -fprofile-generate
        -fpseudo-probe-for-profiling
        -fpseudo-probe-for-profiling -g
        -fsample-profile-use-profi
        -fbasic-block-sections=all
        -fbasic-block-address-map
        -funique-basic-block-section-names -fbasic-block-sections=all
        -fstack-size-section
        -fstack-usage
        """,
    "machine": """
        -march=x86-64
        -march=x86-64-v2
        -march=x86-64-v3
        -march=x86-64-v4 -mno-avx512f
        -march=native
        -march=native -mtune=generic
        -mtune=native
        -mtune=znver4
        -march=haswell -mtune=skylake
        -march=core2
        -msse4.2
        -mno-sse4
        -mno-sse4.2
        -mno-sse3
        -mno-ssse3
        -mavx
        -mavx2
        -mavx2 -mfma -mbmi2
        -mno-avx
        -mno-avx2
        -mno-avx512f
        -mno-bmi -mno-popcnt
        -mprefer-vector-width=128
        -mprefer-vector-width=256 -mavx2
        -mno-gather -mavx2
        -mpopcnt
        -mcx16
        -mno-cx16
        -mno-sse
        -mno-sse2
        -mno-mmx
        -mno-80387
        -msoft-float
        -mgeneral-regs-only
        -mno-implicit-float
        -mno-red-zone
        -mstackrealign
        -mstack-alignment=32
        -mstack-probe-size=256
        -mcmodel=small
        -mcmodel=medium
        -mcmodel=large
        -mcmodel=kernel
        -mlarge-data-threshold=8 -mcmodel=medium
        -mlong-double-64
        -mlong-double-80
        -mlong-double-128
        -mfpmath=sse
        -mtls-direct-seg-refs
        -mno-tls-direct-seg-refs
        -mtls-dialect=gnu2
        -mtls-dialect=gnu
        -mrelax-all
        -mno-relax-all
        -mno-global-merge
        -mrecip
        -mskip-rax-setup
        -mvzeroupper
        -mno-vzeroupper
        -mms-bitfields
        -malign-double
        -mbranches-within-32B-boundaries
        -mregparm=3
        -m64
        -m32
        -mdaz-ftz
        -mincremental-linker-compatible
        -mno-outline
        -moutline
        -mthread-model posix
        --target=x86_64-linux-gnu
        --target=x86_64-pc-linux-gnu
        --target=i686-linux-gnu
        -fno-integrated-as
        -fintegrated-as
        -Wa,--noexecstack
        -Wa,-L
        """,
    "floating point": """
        -ffast-math
        -funsafe-math-optimizations
        -ffinite-math-only
        -fassociative-math -fno-signed-zeros -fno-trapping-math -freciprocal-math
        -fapprox-func
        -fno-honor-nans -fno-honor-infinities
        -fprotect-parens
        -ffp-contract=off
        -ffp-contract=on -mfma
        -ffp-contract=fast
        -ffp-contract=fast-honor-pragmas
        -ffp-model=precise
        -ffp-model=fast
        -ffp-model=aggressive
        -ffp-model=strict
        -ffp-exception-behavior=strict
        -ffp-exception-behavior=maytrap
        -ffp-exception-behavior=ignore
        -ffp-eval-method=double
        -ffp-eval-method=extended
        -frounding-math
        -ftrapping-math
        -fno-trapping-math
        -fdenormal-fp-math=preserve-sign
        -fexcess-precision=fast
        -fstrict-float-cast-overflow
        -fno-strict-float-cast-overflow
        -fcx-limited-range
        -fcomplex-arithmetic=basic
        -fveclib=libmvec -lm
        -fveclib=SVML
        -fveclib=none
        -fno-fast-math
        """,
    "language": """
        -std=c89
        -std=c90
        -std=iso9899:199409
        -std=c99
        -std=c11
        -std=c17
        -std=c18
        -std=c23
        -std=c2x
        -std=c2y
        -std=gnu89
        -std=gnu99
        -std=gnu11
        -std=gnu17
        -std=gnu23
        -std=gnu2y
        -ansi
        -pedantic-errors -std=c99
        -std=c23 -pedantic-errors
        -Wall -Wextra -Werror
        -Weverything
        -Wshadow -Wconversion -Wpedantic -Werror -std=c11
        -w
        -fgnu89-inline
        -fms-extensions
        -fms-compatibility
        -fborland-extensions
        -fdeclspec
        -fblocks
        -fshort-enums
        -fshort-wchar
        -funsigned-char
        -fsigned-char
        -fpack-struct=4
        -funsigned-bitfields
        -fno-signed-char
        -fsigned-bitfields
        -fno-digraphs -ftrigraphs
        -fdollars-in-identifiers
        -fenable-matrix
        -ffixed-point
        -fheinous-gnu-extensions
        -fwritable-strings
        -fpascal-strings
        -flax-vector-conversions=all
        -fdefer-ts
        -fnamed-loops
        -fexperimental-new-constant-interpreter
        -fexperimental-late-parse-attributes
        -fopenmp
        -fopenmp=libgomp
        -fopenmp-simd
        -fopenacc
        -ffreestanding
        -fhosted
        -nostdinc -isystem /usr/lib/llvm-22/lib/clang/22/include -isystem /usr/include -isystem /usr/include/x86_64-linux-gnu
        -DNDEBUG -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64
        -include stdint.h -imacros limits.h
        -fno-asm
        -fclang-abi-compat=17
        -x c
        -fcilk-serialize
        -fno-chan-serial-clones
        -fno-chan-batch
        -fchan-batch
        """,
    "code and linking": """
        -fPIC
        -fpic
        -fPIE -pie
        -fpie -pie
        -fno-pic -no-pie
        -fno-PIE -no-pie -mcmodel=small
        -static
        -static-pie
        -static-libgcc
        -no-pie -fno-plt
        -fno-plt
        -fno-semantic-interposition -fPIC
        -fsemantic-interposition -fPIC
        -fdirect-access-external-data
        -fno-direct-access-external-data
        -fvisibility=hidden
        -fvisibility=protected
        -fvisibility=internal
        -ffunction-sections
        -ffunction-sections -fdata-sections -Wl,--gc-sections
        -fno-unique-section-names -ffunction-sections
        -fseparate-named-sections
        -fpartition-static-data-sections
        -funique-internal-linkage-names
        -faddrsig -Wl,--icf=all -fuse-ld=lld
        -fno-addrsig
        -Wl,--icf=safe -fuse-ld=lld -ffunction-sections
        -fno-ident
        -fexceptions
        -fexceptions -fnon-call-exceptions
        -fno-exceptions
        -fexceptions -fsjlj-exceptions
        -fignore-exceptions -fexceptions
        -fasync-exceptions
        -fasynchronous-unwind-tables
        -fno-asynchronous-unwind-tables
        -funwind-tables
        -fno-unwind-tables
        -femulated-tls
        -ftls-model=global-dynamic
        -ftls-model=local-dynamic
        -ftls-model=initial-exec
        -ftls-model=local-exec
        -fuse-ld=lld
        -fuse-ld=bfd
        -fuse-ld=gold
        -Wl,-z,now,-z,relro
        -Wl,-z,noexecstack -Wl,--as-needed
        -Wl,-z,nodelete -Wl,-O1 -Wl,--hash-style=gnu
        -Wl,--build-id -Wl,-Map=map.txt
        -rdynamic
        -s
        -pthread
        -pipe
        -rtlib=compiler-rt
        -fno-autolink
        -fembed-bitcode
        -fembed-bitcode=marker
        -fembed-bitcode-marker
        -fverbose-asm -save-temps
        -save-temps
        -save-temps=obj
        -no-integrated-cpp
        -fno-integrated-cc1
        -fno-temp-file
        -frecord-command-line
        -fregister-global-dtors-with-atexit
        -fms-volatile
        -fapinotes
        -fmodules
        -fretain-comments-from-system-headers
        """,
    "reports": """
        -ftime-report
        -fproc-stat-report
        -ftime-trace
        -ftime-trace -ftime-trace-granularity=0
        -fsave-optimization-record
        -fsave-optimization-record=bitstream
        -fsave-optimization-record -foptimization-record-passes=inline
        -save-stats
        -Rpass=.*
        -Rpass-missed=.*
        -Rpass-analysis=.*
        -fdiagnostics-show-hotness -Rpass=inline
        -Wframe-larger-than=1
        -Wstack-usage=1
        -fdiagnostics-format=msvc -Weverything
        -fdiagnostics-format=vi -Wpadded
        -fdiagnostics-format=sarif -Wno-sarif-format-unstable
        -fdiagnostics-parseable-fixits
        -fcolor-diagnostics -Weverything
        -fno-show-column -Wpadded
        -fdiagnostics-print-source-range-info
        -fdiagnostics-absolute-paths
        -MD
        -MMD -MF deps.d -MT target -MP
        -MJ compile.json
        -fcrash-diagnostics-dir=.
        -fno-crash-diagnostics
        -fcomment-block-commands=example
        """,
}

# What ends before there is a program to run.
SCRIPTS = {
    "only: -fsyntax-only": "$CC -fsyntax-only $SOURCES",
    "only: -E": "$CC -E $SOURCES >out.i",
    "only: -E -dM": "$CC -E -dM $SOURCES >out.i",
    "only: -M": "$CC -M $SOURCES >out.d",
    "only: -S": "$CC -S $SOURCES",
    "only: -S -emit-llvm": "$CC -S -emit-llvm $SOURCES",
    "only: -c -emit-llvm": "$CC -c -emit-llvm $SOURCES",
    "only: -c": "$CC -c $SOURCES",
    "only: -###": "$CC '-###' $SOURCES 2>out.txt",
    "only: -v": "$CC -v -c $SOURCES 2>out.txt",
    "only: --analyze": "$CC --analyze $SOURCES",
    "only: -emit-ast": "$CC -emit-ast $SOURCES",
    "only: -Xclang -ast-dump": "$CC -fsyntax-only -Xclang -ast-dump $SOURCES >out.txt",
    "only: -ccc-print-phases": "$CC -ccc-print-phases $SOURCES 2>out.txt",
    # What comes by another way than the command line, or in several steps.
    "@file": 'echo "-g -o p $SOURCES" >args; $CC @args; ./p',
    "one file at a time": "for f in $SOURCES; do $CC -c $f; done; $CC *.o -o p; ./p",
    "by way of .s": "$CC -S $SOURCES; $CC *.s -o p; ./p",
    "by way of .bc": "$CC -c -emit-llvm $SOURCES; $CC *.bc -o p; ./p",
    "by way of .ll": "$CC -S -emit-llvm $SOURCES; $CC *.ll -o p; ./p",
    "by way of .i": "for f in $SOURCES; do $CC -E $f -o $(basename $f .c).i; done; $CC *.i -o p; ./p",
    "standard input": "for f in $SOURCES; do $CC -I $FOLDER -x c -c - -o $(basename $f).o <$f; done; $CC *.o -o p; ./p",
    "-include of a precompiled header": """
        printf '#include <stdio.h>\\n#include <stdlib.h>\\n' >pre.h
        $CC -x c-header pre.h -o pre.h.pch
        $CC -include-pch pre.h.pch $SOURCES -o p; ./p""",
    "an archive": "$CC -c $SOURCES; ar rc l.a *.o; $CC -Wl,--whole-archive l.a -Wl,--no-whole-archive -o p; ./p",
    "an archive with -flto": "$CC -flto -c $SOURCES; llvm-ar-22 rc l.a *.o; $CC -flto -Wl,--whole-archive l.a -Wl,--no-whole-archive -o p; ./p",
    "ld -r": "$CC -c $SOURCES; ld -r *.o -o all.o; $CC all.o -o p; ./p",
    "a shared library": """
        set -- $SOURCES
        echo 'int main(int, char **); int entry(void) { char *a[] = {"p", 0}; return main(1, a); }' >entry.c
        $CC -fPIC -shared -Dmain=real_main $SOURCES -o lib.so
        echo 'int real_main(int, char **); int main(int n, char **v) { return real_main(n, v); }' >start.c
        $CC start.c ./lib.so -o p; ./p""",
    "objcopy and strip": "$CC -g -c $SOURCES; for f in *.o; do llvm-objcopy-22 --strip-debug $f; done; $CC *.o -o p; strip p; ./p",
    "profile, then -fprofile-use": """
        $CC -fprofile-generate=. $SOURCES -o p; ./p >out; llvm-profdata-22 merge -o p.profdata *.profraw
        $CC -Wno-profile-instr-unprofiled -fprofile-use=p.profdata $SOURCES -o p; ./p""",
    "profile, then -fprofile-use -flto=thin": """
        $CC -flto=thin -fprofile-generate=. $SOURCES -o p; ./p >out; llvm-profdata-22 merge -o p.profdata *.profraw
        $CC -flto=thin -fprofile-use=p.profdata $SOURCES -o p; ./p""",
    "profile twice, then -fprofile-use": """
        $CC -fprofile-generate=. $SOURCES -o p; ./p >out; llvm-profdata-22 merge -o p.profdata *.profraw; rm *.profraw
        $CC -fprofile-use=p.profdata -fcs-profile-generate=. $SOURCES -o p; ./p >out
        llvm-profdata-22 merge -o q.profdata *.profraw p.profdata
        $CC -fprofile-use=q.profdata $SOURCES -o p; ./p""",
    "profile by -fprofile-instr-generate": """
        $CC -fprofile-instr-generate $SOURCES -o p; ./p >out; llvm-profdata-22 merge -o p.profdata *.profraw
        $CC -fprofile-instr-use=p.profdata $SOURCES -o p; ./p""",
    "-fcoverage-mapping, then llvm-cov": """
        $CC -fprofile-instr-generate -fcoverage-mapping $SOURCES -o p; ./p; llvm-profdata-22 merge -o p.profdata *.profraw
        llvm-cov-22 show ./p -instr-profile=p.profdata >shown; grep -q 'main(' shown""",
    "--coverage, then gcov": """
        $CC --coverage $SOURCES -o p; ./p; for f in *.gcda; do llvm-cov-22 gcov $f >>shown; done
        grep -q 'Lines executed' shown""",
    "-fprofile-sample-use": """
        printf 'main:100:0\\n 1: 100\\nfib:1000:10\\n 1: 10\\n' >p.prof
        $CC -g -fprofile-sample-use=p.prof $SOURCES -o p; ./p""",
    "-fprofile-list": """
        printf '[clang]\\nfun:main=skip\\n' >p.list
        $CC -fprofile-generate -fprofile-list=p.list $SOURCES -o p; ./p""",
    "-fsanitize-ignorelist": """
        printf 'fun:fib\\nsrc:*more*\\n' >list
        $CC -fsanitize=address -fsanitize-ignorelist=list $SOURCES -o p; ./p""",
    "-fxray-attr-list": """
        printf '[always]\\nfun:main\\nfun:fib\\n' >list
        $CC -fxray-instrument -fxray-attr-list=list $SOURCES -o p; ./p""",
    "-fbasic-block-sections=list": """
        printf '!fib\\n!!0 1\\n!main\\n!!0\\n' >list
        $CC -fbasic-block-sections=list=list $SOURCES -o p; ./p""",
    "-finstrument-functions, with the functions": """
        cat >hooks.c <<'END'
        static int depth;
        void __attribute__((no_instrument_function)) __cyg_profile_func_enter(void *f, void *from) { __atomic_fetch_add(&depth, 1, 5); }
        void __attribute__((no_instrument_function)) __cyg_profile_func_exit(void *f, void *from) { __atomic_fetch_sub(&depth, 1, 5); }
        extern int puts(const char *);
        static void __attribute__((no_instrument_function, destructor)) leave(void) { if (depth) puts("not left"); }
END
        $CC -finstrument-functions $SOURCES -c; $CC *.o hooks.c -o p; ./p""",
    "gdb": "$CC -g $SOURCES -o p; gdb -q -batch -ex run p >out 2>&1; ./p",
    "-fdump-record-layouts": "$CC -Xclang -fdump-record-layouts $SOURCES -o p >out; ./p",
}
