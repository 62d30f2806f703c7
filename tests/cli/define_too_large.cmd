# any lines
echo 'tool cache "hits and misses"
param int lines = 512 "cache lines" check lines > 0 and lines & (lines - 1) == 0 "not a power of two"
param string out = "cache.out" "the report"
param boolean warm = false
counter total
before program total++
report out "Lines" lines' >t.atd
"$ATOMC" --check t.atd -D lines=99999999999999999999
