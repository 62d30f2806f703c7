# tcl: the Tcl interpreter, C; coroutines, a thread that waits for files, timers, sockets, a library written in itself.
# Requires: tests/programs/build.sh, which sources this.
description="tcl 8.6, an interpreter (C, a thread)"
source_package=tcl8.6
source_version=8.6.13+dfsg-2
levels="O2 dynamic"
check_levels=none
only_tools="empty prof cache audit third"
threads=yes
workloads="coroutines strings server tests"
timing=$workloads
# Whether a timer is due yet, where it belongs among the others, times divided, how far the notifier's thread is at the end, and the
# digits of a server's port.
left_out='^(AfterProc|Timer|TclCreateAbsoluteTimer|StartNotifierThread|(__)?(libc_)?close$|__divqu|AccumulateDecimalDigit|TclParseNumber|__ctype_b_loc)'
# Chains of a hash table and strings that are appended: addresses are compared, which are others there, and in each environment.
[ "${level:-}" != dynamic ] || left_out+='|HashEntry|HashTable|Append(Utf|Unicode)To(Utf|Unicode)Rep'

build() {
    cd unix
    CFLAGS=$CFLAGS tcl_cv_strtod_unbroken=ok tcl_cv_strtod_buggy=ok ./configure --host="$TRIPLE" --disable-shared \
        --enable-threads --disable-dll-unloading
    # Its library is in the folder where it runs.
    make libtcl8.6.a tclAppInit.o TCL_LIBRARY=library
    # shellcheck disable=SC2086 # several words
    $CC $CFLAGS tclAppInit.o libtcl8.6.a $LINK -lm -lpthread -ldl -o "$1"
}
prepare() {
    mkdir -p library/tcl8
    cp "$SOURCE"/library/*.tcl "$SOURCE"/library/tclIndex library
    cp -r "$SOURCE"/library/tcltest library
    cat >coroutines.tcl <<'END'
proc permutations {list n} {
    if {$n <= 1} { yield $list } else {
        for {set i 0} {$i < $n} {incr i} {
            set a [lindex $list $i]; lset list $i [lindex $list $n-1]; lset list $n-1 $a
            permutations $list [expr {$n - 1}]
            set a [lindex $list $i]; lset list $i [lindex $list $n-1]; lset list $n-1 $a
        }
    }
}
coroutine next apply {{} { yield; permutations {1 2 3 4} 4; return -code break }}
set count 0
while {![catch {lindex [next] 0} first] && $first ne {}} { incr count $first }
puts $count
oo::class create Stack { variable s; constructor {} {set s {}}; method push x {lappend s $x}
    method pop {} {set x [lindex $s end]; set s [lrange $s 0 end-1]; return $x} }
set s [Stack new]; for {set i 0} {$i < 100} {incr i} {$s push [expr {$i ** 20 % 9973}]}
puts [$s pop][$s pop]; $s destroy
set ticks 0
proc tick {} { if {[incr ::ticks] < 20} {after 1 tick} else {set ::done 1} }
tick; vwait done; puts "ticks $ticks"
puts [catch {error deep {} {A B}} message options]$message[dict get $options -errorcode]
exit 3
END
    cat >strings.tcl <<'END'
set text [read [open library/tm.tcl]]
foreach word [regexp -all -inline {\w+} $text] { dict incr counts [string tolower $word] }
foreach {word count} [lrange [lsort -stride 2 -index 1 -integer -decreasing [lsort -stride 2 $counts]] 0 59] {
    puts [format "%-20s %5d %s" $word $count [string reverse [encoding convertto utf-8 $word\u00e9]]]
}
puts [expr {sqrt(2) * 1e300 * 10}] ; puts [binary encode hex [zlib crc32 $text]]
END
    cat >server.tcl <<'END'
# A server and its clients on loopback, with timers.
proc serve {channel address port} { fconfigure $channel -buffering line -blocking 0; fileevent $channel readable [list answer $channel] }
proc answer channel {
    if {[gets $channel line] >= 0} { puts $channel [string toupper $line] } elseif {[eof $channel]} { close $channel }
}
set server [socket -server serve -myaddr 127.0.0.1 0]
set port [lindex [fconfigure $server -sockname] 2]
proc client {number} {
    set channel [socket 127.0.0.1 $::port]; fconfigure $channel -buffering line -blocking 0
    for {set i 0} {$i < 10} {incr i} {
        puts $channel "client $number line $i"
        fileevent $channel readable [info coroutine]; yield
        lappend ::lines [gets $channel]
        after 2 [info coroutine]; fileevent $channel readable {}; yield
    }
    close $channel
    if {[incr ::ended] == 4} { set ::done 1 }
}
for {set n 0} {$n < 4} {incr n} { coroutine client$n client $n }
vwait done
puts [join [lsort $lines] \n]
END
    cat >tests.tcl <<'END'
lappend auto_path library/tcltest
package require tcltest 2
namespace import tcltest::*
set argv {}
foreach file {coroutine.test expr-old.test} { source $file }
END
    cp "$SOURCE"/tests/coroutine.test "$SOURCE"/tests/expr-old.test .
}
workload_coroutines() { arguments=(coroutines.tcl); }
workload_strings() { arguments=(strings.tcl); }
workload_server() { arguments=(server.tcl); }
workload_tests() { arguments=(tests.tcl); }
