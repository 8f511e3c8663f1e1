set width 0
break loops.c:24
break loops.c:28
break loops.c:32
run
bt 2
print i
print twice
print scale
print *shared@2
delete 1
continue
bt 2
print j
print i
delete 2
continue
print *p
print scale
