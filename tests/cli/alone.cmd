# status 1
# any lines
# says ^hint: .*atomc works beside its own files only
cp $ATOMC atomc
./atomc -t prof $PROGRAM/prog
