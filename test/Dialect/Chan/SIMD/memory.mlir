//===- memory.mlir - Accesses, and what each lane has on the stack --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd="lanes=4" %s | FileCheck %s

llvm.mlir.global external @table() : !llvm.array<8 x i32>
chan.stack entry @s(n: i64, p: !llvm.ptr, ret: !llvm.ptr) batch [@accesses.batch.0]

// CHECK-LABEL: chan.kernel @accesses.batch.0
// CHECK: %[[E:.*]], %[[M:.*]] = chan.deq
// Every lane has an object of its own, 4 bytes further than the last one's.
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(16 : i64)
// CHECK: %[[OWN:.*]] = llvm.alloca %[[BYTES]] x i8 {alignment = 16 : i64}
// CHECK: %[[BYTES2:.*]] = llvm.mlir.constant(32 : i64)
// CHECK: %[[PAIR:.*]] = llvm.alloca %[[BYTES2]] x i8
// CHECK: %[[N:.*]] = chan.get "n"
// CHECK: %[[TABLE:.*]] = llvm.mlir.addressof @table
// One address for all: one access.
// CHECK: %[[FIRST:.*]] = llvm.load %[[TABLE]] {{.*}}: !llvm.ptr -> i32
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[TABLE]][%[[N]]] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, i32
// CHECK: llvm.intr.masked.gather %[[AT]], %[[M]] {alignment = 4 : i32}
// The lanes' objects exist, whether the lanes do or not; they keep their values.
// CHECK: %[[OLD:.*]] = llvm.load %[[OWN]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xi32>
// CHECK: %[[NEW:.*]] = llvm.select %[[M]], %{{.*}}, %[[OLD]]
// CHECK: llvm.store %[[NEW]], %[[OWN]] {alignment = 4 : i64} : vector<4xi32>
// CHECK: llvm.load %[[OWN]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xi32>
// One that is known elsewhere is whole: its parts are not side by side.
// CHECK: llvm.getelementptr %[[PAIR]][4]
// CHECK: llvm.mlir.constant(dense<[0, 8, 16, 24]>
// CHECK: llvm.intr.masked.scatter %{{.*}}, %{{.*}}, %[[M]] {alignment = 2 : i32}
chan.kernel @accesses consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @accesses.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %one = llvm.mlir.constant(1 : i64) : i64
  %two = llvm.mlir.constant(2 : i64) : i64
  %pair = llvm.alloca %two x i32 : (i64) -> !llvm.ptr
  %own = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  %n = chan.get "n" of %e : <@s> -> i64
  %to = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %table = llvm.mlir.addressof @table : !llvm.ptr
  %first = llvm.load %table {alignment = 16 : i64} : !llvm.ptr -> i32
  %at = llvm.getelementptr %table[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %some = llvm.load %at : !llvm.ptr -> i32
  llvm.store %some, %own : i32, !llvm.ptr
  %again = llvm.load %own : !llvm.ptr -> i32
  %second = llvm.getelementptr %pair[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %again, %second {alignment = 2 : i64} : i32, !llvm.ptr
  llvm.store %pair, %to : !llvm.ptr, !llvm.ptr
  %sum = llvm.add %first, %again : i32
  chan.result %sum : i32
  chan.done
}

// Parts that all lanes access at one index are side by side, those at indices of
// their own 4 bytes from the other lanes'.
chan.stack entry @t(n: i64, ret: !llvm.ptr) batch [@interleaved.batch.0]
// CHECK-LABEL: chan.kernel @interleaved.batch.0
// CHECK: %[[E:.*]], %[[M:.*]] = chan.deq
// CHECK: llvm.mlir.constant(144 : i64)
// CHECK: %[[A:.*]] = llvm.alloca %{{.*}} x i8 {alignment = 16 : i64}
// CHECK: %[[N:.*]] = chan.get "n"
// CHECK: %[[AT1:.*]] = llvm.getelementptr %[[A]][0, %{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<9 x array<4 x i32>>
// CHECK: llvm.load %[[AT1]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xi32>
// CHECK: llvm.store %{{.*}}, %[[AT1]] {alignment = 4 : i64} : vector<4xi32>
// CHECK: %[[AT2:.*]] = llvm.getelementptr %[[A]][8] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK: llvm.load %[[AT2]] {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: %[[LANES:.*]] = llvm.mlir.constant(dense<[0, 4, 8, 12]>
// CHECK: %[[OWN:.*]] = llvm.getelementptr %[[A]][%[[LANES]]]
// CHECK: %[[AT3:.*]] = llvm.getelementptr %[[OWN]][%[[N]]] : {{.*}}, !llvm.array<4 x i32>
// CHECK: llvm.intr.masked.gather %[[AT3]], %[[M]] {alignment = 4 : i32}
chan.kernel @interleaved consumes @t frame 0 {
  %e = chan.deq : <@t>
  chan.tfree %e : <@t>
  chan.done
}
chan.kernel @interleaved.batch.0 consumes @t frame 0 phase 0 {
  %e = chan.deq : <@t>
  %one = llvm.mlir.constant(1 : i64) : i64
  %array = llvm.alloca %one x !llvm.array<9 x i32> : (i64) -> !llvm.ptr
  %n = chan.get "n" of %e : <@t> -> i64
  chan.tfree %e : <@t>
  %x = llvm.trunc %n : i64 to i32
  %at1 = llvm.getelementptr %array[0, %one] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<9 x i32>
  llvm.store %x, %at1 : i32, !llvm.ptr
  %at2 = llvm.getelementptr %array[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %y = llvm.load %at2 {alignment = 16 : i64} : !llvm.ptr -> f32
  %at3 = llvm.getelementptr %array[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %z = llvm.load %at3 {alignment = 16 : i64} : !llvm.ptr -> i32
  %w = llvm.bitcast %y : f32 to i32
  %both = llvm.xor %w, %z : i32
  chan.result %both : i32
  chan.done
}

// Accesses of two sizes, between parts, and of others: not so.
chan.stack entry @u(n: i64, ret: !llvm.ptr) batch [@whole.batch.0]
// CHECK-LABEL: chan.kernel @whole.batch.0
// CHECK-NOT: array<4 x
// CHECK: chan.done
llvm.func @take(!llvm.ptr) attributes {passthrough = ["chan.quick"]}
chan.kernel @whole consumes @u frame 0 {
  %e = chan.deq : <@u>
  chan.tfree %e : <@u>
  chan.done
}
chan.kernel @whole.batch.0 consumes @u frame 0 phase 0 {
  %e = chan.deq : <@u>
  %one = llvm.mlir.constant(1 : i64) : i64
  %sizes = llvm.alloca %one x !llvm.array<5 x i64> : (i64) -> !llvm.ptr
  %between = llvm.alloca %one x !llvm.array<5 x i32> : (i64) -> !llvm.ptr
  %bytes = llvm.alloca %one x !llvm.array<5 x i32> : (i64) -> !llvm.ptr
  %taken = llvm.alloca %one x !llvm.array<5 x i32> : (i64) -> !llvm.ptr
  %n = chan.get "n" of %e : <@u> -> i64
  chan.tfree %e : <@u>
  %x = llvm.trunc %n : i64 to i32
  %at1 = llvm.getelementptr %sizes[0, %one] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<5 x i64>
  llvm.store %n, %at1 : i64, !llvm.ptr
  llvm.store %x, %sizes : i32, !llvm.ptr
  %at2 = llvm.getelementptr %between[2] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %x, %at2 {alignment = 2 : i64} : i32, !llvm.ptr
  %at3 = llvm.getelementptr %bytes[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %x, %at3 {alignment = 1 : i64} : i32, !llvm.ptr
  %at4 = llvm.getelementptr %taken[1] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.store %x, %at4 : i32, !llvm.ptr
  llvm.call @take(%taken) : (!llvm.ptr) -> ()
  chan.done
}

// Relaxed loads: one where all have one address, else each lane's by itself.
chan.stack entry @v(n: i64, ret: !llvm.ptr) batch [@relaxed.batch.0]
// CHECK-LABEL: chan.kernel @relaxed.batch.0
// CHECK: %[[N:.*]] = chan.get "n"
// CHECK: %[[ALL:.*]] = llvm.load %{{.*}} atomic monotonic {{.*}}: !llvm.ptr -> i32
// CHECK: llvm.intr.cttz
// CHECK: llvm.load %{{.*}} atomic monotonic {{.*}}: !llvm.ptr -> i32
chan.kernel @relaxed consumes @v frame 0 {
  %e = chan.deq : <@v>
  chan.tfree %e : <@v>
  chan.done
}
chan.kernel @relaxed.batch.0 consumes @v frame 0 phase 0 {
  %e = chan.deq : <@v>
  %n = chan.get "n" of %e : <@v> -> i64
  chan.tfree %e : <@v>
  %table = llvm.mlir.addressof @table : !llvm.ptr
  %all = llvm.load %table atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  %at = llvm.getelementptr %table[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %own = llvm.load %at atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  %sum = llvm.add %all, %own : i32
  chan.result %sum : i32
  chan.done
}
