# status 2
# any lines
# says ^hint: atomc works beside its own files only
cp $ATOMC atomc
./atomc merge a b
