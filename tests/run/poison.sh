# poison: programs behave, and counts are right, with every register that liveness calls dead overwritten at each site.
. "$tests/lib/program.sh"
for each in $(pick bzip2 "bzip2 lua sqlite3 zpaq"); do
    try_program "$each" O2 --poison branch branch_c prof cache audit
done
