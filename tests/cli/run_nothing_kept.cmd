# any lines
# status 0
cp "$PROGRAM/prog" prog
echo >file
ATOMC_CACHE_LIMIT=much ATOMC_CACHE=$PWD/file/cache "$ATOMC" run -t empty -- ./prog one
