#!/bin/bash
# tools_page.sh: docs/tools.md is what scripts/tools.sh makes of the stock tools.
# Requires: run from the repository's root.
set -u
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT
if scripts/tools.sh | diff docs/tools.md - >"$scratch" 2>&1; then
    passed tools_page
else
    failed tools_page "docs/tools.md is old: scripts/tools.sh >docs/tools.md" "$scratch"
fi
[ "$failures" = 0 ]
