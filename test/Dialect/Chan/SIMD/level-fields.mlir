//===- level-fields.mlir - Fields that elements of a level share ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt '--chan-simd=lanes=16 vector-bits=128' --split-input-file %s | FileCheck %s
// RUN: cilk2chan-opt '--chan-simd=lanes=16 vector-bits=512' --split-input-file %s | FileCheck --check-prefix=EITHER %s

// Both children get the same table and the next row, but columns of their own.
// So lanes go together that have the first one's table and row, until none is
// left.
// CHECK-LABEL: chan.kernel @rows
// CHECK: %[[E:.*]], %[[M:.*]] = chan.deq
// CHECK: %[[TABLES:.*]] = chan.get "table" of %[[E]]
// CHECK: %[[ROWS:.*]] = chan.get "row" of %[[E]]
// CHECK: %[[TABLE0:.*]] = llvm.extractelement %[[TABLES]]
// CHECK: %[[ROW0:.*]] = llvm.extractelement %[[ROWS]]
// CHECK: llvm.br ^[[GROUP:bb[0-9]+]](%[[M]], %[[TABLE0]], %[[ROW0]]
// CHECK: ^[[GROUP]](%[[LEFT:.*]]: vector<16xi1>, %[[TABLE:.*]]: !llvm.ptr, %[[ROW:.*]]: i32):
// CHECK: %[[SAME1:.*]] = llvm.icmp "eq" %[[TABLES]], %{{.*}} : vector<16x!llvm.ptr>
// CHECK: %[[M1:.*]] = llvm.and %[[LEFT]], %[[SAME1]]
// CHECK: %[[SAME2:.*]] = llvm.icmp "eq" %[[ROWS]], %{{.*}} : vector<16xi32>
// CHECK: %[[NOW:.*]] = llvm.and %[[M1]], %[[SAME2]]
// CHECK: %[[COLUMNS:.*]] = chan.get "column" of %[[E]]
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[TABLE]][%[[ROW]]]
// CHECK: llvm.load %[[AT]] {{.*}}: !llvm.ptr -> i32
// CHECK: chan.talloc + 1 : <@s> mask %[[NOW]]
// CHECK: chan.talloc + 1 : <@s> mask %[[NOW]]
// CHECK: %[[OTHERS:.*]] = llvm.xor %[[NOW]]
// CHECK: %[[REST:.*]] = llvm.and %[[LEFT]], %[[OTHERS]]
// CHECK: llvm.cond_br %{{.*}}, ^[[NEXT:bb[0-9]+]], ^[[END:bb[0-9]+]]
// CHECK: ^[[NEXT]]:
// CHECK: %[[FIRST:.*]] = "llvm.intr.cttz"
// CHECK: %[[TABLE1:.*]] = llvm.extractelement %[[TABLES]][%[[FIRST]]
// CHECK: %[[ROW1:.*]] = llvm.extractelement %[[ROWS]][%[[FIRST]]
// CHECK: llvm.br ^[[GROUP]](%[[REST]], %[[TABLE1]], %[[ROW1]]
// CHECK: ^[[END]]:
// CHECK-NEXT: chan.tfree %[[E]]
// CHECK-NEXT: chan.done

// If it pays even for lanes that do not share them, these go together as well.
// EITHER-LABEL: chan.kernel @rows
// EITHER: %[[E:.*]], %[[M:.*]] = chan.deq
// EITHER: %[[TABLES:.*]] = chan.get "table" of %[[E]]
// EITHER: %[[ROWS:.*]] = chan.get "row" of %[[E]]
// EITHER: %[[TABLE:.*]] = llvm.extractelement %[[TABLES]]
// EITHER: %[[ROW:.*]] = llvm.extractelement %[[ROWS]]
// EITHER: llvm.icmp "eq" %[[ROWS]]
// EITHER: %[[SAME:.*]] = llvm.and
// EITHER: %[[OTHERS:.*]] = llvm.xor %[[SAME]]
// EITHER: %[[DIFFER:.*]] = llvm.and %[[M]], %[[OTHERS]]
// EITHER: llvm.bitcast %[[DIFFER]]
// EITHER: llvm.cond_br %{{.*}}, ^[[APART:bb[0-9]+]], ^[[TOGETHER:bb[0-9]+]]
// EITHER: ^[[TOGETHER]]:
// EITHER: llvm.getelementptr %[[TABLE]][%[[ROW]]]
// EITHER: chan.talloc + 1 : <@s> mask %[[M]]
// EITHER: chan.tfree %[[E]]
// EITHER: chan.done
// EITHER: ^[[APART]]:
// EITHER: %[[TABLES2:.*]] = chan.get "table" of %[[E]]
// EITHER: llvm.intr.masked.gather
// EITHER: chan.talloc + 1 : <@s> mask %[[M]]
// EITHER: chan.tfree %[[E]]
// EITHER: chan.done
chan.stack entry @s(table: !llvm.ptr, row: i32, column: i32)
chan.kernel @rows consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  %table = chan.get "table" of %e : <@s> -> !llvm.ptr
  %row = chan.get "row" of %e : <@s> -> i32
  %column = chan.get "column" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  %one = llvm.mlir.constant(1 : i32) : i32
  %at = llvm.getelementptr %table[%row] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.br ^loop(%column : i32)
^loop(%i: i32):
  %x = llvm.load %at : !llvm.ptr -> i32
  %y = llvm.sub %i, %x : i32
  %more = llvm.icmp "sgt" %y, %one : i32
  llvm.cond_br %more, ^loop(%y : i32), ^end
^end:
  %a = chan.talloc + 1 : <@s>
  %next = llvm.add %row, %one : i32
  chan.set "table" of %a to %table : <@s>, !llvm.ptr
  chan.set "row" of %a to %next : <@s>, i32
  chan.set "column" of %a to %y : <@s>, i32
  chan.enq %a : <@s>
  %b = chan.talloc + 1 : <@s>
  %too = llvm.add %row, %one : i32
  chan.set "table" of %b to %table : <@s>, !llvm.ptr
  chan.set "row" of %b to %too : <@s>, i32
  chan.set "column" of %b to %column : <@s>, i32
  chan.enq %b : <@s>
  chan.done
}

// -----

// Children of which the second is further down do not share the row, nor what
// depends on it.
// CHECK-LABEL: chan.kernel @apart
// CHECK: %[[TABLES:.*]] = chan.get "table"
// CHECK: llvm.extractelement %[[TABLES]]
// CHECK: %[[ROWS:.*]] = chan.get "row"
// CHECK-NOT: llvm.extractelement %[[ROWS]]
// CHECK: chan.done
chan.stack entry @s(table: !llvm.ptr, row: i32, last: i32)
chan.kernel @apart consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  %table = chan.get "table" of %e : <@s> -> !llvm.ptr
  %row = chan.get "row" of %e : <@s> -> i32
  %last = chan.get "last" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %w = llvm.load %table : !llvm.ptr -> i32
  %table1 = llvm.getelementptr %table[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %w1 = llvm.load %table1 : !llvm.ptr -> i32
  %at = llvm.getelementptr %table[%last] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %x = llvm.load %at : !llvm.ptr -> i32
  llvm.store %x, %at : i32, !llvm.ptr
  %a = chan.talloc + 1 : <@s>
  %next = llvm.add %row, %one : i32
  chan.set "table" of %a to %table : <@s>, !llvm.ptr
  chan.set "row" of %a to %next : <@s>, i32
  chan.set "last" of %a to %row : <@s>, i32
  chan.enq %a : <@s>
  %b = chan.talloc + 1 : <@s>
  %further = llvm.add %row, %two : i32
  chan.set "table" of %b to %table : <@s>, !llvm.ptr
  chan.set "row" of %b to %further : <@s>, i32
  chan.set "last" of %b to %row : <@s>, i32
  chan.enq %b : <@s>
  chan.done
}

// -----

// Nothing is known of what another kernel below passes on.
// CHECK-LABEL: chan.kernel @first
// CHECK-NOT: llvm.extractelement
// CHECK: llvm.intr.masked.gather
// CHECK-LABEL: chan.kernel @second
chan.stack entry @s(table: !llvm.ptr)
chan.stack entry @t(n: i32)
llvm.func @find(i32) -> !llvm.ptr
chan.kernel @first consumes @s produces [@s + 1, @t + 1] frame 0 {
  %e = chan.deq : <@s>
  %table = chan.get "table" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %x = llvm.load %table : !llvm.ptr -> i32
  %a = chan.talloc + 1 : <@s>
  chan.set "table" of %a to %table : <@s>, !llvm.ptr
  chan.enq %a : <@s>
  %b = chan.talloc + 1 : <@t>
  chan.set "n" of %b to %x : <@t>, i32
  chan.enq %b : <@t>
  chan.done
}
chan.kernel @second consumes @t produces [@s + 1] frame 0 {
  %e = chan.deq : <@t>
  %n = chan.get "n" of %e : <@t> -> i32
  chan.tfree %e : <@t>
  %table = llvm.call @find(%n) : (i32) -> !llvm.ptr
  %a = chan.talloc + 1 : <@s>
  chan.set "table" of %a to %table : <@s>, !llvm.ptr
  chan.enq %a : <@s>
  chan.done
}
