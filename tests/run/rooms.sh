# rooms: the folders of engine/ are floors, in the order of engine/rooms: a folder uses only folders above it in that
# file, never one below. Functions are found in the objects, headers by their #include lines.
rooms=$top/engine/rooms

# Prints each reference of one object to another that runs up; engine/*.o itself is the highest floor.
upward_references() { # ROOMS
    nm -A "$BUILD"/engine/*.o "$BUILD"/engine/*/*.o "$BUILD"/engine/machine/*/*.o | awk -v rooms="$1" '
        BEGIN { while ((getline room <rooms) > 0) floor[room] = ++floors; floor["engine"] = ++floors }
        { split($1, path, ":"); n = split(path[1], part, "/"); room = part[n - (part[n - 2] == "machine" ? 2 : 1)] }
        NF == 3 && $2 ~ /[TDBRV]/ { home[$3] = room; file[$3] = part[n] }
        NF == 2 || $(NF - 1) == "U" { used[++uses] = $NF; user[uses] = room; by[uses] = part[n] }
        END {
            for (i = 1; i <= uses; i++)
                if (used[i] in home && floor[home[used[i]]] > floor[user[i]])
                    print user[i] "/" by[i] " -> " home[used[i]] "/" file[used[i]] ": " used[i]
        }'
}

# Prints each #include line that refers to a lower room, or that names an internal header of another room.
upward_includes() { # ROOMS
    (cd "$top" && grep -H '^#include "engine/machine/' -r engine | grep -vE '^[^:]*:#include "engine/machine/machine\.h"' |
        grep -vE '^engine/machine/([a-z0-9]*)/[^:]*:#include "engine/machine/\1/') || true # the rooms include machine.h only
    (cd "$top" && grep -H '^#include "engine/' engine/*/*.[ch]) | awk -F '[/:"]' -v rooms="$1" '
        BEGIN { while ((getline room <rooms) > 0) floor[room] = ++floors }
        { from = $2; to = $6 }
        NF == 7 && $6 !~ /^(program|rewrite)\.h$/ { print }   # engine/ itself: these two only
        NF > 7 && (floor[to] > floor[from] || (to != from && $7 == "internal.h")) { print }'
}

# Prints each source that no header of its room has a line ---- NAME ---- for.
unnamed_sources() {
    (cd "$top" && for source in engine/*/*.c engine/machine/*/*.c; do
        grep -qsE -- "---- ${source##*/}( |:)" "$(cut -d/ -f1,2 <<<"$source")"/*.h || echo "$source"
    done)
}

# Prints each #include of the engine by other folders that is not of its own header.
trespasses() {
    (cd "$top" && grep -H '^#include "engine/' driver/*.[ch] atom/*.[ch] | grep -v '"engine/engine.h"') || true
}

# Prints the functions that C files define: NAME FILE. A definition begins in column 0, and its line or one of the next ends
# with the brace of the body.
functions() { # FILE...
    awk '
        FNR == 1 { head = "" }
        head == "" && (!/^[a-zA-Z_]/ || /^(typedef|struct|enum|union) [a-z_]* *\{/) { next }
        { head = head " " $0 }
        /[;{]$/ || /; *\/\*.*\*\/$/ {
            gsub(/__attribute__\(\([^()]*(\([^()]*\))?\)\)/, "", head)
            name = substr(head, 1, index(head, "(") - 1)
            is_body = /\{$/ && name !~ /=/
            sub(/.*[^A-Za-z0-9_]/, "", name)
            if (is_body && name != "") print name, FILENAME
            head = ""
        }' "$@"
}
# Prints each name that functions of two files have, with the files. It reads sources, since a static function that gcc has
# inlined everywhere is in no object. Each program has a main, and the folders of two machines have the same functions.
shared_names() { # FILE...
    functions "$@" | sort | awk '
        function machine(path) { return path ~ /\/alpha\// ? "alpha" : path ~ /\/aarch64\// ? "aarch64" : "" }
        $1 == "main" { next }
        $1 == name && $2 != file &&
            (machine($2) == machine(file) || !machine($2) || !machine(file)) { print; if (!twice++) print name, file }
        $1 != name { twice = 0 }
        { name = $1; file = $2 }'
}

# ---- names ----

for folder in atom codegen compiler driver editors engine packages plan runs runtime support workbench; do
    # shellcheck disable=SC2046
    (cd "$top" && shared_names $(find $folder -name '*.[ch]')) >shared
    check names/$folder "! cat shared | grep ."
done
# It must find two functions of a name: the first has an attribute, the second has its parameters on a separate line.
printf 'static __attribute__((cold)) int twice(int a) {\n}\nint once(void);\n' >a.c
printf 'int once(int b) {\n}\nstatic struct table *twice(int a,\n                           int b) {\n}\n' >b.c
shared_names a.c b.c >shared
printf 'twice b.c\ntwice a.c\n' >expected
same finds/names expected shared
mkdir -p x/alpha x/aarch64
printf 'int of_machine(void) {\n}\n' | tee x/alpha/a.c x/aarch64/a.c >x/aarch64/b.c
shared_names x/alpha/a.c x/aarch64/a.c >shared
check names/machines "! cat shared | grep ."
shared_names x/alpha/a.c x/aarch64/a.c x/aarch64/b.c >shared
check finds/names/machine "grep -q of_machine shared"

# ---- engine/ ----

(cd "$top/engine" && printf '%s\n' */) | tr -d / | sort >folders
sort "$rooms" >listed
check listed "diff folders listed"
for what in upward_references upward_includes unnamed_sources trespasses; do
    $what "$rooms" >$what
    check $what "! cat $what | grep ."
done
# In another order of rooms there must be such references.
sort -r "$rooms" >wrong
for what in upward_references upward_includes; do
    check finds/$what "[ \$($what wrong | wc -l) -gt 50 ]"
done

# ---- runtime/: a line of its rooms is a folder, or one object of a folder ----

# Prints each reference of one object to another that refers to a lower room, and each object that is in no room. The
# kernel and the program enter all rooms by entry.S. process/start.c has its addresses, and passes them to the others.
runtime_references() { # ROOMS
    machine_references "$1" "$BUILD/runtime"
    [ ! -d "$BUILD/runtime-aarch64" ] ||
        machine_references <(sed 's,machine/alpha,machine/aarch64,' "$1") "$BUILD/runtime-aarch64"
}
machine_references() { # ROOMS FOLDER
    (cd "$2" && find . -mindepth 2 -name '*.o' -print0 | xargs -0 nm -A) | awk -v rooms="$1" '
        BEGIN { while ((getline room <rooms) > 0) floor[room] = ++floors }
        function floor_of(object) {
            if (!(object in floor)) {
                floor[object] = object ~ /\// ? floor_of(substr(object, 1, match(object, /\/[^\/]*$/) - 1)) : 0 }
            return floor[object]
        }
        { split($1, path, ":"); object = path[1]; sub(/^\.\//, "", object); sub(/\.o$/, "", object) }
        floor_of(object) == 0 { print object " is in no room"; next }
        NF == 3 && $2 ~ /[TDBRVWC]/ { home[$3] = object }
        NF == 2 || $(NF - 1) == "U" { used[++uses] = $NF; by[uses] = object }
        END {
            for (i = 1; i <= uses; i++)
                if (used[i] in home && (home[used[i]] !~ /\/entry$/ || by[i] != "process/start") &&
                    floor_of(home[used[i]]) > floor_of(by[i]))
                    print by[i] " -> " home[used[i]] ": " used[i]
        }'
}

# Prints each #include of a room by a room below it; headers of machine/ are of the ground.
runtime_includes() { # ROOMS
    (cd "$top" && grep -rH '^#include "runtime/' runtime --include='*.[chS]') | awk -F '[/:"]' -v rooms="$1" '
        BEGIN { while ((getline room <rooms) > 0) if (room !~ /\//) floor[room] = ++floors }
        { from = $2; to = $0; sub(/.*"runtime\//, "", to); sub(/\/.*/, "", to) }
        floor[from] && floor[to] > floor[from] { print }'
}

# Prints each source that no header of its room has a banner for.
runtime_unnamed() {
    (cd "$top/runtime" && for source in */*.c */*/*.[cS]; do
        room=${source%%/*}
        grep -qsE -- "---- ${source##*/}( |:)" "$room"/*.h || echo "$source"
    done)
}

# Prints each circle of more than MOST files: each of them uses all others, directly or indirectly. A change of one may
# break any.
circles() { # MOST, reads nm -A
    awk -v most="$1" '
        { split($1, path, ":"); file = path[1]; sub(/^\.\//, "", file); sub(/\.o$/, "", file); files[file] }
        NF == 3 && $2 ~ /[TDBRVWC]/ { home[$3] = file }
        NF == 2 || $(NF - 1) == "U" { used[++uses] = $NF; by[uses] = file }
        function walk(from, at,    i) { # all that `from` uses, directly or indirectly
            for (i = 1; i <= count[at]; i++)
                if (!((from, next_of[at, i]) in reached)) {
                    reached[from, next_of[at, i]]
                    walk(from, next_of[at, i])
                }
        }
        END {
            for (i = 1; i <= uses; i++)
                if (used[i] in home && home[used[i]] != by[i] && !((by[i], home[used[i]]) in arrow)) {
                    arrow[by[i], home[used[i]]]
                    next_of[by[i], ++count[by[i]]] = home[used[i]]
                }
            for (file in files)
                walk(file, file)
            for (file in files) {
                if (file in told)
                    continue
                circle = ""
                size = 0
                for (other in files)
                    if ((file, other) in reached && (other, file) in reached) {
                        circle = circle " " other
                        size++
                        told[other]
                    }
                if (size > most)
                    print "a circle of " size " files:" circle
            }
        }'
}
runtime_circles() { # MOST
    local folder
    for folder in "$BUILD/runtime" "$BUILD/runtime-aarch64"; do
        [ ! -d "$folder" ] || (cd "$folder" && find . -mindepth 2 -name '*.o' -print0 | xargs -0 nm -A) | circles "$1"
    done
}
runtime_circles 4 >runtime_circles
check runtime_circles "! cat runtime_circles | grep ."
printf '%s\n' 'a.o:T a' 'b.o:T b' 'c.o:T c' 'd.o:T d' 'a.o:U b' 'b.o:U c' 'c.o:U a' 'c.o:U d' | sed 's/:T/:0 T/; s/:U/: U/' >round
check finds/circles "circles 2 <round | grep -q '^a circle of 3 files:' && ! circles 2 <round | grep -qw d &&
    ! circles 3 <round | grep ."

rooms=$top/runtime/rooms
for what in runtime_references runtime_includes runtime_unnamed; do
    $what "$rooms" >$what
    check $what "! cat $what | grep ."
done
sort -r "$rooms" >wrong
for what in runtime_references runtime_includes; do
    check finds/$what "[ \$($what wrong | wc -l) -gt 20 ]"
done

# Each room's page, and the runtime's, names the room's sources, and no file that does not exist.
misnamed() {
    local page side room name folder
    for page in docs/internals/engine/*.md docs/internals/runtime/*.md; do
        room=$(basename "$page" .md) side=$(basename "$(dirname "$page")")
        for name in "$side/$room"/*.c "$side/$room"/{alpha,aarch64}/*.[cS]; do
            [ ! -e "$name" ] || grep -qw -F -- "${name##*/}" "$page" || echo "$page does not name $name"
        done
        grep -oE '[[:alnum:]_/*]+\.(c|S|def|sh|atd)\b' "$page" | sort -u | while read -r name; do
            for folder in . engine engine/"$room" engine/machine/alpha runtime runtime/* runtime/machine/alpha \
                plan stdtools tests tests/run; do
                compgen -G "$folder/$name" >/dev/null && continue 2
            done
            echo "$page names $name"
        done
    done
}
(cd "$top" && misnamed) >misnamed
check pages "! cat misnamed | grep ."
