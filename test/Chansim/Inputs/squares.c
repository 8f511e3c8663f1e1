#include <stdio.h>
static void squares(int *all, int n) {
  cilk_for (int i = 0; i < n; i++)
    all[i] *= all[i];
}
int main(void) {
  int all[64];
  for (int i = 0; i < 64; i++)
    all[i] = i;
  squares(all, 64);
  printf("%d %d\n", all[3], all[5]);
}
