# With C the package that is missing is named, once for all files of all tools.
cat >two.atd <<'END'
tool two "two C files"
analysis "one.c"
analysis "two.c"
before program  call One()
before program  call Two()
END
echo 'void One(void) {}' >one.c
echo 'void Two(void) {}' >two.c
PATH=/nonexistent "$ATOMC" two.atd -t cache -t third "$PROGRAM/prog" -o prog.atom
