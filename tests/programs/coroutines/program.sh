# coroutines: Lua, each of whose coroutines has a C stack of its own, by libcoro: contexts, or signals on another stack and longjmp.
# Requires: tests/programs/build.sh, which sources this.
description="Lua with coroutines on C stacks (C, contexts)"
source_package=lua5.4
source_version=5.4.4-3+deb12u1
more_packages=libcoro-perl
levels="O2 dynamic"
check_levels=none
only_tools="empty prof cache audit third"
threads=no
workloads="contexts jumps"

build() {
    local way
    # shellcheck disable=SC2046,SC2086 # several words
    $CC $CFLAGS -std=gnu99 -Isrc '-Dluai_makeseed(L)=12345' -c $(ls src/*.c | grep -v -e luac.c -e lua.c)
    for way in UCONTEXT SJLJ; do
        # shellcheck disable=SC2086
        $CC $CFLAGS -Isrc -Ilibcoro-perl/Coro/libcoro -DCORO_$way -DWAY=$way -U_FORTIFY_SOURCE "$HOME_OF_PROGRAM/coroutines.c" -c -o $way.main
        "$TRIPLE-objcopy" --keep-global-symbol=run_$way $way.main
    done
    # shellcheck disable=SC2086
    $CC $CFLAGS -Isrc "$HOME_OF_PROGRAM/main.c" ./*.main ./*.o $LINK -lm -o "$1"
}
prepare() {
    cat >program.lua <<'END'
-- The functions between are C, so that Lua's own coroutines could not yield across them.
local function permutations(list, n)
    if n <= 1 then give(list[1] * 10 + list[#list]) return end
    for i = 1, n do
        list[n], list[i] = list[i], list[n]
        through(permutations, list, n - 1)
        list[n], list[i] = list[i], list[n]
    end
end
local sum, all = 0, {}
for k = 1, 6 do all[k] = start(function() permutations({1, 2, 3, 4, k}, 5) end) end
for round = 1, 120 do
    for k = 1, #all do sum = (sum * 31 + (take(all[k]) or 7)) % 1000003 end
end
print(sum)
for k = 1, #all do print(take(all[k])) end
-- Errors in a coroutine, a sort whose comparison gives, and one that is never ended.
local c = start(function() give(1) local ok, message = pcall(error, "inner") give(message) error("outer") end)
print(take(c), take(c), pcall(take, c))
local list = {} for i = 1, 60 do list[i] = i * 37 % 61 end
c = start(function() table.sort(list, function(a, b) give(a) return a < b end) end)
local taken = 0 while take(c) do taken = taken + 1 end
print(taken, list[1], list[60])
c = start(function() while true do give(string.rep("x", 3)) end end)
print(take(c), take(c), collectgarbage("count") > 0)
END
}
