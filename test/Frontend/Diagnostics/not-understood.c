// Clang's errors in what spawns are the only ones.  Parts of such expressions
// have no type.
//
// RUN: not cilk2chan -fsyntax-only %s 2>&1 | FileCheck --implicit-check-not=error: %s

void in_block(short x) {
  // CHECK: [[@LINE+1]]:26: error: expected expression
  cilk_spawn { (long)(x)(; }
}

void in_loop(short x) {
  cilk_for (int i = 0; i < 4; i++) {
      // CHECK: [[@LINE+1]]:15: error: expected expression
    (long)(x)(;
  }
}

void in_scope(short x) {
  // CHECK: [[@LINE+1]]:26: error: expected expression
  cilk_scope { (long)(x)(; }
}

void in_call(short x) {
  // CHECK: [[@LINE+1]]:32: error: expected expression
  cilk_spawn in_loop((long)(x)(;
}
