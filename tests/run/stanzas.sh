# stanzas: the runner of stanzas reports each thing that is other than expected, and passes what is as expected.
# size: quick
. "$tests/lib/stanzas.sh"
variable="of the case"
stanzas "$tests/stanzas/good.txt"

# Each of these fails, for the reason that its name says.
(case=wrong && stanzas "$tests/stanzas/wrong.txt") >reported
sed -n 's/^not ok //p' reported >found
same reasons "$tests/stanzas/wrong.expected" found
check shows "grep -q '^    | one' reported && ! grep '^ok' reported" reported
