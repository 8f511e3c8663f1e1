#include <stdio.h>
static void squares(int *all, int n) {
  cilk_for (int i = 0; i < n; i++)
    all[i] *= all[i];
}
#ifdef LIBRARY
void square(int *all, int n) { squares(all, n); }
#else
#ifdef USER
void square(int *all, int n);
#endif
int main(void) {
  int all[64];
  for (int i = 0; i < 64; i++)
    all[i] = i;
  squares(all, 64);
  printf("%d %d\n", all[3], all[5]);
#ifdef USER
  square(all, 64);
  printf("%d\n", all[3]);
#endif
}
#endif
