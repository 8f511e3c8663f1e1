// A parallel loop steps over its limit, or its control variable is passed by a
// pointer through which it may be changed.
//
// RUN: cilk2chan -Wno-deprecated-non-prototype --emit=markers %s -o %t.ll 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: cilk2chan -Wno-deprecated-non-prototype -Wno-cilk-loop --emit=markers %s -o %t.ll 2>&1 | count 0

int printf(const char *, ...);
int scanf(const char *, ...);
void change(int *), look(const int *), both(const int *, int *), any(void *);
void old();

void limits(int n) {
  // CHECK: [[@LINE+1]]:29: warning: a 'cilk_for' from 0 in steps of 3 steps over its limit 10, which ends the program; compare by '<' or '>' [-Wcilk-loop]
  cilk_for (int i = 0; i != 10; i += 3)
    look(&n);
  // CHECK: [[@LINE+1]]:{{.*}} warning: a 'cilk_for' from 10 in steps of -4 steps over its limit 0,
  cilk_for (int i = 10; 0 != i; i -= 4)
    look(&n);
  // CHECK: [[@LINE+1]]:{{.*}} warning: a 'cilk_for' from 0 in steps of 2 steps over its limit -1,
  cilk_for (signed char i = 0; i != -1; i += 2)
    look(&n);
  int k;
  // CHECK: [[@LINE+1]]:{{.*}} warning: a 'cilk_for' from 5 in steps of -3 steps over its limit 0,
  cilk_for (k = 5; k != 0; k += -3)
    look(&n);
  // CHECK: [[@LINE+1]]:{{.*}} warning: a 'cilk_for' from 1 in steps of 2 steps over its limit 4294967294,
  cilk_for (unsigned u = 1; u != 4294967294; u = 2 + u)
    look(&n);
  // Right: they come to it, wrap to it, or it is not known.
  cilk_for (int i = 0; i != 12; i += 3)
    look(&n);
  cilk_for (unsigned u = 1; u != 0; u += 5)
    look(&n);
  cilk_for (unsigned char u = 250; u != 4; u += 2)
    look(&n);
  cilk_for (int i = 0; i < 10; i += 3)
    look(&n);
  cilk_for (int i = 7; i != 7; i += 3)
    look(&n);
  cilk_for (int i = 0; i != n; i += 3)
    look(&n);
  cilk_for (int i = 0; i != 10; i += n)
    look(&n);
  cilk_for (int i = n; i != 10; i += 3)
    look(&n);
}

void addresses(int n) {
  cilk_for (int i = 0; i < n; i++) {
    // CHECK: [[@LINE+1]]:12: warning: control variable 'i' of a 'cilk_for' is passed by a pointer through which it may be changed; pass the address of a copy [-Wcilk-loop]
    change(&i);
    // CHECK: [[@LINE+1]]:14: warning: control variable 'i'
    both(&i, &(i));
    // CHECK: [[@LINE+1]]:17: warning: control variable 'i'
    any((char *)&i);
    // CHECK: [[@LINE+1]]:9: warning: control variable 'i'
    old(&i);
    // CHECK: [[@LINE+1]]:17: warning: control variable 'i'
    scanf("%d", &i);
    // CHECK: [[@LINE+1]]:23: warning: control variable 'i'
    cilk_spawn change(&i);
    cilk_for (int k = 0; k < i; k++) {
      // CHECK: [[@LINE+1]]:14: warning: control variable 'i'
      change(&i);
      // CHECK: [[@LINE+1]]:14: warning: control variable 'k'
      change(&k);
    }
    int copy = i;
    change(&copy);
    look(&i);
    both(&i, &n);
    printf("%p\n", (void *)&i);
    n = sizeof(change(&i), 1);
  }
  for (int i = 0; i < n; i++)
    change(&i);
}
