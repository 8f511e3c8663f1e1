set width 0
break variables.c:27
break variables.c:31
break variables.c:35
run
bt
info locals
print given
print squares
delete 1
continue
info locals
print given
delete 2
continue
bt 1
info locals
