# stanzas: the runner of stanzas reports each difference from the expectation, and accepts equal output.
# size: quick
. "$tests/lib/stanzas.sh"
variable="of the case"
stanzas "$tests/stanzas/good.txt"

# Each of these fails, for the reason in its name.
(case=wrong && stanzas "$tests/stanzas/wrong.txt") >reported
sed -n 's/^not ok //p' reported >found
same reasons "$tests/stanzas/wrong.expected" found
check shows "grep -q '^    | one' reported && ! grep '^ok' reported" reported
