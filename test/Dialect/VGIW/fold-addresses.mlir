// What load/store units add to an address needs no node of its own.
// RUN: rm -rf %t && mkdir %t
// RUN: sed 's/"address_modes": "offset"/"address_modes": "plain"/' %machine > %t/plain.json
// RUN: sed 's/"address_modes": "offset"/"address_modes": "scaled"/' %machine > %t/scaled.json
// RUN: cilk2chan-opt --vgiw-fold-addresses=machine=%machine %s | FileCheck %s --check-prefixes=CHECK,OFFSET
// RUN: cilk2chan-opt --vgiw-fold-addresses=machine=%t/scaled.json %s | FileCheck %s --check-prefixes=CHECK,SCALED
// RUN: cilk2chan-opt --vgiw-fold-addresses=machine=%t/plain.json %s -o %t/plain.mlir
// RUN: cilk2chan-opt %s -o %t/same.mlir && cmp %t/plain.mlir %t/same.mlir

// The configuration has the address; a machine that has less refuses it.
// RUN: cilk2chan-opt --map-to-vgiw=machine=%t/scaled.json %s -o %t/placed.mlir
// RUN: cilk2chan-translate --vgiw-to-configuration --machine=%t/scaled.json %t/placed.mlir | FileCheck %s --check-prefix=CONFIG
// RUN: for k in constants arrays bytes tokens; do sed -n "/kernel @$k /,/^  }/p" %t/placed.mlir > %t/$k.mlir; done
// RUN: cilk2chan-opt --vgiw-check-placement=machine=%machine %t/constants.mlir -o /dev/null
// RUN: not cilk2chan-opt --vgiw-check-placement=machine=%t/plain.json %t/constants.mlir -o /dev/null
// RUN: not cilk2chan-opt --vgiw-check-placement=machine=%machine %t/arrays.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=MACHINE
// RUN: not cilk2chan-opt --vgiw-check-placement=machine=%machine %t/bytes.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=MACHINE
// RUN: not cilk2chan-opt --vgiw-check-placement=machine=%machine %t/tokens.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=MACHINE
// CONFIG-DAG: "in":[{"param":0},"{{[NESW]+}}"],{{[^{}]*}}"address":{"index":"sext.i32","scale":4}
// CONFIG-DAG: "address":{"offset":12}
// MACHINE: error: needs the address modes 'scaled', which the machine 'micro15-vgiw' does not have (fabric.address_modes)
// RUN: not cilk2chan-opt --vgiw-fold-addresses=machine=%machine %t/placed.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: error: is in stage 'placed', not in 'graph'

// Constants, one after the other; a parameter or a symbol.
// CHECK-LABEL: vgiw.kernel @constants
// CHECK-DAG: %[[T:.*]] = vgiw.initiate
// CHECK-DAG: %[[S:.*]] = vgiw.symbol "table" + 16
// CHECK-NOT: compute
// CHECK: vgiw.load %[[T]] + 12 -> f32
// CHECK: vgiw.store %{{.*}} to %[[S]][%[[T]] : i64 * 1]
// CHECK: vgiw.atomic add %{{.*}} to %[[T]] + -8
vgiw.kernel @constants graph parameters [] {
  %t = vgiw.initiate
  %eight = vgiw.constant 8 : i64
  %four = vgiw.constant 4 : i64
  %less = vgiw.constant -8 : i64
  %s = vgiw.symbol "table" + 16
  %a = vgiw.compute add %t, %eight : (i64, i64) -> i64
  %b = vgiw.compute add %four, %a : (i64, i64) -> i64
  %v = vgiw.load %b -> f32
  %c = vgiw.compute add %t, %s : (i64, i64) -> i64
  %w = vgiw.store %v to %c : f32
  %d = vgiw.compute add %t, %less : (i64, i64) -> i64
  %x = vgiw.atomic add %t to %d after %w : !vgiw.token : i64
  vgiw.exit
}

// What others need too stays; so does what two accesses need of which one stores it.
// CHECK-LABEL: vgiw.kernel @needed
// CHECK: %[[A:.*]] = vgiw.compute add
// CHECK: vgiw.load %[[A]] -> f32
// CHECK: vgiw.store %[[A]] to %[[A]] after
// CHECK: vgiw.cas %{{.*}}, %{{.*}} at %[[B:.*]] :
vgiw.kernel @needed graph parameters [] {
  %t = vgiw.initiate
  %eight = vgiw.constant 8 : i64
  %four = vgiw.constant 4 : i64
  %a = vgiw.compute add %t, %eight : (i64, i64) -> i64
  %v = vgiw.load %a -> f32
  %s = vgiw.store %a to %a after %v : f32 : i64
  %b = vgiw.compute add %t, %four : (i64, i64) -> i64
  %c = vgiw.cas %t, %t at %b : i64
  vgiw.exit
}

// Elements of two arrays at one index: one product, or none.
// CHECK-LABEL: vgiw.kernel @arrays
// CHECK-DAG: %[[T:.*]] = vgiw.initiate
// CHECK-DAG: %[[P:.*]] = vgiw.parameter 0
// CHECK-DAG: %[[Q:.*]] = vgiw.parameter 1
// OFFSET: %[[M:.*]] = vgiw.compute shl %[[T]], %
// CHECK-NOT: compute
// OFFSET: vgiw.load %[[P]][%[[M]] : i64 * 1] -> f32
// OFFSET: vgiw.store %{{.*}} to %[[Q]][%[[M]] : i64 * 1] after
// SCALED: vgiw.load %[[P]][%[[T]] : i64 * 4] -> f32
// SCALED: vgiw.store %{{.*}} to %[[Q]][%[[T]] : i64 * 4] after
vgiw.kernel @arrays graph parameters [#vgiw.binding<argument>, #vgiw.binding<argument, 1>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %q = vgiw.parameter 1 : i64
  %four = vgiw.constant 4 : i64
  %a = vgiw.compute mad %t, %four, %p : (i64, i64, i64) -> i64
  %v = vgiw.load %a -> f32
  %b = vgiw.compute mad %t, %four, %q : (i64, i64, i64) -> i64
  %s = vgiw.store %v to %b after %v : f32 : f32
  vgiw.exit
}

// Fields of one object: the first address serves the second. 12 is no scale.
// CHECK-LABEL: vgiw.kernel @fields
// CHECK: %[[A:.*]] = vgiw.compute mad
// CHECK-NOT: compute
// CHECK: vgiw.load %[[A]] -> f32
// CHECK: vgiw.load %[[A]] + 4 -> f32
vgiw.kernel @fields graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 + 8 : i64
  %q = vgiw.parameter 0 + 12 : i64
  %size = vgiw.constant 12 : i64
  %a = vgiw.compute mad %t, %size, %p : (i64, i64, i64) -> i64
  %v = vgiw.load %a -> f32
  %b = vgiw.compute mad %t, %size, %q : (i64, i64, i64) -> i64
  %w = vgiw.load %b -> f32
  vgiw.exit
}

// An address that a call needs is kept, and serves one before it.
// CHECK-LABEL: vgiw.kernel @served
// CHECK: %[[A:.*]] = vgiw.compute mad
// CHECK-NOT: compute
// CHECK: vgiw.load %[[A]] + 8 -> f32
// CHECK: vgiw.syscall "thunk"(%[[A]])
vgiw.kernel @served graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %size = vgiw.constant 24 : i64
  %p = vgiw.parameter 0 + 8 : i64
  %a = vgiw.compute mad %t, %size, %p : (i64, i64, i64) -> i64
  %v = vgiw.load %a -> f32
  %q = vgiw.parameter 0 : i64
  %b = vgiw.compute mad %t, %size, %q : (i64, i64, i64) -> i64
  %d = vgiw.syscall "thunk"(%b) after %v : f32
  vgiw.exit
}

// An index of 32 bits, its extension and its constant.
// CHECK-LABEL: vgiw.kernel @narrow
// OFFSET: vgiw.compute sext
// OFFSET: vgiw.load %{{.*}} -> f32
// SCALED: %[[I:.*]] = vgiw.compute trunc
// SCALED-NOT: compute
// SCALED: vgiw.load %[[P:.*]][%[[I]] : i32 * 4] -> f32
// SCALED: vgiw.load %[[P]][%[[I]] : i32 zext * 16] + 24 -> f32
vgiw.kernel @narrow graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %one = vgiw.constant 1 : i64
  %three = vgiw.constant 3 : i64
  %eight = vgiw.constant 8 : i64
  %four = vgiw.constant 4 : i64
  %i = vgiw.compute trunc %t : (i64) -> i32
  %s = vgiw.compute sext %i : (i32) -> i64
  %a = vgiw.compute mad %s, %four, %p : (i64, i64, i64) -> i64
  %v = vgiw.load %a -> f32
  %z = vgiw.compute zext %i : (i32) -> i64
  %y = vgiw.compute shl %z, %one : (i64, i64) -> i64
  %x = vgiw.compute add %y, %three : (i64, i64) -> i64
  %b = vgiw.compute mad %x, %eight, %p : (i64, i64, i64) -> i64
  %w = vgiw.load %b -> f32
  vgiw.exit
}

// Bytes at an index of 32 bits.
// CHECK-LABEL: vgiw.kernel @bytes
// OFFSET: %[[S:.*]] = vgiw.compute sext
// OFFSET: vgiw.load %{{.*}}[%[[S]] : i64 * 1] -> i8
// SCALED: %[[I:.*]] = vgiw.compute trunc
// SCALED: vgiw.load %{{.*}}[%[[I]] : i32 * 1] -> i8
vgiw.kernel @bytes graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %i = vgiw.compute trunc %t : (i64) -> i32
  %s = vgiw.compute sext %i : (i32) -> i64
  %a = vgiw.compute add %p, %s : (i64, i64) -> i64
  %v = vgiw.load %a -> i8
  vgiw.exit
}

// Two tokens: a load has room for them, and a store too; not a store that waits for another access as well.
// CHECK-LABEL: vgiw.kernel @tokens
// CHECK: %[[P:.*]] = vgiw.load
// OFFSET-COUNT-2: vgiw.compute mad
// SCALED: vgiw.load %[[P]][%[[T:.*]] : i64 * 8] after
// SCALED: vgiw.store %[[T]] to %[[P]][%[[T]] : i64 * 4] : i64
// CHECK: %[[A:.*]] = vgiw.compute mad
// CHECK-NEXT: vgiw.store %{{.*}} to %[[A]] after
vgiw.kernel @tokens graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.load %t -> i64
  %two = vgiw.constant 2 : i64
  %eight = vgiw.constant 8 : i64
  %four = vgiw.constant 4 : i64
  %a = vgiw.compute mad %t, %eight, %p : (i64, i64, i64) -> i64
  %v = vgiw.load %a after %p : i64 -> f32
  %b = vgiw.compute mad %t, %four, %p : (i64, i64, i64) -> i64
  %s = vgiw.store %t to %b : i64
  %c = vgiw.compute mad %t, %two, %p : (i64, i64, i64) -> i64
  %d = vgiw.store %t to %c after %s : !vgiw.token : i64
  vgiw.exit
}

// A sum of two tokens that three accesses need, or that another block needs, is cheaper than the tokens.
// CHECK-LABEL: vgiw.kernel @shared
// CHECK: %[[A:.*]] = vgiw.compute add
// CHECK: vgiw.load %[[A]] -> f32
// CHECK: vgiw.load %[[A]] + 4 -> f32
// CHECK: vgiw.load %[[A]] + 8 -> f32
// CHECK: %[[B:.*]] = vgiw.compute mad
// CHECK: ^bb1:
// CHECK: vgiw.load %[[B]] -> f32
vgiw.kernel @shared graph parameters [] {
  %t = vgiw.initiate
  %p = vgiw.load %t -> i64
  %four = vgiw.constant 4 : i64
  %eight = vgiw.constant 8 : i64
  %a = vgiw.compute add %t, %p : (i64, i64) -> i64
  %b = vgiw.compute add %a, %four : (i64, i64) -> i64
  %c = vgiw.compute add %a, %eight : (i64, i64) -> i64
  %u = vgiw.load %a -> f32
  %v = vgiw.load %b -> f32
  %w = vgiw.load %c -> f32
  %d = vgiw.compute mad %t, %four, %p : (i64, i64, i64) -> i64
  vgiw.branch ^next
^next:
  %x = vgiw.load %d -> f32
  vgiw.exit
}
