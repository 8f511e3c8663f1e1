//===- not-combined.mlir - Results that are kept --------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-combine-results %s | FileCheck %s
// All of them are as this one, but for one thing.
// RUN: sed -e 's/@end(/@plain(/; s/slt" %j, %less/slt" %j, %n/' %s | cilk2chan-opt --cilk-combine-results | FileCheck --check-prefix=PLAIN %s
// PLAIN: apply @plain.combine

// CHECK: llvm.func @child
// CHECK-NOT: combine
llvm.func @child(i32) -> i32
llvm.func @keep(!llvm.ptr)

// Not all of them are added up.
llvm.func @end(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %bytes = llvm.mul %long, %four : i64
  %results = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  "llvm.intr.memset"(%results, %nothing, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^spawn, ^after
^spawn:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  %less = llvm.sub %n, %one : i32
  llvm.br ^last(%zero, %one : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %less : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %element : !llvm.ptr -> i32
  %new = llvm.add %sum, %value overflow<nsw> : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}

// A difference depends on the order.
llvm.func @difference(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %bytes = llvm.mul %long, %four : i64
  %results = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  "llvm.intr.memset"(%results, %nothing, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^spawn, ^after
^spawn:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %one : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %element : !llvm.ptr -> i32
  %new = llvm.sub %value, %sum : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}

// Each result counts for more than one.
llvm.func @twice(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %bytes = llvm.mul %long, %four : i64
  %results = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  "llvm.intr.memset"(%results, %nothing, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^spawn, ^after
^spawn:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %one : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %element : !llvm.ptr -> i32
  %new = llvm.add %sum, %value overflow<nsw> : i32
  %square = llvm.mul %value, %value : i32
  llvm.store %square, %given : i32, !llvm.ptr
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}

// Somebody else looks at them.
llvm.func @known(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %bytes = llvm.mul %long, %four : i64
  %results = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  "llvm.intr.memset"(%results, %nothing, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^spawn, ^after
^spawn:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  llvm.call @keep(%results) : (!llvm.ptr) -> ()
  llvm.br ^last(%zero, %one : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %element : !llvm.ptr -> i32
  %new = llvm.add %sum, %value overflow<nsw> : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}

// The loop has another outcome as well.
llvm.func @count(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %bytes = llvm.mul %long, %four : i64
  %results = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  "llvm.intr.memset"(%results, %nothing, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^spawn, ^after
^spawn:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %one : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %element : !llvm.ptr -> i32
  %new = llvm.add %sum, %value overflow<nsw> : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.store %j, %given : i32, !llvm.ptr
  llvm.return %all : i32
}

// They begin with something.
llvm.func @ones(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %bytes = llvm.mul %long, %four : i64
  %results = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  %ones = llvm.mlir.constant(1 : i8) : i8
  "llvm.intr.memset"(%results, %ones, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^spawn, ^after
^spawn:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %one : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %element : !llvm.ptr -> i32
  %new = llvm.add %sum, %value overflow<nsw> : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}

// Two spawns may write to one element.
llvm.func @two(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %bytes = llvm.mul %long, %four : i64
  %results = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  "llvm.intr.memset"(%results, %nothing, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^spawn, ^after
^spawn:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %one : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %element : !llvm.ptr -> i32
  %new = llvm.add %sum, %value overflow<nsw> : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}

// Cleared once more when there are results.
llvm.func @late(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %bytes = llvm.mul %long, %four : i64
  %results = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^spawn, ^after
^spawn:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  llvm.store %zero, %place : i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %one : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %element : !llvm.ptr -> i32
  %new = llvm.add %sum, %value overflow<nsw> : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}

// An element without a child is zero, and is changed like all others.
llvm.func @changed(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %bytes = llvm.mul %long, %four : i64
  %results = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  "llvm.intr.memset"(%results, %nothing, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^choose, ^after
^choose:
  %odd = llvm.trunc %i : i32 to i1
  llvm.cond_br %odd, ^spawn, ^next
^spawn:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  llvm.br ^next
^next:
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %one : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %loaded = llvm.load %element : !llvm.ptr -> i32
  %value = llvm.add %loaded, %one : i32
  %new = llvm.add %sum, %value overflow<nsw> : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}

// The loop may end before all have a child.
llvm.func @left(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %bytes = llvm.mul %long, %four : i64
  %results = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  "llvm.intr.memset"(%results, %nothing, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^spawn, ^after
^spawn:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  %odd = llvm.trunc %i : i32 to i1
  llvm.cond_br %odd, ^first(%next : i32), ^after
^after:
  cilk.sync
  llvm.br ^last(%zero, %one : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %loaded = llvm.load %element : !llvm.ptr -> i32
  %value = llvm.add %loaded, %one : i32
  %new = llvm.add %sum, %value overflow<nsw> : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}

// One is cleared when it has a result.
llvm.func @cleared(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %long = llvm.sext %n : i32 to i64
  %results = llvm.alloca %long x i32 : (i64) -> !llvm.ptr
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^choose, ^after
^choose:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %odd = llvm.trunc %i : i32 to i1
  llvm.cond_br %odd, ^spawn, ^clear
^spawn:
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  llvm.br ^clear
^clear:
  llvm.store %zero, %place : i32, !llvm.ptr
  llvm.br ^next
^next:
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %zero : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %element : !llvm.ptr -> i32
  %new = llvm.add %sum, %value : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}
