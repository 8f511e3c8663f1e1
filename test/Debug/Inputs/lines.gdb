set width 0
break variables.c:29
break variables.c:37
run
bt
delete 1
continue
bt
