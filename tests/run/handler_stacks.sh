# handler_stacks: a handler on a stack of its own begins as far below its top as without atomc, whatever the kernel's frames.
alpha plain "$tests/data/handler_stacks.c"
ending expected plain
for tool in empty cache; do
    instrument instrumented -t $tool plain && ending found instrumented && same $tool expected found
done
