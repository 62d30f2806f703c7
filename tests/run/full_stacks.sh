# full_stacks: in programs that may have threads, too, a full stack is the program's fault, at the same depth as without
# atomc, and with results: for the first thread or another one, if it ends the program, and if a handler returns.
for level in $(pick "-O2" "-O0 -O2"); do
    mkdir -p 0 1 # programs have names of the same length, because names are on the stack
    alpha plain "$tests/data/full_stacks.c" -g $level -pthread
    shared dynamic "$tests/data/full_stacks.c" -g $level -pthread
    for tool in $(pick "prof third hiprof" "empty prof third hiprof cache values gprof audit memsys malloc"); do
        # In make check, prof has all kinds of programs; each other tool has one kind, and two ways for each kind.
        case $(pick $tool all) in
        third) kinds="static dynamic" ways=("main fatal" "thread recovered") ;;
        hiprof) kinds="dynamic on-stack" ways=("main recovered" "thread fatal") ;;
        *) kinds="static dynamic on-stack" ways=("main fatal" "main recovered" "thread fatal" "thread recovered") ;;
        esac
        for kind in $kinds; do
            case $kind in
            static) instrument static-$tool -t $tool plain ;;
            dynamic) instrument dynamic-$tool -t $tool dynamic ;;
            on-stack) instrument on-stack-$tool -t $tool --stack=program plain ;;
            esac || continue
            program=plain
            [ $kind != dynamic ] || program=dynamic
            for way in "${ways[@]}"; do
                expected="expected $level $program $way"
                cp $program 0/program
                [ -e "$expected" ] || ending "$expected" -L /usr/alpha-linux-gnu -0 program 0/program $way
                rm -f $tool.out*
                cp $kind-$tool 1/program
                ending found -L /usr/alpha-linux-gnu -0 program 1/program $way
                same "$level/$tool/$kind/${way// /-}" "$expected" found
                [ $tool = empty ] || check "$level/$tool/$kind/${way// /-}/results" \
                    "ls $tool.out* && [ -s \$(ls $tool.out* | head -1) ]"
            done
        done
    done
done
