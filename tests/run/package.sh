# package: packages of tools are made, added, found and removed; hostile archives write nothing; C inside of atomc needs trust.
alpha program "$tests/data/looks.c" -g
export XDG_DATA_HOME=$PWD/data
unset ATOMC_PACKAGES
mkdir -p source/more
cat >source/entries.atd <<'END2'
tool entries "entries of work"
param int least = 0 "nothing counts less"
counter entered
for p in procs where p.name == "work" { before p entered++ }
report "entries.out" "entered" entered
END2
echo '# about' >source/README.md
echo 'more' >source/more/data.txt
cat >source/package.json <<'END2'
{"name": "sample", "version": "1.0", "description": "an example", "licence": "MIT", "tools": ["entries.atd"],
 "presets": [{"tool": "entries", "name": "many", "parameters": {"least": 10}}]}
END2
package() { timeout -s KILL 1500 "$ATOMC" package "$@"; }
package make source -o sample.tar.zst
package make source -o again.tar.zst
check make "cmp sample.tar.zst again.tar.zst &&
    [ \"\$(zstd -dc sample.tar.zst | tar tf - | sort |
    tr '\n' ' ')\" = 'sample/README.md sample/entries.atd sample/more/data.txt sample/package.json ' ]"
package add sample.tar.zst >log
check add "grep -q 'sample 1.0' log && diff -r source data/atomc/packages/sample &&
    [ \"\$(ls -A data/atomc/packages)\" = sample ]" log
package list >log
check list "grep -q 'sample *1.0 *an example' log && grep -q sample/entries log &&
    [ \$(package list --json | jq -r '.packages[0].name') = sample ]" log
check use "'$ATOMC' run -t sample/entries -D least=1 -o found -- ./program exit 0 && grep -q 100 found"
check describe "[ \"\$('$ATOMC' --help -t sample/entries --json |
    jq -c '.tools[0] | [.package, .presets[0].name, .presets[0].parameters.least]')\" = '[\"sample\",\"many\",10]' ]"
echo "{\"program\":{\"path\":\"program\"},\"tools\":[{\"name\":\"sample/entries\"}],\"arguments\":[\"exit\",\"0\"]}" >job.json
check job "'$ATOMC' run --job=job.json --into=result && [ \"\$(jq -r '.tools[0].package' result/run.json)\" = sample ]"
check none "! '$ATOMC' -t nothing/entries program 2>log && grep -q \"no package is called 'nothing'\" log &&
    ! '$ATOMC' -t sample/nothing program 2>log && grep -q 'has no tool' log" log
check outside "! '$ATOMC' -t ../source/entries program 2>log && ! '$ATOMC' -t sample/../../entries program 2>log"
# Packages of ATOMC_PACKAGES are first.
mkdir -p own && cp -r source own/sample && sed -i 's/1\.0/2.0/' own/sample/package.json
check first "[ \"\$(ATOMC_PACKAGES=$PWD/none:$PWD/own package list --json | jq -c '[.packages[].version]')\" = '[\"2.0\"]' ]"
mkdir 'a:b\c' && cp -r source 'a:b\c/sample' && sed -i 's/1\.0/3.0/' 'a:b\c/sample/package.json'
check first/escaped "[ \"\$(ATOMC_PACKAGES=\"\$PWD/none:\$PWD/a\\\\:b\\\\\\\\c:\$PWD/own\" package list --json |
    jq -c '[.packages[].version]')\" = '[\"3.0\"]' ]"
check replaced "package make own/sample -o new.tar.zst && package add new.tar.zst &&
    grep -q 2.0 data/atomc/packages/sample/package.json && [ \"\$(ls -A data/atomc/packages)\" = sample ]"

# ---- archives that are refused --------------------------------------------------------------------------------------------

(cd data && find . | sort) >before
refuses() { # TEST TEXT: wrong.tar
    text=$2
    zstd -qf wrong.tar -o wrong.tar.zst
    check "refused/$1" "! package add wrong.tar.zst 2>log && grep -q -F -e \"\$text\" log && (cd data &&
        find . | sort) | diff before - && [ ! -e \"$scratch/escaped\" ]" log
}
cp -r source work && cd work
pack() { tar -P -cf ../wrong.tar "$@"; }
touch "$scratch/escape"
pack --transform "s|$scratch/escape|$scratch/escaped|" package.json entries.atd "$scratch/escape" &&
    (cd .. && refuses absolute 'a name that no file')
pack --transform 's|README.md|../../escaped|' . && (cd .. && refuses upward 'a name that no file')
pack --transform 's|README.md|more/../../../escaped|' . && (cd .. && refuses inner 'a name that no file')
ln -s /etc/passwd link && pack . && (cd .. && refuses link 'a link, a device') && rm link
ln README.md link && pack . && (cd .. && refuses hard-link 'a link, a device') && rm link
mkfifo pipe && pack . && (cd .. && refuses fifo 'a link, a device') && rm pipe
pack package.json entries.atd README.md README.md --hard-dereference && (cd .. && refuses twice 'two files of one name')
truncate -s 105M large && pack . && (cd .. && refuses large 'more than 100 MB') && rm large
mkdir many && (cd many && seq 10001 | xargs touch) && pack . && (cd .. && refuses many 'more than 10,000 files') && rm -r many
cd ..
for damage in 100 600 -1024 -2000; do
    tar -C source -cf wrong.tar . && truncate -s $( [ $damage -lt 0 ] &&
        echo $(($(stat -c %s wrong.tar) + damage - 8192)) || echo $damage ) wrong.tar
    zstd -qf wrong.tar -o wrong.tar.zst
    check "refused/cut$damage" "! package add wrong.tar.zst 2>log && grep -q 'not a package' log && (cd data &&
        find . | sort) | diff before -" log
done
head -c 100 sample.tar.zst >wrong.tar.zst
check refused/cut "! package add wrong.tar.zst 2>log && grep -q 'not a package' log" log
check refused/other "! package add program 2>log && grep -q 'no archive of zstd' log" log
packed() {
    tar -C work -cf wrong.tar . && zstd -qf wrong.tar -o wrong.tar.zst && package add wrong.tar.zst
}
unchanged() {
    (cd data && find . | sort) | diff before -
}
rm -rf work && cp -r source work
. "$tests/lib/stanzas.sh"
stanzas "$tests/stanzas/package.txt"
rm work/package.json && tar -C work -cf wrong.tar . && refuses nothing 'there is no package.json'

cp -r source work && chmod 6755 work/README.md && tar -C work -cf wrong.tar . &&
    refuses set-user-id 'a set-user-id file' && rm -r work

# ---- folders, digests, versions -------------------------------------------------------------------------------------------

digest=$(package list --json | jq -r '.packages[0].digest')
package make data/atomc/packages/sample -o sample.tar.zst
check digest/other "! package add sample.tar.zst --digest=0$digest 2>log && grep -q 'its digest is $digest' log" log
check digest/it "package add sample.tar.zst --digest=$digest"
check folder "package add source --into=$PWD/other && diff -r source other/sample && package remove sample --from=$PWD/other &&
    [ -z \"\$(ls -A other)\" ]"
check folder/link "cp -r source linked && ln -s /etc/passwd linked/link && ! package add linked --into=$PWD/other 2>log &&
    [ -z \"\$(ls -A other)\" ] && grep -q 'not a package' log" log
check --list "'$ATOMC' --list | grep -q '^sample/entries *entries of work'"
mkdir later && cp -r source later/sample && sed -i 's/"licence"/"requires": "7", "licence"/' later/sample/package.json
check requires/use "! ATOMC_PACKAGES=$PWD/later '$ATOMC' -t sample/entries program 2>log &&
    grep -q 'requires atomc 7 or later' log" log
check requires/list "ATOMC_PACKAGES=$PWD/later package list --json | jq -r '.packages[0].error' | grep -q 'requires atomc 7' &&
    ! ATOMC_PACKAGES=$PWD/later package list 2>log && grep -q 'requires atomc 7' log" log

# ---- trust ----------------------------------------------------------------------------------------------------------------

cp -r source trusted && cd trusted
printf 'int Twice(int n) { return 2 * n; }\n' >twice.inst.c
sed -i 's/p.name == "work"/p.name == "work" and Twice(1) == 2/; 1a use int Twice(int) from "twice.inst.c"' entries.atd
sed -i 's/"sample"/"inner"/' package.json
cd .. && package make trusted -o inner.tar.zst
package add inner.tar.zst >log
check trust/said "grep -q 'atomc package trust inner' log &&
    [ \$(package list --json | jq '.packages[] | select(.name == \"inner\") | .trusted') = false ]" log
check trust/refused "! '$ATOMC' -t inner/entries program -o wrong 2>log && grep -q 'is not trusted' log && [ ! -e wrong ]" log
package trust inner
check trust/used "'$ATOMC' -t inner/entries program -o good 2>log" log
echo >>data/atomc/packages/inner/twice.inst.c
check trust/changed "! '$ATOMC' -t inner/entries program -o wrong 2>log && grep -q 'is not trusted' log" log

package remove sample
check remove "[ \"\$(ls -A data/atomc/packages)\" = inner ] && ! package remove sample 2>log &&
    grep -q \"no package is called 'sample'\" log"
check usage "! package 2>log && ! package add 2>log && package --help | grep -q ATOMC_PACKAGES"
