# duktape: a JavaScript interpreter, C; setjmp for errors, coroutines, a garbage collector, regular expressions.
# Requires: tests/programs/build.sh, which sources this.
description="duktape, a JavaScript interpreter (C)"
source_package=duktape
source_version=2.7.0-2
levels="O2 dynamic"
check_levels=none
only_tools="empty prof cache audit third"
threads=no
workloads="coroutines strings"

build() {
    sed -i 's/res->rnd_state\[1\] ^= tmp_u64;//' src/duktape.c # or it sorts by the address of its heap
    # shellcheck disable=SC2086 # several words
    $CC $CFLAGS -Isrc -Iexamples/cmdline -Iextras/print-alert -DDUK_CMDLINE_PRINTALERT_SUPPORT src/duktape.c \
        examples/cmdline/duk_cmdline.c extras/print-alert/duk_print_alert.c $LINK -lm $REPEATABLE -o "$1"
}
prepare() {
    cat >coroutines.js <<'END'
// Coroutines, errors through them, getters, closures, a sort with a comparison.
function permutations(list, n) {
    if (n <= 1) { Duktape.Thread.yield(list.slice()); return; }
    for (var i = 0; i < n; i++) {
        var a = list[i]; list[i] = list[n - 1]; list[n - 1] = a;
        permutations(list, n - 1);
        a = list[i]; list[i] = list[n - 1]; list[n - 1] = a;
    }
}
var thread = new Duktape.Thread(function () { permutations([1, 2, 3, 4], 4); throw new Error('the end'); });
var count = 0;
try { while (true) { count += Duktape.Thread.resume(thread)[0]; } } catch (e) { print(count, e.message); }
for (var i = 0, caught = 0; i < 200; i++) {
    try { (function deep(n) { if (n == 0) throw { code: 42 }; return 1 + deep(n - 1); })(i % 17); } catch (e) { caught += e.code; }
}
print(caught);
var list = []; for (i = 0; i < 300; i++) list.push((i * 7919) % 307);
list.sort(function (a, b) { return b - a; });
print(list.slice(0, 20).join());
print(JSON.stringify({ a: [1, 2, { b: null }], get c() { return 0.1 + 0.2; } }));
print(Duktape.enc('hex', Duktape.dec('base64', 'Zm9vYmFy')));
null.field;
END
    cat >strings.js <<'END'
var text = ''; for (var i = 0; i < 300; i++) text += 'word' + (i * 31 % 47) + (i % 5 ? ' ' : '\n');
var counts = {}; text.replace(/\w+/g, function (word) { counts[word] = (counts[word] || 0) + 1; });
Object.keys(counts).sort().forEach(function (word) { print(word + ' ' + counts[word] + ' ' + (counts[word] / 7).toFixed(5)); });
print(text.split(/(\d+)\s/).length, parseFloat('1e-320'), (123.456).toString(7), new Date(1e12).toISOString());
END
}
workload_coroutines() { arguments=(coroutines.js); }
workload_strings() { arguments=(strings.js); }
