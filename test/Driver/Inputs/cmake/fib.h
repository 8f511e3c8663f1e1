int inside(int n);
int outside(int n);
