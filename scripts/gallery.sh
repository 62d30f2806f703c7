#!/bin/sh
# gallery.sh NAME: prints README.md of that package of the gallery, made from docs/cookbook.md: the sections that show
# its pages, without the pages. A test compares. After a change: for name in packages/gallery/*/; do scripts/gallery.sh
# $(basename $name) >${name}README.md; done
set -eu
here=$(cd "$(dirname "$0")" && pwd)
description=$(sed -n 's/^ *"description": "\(.*\)",$/\1/p' "$here/../packages/gallery/$1/package.json")
printf '# %s\n\n%s.\n' "$1" "$description"
awk -v mark="\$ cat gallery/$1/" '
    function flush() { if (wanted) printf "\n%s", text; text = ""; wanted = 0 }
    /^##/ { flush() }
    /^### / { text = substr($0, 2) "\n"; in_section = 1; skipping = 0; next }
    /^## / { in_section = 0; next }
    !in_section { next }
    index($0, mark) == 1 { wanted = 1; skipping = 1; next }
    skipping && /^(\$ |```)/ { skipping = 0 }
    !skipping { text = text $0 "\n" }
    END { flush() }' "$here/../docs/cookbook.md" | cat -s | sed -E -e 's/\[([^]]*)\]\([^)]*\)/\1/g' -e '${/^$/d' -e '}'
