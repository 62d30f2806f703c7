# lua: the Lua 5.4 interpreter, C; jump table per bytecode, garbage collector, longjmp for errors.
# Requires: tests/programs/build.sh, which sources this.
description="lua 5.4, an interpreter (C)"
source_package=lua5.4
source_version=5.4.4-3+deb12u1
levels="O2 O0 O3"
threads=no
workloads="errors strings large"
check_workloads=errors
varying="strings" # values: random numbers

build() {
    cd src # and a fixed seed for hashes: it is the time otherwise
    # shellcheck disable=SC2046
    $CC $CFLAGS -std=gnu99 -DLUA_COMPAT_5_3 -DLUA_USE_POSIX '-Dluai_makeseed(L)=12345' $(ls ./*.c | grep -v luac.c) $LINK -lm -o "$1"
}
prepare() {
    cat >errors.lua <<'END'
-- Errors, coroutines, metatables and a little arithmetic.
local function deep(n) if n == 0 then error({code = 42}) end return 1 + deep(n - 1) end
for i = 1, 300 do
    local ok, e = pcall(deep, i % 17)
    assert(not ok and e.code == 42)
end
print(pcall(string.rep))
print(select(2, xpcall(function() local x = nil; return x.y end, debug.traceback)))
local function permutations(list, n)
    n = n or #list
    if n <= 1 then coroutine.yield(list) else
        for i = 1, n do
            list[n], list[i] = list[i], list[n]
            permutations(list, n - 1)
            list[n], list[i] = list[i], list[n]
        end
    end
end
local count = 0
for p in coroutine.wrap(function() permutations({1, 2, 3, 4, 5}) end) do count = count + p[1] * p[5] end
print(count, 7 // 2, 7 % -3, 2^0.5, math.maxinteger + 1 == math.mininteger, 1 / 3)
local V = setmetatable({}, {__index = function(_, k) return k * k end, __call = function(_, a, b) return a .. b end})
print(V[12], V("a", "b"), #arg, os.getenv("HOME"))
error("the end")
END
    cat >strings.lua <<'END'
-- Word counts of a text by pattern matching, sorted, with formatted output.
local counts, order = {}, {}
for line in io.lines() do
    for word in line:gmatch("%a+") do
        word = word:lower()
        if not counts[word] then order[#order + 1] = word end
        counts[word] = (counts[word] or 0) + 1
    end
end
table.sort(order, function(a, b) return counts[a] > counts[b] or counts[a] == counts[b] and a < b end)
for i = 1, 40 do print(string.format("%-20s %5d %8.3f", order[i], counts[order[i]], counts[order[i]] / #order)) end
END
    cat >large.lua <<'END'
-- Queens, a sieve and string building.
local n, solutions = 8, 0
local function place(row, columns, left, right)
    if row > n then solutions = solutions + 1 return end
    for c = 1, n do
        if not (columns[c] or left[row + c] or right[row - c + n]) then
            columns[c], left[row + c], right[row - c + n] = true, true, true
            place(row + 1, columns, left, right)
            columns[c], left[row + c], right[row - c + n] = nil, nil, nil
        end
    end
end
place(1, {}, {}, {})
local sieve, primes = {}, 0
for i = 2, 50000 do
    if not sieve[i] then
        primes = primes + 1
        for j = i * i, 50000, i do sieve[j] = true end
    end
end
local parts = {}
for i = 1, 5000 do parts[#parts + 1] = tostring(i * 1.5) end
print(solutions, primes, #table.concat(parts, ","))
END
    head -c 20000 "$SOURCE/doc/manual.html" >manual
}
workload_errors() {
    arguments=(errors.lua one two)
}
workload_strings() {
    arguments=(strings.lua)
    standard_input=manual
}
workload_large() {
    arguments=(large.lua)
}
