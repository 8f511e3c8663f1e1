// A machine of kind `sgmf`, here with two special compute units. All kernels that it does not hold are reported. One for
// several ranges is left out instead, if it does not fit.
// RUN: sed '/^ *"[A-Z]*",*$/{/SCCS/!s/S/A/g}; s/"name": "[^"]*"/"name": "small"/' %source/runtime/sim/machines/micro15-sgmf.json > %t.json
// RUN: not cilk2chan-opt --vgiw-fit-blocks=machine=%t.json %s 2>&1 | FileCheck %s
// CHECK: error: kernel 'first' cannot run on this machine: it needs 3 SCU units (divisions and roots), and machine 'small' has 2
// CHECK-NOT: error: kernel 'divides.ranges'
// CHECK: error: kernel 'second' cannot run on this machine: it needs 3 SCU units
//
// RUN: sed '/@first/,/^}/d; /@second/,/^}/d' %s | cilk2chan-opt --vgiw-fit-blocks=machine=%t.json | FileCheck %s --check-prefix=FITS
// FITS-NOT: @divides.ranges
// FITS: vgiw.kernel @small.ranges
// FITS-NOT: @divides.ranges

vgiw.kernel @first graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %x = vgiw.compute udiv %t, %p : (i64, i64) -> i64
  %y = vgiw.compute udiv %x, %p : (i64, i64) -> i64
  %q = vgiw.compute udiv %y, %p : (i64, i64) -> i64
  %d = vgiw.store %q to %p : i64
  vgiw.exit
}

vgiw.kernel @divides.ranges graph launch ranges parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %x = vgiw.compute udiv %t, %p : (i64, i64) -> i64
  %y = vgiw.compute udiv %x, %p : (i64, i64) -> i64
  %q = vgiw.compute udiv %y, %p : (i64, i64) -> i64
  %d = vgiw.store %q to %p : i64
  vgiw.exit
}

vgiw.kernel @small.ranges graph launch ranges parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %d = vgiw.store %t to %p : i64
  vgiw.exit
}

vgiw.kernel @second graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %x = vgiw.compute udiv %t, %p : (i64, i64) -> i64
  %y = vgiw.compute udiv %x, %p : (i64, i64) -> i64
  %q = vgiw.compute udiv %y, %p : (i64, i64) -> i64
  %d = vgiw.store %q to %p : i64
  vgiw.exit
}
