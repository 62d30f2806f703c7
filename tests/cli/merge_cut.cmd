# any lines
# leaves prof.1.rows iprof.1.rows
cp "$PROGRAM/prog" prog && for tool in prof iprof; do ATOMC_CACHE= ATOMC_FORMAT=rows "$ATOMC" run -q -t $tool -- ./prog one >run.log; done && rm run.log
sed -i '$d' prof.1.rows
"$ATOMC" merge prof.1.rows
