# forks: fork in a program whose other threads are in analysis routines all the time: no child waits for them.
alpha plain "$tests/data/forks.c" -pthread
instrument instrumented "$tests/forks/forks.atd" plain
for run in $(seq "$(pick 3 20)"); do
    RUN_TIMEOUT=60 prints "$run" qemu instrumented <<<1000
done
