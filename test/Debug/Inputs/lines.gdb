set width 0
break variables.c:27
break variables.c:35
run
bt
delete 1
continue
bt
