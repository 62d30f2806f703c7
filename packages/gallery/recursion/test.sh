# The same tree, made by awk: how deep its deepest word is.
awk '{ at = ""; deep = 1
        while ((at in word) && word[at] != $0) { at = at ($0 < word[at] ? "l" : "r"); deep++ }
        word[at] = $0
        if (deep > deepest) deepest = deep } END { print deepest }' text >expected
tail -n 1 depth.out >found
same recursion/depth expected found
