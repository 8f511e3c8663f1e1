/* What it holds is compiled by cilk2chan. */
