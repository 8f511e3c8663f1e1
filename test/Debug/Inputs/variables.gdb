set width 0
break variables.c:29
break variables.c:33
break variables.c:37
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
