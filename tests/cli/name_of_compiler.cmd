# any lines
# status 0
# leaves out
printf 'struct Shape { int sides(int n) const; };\nint Shape::sides(int n) const { return n; }\nint main() { Shape s; return s.sides(0); }\n' >p.cc; alpha-linux-gnu-g++ p.cc -o prog; printf 'int part(int n) __asm__("part.part.0");\nint part(int n) { return n; }\nint main(void) { return part(0); }\n' >q.c; alpha-linux-gnu-gcc q.c -o made
for name in sides part; do "$ATOMC" -e "counter n for p in procs where p.name == \"$name\" { before p n++ } report \"-\" \"n\" n" $([ $name = sides ] && echo prog || echo made) -o out; done
